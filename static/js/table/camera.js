// The view of the board: its middle and how many pixels a unit of length has. Belongs here: what is in view, and
// bringing things into it. Does not belong here: who wants that, and when.
import { $, $$, draw } from "../common/dom.js";
import { board, table } from "./page.js";
import { centre, grid, name, range } from "../common/hexes.js";

/** @typedef {import("../common/hexes.js").Point} Point */

export const view = { x: 0, y: 0, s: 1 };

let all = false; // what `fit` shows next time: the units, or the whole board
let shown = "";
let printing = false;

/** The tools and the readout lie over the board: so much of it is theirs, below and above. */
const FOOT = 58;
const head = () => (size().width < 600 ? 46 : 30);

/** Where the board is on the screen. @returns {DOMRect} */
export const size = () => board.getBoundingClientRect();

/** The height that tools and readout leave. @param {number} height */
const clear = (height) => Math.max(90, height - FOOT - head());

function limits() {
  const { width, height } = size();
  const { columns, rows, step, tall } = grid();
  const [w, h] = [step * columns + 80, tall * rows + 90];
  return { w, h, least: Math.min(width / w, clear(height) / h) * 0.8, most: 4 };
}

/** Counters shrink less than the board, so that they can be read from afar: so much larger is each. @param {number} s */
const grown = (s) => Math.min(3, Math.max(1, 0.94 / s));

/** Draws the board as `view` has it, kept within the limits, and remembers it for a reload. */
export function show() {
  const { width, height } = size();
  if (!width || printing) return;
  const { w, h, least, most } = limits();
  view.s = Math.min(most, Math.max(least, view.s));
  view.x = Math.min(w - 30, Math.max(-30, view.x));
  view.y = Math.min(h - 40, Math.max(-40, view.y));
  const [vw, vh] = [width / view.s, height / view.s];
  const box = [view.x - vw / 2, view.y - vh / 2, vw, vh].map((n) => n.toFixed(2));
  board.setAttribute("viewBox", box.join(" "));
  board.style.setProperty("--k", grown(view.s).toFixed(3));
  labels(vw, vh);
  try {
    sessionStorage.setItem(`view.${table}`, JSON.stringify(view));
  } catch {
    // not kept
  }
}

/**
 * Hex labels for what is in view: every one when there is room, each fifth when not, none from afar.
 * @param {number} vw
 * @param {number} vh
 */
function labels(vw, vh) {
  const { columns, rows, step, tall } = grid();
  const each = view.s > 1.02 ? 1 : view.s > 0.5 ? 5 : 0;
  const c0 = Math.max(1, Math.floor((view.x - vw / 2) / step));
  const c1 = Math.min(columns, Math.ceil((view.x + vw / 2) / step) + 1);
  const r0 = Math.max(1, Math.floor((view.y - vh / 2) / tall));
  const r1 = Math.min(rows, Math.ceil((view.y + vh / 2) / tall) + 1);
  const font = (each > 1 ? 10 / view.s : Math.min(9.5, 10 / view.s)).toFixed(1);
  const key = [each, c0, c1, r0, r1, font].join();
  if (key === shown) return;
  shown = key;
  const layer = $("#labels");
  layer.replaceChildren();
  if (!each) return;
  layer.setAttribute("font-size", font);
  for (let c = c0; c <= c1; c++) {
    for (let r = r0; r <= r1; r++) {
      if (c % each || r % each) continue;
      const [x, y] = centre(name(c, r));
      draw("text", { x, y: y - 13.5 }, layer).textContent = name(c, r);
    }
  }
}

/** @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 @param {number} [most] */
function fitTo(x0, y0, x1, y1, most = 2.5) {
  const { width, height } = size();
  if (!width) return; // not shown at all
  view.s = Math.min(most, width / (x1 - x0), clear(height) / (y1 - y0));
  view.x = (x0 + x1) / 2;
  view.y = (y0 + y1) / 2 + (FOOT - head()) / 2 / view.s;
  show();
}

/** The least and the greatest of each axis. @param {string[]} labels */
function bounds(labels) {
  const places = labels.map(centre);
  const [xs, ys] = [places.map((p) => p[0]), places.map((p) => p[1])];
  return { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) };
}

/**
 * Fits these places and the counters in them, wholly; from afar counters stick out over more of the board.
 * @param {string[]} labels
 * @param {number} most the largest scale
 * @param {Point} [room] how much is left free beside and above
 */
export function fitAround(labels, most, [wide, high] = size().width < 600 ? [48, 34] : [96, 96]) {
  const { x0, x1, y0, y1 } = bounds(labels);
  for (const time of [0, 1, 2]) {
    const by = time ? grown(view.s) : 1;
    const [beside, above, below] = [Math.max(wide, 30 * by), Math.max(high, 24 * by), Math.max(high, 30 * by)];
    fitTo(x0 - beside, y0 - above, x1 + beside, y1 + below, most);
  }
}

/** Fits all units and what is lit; with `whole`, the board. @param {boolean} [whole] */
export function fit(whole) {
  const places = $$("#counters [data-hex], #lit [data-hex]").map((g) => g.dataset.hex);
  const { columns, rows, step, tall } = grid();
  if (whole || !places.length) fitTo(-34, -40, step * columns + 47, tall * rows + 62, 4);
  else fitAround(places, places.length > 1 ? 2.5 : 1.3); // one alone is seen with what lies about it
}

/** Fits the units, the next time the whole board, and so on. */
export function fitInTurn() {
  fit(all);
  all = !all;
}

/** Where on the board something happens on the screen. @param {{clientX: number, clientY: number}} event @returns {Point} */
export function point(event) {
  const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
  return [p.x, p.y];
}

/** @param {number} factor @param {Point} [at] the point that stays where it is */
export function zoom(factor, [x, y] = [view.x, view.y]) {
  const { least, most } = limits();
  const s = Math.min(most, Math.max(least, view.s * factor));
  view.x = x + (view.x - x) * (view.s / s);
  view.y = y + (view.y - y) * (view.s / s);
  view.s = s;
  show();
}

/** Moves the view by so many pixels. @param {number} x @param {number} y */
export function pan(x, y) {
  view.x += x / view.s;
  view.y += y / view.s;
  show();
}

/**
 * Whether a place is wholly in view and not under the tools, by axis.
 * @param {string} label
 * @returns {[boolean, boolean]}
 */
function axesInView(label) {
  const [x, y] = centre(label);
  const { width, height } = size();
  const [dx, dy] = [(x - view.x) * view.s, (y - view.y) * view.s];
  // No more room than `fit` leaves, or the first view of all units would be moved at once.
  const half = 22 * view.s * grown(view.s);
  return [Math.abs(dx) + half < width / 2, dy - half > head() - height / 2 && dy + half < height / 2 - FOOT];
}

/** @param {string} label */
export const inView = (label) => axesInView(label).every(Boolean);
const placed = () => $$("#counters [data-hex]").map((g) => g.dataset.hex);
export const allInView = () => placed().every(inView);
export const anyInView = () => placed().some(inView);

/** Brings a place into view, no further than it must. @param {string} label */
export function bring(label) {
  const [across, down] = axesInView(label);
  const [x, y] = centre(label);
  if (!across) view.x = x;
  if (!down) view.y = y;
  show();
}

/** Puts a place into the middle, near enough to be read. @param {string} label */
export function goTo(label) {
  const [x, y] = centre(label);
  Object.assign(view, { x, y, s: Math.max(view.s, 1.1) });
  show();
}

/**
 * How far to go so that from..to lies between least and most: not at all, just enough, or to the middle.
 * @param {number} from
 * @param {number} to
 * @param {number} least
 * @param {number} most
 */
function shift(from, to, least, most) {
  if (to - from > most - least) return (from + to - least - most) / 2;
  return from < least ? from - least : to > most ? to - most : 0;
}

/**
 * Moves a unit and the places around it into view, whole hexes, clear of what lies over the board; fewer when not all
 * have room.
 * @param {string} hex
 * @param {string[]} places
 */
export function gather(hex, places) {
  const { width, height } = size();
  const near = (/** @type {number} */ far) => places.filter((place) => range(place, hex) < far);
  for (const some of [places, near(3), near(2), []]) {
    const { x0, x1, y0, y1 } = bounds([hex, ...some]);
    const [left, right] = [x0 - 28, x1 + 28].map((x) => (x - view.x) * view.s + width / 2);
    const [top, bottom] = [y0 - 26, y1 + 26].map((y) => (y - view.y) * view.s + height / 2);
    if (some.length && (right - left > width - 12 || bottom - top > height - head() - FOOT)) continue;
    pan(shift(left, right, 6, width - 6), shift(top, bottom, head(), height - FOOT));
    return;
  }
}

/** Moves what is drawn at a rectangle of the screen out from under another one at the foot. @param {DOMRect} drawn @param {DOMRect} foot */
export function uncover(drawn, foot) {
  const room = size();
  pan(
    shift(drawn.left, drawn.right, room.left + 8, room.right - 8),
    shift(drawn.top, drawn.bottom, room.top + 8, Math.min(room.bottom - 58, foot.top) - 8),
  );
}

/** Begins with the view of before the reload, or with all units; `attend` brings what is to act into view when the board is turned or resized. @param {() => void} attend */
export function begin(attend) {
  let kept = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(`view.${table}`) ?? "null");
  } catch {
    // first visit
  }
  if (kept) {
    Object.assign(view, kept);
    show();
  }
  if (!kept || !anyInView()) fit();
  let was = size();
  new ResizeObserver(() => {
    const now = size();
    show();
    if (!now.width || printing || (now.width === was.width && now.height === was.height)) return;
    was = now;
    attend();
  }).observe(board);
  let unprinted = { ...view };
  addEventListener("beforeprint", () => {
    unprinted = { ...view };
    fit();
    printing = true;
  });
  addEventListener("afterprint", () => {
    printing = false;
    Object.assign(view, unprinted);
    show();
  });
}
