// One log from when it is opened until it is closed: reads it, and reports to the page what is known. answers.js answers questions about
// it.

import { Askers } from "./askers.js";
import { Following } from "./following.js";
import { Parts, reasonOf } from "./log-parts.js";
import { Pictures } from "./pictures.js";
import { Turns } from "./turns.js";
import { totalsOf, work } from "./jobs.js";
import { lookAt } from "./looking.js";
import { placed } from "./named-rows.js";
import { breathe } from "./reading.js";
import { isRestThere, rest } from "./rest.js";
import { SentFacts } from "../facts.js";
import { ASKERS, HALF, PAGE } from "../protocol.js";

/**
 * The first report of progress comes after `first` ms, then each time that twice as much time has passed, at the latest after `last` ms.
 * With each, the whole picture is painted anew, which a machine with few cores feels.
 */
const PROGRESS = { first: 50, last: 1000 };

/** Bytes decoded at a time: a few ms of work, also where every event is a message, and at first, when wasm is slow. */
const BITE = 1 << 20;

/** Longest time without a pause, in ms, give or take a bite: no question waits for longer than a frame. */
const WORK = 4;

/** While a log of more bytes than this is read, reading waits for the page to draw what has come. */
const LONG = 64 << 20;

/** A log of up to this many bytes is reported only once, when it has been read. */
const SMALL = 1 << 20;

/** @typedef {import("../protocol.js").Group} Group */
/** @typedef {import("../protocol.js").Track} Track */
/** @typedef {import("../protocol.js").Pages} Pages */
/** @typedef {import("../../wasm/ghc-eventlog-wasm.js").Log} Log */

/**
 * The tracks in view before the page has reported them: the first ones of open groups.
 * @param {Group[]} groups
 * @returns {Pages[]}
 */
function opened(groups) {
    const open = groups.filter(({ tracks, open }) => open && tracks > 0);
    return open.map(({ key }) => ({ group: key, from: 0, count: PAGE }));
}

export class Opening {
    /** @type {"reading" | "stopping" | "naming" | "read" | "closed"} */
    #phase = "reading";
    /** The last `SpansWish`, as JSON; at first, that of a new log. */
    #spans = JSON.stringify([false, "", "", []]);
    /** Whether other words for spans were chosen while it is read: then it must be read once more to find the spans. */
    #isNamed = false;
    /** When the use of the capabilities is low, in percent: see `LogState`. */
    #lowUse = HALF;
    #begun = performance.now();
    /** The tracks that the page has in view, once it has reported them. @type {Pages[] | null} */
    #shown = null;
    /** The tracks whose places the page has asked for. @type {number[]} */
    #placed = [];
    /** Whether findings have been reported. */
    #hasFound = false;
    /** Whether a first look at a long log has been begun. */
    #looked = false;
    #sent = new SentFacts();
    #turns = new Turns();
    /** Finds out what its threads did. */
    #following;
    /** When to pause next. */
    #breathing = 0;
    /** When to report progress next. */
    #telling = this.#begun + PROGRESS.first;
    askers = new Askers();
    /** The range that was asked about last. @type {import("../protocol.js").View | null} */
    range = null;

    /**
     * @param {{ name: string, source: import("./source.js").Source }} file
     * @param {{ log: Log, arrangement: import("../../wasm/ghc-eventlog-wasm.js").Arrangement }} wasm the decoder of this log, and the
     *     arrangement of its rows
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
            reader: () => this.parts.ahead(),
            isClosed,
            tell: (done) => {
                this.#retell();
                // Now the facts about the range are complete, too.
                if (done) void this.#rangeAgain();
            },
            failed: (error) => this.parts.failed(error),
        });
    }

    /** Whether reading has ended and it is open. */
    get isRead() {
        return this.#phase === "read";
    }

    get isClosed() {
        return this.#phase === "closed";
    }

    /**
     * A question about it begins.
     * @param {string | undefined} asker
     * @returns {() => boolean} whether the answer is no longer wanted
     */
    begin(asker) {
        const isOvertaken = this.askers.begin(asker);
        return () => this.isClosed || isOvertaken();
    }

    /** Reads the whole file, or until `stop`. */
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
        if (this.log.lacks_names()) {
            this.#phase = "naming";
            const failed = await this.#readNames();
            if (this.isClosed) return;
            trouble ||= failed;
        }
        this.#phase = "read";
        trouble ||= this.source.broken;
        this.#conclude(trouble);
    }

    /** Reads the names again that were too many to be kept at first. Returns why that failed, if it did. */
    async #readNames() {
        try {
            await rest();
            if (this.isClosed) return "";
            await work(
                this,
                this.log.late_names(),
                () => this.isClosed,
                () => {},
            );
            return "";
        } catch (error) {
            return this.isClosed ? "" : reasonOf(error, this.log);
        }
    }

    /**
     * Gives a piece to the decoder, bite by bite; returns whether to go on.
     * @param {Uint8Array} piece
     */
    async #feed(piece) {
        for (let from = 0; from < piece.length; from += BITE) {
            if (performance.now() >= this.#breathing) {
                await Promise.all([breathe(), this.#turns.own()]);
                this.#breathing = performance.now() + WORK;
            }
            // The log may have been closed meanwhile.
            if (this.#phase !== "reading") return false;
            this.log.feed(piece.subarray(from, from + BITE));
            if (this.log.status().error) return false;
            if (this.#isLongerThan(SMALL) && performance.now() >= this.#telling) this.#tellProgress();
        }
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

    /** Looks at a few places of a long log while it is being read, so that the page can show all of it at once, without detail. */
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
        // For a long log, or one that a server would have to send again, only once the page wants to show threads.
        if (this.#isNamed || (this.source.from && !this.#isLongerThan(LONG))) this.#following.begin();
        this.tell("ready", { ...log, following: this.#following.progress });
        if (trouble) this.tell("trouble", trouble);
    }

    /**
     * The page shows these sections of the facts; null for all.
     * @param {string[] | null} sections
     */
    show(sections) {
        if (this.#sent.want(sections) && this.#isGrowing) this.tell(this.isRead ? "ready" : "progress", this.#info());
    }

    /** Whether a report will follow without being asked for. */
    get #isGrowing() {
        const { progress } = this.#following;
        return this.isRead ? progress !== undefined && !progress.stopped : !this.isClosed;
    }

    /** Reports everything known once more. */
    #retell() {
        if (this.isRead) this.tell("ready", this.#info());
    }

    /** Reports the range that was asked about last once more: more is known now. */
    async #rangeAgain() {
        if (!this.range) return;
        try {
            const totals = await totalsOf(this, this.range, this.begin(ASKERS.range?.(this.range)));
            if (totals) this.tell("range", totals);
        } catch (error) {
            this.parts.failed(error);
        }
    }

    /** The page wants to show its threads: begins to follow them, if that has not begun. */
    followThreads() {
        this.#following.begin();
    }

    /**
     * Begins to follow the threads, resumes it, or stops it.
     * @param {boolean} on
     */
    follow(on) {
        if (!on) return this.#following.stop();
        if (!this.isRead) return;
        this.#following.begin();
        this.#following.goOn();
    }

    /**
     * Chooses the rows of threads and their order.
     * @param {import("../wishes.js").ThreadRows} rows
     */
    arrange({ order, text, state, presence, inRange, byLabel, unfolded }) {
        if (this.isClosed) return;
        this.arrangement.threads(order, text, state ?? undefined, presence, inRange, byLabel, Float64Array.from(unfolded));
        this.#retell();
    }

    /**
     * Chooses the rows of the program's own spans and counters, and the label with a histogram.
     * @param {import("../wishes.js").SpansWish} spans
     */
    arrangeSpans({ byThread, label, words, hidden }) {
        const wish = JSON.stringify([byThread, label, words, hidden]);
        if (this.isClosed || wish === this.#spans) return;
        this.#spans = wish;
        this.arrangement.spans(byThread, label);
        this.arrangement.hide_counters(hidden);
        const isNew = this.log.name_spans(words);
        // For a log that is being read, after that.
        this.#isNamed ||= isNew;
        if (isNew && this.isRead) this.#following.beginAgain();
        this.#retell();
        // The facts about a range contain the label's histogram, too.
        if (!this.#following.progress) void this.#rangeAgain();
    }

    /**
     * Chooses when the use of the capabilities is low.
     * @param {number} percent
     */
    lowUse(percent) {
        if (this.isClosed || percent === this.#lowUse) return;
        this.#lowUse = percent;
        this.arrangement.low_use(percent);
        this.#retell();
    }

    /** More is known by what was asked for: names of info tables from another log, or instances of a label. */
    renewed() {
        this.#retell();
        void this.#rangeAgain();
    }

    #info() {
        const { log, arrangement } = this;
        const facts = log.facts(arrangement, false);
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
            placed: placed(this, this.#placed),
            process: log.process(),
            facts: this.#isGrowing ? this.#sent.abridge(facts) : facts,
            notices: log.notices(),
            ...this.#findings(),
        };
    }

    /**
     * What was found, and where the time went: when it has been read, and again when nothing more will become known. They take as long as
     * the facts.
     * @returns {Pick<import("../protocol.js").LogInfo, "findings" | "account">}
     */
    #findings() {
        if (!this.isRead || (this.#hasFound && this.#isGrowing)) return {};
        if (!isRestThere()) {
            void this.#tellWithRest();
            return {};
        }
        this.#hasFound = true;
        return { findings: this.log.findings(), account: this.log.account(false) };
    }

    /** Reports once more when the wasm that makes findings has come. */
    async #tellWithRest() {
        try {
            await rest();
            this.#retell();
        } catch (error) {
            this.parts.failed(error);
        }
    }

    /**
     * @param {Pages[]} pages
     * @returns {import("../protocol.js").TrackPage[]}
     */
    #pages(pages) {
        return pages.map(({ group, from, count }) => ({ group, from, tracks: this.log.tracks_of(this.arrangement, group, from, count) }));
    }

    /**
     * Notes the tracks in view: from now on, reports contain them. Returns those that the page lacks.
     * @param {Pages[]} shown
     * @param {Pages[]} missing
     */
    rows(shown, missing) {
        this.#shown = shown;
        return this.isClosed ? [] : this.#pages(missing);
    }

    /**
     * Notes tracks: from now on, reports say where they are. Returns their places.
     * @param {number[]} tracks
     */
    places(tracks) {
        this.#placed = tracks;
        return this.isClosed ? [] : placed(this, tracks);
    }

    /** The page has drawn what it received. */
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
            // After a failure in wasm the log is still borrowed and cannot be freed; what follows does not need it.
        }
    }
}
