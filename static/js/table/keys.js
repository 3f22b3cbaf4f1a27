// Keys: only while no field has the focus.
import { fitInTurn, goTo, pan, zoom } from "./camera.js";
import { first, light, select } from "./counters.js";
import { filter } from "./log.js";
import { $, around } from "../common/dom.js";
import { base, board, memory, press } from "./page.js";
import { choose, composing, radios } from "./prompt.js";
import { open } from "./tabs.js";

const on = $("#keys-on");
on.checked = memory("keys") !== "off";
on.addEventListener("change", () => memory("keys", on.checked ? "on" : "off"));

$("#goto")?.addEventListener("close", () => {
  const hex = $("#goto-hex").value;
  if ($("#goto").returnValue !== "go" || !/^\d{4}(\/\d{4})?$/.test(hex)) return;
  goTo(hex);
  light([hex]);
  const unit = $(`#counters [data-hex="${hex}"]`);
  if (unit) select(unit.dataset.unit, true);
});

const FAR = 90; // pixels that a key moves the view
/** @type {Record<string, () => void>} */
const onBoard = {
  ArrowLeft: () => pan(-FAR, 0),
  h: () => pan(-FAR, 0),
  ArrowRight: () => pan(FAR, 0),
  l: () => pan(FAR, 0),
  ArrowUp: () => pan(0, -FAR),
  k: () => pan(0, -FAR),
  ArrowDown: () => pan(0, FAR),
  j: () => pan(0, FAR),
  "+": () => zoom(1.25),
  "=": () => zoom(1.25),
  "-": () => zoom(0.8),
  0: fitInTurn,
  n: () => {
    const to = first();
    if (to) select(to.dataset.unit, true);
  },
  g: () => {
    $("#goto-hex").value = "";
    $("#goto").showModal();
  },
};
/** @type {Record<string, () => void>} */
const everywhere = {
  Enter: () => press("#primary"),
  u: () => press("#undo"),
  "?": () => $("#keys").showModal(),
  "/": () => {
    open("log");
    filter.focus();
  },
  "[": () => step(-1),
  "]": () => step(1),
  Escape: () => {
    select(null);
    $("#notice").replaceChildren();
  },
};
const keys = board ? { ...onBoard, ...everywhere } : everywhere;

/** Goes through the history. @param {1 | -1} by */
function step(by) {
  const link = $(by < 0 ? "a[rel=prev]" : "a[rel=next]");
  if (link) location.href = link.href;
  else if (by < 0) {
    const to = +$("#version").dataset.latest - 1;
    if (to > 0) location.href = `${base}?at=${to}`;
  }
}

document.addEventListener("keydown", (event) => {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!on.checked || $("dialog[open]")) return;
  if (around(event, "input, select, textarea, summary, [role=tab]")) {
    if (!around(event, "input[type=radio]") || key !== "u") return;
  }
  if (key === "Enter" && around(event, "a, button")) return;
  if (composing()?.key(event)) return event.preventDefault();
  if (/^[1-9]$/.test(key)) {
    const radio = radios()[+key - 1];
    if (!radio) return;
    choose(radio.value);
    return event.preventDefault();
  }
  if (!Object.hasOwn(keys, key)) return;
  if (key.startsWith("Arrow") && around(event, ".panel, .ask, .scroll")) return;
  event.preventDefault();
  keys[key]();
});
