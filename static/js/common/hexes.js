// The geometry of the hex board: labels of hexes and hexsides, and where they are drawn. The server says how large a
// hex is drawn and how many there are (`data-*` of the board), so that the numbers stand in one place.
import { $$, draw } from "./dom.js";

/** @typedef {[number, number]} Point */

/**
 * The board's numbers as they are now: hexes across and down, from column to column and row to row, how far the first
 * middle lies left of a whole column, and how many ways a unit can face.
 */
export function grid() {
  const { columns, rows, step, tall, left, facings = 6 } = document.getElementById("board")?.dataset ?? {};
  return {
    columns: Number(columns),
    rows: Number(rows),
    step: Number(step),
    tall: Number(tall),
    left: Number(left),
    facings: Number(facings),
  };
}

/** How far above an odd column an even one lies. @param {number} column @param {number} tall */
const raised = (column, tall) => (column % 2 ? 0 : tall / 2);

/** @param {number} column @param {number} row @returns {Point} */
function middle(column, row) {
  const { step, tall, left } = grid();
  return [step * column - left, tall * row - raised(column, tall)];
}

/** The label of a hex. @param {number} column @param {number} row */
export const name = (column, row) => String(column).padStart(2, "0") + String(row).padStart(2, "0");

/**
 * Where the middle of a hex ("0712") or hexside ("1115/1215") is drawn.
 * @param {string} label
 * @returns {Point}
 */
export function centre(label) {
  const points = label.split("/").map((hex) => middle(+hex.slice(0, 2), +hex.slice(2)));
  const mean = (/** @type {0 | 1} */ axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  return [mean(0), mean(1)];
}

/** Degrees clockwise from north. @param {number | string} facing */
export const turned = (facing) => (Number(facing) * 360) / grid().facings;

/** How a label is said. @param {string} label */
export const words = (label) => `${label.length > 4 ? "Hexside" : "Hex"} ${label}`;

/**
 * The label of the hex at a point; null off the board.
 * @param {Point} point
 * @returns {string | null}
 */
export function hexAt([x, y]) {
  const { columns, rows, step, tall, left } = grid();
  const near = Math.round((x + left) / step);
  let best = [0, 0];
  let least = Number.POSITIVE_INFINITY;
  for (let c = near - 1; c <= near + 1; c++) {
    const r = Math.round((y + raised(c, tall)) / tall);
    const [cx, cy] = middle(c, r);
    const far = (x - cx) ** 2 + (y - cy) ** 2;
    if (far < least) [least, best] = [far, [c, r]];
  }
  const [c, r] = best;
  return c < 1 || r < 1 || c > columns || r > rows ? null : name(c, r);
}

/** How far the middle of a place is from a point. @param {string} label @param {Point} point */
export const distance = (label, [x, y]) => {
  const [cx, cy] = centre(label);
  return Math.hypot(cx - x, cy - y);
};

/**
 * What can be lit on a side between two hexes, where one is near enough to a point.
 * @param {Point} point
 * @returns {string | undefined}
 */
export const sideAt = (point) =>
  $$("#lit [data-hex*='/'], #counters [data-hex*='/']")
    .map((g) => ({ far: distance(g.dataset.hex, point), hex: g.dataset.hex }))
    .filter(({ far }) => far < 12)
    .sort((a, b) => a.far - b.far)[0]?.hex;

/** @param {string} label @returns {Point} */
function cube(label) {
  const q = +label.slice(0, 2) - 1;
  return [q, +label.slice(2, 4) - 1 - (q + (q & 1)) / 2];
}

/** How many hexes lie between two hexes. @param {string} a @param {string} b */
export function range(a, b) {
  const [q1, r1] = cube(a);
  const [q2, r2] = cube(b);
  return Math.max(Math.abs(q1 - q2), Math.abs(r1 - r2), Math.abs(q1 + r1 - q2 - r2));
}

/**
 * Draws a hex over a place; over a hexside a smaller one.
 * @param {string} label
 * @param {Record<string, unknown>} attributes
 * @param {Element} parent
 */
export function place(label, attributes, parent) {
  const [x, y] = centre(label);
  const small = label.length > 4 ? " scale(.55)" : "";
  return draw("use", { href: "#hx", transform: `translate(${x} ${y})${small}`, ...attributes }, parent);
}
