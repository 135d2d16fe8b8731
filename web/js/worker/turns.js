// Turns between worker and page while a long log is read. On a machine with two cores, reading and decoding take both, and the page could
// only draw bit by bit. So after each report to the page, the worker rests until the page has drawn it.

/** Longest turn of the page, in ms: a page in a hidden tab draws nothing. */
const MOST = 150;

export class Turns {
    /** @type {{ over: Promise<void>, end: () => void } | null} */
    #pages = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #late;

    /** Begins the page's turn. */
    give() {
        if (this.#pages) return;
        let end = () => {};
        const over = /** @type {Promise<void>} */ (new Promise((resolve) => (end = resolve)));
        this.#pages = { over, end };
        this.#late = setTimeout(() => this.take(), MOST);
    }

    /** The page has drawn: ends its turn. */
    take() {
        clearTimeout(this.#late);
        this.#pages?.end();
        this.#pages = null;
    }

    /** Waits until the page's turn is over. */
    async own() {
        await this.#pages?.over;
    }
}
