// What every part of the table's page needs: what it is about, what a browser remembers, and where things are said. No
// rule of any game is known in this folder: the server says what can be done.
import { $ } from "../common/dom.js";

export const { table, game } = document.body.dataset;
export const base = `/tables/${table}`;
/** The hex board, or null where a game draws its own picture. */
export const board = $("#board");
/** Whether a past moment is shown: then nothing can be done and nothing comes. */
export const past = document.body.classList.contains("is-past");

/**
 * What this browser remembers between visits; with a value, remembers it.
 * @param {string} key
 * @param {string} [value]
 * @returns {string | null | undefined}
 */
export function memory(key, value) {
  try {
    if (value === undefined) return localStorage.getItem(`contrail.${key}`);
    localStorage.setItem(`contrail.${key}`, value);
  } catch {
    return null; // no storage
  }
}

/** Whether nothing can be sent now. */
export const offline = () => document.body.classList.contains("off");

/**
 * Presses a button as a click does, unless it can't be pressed now.
 * @param {string} selector
 */
export function press(selector) {
  const button = $(selector);
  if (button && !button.disabled && !offline()) button.click();
}

/**
 * Says one thing where the page tells of trouble.
 * @param {string} title
 * @param {string} text
 */
export function tell(title, text) {
  const box = document.createElement("div");
  box.className = "notice";
  box.setAttribute("role", "alert");
  box.innerHTML = '<p><b></b> <span></span></p><button type="button" data-close aria-label="Dismiss">×</button>';
  $("b", box).textContent = title;
  $("span", box).textContent = text;
  $("#notice").replaceChildren(box);
}

/**
 * Writes the line under the board.
 * @param {string} text
 */
export function peek(text) {
  const out = $("#peek");
  if (out) out.textContent = text;
}
