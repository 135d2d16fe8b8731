// Pictures of some tracks between two times. Drawing one pauses now and then, so that other questions need not wait for all of it.

import { breathe } from "./reading.js";
import { bytesOf, levelsOf } from "./image.js";

/** Longest work at a picture without a pause, in ms. */
const WORK = 6;

/** @typedef {import("../wishes.js").Painted} Painted */
/** @typedef {import("../protocol.js").Strip} Strip */
/** @typedef {import("../protocol.js").Strips} Strips */

/** @typedef {import("../wire.js").Plan & { width: number }} Plan what a picture is of: times in ns, width in pixels; the log has a job for it */

export class Pictures {
    #wasm;
    #arrangement;
    #mayRest;
    #isClosed;
    /**
     * Resolves when the picture that was asked for last is made. Each needs megabytes until it is sent, so they are made one after the
     * other.
     */
    #last = Promise.resolve();

    /**
     * @param {Pick<import("../../wasm/ghc-eventlog-wasm.js").Log, "window" | "paint" | "painter">} wasm
     * @param {import("../../wasm/ghc-eventlog-wasm.js").Arrangement} arrangement of its rows
     * @param {() => boolean} mayRest whether to pause; not while the log is read, since each pause would last until reading pauses
     * @param {() => boolean} isClosed
     */
    constructor(wasm, arrangement, mayRest, isClosed) {
        this.#wasm = wasm;
        this.#arrangement = arrangement;
        this.#mayRest = mayRest;
        this.#isClosed = isClosed;
    }

    /**
     * Makes a picture, after those that were asked for before have been made or given up.
     * @param {Plan} plan
     * @param {Painted[]} painted
     * @param {() => boolean} overtaken whether it is no longer wanted
     * @returns {Promise<Strips | null>} null if it is no longer wanted, or the log was closed
     */
    async make(plan, painted, overtaken) {
        const before = this.#last;
        let end = () => {};
        this.#last = new Promise((resolve) => (end = resolve));
        await before;
        try {
            const isVain = () => this.#isClosed() || overtaken();
            return isVain() ? null : await this.#make(plan, painted, isVain);
        } finally {
            end();
        }
    }

    /**
     * @param {Plan} plan
     * @param {Painted[]} painted
     * @param {() => boolean} isVain
     */
    async #make({ job, from, to, width }, painted, isVain) {
        let resting = performance.now() + WORK;
        const rest = async () => {
            if (performance.now() < resting || !this.#mayRest()) return false;
            await breathe();
            resting = performance.now() + WORK;
            return true;
        };
        const drawn = painted.filter(({ colours }) => colours.length > 0);
        const levels = drawn.length > 0 ? levelsOf(drawn, width) : 0;
        const painter = drawn.length > 0 ? this.#wasm.painter(width, drawn.length, levels) : null;
        /** @type {Map<number, Strip>} */
        const tracks = new Map();
        try {
            for (const { id, colours } of painted) {
                if ((await rest()) && isVain()) return null;
                const strip = /** @type {Strip | undefined} */ (
                    painter && colours.length > 0
                        ? this.#wasm.paint(this.#arrangement, job, id, painter, bytesOf(colours))
                        : this.#wasm.window(this.#arrangement, job, id)
                );
                // When there are very many jobs, the log forgets the oldest.
                if (!strip) return null;
                tracks.set(id, strip);
            }
            if (isVain()) return null;
            // Tracks without states are kept in memory and never read again: they are as exact as they can be.
            const exact = [...tracks.values()].every((strip) => strip.exact || strip.states === 0);
            return { from, to, width, exact, tracks, image: painter?.image() ?? null, rows: drawn.map(({ id }) => id), levels };
        } finally {
            painter?.free();
        }
    }
}
