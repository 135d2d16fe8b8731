// How the drawer stands: how high, folded or not, which tab. A page's own viewer remembers it, where the browser lets it.

import { TABS } from "./tabs.js";

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

/** @type {Layout} */
export const FIRST = { share: 0.3, folded: false, tab: TABS[0].key };

/** @param {number} share */
export function bounded(share) {
    return Math.min(Math.max(share, LEAST), MOST);
}

/** @returns {Layout} */
export function remembered() {
    try {
        return layoutOf(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
    } catch {
        return FIRST;
    }
}

/**
 * What was written may be another version's, or anybody's.
 * @param {any} written
 * @returns {Layout}
 */
export function layoutOf(written) {
    const { share, folded, tab } = { ...FIRST, ...written };
    return {
        share: Number.isFinite(share) ? bounded(share) : FIRST.share,
        folded: folded === true,
        tab: TABS.some(({ key }) => key === tab) ? tab : FIRST.tab,
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
