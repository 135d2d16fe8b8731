// The page's end of the line to the worker.

import { dispatch } from "./protocol.js";

/** @typedef {import("./protocol.js").Request} Request */
/** @typedef {import("./protocol.js").Reply} Reply */
/** @typedef {import("./protocol.js").Span} Span */
/** @typedef {Exclude<Reply, { kind: "answer" }>} Event */
/** @typedef {{ track: number, time: number }} Point */

export class Client {
    #worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    /** @type {Map<number, (span: Span | null) => void>} */
    #questions = new Map();
    #lastId = 0;
    #opening = 0;
    #seq = 0;

    /**
     * @param {import("./protocol.js").Handlers<Event>} handlers get what the worker tells of the log that is open now
     * @param {(text: string) => void} broken is told when the worker itself fails
     */
    constructor(handlers, broken) {
        /** @type {import("./protocol.js").Handlers<Reply>} */
        const all = { ...handlers, answer: ({ id, span }) => this.#answered(id, span) };
        this.#worker.onmessage = ({ data }) => {
            if ("opening" in data && data.opening !== this.#opening) return;
            if (data.kind === "window" && data.seq !== this.#seq) return;
            dispatch(all, data);
        };
        this.#worker.onerror = (event) => broken(event.message || "the page's worker could not be started");
    }

    /** @param {File} file */
    open(file) {
        this.#opening += 1;
        this.#send({ kind: "open", opening: this.#opening, file });
    }

    example() {
        this.#opening += 1;
        this.#send({ kind: "example", opening: this.#opening });
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
     * The span at a point.
     * @param {Point} point
     * @returns {Promise<Span | null>}
     */
    spanAt({ track, time }) {
        return this.#ask((id) => ({ kind: "spanAt", id, track, time }));
    }

    /**
     * The first span that begins after a point, or the last one that begins before it.
     * @param {Point} point
     * @param {boolean} next
     * @returns {Promise<Span | null>}
     */
    neighbour({ track, time }, next) {
        return this.#ask((id) => ({ kind: "neighbour", id, track, time, next }));
    }

    /** @param {Request} request */
    #send(request) {
        this.#worker.postMessage(request);
    }

    /**
     * @param {(id: number) => Request} question
     * @returns {Promise<Span | null>}
     */
    #ask(question) {
        const id = ++this.#lastId;
        this.#send(question(id));
        return new Promise((resolve) => this.#questions.set(id, resolve));
    }

    /**
     * @param {number} id
     * @param {Span | null} span
     */
    #answered(id, span) {
        this.#questions.get(id)?.(span);
        this.#questions.delete(id);
    }
}
