// What only the browser knows of a table: how high its rows are, how wide its columns, how much room there is for them. It tells
// when it has laid the table out; to ask would have it laid out at once, and all of the drawer with it.

/** How high a row is before one has been seen, in CSS pixels. */
const ROW_HEIGHT = 26;

export class Sizes {
    /** In CSS pixels, as everything here. */
    rowHeight = ROW_HEIGHT;
    headHeight = ROW_HEIGHT;
    /** How high the box is that is scrolled, head included. */
    boxHeight = ROW_HEIGHT * 9;
    /** How wide each column has been: it gets no narrower as other rows come into view. @type {number[]} */
    widths = [];

    #observer;
    /** @type {Set<Element>} */
    #observed = new Set();
    /** @type {Element[]} */
    #heads = [];
    /** @type {Element | null} */
    #row = null;

    /** @param {() => void} changed is called in a task of its own: a browser complains of what changes while it tells of sizes */
    constructor(changed) {
        this.#observer = new ResizeObserver((entries) => {
            // All entries count: no `some`, which stops at the first.
            if (entries.filter((entry) => this.#learn(entry)).length > 0) setTimeout(changed);
        });
    }

    /** How high the part is in which rows are seen. */
    get room() {
        return Math.max(this.boxHeight - this.headHeight, this.rowHeight);
    }

    /** Other columns have other widths. */
    forgetColumns() {
        this.widths = [];
    }

    /**
     * Follows the sizes of what a table has been rendered as.
     * @param {ParentNode} table
     */
    follow(table) {
        this.#heads = [...table.querySelectorAll("thead th")];
        this.#row = table.querySelector("tbody th");
        const box = table.querySelector(".table-box");
        const parts = new Set([box, this.#row, ...this.#heads].filter((part) => part !== null));
        for (const part of this.#observed) if (!parts.has(part)) this.#observer.unobserve(part);
        for (const part of parts) if (!this.#observed.has(part)) this.#observer.observe(part);
        this.#observed = parts;
    }

    /** Follows nothing. */
    rest() {
        this.#observer.disconnect();
        this.#observed.clear();
    }

    /**
     * @param {ResizeObserverEntry} entry
     * @returns {boolean} whether that is anything new
     */
    #learn({ target, contentRect, borderBoxSize: [{ blockSize, inlineSize }] }) {
        // It is not shown.
        if (blockSize === 0) return false;
        if (target === this.#row) return this.#set("rowHeight", blockSize);
        const column = this.#heads.indexOf(target);
        // Without the bar that it is scrolled by.
        if (column < 0) return this.#set("boxHeight", contentRect.height);
        const isHigher = this.#set("headHeight", blockSize);
        if (inlineSize <= (this.widths[column] ?? 0)) return isHigher;
        this.widths[column] = inlineSize;
        return true;
    }

    /**
     * @param {"rowHeight" | "headHeight" | "boxHeight"} what
     * @param {number} size
     */
    #set(what, size) {
        const isNew = this[what] !== size;
        this[what] = size;
        return isNew;
    }
}
