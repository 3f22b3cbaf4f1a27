// The log beside the board: it follows its end, lights what a line is about, and can be filtered.
import { light, mark, unitOf } from "./counters.js";
import { $, $$, around } from "../common/dom.js";

const log = $("#log-lines");
const scroller = $("#log");
export const filter = $("#log-filter");
let follow = true;

/** Shows the end of the log, unless somebody reads further up. @param {boolean} [force] */
export function toEnd(force) {
  if ((force || follow) && scroller.scrollHeight > scroller.clientHeight) scroller.scrollTop = scroller.scrollHeight;
}

/** Lights what a line is about. @param {any} line */
function touchLine(line) {
  if (!line) return mark();
  const unit = unitOf(line.dataset.unit);
  light([...line.dataset.places.split(" "), unit?.dataset.hex || ""].filter(Boolean));
}

/** Shows only what the filter is set to. */
export function sift() {
  const f = filter.value;
  if (!f) return log.removeAttribute("data-filter");
  log.setAttribute("data-filter", f);
  for (const line of $$(".line", log)) {
    line.classList.toggle("show", f.startsWith("u:") ? line.dataset.unit === f.slice(2) : line.classList.contains(f));
  }
}

scroller.addEventListener("scroll", () => {
  follow = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 40;
});
new ResizeObserver(() => toEnd()).observe(scroller); // a panel that grows or shrinks goes on showing the end
log.addEventListener("pointerover", (/** @type {Event} */ event) => touchLine(around(event, ".line")));
log.addEventListener("pointerleave", () => touchLine(null));
log.addEventListener("focusin", (/** @type {Event} */ event) => touchLine(around(event, ".line")));
log.addEventListener("focusout", () => touchLine(null));
log.addEventListener("click", (/** @type {Event} */ event) => {
  const line = around(event, ".line:not(.head)");
  if (line && !around(event, "a") && !String(getSelection())) $(".when", line).click();
});
filter.addEventListener("change", () => {
  sift();
  toEnd(true);
});
