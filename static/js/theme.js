// Runs before the first paint, so that a chosen theme never flashes the other one.
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
