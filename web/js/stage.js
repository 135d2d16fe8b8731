// Where a viewer stands: in a page that is its own, or beside other content.

/**
 * @typedef {object} Stage
 * @property {HTMLElement} host the viewer's element
 * @property {ShadowRoot} root all that it shows
 * @property {boolean} own whether the page is there for this viewer: its address, history, title and keys are this one's
 * @property {Document | HTMLElement} reach where keys and dropped files are for this viewer
 * @property {AbortSignal} signal the viewer has left the page
 */

/**
 * A part of the viewer by its id, which is its own: another viewer on the same page has one of that name as well.
 * @template {HTMLElement} T
 * @param {Stage} stage
 * @param {string} id
 * @returns {T}
 */
export function part({ root }, id) {
    const found = root.getElementById(id);
    if (!found) throw new Error(`no #${id}`);
    return /** @type {T} */ (found);
}

/**
 * Writes an attribute where style sheets and other scripts look for it: on the element, and on the page if it is its own.
 * @param {Pick<Stage, "host" | "own">} stage
 * @param {string} name of `data-…`
 * @param {string | null} value
 */
export function mark({ host, own }, name, value) {
    for (const { dataset } of own ? [host, document.documentElement] : [host]) {
        if (value === null) delete dataset[name];
        else dataset[name] = value;
    }
}
