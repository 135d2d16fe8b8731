// Watches whether the worker is alive. A worker that was killed, or that is in an endless loop, sends nothing: there is no other sign.

/** Time between two questions for a sign of life, in ms. */
const BEAT = 1000;

/** Most questions without an answer: while the worker starts and its files are loading, and after it has answered once. */
const PATIENCE = { start: 30, later: 10 };

/** After this many questions without an answer, it is doubtful. */
const DOUBT = 2;

/**
 * Asks the worker for signs of life, from when the page asks it for something until it has given a sign and has nothing else to do. It
 * counts questions without an answer, not time: while the page itself sleeps, or is stopped by a debugger, it asks none.
 */
export class Watch {
    #ask;
    #busy;
    #dead;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #owed = 0;
    #started = false;
    /** Whether the page has asked the worker for something since the last beat. */
    #asked = false;

    /**
     * @param {() => void} ask asks for a sign of life
     * @param {() => boolean} busy whether the worker has something else to do
     * @param {() => void} dead
     */
    constructor(ask, busy, dead) {
        this.#ask = ask;
        this.#busy = busy;
        this.#dead = dead;
    }

    /** The page has asked the worker for something. */
    begin() {
        this.#asked = true;
        this.#timer ??= setTimeout(() => this.#beat(), BEAT);
    }

    /** The worker has given a sign of life. It sends the first one when it has started, without being asked. */
    lives() {
        this.#owed = Math.max(0, this.#owed - 1);
        this.#started = true;
    }

    /** Whether the worker has been silent for some time, and not because it is starting. */
    get doubtful() {
        return this.#started && this.#owed >= DOUBT;
    }

    /** The worker is gone; watching the next one begins anew. */
    end() {
        clearTimeout(this.#timer);
        this.#timer = undefined;
        this.#owed = 0;
        this.#started = false;
    }

    #beat() {
        this.#timer = undefined;
        if (this.#owed >= (this.#started ? PATIENCE.later : PATIENCE.start)) return this.#dead();
        if (this.#owed === 0 && !this.#asked && !this.#busy()) return;
        this.#asked = false;
        this.#owed += 1;
        this.#ask();
        this.#timer = setTimeout(() => this.#beat(), BEAT);
    }
}
