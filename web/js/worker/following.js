// Going through a log once more, in order of time, for what its threads did. It may take long: it can be stopped, and gone on with.

import { breathe } from "./reading.js";
import { CHANGED, Overtaken, drive } from "./driver.js";
import { Unreadable } from "./unreadable.js";

/** How soon and how seldom it is told how far it is, in ms: each time the page has all of its figures anew. */
const TELL = { first: 150, last: 1000 };

/**
 * What reads parts of a log, one after the other; a part holds until the next one.
 * @typedef {object} Reader
 * @property {(offset: number, length: number) => Promise<Uint8Array>} part
 * @property {() => Promise<void>} end nothing more is asked for
 */

/**
 * What it works with.
 * @typedef {object} Follows
 * @property {import("../../wasm/ghc-eventlog-wasm.js").Log} log
 * @property {() => Reader} reader gives what reads the log
 * @property {() => boolean} isClosed
 * @property {(done: boolean) => void} tell that there is more to be told of the log; or that it is all
 * @property {(error: unknown) => void} failed
 */

export class Following {
    #follows;
    /** Whether it has been begun, and has not failed. */
    #begun = false;
    #share = 0;
    #stopped = false;
    #done = false;
    /** How often it was begun: what is of an earlier time goes on no further. */
    #times = 0;
    /** Lets it go on. @type {(() => void) | null} */
    #resume = null;

    /** @param {Follows} follows */
    constructor(follows) {
        this.#follows = follows;
    }

    /** How far it is, if there is more to come. @type {import("../protocol.js").Following | undefined} */
    get progress() {
        return this.#begun && !this.#done ? { share: this.#share, stopped: this.#stopped } : undefined;
    }

    /** Begins, unless it has been begun. */
    begin() {
        if (this.#begun) return;
        [this.#begun, this.#stopped] = [true, false];
        // What is told of the log is told before.
        void this.#goThrough();
    }

    /** Begins anew: what was found is void. */
    beginAgain() {
        this.#resume?.();
        [this.#begun, this.#done, this.#stopped, this.#share] = [false, false, false, 0];
        this.begin();
    }

    /** It is stopped, between two pieces. */
    stop() {
        if (!this.progress) return;
        this.#stopped = true;
        this.#follows.tell(false);
    }

    /** It goes on where it was stopped. */
    goOn() {
        if (!this.#stopped) return;
        this.#stopped = false;
        this.#follows.tell(false);
        this.#resume?.();
    }

    /** The log is closed: nobody waits any more, nor may what was stopped. */
    end() {
        this.#resume?.();
    }

    async #goThrough() {
        const { log, isClosed, tell, failed } = this.#follows;
        const time = ++this.#times;
        const isOver = () => isClosed() || time !== this.#times;
        await breathe();
        if (isOver()) return;
        /** @type {number | undefined} */
        const job = log.replay();
        try {
            if (job !== undefined) await this.#work(job, isOver);
            this.#done = true;
            tell(true);
        } catch (error) {
            if (error instanceof Overtaken || isOver()) return;
            this.#begun = false;
            // Nobody may wait for more.
            tell(false);
            failed(error);
        } finally {
            if (job !== undefined && !isClosed()) log.drop_job(job);
        }
    }

    /**
     * @param {number} job
     * @param {() => boolean} isOver whether nobody wants it any more
     */
    async #work(job, isOver) {
        const reader = this.#follows.reader();
        // One part after the other: each holds until the next one.
        const parts = { atOnce: 1, part: reader.part.bind(reader), free: () => {}, isOver };
        try {
            if (!(await drive(this.#replay(job, isOver), parts))) throw new Unreadable(CHANGED);
        } finally {
            // What it still waits for is no reason to wait here.
            reader.end().catch(() => {});
        }
    }

    /**
     * @param {number} job
     * @param {() => boolean} isOver
     * @returns {import("./driver.js").Job}
     */
    #replay(job, isOver) {
        const { log, tell } = this.#follows;
        let telling = performance.now() + TELL.first;
        return {
            wants: () => {
                const { reads, done, of, gaveUp } = log.job(job);
                // With many capabilities, segments are read again: how often is known only by and by.
                this.#share = Math.max(this.#share, of > 0 ? done / of : 0);
                if (reads.length > 0 && performance.now() >= telling) {
                    tell(false);
                    telling = performance.now() + TELL.last;
                }
                return { reads, gaveUp };
            },
            give: async (offset, bytes) => {
                const isSame = log.give(job, offset, bytes);
                await breathe();
                if (this.#stopped && !isOver()) await new Promise((resume) => (this.#resume = () => resume(null)));
                return isSame;
            },
        };
    }
}
