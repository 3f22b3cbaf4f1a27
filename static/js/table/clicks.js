// Clicks that send no answer: rules, the view, dialogs, copying, and pointing at a unit.
import { fitInTurn, zoom } from "./camera.js";
import { select } from "./counters.js";
import { $, $$, onClick } from "../common/dom.js";
import { game, table } from "./page.js";
import { lookAhead } from "./prompt.js";
import { open } from "./tabs.js";

onClick([
  ["a.rule[data-rule]", readRule],
  [
    "#then-ask",
    (_, event) => {
      event.preventDefault();
      lookAhead();
    },
  ],
  [
    "[data-zoom]",
    (hit) => {
      if (hit.dataset.zoom === "fit") fitInTurn();
      else zoom(hit.dataset.zoom === "in" ? 1.3 : 1 / 1.3);
    },
  ],
  [
    "[data-dialog]",
    (hit, event) => {
      event.preventDefault();
      $(".menu").open = false;
      $(`#${hit.dataset.dialog}`).showModal();
    },
  ],
  [
    "[data-close]",
    (hit) => {
      if (hit.closest("dialog")) hit.closest("dialog").close();
      else hit.closest(".notice").remove();
    },
  ],
  ["[data-copy]", copy],
  [
    "[data-light]",
    (hit, event) => {
      event.preventDefault();
      select(hit.dataset.light);
    },
  ],
  [".card", (hit) => select(hit.dataset.unit)],
]);

document.addEventListener("click", ({ target }) => {
  for (const box of $$("details[name=phase][open], .menu[open]")) {
    if (!box.contains(target)) box.open = false;
  }
});

/** Tells a rule in the tab beside the board. @param {HTMLAnchorElement} link @param {MouseEvent} event */
function readRule(link, event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || !link.pathname) return;
  event.preventDefault();
  open("rules");
  const query = new URLSearchParams({ rule: link.dataset.rule ?? "", table: table ?? "" });
  const put = { source: "#rule-pane", target: "#rule-pane", swap: "innerHTML" };
  htmx.ajax("GET", `/games/${game}/rules?${query}`, put).then(() => $("#rules").scrollIntoView({ block: "nearest" }));
}

/** @param {HTMLButtonElement} button */
async function copy(button) {
  const input = $("input", button.closest(".copy") ?? document);
  try {
    await navigator.clipboard.writeText(button.dataset.copy ?? "");
  } catch {
    input.select();
    document.execCommand("copy");
  }
  const was = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = was;
  }, 1600);
}
