// The order that units follow: each lights its counter; on a phone it is folded up at first.
import { light, mark, unitOf } from "./counters.js";
import { $, around } from "../common/dom.js";
import { memory } from "./page.js";

const orders = $("#queue")?.parentElement;
const remembered = memory("queue");
let folded = remembered ? remembered === "folded" : matchMedia("(max-width: 760px), (max-height: 820px)").matches;

/** After a frame: folded up or not as before, and whose turn it is in view. */
export function settleOrder() {
  const order = $("#queue details");
  if (order) order.open = !folded;
  const up = $("#queue [aria-current]");
  if (up) up.closest(".order").scrollTop = up.offsetTop - 40;
}

for (const type of ["pointerover", "focusin"]) {
  orders?.addEventListener(type, (/** @type {Event} */ event) => {
    const unit = unitOf(around(event, "#queue [data-light]")?.dataset.light);
    if (unit?.dataset.hex) light([unit.dataset.hex]);
  });
}
for (const type of ["pointerout", "focusout"]) {
  orders?.addEventListener(type, (/** @type {Event} */ event) => {
    if (around(event, "#queue [data-light]")) mark();
  });
}
orders?.addEventListener("click", (/** @type {Event} */ event) => {
  if (!around(event, "#queue summary")) return;
  folded = $("#queue details").open;
  memory("queue", folded ? "folded" : "open");
});
