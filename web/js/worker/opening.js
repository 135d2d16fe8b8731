// One log from being opened to being closed: reading it, and telling of it. Questions about it are answered by answers.js.

import { Askers } from "./askers.js";
import { Following } from "./following.js";
import { Parts, reasonOf } from "./log-parts.js";
import { Pictures } from "./pictures.js";
import { ReadAhead } from "./read-ahead.js";
import { Turns } from "./turns.js";
import { totalsOf } from "./jobs.js";
import { lookAt } from "./looking.js";
import { breathe } from "./reading.js";
import { ASKERS, FIRST_WORDS, PAGE } from "../protocol.js";

/** How soon and how seldom progress is told, in ms: in between, whenever twice as much time has passed. Each telling has the
 * whole picture painted anew, which is felt on a machine of few cores. */
const PROGRESS = { first: 50, last: 1000 };

/** Bytes decoded in one go: a few ms of work. */
const BITE = 2 << 20;

/** How long is worked without a pause, in ms, a bite apart: a question never waits for longer than a frame. */
const WORK = 4;

/** A log of more than this many bytes is read in turns with the page, which draws what has come. */
const LONG = 64 << 20;

/** A log of up to this many bytes is told of once, when it is read. */
const SMALL = 1 << 20;

/** @typedef {import("../protocol.js").Group} Group */
/** @typedef {import("../protocol.js").Track} Track */
/** @typedef {import("../protocol.js").Pages} Pages */
/** @typedef {import("../../wasm/ghc-eventlog-wasm.js").Log} Log */

/**
 * What is in view before the page has said so: the first tracks of groups that are open.
 * @param {Group[]} groups
 * @returns {Pages[]}
 */
function opened(groups) {
    const open = groups.filter(({ tracks, open }) => open && tracks > 0);
    return open.map(({ key }) => ({ group: key, from: 0, count: PAGE }));
}

export class Opening {
    /** @type {"reading" | "stopping" | "read" | "closed"} */
    #phase = "reading";
    /** Which rows of spans it has, and what else is told of them: at first, what every log begins with. */
    #spans = JSON.stringify([false, "", FIRST_WORDS.begin, FIRST_WORDS.end]);
    /** Whether other words for spans were chosen since it is being read: which it has, only going through it once more tells. */
    #isNamed = false;
    #begun = performance.now();
    /** The tracks that the page has in view, once it has said so. @type {Pages[] | null} */
    #shown = null;
    /** Whether a first look at a long log has been begun. */
    #looked = false;
    #turns = new Turns();
    /** What its threads did. */
    #following;
    /** When there is a pause next. */
    #breathing = 0;
    /** When progress is told next. */
    #telling = this.#begun + PROGRESS.first;
    askers = new Askers();
    /** The range that was asked about last. @type {import("../protocol.js").View | null} */
    range = null;

    /**
     * @param {{ name: string, source: import("./source.js").Source }} file
     * @param {{ log: Log, arrangement: import("../../wasm/ghc-eventlog-wasm.js").Arrangement }} wasm the log's own, and how its rows are arranged
     * @param {import("./wanted.js").Tell} tell
     */
    constructor({ name, source }, { log, arrangement }, tell) {
        this.name = name;
        this.source = source;
        this.log = log;
        this.arrangement = arrangement;
        this.tell = tell;
        const isClosed = () => this.isClosed;
        this.parts = new Parts(log, source, tell, isClosed);
        this.pictures = new Pictures(log, arrangement, () => this.isRead, isClosed);
        this.#following = new Following({
            log,
            reader: () => {
                /** @type {import("./read-ahead.js").Readable["range"]} */
                const range = (offset, length) => this.parts.part(offset, length, isClosed);
                const from = source.from?.bind(source);
                if (!from) return { part: range, end: async () => {} };
                return new ReadAhead({ size: log.status().offset, from, range });
            },
            isClosed,
            tell: (done) => {
                this.#retell();
                // Now it can be told of the range, too.
                if (done) void this.#rangeAgain();
            },
            failed: (error) => this.parts.failed(error),
        });
    }

    /** Whether it has been read, and is open. */
    get isRead() {
        return this.#phase === "read";
    }

    get isClosed() {
        return this.#phase === "closed";
    }

    /**
     * Somebody asks about it.
     * @param {string | undefined} asker
     * @returns {() => boolean} whether nobody waits for the answer any more
     */
    begin(asker) {
        const isOvertaken = this.askers.begin(asker);
        return () => this.isClosed || isOvertaken();
    }

    /** Reads the whole file, or as much as is wanted. */
    async read() {
        let trouble = "";
        try {
            for await (const piece of this.source.pieces()) {
                if (!(await this.#feed(piece))) break;
                if (!this.#looked && this.source.seekable) void this.#lookAhead();
            }
        } catch (error) {
            trouble = reasonOf(error, this.isClosed ? null : this.log);
        }
        if (this.isClosed) return;
        this.log.finish(this.#phase === "stopping" || trouble !== "");
        this.#phase = "read";
        trouble ||= this.source.broken;
        this.#conclude(trouble);
    }

    /**
     * Gives a piece to the log, bite by bite; whether to go on.
     * @param {Uint8Array} piece
     */
    async #feed(piece) {
        for (let from = 0; from < piece.length; from += BITE) {
            // It may have been closed while the piece was read.
            if (this.#phase !== "reading") return false;
            this.log.feed(piece.subarray(from, from + BITE));
            if (performance.now() < this.#breathing) continue;
            await Promise.all([breathe(), this.#turns.own()]);
            this.#breathing = performance.now() + WORK;
        }
        if (this.#phase !== "reading") return false;
        if (this.log.status().error) return false;
        if (this.#isLongerThan(SMALL) && performance.now() >= this.#telling) this.#tellProgress();
        return true;
    }

    /** @param {number} bytes */
    #isLongerThan(bytes) {
        return Math.max(this.source.size, this.source.used) > bytes;
    }

    #tellProgress() {
        const now = performance.now();
        this.#telling = now + Math.min(Math.max(now - this.#begun, PROGRESS.first), PROGRESS.last);
        this.tell("progress", this.#info());
        if (this.#isLongerThan(LONG)) this.#turns.give();
    }

    /** Looks at a few places of a long log while it is read, so that all of it can be seen at once, if not closely. */
    async #lookAhead() {
        /** @type {import("./looking.js").Look[] | undefined} */
        const looks = this.log.looks(this.source.size);
        this.#looked = looks !== undefined;
        if (!looks?.length) return;
        await lookAt(
            looks,
            this.log,
            this.parts.reader(() => this.#phase !== "reading"),
        );
        if (this.#phase === "reading") this.#tellProgress();
    }

    /** @param {string} trouble */
    #conclude(trouble) {
        const log = this.#info();
        const error = log.status.error || log.status.events === 0 ? trouble || log.status.error : "";
        if (error) {
            this.tell("failed", error);
            return;
        }
        // Of a long one, or one that would have to be asked for again, once somebody wants to see that.
        if (this.#isNamed || (this.source.from && !this.#isLongerThan(LONG))) this.#following.begin();
        this.tell("ready", { ...log, following: this.#following.progress });
        if (trouble) this.tell("trouble", trouble);
    }

    /** All is told once more. */
    #retell() {
        if (this.isRead) this.tell("ready", this.#info());
    }

    /** Tells of the range that was asked about last once more: there is more to be told. */
    async #rangeAgain() {
        if (!this.range) return;
        try {
            const totals = await totalsOf(this, this.range, this.begin(ASKERS.range?.(this.range)));
            if (totals) this.tell("range", totals);
        } catch (error) {
            this.parts.failed(error);
        }
    }

    /** Its threads are wanted: they are followed, if they are not. */
    followThreads() {
        this.#following.begin();
    }

    /**
     * Follows the threads further, or no further.
     * @param {boolean} on
     */
    follow(on) {
        if (on) this.#following.goOn();
        else this.#following.stop();
    }

    /**
     * Which rows threads have from now on, and in which order.
     * @param {import("../protocol.js").ThreadRows} rows
     */
    arrange({ order, text, state, presence, inRange, byLabel, unfolded }) {
        if (this.isClosed) return;
        this.arrangement.threads(order, text, state ?? undefined, presence, inRange, byLabel, Float64Array.from(unfolded));
        this.#retell();
    }

    /**
     * Which rows the program's own spans have from now on, and what else is told of them.
     * @param {import("../protocol.js").SpansWish} spans
     */
    arrangeSpans({ byThread, label, begin, end }) {
        const wish = JSON.stringify([byThread, label, begin, end]);
        if (this.isClosed || wish === this.#spans) return;
        this.#spans = wish;
        this.arrangement.spans(byThread, label);
        const isNew = this.log.name_spans(begin, end);
        // Of a log that is being read, once it has been.
        this.#isNamed ||= isNew;
        if (isNew && this.isRead) this.#following.beginAgain();
        this.#retell();
        // What is told of a range has the label's histogram, too.
        if (!this.#following.progress) void this.#rangeAgain();
    }

    #info() {
        const { log, arrangement } = this;
        /** @type {{ groups: Group[], whole?: Track }} */
        const { groups, whole } = log.tree(arrangement);
        return {
            name: this.name,
            size: this.source.size,
            packed: this.source.packed,
            read: this.source.used,
            status: log.status(),
            groups,
            whole,
            following: this.#following.progress,
            pages: this.#pages(this.#shown ?? opened(groups)),
            process: log.process(),
            facts: log.facts(arrangement, false),
            notices: log.notices(),
        };
    }

    /**
     * @param {Pages[]} pages
     * @returns {import("../protocol.js").TrackPage[]}
     */
    #pages(pages) {
        return pages.map(({ group, from, count }) => ({ group, from, tracks: this.log.tracks_of(this.arrangement, group, from, count) }));
    }

    /**
     * Some tracks are in view from now on: they are told of with all progress. Gives those that are missing.
     * @param {Pages[]} shown
     * @param {Pages[]} missing
     */
    rows(shown, missing) {
        this.#shown = shown;
        return this.isClosed ? [] : this.#pages(missing);
    }

    /** The page has drawn what it was told. */
    drawn() {
        this.#turns.take();
    }

    /** Reads no further; what has been read stays. */
    stop() {
        if (this.#phase !== "reading") return;
        this.#phase = "stopping";
        this.source.stop?.();
    }

    /** Forgets the log. */
    close() {
        if (this.isClosed) return;
        this.#phase = "closed";
        this.#following.end();
        try {
            this.log.free();
            this.arrangement.free();
        } catch {
            // After a failure in wasm it is still borrowed; what comes next does not need it.
        }
    }
}
