// The set-up page: what is chosen, and placing it by pointer or keys. It only types into the form's fields;
// the server says what that means. No rule of any game is known here.
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const SVG = "http://www.w3.org/2000/svg";

// ---- geometry: column c, row r has its centre at 39c - 13, 45r (odd columns) or 45r - 22.5 (even) ----
const centre = (c, r) => [39 * c - 13, 45 * r - (c % 2 ? 0 : 22.5)];
const name = (c, r) => String(c).padStart(2, "0") + String(r).padStart(2, "0");
const place = (label) => (/^\d{4}$/.test(label || "") ? [+label.slice(0, 2), +label.slice(2)] : null);
const inside = (c, r) => c >= 1 && r >= 1 && c <= +$("#board").dataset.columns && r <= +$("#board").dataset.rows;
function hexAt(event) {
  const board = $("#board"), to = board.getScreenCTM().inverse();
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(to);
  const near = Math.round((x + 13) / 39);
  let best = null, least = Infinity;
  for (let c = near - 1; c <= near + 1; c++) {
    const r = Math.round((y + (c % 2 ? 0 : 22.5)) / 45), [cx, cy] = centre(c, r);
    const far = (x - cx) ** 2 + (y - cy) ** 2;
    if (far < least) [least, best] = [far, [c, r]];
  }
  return inside(...best) ? name(...best) : null;
}

// ---- what is chosen: a row, and the unit that comes of it ----
let chosen = null;
const rows = () => $$("tbody[data-unit]");
const row = () => rows().find((one) => one.dataset.unit === chosen);
const role = (which) => row() && $(`[data-role=${which}]`, row());
const hex = () => role("hex")?.value.trim() || "";
function choose(unit) {
  chosen = unit;
  show();
}
function show() {
  const now = row(), at = place(hex()), turn = role("facing");
  for (const one of rows()) one.classList.toggle("chosen", one === now);
  $("#marks")?.replaceChildren();
  if (at && $("#marks")) {
    const ring = document.createElementNS(SVG, "use");
    ring.setAttribute("href", "#hx");
    ring.setAttribute("class", "sel");
    ring.setAttribute("transform", `translate(${centre(...at).join(" ")})`);
    $("#marks").append(ring);
  }
  const said = $("#chosen");
  if (said && now) said.textContent = `${now.dataset.title}: ${[hex(), turn?.selectedOptions?.[0]?.text].filter(Boolean).join(", ")}`;
}
// Typing by script is typing: the form hears of it and sends itself.
function type(field, value) {
  if (!field || field.value === value) return;
  field.value = value;
  field.dispatchEvent(new Event("change", { bubbles: true }));
  show();
}
function turn(by) {
  const field = role("facing");
  if (!field) return;
  if (field.options) return type(field, field.options[(field.selectedIndex + by + field.options.length) % field.options.length].value);
  const [least, most] = [+field.min || 0, field.max === "" ? 5 : +field.max], count = most - least + 1;
  type(field, String(least + ((+field.value - least + by + count) % count)));
}
function move(dc, dr) {
  const at = place(hex());
  if (at && inside(at[0] + dc, at[1] + dr)) type(role("hex"), name(at[0] + dc, at[1] + dr));
}
function next() {
  const all = rows();
  if (all.length) choose(all[(all.indexOf(row()) + 1) % all.length].dataset.unit);
}
// Where the board is wider than its frame, this hex comes to the middle.
function bring(at) {
  const sheet = $("#sheet");
  if (!at || !sheet) return;
  const point = new DOMPoint(...centre(...at)).matrixTransform($("#board").getScreenCTM()), box = sheet.getBoundingClientRect();
  sheet.scrollBy(point.x - box.x - box.width / 2, point.y - box.y - box.height / 2);
}
function toBoard() {
  $("#stage").scrollIntoView({ block: "nearest" });
  $("#sheet").focus({ preventScroll: true });
  bring(place(hex()));
}

// ---- pointer and keys ----
document.addEventListener("focusin", ({ target }) => {
  const unit = target.closest("tbody[data-unit]")?.dataset.unit;
  if (unit && unit !== chosen) choose(unit);
});
document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  let hit;
  if ((hit = on("[data-turn]"))) turn(+hit.dataset.turn);
  else if ((hit = on("[data-place]"))) { choose(hit.closest("tbody").dataset.unit); toBoard(); }
  else if (on("[data-close]")) $("#notice").replaceChildren();
  else if ((hit = on("[data-copy]"))) copy($(`#${hit.dataset.copy}`));
  else if ((hit = on("#board .unit"))) choose(hit.dataset.unit);
  else if (on("#board")) { const label = hexAt(event); if (label) type(role("hex"), label); }
  else if ((hit = on("#summary a"))) { const to = $(hit.getAttribute("href")); to?.closest("details")?.setAttribute("open", ""); setTimeout(() => to?.focus()); }
});
const keys = {
  ArrowLeft: () => move(-1, 0), ArrowRight: () => move(1, 0), ArrowUp: () => move(0, -1), ArrowDown: () => move(0, 1),
  "[": () => turn(-1), "]": () => turn(1), n: next,
};
document.addEventListener("keydown", (event) => {
  const act = event.target.id === "sheet" && !event.ctrlKey && !event.metaKey && !event.altKey && keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
async function copy(from) {
  try { await navigator.clipboard.writeText(from.value); } catch { from.select(); document.execCommand("copy"); }
  $("#copied").textContent = "Copied.";
  setTimeout(() => { $("#copied").textContent = ""; }, 3000);
}

// ---- the server: out of reach, or what it has put in place; a row that has got the focus is the chosen one ----
document.addEventListener("htmx:error", () => {
  const box = document.createElement("div");
  box.className = "notice";
  box.setAttribute("role", "alert");
  box.innerHTML = '<p><b>Not checked.</b> The server could not be reached. What you typed is still here: go on, or try again.</p><button type="button" data-close aria-label="Dismiss">×</button>';
  $("#notice").replaceChildren(box);
});
document.addEventListener("htmx:before:request", () => $("#notice").replaceChildren());
document.addEventListener("htmx:after:swap", () => {
  const to = $("#what [autofocus]");
  if (to) { to.removeAttribute("autofocus"); to.focus(); }
  show();
});
show();
bring(place($("#board .unit[data-hex]")?.dataset.hex.slice(0, 4)));
