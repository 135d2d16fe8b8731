// The link to the sources of the program: set by the user and remembered from one visit to the next, or set by who saved the page.

import { remember, remembered } from "../remembered.js";
import { NO_LINKS, faultOf } from "./link.js";

/** @typedef {import("./link.js").SourceLinks} SourceLinks */

/** The name of the choice. */
const NAME = "sources";

/**
 * What was remembered. It may be from another version, or from another program.
 * @param {string | null} written
 * @returns {SourceLinks}
 */
export function linksWritten(written) {
    try {
        const { template, commit } = JSON.parse(written ?? "{}") ?? {};
        const links = { template: String(template ?? ""), commit: String(commit ?? "") };
        return faultOf(links) ? NO_LINKS : links;
    } catch {
        return NO_LINKS;
    }
}

/**
 * The setting that a viewer begins with, and goes back to when its page gives none.
 * @param {{ own: boolean }} around
 */
export function rememberedLinks({ own }) {
    return own ? linksWritten(remembered(NAME)) : NO_LINKS;
}

/**
 * Sets the user's link, or removes it.
 * @param {Pick<import("../context.js").Context, "store" | "stage">} context
 * @param {SourceLinks} links
 */
export function setLinks({ store, stage }, links) {
    store.set({ sources: links });
    // The storage belongs to the page.
    if (stage.own) remember(NAME, JSON.stringify(links));
}
