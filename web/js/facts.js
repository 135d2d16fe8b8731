// The facts in the messages about a log: while more comes to be known, only the sections that the open tab shows are sent in full.
//
//     worker   all sections ── Sent.abridge ──▶ some in full, of the others their outlines
//     page     completed(message, what the message before said) ──▶ all sections
//
// The others are as old as the last message that had them in full. The last message always has all of them.

/** @typedef {import("./protocol.js").Facts} Facts */
/** @typedef {import("./protocol.js").Section} Section */
/** @typedef {Pick<Section, "key" | "count">} Outline what a section's tab shows */
/** @typedef {{ sections: (Section | Outline)[] }} Abridged */

/**
 * Whether the log has nothing that a section is about: it was not logged, or did not happen.
 * @param {Section} section
 */
export function isMissing({ figures, tables, flag, none }) {
    return (flag ?? none) !== undefined && figures.every(({ value }) => !value) && tables.every(({ rows }) => rows === 0);
}

/** What the page has of a log's facts, as the worker knows it. */
export class SentFacts {
    /** The keys of the sections that the page shows; null for all. @type {string[] | null} */
    #wanted = null;
    /** Of each section that was sent in full, whether it was missing then. @type {Map<string, boolean>} */
    #sent = new Map();

    /**
     * @param {string[] | null} wanted the keys of the sections that the page shows; null for all
     * @returns {boolean} whether the page may have older facts about them than the worker
     */
    want(wanted) {
        const before = this.#wanted;
        this.#wanted = wanted;
        return before !== null && (wanted?.some((key) => !before.includes(key)) ?? true);
    }

    /**
     * @param {Facts} facts
     * @returns {Abridged} with the sections in full that are wanted, that the page lacks, or of which the log now has something
     */
    abridge({ sections }) {
        const isEnough = (/** @type {Section} */ section) =>
            !isAmong(this.#wanted, section.key) && this.#sent.get(section.key) === isMissing(section);
        return { sections: sections.map((section) => (isEnough(section) ? outlineOf(section) : this.#inFull(section))) };
    }

    /** @param {Section} section */
    #inFull(section) {
        this.#sent.set(section.key, isMissing(section));
        return section;
    }
}

/**
 * @param {string[] | null} wanted null for all
 * @param {string} key
 */
function isAmong(wanted, key) {
    return wanted === null || wanted.includes(key);
}

/**
 * @param {Section} section
 * @returns {Outline}
 */
function outlineOf({ key, count }) {
    return count === undefined ? { key } : { key, count };
}

/**
 * Whether all sections are in full.
 * @param {Abridged} facts
 */
export function areInFull({ sections }) {
    return sections.every((section) => "figures" in section);
}

/**
 * @param {Abridged} facts
 * @param {Facts | undefined} before what was known until now
 * @returns {Facts}
 */
export function completed({ sections }, before) {
    const known = new Map(before?.sections.map((section) => [section.key, section]));
    return {
        sections: sections.flatMap((section) => {
            if ("figures" in section) return section;
            const last = known.get(section.key);
            return last ? { ...last, ...section } : [];
        }),
    };
}
