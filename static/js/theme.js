// Runs before the first paint, so that a chosen theme never flashes the other one.
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
