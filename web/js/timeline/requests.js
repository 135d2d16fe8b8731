// The pictures that the timeline asks the worker for: a coarse one of the whole log, and a finer one of the view and its surroundings. It
// does not ask again for what the last picture contains.

import { drawnIn } from "../rows.js";
import { extentOf } from "../viewport.js";

/** @typedef {import("../headers.js").Shown} Row */
/** @typedef {import("../wishes.js").Alike} Alike */
/**
 * @typedef {Pick<import("../state.js").LogState, "log"> & Pick<import("../state.js").State, "theme">} What what to paint, and in which
 *     colours
 */
/** @typedef {import("../viewport.js").View} View */

/** How much time to ask for on either side of the view, as a share of it, so that panning has something to show. */
const BESIDE = 0.5;

/**
 * @typedef {object} Asks
 * @property {(from: number, to: number, width: number, tracks: Alike[]) => void} window
 * @property {(tracks: Alike[]) => void} whole
 */

export class Requests {
    #ask;
    #picture;
    /** The tracks in the last request for a coarse picture. @type {Set<number>} */
    #coarse = new Set();
    /** The scale of the last request for a finer picture, and how much of the log had been read. */
    #scale = "";
    /** The tracks in the last request for a finer picture. @type {Set<number>} */
    #fine = new Set();
    /** @type {View | null} the view of the request without an answer */
    #pending = null;
    /** Called when that answer comes. @type {(() => void)[]} */
    #waiting = [];
    /** Counts how often the log has grown since then. */
    #stale = 0;

    /**
     * @param {Asks} ask
     * @param {import("../picture.js").Picture} picture the pictures that have come
     */
    constructor(ask, picture) {
        this.#ask = ask;
        this.#picture = picture;
    }

    /** The answer has come. */
    answered() {
        this.#pending = null;
        for (const resolve of this.#waiting.splice(0)) resolve();
    }

    /**
     * Waits for the answer.
     * @returns {Promise<void>}
     */
    settled() {
        return this.#pending ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve();
    }

    /** Whether an answer is still to come. */
    get pending() {
        return this.#pending !== null;
    }

    /** The log has grown since the last request. */
    outdated() {
        this.#stale += 1;
    }

    /** Forgets the log that was shown before. */
    forget() {
        this.#coarse.clear();
        this.#scale = "";
        this.answered();
    }

    /**
     * Asks for a coarse picture of the whole log: of some rows, and of the track of the overview strip.
     * @param {Row[]} rows
     * @param {What} what
     */
    whole(rows, { log, theme }) {
        const id = log?.whole?.id;
        /** @type {Alike[]} */
        const whole = id === undefined ? [] : [{ ids: [id], colours: [], height: 0 }];
        const painted = [
            ...whole,
            ...alike(
                rows.filter(({ track }) => track?.id !== id),
                theme,
            ),
        ];
        this.#coarse = new Set(painted.flatMap(({ ids }) => ids));
        this.#ask.whole(painted);
    }

    /**
     * Whether the coarse picture contains these rows, as far as their tracks are known.
     * @param {Row[]} rows
     */
    hasCoarse(rows) {
        return rows.every(({ track }) => !track || this.#coarse.has(track.id));
    }

    /**
     * Asks for the view and its surroundings, unless the picture has them at this scale.
     * @param {View} view in the log's own time
     * @param {Row[]} rows
     * @param {() => Row[]} around gives more rows around these: when some have come into view, others will follow
     * @param {What} what
     * @param {{ width: number, grown: number }} size the view's width in device pixels, and how much higher than necessary rows are
     */
    window(view, rows, around, { log, theme }, { width, grown }) {
        const length = view.to - view.from;
        // Rounding while panning changes the last digits of a length.
        const scale = [width, length.toPrecision(9), this.#stale, grown].join();
        const extent = log ? extentOf(log.status) : undefined;
        const isCovered = scale === this.#scale && covers(this.#pending ?? this.#picture.window, view, extent);
        if (isCovered && rows.every(({ track }) => !track || this.#fine.has(track.id))) return;
        const [first, last] = extent ?? [view.from, view.to];
        const from = Math.max(view.from - length * BESIDE, Math.min(first, view.to));
        const to = Math.min(view.to + length * BESIDE, Math.max(last, view.from));
        const tracks = alike(isCovered ? around() : rows, theme);
        [this.#scale, this.#fine] = [scale, new Set(tracks.flatMap(({ ids }) => ids))];
        if (to <= from) return;
        this.#pending = { from, to };
        this.#ask.window(from, to, Math.ceil((width * (to - from)) / length), tracks);
    }
}

/**
 * Whether the picture extends far enough around the view for the next move, or to the ends of the log.
 * @param {View | null} have
 * @param {View} view
 * @param {[number, number] | undefined} extent of the log
 */
function covers(have, view, extent) {
    if (!have) return false;
    const near = (view.to - view.from) * 0.1;
    if (have.from <= view.from - near && have.to >= view.to + near) return true;
    return extent !== undefined && have.from <= Math.max(view.from, extent[0]) && have.to >= Math.min(view.to, extent[1]);
}

/** @type {WeakMap<import("../protocol.js").Track, string>} */
const keys = new WeakMap();

/**
 * The same object for tracks with equal colours and height. It is made once, since it is needed again and again while rows scroll.
 * @param {import("../protocol.js").Track} track
 */
function keyOf(track) {
    const known = keys.get(track);
    if (known !== undefined) return known;
    const key = [track.shape, ...track.states.map(({ role }) => role)].join();
    keys.set(track, key);
    return key;
}

/**
 * How to paint the tracks of some rows in the current colours; each track once. Nearly all tracks are like others, so they are grouped.
 * @param {Row[]} rows
 * @param {import("../theme.js").Theme} theme
 * @returns {Alike[]}
 */
function alike(rows, { rgb }) {
    const seen = new Set();
    /** @type {Map<string, Alike>} */
    const all = new Map();
    for (const row of rows) {
        const { track } = row;
        if (!track || seen.has(track.id)) continue;
        seen.add(track.id);
        const height = Math.round(drawnIn(row).height * devicePixelRatio);
        const key = `${height},${keyOf(track)}`;
        const one = all.get(key) ?? {
            ids: [],
            colours: track.shape === "states" ? track.states.map(({ role }) => rgb(role)) : [],
            height,
        };
        one.ids.push(track.id);
        all.set(key, one);
    }
    return [...all.values()];
}
