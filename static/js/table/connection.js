// The connection: frames come once and in order; what cannot be sent cannot be pressed.
import { $, $$ } from "../common/dom.js";
import { offline, past } from "./page.js";

/** The last frame that was taken: the server's run, and the frame's number there. @type {[string, number] | null} */
let seen = null;
/** @type {number | undefined} */
let timer;
let heard = performance.now();
let all = false;

/** Whether the last frame brought everything anew. */
export const everything = () => all;

const banner = $("#banner");

/** @param {boolean} ok */
function alive(ok) {
  clearTimeout(timer);
  if (ok) {
    banner.textContent = "";
    document.body.classList.remove("off");
    settleButtons();
    return;
  }
  timer = setTimeout(() => {
    banner.textContent = navigator.onLine ? "Reconnecting…" : "Offline: nothing can be sent until the net is back";
    document.body.classList.add("off");
    settleButtons();
  }, 1500);
}

/** Buttons that send are off while nothing can be sent. */
export function settleButtons() {
  for (const button of $$("#act-bar button")) {
    if (offline() && !button.disabled) {
      button.disabled = true;
      button.dataset.off = "";
    } else if (!offline() && "off" in button.dataset) {
      button.disabled = false;
      delete button.dataset.off;
    }
  }
}

/** Ends a stream that may be dead without knowing it: a new one begins, and catches up. */
const anew = () => $("#stream")?._htmx?.sse?.reader?.cancel();

document.addEventListener("htmx:sse:after:connection", () => {
  heard = performance.now();
  alive(true);
});
for (const type of ["htmx:sse:error", "htmx:sse:close"]) {
  document.addEventListener(type, () => document.hidden || alive(false));
}
document.addEventListener("htmx:error", (event) => {
  if (/** @type {any} */ (event).detail.ctx?.sourceElement?.id === "stream") alive(false);
});
addEventListener("offline", () => alive(false));
addEventListener("online", anew);

// A net that has died says nothing. The server pings every 15 s; after 40 s of silence begin anew.
if (!past) {
  setInterval(() => {
    if (document.hidden || performance.now() - heard < 40000) return;
    heard = performance.now();
    alive(false);
    anew();
  }, 5000);
}

document.addEventListener("htmx:sse:before:message", (event) => {
  heard = performance.now();
  const { message } = /** @type {any} */ (event).detail;
  const match = /^(.+)\.(\d+)$/.exec(message.id || "");
  if (!match || message.event) return;
  if (seen && seen[0] === match[1] && +match[2] <= seen[1]) return event.preventDefault();
  seen = [match[1], +match[2]];
  all = message.data.includes('hx-target="#log-lines" hx-swap="innerMorph"');
  document.body.classList.toggle("still", all);
});
