// Runs before the first paint and before every other script: a chosen theme never flashes the other one, and no
// handler anywhere hears a key that belongs to an input method (Safari tells it by 229 alone).
addEventListener("keydown", function (event) {
  if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
}, true);
(function (root) {
  root.classList.add("js");
  try {
    var theme = localStorage.getItem("contrail.theme");
    if (theme) root.dataset.theme = theme;
  } catch (e) { /* no storage: follow the system */ }
  addEventListener("DOMContentLoaded", function () {
    document.querySelectorAll("input[name=theme]").forEach(function (input) {
      input.checked = input.value === (root.dataset.theme || "");
      input.addEventListener("change", function () {
        if (input.value) root.dataset.theme = input.value;
        else delete root.dataset.theme;
        try { localStorage.setItem("contrail.theme", input.value); } catch (e) { /* for this page only */ }
      });
    });
  });
})(document.documentElement);
