// Finding, drawing and reading elements, for every script. Nothing of a page or a game is known here.

/**
 * The first element that a selector names.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {any}
 */
export const $ = (selector, root = document) => root.querySelector(selector);

/**
 * All elements that a selector names, in the order of the page.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {any[]}
 */
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/**
 * The element with this selector that an event has happened in, if any.
 * @param {Event} event
 * @param {string} selector
 * @returns {any}
 */
export const around = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);

const SVG = "http://www.w3.org/2000/svg";

/**
 * Adds an SVG element to a parent.
 * @param {string} tag
 * @param {Record<string, unknown>} attributes
 * @param {Element} parent
 * @returns {SVGElement}
 */
export function draw(tag, attributes, parent) {
  const node = document.createElementNS(SVG, tag);
  for (const key in attributes) node.setAttribute(key, String(attributes[key]));
  parent.append(node);
  return /** @type {SVGElement} */ (node);
}

/**
 * What clicks do: the first of these whose selector fits is done with the element that was hit.
 * @param {[string, (hit: any, event: MouseEvent) => void][]} actions
 */
export function onClick(actions) {
  document.addEventListener("click", (event) => {
    for (const [selector, act] of actions) {
      const hit = around(event, selector);
      if (hit) return act(hit, event);
    }
  });
}
