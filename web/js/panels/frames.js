// The frames of a flame graph: finds the one at a place, and those around it.

/**
 * @typedef {{ name: string, module: string, source: string, frame: number, matches: boolean }} FrameName `frame`: its number for asking for
 *     its callers; -1 if it has none
 */
/** @typedef {{ from: number, to: number }} Extent samples, or bytes: `from` ≤ position < `to` */

/**
 * A direction from a frame: to the one it is drawn on, to the first of those drawn on it, or to its neighbours. @typedef {"out" | "in" |
 * "left" | "right"} Move
 */

/** The numbers about all frames, before those about each: see `Flame` in the protocol. */
const HEAD = 6;
const EACH = 5;

export class Frames {
    #names;
    #texts;

    /** @param {import("../protocol.js").Flame} flame */
    constructor({ frames, names, texts }) {
        this.#names = names;
        this.#texts = texts;
        const [width, of, matched, tick, oneOf, leftOut] = frames;
        this.all = { width, of, matched, tick, oneOf, leftOut };
        /** @param {number} place */
        const column = (place) => frames.filter((_, at) => at >= HEAD && (at - HEAD) % EACH === place);
        this.x = column(0);
        this.widths = column(1);
        this.own = column(2);
        this.depths = column(3);
        this.places = column(4);
        /** The frames of each depth, from left to right. @type {number[][]} */
        this.rows = [];
        this.depths.forEach((depth, at) => {
            while (this.rows.length <= depth) this.rows.push([]);
            this.rows[depth].push(at);
        });
    }

    /**
     * The name of a frame.
     * @param {number} at
     * @returns {FrameName}
     */
    nameOf(at) {
        const place = this.places[at];
        const [name, module, source] = this.#texts.slice(3 * place, 3 * place + 3);
        return { name, module, source, frame: this.#names[2 * place] - 1, matches: this.#names[2 * place + 1] === 1 };
    }

    /**
     * The frame at a place; -1 if there is none.
     * @param {number} depth
     * @param {number} x in samples or bytes
     */
    at(depth, x) {
        const row = this.rows[depth] ?? [];
        const at = row[this.#after(row, x) - 1] ?? -1;
        return at >= 0 && x < this.#end(at) ? at : -1;
    }

    /**
     * The frame that corresponds to one of another graph of the same kind; -1 if there is none.
     * @param {Frames | null} other
     * @param {number} at its index in that graph
     */
    same(other, at) {
        if (!other || at < 0) return -1;
        const found = this.at(other.depths[at], other.x[at]);
        return found >= 0 && this.x[found] === other.x[at] ? found : -1;
    }

    /**
     * The frame to which a key leads; the same one if there is none there, the first frame if none is chosen.
     * @param {number} at
     * @param {Move} move
     */
    next(at, move) {
        if (at < 0) return this.rows[0]?.[0] ?? -1;
        const row = this.rows[this.depths[at]];
        if (move === "left" || move === "right") return row[row.indexOf(at) + (move === "left" ? -1 : 1)] ?? at;
        if (move === "out") return this.depths[at] === 0 ? at : this.at(this.depths[at] - 1, this.x[at]);
        const below = this.rows[this.depths[at] + 1] ?? [];
        const first = below[this.#after(below, this.x[at] - 0.5)] ?? -1;
        return first >= 0 && this.x[first] < this.#end(at) ? first : at;
    }

    /**
     * The extent of the narrowest frame that holds another and is wider; null if that is everything.
     * @param {Extent} inner
     */
    around({ from, to }) {
        for (let depth = this.rows.length - 1; depth >= 0; depth--) {
            const at = this.at(depth, from);
            if (at >= 0 && this.#end(at) >= to && this.widths[at] > to - from) return this.extentOf(at);
        }
        return null;
    }

    /**
     * The extent of a frame; null if that is everything.
     * @param {number} at
     * @returns {Extent | null}
     */
    extentOf(at) {
        return this.widths[at] >= this.all.width ? null : { from: this.x[at], to: this.#end(at) };
    }

    /**
     * The frames from an outermost one to this one, as a call tree numbers them.
     * @param {number} at
     * @param {boolean} hasCaps whether the outermost frames may be capabilities, which no call tree has
     * @returns {import("./open-calls.js").CallPath}
     */
    pathOf(at, hasCaps) {
        const path = [];
        for (let above = at; above >= 0; above = this.depths[above] === 0 ? -1 : this.next(above, "out")) {
            const { frame } = this.nameOf(above);
            if (frame >= 0 || !hasCaps) path.unshift(frame >>> 0);
        }
        return path;
    }

    /**
     * The widest frame with such a path; -1 if none is shown.
     * @param {import("./open-calls.js").CallPath | null} path
     * @param {boolean} hasCaps
     */
    find(path, hasCaps) {
        if (!path?.length) return -1;
        const wanted = path.join();
        const candidates = [path.length - 1, hasCaps ? path.length : -1].flatMap((depth) => this.rows[depth] ?? []);
        const found = candidates.filter(
            (at) => this.nameOf(at).frame >>> 0 === path[path.length - 1] && this.pathOf(at, hasCaps).join() === wanted,
        );
        return found.reduce((widest, at) => (widest < 0 || this.widths[at] > this.widths[widest] ? at : widest), -1);
    }

    /** @param {number} at */
    #end(at) {
        return this.x[at] + this.widths[at];
    }

    /**
     * The number of frames of a row that begin at or before a place.
     * @param {number[]} row
     * @param {number} place
     */
    #after(row, place) {
        let [low, high] = [0, row.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.x[row[middle]] <= place) low = middle + 1;
            else high = middle;
        }
        return low;
    }
}
