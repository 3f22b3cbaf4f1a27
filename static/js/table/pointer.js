// The pointer and the arrow keys on the board: one finger pans, two pinch, a tap picks, and what is pointed at is said.
import { pan, point, view, zoom } from "./camera.js";
import { chosenUnit, pointed, raise, select, sentence, title, unitOf } from "./counters.js";
import { distance, hexAt, range, sideAt, words } from "../common/hexes.js";
import { $, $$, around } from "../common/dom.js";
import { board, peek, press } from "./page.js";
import { choose, composing, current, fill, touch } from "./prompt.js";

/** @type {Map<number, PointerEvent>} */
const fingers = new Map();
/** Where the last finger went down, and what the fingers have done since. @type {PointerEvent} */
let last;
let moved = false;
let pinched = false;

/** The hexside or hex at an event. @param {MouseEvent} event */
function labelAt(event) {
  const at = point(event);
  return sideAt(at) || hexAt(at);
}

/** Listens on the board. */
export function begin() {
  board.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    if (event.button) return;
    fingers.set(event.pointerId, event);
    if (fingers.size === 1) [moved, pinched] = [false, false];
    else pinched = true;
    last = event;
  });
  addEventListener("pointermove", drag);
  addEventListener("pointerup", release);
  addEventListener("pointercancel", release);
  board.addEventListener("dblclick", (/** @type {MouseEvent} */ event) => {
    const hex = labelAt(event);
    if (hex && !composing()?.open() && $(`#lit [data-hex="${hex}"]`)) press("#primary");
  });
  board.addEventListener("wheel", turnWheel, { passive: false });
  board.addEventListener("pointermove", pointAt);
  board.addEventListener("pointerleave", (/** @type {PointerEvent} */ event) => {
    if (event.pointerType !== "mouse") return;
    peek("");
    raise();
  });
  board.addEventListener("focusin", (/** @type {FocusEvent} */ event) => {
    const unit = around(event, ".unit");
    if (unit) peek(sentence(unit));
  });
  board.addEventListener("keydown", walk);
}

/** @param {PointerEvent} event */
function drag(event) {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
  if (fingers.size === 1) {
    if (!moved && Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY) < 7) return;
    if (!moved) {
      board.setPointerCapture(event.pointerId);
      board.classList.add("drag");
    }
    moved = true;
    fingers.set(event.pointerId, event);
    pan(-dx, -dy);
    return;
  }
  const other = [...fingers.values()].find((one) => one.pointerId !== event.pointerId);
  if (!other) return;
  const gap = (/** @type {PointerEvent} */ one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  const middle = { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 };
  view.x -= dx / 2 / view.s;
  view.y -= dy / 2 / view.s;
  fingers.set(event.pointerId, event);
  zoom(gap(event) / Math.max(1, gap(before)), point(middle));
}

/** @param {PointerEvent} event */
function release(event) {
  if (!fingers.delete(event.pointerId)) return;
  board.classList.remove("drag");
  if (fingers.size || moved || pinched || event.type === "pointercancel") return;
  pick(event);
}

/** @param {PointerEvent} event */
function pick(event) {
  const hex = labelAt(event);
  const thumb = event.pointerType !== "mouse";
  let spot = hex && $(`#lit [data-hex="${hex}"]`);
  // A thumb is wider than a hex seen from afar.
  if (!spot && thumb) spot = nearest(event);
  if (spot) return pickPlace(spot.dataset.hex, thumb);
  touch.tapped = null;
  const under = document.elementsFromPoint(event.clientX, event.clientY);
  const unit = under.map((one) => one.closest(".unit")).find(Boolean) || (hex && $(`#counters [data-hex="${hex}"]`));
  select(unit ? unit.dataset.unit : null);
  if (!unit && hex) fill(hex);
}

/** The lit place that is nearest to a finger, if it is near enough. @param {PointerEvent} event */
function nearest(event) {
  const at = point(event);
  const places = $$("#lit .place").map((g) => ({ g, far: distance(g.dataset.hex, at) * view.s }));
  const near = places.sort((a, b) => a.far - b.far)[0];
  return near && near.far < 30 ? near.g : null;
}

/** Chooses what leads to a place; on a touch screen the second tap answers. @param {string} hex @param {boolean} thumb */
function pickPlace(hex, thumb) {
  const here = $$("#lit .place").filter((g) => g.dataset.hex === hex);
  const same = here.map((g) => g.dataset.choice);
  const now = current()?.value;
  const again = touch.tapped === hex && same.includes(now);
  touch.tapped = hex;
  if (again && thumb) choose(now, true);
  else choose(same.includes(now) && !again ? now : same[(same.indexOf(now) + 1) % same.length]);
}

/** @param {WheelEvent} event */
function turnWheel(event) {
  event.preventDefault();
  const by = Math.max(-60, Math.min(60, event.deltaY)) * (event.deltaMode ? 0.05 : 0.004);
  zoom(Math.exp(-by), point(event));
}

/** Says what the mouse is over. @param {PointerEvent} event */
function pointAt(event) {
  if (fingers.size || event.pointerType !== "mouse") return;
  raise(around(event, ".unit")?.dataset.unit);
  const hex = labelAt(event);
  if (!hex) return peek("");
  const [units, unit] = [$$(`#counters [data-hex="${hex}"]`), pointed()];
  const here = unit && units.length > 1 ? [sentence(unit), `${units.length - 1} more there`] : units.map(sentence);
  const lit = $(`#lit [data-hex="${hex}"] title`);
  peek((here.length ? here.join(" · ") : words(hex)) + (lit ? ` · ${lit.textContent}` : "") + rangeTo(hex));
}

/** How far a hex is from the unit that is looked at. @param {string} hex */
function rangeTo(hex) {
  const from = unitOf(chosenUnit());
  const whole = from?.dataset.hex?.length === 4 && hex.length === 4;
  if (!whole || from.dataset.hex === hex) return "";
  return ` · range ${range(from.dataset.hex, hex)} from ${title(from)}`;
}

/** Arrow keys go from counter to counter. @param {KeyboardEvent} event */
function walk(event) {
  const unit = around(event, ".unit");
  if (!unit) return;
  const all = $$("#counters .unit:not(.gone)");
  /** @type {Record<string, number>} */
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  const step = steps[event.key];
  if (step) select(all[(all.indexOf(unit) + step + all.length) % all.length].dataset.unit, true);
  else if (event.key === "Enter" || event.key === " ") select(unit.dataset.unit, true);
  else if (event.key === "Escape") {
    select(null);
    unit.blur();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
