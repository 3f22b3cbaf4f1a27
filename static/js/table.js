// The table in the browser: view, selection, keys, tabs, connection. No rule of any game is known here.
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const SVG = "http://www.w3.org/2000/svg";
const { table, game } = document.body.dataset;
const base = `/tables/${table}`;
const board = $("#board");
const past = document.body.classList.contains("is-past");
const memory = (key, value) => {
  try {
    if (value === undefined) return localStorage.getItem("contrail." + key);
    localStorage.setItem("contrail." + key, value);
  } catch { return null; }
};

// ---- geometry: column c, row r has its centre at 39c - 13, 45r (odd columns) or 45r - 22.5 (even) ----
const centre = (label) => {
  const points = label.split("/").map((l) => [39 * +l.slice(0, 2) - 13, 45 * +l.slice(2) - (+l.slice(0, 2) % 2 ? 0 : 22.5)]);
  return [0, 1].map((i) => points.reduce((sum, p) => sum + p[i], 0) / points.length);
};
const turned = (facing) => facing * 360 / (board.dataset.facings || 6);
const name = (c, r) => String(c).padStart(2, "0") + String(r).padStart(2, "0");
const hexAt = ([x, y]) => {
  const near = Math.round((x + 13) / 39);
  let best = null, least = Infinity;
  for (let c = near - 1; c <= near + 1; c++) {
    const r = Math.round((y + (c % 2 ? 0 : 22.5)) / 45);
    const [cx, cy] = [39 * c - 13, 45 * r - (c % 2 ? 0 : 22.5)];
    const d = (x - cx) ** 2 + (y - cy) ** 2;
    if (d < least) [least, best] = [d, [c, r]];
  }
  const [c, r] = best;
  return c < 1 || r < 1 || c > +board.dataset.columns || r > +board.dataset.rows ? null : name(c, r);
};
// What can be lit on a side between two hexes, where one is near enough to a point.
const sideAt = (at) => $$("#lit [data-hex*='/'], #counters [data-hex*='/']").map((g) => [Math.hypot(...centre(g.dataset.hex).map((v, i) => v - at[i])), g.dataset.hex]).filter(([far]) => far < 12).sort((a, b) => a[0] - b[0])[0]?.[1];
const place = (label, attributes, parent) => {
  const [x, y] = centre(label); // a hexside is drawn as a smaller hex over it
  return draw("use", { href: "#hx", transform: `translate(${x} ${y})${label.length > 4 ? " scale(.55)" : ""}`, ...attributes }, parent);
};
const cube = (label) => {
  const q = +label.slice(0, 2) - 1;
  return [q, +label.slice(2, 4) - 1 - (q + (q & 1)) / 2];
};
const range = (a, b) => {
  const [[q1, r1], [q2, r2]] = [cube(a), cube(b)];
  return Math.max(Math.abs(q1 - q2), Math.abs(r1 - r2), Math.abs(q1 + r1 - q2 - r2));
};
const draw = (tag, attributes, parent) => {
  const node = document.createElementNS(SVG, tag);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  parent.append(node);
  return node;
};

// ---- the view: its middle and how many pixels a unit of length has ----
const view = { x: 0, y: 0, s: 1 };
let whole = false;
const size = () => board.getBoundingClientRect();
const FOOT = 58, head = () => (size().width < 600 ? 46 : 30); // the tools and the readout lie over the board
const clear = (height) => Math.max(90, height - FOOT - head()); // what they leave of it
const limits = () => {
  const { width, height } = size();
  const w = 39 * board.dataset.columns + 80, h = 45 * board.dataset.rows + 90;
  return { w, h, least: Math.min(width / w, clear(height) / h) * 0.8, most: 4 };
};
// Counters shrink less than the board, so that they can be read from afar: so much larger is each at a scale.
const grown = (s) => Math.min(3, Math.max(1, 0.94 / s));
let shown = "";
let printing = false;
function show() {
  const { width, height } = size();
  if (!width || printing) return;
  const { w, h, least, most } = limits();
  view.s = Math.min(most, Math.max(least, view.s));
  view.x = Math.min(w - 30, Math.max(-30, view.x));
  view.y = Math.min(h - 40, Math.max(-40, view.y));
  const [vw, vh] = [width / view.s, height / view.s];
  board.setAttribute("viewBox", [view.x - vw / 2, view.y - vh / 2, vw, vh].map((n) => n.toFixed(2)).join(" "));
  board.style.setProperty("--k", grown(view.s).toFixed(3));
  labels(vw, vh);
  try { sessionStorage.setItem("view." + table, JSON.stringify(view)); } catch { /* not kept */ }
}
// Hex labels for what is in view: every one when there is room, each fifth when not, none from afar.
function labels(vw, vh) {
  const step = view.s > 1.02 ? 1 : view.s > 0.5 ? 5 : 0;
  const c0 = Math.max(1, Math.floor((view.x - vw / 2) / 39)), c1 = Math.min(board.dataset.columns, Math.ceil((view.x + vw / 2) / 39) + 1);
  const r0 = Math.max(1, Math.floor((view.y - vh / 2) / 45)), r1 = Math.min(board.dataset.rows, Math.ceil((view.y + vh / 2) / 45) + 1);
  const font = Math.min(9.5, 10 / view.s).toFixed(1);
  const key = [step, c0, c1, r0, r1, font].join();
  if (key === shown) return;
  shown = key;
  const layer = $("#labels");
  layer.replaceChildren();
  if (!step) return;
  layer.setAttribute("font-size", step > 1 ? (10 / view.s).toFixed(1) : font);
  for (let c = c0; c <= c1; c++) for (let r = r0; r <= r1; r++) {
    if (c % step || r % step) continue;
    const [x, y] = centre(name(c, r));
    draw("text", { x, y: y - 13.5 }, layer).textContent = name(c, r);
  }
}
function fitTo(x0, y0, x1, y1, most = 2.5) {
  const { width, height } = size();
  if (!width) return; // not shown at all
  view.s = Math.min(most, width / (x1 - x0), clear(height) / (y1 - y0));
  [view.x, view.y] = [(x0 + x1) / 2, (y0 + y1) / 2 + (FOOT - head()) / 2 / view.s];
  show();
}
// These places and the counters in them, wholly; from afar counters stick out over more of the board.
function around(labels, most, [room, tall] = size().width < 600 ? [48, 34] : [96, 96]) {
  const places = labels.map(centre), xs = places.map((p) => p[0]), ys = places.map((p) => p[1]);
  for (const step of [0, 1, 2]) {
    const by = step ? grown(view.s) : 1;
    fitTo(Math.min(...xs) - Math.max(room, 30 * by), Math.min(...ys) - Math.max(tall, 24 * by), Math.max(...xs) + Math.max(room, 30 * by), Math.max(...ys) + Math.max(tall, 30 * by), most);
  }
}
function fit(all) {
  const places = $$("#counters [data-hex], #lit [data-hex]").map((g) => g.dataset.hex);
  all || !places.length ? fitTo(-34, -40, 39 * board.dataset.columns + 47, 45 * board.dataset.rows + 62, 4) : around(places, places.length > 1 ? 2.5 : 1.3); // one alone is seen with what lies about it
}
const point = (event) => {
  const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
  return [p.x, p.y];
};
function zoom(factor, [x, y] = [view.x, view.y]) {
  const { least, most } = limits();
  const s = Math.min(most, Math.max(least, view.s * factor));
  view.x = x + (view.x - x) * (view.s / s);
  view.y = y + (view.y - y) * (view.s / s);
  view.s = s;
  show();
}
// Whether a place is wholly in view and not under the tools, by axis.
function inView(label) {
  const [x, y] = centre(label);
  const { width, height } = size();
  const [dx, dy] = [(x - view.x) * view.s, (y - view.y) * view.s];
  // No more room than `fit` leaves, or the first view of all units would be moved at once.
  const half = 22 * view.s * grown(view.s);
  return [Math.abs(dx) + half < width / 2, dy - half > head() - height / 2 && dy + half < height / 2 - FOOT];
}
const shownWhole = (g) => inView(g.dataset.hex).every(Boolean);
const allInView = () => $$("#counters [data-hex]").every(shownWhole);
const anyInView = () => $$("#counters [data-hex]").some(shownWhole);
function bring(label) {
  const [across, down] = inView(label), [x, y] = centre(label);
  if (!across) view.x = x;
  if (!down) view.y = y;
  show();
}
// How far to go so that from..to lies between least and most: not at all, just enough, or to the middle.
const shift = (from, to, least, most) => (to - from > most - least ? (from + to - least - most) / 2 : from < least ? from - least : to > most ? to - most : 0);
// A unit and the places around it, whole hexes, clear of what lies over the board; fewer when not all have room.
function gather(hex, places) {
  const { width, height } = size();
  for (const some of [places, places.filter((place) => range(place, hex) < 3), places.filter((place) => range(place, hex) < 2), []]) {
    const all = [hex, ...some].map(centre), xs = all.map((p) => p[0]), ys = all.map((p) => p[1]);
    const [left, right] = [Math.min(...xs) - 28, Math.max(...xs) + 28].map((x) => (x - view.x) * view.s + width / 2);
    const [top, bottom] = [Math.min(...ys) - 26, Math.max(...ys) + 26].map((y) => (y - view.y) * view.s + height / 2);
    if (some.length && (right - left > width - 12 || bottom - top > height - head() - FOOT)) continue;
    view.x += shift(left, right, 6, width - 6) / view.s;
    view.y += shift(top, bottom, head(), height - FOOT) / view.s;
    return show();
  }
}

// ---- units, options, marks ----
const actor = () => $("#now")?.dataset.unit || "";
let selected = null;
const unitOf = (id) => (id ? document.getElementById("u-" + id) : null);
const chosenUnit = () => selected || actor();
const radios = () => $$("#act input[name=choice]:not(:disabled)");
const sentence = (unit) => unit.getAttribute("aria-label");

function mark() {
  const layer = $("#marks");
  if (!layer) return;
  layer.replaceChildren();
  $("#ring").replaceChildren();
  const unit = unitOf(selected);
  lift();
  if (unit?.dataset.hex) {
    const [x, y] = centre(unit.dataset.hex);
    draw("path", { class: "sel", transform: `translate(${x} ${y})`, d: "M-25-15V-24H-14M14-24H25V-15M25 15V24H14M-14 24H-25V15" }, layer);
  }
  // Whom a sealed question is about is nobody else's business: the server rings no counter for it.
  const whom = $("#now.yours") && unitOf(actor());
  if (whom?.dataset.hex && !whom.classList.contains("acting")) {
    const [x, y] = centre(whom.dataset.hex), [dx, dy, s] = fanned(whom);
    const grown = draw("g", { class: "k" }, draw("g", { transform: `translate(${x} ${y})` }, $("#ring")));
    draw("circle", { class: "halo", transform: `translate(${dx} ${dy}) scale(${s})`, r: 24 }, grown);
  }
  $$(".card").forEach((card) => card.classList.toggle("sel", card.dataset.unit === selected));
  const of = $("#aid-of");
  if (of) of.textContent = unitOf(chosenUnit()) ? sentence(unitOf(chosenUnit())).split(",")[0] : "";
}
// A counter among others in its hex is drawn once more over all of them, larger and with all that it says.
let over = null;
function lift() {
  $("#marks .lift")?.remove();
  const unit = unitOf(over) || unitOf(selected), [dx, dy, s] = unit ? fanned(unit) : [0, 0, 1];
  if (s > 0.7) return;
  const [x, y] = centre(unit.dataset.hex), by = 0.64 / s;
  draw("use", { class: "lift", href: "#" + unit.id, transform: `translate(${(x + dx) * (1 - by)} ${(y + dy) * (1 - by)}) scale(${by})` }, $("#marks"));
}
// How far from the middle of its hex a counter stands, and how large it is.
const fanned = (unit) => unit.querySelector(".fan")?.getAttribute("transform").match(/^translate\((\S+) (\S+)\) scale\((\S+)\)$/)?.slice(1).map(Number) || [0, 0, 1];
function raise(id = null) {
  if (id === over) return;
  over = id;
  lift();
}
// What a frame brings flies to its target. What was there on arrival, or comes with everything else, does not.
const effects = () => $$("#effects-below > [id], #effects-above > [id], [data-fly]"), what = (one) => one.dataset.fly || one.id;
let known = null, everything = false;
function fly() {
  const now = effects();
  if (known && !everything) for (const one of now) if (!known.has(what(one))) {
    one.classList.add("fly");
    setTimeout(() => one.classList.remove("fly"), 800);
  }
  known = new Set(now.map(what));
}
function light(labelsOrUnit) {
  $$("#marks .lit").forEach((node) => node.remove());
  for (const label of labelsOrUnit) {
    if (/^\d{4}/.test(label)) place(label, { class: "lit" }, $("#marks"));
  }
}
function select(id, focus) {
  selected = id;
  mark();
  const unit = unitOf(id);
  $$("#counters .unit").forEach((u) => u.setAttribute("tabindex", u === (unit || first()) ? 0 : -1));
  if (unit && focus) unit.focus({ preventScroll: true });
  if (unit?.dataset.hex) { bring(unit.dataset.hex); peek(sentence(unit)); }
  aids();
}
const first = () => unitOf(actor()) || $("#counters .unit:not(.gone)");
const words = (label) => `${label.length > 4 ? "Hexside" : "Hex"} ${label}`;
const peek = (text) => { const out = $("#peek"); if (out) out.textContent = text; };

function preview(radio) {
  const layer = $("#preview");
  if (!layer) return;
  layer.replaceChildren();
  $$("#lit .place").forEach((g) => g.classList.toggle("chosen", g.dataset.choice === radio?.value));
  lead();
  if (!radio) return;
  const { place: end, path, facing, altitude } = radio.dataset;
  const from = unitOf(actor())?.dataset.hex;
  const steps = path ? path.split(" ") : end ? [end] : [];
  if (!steps.length) return;
  if (end && steps.at(-1) !== end) steps.push(end);
  for (const step of steps) place(step, {}, layer);
  const line = (from && steps[0] !== from ? [from, ...steps] : steps).map(centre);
  draw("path", { d: "M" + line.join("L") }, layer);
  const [x, y] = line.at(-1);
  draw("path", { class: "end", transform: `translate(${x} ${y}) rotate(${turned(facing ?? 0)})`, d: facing === undefined ? "M-5 0A5 5 0 1 0 5 0 5 5 0 1 0-5 0" : "M0-12 7 6 0 2-7 6z" }, layer);
  if (altitude) draw("text", { x, y: y + 20 }, layer).textContent = altitude;
}
const current = () => $("#act input[name=choice]:checked") || $("#draft-read");
function choose(value, confirm) {
  const radio = radios().find((r) => r.value === value);
  if (!radio) return line?.take(value);
  radio.checked = true;
  radio.closest(".opt").scrollIntoView({ block: "nearest" });
  preview(radio);
  peek(radio.closest("label").querySelector("b").textContent);
  if (confirm) press("#primary");
}
// What the chosen option leads to, choice by choice: shown on demand, in step with the option.
let ahead = false, aheadAt = "";
function lead() {
  const ask = $("#then-ask"), radio = current(), box = $("#then");
  ask?.setAttribute("aria-expanded", String(ahead));
  const query = ahead && ask && radio ? new URLSearchParams(new FormData($("#act"))).toString() : "";
  if (query === aheadAt) return;
  aheadAt = query;
  if (query) htmx.ajax("GET", `${base}/odds?${query}`, { source: "#then", target: "#then", swap: "innerHTML" });
  else box.replaceChildren();
}
const press = (selector) => { const b = $(selector); if (b && !b.disabled && !document.body.classList.contains("off")) b.click(); };

let tapped = null;

// A line that is put together token by token has a script of its own, which comes when one is asked for.
let line = null, coming = null;
async function compose() {
  const box = $("#draft");
  // Asked for once: two of it would read each line twice, one of them for a question of long ago.
  if (box) coming ??= import(box.dataset.script).then((script) => { line = script.begin({ $, $$, base, table, htmx, centre, turned, draw, preview, tell }); });
  if (!line) await coming;
  line?.refresh();
}

// ---- pointer: one finger pans, two pinch, a tap picks ----
if (board) {
  const fingers = new Map();
  let moved = false, pinched = false, last = null;
  board.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    fingers.set(event.pointerId, event);
    if (fingers.size === 1) [moved, pinched] = [false, false];
    else pinched = true;
    last = event;
  });
  addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    if (fingers.size === 1) {
      if (!moved && Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY) < 7) return;
      if (!moved) { board.setPointerCapture(event.pointerId); board.classList.add("drag"); }
      moved = true;
      view.x -= (event.clientX - before.clientX) / view.s;
      view.y -= (event.clientY - before.clientY) / view.s;
      fingers.set(event.pointerId, event);
      show();
    } else {
      const other = [...fingers.values()].find((f) => f.pointerId !== event.pointerId);
      const gap = (f) => Math.hypot(f.clientX - other.clientX, f.clientY - other.clientY);
      const mid = { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 };
      view.x -= (event.clientX - before.clientX) / 2 / view.s;
      view.y -= (event.clientY - before.clientY) / 2 / view.s;
      fingers.set(event.pointerId, event);
      zoom(gap(event) / Math.max(1, gap(before)), point(mid));
    }
  });
  const lift = (event) => {
    if (!fingers.delete(event.pointerId)) return;
    board.classList.remove("drag");
    if (fingers.size || moved || pinched || event.type === "pointercancel") return;
    pick(event);
  };
  addEventListener("pointerup", lift);
  addEventListener("pointercancel", lift);
  const pick = (event) => {
    const at = point(event);
    const hex = sideAt(at) || hexAt(at);
    const touch = event.pointerType !== "mouse";
    let spot = hex && $(`#lit [data-hex="${hex}"]`);
    if (!spot && touch) { // a thumb is wider than a hex seen from afar
      const near = $$("#lit .place").map((g) => [Math.hypot(...centre(g.dataset.hex).map((v, i) => v - at[i])) * view.s, g]).sort((a, b) => a[0] - b[0])[0];
      if (near && near[0] < 30) spot = near[1];
    }
    if (spot) {
      const same = $$("#lit .place").filter((g) => g.dataset.hex === spot.dataset.hex).map((g) => g.dataset.choice);
      const now = current()?.value, again = tapped === spot.dataset.hex && same.includes(now);
      tapped = spot.dataset.hex;
      if (again && touch) return choose(now, true);
      return choose(same.includes(now) && !again ? now : same[(same.indexOf(now) + 1) % same.length]);
    }
    tapped = null;
    const unit = document.elementsFromPoint(event.clientX, event.clientY).map((n) => n.closest?.(".unit")).find(Boolean) || (hex && $(`#counters [data-hex="${hex}"]`));
    select(unit ? unit.dataset.unit : null);
    if (!unit && hex) fill(hex);
  };
  board.addEventListener("dblclick", (event) => {
    const hex = sideAt(point(event)) || hexAt(point(event));
    if (hex && !line?.open() && $(`#lit [data-hex="${hex}"]`)) press("#primary");
  });
  board.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) * (event.deltaMode ? 0.05 : 0.004)), point(event));
  }, { passive: false });
  board.addEventListener("pointermove", (event) => {
    if (fingers.size || event.pointerType !== "mouse") return;
    raise(event.target.closest(".unit")?.dataset.unit);
    const hex = sideAt(point(event)) || hexAt(point(event));
    if (!hex) return peek("");
    const all = $$(`#counters [data-hex="${hex}"]`), pointed = unitOf(over);
    const here = pointed && all.length > 1 ? [sentence(pointed), `${all.length - 1} more there`] : all.map(sentence);
    const from = unitOf(chosenUnit());
    const far = from?.dataset.hex?.length === 4 && hex.length === 4 && from.dataset.hex !== hex ? ` · range ${range(from.dataset.hex, hex)} from ${sentence(from).split(",")[0]}` : "";
    const lit = $(`#lit [data-hex="${hex}"] title`);
    peek((here.length ? here.join(" · ") : words(hex)) + (lit ? ` · ${lit.textContent}` : "") + far);
  });
  board.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") { peek(""); raise(); } });
  board.addEventListener("focusin", (event) => { const unit = event.target.closest(".unit"); if (unit) peek(sentence(unit)); });
  board.addEventListener("keydown", (event) => {
    const unit = event.target.closest?.(".unit");
    if (!unit) return;
    const all = $$("#counters .unit:not(.gone)");
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) select(all[(all.indexOf(unit) + step + all.length) % all.length].dataset.unit, true);
    else if (event.key === "Enter" || event.key === " ") select(unit.dataset.unit, true);
    else if (event.key === "Escape") { select(null); unit.blur(); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  let kept = null;
  try { kept = JSON.parse(sessionStorage.getItem("view." + table)); } catch { /* first visit */ }
  if (kept) { Object.assign(view, kept); show(); }
  if (!kept || !anyInView()) fit();
  // Turned or resized: what is to act stays in view.
  let was = size();
  new ResizeObserver(() => {
    const now = size();
    show();
    if (!now.width || printing || (now.width === was.width && now.height === was.height)) return;
    was = now;
    const hex = unitOf(actor())?.dataset.hex;
    if (hex ? !inView(hex).every(Boolean) : !anyInView()) hex ? attend(true) : fit();
  }).observe(board);
  let unprinted = null;
  addEventListener("beforeprint", () => { unprinted = { ...view }; fit(); printing = true; });
  addEventListener("afterprint", () => { printing = false; Object.assign(view, unprinted); show(); });
}

// ---- aids: overlays that the server draws ----
let aidAt = "";
$("#aid")?.addEventListener("change", () => aids(true));
function aids(chosen) {
  const aid = $("#aid")?.value;
  const unit = chosenUnit();
  const key = aid && unit ? `${aid} ${unit} ${$("#version").value}` : "";
  if (key === aidAt) return;
  aidAt = key;
  if (!key) { $$("#overlay, #overlay-labels").forEach((layer) => layer.replaceChildren()); $("#overlay-text").replaceChildren(); return; }
  htmx.ajax("GET", `${base}/overlay?unit=${encodeURIComponent(unit)}&aid=${encodeURIComponent(aid)}`, { source: "#overlay-text", swap: "none" }).then(() => chosen && uncover());
}
// What has just been asked for is not to lie under the legend or outside the view.
function uncover() {
  if (!$("#overlay .heat")) return;
  const drawn = $("#overlay").getBoundingClientRect(), room = size(), foot = $("#overlay-text").getBoundingClientRect();
  view.x += shift(drawn.left, drawn.right, room.left + 8, room.right - 8) / view.s;
  view.y += shift(drawn.top, drawn.bottom, room.top + 8, Math.min(room.bottom - 58, foot.top) - 8) / view.s;
  show();
}

// ---- tabs: sections become a tab list ----
const panels = $("#panels"), sections = $$(".panel");
const tabs = document.createElement("div");
tabs.className = "tabs";
tabs.setAttribute("role", "tablist");
tabs.setAttribute("aria-label", "Panels");
for (const section of sections) {
  const tab = document.createElement("button");
  tab.type = "button";
  tab.id = "tab-" + section.id;
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
function open(id, focus) {
  for (const section of sections) {
    const on = section.id === id;
    section.hidden = !on;
    const tab = $("#tab-" + section.id);
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
    if (on && focus) tab.focus();
  }
  if (id === "after") recount(); else memory("tab", id);
  if (id === "log") toEnd(true);
}
// What there is to tell after the end has a tab from then on, and is fetched when first looked at.
let recounted = false;
function recount() {
  if (recounted) return;
  recounted = true;
  htmx.ajax("GET", `${base}/after`, { source: "#after-pane", target: "#after-pane", swap: "innerHTML" });
}
tabs.addEventListener("keydown", (event) => {
  const there = sections.filter((s) => !$("#tab-" + s.id).hidden);
  const at = there.findIndex((s) => !s.hidden);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: there.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  open(there[(to + there.length) % there.length].id, true);
});

// ---- log ----
const log = $("#log-lines");
let follow = true;
const scroller = $("#log");
scroller.addEventListener("scroll", () => { follow = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 40; });
new ResizeObserver(() => toEnd()).observe(scroller); // a panel that grows or shrinks goes on showing the end
function toEnd(force) { if ((force || follow) && scroller.scrollHeight > scroller.clientHeight) scroller.scrollTop = scroller.scrollHeight; }
const touchLine = (line) => {
  if (!line) return mark();
  const unit = unitOf(line.dataset.unit);
  light([...line.dataset.places.split(" "), unit?.dataset.hex || ""].filter(Boolean));
};
log.addEventListener("pointerover", (event) => touchLine(event.target.closest(".line")));
log.addEventListener("pointerleave", () => touchLine(null));
log.addEventListener("focusin", (event) => touchLine(event.target.closest(".line")));
log.addEventListener("focusout", () => touchLine(null));
log.addEventListener("click", (event) => {
  const line = event.target.closest(".line:not(.head)");
  if (line && !event.target.closest("a") && !getSelection().toString()) $(".when", line).click();
});
const filter = $("#log-filter");
function sift() {
  const f = filter.value;
  f ? log.setAttribute("data-filter", f) : log.removeAttribute("data-filter");
  if (f) $$(".line", log).forEach((l) => l.classList.toggle("show", f.startsWith("u:") ? l.dataset.unit === f.slice(2) : l.classList.contains(f)));
}
filter.addEventListener("change", () => { sift(); toEnd(true); });

// ---- the order that units follow: each lights its counter; on a phone it is folded up at first ----
const orders = $("#queue")?.parentElement;
for (const type of ["pointerover", "focusin"]) orders?.addEventListener(type, (event) => {
  const unit = unitOf(event.target.closest("#queue [data-light]")?.dataset.light);
  if (unit?.dataset.hex) light([unit.dataset.hex]);
});
for (const type of ["pointerout", "focusout"]) orders?.addEventListener(type, (event) => { if (event.target.closest("#queue [data-light]")) mark(); });
let folded = memory("queue") ? memory("queue") === "folded" : matchMedia("(max-width: 760px), (max-height: 820px)").matches;
orders?.addEventListener("click", (event) => {
  if (!event.target.closest("#queue summary")) return;
  folded = $("#queue details").open;
  memory("queue", folded ? "folded" : "open");
});

// ---- clicks that ask the server for nothing ----
document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  let hit;
  if ((hit = on("a.rule[data-rule]"))) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !hit.pathname) return;
    event.preventDefault();
    open("rules");
    htmx.ajax("GET", `/games/${game}/rules?rule=${encodeURIComponent(hit.dataset.rule)}&table=${table}`, { source: "#rule-pane", target: "#rule-pane", swap: "innerHTML" }).then(() => $("#rules").scrollIntoView({ block: "nearest" }));
  } else if (on("#then-ask")) { event.preventDefault(); ahead = !ahead; lead();
  } else if ((hit = on("[data-zoom]"))) {
    if (hit.dataset.zoom === "fit") { fit(whole); whole = !whole; } else zoom(hit.dataset.zoom === "in" ? 1.3 : 1 / 1.3);
  } else if ((hit = on("[data-dialog]"))) { event.preventDefault(); $(".menu").open = false; document.getElementById(hit.dataset.dialog).showModal();
  } else if ((hit = on("[data-close]"))) { hit.closest("dialog") ? hit.closest("dialog").close() : hit.closest(".notice").remove();
  } else if ((hit = on("[data-copy]"))) copy(hit);
  else if ((hit = on("[data-light]"))) { event.preventDefault(); select(hit.dataset.light);
  } else if ((hit = on(".card"))) select(hit.dataset.unit);
  $$("details[name=phase][open], .menu[open]").forEach((d) => { if (!d.contains(event.target)) d.open = false; });
});
async function copy(button) {
  const input = $("input", button.closest(".copy"));
  try { await navigator.clipboard.writeText(button.dataset.copy); } catch { input.select(); document.execCommand("copy"); }
  const was = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = was; }, 1600);
}

// ---- prompt: options show on the board; undo asks where it goes far ----
// An answer that is filled in is chosen by filling it in; a place of it by a click on the board.
document.addEventListener("input", (event) => {
  const own = event.target.closest?.(".own"), radio = own && $("input[name=choice]", own);
  if (!own || event.target === radio) return;
  radio.checked = true;
  const place = $("input[data-role=hex]", own)?.value.trim();
  if (/^\d{4}(\/\d{4})?$/.test(place)) radio.dataset.place = place; else delete radio.dataset.place;
  preview(radio);
});
function fill(hex) {
  const field = $("#act .own input[data-role=hex]");
  if (field) { field.value = hex; field.dispatchEvent(new Event("input", { bubbles: true })); }
  peek(words(hex));
}
document.addEventListener("change", (event) => { if (event.target.name === "choice") preview(event.target); if (event.target.name === "with") lead(); });
for (const type of ["pointerover", "focusin"]) document.addEventListener(type, (event) => {
  const opt = event.target.closest?.(".opt");
  if (opt) preview($("input", opt));
});
document.addEventListener("pointerout", (event) => { if (event.target.closest?.(".opt") && !event.relatedTarget?.closest?.(".opt")) preview(current()); });
// The second click of a double click is no answer to the question that has just come, and takes no second step back.
document.addEventListener("click", (event) => {
  if (event.detail < 2 || performance.now() - asked > 350 || !event.target.closest?.(".act")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.closest(".now") && /\b(busy|off)\b/.test(document.body.className)) { event.preventDefault(); return event.stopImmediatePropagation(); }
  if (form.id !== "undo-form" || form.dataset.how !== "confirm" || form.elements.confirmed) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const gone = $$(".line:not(.head, .struck)", log).filter((l) => +l.dataset.seq > +form.dataset.to);
  const dice = gone.some((l) => l.matches(".dicey")) ? ", dice among them" : "";
  $("#undo-what").textContent = `${form.dataset.entries} ${form.dataset.entries === "1" ? "entry goes" : "entries go"}${dice}:`;
  $("#undo-list").replaceChildren(...gone.slice(-12).map((l) => { const li = document.createElement("li"); li.className = "line"; li.textContent = [...$("p", l).childNodes].filter((n) => !n.matches?.(".rule")).map((n) => n.textContent).join("").trim(); return li; }));
  $("#undo-ask").showModal();
}, true);
$("#undo-yes").addEventListener("click", () => {
  $("#undo-ask").close();
  const form = $("#undo-form");
  const yes = Object.assign(document.createElement("input"), { type: "hidden", name: "confirmed", value: "yes" });
  form.append(yes);
  form.requestSubmit();
  setTimeout(() => yes.remove());
});

// ---- connection: frames come once and in order; what cannot be sent cannot be pressed ----
let seen = null, live = past, timer = null;
const banner = $("#banner");
const alive = (ok) => {
  live = ok;
  clearTimeout(timer);
  if (ok) { banner.textContent = ""; document.body.classList.remove("off"); settle(); } else timer = setTimeout(() => {
    banner.textContent = navigator.onLine ? "Reconnecting…" : "Offline: nothing can be sent until the net is back";
    document.body.classList.add("off");
    settle();
  }, 1500);
};
const settle = () => $$("#act-bar button").forEach((b) => { const off = document.body.classList.contains("off"); if (off && !b.disabled) { b.disabled = true; b.dataset.off = ""; } else if (!off && "off" in b.dataset) { b.disabled = false; delete b.dataset.off; } });
document.addEventListener("htmx:sse:after:connection", () => alive(true));
for (const type of ["htmx:sse:error", "htmx:sse:close"]) document.addEventListener(type, () => document.hidden || alive(false));
addEventListener("offline", () => alive(false));
// The old stream may be dead without knowing it: begin a new one, which catches up.
addEventListener("online", () => $("#stream")?._htmx?.sse?.reader?.cancel());
// A net that has died says nothing. The server pings every 15 s; after 40 s of silence begin anew.
let heard = performance.now();
document.addEventListener("htmx:sse:after:connection", () => { heard = performance.now(); });
if (!past) setInterval(() => {
  if (document.hidden || performance.now() - heard < 40000) return;
  heard = performance.now();
  alive(false);
  $("#stream")?._htmx?.sse?.reader?.cancel();
}, 5000);
document.addEventListener("htmx:sse:before:message", (event) => {
  heard = performance.now();
  const match = /^(.+)\.(\d+)$/.exec(event.detail.message.id || "");
  if (!match || event.detail.message.event) return;
  if (seen && seen[0] === match[1] && +match[2] <= seen[1]) return event.preventDefault();
  seen = [match[1], +match[2]];
  everything = event.detail.message.data.includes('hx-target="#log-lines" hx-swap="innerMorph"');
  document.body.classList.toggle("still", everything);
});
const tell = (title, text) => {
  const box = document.createElement("div");
  box.className = "notice";
  box.setAttribute("role", "alert");
  box.innerHTML = '<p><b></b> <span></span></p><button type="button" data-close aria-label="Dismiss">×</button>';
  $("b", box).textContent = title;
  $("span", box).textContent = text;
  $("#notice").replaceChildren(box);
};
document.addEventListener("htmx:error", (event) => {
  if (event.detail.ctx?.sourceElement?.id === "stream") return alive(false);
  if (event.detail.ctx) tell("Not sent.", "The server could not be reached; nothing has changed. Try again when the connection is back.");
});
// A second press of the same prompt is dropped. The next prompt may come before the answer to the last press: it counts.
let sentAt = "", at = $("#version").value;
const posts = (event) => event.detail.ctx.request.method === "POST";
document.addEventListener("htmx:before:request", (event) => { if (posts(event)) { $("#notice").replaceChildren(); document.body.classList.add("busy"); sentAt = $("#version").value; } });
document.addEventListener("htmx:finally:request", (event) => { if (posts(event)) document.body.classList.remove("busy"); });
// A new choice of places comes into view; on a touch screen near enough for a thumb.
function attend(always) {
  const hex = unitOf(actor())?.dataset.hex;
  const places = $$("#lit .place").map((g) => g.dataset.hex);
  // A question about no unit in particular is about all of them; while others act, some at least stay in view.
  if (!hex) return board && ($("#now.yours") ? !allInView() : !anyInView()) && fit();
  if (!places.length) return (always || $("#now.yours")) && bring(hex);
  const close = !matchMedia("(pointer: coarse)").matches || view.s > 0.9;
  // Whom one can aim at stays in view however far away, and so does who aims.
  if (places.every((place) => $(`#counters [data-hex="${place}"]`))) {
    const seen = [hex, ...places].every((place) => inView(place).every(Boolean));
    return seen && close || around([hex, ...places], close ? view.s : 1.05);
  }
  if (close) return gather(hex, places);
  around([hex, ...places.filter((place) => range(place, hex) < 3)], 1.05, [60, 50]);
}
let offer = "", asked = 0, held = "", within = false, mine = false;
document.addEventListener("htmx:before:swap", () => { held = document.activeElement?.id; within = !!document.activeElement?.closest("#now"); mine = !!$("#now.yours"); });
// A question that is answered takes its fields with it; whoever had the focus in it goes on in the next one.
function refocus() {
  if (document.activeElement !== document.body) return;
  const same = held && document.getElementById(held);
  const next = within ? [$("#act input[name=choice]:checked"), radios()[0], ...line?.ways() ?? [], $("#act-bar button:not(:disabled)"), $("#now")] : [];
  for (const to of [same, ...next].filter(Boolean)) {
    to.focus({ preventScroll: true });
    if (document.activeElement === to) return;
  }
}
function refresh() {
  const asks = $("#act fieldset")?.id || $("#draft")?.dataset.offer || $("#ask-title")?.textContent, fresh = asks !== offer;
  offer = asks;
  if (fresh || $("#version").value !== at) asked = performance.now();
  at = $("#version").value;
  if (at !== sentAt) document.body.classList.remove("busy");
  if (fresh) tapped = null;
  // Whoever reads the log while others act goes on reading; who has just answered sees whom he waits for.
  if (fresh && $(".ask")) { $(".ask").scrollTop = 0; if (mine || $("#now.yours")) $(".side").scrollTop = 0; attend(); }
  if (selected && !unitOf(selected)) selected = null;
  $$("#counters .unit").forEach((u) => u.setAttribute("tabindex", u === (unitOf(selected) || first()) ? 0 : -1));
  mark();
  fly();
  preview(current());
  aids();
  settle();
  compose();
  const order = $("#queue details");
  if (order) order.open = !folded;
  const up = $("#queue [aria-current]");
  if (up) up.closest(".order").scrollTop = up.offsetTop - 40;
  const phase = $(".phases [aria-current=step]");
  if (phase) {
    const [here, track] = [phase, phase.parentElement].map((node) => node.getBoundingClientRect());
    phase.parentElement.scrollLeft += (here.left + here.right - track.left - track.right) / 2;
  }
  if (filter.value) sift();
  toEnd();
  for (const node of $$(".invite[data-seat]")) node.hidden = !$(`.seat.free[data-seat="${node.dataset.seat}"]`);
  const share = $("#share");
  if (share && !$(".invite:not([hidden])", share)) { share.close(); $(".share").hidden = true; }
  const shownVersion = $("#version-shown");
  if (shownVersion) shownVersion.textContent = $("#version").value;
  headed($("#version").dataset);
  $("#tab-after").hidden = !$("#after-link").childElementCount;
  refocus();
}
document.addEventListener("htmx:after:swap", refresh);
// A tab in the background has let go of its stream, as others need the connection. What it is called is asked for.
function headed({ title, icon }) {
  document.title = title;
  const link = $("link[rel=icon]");
  if (link.getAttribute("href") !== icon) link.setAttribute("href", icon);
}
if (!past) setInterval(async () => {
  if (!document.hidden) return;
  const answer = await fetch(`${base}/heading`).catch(() => null);
  if (answer?.ok && document.hidden) headed(await answer.json());
}, 5000);

// ---- keys: only while no field has the focus ----
const keysOn = $("#keys-on");
keysOn.checked = memory("keys") !== "off";
keysOn.addEventListener("change", () => memory("keys", keysOn.checked ? "on" : "off"));
$("#goto")?.addEventListener("close", () => {
  const hex = $("#goto-hex").value;
  if ($("#goto").returnValue !== "go" || !/^\d{4}(\/\d{4})?$/.test(hex)) return;
  const [x, y] = centre(hex);
  Object.assign(view, { x, y, s: Math.max(view.s, 1.1) });
  show();
  light([hex]);
  const unit = $(`#counters [data-hex="${hex}"]`);
  if (unit) select(unit.dataset.unit, true);
});
const pan = (x, y) => { view.x += x * 90 / view.s; view.y += y * 90 / view.s; show(); };
const onBoard = board && {
  ArrowLeft: () => pan(-1, 0), h: () => pan(-1, 0), ArrowRight: () => pan(1, 0), l: () => pan(1, 0),
  ArrowUp: () => pan(0, -1), k: () => pan(0, -1), ArrowDown: () => pan(0, 1), j: () => pan(0, 1),
  "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: () => { fit(whole); whole = !whole; },
  n: () => { const to = first(); if (to) select(to.dataset.unit, true); },
  g: () => { $("#goto-hex").value = ""; $("#goto").showModal(); },
};
const keys = {
  ...onBoard,
  Enter: () => press("#primary"), u: () => press("#undo"),
  "?": () => $("#keys").showModal(), "/": () => { open("log"); filter.focus(); },
  "[": () => step(-1), "]": () => step(1),
  Escape: () => { select(null); $("#notice").replaceChildren(); },
};
function step(by) {
  const link = $(by < 0 ? "a[rel=prev]" : "a[rel=next]");
  if (link) location.href = link.href;
  else if (by < 0) { const to = +$("#version").dataset.latest - 1; if (to > 0) location.href = `${base}?at=${to}`; }
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !keysOn.checked || $("dialog[open]")) return;
  const on = event.target;
  if (on.closest("input, select, textarea, summary, [role=tab]")) { if (!on.matches("input[type=radio]") || event.key !== "u") return; }
  if (event.key === "Enter" && on.closest("a, button")) return;
  if (line?.key(event)) return event.preventDefault();
  if (/^[1-9]$/.test(event.key)) { const radio = radios()[event.key - 1]; if (radio) { choose(radio.value); event.preventDefault(); } return; }
  const act = keys[event.key];
  if (!act) return;
  if (event.key.startsWith("Arrow") && on.closest(".panel, .ask, .scroll")) return;
  event.preventDefault();
  act();
});

open(sections.some((s) => s.id === memory("tab")) ? memory("tab") : "log");
refresh();
if ("fresh" in document.body.dataset) { $("#share")?.showModal(); history.replaceState(null, "", base); }
