// Counters on the board: which is to act, which is selected, what is drawn around and over them. Belongs here: marks
// that this browser alone draws. Does not belong here: counters themselves (the server's) and where the board stands.
import { bring } from "./camera.js";
import { centre, place } from "../common/hexes.js";
import { $, $$, draw } from "../common/dom.js";
import { peek } from "./page.js";

/** @type {string | null} */
let selected = null;
/** @type {string | null} */
let over = null;

/** The id of the unit that is to act, "" for none. @returns {string} */
export const actor = () => $("#now")?.dataset.unit || "";

/** A unit's counter. @param {string | null | undefined} id @returns {any} */
export const unitOf = (id) => (id ? document.getElementById(`u-${id}`) : null);

/** The id of the unit that is looked at: the selected one, else the one that is to act. */
export const chosenUnit = () => selected || actor();

/** What a counter says in words. @param {Element} unit @returns {string} */
export const sentence = (unit) => unit.getAttribute("aria-label") ?? "";

/** What a counter is called. @param {Element} unit */
export const title = (unit) => sentence(unit).split(",")[0];

/** The unit to begin with: the one to act, else the first that is still there. */
export const first = () => unitOf(actor()) || $("#counters .unit:not(.gone)");

/** The counter that the pointer is over. */
export const pointed = () => unitOf(over);

/** Only one counter is a stop of the Tab key. @param {Element | null} [unit] */
function stopAt(unit) {
  for (const one of $$("#counters .unit")) one.setAttribute("tabindex", one === (unit || first()) ? 0 : -1);
}

/** After a frame: a unit that has gone is selected no more. */
export function settleSelection() {
  if (selected && !unitOf(selected)) selected = null;
  stopAt(unitOf(selected));
  mark();
}

/** Draws what is selected, and whom a question is about. */
export function mark() {
  const layer = $("#marks");
  if (!layer) return;
  layer.replaceChildren();
  $("#ring").replaceChildren();
  const unit = unitOf(selected);
  lift();
  if (unit?.dataset.hex) {
    const [x, y] = centre(unit.dataset.hex);
    const d = "M-25-15V-24H-14M14-24H25V-15M25 15V24H14M-14 24H-25V15";
    draw("path", { class: "sel", transform: `translate(${x} ${y})`, d }, layer);
  }
  // Whom a sealed question is about is nobody else's business: the server rings no counter for it.
  const whom = $("#now.yours") && unitOf(actor());
  if (whom?.dataset.hex && !whom.classList.contains("acting")) {
    const [x, y] = centre(whom.dataset.hex);
    const [dx, dy, s] = fanned(whom);
    const grown = draw("g", { class: "k" }, draw("g", { transform: `translate(${x} ${y})` }, $("#ring")));
    draw("circle", { class: "halo", transform: `translate(${dx} ${dy}) scale(${s})`, r: 24 }, grown);
  }
  for (const card of $$(".card")) card.classList.toggle("sel", card.dataset.unit === selected);
  const of = $("#aid-of");
  const about = unitOf(chosenUnit());
  if (of) of.textContent = about ? title(about) : "";
}

/** A counter among others in its hex is drawn once more over all of them, larger and with all that it says. */
function lift() {
  $("#marks .lift")?.remove();
  const unit = unitOf(over) || unitOf(selected);
  const [dx, dy, s] = unit ? fanned(unit) : [0, 0, 1];
  if (s > 0.7) return;
  const [x, y] = centre(unit.dataset.hex);
  const by = 0.64 / s;
  const transform = `translate(${(x + dx) * (1 - by)} ${(y + dy) * (1 - by)}) scale(${by})`;
  draw("use", { class: "lift", href: `#${unit.id}`, transform }, $("#marks"));
}

/** How far from the middle of its hex a counter stands, and how large it is. @param {Element} unit @returns {number[]} */
function fanned(unit) {
  const fan = unit.querySelector(".fan")?.getAttribute("transform");
  const found = fan?.match(/^translate\((\S+) (\S+)\) scale\((\S+)\)$/);
  return found ? found.slice(1).map(Number) : [0, 0, 1];
}

/** The pointer is over a unit now, or over none. @param {string | null} [id] */
export function raise(id = null) {
  if (id === over) return;
  over = id;
  lift();
}

// What a frame brings flies to its target. What was there on arrival, or comes with everything else, does not.
/** @type {Set<string> | null} */
let known = null;

/** @param {boolean} everything whether all of the page has come anew */
export function fly(everything) {
  const called = (/** @type {any} */ one) => one.dataset.fly || one.id;
  const now = $$("#effects-below > [id], #effects-above > [id], [data-fly]");
  for (const one of known && !everything ? now : []) {
    if (known?.has(called(one))) continue;
    one.classList.add("fly");
    setTimeout(() => one.classList.remove("fly"), 800);
  }
  known = new Set(now.map(called));
}

/** Lights places on the board. @param {string[]} labels */
export function light(labels) {
  for (const node of $$("#marks .lit")) node.remove();
  for (const label of labels) {
    if (/^\d{4}/.test(label)) place(label, { class: "lit" }, $("#marks"));
  }
}

/** Selects a unit, or none; `SELECTED` tells whoever wants to know. @param {string | null} id @param {boolean} [focus] */
export function select(id, focus) {
  selected = id;
  mark();
  const unit = unitOf(id);
  stopAt(unit);
  if (unit && focus) unit.focus({ preventScroll: true });
  if (unit?.dataset.hex) {
    bring(unit.dataset.hex);
    peek(sentence(unit));
  }
  document.dispatchEvent(new Event(SELECTED));
}
export const SELECTED = "contrail:selected";
