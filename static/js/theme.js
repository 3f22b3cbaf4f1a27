// Runs before the first paint and before every other script: a chosen theme never flashes the other one, and no
// handler anywhere hears a key that belongs to an input method (Safari tells it by 229 alone).
addEventListener(
  "keydown",
  (event) => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
  },
  true,
);
((root) => {
  root.classList.add("js");
  try {
    const theme = localStorage.getItem("contrail.theme");
    if (theme) root.dataset.theme = theme;
  } catch {
    // no storage: follow the system
  }
  addEventListener("DOMContentLoaded", () => {
    const inputs = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[name=theme]"));
    for (const input of inputs) {
      input.checked = input.value === (root.dataset.theme || "");
      input.addEventListener("change", () => {
        if (input.value) root.dataset.theme = input.value;
        else delete root.dataset.theme;
        try {
          localStorage.setItem("contrail.theme", input.value);
        } catch {
          // for this page only
        }
      });
    }
  });
})(document.documentElement);
