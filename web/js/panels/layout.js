// The layout of the drawer: its height, whether it is folded, its tab. The viewer page remembers it, if the browser permits that.

import { remember, remembered } from "../remembered.js";

/**
 * @typedef {object} Layout
 * @property {number} share of the window's height
 * @property {boolean} folded whether only its tabs are shown
 * @property {string} tab
 */

/** Least height, as a share of the window's. */
export const LEAST = 0.1;
export const MOST = 0.8;

/** One press of a key moves the edge by this share of the window's height. */
export const STEP = 0.02;

const NAME = "drawer";

/**
 * The layout at first.
 * @param {string[]} tabs the keys of all tabs
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
export function rememberedLayout(tabs) {
    try {
        return layoutOf(JSON.parse(remembered(NAME) ?? "{}"), tabs);
    } catch {
        // It is no JSON.
        return firstLayout(tabs);
    }
}

/**
 * The stored text may be from another version, or from another program.
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
export function rememberLayout({ share, folded, tab }) {
    remember(NAME, JSON.stringify({ share, folded, tab }));
}
