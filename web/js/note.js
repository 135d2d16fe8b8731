// A short text at the edge of the timeline that says what a key has done, or why it has done nothing.

/** How long it is shown, in ms. */
const SHOWN = 4000;

/** @type {WeakMap<HTMLElement, ReturnType<typeof setTimeout>>} */
const ending = new WeakMap();

/**
 * @param {HTMLElement} element
 * @param {string} text
 */
export function showNote(element, text) {
    clearTimeout(ending.get(element));
    element.textContent = text;
    element.hidden = false;
    ending.set(
        element,
        setTimeout(() => (element.hidden = true), SHOWN),
    );
}
