// What the findings of a log are for a reader: which are listed, in which order, and what they read like. The model has found them.

import { bytes, duration, visible } from "./format.js";
import { counted } from "./words.js";

/** @typedef {import("./protocol.js").Finding} Finding */
/** @typedef {import("./protocol.js").Evidence} Evidence */
/** @typedef {import("./protocol.js").Findings} Findings */

/**
 * The finding that is chosen, and what to return to.
 * @typedef {object} Chosen
 * @property {string} id its rule's
 * @property {number} at the index of the piece of evidence that is shown
 * @property {Before} before
 */

/**
 * How the timeline was before a finding was chosen.
 * @typedef {object} Before
 * @property {import("./viewport.js").View | null} view
 * @property {number} top the height of the rows above the view
 * @property {import("./folds.js").Folds} folds
 */

/**
 * The findings of a log as they are listed. Each list has the gravest first, as the model has it.
 * @typedef {object} Sorted
 * @property {Finding[]} open to be read: warnings and information
 * @property {Finding[]} dismissed by the user
 * @property {Finding[]} fine
 * @property {Finding[]} waiting until it is known what the threads did
 * @property {Finding[]} notApplicable to this log
 */

/** The sign and the word of a level that is listed in full. @type {Record<"warning" | "info", { sign: string, word: string }>} */
export const LEVELS = {
    warning: { sign: "▲", word: "Warning" },
    info: { sign: "●", word: "Info" },
};

/**
 * @param {Finding[]} findings
 * @param {readonly string[]} dismissed their ids
 * @returns {Sorted}
 */
export function sorted(findings, dismissed) {
    const listed = findings.filter(isListed);
    const of = (/** @type {Finding["level"]} */ level) => findings.filter((finding) => finding.level === level);
    return {
        open: listed.filter(({ id }) => !dismissed.includes(id)),
        dismissed: listed.filter(({ id }) => dismissed.includes(id)),
        fine: of("fine"),
        waiting: of("waiting"),
        notApplicable: of("not_applicable"),
    };
}

/** @param {Finding} finding */
function isListed({ level }) {
    return level === "warning" || level === "info";
}

/**
 * How many findings there are that the user has not dismissed: all of them, and those of each level in signs and in words. No level is
 * left out, since a tab with "0" seems to have nothing to read.
 * @param {Finding[]} findings
 * @param {readonly string[]} dismissed
 */
export function tally(findings, dismissed) {
    const { open } = sorted(findings, dismissed);
    const levels = Object.entries(LEVELS)
        .map(([level, { sign, word }]) => ({ sign, word, number: open.filter((finding) => finding.level === level).length }))
        .filter(({ number }) => number > 0);
    return {
        count: open.length,
        marks: levels.map(({ sign, number }) => `${sign} ${number}`).join("  "),
        things: levels.map(({ word, number }) => counted(number, word.toLowerCase())).join(", ") || "findings",
    };
}

/**
 * The finding `by` places after another one, round the list; the first one, or the last one, if none is chosen.
 * @param {Finding[]} open
 * @param {string | null} id
 * @param {1 | -1} by
 * @returns {Finding | undefined}
 */
export function beside(open, id, by) {
    const at = open.findIndex((finding) => finding.id === id);
    if (at < 0) return open.at(by > 0 ? 0 : -1);
    return open.at((at + by) % open.length);
}

/**
 * What is at stake, in a few letters; empty if that cannot be said.
 * @param {Pick<Finding, "stakeNs" | "stakeBytes">} finding
 */
export function stakeText({ stakeNs, stakeBytes }) {
    if (stakeNs !== undefined) return duration(stakeNs);
    return stakeBytes === undefined ? "" : bytes(stakeBytes);
}

/**
 * A text with parts in the signs of code, `-A64m`: each part, and whether it is code.
 * @param {string} text
 * @returns {{ text: string, isCode: boolean }[]}
 */
export function partsOf(text) {
    const parts = visible(text).split("`");
    // A sign without its other one is a character like any other.
    if (parts.length % 2 === 0) parts.splice(-2, 2, parts.slice(-2).join("`"));
    return parts.map((part, at) => ({ text: part, isCode: at % 2 === 1 })).filter(({ text }) => text !== "");
}
