// The page's end of the line to the worker.

import { Watch } from "./watch.js";
import { dispatch } from "./protocol.js";
import { startWorker } from "./parts.js";

/** @typedef {import("./protocol.js").Request} Request */
/** @typedef {import("./protocol.js").Reply} Reply */
/** @typedef {import("./protocol.js").Found} Found */
/** @typedef {import("./protocol.js").TablePage} TablePage */
/** @typedef {import("./protocol.js").TrackPage} TrackPage */
/** @typedef {Exclude<Reply, { kind: "answer" | "table" | "flame" | "markdown" | "packing" | "packed" | "rows" | "pong" | "broken" }>} Event */
/** @typedef {{ track: number, time: number }} Point */
/**
 * A pixel of a track, and the time that it stands for; of one with bands, the number and the role of that under it.
 * @typedef {{ track: number, from: number, to: number, part?: number, role?: string }} Pixel
 */

export class Client {
    #wasm;
    #handlers;
    #ended;
    #watch;
    /** @type {Worker | null} none after the last one died, until something is to be opened */
    #worker;
    /** The numbers of what is open, and of those that are being read. @type {Set<number>} */
    #open = new Set();
    /** @type {Set<number>} */
    #reading = new Set();
    /** The number of the log that questions are about. */
    #shown = 0;
    /** @type {Map<number, (answer: any) => void>} */
    #questions = new Map();
    /** Those who wait for a packed log are told how much of it there is, by their questions' numbers. @type {Map<number, (share: number) => void>} */
    #packing = new Map();
    #lastId = 0;
    #lastOpening = 0;
    #seq = 0;
    #ranges = 0;

    /**
     * @param {() => Promise<Blob>} wasm what its workers run on
     * @param {import("./protocol.js").Handlers<Event>} handlers get what the worker tells of the logs that are open
     * @param {(text: string) => void} ended is told that whatever was open is gone with its worker, and why: nothing, if that
     *     was given up to open something else
     */
    constructor(wasm, handlers, ended) {
        this.#wasm = wasm;
        /** @type {import("./protocol.js").Handlers<Reply>} */
        this.#handlers = {
            ...handlers,
            answer: ({ id, found }) => this.#answered(id, found),
            table: ({ id, page }) => this.#answered(id, page),
            flame: ({ id, flame }) => this.#answered(id, flame),
            markdown: ({ id, text }) => this.#answered(id, text),
            packing: ({ id, share }) => this.#packing.get(id)?.(share),
            packed: ({ id, packed }) => this.#answered(id, packed),
            rows: ({ id, pages }) => this.#answered(id, pages),
            pong: () => this.#watch.lives(),
            broken: ({ text }) => this.#fail(text),
        };
        this.#ended = ended;
        this.#watch = new Watch(
            () => this.#worker?.postMessage({ kind: "ping" }),
            () => this.#reading.size > 0 || this.#questions.size > 0,
            () => this.#fail("it does not answer any more; it may hang, or the browser may have ended it to save memory"),
        );
        this.#worker = this.#start();
    }

    #start() {
        const worker = startWorker();
        worker.onmessage = ({ data }) => {
            if (this.#isStale(data)) return drop(data);
            if (data.kind === "ready" || data.kind === "failed") this.#reading.delete(data.opening);
            if (data.kind === "failed") this.close(data.opening);
            dispatch(this.#handlers, data);
        };
        worker.onmessageerror = () => this.#fail("a reply could not be read");
        worker.onerror = ({ message }) => this.#fail(message || "its worker could not be started");
        this.#wasm().then(
            (wasm) => worker.postMessage({ kind: "start", wasm }),
            (error) => worker === this.#worker && this.#fail(`its wasm could not be loaded (${error.message})`),
        );
        return worker;
    }

    /** Somebody may open a log soon. */
    warm() {
        this.#worker?.postMessage({ kind: "warm" });
    }

    /**
     * Whether it belongs to what is not open any more, or is an answer that is no longer wanted.
     * @param {Reply} reply
     */
    #isStale(reply) {
        if ("opening" in reply && !this.#open.has(reply.opening)) return true;
        if (reply.kind === "whole" || reply.kind === "range") return reply.opening !== this.#shown;
        return reply.kind === "window" && (reply.opening !== this.#shown || reply.seq !== this.#seq);
    }

    /** @param {string} text */
    #fail(text) {
        this.#end();
        this.#ended(`the viewer itself failed: ${text}. To start it afresh, open the file again, or another one`);
    }

    /** Drops the worker, and answers every question that waits for it with null. */
    #end() {
        this.#worker?.terminate();
        this.#worker = null;
        this.#watch.end();
        this.#open.clear();
        this.#reading.clear();
        for (const id of this.#questions.keys()) this.#answered(id, null);
    }

    /**
     * Opens a file beside what is open already.
     * @param {File} file
     * @returns {number} its number
     */
    open(file) {
        return this.#begin((opening) => ({ kind: "open", opening, file }));
    }

    /**
     * Opens a log of a server.
     * @param {string} url
     * @param {string} name
     * @param {boolean} asks whether the user must agree if that is another server than the page's own
     * @returns {number} its number
     */
    load(url, name, asks) {
        return this.#begin((opening) => ({ kind: "load", opening, url, name, asks }));
    }

    /**
     * The other server may be asked for it.
     * @param {number} opening
     */
    allow(opening) {
        this.#send({ kind: "allow", opening });
    }

    /** @returns {number} the example's number */
    example() {
        return this.#begin((opening) => ({ kind: "example", opening }));
    }

    /** @param {(opening: number) => Request} request */
    #begin(request) {
        // If it hangs in what is open, there is no need to wait until that is certain.
        if (this.#watch.doubtful) {
            this.#end();
            this.#ended("");
        }
        this.#worker ??= this.#start();
        const opening = ++this.#lastOpening;
        this.#open.add(opening);
        this.#reading.add(opening);
        this.#send(request(opening));
        return opening;
    }

    /** There is nobody any more who could ask: the worker ends. */
    end() {
        this.#end();
    }

    /**
     * Chooses an entry of the archive that is being opened.
     * @param {number} opening
     * @param {number} entry its index in the archive
     */
    choose(opening, entry) {
        this.#send({ kind: "choose", opening, entry });
    }

    /**
     * Asks for the logs of the archive that have a text in their names.
     * @param {number} opening
     * @param {string} text
     */
    filter(opening, text) {
        this.#send({ kind: "filter", opening, text });
    }

    /**
     * From now on, questions are about this log.
     * @param {number} opening
     */
    show(opening) {
        this.#shown = opening;
    }

    /** What has been told of the log that is shown is drawn: it is read further. */
    drawn() {
        this.#send({ kind: "drawn", opening: this.#shown });
    }

    /** Reads the log that is shown no further; what has been read stays. */
    stop() {
        this.#send({ kind: "stop", opening: this.#shown });
    }

    /**
     * Follows the threads of the log that is shown further, or no further.
     * @param {boolean} on
     */
    follow(on) {
        this.#send({ kind: "follow", opening: this.#shown, on });
    }

    /**
     * Which rows threads have from now on.
     * @param {import("./protocol.js").ThreadRows} rows
     */
    arrange(rows) {
        this.#send({ kind: "arrange", opening: this.#shown, rows });
    }

    /**
     * Which rows the program's own spans have from now on, which words begin and end them, and of which label there is a histogram.
     * @param {import("./protocol.js").SpansWish} spans
     */
    arrangeSpans(spans) {
        this.#send({ kind: "spans", opening: this.#shown, spans });
    }

    /**
     * Forgets a log.
     * @param {number} opening
     */
    close(opening) {
        if (!this.#open.delete(opening)) return;
        this.#reading.delete(opening);
        this.#send({ kind: "close", opening });
    }

    /**
     * Asks for a window's picture; the answer to an earlier one is no longer wanted.
     * @param {number} from
     * @param {number} to
     * @param {number} width
     * @param {import("./protocol.js").Alike[]} tracks
     * @param {import("./protocol.js").BandsWish} bands
     */
    window(from, to, width, tracks, { order, count }) {
        this.#seq += 1;
        this.#send({ kind: "window", opening: this.#shown, seq: this.#seq, from, to, width, tracks, bands: { order, count } });
    }

    /**
     * Asks for a picture of the whole log.
     * @param {number} width
     * @param {import("./protocol.js").Alike[]} tracks
     * @param {import("./protocol.js").BandsWish} bands
     */
    whole(width, tracks, { order, count }) {
        this.#send({ kind: "whole", opening: this.#shown, width, tracks, bands: { order, count } });
    }

    /**
     * Asks what the tracks did from one time to another; the answer to an earlier question is no longer wanted.
     * @param {import("./viewport.js").View} range
     */
    range({ from, to }) {
        this.#ranges += 1;
        this.#send({ kind: "range", opening: this.#shown, seq: this.#ranges, from, to });
    }

    /**
     * What is drawn in a pixel; null if the same asker has asked anew before there was an answer.
     * @param {import("./protocol.js").Asker} asker
     * @param {Pixel} pixel
     * @returns {Promise<Found | null>}
     */
    async lookUp(asker, { track, from, to, part, role }) {
        /** @type {Found | null} */
        const found = await this.#ask((id) => ({ kind: "lookUp", opening: this.#shown, id, asker, track, from, to, part }));
        // What has a colour by its name has that here.
        return found?.kind === "span" && role ? { ...found, span: { ...found.span, role } } : found;
    }

    /**
     * The first span that begins after a point, or the last one that begins before it.
     * @param {Point} point
     * @param {boolean} next
     * @returns {Promise<Found | null>}
     */
    neighbour({ track, time }, next) {
        return this.#ask((id) => ({ kind: "neighbour", opening: this.#shown, id, track, time, next }));
    }

    /**
     * Who woke a thread up for what it does at a point, or whom it woke up from then on: what that thread did then, on its own track.
     * @param {Point} point
     * @param {boolean} back
     * @param {import("./protocol.js").Asker} asker
     * @returns {Promise<Found | null>}
     */
    woken({ track, time }, back, asker) {
        return this.#ask((id) => ({ kind: "woken", opening: this.#shown, id, asker, track, time, back }));
    }

    /**
     * Some rows of a table; null if there is no log any more.
     * @param {import("./protocol.js").TableWish} wish
     * @returns {Promise<TablePage | null>}
     */
    table(wish) {
        return this.#ask((id) => ({ kind: "table", opening: this.#shown, id, ...wish }));
    }

    /**
     * A flame graph; null if there is no log any more, or no range.
     * @param {import("./protocol.js").FlameWish} wish
     * @returns {Promise<import("./protocol.js").Flame | null>}
     */
    flame(wish) {
        return this.#ask((id) => ({ kind: "flame", opening: this.#shown, id, ...wish }));
    }

    /**
     * What is said of the log, or of the range that was summed up last, as Markdown; null if there is no log any more.
     * @param {boolean} range
     * @returns {Promise<string | null>}
     */
    markdown(range) {
        return this.#ask((id) => ({ kind: "markdown", opening: this.#shown, id, range }));
    }

    /**
     * The log as a page that is saved has it; null if there is no log any more, or it is no longer wanted.
     * @param {{ env: boolean, words: string, name: string, palette: string[] }} wanted `env`: whether with the program's environment;
     *     `words`: those that begin and end its spans, with a comma between them; `palette`: roles of colours, each before its colour
     * @param {(share: number) => void} onProgress is told how much of it is there
     * @returns {Promise<import("./protocol.js").Packed | null>}
     */
    pack(wanted, onProgress) {
        return this.#ask((id) => {
            this.#packing.set(id, onProgress);
            return { kind: "pack", opening: this.#shown, id, ...wanted };
        });
    }

    /**
     * One of the log's profiles as another tool reads it; null as above.
     * @param {{ format: string, name: string }} wanted
     * @param {(share: number) => void} onProgress is told how much of it is there
     * @returns {Promise<import("./protocol.js").Exported | null>}
     */
    exportProfile(wanted, onProgress) {
        return this.#ask((id) => {
            this.#packing.set(id, onProgress);
            return { kind: "export", opening: this.#shown, id, ...wanted };
        });
    }

    /** The packed log, or the profile, is no longer wanted. */
    giveUp() {
        this.#send({ kind: "giveUp" });
    }

    /**
     * Tells which tracks are in view, and asks for those that are missing.
     * @param {import("./protocol.js").Pages[]} shown
     * @param {import("./protocol.js").Pages[]} missing
     * @returns {Promise<TrackPage[] | null>}
     */
    rows(shown, missing) {
        return this.#ask((id) => ({ kind: "rows", opening: this.#shown, id, shown, missing }));
    }

    /** @param {Request} request */
    #send(request) {
        if (!this.#worker) return;
        this.#worker.postMessage(request);
        this.#watch.begin();
    }

    /**
     * @param {(id: number) => Request} question
     * @returns {Promise<any>} null if there will be no answer
     */
    #ask(question) {
        if (!this.#worker) return Promise.resolve(null);
        const id = ++this.#lastId;
        this.#send(question(id));
        return new Promise((resolve) => this.#questions.set(id, resolve));
    }

    /**
     * @param {number} id
     * @param {Found | TablePage | TrackPage[] | import("./protocol.js").Flame | import("./protocol.js").Packed | import("./protocol.js").Exported | string | null} answer
     */
    #answered(id, answer) {
        this.#questions.get(id)?.(answer);
        this.#questions.delete(id);
        this.#packing.delete(id);
    }
}

/**
 * Gives back the memory of a picture that nobody will see.
 * @param {Reply} reply
 */
function drop(reply) {
    if ("strips" in reply) reply.strips.image?.close();
}
