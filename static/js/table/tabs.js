// The panels beside the board, as a list of tabs.
import { toEnd } from "./log.js";
import { $, $$ } from "../common/dom.js";
import { base, memory } from "./page.js";

const panels = $("#panels");
const sections = $$(".panel");
const tabs = document.createElement("div");

/** The tab of a section. @param {string} id */
const tabOf = (id) => $(`#tab-${id}`);

/** Shows a section alone. @param {string} id @param {boolean} [focus] */
export function open(id, focus) {
  for (const section of sections) {
    const on = section.id === id;
    section.hidden = !on;
    const tab = tabOf(section.id);
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
    if (on && focus) tab.focus();
  }
  if (id === "after") recount();
  else memory("tab", id);
  if (id === "log") toEnd(true);
}

// What there is to tell after the end has a tab from then on, and is fetched when first looked at.
let recounted = false;
function recount() {
  if (recounted) return;
  recounted = true;
  htmx.ajax("GET", `${base}/after`, { source: "#after-pane", target: "#after-pane", swap: "innerHTML" });
}

/** Makes the tabs, and opens the one of the last visit. */
export function begin() {
  tabs.className = "tabs";
  tabs.setAttribute("role", "tablist");
  tabs.setAttribute("aria-label", "Panels");
  for (const section of sections) {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.id = `tab-${section.id}`;
    tab.textContent = $("h2", section).textContent;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", section.id);
    section.setAttribute("role", "tabpanel");
    section.setAttribute("aria-labelledby", tab.id);
    section.tabIndex = 0;
    tab.addEventListener("click", () => open(section.id));
    tabs.append(tab);
  }
  panels.prepend(tabs);
  const last = memory("tab");
  open(last && sections.some((section) => section.id === last) ? last : "log");
}

tabs.addEventListener("keydown", (event) => {
  const there = sections.filter((section) => !tabOf(section.id).hidden);
  const at = there.findIndex((section) => !section.hidden);
  /** @type {Record<string, number | undefined>} */
  const ways = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: there.length - 1 };
  const to = ways[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  open(there[(to + there.length) % there.length].id, true);
});
