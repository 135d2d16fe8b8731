// The place of a viewer: in a page that it owns, or beside other content.

/**
 * @typedef {object} Stage
 * @property {HTMLElement} host the viewer's element
 * @property {ShadowRoot} root contains everything that it shows
 * @property {boolean} own whether the viewer owns the page: its address, history, title and keys
 * @property {Document | HTMLElement} reach the viewer takes keys and dropped files from here
 * @property {AbortSignal} signal aborts when the viewer leaves the page
 */

/**
 * A part of the viewer, by its id. Ids are the viewer's own: another viewer on the same page has the same ones.
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
 * @param {Stage} stage
 * @returns {import("./panels/drawer.js").LogDrawer}
 */
export function drawerOf(stage) {
    return part(stage, "drawer");
}

/**
 * Sets an attribute where style sheets and other scripts look for it: on the element, and on the page if the viewer owns that.
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
