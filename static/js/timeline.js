// Timelines: the arrow keys go from turn to turn, so that a chart is one stop of the Tab key.
import { $$, around } from "./common/dom.js";

document.addEventListener("keydown", (event) => {
  const turn = around(event, ".tl-turn");
  if (!turn || event.ctrlKey || event.metaKey || event.altKey) return;
  const turns = $$(".tl-turn", turn.parentNode);
  const at = turns.indexOf(turn);
  /** @type {Record<string, number | undefined>} */
  const ways = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: turns.length - 1 };
  const to = ways[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const next = turns[Math.min(turns.length - 1, Math.max(0, to))];
  for (const one of turns) one.setAttribute("tabindex", one === next ? 0 : -1);
  next.focus();
});
