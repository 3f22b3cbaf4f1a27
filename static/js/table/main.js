// The table in the browser. Belongs here: what happens on arrival and after each frame, in which order. Each part has
// a module of its own beside this one; no rule of any game is known in any of them.
import { aids } from "./aids.js";
import { refocus, settleQuestion } from "./answers.js";
import { begin as beginCamera } from "./camera.js";
import "./clicks.js";
import { everything, settleButtons } from "./connection.js";
import { fly, settleSelection } from "./counters.js";
import { settleHeading } from "./heading.js";
import "./keys.js";
import { filter, sift, toEnd } from "./log.js";
import { settleOrder } from "./order.js";
import { $, $$ } from "../common/dom.js";
import { base, board } from "./page.js";
import { begin as beginPointer } from "./pointer.js";
import { compose, current, keepInView, preview } from "./prompt.js";
import { begin as beginTabs } from "./tabs.js";

/** A frame has come, or the page is there for the first time. */
function refresh() {
  settleQuestion();
  settleSelection();
  fly(everything());
  preview(current());
  aids();
  settleButtons();
  compose();
  settleOrder();
  centrePhase();
  if (filter.value) sift();
  toEnd();
  settleInvitations();
  const shown = $("#version-shown");
  if (shown) shown.textContent = $("#version").value;
  settleHeading();
  $("#tab-after").hidden = !$("#after-link").childElementCount;
  refocus();
}

/** The phase that is under way stands in the middle of its track. */
function centrePhase() {
  const phase = $(".phases [aria-current=step]");
  if (!phase) return;
  const [here, track] = [phase, phase.parentElement].map((node) => node.getBoundingClientRect());
  phase.parentElement.scrollLeft += (here.left + here.right - track.left - track.right) / 2;
}

/** An invitation to a seat that somebody has taken is gone. */
function settleInvitations() {
  for (const node of $$(".invite[data-seat]")) node.hidden = !$(`.seat.free[data-seat="${node.dataset.seat}"]`);
  const share = $("#share");
  if (!share || $(".invite:not([hidden])", share)) return;
  share.close();
  $(".share").hidden = true;
}

if (board) {
  beginPointer();
  beginCamera(keepInView);
}
beginTabs();
document.addEventListener("htmx:after:swap", refresh);
refresh();
if ("fresh" in document.body.dataset) {
  $("#share")?.showModal();
  history.replaceState(null, "", base);
}
