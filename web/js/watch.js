// Whether the worker lives. One that was killed, or that runs in circles, says nothing: that is all there is to know it by.

/** How often a sign of life is asked for, in ms. */
const BEAT = 1000;

/** How many may be owed: while the worker starts and its files are on their way, and once it has answered. */
const PATIENCE = { start: 30, later: 10 };

/** How many owed make it doubtful. */
const DOUBT = 2;

/**
 * Asks the worker for signs of life from the moment when something is asked of it until it has given one and owes nothing
 * else. Counts signs owed, not time passed: while the page itself sleeps, or is held by a debugger, none is asked for.
 */
export class Watch {
    #ask;
    #busy;
    #dead;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #owed = 0;
    #started = false;
    /** Whether something was asked of the worker since the last beat. */
    #asked = false;

    /**
     * @param {() => void} ask for a sign of life
     * @param {() => boolean} busy whether the worker owes something else
     * @param {() => void} dead
     */
    constructor(ask, busy, dead) {
        this.#ask = ask;
        this.#busy = busy;
        this.#dead = dead;
    }

    /** Something was asked of the worker. */
    begin() {
        this.#asked = true;
        this.#timer ??= setTimeout(() => this.#beat(), BEAT);
    }

    /** The worker has given a sign of life; the first one, unasked for, when it has started. */
    lives() {
        this.#owed = Math.max(0, this.#owed - 1);
        this.#started = true;
    }

    /** Whether nothing has been heard for some time, and not because it is still starting. */
    get doubtful() {
        return this.#started && this.#owed >= DOUBT;
    }

    /** There is nobody to watch; the next one begins anew. */
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
