// Whose turn it is while a long log is read. On a machine of two cores reading and decoding take both, and what the page is told it
// could draw only bit by bit: so after it has been told something, the worker rests until that is drawn.

/** How long the page may take for it, in ms: nobody may see it, and then it draws nothing. */
const MOST = 150;

export class Turns {
    /** @type {{ over: Promise<void>, end: () => void } | null} */
    #pages = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #late;

    /** It is the page's turn. */
    give() {
        if (this.#pages) return;
        let end = () => {};
        const over = /** @type {Promise<void>} */ (new Promise((resolve) => (end = resolve)));
        this.#pages = { over, end };
        this.#late = setTimeout(() => this.take(), MOST);
    }

    /** The page has drawn. */
    take() {
        clearTimeout(this.#late);
        this.#pages?.end();
        this.#pages = null;
    }

    /** Waits for the worker's own turn. */
    async own() {
        await this.#pages?.over;
    }
}
