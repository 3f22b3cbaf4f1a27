// What the browser's tab is called, and its icon: whose turn it is, after every change and in the background too.
import { $ } from "../common/dom.js";
import { base, past } from "./page.js";

/** How often a tab in the background asks, in milliseconds. */
const EVERY = 5000;

/** @param {{title: string, icon: string}} heading */
function head({ title, icon }) {
  document.title = title;
  const link = $("link[rel=icon]");
  if (link.getAttribute("href") !== icon) link.setAttribute("href", icon);
}

/** After a frame: the tab is called as the page says. */
export const settleHeading = () => head($("#version").dataset);

// A tab in the background has let go of its stream, as others need the connection. What it is called is asked for.
if (!past) {
  setInterval(async () => {
    if (!document.hidden) return;
    const answer = await fetch(`${base}/heading`).catch(() => null);
    if (answer?.ok && document.hidden) head(await answer.json());
  }, EVERY);
}
