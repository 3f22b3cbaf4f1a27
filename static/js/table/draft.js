// A line of text that answers a question: put together by buttons or typed, and read by the server each time. The
// table's script brings what draws; no rule of any game is known here. Fetched when a question wants a line.
import { around } from "../common/dom.js";

/**
 * Begins to keep the line in step with the page.
 * @typedef {typeof import("../common/dom.js") & typeof import("../common/hexes.js")} Drawing
 * @typedef {typeof import("./page.js") & typeof import("./prompt.js")} Table
 * @param {Pick<Drawing, "$" | "$$" | "centre" | "turned" | "draw"> & Pick<Table, "base" | "table" | "preview" | "tell">} parts
 */
export function begin({ $, $$, base, table, centre, turned, draw, preview, tell }) {
  const box = () => $("#draft");
  const field = () => $("#line");
  const read = () => $("#draft-read");
  const blank = (/** @type {string} */ text) => text.trim().replace(/\s+/g, " ");
  const shown = () => blank(read().dataset.asked) === blank(kept);
  let offer = ""; // the question that the line answers
  let about = ""; // the one that a reading under way is about
  let kept = ""; // what is typed
  /** @type {number | undefined} */
  let timer;
  let asking = false;
  let sent = false;
  let unfolded = false;
  let fresh = true;

  // What is not sent yet outlives a reload of this very question: by its turn and seat too, for both come again.
  const store = `line.${table}`;
  const question = () => [box().dataset.offer, box().dataset.seat, $(".turn b")?.textContent].join(" ");
  /** @param {string} text */
  function keep(text) {
    try {
      if (text) sessionStorage.setItem(store, JSON.stringify([question(), text]));
      else sessionStorage.removeItem(store);
    } catch {
      // not kept
    }
  }
  function unsent() {
    try {
      const [asked, text] = JSON.parse(sessionStorage.getItem(store) ?? "[]");
      if (box() && asked === question()) return text;
      keep("");
    } catch {
      // nothing readable is kept
    }
    return "";
  }

  async function ask() {
    clearTimeout(timer);
    timer = undefined;
    if (asking || !box()) return;
    asking = true;
    about = offer;
    const text = kept;
    const focus = box().contains(document.activeElement) && document.activeElement?.id;
    const query = new URLSearchParams({ offer, text });
    try {
      await htmx.ajax("GET", `${base}/draft?${query}`, { source: "#draft", target: "#draft", swap: "innerMorph" });
    } finally {
      asking = false;
    }
    // A frame that comes at the same moment may have taken the focus from the button that was pressed.
    if (focus && document.activeElement === document.body) {
      ($(`#${focus}:not(:disabled)`) || ways()[0] || $("#primary"))?.focus({ preventScroll: true });
    }
    if (kept !== text || about !== offer) ask(); // more was typed meanwhile, or another question has come
  }
  /** Goes on with a line. @param {string} text */
  function take(text) {
    if (box().dataset.offer !== offer) refresh(); // pressed as soon as it was there
    kept = text;
    field().value = text;
    sent = false;
    keep(text);
    ask();
  }
  const ways = () => $$("#draft .next button");

  // Where what may come next leads is lit on the board, as options are; a click takes the first that leads there.
  function light() {
    const layer = $("#lit");
    if (!layer) return;
    layer.replaceChildren();
    for (const way of ways()) {
      const { place, facing } = way.dataset;
      if (!place || $(`[data-hex="${place}"]`, layer)) continue;
      const [x, y] = centre(place);
      const transform = `translate(${x} ${y})${place.length > 4 ? " scale(.55)" : ""}`;
      const marks = { class: "place of-line", "data-choice": way.value, "data-hex": place, transform };
      const g = draw("g", marks, layer);
      draw("title", {}, g).textContent = way.firstChild.textContent;
      draw("use", { href: "#hx" }, g);
      if (facing === undefined) continue;
      draw("path", { class: "arrow", d: "M0-16 6-8H-6z", transform: `rotate(${turned(facing)})` }, g);
    }
  }
  function gate() {
    const primary = $("#primary");
    if (primary && !document.body.classList.contains("off")) primary.disabled = !("whole" in read().dataset && shown());
  }
  function refresh() {
    const now = box()?.dataset.offer || "";
    if (now !== offer) {
      if (offer && kept && !sent) {
        tell("The table has moved on.", `That question is not open any more. Your line was: ${kept}`);
      }
      [offer, sent] = [now, false];
      // A page that is loaded again may hold what was typed before; another question has nothing to do with it.
      kept = !now ? "" : fresh ? unsent() || field().value : read().dataset.asked;
      if (!fresh) keep("");
    }
    fresh = false;
    if (!now) {
      for (const g of $$("#lit .of-line")) g.remove(); // the server never knew of them
      return;
    }
    if (field().value !== kept) field().value = kept;
    // A frame has drawn the question anew. One that is being answered needs no reading, unless it stays open, sealed.
    if (!shown() && !asking && !timer && (!sent || $("#act .held"))) ask();
    const whynot = $("#draft-whynot");
    if (whynot) whynot.open = unfolded;
    $("#draft .tokens").scrollLeft = 1e6;
    light();
    preview(read());
    gate();
  }

  // The list of keys has two more from now on.
  for (const [key, words] of [
    ["Backspace", "drop the last token of a line"],
    ["1–9", "add what may follow in a line"],
  ]) {
    const row = $("#keys .keys").appendChild(document.createElement("div"));
    row.appendChild(document.createElement("dt")).appendChild(document.createElement("kbd")).textContent = key;
    row.appendChild(document.createElement("dd")).textContent = words;
  }

  document.addEventListener("input", (event) => {
    if (event.target !== field()) return;
    kept = field().value;
    sent = false;
    keep(kept);
    gate();
    clearTimeout(timer);
    timer = setTimeout(ask, 250);
  });
  document.addEventListener("click", (event) => {
    const button = around(event, "button[form=draft-form]");
    if (button) {
      event.preventDefault();
      take(button.value);
    }
  });
  document.addEventListener(
    "submit",
    (event) => {
      if (!around(event, "#act") || !box()) return;
      // The server has the last word.
      if (!shown() || "whole" in read().dataset) {
        sent = true;
        box().dispatchEvent(new Event("htmx:abort")); // how it would read need not be known any more
        return;
      }
      event.preventDefault();
      event.stopImmediatePropagation();
      if (!$("#draft-fault b")) $("#draft-fault").textContent = "The line is not complete yet.";
    },
    true,
  );
  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = /** @type {any} */ (event).detail;
    if (!sent || !(ctx?.response?.raw?.status >= 400)) return;
    sent = false;
    ask();
  });
  // What is read for a question of before comes too late for the one that stands there now.
  document.addEventListener("htmx:before:response", (event) => {
    const { ctx } = /** @type {any} */ (event).detail;
    if (ctx.sourceElement?.id === "draft" && about !== box()?.dataset.offer) event.preventDefault();
  });
  document.addEventListener(
    "toggle",
    (event) => {
      const box = around(event, "#draft-whynot");
      if (box) unfolded = box.open;
    },
    true,
  );
  for (const type of ["pointerover", "focusin"]) {
    document.addEventListener(type, (event) => {
      const button = around(event, "#act .token[data-path], #act .token[data-place]");
      if (button) preview(button);
    });
  }
  for (const type of ["pointerout", "focusout"]) {
    document.addEventListener(type, (event) => {
      if (read() && around(event, "#act .token")) preview(read());
    });
  }

  return {
    refresh,
    take,
    ways,
    open: () => !!box(),
    /** Takes a key, where it means something here. Only asked while no field has the focus. @param {KeyboardEvent} event */
    key({ key }) {
      if (!box()) return false;
      const button = key === "Backspace" ? $("#draft-back") : /^[1-9]$/.test(key) ? ways()[+key - 1] : null;
      button?.click();
      return !!button;
    },
  };
}
