// Which rows of a call tree are unfolded: a tree of their frames. What the worker is sent of it has the size of what the user unfolded, not
// of the profile.

/** The frame that stands for every row: as in `OpenCall` of the model. */
const EVERY = 0xffff_fffe;

/** Rows that are shown below one at first, and more whenever the user asks for more: `CALLS_AT_FIRST` of the model. */
const AT_FIRST = 100;
const MORE = 10;

/** @typedef {number[]} CallPath frames, from an outermost row on; 2^32 - 1 is one without a number */
/** @typedef {{ shown: number, below: Map<number, Node> }} Node `shown`: 0 if it is folded */

/** @returns {Node} */
const node = () => ({ shown: AT_FIRST, below: new Map() });

export class OpenCalls {
    #root = node();

    /** Folds all rows. */
    clear() {
        this.#root = node();
    }

    /**
     * Unfolds a row, and those that it is below.
     * @param {CallPath} path
     */
    open(path) {
        path.reduce((parent, frame) => {
            const found = parent.below.get(frame);
            const next = found?.shown ? found : node();
            parent.below.set(frame, next);
            return next;
        }, this.#root);
    }

    /**
     * Folds a row, and all below it.
     * @param {CallPath} path
     */
    fold(path) {
        const parent = this.#find(path.slice(0, -1));
        const frame = path[path.length - 1];
        if (!parent) return;
        if (parent.below.has(EVERY)) parent.below.set(frame, { ...node(), shown: 0 });
        else parent.below.delete(frame);
    }

    /**
     * Unfolds all rows that are directly below one.
     * @param {CallPath} path of that one; empty for the outermost
     */
    openAll(path) {
        this.open(path);
        const parent = this.#find(path);
        if (!parent) return;
        for (const [frame, { shown }] of parent.below) if (shown === 0) parent.below.delete(frame);
        parent.below.set(EVERY, node());
    }

    /**
     * Shows more of the rows that are directly below one.
     * @param {CallPath} path of that one; empty for the outermost
     */
    more(path) {
        this.open(path);
        const parent = this.#find(path);
        if (parent) parent.shown *= MORE;
    }

    /**
     * What the worker needs to know.
     * @returns {{ shown: number, open: Uint32Array }}
     */
    list() {
        /** @type {number[]} */
        const open = [];
        const add = (/** @type {Node} */ { below }, /** @type {number} */ depth) => {
            for (const [frame, next] of below) {
                open.push(depth, frame, next.shown);
                add(next, depth + 1);
            }
        };
        add(this.#root, 0);
        return { shown: this.#root.shown, open: Uint32Array.from(open) };
    }

    /** @param {CallPath} path */
    #find(path) {
        return path.reduce(
            (/** @type {Node | undefined} */ parent, frame) => parent?.below.get(frame) ?? parent?.below.get(EVERY),
            this.#root,
        );
    }
}
