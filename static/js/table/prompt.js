// The question: its options shown on the board, what each leads to, and what comes after it. Belongs here: previews
// and choosing. Does not belong here: sending an answer (forms do), and which options there are (the server says).
import { allInView, anyInView, bring, fit, fitAround, gather, inView, view } from "./camera.js";
import { actor, unitOf } from "./counters.js";
import { centre, place, range, turned, words } from "../common/hexes.js";
import { $, $$, around, draw } from "../common/dom.js";
import { base, board, peek, press, table, tell } from "./page.js";

/** The place that was tapped last: tapping it again is the answer. @type {{tapped: string | null}} */
export const touch = { tapped: null };

/** The choices that can be made, as the page lists them. @returns {any[]} */
export const radios = () => $$("#act input[name=choice]:not(:disabled)");
/** What is chosen, or the line that is being written. */
export const current = () => $("#act input[name=choice]:checked") || $("#draft-read");

/** Shows where a choice leads. @param {any} choice */
export function preview(choice) {
  const layer = $("#preview");
  if (!layer) return;
  layer.replaceChildren();
  for (const g of $$("#lit .place")) g.classList.toggle("chosen", g.dataset.choice === choice?.value);
  lead();
  if (!choice) return;
  const { place: end, path, facing, altitude } = choice.dataset;
  const from = unitOf(actor())?.dataset.hex;
  const steps = path ? path.split(" ") : end ? [end] : [];
  if (!steps.length) return;
  if (end && steps.at(-1) !== end) steps.push(end);
  for (const step of steps) place(step, {}, layer);
  const line = (from && steps[0] !== from ? [from, ...steps] : steps).map(centre);
  draw("path", { d: `M${line.join("L")}` }, layer);
  const [x, y] = line.at(-1);
  const d = facing === undefined ? "M-5 0A5 5 0 1 0 5 0 5 5 0 1 0-5 0" : "M0-12 7 6 0 2-7 6z";
  draw("path", { class: "end", transform: `translate(${x} ${y}) rotate(${turned(facing ?? 0)})`, d }, layer);
  if (altitude) draw("text", { x, y: y + 20 }, layer).textContent = altitude;
}

/** Chooses an option by its value; with `confirm`, answers with it. @param {string} value @param {boolean} [confirm] */
export function choose(value, confirm) {
  const radio = radios().find((one) => one.value === value);
  if (!radio) {
    line?.take(value);
    return;
  }
  radio.checked = true;
  radio.closest(".opt").scrollIntoView({ block: "nearest" });
  preview(radio);
  peek(radio.closest("label").querySelector("b").textContent);
  if (confirm) press("#primary");
}

/** Writes a place into the answer that is being filled in. @param {string} hex */
export function fill(hex) {
  const field = $("#act .own input[data-role=hex]");
  if (field) {
    field.value = hex;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  peek(words(hex));
}

// What the chosen option leads to, choice by choice: shown on demand, in step with the option.
let ahead = false;
let aheadAt = "";

/** Shows or hides what the chosen option leads to. */
export function lookAhead() {
  ahead = !ahead;
  lead();
}

function lead() {
  const [ask, box] = [$("#then-ask"), $("#then")];
  ask?.setAttribute("aria-expanded", String(ahead));
  const asked = ahead && ask && current();
  const query = asked ? new URLSearchParams(/** @type {any} */ (new FormData($("#act")))).toString() : "";
  if (query === aheadAt) return;
  aheadAt = query;
  const put = { source: "#then", target: "#then", swap: "innerHTML" };
  if (query) htmx.ajax("GET", `${base}/odds?${query}`, put);
  else box.replaceChildren();
}

// A line that is put together token by token has a script of its own, which comes when one is asked for.
/** @type {any} */
let line = null;
/** @type {Promise<void> | null} */
let coming = null;

/** The line that is being written, if the question wants one: see `draft.js`. */
export const composing = () => line;

/** After a frame: the line goes on, or its script is fetched. */
export async function compose() {
  const box = $("#draft");
  // Asked for once: two of it would read each line twice, one of them for a question of long ago.
  if (box) {
    coming ??= import(box.dataset.script).then((script) => {
      line = script.begin({ $, $$, base, table, centre, turned, draw, preview, tell });
    });
  }
  if (!line) await coming;
  line?.refresh();
}

/** Brings a new choice of places into view; on a touch screen near enough for a thumb. @param {boolean} [always] */
export function attend(always) {
  const hex = unitOf(actor())?.dataset.hex;
  const yours = $("#now.yours");
  const places = $$("#lit .place").map((g) => g.dataset.hex);
  // A question about no unit in particular is about all of them; while others act, some at least stay in view.
  if (!hex) {
    if (board && (yours ? !allInView() : !anyInView())) fit();
    return;
  }
  if (!places.length) {
    if (always || yours) bring(hex);
    return;
  }
  const close = !matchMedia("(pointer: coarse)").matches || view.s > 0.9;
  // Whom one can aim at stays in view however far away, and so does who aims.
  if (places.every((label) => $(`#counters [data-hex="${label}"]`))) {
    if (!(close && [hex, ...places].every(inView))) fitAround([hex, ...places], close ? view.s : 1.05);
  } else if (close) gather(hex, places);
  else fitAround([hex, ...places.filter((label) => range(label, hex) < 3)], 1.05, [60, 50]);
}

/** Turned or resized: what is to act stays in view. */
export function keepInView() {
  const hex = unitOf(actor())?.dataset.hex;
  if (hex ? inView(hex) : anyInView()) return;
  if (hex) attend(true);
  else fit();
}

// An answer that is filled in is chosen by filling it in; a place of it by a click on the board.
document.addEventListener("input", (event) => {
  const own = around(event, ".own");
  const radio = own && $("input[name=choice]", own);
  if (!own || event.target === radio) return;
  radio.checked = true;
  const label = $("input[data-role=hex]", own)?.value.trim();
  if (/^\d{4}(\/\d{4})?$/.test(label)) radio.dataset.place = label;
  else delete radio.dataset.place;
  preview(radio);
});
document.addEventListener("change", ({ target }) => {
  const { name } = /** @type {HTMLInputElement} */ (target);
  if (name === "choice") preview(target);
  if (name === "with") lead();
});
for (const type of ["pointerover", "focusin"]) {
  document.addEventListener(type, (event) => {
    const option = around(event, ".opt");
    if (option) preview($("input", option));
  });
}
document.addEventListener("pointerout", (event) => {
  const to = event.relatedTarget;
  if (around(event, ".opt") && !(to instanceof Element && to.closest(".opt"))) preview(current());
});
