// Reads a log once more, in order of time, to find out what its threads did. That may take long: it can be stopped and resumed.

import { breathe } from "./reading.js";
import { CHANGED, Overtaken, driveInTurn } from "./driver.js";
import { Unreadable } from "./unreadable.js";

/** The first report of progress comes after `first`, the others every `last` ms: with each, the page gets all figures anew. */
const TELL = { first: 150, last: 2000 };

/** What `Following` works with.
 * @typedef {object} Follows
 * @property {import("../../wasm/ghc-eventlog-wasm.js").Log} log
 * @property {() => import("./driver.js").InTurn} reader makes a reader of the log
 * @property {() => boolean} isClosed
 * @property {(done: boolean) => void} tell called when more is known about the log; `done`: when everything is
 * @property {(error: unknown) => void} failed
 */

export class Following {
    #follows;
    /** Whether it has begun and has not failed. */
    #begun = false;
    #share = 0;
    #stopped = false;
    #done = false;
    /** How often it began: work from an earlier time does not go on. */
    #times = 0;
    /** Resumes it. @type {(() => void) | null} */
    #resume = null;

    /** @param {Follows} follows */
    constructor(follows) {
        this.#follows = follows;
    }

    /** How far it is; undefined when nothing is left to do. @type {import("../protocol.js").Following | undefined} */
    get progress() {
        return this.#begun && !this.#done ? { share: this.#share, stopped: this.#stopped } : undefined;
    }

    /** Begins, unless it has begun already. */
    begin() {
        if (this.#begun) return;
        [this.#begun, this.#stopped] = [true, false];
        // Only starts after a pause, so that the report of the log comes first.
        void this.#goThrough();
    }

    /** Begins anew: what was found before no longer counts. */
    beginAgain() {
        this.#resume?.();
        [this.#begun, this.#done, this.#stopped, this.#share] = [false, false, false, 0];
        this.begin();
    }

    /** Stops it between two parts. */
    stop() {
        if (!this.progress) return;
        this.#stopped = true;
        this.#follows.tell(false);
    }

    /** Resumes it where it was stopped. */
    goOn() {
        if (!this.#stopped) return;
        this.#stopped = false;
        this.#follows.tell(false);
        this.#resume?.();
    }

    /** The log is closed: work that was stopped resumes, in order to end. */
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
            // The page must not wait for more.
            tell(false);
            failed(error);
        } finally {
            if (job !== undefined && !isClosed()) log.drop_job(job);
        }
    }

    /**
     * @param {number} job
     * @param {() => boolean} isOver whether it is no longer wanted
     */
    async #work(job, isOver) {
        if (!(await driveInTurn(this.#replay(job, isOver), this.#follows.reader(), isOver))) throw new Unreadable(CHANGED);
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
                // With many capabilities, some segments are read several times. How often is not known at first, so `of` grows: never show
                // a smaller share.
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
