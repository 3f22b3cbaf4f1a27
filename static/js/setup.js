// The set-up page: what is chosen, and placing it by pointer or keys. It only types into the form's fields;
// the server says what that means. No rule of any game is known here.
import { $, $$, around, draw, onClick } from "./common/dom.js";
import { centre, grid, hexAt, name } from "./common/hexes.js";

/** The column and row of a label; null where it is none. @param {string | undefined} label @returns {[number, number] | null} */
const place = (label) => (label && /^\d{4}$/.test(label) ? [+label.slice(0, 2), +label.slice(2)] : null);

/** @param {number} c @param {number} r */
function inside(c, r) {
  const { columns, rows } = grid();
  return c >= 1 && r >= 1 && c <= columns && r <= rows;
}

/** The label of the hex that was clicked. @param {MouseEvent} event */
function clicked(event) {
  const to = $("#board").getScreenCTM().inverse();
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(to);
  return hexAt([x, y]);
}

// ---- what is chosen: a row, and the unit that comes of it ----
/** @type {string | null} */
let chosen = null;
const rows = () => $$("tbody[data-unit]");
const row = () => rows().find((one) => one.dataset.unit === chosen);
/** A field of the chosen row, by what it is for. @param {string} which */
const role = (which) => row() && $(`[data-role=${which}]`, row());
const hex = () => role("hex")?.value.trim() || "";
/** @param {string} unit */
function choose(unit) {
  chosen = unit;
  show();
}
function show() {
  const now = row(),
    at = place(hex()),
    turn = role("facing");
  for (const one of rows()) one.classList.toggle("chosen", one === now);
  $("#marks")?.replaceChildren();
  if (at && $("#marks")) {
    draw("use", { href: "#hx", class: "sel", transform: `translate(${centre(name(...at)).join(" ")})` }, $("#marks"));
  }
  const said = $("#chosen");
  if (said && now)
    said.textContent = `${now.dataset.title}: ${[hex(), turn?.selectedOptions?.[0]?.text].filter(Boolean).join(", ")}`;
}
/** Typing by script is typing: the form hears of it and sends itself. @param {any} field @param {string} value */
function type(field, value) {
  if (!field || field.value === value) return;
  field.value = value;
  field.dispatchEvent(new Event("change", { bubbles: true }));
  show();
}
/** @param {number} by */
function turn(by) {
  const field = role("facing");
  if (!field) return;
  if (field.options)
    return type(field, field.options[(field.selectedIndex + by + field.options.length) % field.options.length].value);
  const [least, most] = [+field.min || 0, field.max === "" ? 5 : +field.max],
    count = most - least + 1;
  type(field, String(least + ((+field.value - least + by + count) % count)));
}
/** @param {number} dc @param {number} dr */
function move(dc, dr) {
  const at = place(hex());
  if (at && inside(at[0] + dc, at[1] + dr)) type(role("hex"), name(at[0] + dc, at[1] + dr));
}
function next() {
  const all = rows();
  if (all.length) choose(all[(all.indexOf(row()) + 1) % all.length].dataset.unit);
}
/** Where the board is wider than its frame, this hex comes to the middle. @param {[number, number] | null} at */
function bring(at) {
  const sheet = $("#sheet");
  if (!at || !sheet) return;
  const point = new DOMPoint(...centre(name(...at))).matrixTransform($("#board").getScreenCTM()),
    box = sheet.getBoundingClientRect();
  sheet.scrollBy(point.x - box.x - box.width / 2, point.y - box.y - box.height / 2);
}
function toBoard() {
  $("#stage").scrollIntoView({ block: "nearest" });
  $("#sheet").focus({ preventScroll: true });
  bring(place(hex()));
}

// ---- pointer and keys ----
document.addEventListener("focusin", (event) => {
  const unit = around(event, "tbody[data-unit]")?.dataset.unit;
  if (unit && unit !== chosen) choose(unit);
});
onClick([
  ["[data-turn]", (hit) => turn(+hit.dataset.turn)],
  [
    "[data-place]",
    (hit) => {
      choose(hit.closest("tbody").dataset.unit);
      toBoard();
    },
  ],
  ["[data-close]", () => $("#notice").replaceChildren()],
  ["[data-copy]", (hit) => copy($(`#${hit.dataset.copy}`))],
  ["#board .unit", (hit) => choose(hit.dataset.unit)],
  [
    "#board",
    (_, event) => {
      const label = clicked(event);
      if (label) type(role("hex"), label);
    },
  ],
  [
    "#summary a",
    (hit) => {
      const to = $(hit.getAttribute("href"));
      to?.closest("details")?.setAttribute("open", "");
      setTimeout(() => to?.focus());
    },
  ],
]);

/** @type {Record<string, () => void>} */
const keys = {
  ArrowLeft: () => move(-1, 0),
  ArrowRight: () => move(1, 0),
  ArrowUp: () => move(0, -1),
  ArrowDown: () => move(0, 1),
  "[": () => turn(-1),
  "]": () => turn(1),
  n: next,
};
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  const alone = !event.ctrlKey && !event.metaKey && !event.altKey;
  const act = alone && target instanceof Element && target.id === "sheet" && keys[key];
  if (!act) return;
  event.preventDefault();
  act();
});
/** @param {HTMLTextAreaElement} from */
async function copy(from) {
  try {
    await navigator.clipboard.writeText(from.value);
  } catch {
    from.select();
    document.execCommand("copy");
  }
  $("#copied").textContent = "Copied.";
  setTimeout(() => {
    $("#copied").textContent = "";
  }, 3000);
}

// ---- the server: out of reach, or what it has put in place; a row that has got the focus is the chosen one ----
document.addEventListener("htmx:error", () => {
  const box = document.createElement("div");
  box.className = "notice";
  box.setAttribute("role", "alert");
  box.innerHTML =
    "<p><b>Not checked.</b> The server could not be reached. What you typed is still here: go on, or try again.</p>" +
    '<button type="button" data-close aria-label="Dismiss">×</button>';
  $("#notice").replaceChildren(box);
});
document.addEventListener("htmx:before:request", () => $("#notice").replaceChildren());
document.addEventListener("htmx:after:swap", () => {
  const to = $("#what [autofocus]");
  if (to) {
    to.removeAttribute("autofocus");
    to.focus();
  }
  show();
});
show();
bring(place($("#board .unit[data-hex]")?.dataset.hex.slice(0, 4)));
