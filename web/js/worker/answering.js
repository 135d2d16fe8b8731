// Answering questions about a log that is open: what is drawn, what stands in tables, what is where, while it is read and afterwards.

import { CHANGED, ROUNDS } from "./following.js";
import { NotNow, Unreadable } from "./unreadable.js";
import { Pictures } from "./pictures.js";
import { eachOf } from "./image.js";
import { atOnce, breathe, giveBack } from "./reading.js";
import { FLAME_VIEWS } from "../protocol.js";
import { extentOf } from "../viewport.js";

/** How long the page may wait for an exact picture before it is given a coarse one, in ms: making either takes a part of
 * that, and a file on the machine's own disk is read sooner. */
const SOON = 80;

/** Rows of each table that a summary as text has at most. */
const MARKDOWN_ROWS = 30;

/** @typedef {import("../protocol.js").Request} Request */
/** @typedef {import("../../wasm/ghc-eventlog-wasm.js").Log} Log */

/**
 * The log that is asked about.
 * @typedef {object} Asked
 * @property {number} number of its opening
 * @property {Log} log
 * @property {import("./source.js").Source} source
 * @property {(reply: import("../protocol.js").Reply) => void} tell
 * @property {() => boolean} isRead whether it has been read, and is open
 * @property {() => boolean} isClosed
 * @property {() => void} follow has its threads followed, if they are not
 */

/** Work that was given up since nobody waits for it any more. */
class Overtaken extends Error {}

export class Answering {
    #log;
    #wasm;
    #pictures;
    /** The newest window asked for. */
    #window = 0;
    /** Counts the pictures of the whole log that were asked for. */
    #whole = 0;
    /** The newest range asked about. */
    #range = 0;
    /** The same, and what was asked. @type {Extract<Request, { kind: "range" }> | null} */
    #ranged = null;
    /** The newest question of each who asks. */
    #newest = [0, 0, 0, 0];
    /** What the page was told of parts of the log that it cannot have now. @type {Set<string>} */
    #missing = new Set();

    /** @param {Asked} log */
    constructor(log) {
        this.#log = log;
        this.#wasm = log.log;
        this.#pictures = new Pictures(log.log, log.isRead, log.isClosed);
    }

    #isRead() {
        return this.#log.isRead();
    }

    #isClosed() {
        return this.#log.isClosed();
    }

    /**
     * Shows a window, exactly if that is worth reading its part of the file again, unless a newer one has been asked for by
     * then. If that takes long it is shown as well as can be meanwhile; the page has what was shown before.
     * @param {Extract<Request, { kind: "window" }>} request
     */
    async window(request) {
        const { seq, from, to, width, bands } = request;
        const tracks = eachOf(request.tracks);
        this.#window = seq;
        // Newer ones may wait behind this one: then it is not worth its work.
        await breathe();
        if (seq !== this.#window || this.#isClosed()) return;
        const overtaken = () => seq !== this.#window || this.#isClosed();
        const reads = () => {
            if (this.#wasm.show_tracks(Float64Array.from(tracks, ({ id }) => id)) && this.#isRead()) this.#log.follow();
            return this.#wasm.plan(from, to, width).reads;
        };
        let isSupplied = false;
        /** @param {boolean} isLast whether no better one comes */
        const picture = (isLast) => this.#pictures.make({ from, to, width, tracks, bands }, () => overtaken() || isSupplied !== isLast);
        /** @param {boolean} isLast @param {import("../protocol.js").Strips | null} strips */
        const show = (isLast, strips) => strips && this.#log.tell({ kind: "window", opening: this.#log.number, seq, strips, isLast });
        /** Whether all that it needs is there. */
        const supply = async () => {
            try {
                return await this.#supplyAll(reads, overtaken);
            } catch (error) {
                this.failed(error);
                return false;
            }
        };
        const meanwhile = setTimeout(async () => show(false, await picture(false)), SOON);
        const isComplete = this.#isRead() && (await supply());
        clearTimeout(meanwhile);
        isSupplied = true;
        // Where it cannot be read again, as well as can be: somebody waits for it.
        const strips = await picture(true);
        // While it was made, others may have needed the room of what had been read for it.
        if (!isComplete || !strips || strips.exact || reads().length === 0) return show(true, strips);
        strips.image?.close();
        await supply();
        show(true, await picture(true));
    }

    /**
     * Shows the whole log, exactly if it is small and has been read, unless a newer picture has been asked for by then.
     * @param {Extract<Request, { kind: "whole" }>} request
     */
    async whole({ width, tracks: alike, bands }) {
        const tracks = eachOf(alike);
        const number = ++this.#whole;
        const overtaken = () => number !== this.#whole || this.#isClosed();
        if (overtaken()) return;
        const extent = extentOf(this.#wasm.status());
        if (!extent) return;
        const [from, to] = extent;
        try {
            const reads = () => {
                this.#wasm.show_tracks(new Float64Array());
                return this.#wasm.plan(from, to, width).reads;
            };
            if (this.#isRead()) await this.#supplyAll(reads, overtaken);
            const strips = await this.#pictures.make({ from, to, width, tracks, bands }, overtaken);
            if (strips) this.#log.tell({ kind: "whole", opening: this.#log.number, strips });
        } catch (error) {
            this.failed(error);
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
            if (!this.#isRead()) return;
            const facts = await this.#work(this.#wasm.range(from, to), overtaken, (job) => {
                if (!this.#wasm.take_range(job)) throw new Overtaken();
                return this.#wasm.facts(true);
            });
            this.#log.tell({ kind: "range", opening: this.#log.number, totals: { from, to, facts } });
        } catch (error) {
            this.failed(error);
        }
    }

    /** Tells of the range that was asked about last once more: there is more to be told. */
    rangeAgain() {
        if (this.#ranged) void this.range(this.#ranged);
    }

    /**
     * Answers with what is said of the log, or of the range that was summed up last, as Markdown.
     * @param {Extract<Request, { kind: "markdown" }>} request
     */
    async markdown({ id, range }) {
        this.#log.tell({ kind: "markdown", id, text: this.#asked(() => this.#wasm.markdown(range, MARKDOWN_ROWS)) });
    }

    /**
     * The answer to what needs nothing of the file; null if the log is closed, or there is none.
     * @template Answer
     * @param {() => Answer | null | undefined} ask
     * @returns {Answer | null}
     */
    #asked(ask) {
        return this.#isClosed() ? null : (ask() ?? null);
    }

    /**
     * Answers with a section's flame graph; with null if it is to be that of a range, and there is none.
     * @param {Extract<Request, { kind: "flame" }>} request
     */
    async flame({ id, section, range, view, frame, from, to, search, width }) {
        const flame = this.#asked(() => this.#wasm.flame(section, range, FLAME_VIEWS.indexOf(view), frame, from, to, search, width));
        this.#log.tell({ kind: "flame", id, flame: /** @type {import("../protocol.js").Flame | null} */ (flame) });
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
            if (this.#isClosed()) throw new Overtaken();
            if (!this.#wasm.reads_rows(table))
                page = this.#wasm.table(table, range ?? false, sort, down, filter, column, least, below, from, count);
            else {
                const job = this.#wasm.read_rows(table, range ?? false, filter, from, count);
                page =
                    (await this.#work(
                        job,
                        () => false,
                        (job) => this.#wasm.rows_read(job),
                    )) ?? null;
            }
        } catch (error) {
            this.failed(error);
        }
        this.#log.tell({ kind: "table", id, page });
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
            if (this.#isClosed()) throw new Overtaken();
            found = (await this.#work(ask(this.#wasm), overtaken, (job) => this.#wasm.found(job))) ?? null;
        } catch (error) {
            this.failed(error);
        }
        this.#log.tell({ kind: "answer", id, found });
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
        const log = this.#wasm;
        try {
            let [rounds, before] = [0, -1];
            // What is given is taken, or a longer look beyond its end is wanted, some few times.
            for (let { reads, done } = log.job(job); reads.length > 0 && rounds < ROUNDS; { reads, done } = log.job(job)) {
                rounds = done > before ? 0 : rounds + 1;
                before = done;
                await this.#readEach(reads, overtaken, (offset, bytes) => log.give(job, offset, bytes));
            }
            return answer(job);
        } finally {
            if (!this.#isClosed()) log.drop_job(job);
        }
    }

    /**
     * Supplies what is missing: what has been read may show that a bit more is needed. What is still missing then does not
     * fit into the cache all at once.
     * @param {() => [number, number][]} missing offsets and lengths
     * @param {() => boolean} overtaken
     * @returns {Promise<boolean>} whether nothing is missing any more
     */
    async #supplyAll(missing, overtaken) {
        for (let round = 0; round < ROUNDS; round++) {
            const reads = missing();
            if (reads.length === 0) return true;
            await this.#readEach(reads, overtaken, (offset, bytes) => this.#wasm.supply(offset, bytes));
        }
        return false;
    }

    /**
     * @param {[number, number][]} reads offsets and lengths
     * @param {() => boolean} overtaken
     * @param {(offset: number, bytes: Uint8Array) => boolean} give whether they are what was read there before
     */
    async #readEach(reads, overtaken, give) {
        await atOnce(reads, async ([offset, length]) => {
            const bytes = await this.part(offset, length, overtaken);
            const isSame = give(offset, bytes);
            giveBack(bytes);
            if (!isSame) throw new Unreadable(CHANGED);
        });
        if (this.#isClosed() || overtaken()) throw new Overtaken();
    }

    /**
     * Some of the file.
     * @param {number} offset
     * @param {number} length
     * @param {() => boolean} overtaken
     */
    async part(offset, length, overtaken) {
        if (overtaken()) throw new Overtaken();
        const bytes = await this.#log.source.range(offset, length, overtaken);
        if (!this.#isClosed() && bytes.length >= length) this.#came();
        if (!this.#isClosed() && !overtaken() && bytes.length >= length) return bytes;
        giveBack(bytes);
        if (this.#isClosed() || overtaken()) throw new Overtaken();
        // Asking again would ask for the same: the file has become shorter.
        throw new DOMException("it is too short", "NotReadableError");
    }

    /** @param {unknown} error */
    failed(error) {
        if (error instanceof Overtaken || this.#isClosed()) return;
        if (error instanceof NotNow) this.#missing.add(error.message);
        this.#log.tell({ kind: "trouble", opening: this.#log.number, text: reasonOf(error, this.#wasm) });
    }

    /** A part has come: the page need not say any more that it could not. */
    #came() {
        for (const text of this.#missing) this.#log.tell({ kind: "solved", opening: this.#log.number, text });
        this.#missing.clear();
    }
}

/**
 * Why a file cannot be read. Browsers tell no more than that it cannot: changed, removed and forbidden look alike.
 * @param {unknown} error
 * @param {Log | null} log as far as it has been read; null if it is closed
 */
export function reasonOf(error, log) {
    if (error instanceof Unreadable) return error.message;
    // After a failure in wasm, nothing can be asked of that.
    if (!(error instanceof DOMException)) throw error;
    const offset = log ? log.status().offset : 0;
    return `the file was changed or removed after it was opened (${error.name}); it could be read up to byte ${offset}. Open it again to see all of it`;
}
