// Aids: overlays that the server draws when they are asked for, for the unit that is looked at.
import { uncover } from "./camera.js";
import { chosenUnit, SELECTED } from "./counters.js";
import { $, $$ } from "../common/dom.js";
import { base } from "./page.js";

let at = "";

/** Asks for the overlay of the unit that is looked at, where that has changed. @param {boolean} [chosen] by the person, just now */
export function aids(chosen) {
  const aid = $("#aid")?.value;
  const unit = chosenUnit();
  const key = aid && unit ? `${aid} ${unit} ${$("#version").value}` : "";
  if (key === at) return;
  at = key;
  if (!key) {
    for (const layer of $$("#overlay, #overlay-labels")) layer.replaceChildren();
    $("#overlay-text").replaceChildren();
    return;
  }
  const query = new URLSearchParams({ unit, aid });
  const drawn = htmx.ajax("GET", `${base}/overlay?${query}`, { source: "#overlay-text", swap: "none" });
  if (chosen) drawn.then(show);
}

/** What has just been asked for is not to lie under the legend or outside the view. */
function show() {
  if (!$("#overlay .heat")) return;
  uncover($("#overlay").getBoundingClientRect(), $("#overlay-text").getBoundingClientRect());
}

$("#aid")?.addEventListener("change", () => aids(true));
document.addEventListener(SELECTED, () => aids());
