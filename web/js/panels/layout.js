// How the drawer stands: how high, folded or not, which tab. A page's own viewer remembers it, where the browser lets it.

/**
 * @typedef {object} Layout
 * @property {number} share of the window's height
 * @property {boolean} folded to its tabs
 * @property {string} tab
 */

/** Of the window's height. */
export const LEAST = 0.1;
export const MOST = 0.8;

/** One press of a key moves the edge by so much of the window's height. */
export const STEP = 0.02;

const KEY = "ghc-eventlog-viewer.drawer";

/**
 * As it is at first.
 * @param {string[]} tabs the keys of all there are
 * @returns {Layout}
 */
export function firstLayout([tab]) {
    return { share: 0.3, folded: false, tab };
}

/** @param {number} share */
export function bounded(share) {
    return Math.min(Math.max(share, LEAST), MOST);
}

/**
 * @param {string[]} tabs
 * @returns {Layout}
 */
export function remembered(tabs) {
    try {
        return layoutOf(JSON.parse(localStorage.getItem(KEY) ?? "{}"), tabs);
    } catch {
        return firstLayout(tabs);
    }
}

/**
 * What was written may be another version's, or anybody's.
 * @param {any} written
 * @param {string[]} tabs
 * @returns {Layout}
 */
export function layoutOf(written, tabs) {
    const first = firstLayout(tabs);
    const { share, folded, tab } = { ...first, ...written };
    return {
        share: Number.isFinite(share) ? bounded(share) : first.share,
        folded: folded === true,
        tab: tabs.includes(tab) ? tab : first.tab,
    };
}

/** @param {Layout} layout */
export function remember({ share, folded, tab }) {
    try {
        localStorage.setItem(KEY, JSON.stringify({ share, folded, tab }));
    } catch {
        // Then it lasts as long as the page.
    }
}
