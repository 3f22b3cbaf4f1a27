// Answers on their way: what goes off once only, what is asked before it goes, and where the focus is afterwards.
// Does not belong here: what can be answered (prompt).
import { $, $$, around } from "../common/dom.js";
import { tell } from "./page.js";
import { attend, composing, radios, touch } from "./prompt.js";

/** What is asked now, by its title or id; when it came; the version that it belongs to, and that an answer went to. */
let offer = "";
let asked = 0;
let at = $("#version").value;
let sentAt = "";
/** Before a frame: who had the focus, whether that was in the question, and whether the question was one's own. */
let held = "";
let within = false;
let mine = false;

document.addEventListener("htmx:before:swap", () => {
  held = document.activeElement?.id ?? "";
  within = !!document.activeElement?.closest("#now");
  mine = !!$("#now.yours");
});

/** After a frame: what has come is a new question, or the same as before. */
export function settleQuestion() {
  const asks = $("#act fieldset")?.id || $("#draft")?.dataset.offer || $("#ask-title")?.textContent;
  const [fresh, version] = [asks !== offer, $("#version").value];
  offer = asks;
  if (fresh || version !== at) asked = performance.now();
  at = version;
  if (at !== sentAt) document.body.classList.remove("busy");
  if (!fresh) return;
  touch.tapped = null;
  if (!$(".ask")) return;
  // Whoever reads the log while others act goes on reading; who has just answered sees whom he waits for.
  $(".ask").scrollTop = 0;
  if (mine || $("#now.yours")) $(".side").scrollTop = 0;
  attend();
}

/** A question that is answered takes its fields with it; whoever had the focus in it goes on in the next one. */
export function refocus() {
  if (document.activeElement !== document.body) return;
  const same = held && document.getElementById(held);
  const first = [$("#act input[name=choice]:checked"), radios()[0], ...(composing()?.ways() ?? [])];
  const next = within ? [...first, $("#act-bar button:not(:disabled)"), $("#now")] : [];
  for (const to of [same, ...next].filter(Boolean)) {
    to.focus({ preventScroll: true });
    if (document.activeElement === to) return;
  }
}

// The second click of a double click is no answer to the question that has just come, and takes no second step back.
document.addEventListener(
  "click",
  (event) => {
    if (event.detail < 2 || performance.now() - asked > 350 || !around(event, ".act")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

// A second press of the same prompt is dropped. The next prompt may come before the answer to the last press: it counts.
const posts = (/** @type {any} */ event) => event.detail.ctx.request.method === "POST";
document.addEventListener("htmx:before:request", (event) => {
  if (!posts(event)) return;
  $("#notice").replaceChildren();
  document.body.classList.add("busy");
  sentAt = $("#version").value;
});
document.addEventListener("htmx:finally:request", (event) => {
  if (posts(event)) document.body.classList.remove("busy");
});

// Undo asks where it goes far, and lists what goes.
document.addEventListener(
  "submit",
  (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const stop = () => {
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    if (form.closest(".now") && /\b(busy|off)\b/.test(document.body.className)) return stop();
    const elements = /** @type {any} */ (form.elements);
    if (form.id !== "undo-form" || form.dataset.how !== "confirm" || elements.confirmed) return;
    stop();
    const gone = $$("#log-lines .line:not(.head, .struck)").filter((l) => +l.dataset.seq > Number(form.dataset.to));
    const dice = gone.some((l) => l.matches(".dicey")) ? ", dice among them" : "";
    const many = form.dataset.entries === "1" ? "entry goes" : "entries go";
    $("#undo-what").textContent = `${form.dataset.entries} ${many}${dice}:`;
    $("#undo-list").replaceChildren(...gone.slice(-12).map(asLine));
    $("#undo-ask").showModal();
  },
  true,
);

/** A line of the log without its rule. @param {Element} line */
function asLine(line) {
  const li = document.createElement("li");
  li.className = "line";
  const parts = [...$("p", line).childNodes].filter((node) => !node.matches?.(".rule"));
  li.textContent = parts
    .map((node) => node.textContent)
    .join("")
    .trim();
  return li;
}

$("#undo-yes").addEventListener("click", () => {
  $("#undo-ask").close();
  const form = $("#undo-form");
  const yes = Object.assign(document.createElement("input"), { type: "hidden", name: "confirmed", value: "yes" });
  form.append(yes);
  form.requestSubmit();
  setTimeout(() => yes.remove());
});

document.addEventListener("htmx:error", (event) => {
  const { ctx } = /** @type {any} */ (event).detail;
  if (!ctx || ctx.sourceElement?.id === "stream") return;
  tell("Not sent.", "The server could not be reached; nothing has changed. Try again when the connection is back.");
});
