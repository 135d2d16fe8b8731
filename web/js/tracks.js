// The tracks that the page knows, in pages: those in view, and some around them; all of them if a sheet of paper has room. The worker knows
// all tracks.

import { PAGE } from "./protocol.js";

/** @typedef {import("./protocol.js").Track} Track */
/** @typedef {import("./protocol.js").Pages} Pages */
/** @typedef {import("./protocol.js").TrackPage} TrackPage */
/** @typedef {import("./rows.js").Slot} Slot */

/**
 * Asks the worker for the missing pages, and reports which are in view; null if there is no answer.
 * @typedef {(shown: Pages[], missing: Pages[]) => Promise<TrackPage[] | null>} Ask
 */

/** Most pages that are kept. */
const MOST = 64;

/** @param {{ group: string, from: number }} page */
const keyOf = ({ group, from }) => `${group} ${from}`;

/**
 * The page of a track.
 * @param {Slot} slot
 * @returns {Pages}
 */
const pageOf = ({ group, at }) => ({ group, from: Math.floor(at / PAGE) * PAGE, count: PAGE });

export class Tracks {
    #ask;
    #came;
    /** What is known about the log that they belong to. @type {import("./protocol.js").LogInfo | null} */
    #log = null;
    /** The tracks of each page. @type {Map<string, Track[]>} */
    #pages = new Map();
    /** The tracks before more of the log was read: shown until the new ones come. @type {Map<string, Track[]>} */
    #old = new Map();
    /** The pages that were asked for and have not come. @type {Set<string>} */
    #asked = new Set();
    /** The pages that were last reported to the worker as in view. */
    #reported = "";
    /** @type {Pages[]} */
    #shown = [];

    /**
     * @param {Ask} ask
     * @param {() => void} came called when some have come that were asked for
     */
    constructor(ask, came) {
        this.#ask = ask;
        this.#came = came;
    }

    /**
     * Takes the tracks that come with a report that more of the log was read.
     * @param {import("./protocol.js").LogInfo} log
     */
    take(log) {
        if (log === this.#log) return;
        const sizes = new Map(this.#log?.groups.map(({ key, tracks }) => [key, tracks]));
        // If a group has new tracks, the others may have moved.
        const grown = log.groups.some(({ key, tracks }) => sizes.get(key) !== tracks);
        this.#old = grown ? new Map() : this.#pages;
        this.#pages = new Map();
        this.#log = log;
        this.#add(log.pages);
    }

    /** Forgets all: another log is shown. */
    forget() {
        this.#log = null;
        this.#pages.clear();
        this.#old.clear();
        this.#asked.clear();
        this.#reported = "";
    }

    /** All known tracks. */
    get all() {
        return [...this.#pages.values()].flat();
    }

    /**
     * Where a track is, if it is known.
     * @param {number} id
     * @returns {import("./protocol.js").PlacedTrack | null}
     */
    placeOf(id) {
        for (const [key, tracks] of this.#pages) {
            const at = tracks.findIndex((track) => track.id === id);
            const [group, from] = key.split(" ");
            if (at >= 0) return { group, at: Number(from) + at, track: tracks[at] };
        }
        return null;
    }

    /**
     * @param {Slot} slot
     * @returns {Track | null} null if it is not known yet
     */
    at(slot) {
        const page = pageOf(slot);
        const tracks = this.#pages.get(keyOf(page)) ?? this.#old.get(keyOf(page));
        return tracks?.[slot.at - page.from] ?? null;
    }

    /**
     * The same; asks for it if it is not known.
     * @param {Slot} slot
     */
    async find(slot) {
        if (!this.at(slot)) await this.#fetch([pageOf(slot)]);
        return this.at(slot);
    }

    /**
     * These pages are in view: asks for the missing ones.
     * @param {Pages[]} pages
     */
    show(pages) {
        this.#shown = pages;
        const missing = pages.filter((page) => !this.#pages.has(keyOf(page)) && !this.#asked.has(keyOf(page)));
        const reported = pages.map(keyOf).join();
        if (missing.length === 0 && reported === this.#reported) return;
        this.#reported = reported;
        void this.#fetch(missing).then((any) => any && this.#came());
    }

    /**
     * @param {Pages[]} missing
     * @returns {Promise<boolean>} whether any have come
     */
    async #fetch(missing) {
        for (const page of missing) this.#asked.add(keyOf(page));
        const pages = await this.#ask(this.#shown, missing);
        for (const page of missing) this.#asked.delete(keyOf(page));
        this.#add(pages ?? []);
        return pages !== null && pages.length > 0;
    }

    /** @param {TrackPage[]} pages */
    #add(pages) {
        for (const { group, from, tracks } of pages) this.#pages.set(keyOf({ group, from }), tracks);
        const shown = new Set(this.#shown.map(keyOf));
        for (const key of this.#pages.keys()) {
            if (this.#pages.size <= MOST) return;
            if (!shown.has(key)) this.#pages.delete(key);
        }
    }
}
