// The page's end of the line to the worker.

import { Watch } from "./watch.js";
import { dispatch } from "./protocol.js";

/** @typedef {import("./protocol.js").Request} Request */
/** @typedef {import("./protocol.js").Reply} Reply */
/** @typedef {import("./protocol.js").Place} Place */
/** @typedef {Exclude<Reply, { kind: "answer" | "pong" | "broken" }>} Event */
/** @typedef {{ track: number, time: number }} Point */
/** @typedef {{ track: number, from: number, to: number }} Pixel of a track, and the time that it stands for */

export class Client {
    #handlers;
    #broken;
    #watch;
    /** @type {Worker | null} none after the last one died, until something is to be opened */
    #worker;
    /** Whether it is being opened. */
    #reading = false;
    /** @type {Map<number, (place: Place | null) => void>} */
    #questions = new Map();
    #lastId = 0;
    #opening = 0;
    #seq = 0;
    #ranges = 0;

    /**
     * @param {import("./protocol.js").Handlers<Event>} handlers get what the worker tells of the log that is open now
     * @param {(text: string) => void} broken is told when the worker itself fails: whatever was open is gone
     */
    constructor(handlers, broken) {
        /** @type {import("./protocol.js").Handlers<Reply>} */
        this.#handlers = {
            ...handlers,
            answer: ({ id, place }) => this.#answered(id, place),
            pong: () => this.#watch.lives(),
            broken: ({ text }) => this.#fail(text),
        };
        this.#broken = broken;
        this.#watch = new Watch(
            () => this.#worker?.postMessage({ kind: "ping" }),
            () => this.#reading || this.#questions.size > 0,
            () => this.#fail("its worker does not answer any more, since it hangs or was ended for want of memory"),
        );
        this.#worker = this.#start();
    }

    #start() {
        const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
        worker.onmessage = ({ data }) => {
            if (this.#isStale(data)) return drop(data);
            if (data.kind === "ready" || data.kind === "failed") this.#reading = false;
            dispatch(this.#handlers, data);
        };
        worker.onmessageerror = () => this.#fail("a reply could not be read");
        worker.onerror = ({ message }) => this.#fail(message || "its worker could not be started");
        return worker;
    }

    /**
     * Whether it belongs to what is not open any more, or is an answer that is no longer wanted.
     * @param {Reply} reply
     */
    #isStale(reply) {
        return ("opening" in reply && reply.opening !== this.#opening) || (reply.kind === "window" && reply.seq !== this.#seq);
    }

    /** @param {string} text */
    #fail(text) {
        this.#end();
        this.#broken(`the viewer itself failed: ${text}; open the file again, or another one, to start it afresh`);
    }

    /** The worker is of no more use, and nobody shall wait for it. */
    #end() {
        this.#worker?.terminate();
        this.#worker = null;
        this.#watch.end();
        this.#reading = false;
        for (const id of this.#questions.keys()) this.#answered(id, null);
    }

    /** @param {File} file */
    open(file) {
        this.#begin((opening) => ({ kind: "open", opening, file }));
    }

    example() {
        this.#begin((opening) => ({ kind: "example", opening }));
    }

    /** @param {(opening: number) => Request} request */
    #begin(request) {
        // If it hangs in what was open before, there is no need to wait until that is certain.
        if (this.#watch.doubtful) this.#end();
        this.#worker ??= this.#start();
        this.#opening += 1;
        this.#reading = true;
        this.#send(request(this.#opening));
    }

    /** @param {number} entry of the archive that is being opened, by its place in the list */
    choose(entry) {
        this.#send({ kind: "choose", opening: this.#opening, entry });
    }

    /** Stops reading; what has been read stays. */
    stop() {
        this.#send({ kind: "stop" });
    }

    /** Forgets the log. */
    close() {
        this.#opening += 1;
        this.#reading = false;
        this.#send({ kind: "close", opening: this.#opening });
    }

    /**
     * Asks for a window's picture; the answer to an earlier one is no longer wanted.
     * @param {number} from
     * @param {number} to
     * @param {number} width
     * @param {import("./protocol.js").Painted[]} tracks
     */
    window(from, to, width, tracks) {
        this.#seq += 1;
        this.#send({ kind: "window", seq: this.#seq, from, to, width, tracks });
    }

    /**
     * Asks for a picture of the whole log.
     * @param {number} width
     * @param {import("./protocol.js").Painted[]} tracks
     */
    whole(width, tracks) {
        this.#send({ kind: "whole", width, tracks });
    }

    /**
     * Asks what the tracks did from one time to another; the answer to an earlier question is no longer wanted.
     * @param {import("./viewport.js").View} range
     */
    range({ from, to }) {
        this.#ranges += 1;
        this.#send({ kind: "range", seq: this.#ranges, from, to });
    }

    /**
     * What is drawn in a pixel; null if the same asker has asked anew before there was an answer.
     * @param {import("./protocol.js").Asker} asker
     * @param {Pixel} pixel
     * @returns {Promise<Place | null>}
     */
    lookUp(asker, { track, from, to }) {
        return this.#ask((id) => ({ kind: "lookUp", id, asker, track, from, to }));
    }

    /**
     * The first span that begins after a point, or the last one that begins before it.
     * @param {Point} point
     * @param {boolean} next
     * @returns {Promise<Place | null>}
     */
    neighbour({ track, time }, next) {
        return this.#ask((id) => ({ kind: "neighbour", id, track, time, next }));
    }

    /** @param {Request} request */
    #send(request) {
        if (!this.#worker) return;
        this.#worker.postMessage(request);
        this.#watch.begin();
    }

    /**
     * @param {(id: number) => Request} question
     * @returns {Promise<Place | null>}
     */
    #ask(question) {
        if (!this.#worker) return Promise.resolve(null);
        const id = ++this.#lastId;
        this.#send(question(id));
        return new Promise((resolve) => this.#questions.set(id, resolve));
    }

    /**
     * @param {number} id
     * @param {Place | null} place
     */
    #answered(id, place) {
        this.#questions.get(id)?.(place);
        this.#questions.delete(id);
    }
}

/**
 * Gives back the memory of a picture that nobody will see.
 * @param {Reply} reply
 */
function drop(reply) {
    if ("strips" in reply) reply.strips.image?.close();
}
