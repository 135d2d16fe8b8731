// The pictures that the timeline asks the worker for: a coarse one of the whole log, and a finer one of what is around the view.
// What the last one has is not asked for again.

import { drawnIn } from "../rows.js";
import { extentOf } from "../viewport.js";

/** @typedef {import("../headers.js").Shown} Row */
/** @typedef {import("../protocol.js").Alike} Alike */
/** @typedef {Pick<import("../state.js").LogState, "log"> & Pick<import("../state.js").State, "theme">} What what is painted, and how */
/** @typedef {import("../viewport.js").View} View */

/** How much more than the view is asked for on either side, as a share of it, so that panning shows what is there. */
const BESIDE = 0.5;

/**
 * @typedef {object} Asks
 * @property {(from: number, to: number, width: number, tracks: Alike[]) => void} window
 * @property {(tracks: Alike[]) => void} whole
 */

export class Requests {
    #ask;
    #picture;
    /** The tracks of which a coarse picture was asked for. @type {Set<number>} */
    #coarse = new Set();
    /** At which scale a finer picture was last asked for, and of how much of the log. */
    #scale = "";
    /** The tracks that were last asked for: the same need not be asked for again. @type {Set<number>} */
    #fine = new Set();
    /** @type {View | null} what was asked for and is not there yet */
    #pending = null;
    /** Who waits for that. @type {(() => void)[]} */
    #waiting = [];
    /** Counts what the log has grown by since then. */
    #stale = 0;

    /**
     * @param {Asks} ask
     * @param {import("../picture.js").Picture} picture what has come of them
     */
    constructor(ask, picture) {
        this.#ask = ask;
        this.#picture = picture;
    }

    /** What was asked for is there. */
    answered() {
        this.#pending = null;
        for (const resolve of this.#waiting.splice(0)) resolve();
    }

    /**
     * Waits until what was asked for is there.
     * @returns {Promise<void>}
     */
    settled() {
        return this.#pending ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve();
    }

    /** Whether something was asked for that is not there yet. */
    get pending() {
        return this.#pending !== null;
    }

    /** The log has more than what was last asked for. */
    outdated() {
        this.#stale += 1;
    }

    /** Nothing is left of a log that was shown before. */
    forget() {
        this.#coarse.clear();
        this.#scale = "";
        this.answered();
    }

    /**
     * Asks for a coarse picture of the whole log: of some rows, and of the track for all of them.
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
     * Whether that picture has some rows, as far as their tracks are known.
     * @param {Row[]} rows
     */
    hasCoarse(rows) {
        return rows.every(({ track }) => !track || this.#coarse.has(track.id));
    }

    /**
     * Asks for a view's surroundings, unless the picture has them at this scale.
     * @param {View} view in the log's own time
     * @param {Row[]} rows
     * @param {() => Row[]} around gives some more of them: where rows have come into view, others are about to
     * @param {What} what
     * @param {{ width: number, grown: number }} size the view's width in device pixels, and by how much rows are higher than they
     *     need be
     */
    window(view, rows, around, { log, theme }, { width, grown }) {
        const length = view.to - view.from;
        // Panning changes the last digits of a length.
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
 * Whether there is enough around a view for the next move, or all that the log has.
 * @param {View | null} have
 * @param {View} view
 * @param {[number, number] | undefined} extent the log's
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
 * The same for tracks that are painted alike, if they are as high: made once, for they are asked for again and again while rows scroll.
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
 * What is to be painted of the tracks of some rows, in the colours that they have now; each once. Nearly all are like others.
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
