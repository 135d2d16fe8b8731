// The sizes of a table that only the browser knows: of its rows, its columns, and the room for them. The browser reports them when it has
// laid the table out; asking for them would force it to lay out the whole drawer at once.

/** Height of a row before one has been laid out, in CSS pixels. */
const ROW_HEIGHT = 26;

export class Sizes {
    /** In CSS pixels, like everything here. */
    rowHeight = ROW_HEIGHT;
    headHeight = ROW_HEIGHT;
    /** The height of the box that scrolls, including the head. */
    boxHeight = ROW_HEIGHT * 9;
    /** The largest width of each column so far: columns get no narrower when other rows come into view. @type {number[]} */
    widths = [];

    #observer;
    /** @type {Set<Element>} */
    #observed = new Set();
    /** @type {Element[]} */
    #heads = [];
    /** @type {Element | null} */
    #row = null;

    /** @param {() => void} changed called in a task of its own: browsers complain of changes during their report of sizes */
    constructor(changed) {
        this.#observer = new ResizeObserver((entries) => {
            // Not `some`, which stops at the first: all entries count.
            if (entries.filter((entry) => this.#learn(entry)).length > 0) setTimeout(changed);
        });
    }

    /** The height in which rows are visible. */
    get room() {
        return Math.max(this.boxHeight - this.headHeight, this.rowHeight);
    }

    /** Forgets the widths: the table has other columns. */
    forgetColumns() {
        this.widths = [];
    }

    /**
     * Follows the sizes of the elements that a table was rendered as.
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
     * @returns {boolean} whether anything changed
     */
    #learn({ target, contentRect, borderBoxSize: [{ blockSize, inlineSize }] }) {
        // The table is not shown.
        if (blockSize === 0) return false;
        if (target === this.#row) return this.#set("rowHeight", blockSize);
        const column = this.#heads.indexOf(target);
        // Without the scroll bar.
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
