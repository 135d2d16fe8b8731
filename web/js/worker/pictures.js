// Pictures of some tracks between two times. What is asked meanwhile does not wait for all of one: there are rests in between.

import { breathe } from "./reading.js";
import { imageOf } from "./image.js";

/** How long is worked at a picture without a rest, in ms. */
const WORK = 6;

/** @typedef {import("../protocol.js").Painted} Painted */
/** @typedef {import("../protocol.js").Strip} Strip */
/** @typedef {import("../protocol.js").Strips} Strips */

/**
 * What a picture is of: times in ns, width in pixels.
 * @typedef {object} Wish
 * @property {number} from
 * @property {number} to
 * @property {number} width
 * @property {Painted[]} tracks
 * @property {import("../protocol.js").BandsWish} bands
 */

export class Pictures {
    #wasm;
    #mayRest;
    #isClosed;
    /** Ends with the one that was asked for last: each needs megabytes until it is sent, so they are made one after the other. */
    #last = Promise.resolve();

    /**
     * @param {Pick<import("../../wasm/ghc-eventlog-wasm.js").Log, "show_bands" | "show_tracks" | "plan" | "window">} wasm
     * @param {() => boolean} mayRest not while the log is read: each rest would be as long as reading goes on before its own
     * @param {() => boolean} isClosed
     */
    constructor(wasm, mayRest, isClosed) {
        this.#wasm = wasm;
        this.#mayRest = mayRest;
        this.#isClosed = isClosed;
    }

    /**
     * Makes a picture, once those that were asked for before are there or given up.
     * @param {Wish} wish
     * @param {() => boolean} overtaken whether nobody waits for it any more
     * @returns {Promise<Strips | null>} null if that is so, or the log was closed
     */
    async make(wish, overtaken) {
        const before = this.#last;
        let end = () => {};
        this.#last = new Promise((resolve) => (end = resolve));
        await before;
        try {
            const isVain = () => this.#isClosed() || overtaken();
            return isVain() ? null : await this.#make(wish, isVain);
        } finally {
            end();
        }
    }

    /**
     * @param {Wish} wish
     * @param {() => boolean} isVain
     */
    async #make({ from, to, width, tracks: painted, bands }, isVain) {
        const wasm = this.#wasm;
        // After a rest as well: others choose what they need.
        const choose = () => {
            wasm.show_bands(bands.order, bands.count);
            wasm.show_tracks(Float64Array.from(painted, ({ id }) => id));
        };
        choose();
        const shown = wasm.plan(from, to, width);
        let resting = performance.now() + WORK;
        const rest = async () => {
            if (performance.now() < resting || !this.#mayRest()) return false;
            await breathe();
            resting = performance.now() + WORK;
            return true;
        };
        /** @type {Map<number, Strip>} */
        const tracks = new Map();
        for (const { id } of painted) {
            if (await rest()) {
                if (isVain()) return null;
                choose();
            }
            tracks.set(id, /** @type {Strip} */ (wasm.window(id, from, to, width)));
        }
        // What is kept in rows is never read again: it is as exact as it will be.
        const exact = [...tracks.values()].every((strip) => strip.exact || strip.states === 0);
        const painting = await imageOf(tracks, painted, width, rest);
        if (isVain()) {
            painting.image?.close();
            return null;
        }
        return { from: shown.from, to: shown.to, width, exact, tracks, ...painting };
    }
}
