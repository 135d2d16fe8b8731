// Asks for pictures of the log on the screen, and hands them to the timeline and the overview strip.

import { requestTurn } from "./frame.js";
import { shownOf } from "./state.js";

/** @typedef {import("./protocol.js").Strips} Strips */
/** @typedef {import("./wishes.js").Alike[]} Tracks */

export class Pictured {
    #viewer;
    #drawers;
    /** Reports to the worker when what has come is drawn. */
    #drawn = requestTurn(() => this.#viewer.log.send("drawn", null));

    /**
     * @param {Pick<import("./context.js").Context, "store" | "log" | "picture">} viewer
     * @param {() => Pick<import("./context.js").Context, "timeline" | "overview">} drawers the elements that draw them
     */
    constructor(viewer, drawers) {
        this.#viewer = viewer;
        this.#drawers = drawers;
    }

    /**
     * Asks for a picture of a window.
     * @param {number} from
     * @param {number} to
     * @param {number} width
     * @param {Tracks} tracks
     */
    async window(from, to, width, tracks) {
        const wish = { from, to, width, tracks, bands: this.#bands };
        const strips = await this.#viewer.log.ask("window", wish, (coarse) => this.#windowCame(coarse, false));
        if (strips) this.#windowCame(strips, true);
    }

    /**
     * Asks for a picture of the whole log.
     * @param {Tracks} tracks
     */
    async whole(tracks) {
        const { timeline, overview } = this.#drawers();
        const strips = await this.#viewer.log.ask("whole", { width: overview.pixels, tracks, bands: this.#bands });
        if (!strips) return;
        this.#viewer.picture.take("whole", strips);
        overview.take(strips);
        timeline.repaint();
        this.#came();
    }

    /**
     * @param {Strips} strips
     * @param {boolean} isLast whether no better picture follows
     */
    #windowCame(strips, isLast) {
        const { store, picture } = this.#viewer;
        picture.take("window", strips);
        this.#drawers().timeline.answered(isLast);
        this.#came();
        if (!shownOf(store.value).finished) this.#drawn();
    }

    /** A picture has come: draws it in the next frame. */
    #came() {
        const { store } = this.#viewer;
        if (!store.value.pictured) store.set({ pictured: true });
    }

    /** How to draw bands. */
    get #bands() {
        const { order, count } = shownOf(this.#viewer.store.value).bands;
        return { order, count };
    }
}
