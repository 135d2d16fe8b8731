// One log from being opened to being closed: reading it, and answering questions about it meanwhile and afterwards.

import { atOnce, breathe } from "./reading.js";
import { imageOf } from "./image.js";
import { lookAt } from "./looking.js";
import { CHANGED, Following, ROUNDS } from "./following.js";
import { ReadAhead } from "./read-ahead.js";
import { Turns } from "./turns.js";
import { Unreadable } from "./unreadable.js";
import { FLAME_VIEWS, PAGE } from "../protocol.js";
import { extentOf } from "../viewport.js";

/** How soon and how seldom progress is told, in ms: in between, whenever twice as much time has passed. Each telling has the
 * whole picture painted anew, which is felt on a machine of few cores. */
const PROGRESS = { first: 50, last: 1000 };

/** Bytes decoded in one go: a few ms of work. */
const BITE = 2 << 20;

/** How long is worked without a pause, in ms, a bite apart: a question never waits for longer than a frame. */
const WORK = 4;

/** How long the page may wait for an exact picture before it is given a coarse one, in ms: making either takes a part of
 * that, and a file on the machine's own disk is read sooner. */
const SOON = 80;

/** A log of more than this many bytes is read in turns with the page, which draws what has come. */
const LONG = 64 << 20;

/** Rows of each table that a summary as text has at most. */
const MARKDOWN_ROWS = 30;

/** A log of up to this many bytes is told of once, when it is read. */
const SMALL = 1 << 20;

/** @typedef {import("../protocol.js").Reply} Reply */
/** @typedef {import("../protocol.js").Strips} Strips */
/** @typedef {import("../protocol.js").Strip} Strip */
/** @typedef {import("../protocol.js").Request} Request */
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

/** Work that was given up since nobody waits for it any more. */
class Overtaken extends Error {}

export class Opening {
    /** @type {"reading" | "stopping" | "read" | "closed"} */
    #phase = "reading";
    /** Whether other words for spans were chosen since it is being read: which it has, only going through it once more tells. */
    #isNamed = false;
    /** The newest window asked for. */
    #window = 0;
    /** Counts the pictures of the whole log that were asked for. */
    #whole = 0;
    /** The newest range asked about. */
    #range = 0;
    /** The newest question of each who asks. */
    #newest = [0, 0, 0, 0];
    #begun = performance.now();
    /** The tracks that the page has in view, once it has said so. @type {Pages[] | null} */
    #shown = null;
    /** Whether a first look at a long log has been begun. */
    #looked = false;
    #turns = new Turns();
    /** What its threads did. */
    #following;
    /** The range that was asked about last. @type {Extract<Request, { kind: "range" }> | null} */
    #ranged = null;
    /** When there is a pause next. */
    #breathing = 0;
    /** When progress is told next. */
    #telling = this.#begun + PROGRESS.first;

    /**
     * @param {number} number
     * @param {{ name: string, source: import("./source.js").Source }} file
     * @param {Log} log
     * @param {(reply: Reply) => void} tell
     * @param {() => Promise<void>} complete waits until all of the wasm is there
     */
    constructor(number, { name, source }, log, tell, complete) {
        this.number = number;
        this.name = name;
        this.source = source;
        this.log = log;
        this.tell = tell;
        this.complete = complete;
        const isClosed = () => this.#phase === "closed";
        this.#following = new Following({
            log,
            reader: () => {
                /** @type {import("./read-ahead.js").Read} */
                const read = (offset, length) => this.#readOne(offset, length, isClosed);
                if (!source.near) return read;
                const ahead = new ReadAhead(read, log.status().offset);
                return (offset, length) => ahead.part(offset, length);
            },
            isClosed,
            tell: (done) => {
                this.#retell();
                // Now it can be told of the range, too.
                if (done && this.#ranged) void this.range(this.#ranged);
            },
            failed: (error) => this.#questionFailed(error),
        });
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
            trouble = this.#readingFailed(error);
        }
        if (this.#phase === "closed") return;
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
        this.tell({ kind: "progress", opening: this.number, log: this.#info() });
        if (this.#isLongerThan(LONG)) this.#turns.give();
    }

    /** Looks at a few places of a long log while it is read, so that all of it can be seen at once, if not closely. */
    async #lookAhead() {
        /** @type {import("./looking.js").Look[] | undefined} */
        const looks = this.log.looks(this.source.size);
        this.#looked = looks !== undefined;
        if (!looks?.length) return;
        await lookAt(looks, this.log, this.source, () => this.#phase === "reading");
        if (this.#phase === "reading") this.#tellProgress();
    }

    /** @param {string} trouble */
    #conclude(trouble) {
        const log = this.#info();
        const error = log.status.error || log.status.events === 0 ? trouble || log.status.error : "";
        if (error) {
            this.tell({ kind: "failed", opening: this.number, text: error });
            return;
        }
        // Of a long one, or one that would have to be asked for again, once somebody wants to see that.
        if (this.#isNamed || (this.source.near && !this.#isLongerThan(LONG))) this.#following.begin();
        this.tell({ kind: "ready", opening: this.number, log: { ...log, following: this.#following.progress } });
        if (trouble) this.tell({ kind: "trouble", opening: this.number, text: trouble });
    }

    #isRead() {
        return this.#phase === "read";
    }

    /** All is told once more. */
    #retell() {
        if (this.#isRead()) this.tell({ kind: "ready", opening: this.number, log: this.#info() });
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
        if (this.#phase === "closed") return;
        this.log.arrange_threads(order, text, state ?? undefined, presence, inRange, byLabel, Float64Array.from(unfolded));
        this.#retell();
    }

    /**
     * Which rows the program's own spans have from now on, and what else is told of them.
     * @param {import("../protocol.js").SpansWish} spans
     */
    arrangeSpans({ byThread, label, begin, end }) {
        if (this.#phase === "closed") return;
        const isNew = this.log.arrange_spans(byThread, label, begin, end);
        // Of a log that is being read, once it has been.
        this.#isNamed ||= isNew;
        if (isNew && this.#isRead()) this.#following.beginAgain();
        this.#retell();
        // What is told of a range has the label's histogram, too.
        if (this.#ranged && !this.#following.progress) void this.range(this.#ranged);
    }

    #info() {
        const { log } = this;
        /** @type {{ groups: Group[], whole?: Track }} */
        const { groups, whole } = log.tree();
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
            facts: log.facts(false),
            notices: log.notices(),
        };
    }

    /**
     * @param {Pages[]} pages
     * @returns {import("../protocol.js").TrackPage[]}
     */
    #pages(pages) {
        return pages.map(({ group, from, count }) => ({ group, from, tracks: this.log.tracks_of(group, from, count) }));
    }

    /**
     * Some tracks are in view from now on: they are told of with all progress. Gives those that are missing.
     * @param {Pages[]} shown
     * @param {Pages[]} missing
     */
    rows(shown, missing) {
        this.#shown = shown;
        return this.#phase === "closed" ? [] : this.#pages(missing);
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
        if (this.#phase === "closed") return;
        this.#phase = "closed";
        try {
            this.log.free();
        } catch {
            // After a failure in wasm it is still borrowed; what comes next does not need it.
        }
    }

    /**
     * Shows a window, exactly if that is worth reading its part of the file again, unless a newer one has been asked for by
     * then. If that takes long it is shown as well as can be meanwhile; the page has what was shown before.
     * @param {Extract<Request, { kind: "window" }>} request
     */
    async window(request) {
        const { seq, from, to, width, tracks, bands } = request;
        this.#window = seq;
        // Newer ones may wait behind this one: then it is not worth its work.
        await breathe();
        if (seq !== this.#window || this.#phase === "closed") return;
        const overtaken = () => seq !== this.#window || this.#phase === "closed";
        const reads = () => {
            if (this.log.show_tracks(Float64Array.from(tracks, ({ id }) => id)) && this.#isRead()) this.#following.begin();
            return this.log.plan(from, to, width).reads;
        };
        const show = () => {
            if (overtaken()) return;
            const strips = this.#strips(from, to, width, tracks, bands);
            this.tell({ kind: "window", opening: this.number, seq, strips });
        };
        if (this.#phase !== "read") return show();
        const meanwhile = setTimeout(show, SOON);
        try {
            await this.#supplyAll(reads, overtaken);
            show();
        } catch (error) {
            this.#questionFailed(error);
        } finally {
            clearTimeout(meanwhile);
        }
    }

    /**
     * Shows the whole log, exactly if it is small and has been read, unless a newer picture has been asked for by then.
     * @param {Extract<Request, { kind: "whole" }>} request
     */
    async whole({ width, tracks, bands }) {
        const number = ++this.#whole;
        const overtaken = () => number !== this.#whole || this.#phase === "closed";
        if (overtaken()) return;
        const extent = extentOf(this.log.status());
        if (!extent) return;
        const [from, to] = extent;
        try {
            this.log.show_tracks(new Float64Array());
            if (this.#phase === "read") await this.#supplyAll(() => this.log.plan(from, to, width).reads, overtaken);
            if (overtaken()) return;
            this.tell({ kind: "whole", opening: this.number, strips: this.#strips(from, to, width, tracks, bands) });
        } catch (error) {
            this.#questionFailed(error);
        }
    }

    /**
     * Tells what the tracks did from one time to another, unless a newer question has come by then.
     * @param {Extract<Request, { kind: "range" }>} request
     */
    async range(request) {
        const { seq, from, to } = request;
        [this.#range, this.#ranged] = [seq, request];
        const overtaken = () => seq !== this.#range;
        try {
            if (this.#phase !== "read") return;
            const facts = await this.#work(this.log.range(from, to), overtaken, (job) => {
                if (!this.log.take_range(job)) throw new Overtaken();
                return this.log.facts(true);
            });
            this.tell({ kind: "range", opening: this.number, totals: { from, to, facts } });
        } catch (error) {
            this.#questionFailed(error);
        }
    }

    /**
     * Answers with what is said of the log, or of the range that was summed up last, as Markdown.
     * @param {Extract<Request, { kind: "markdown" }>} request
     */
    async markdown({ id, range }) {
        this.tell({ kind: "markdown", id, text: await this.#asked(() => this.log.markdown(range, MARKDOWN_ROWS)) });
    }

    /**
     * What all of the wasm is needed for; null where it could not be loaded, which is told.
     * @template Answer
     * @param {() => Answer | null | undefined} ask
     * @returns {Promise<Answer | null>}
     */
    async #asked(ask) {
        try {
            await this.#all();
            return ask() ?? null;
        } catch (error) {
            this.#questionFailed(error);
            return null;
        }
    }

    /** Waits until all of the wasm is there. */
    async #all() {
        if (this.#phase !== "closed") await this.complete();
        if (this.#phase === "closed") throw new Overtaken();
    }

    /**
     * Answers with a section's flame graph; with null if it is to be that of a range, and there is none.
     * @param {Extract<Request, { kind: "flame" }>} request
     */
    async flame({ id, section, range, view, frame, from, to, search, width }) {
        const flame = await this.#asked(() => this.log.flame(section, range, FLAME_VIEWS.indexOf(view), frame, from, to, search, width));
        this.tell({ kind: "flame", id, flame: /** @type {import("../protocol.js").Flame | null} */ (flame) });
    }

    /**
     * Some rows of a table. For most of them nothing needs to be read.
     * @param {Extract<Request, { kind: "table" }>} request
     */
    async table({ id, table, range, sort, down, filter, within, from, count }) {
        const { column, from: least, to: below } = within ?? { column: "", from: 0, to: 0 };
        /** @type {import("../protocol.js").TablePage | null} */
        let page = null;
        try {
            if (this.#phase === "closed") throw new Overtaken();
            if (!this.log.reads_rows(table)) page = this.log.table(table, range ?? false, sort, down, filter, column, least, below, from, count);
            else {
                await this.#all();
                const job = this.log.read_rows(table, range ?? false, filter, from, count);
                page = (await this.#work(job, () => false, (job) => this.log.rows_read(job))) ?? null;
            }
        } catch (error) {
            this.#questionFailed(error);
        }
        this.tell({ kind: "table", id, page });
    }

    /**
     * @param {number} from
     * @param {number} to
     * @param {number} width
     * @param {import("../protocol.js").Painted[]} painted
     * @param {import("../protocol.js").BandsWish} bands
     * @returns {Strips}
     */
    #strips(from, to, width, painted, bands) {
        this.log.show_bands(bands.order, bands.count);
        this.log.show_tracks(Float64Array.from(painted, ({ id }) => id));
        const shown = this.log.plan(from, to, width);
        /** @type {Map<number, Strip>} */
        const tracks = new Map(painted.map(({ id }) => [id, /** @type {Strip} */ (this.log.window(id, from, to, width))]));
        // What is kept in rows is never read again: it is as exact as it will be.
        const exact = [...tracks.values()].every((strip) => strip.exact || strip.states === 0);
        return { from: shown.from, to: shown.to, width, exact, tracks, ...imageOf(tracks, painted, width) };
    }

    /**
     * Answers a question, reading from the file what that needs, unless a newer one of the same asker has come by then.
     * @param {number} id
     * @param {import("../protocol.js").Asker} asker
     * @param {(log: Log) => number} ask begins the job
     */
    async answer(id, asker, ask) {
        /** @type {import("../protocol.js").Found | null} */
        let found = null;
        this.#newest[asker] = id;
        const overtaken = () => id !== this.#newest[asker];
        try {
            if (this.#phase === "closed") throw new Overtaken();
            found = (await this.#work(ask(this.log), overtaken, (job) => this.log.found(job))) ?? null;
        } catch (error) {
            this.#questionFailed(error);
        }
        this.tell({ kind: "answer", id, found });
    }

    /**
     * Works on a job until it wants nothing more; then it is dropped, as it is when it is overtaken.
     * @template Answer
     * @param {number | undefined} job
     * @param {() => boolean} overtaken
     * @param {(job: number) => Answer} answer
     */
    async #work(job, overtaken, answer) {
        if (job === undefined) throw new Overtaken();
        const { log } = this;
        try {
            let [rounds, before] = [0, -1];
            // What is given is taken, or a longer look beyond its end is wanted, some few times.
            for (let { reads, event, done } = log.job(job); reads.length > 0 && rounds < ROUNDS; { reads, event, done } = log.job(job)) {
                rounds = done > before ? 0 : rounds + 1;
                before = done;
                if (event) await this.#all();
                await this.#readEach(reads, overtaken, (offset, bytes) => log.give(job, offset, bytes));
            }
            return answer(job);
        } finally {
            if (this.#phase !== "closed") log.drop_job(job);
        }
    }

    /**
     * Supplies what is missing: what has been read may show that a bit more is needed. What is still missing then does not
     * fit into the cache all at once.
     * @param {() => [number, number][]} missing offsets and lengths
     * @param {() => boolean} overtaken
     */
    async #supplyAll(missing, overtaken) {
        for (let round = 0; round < ROUNDS; round++) {
            const reads = missing();
            if (reads.length === 0) return;
            await this.#readEach(reads, overtaken, (offset, bytes) => this.log.supply(offset, bytes));
        }
    }

    /**
     * @param {[number, number][]} reads offsets and lengths
     * @param {() => boolean} overtaken
     * @param {(offset: number, bytes: Uint8Array) => boolean} give whether they are what was read there before
     */
    async #readEach(reads, overtaken, give) {
        await atOnce(reads, async ([offset, length]) => {
            const bytes = await this.#readOne(offset, length, overtaken);
            if (!give(offset, bytes)) throw new Unreadable(CHANGED);
        });
        if (this.#phase === "closed" || overtaken()) throw new Overtaken();
    }

    /**
     * @param {number} offset
     * @param {number} length
     * @param {() => boolean} overtaken
     */
    async #readOne(offset, length, overtaken) {
        if (overtaken()) throw new Overtaken();
        const bytes = await this.source.range(offset, length, overtaken);
        if (this.#phase === "closed" || overtaken()) throw new Overtaken();
        // Asking again would ask for the same: the file has become shorter.
        if (bytes.length < length) throw new DOMException("it is too short", "NotReadableError");
        return bytes;
    }

    /** @param {unknown} error */
    #questionFailed(error) {
        if (error instanceof Overtaken || this.#phase === "closed") return;
        this.tell({ kind: "trouble", opening: this.number, text: this.#readingFailed(error) });
    }

    /**
     * Why a file cannot be read. Browsers tell no more than that it cannot: changed, removed and forbidden look alike.
     * @param {unknown} error
     */
    #readingFailed(error) {
        if (error instanceof Unreadable) return error.message;
        if (!(error instanceof DOMException)) throw error;
        const offset = this.#phase === "closed" ? 0 : this.log.status().offset;
        return `the file was changed or removed after it was opened (${error.name}); it could be read up to byte ${offset}. Open it again to see all of it`;
    }
}
