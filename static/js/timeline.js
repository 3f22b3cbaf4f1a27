// Timelines: the arrow keys go from turn to turn, so that a chart is one stop of the Tab key.
document.addEventListener("keydown", (event) => {
  const turn = event.target.closest?.(".tl-turn");
  if (!turn || event.ctrlKey || event.metaKey || event.altKey) return;
  const turns = [...turn.parentNode.querySelectorAll(".tl-turn")];
  const to = { ArrowLeft: turns.indexOf(turn) - 1, ArrowRight: turns.indexOf(turn) + 1, Home: 0, End: turns.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const next = turns[Math.min(turns.length - 1, Math.max(0, to))];
  turns.forEach((one) => one.setAttribute("tabindex", one === next ? 0 : -1));
  next.focus();
});
