// The page's end of the line to the worker: what is open there, and whether it lives.

import { LogHandle, drop } from "./log-handle.js";
import { Watch } from "./watch.js";
import { handlerOf } from "./protocol.js";
import { startWorker } from "./parts.js";

/** @typedef {import("./protocol.js").Events} Events */

/** @typedef {{ [K in keyof Events]: (body: Events[K], log: number) => void }} EventHandlers */

/** What is said of a question. @type {{ [K in keyof import("./protocol.js").Answered]: K }} */
const ANSWERED = { answer: "answer", meanwhile: "meanwhile" };

export class Client {
    #wasm;
    #events;
    #ended;
    #watch;
    /** @type {Worker | null} none after the last one died, until something is to be opened */
    #worker;
    /** What is open, by its number. @type {Map<number, LogHandle>} */
    #logs = new Map();
    #lastLog = 0;
    /** What stands for a log that is not open. */
    #none = new LogHandle(0, () => {});
    /** @type {{ [K in keyof import("./protocol.js").WorkerEvents]: (body: import("./protocol.js").WorkerEvents[K]) => void }} */
    #ofWorker = {
        pong: () => this.#watch.lives(),
        broken: (text) => this.#fail(text),
    };

    /**
     * @param {() => Promise<Blob>} wasm what its workers run on
     * @param {EventHandlers} events get what the worker tells of the logs that are open
     * @param {(text: string) => void} ended is told that whatever was open is gone with its worker, and why: nothing, if that
     *     was given up to open something else
     */
    constructor(wasm, events, ended) {
        this.#wasm = wasm;
        this.#events = events;
        this.#ended = ended;
        this.#none.end();
        this.#watch = new Watch(
            () => this.#worker?.postMessage({ kind: "ping", body: null }),
            () => [...this.#logs.values()].some(({ isBusy }) => isBusy),
            () => this.#fail("it does not answer any more; it may hang, or the browser may have ended it to save memory"),
        );
        this.#worker = this.#start();
    }

    #start() {
        const worker = startWorker();
        worker.onmessage = ({ data }) => this.#hear(data);
        worker.onmessageerror = () => this.#fail("a reply could not be read");
        worker.onerror = ({ message }) => this.#fail(message || "its worker could not be started");
        this.#wasm().then(
            (wasm) => worker.postMessage({ kind: "start", body: wasm }),
            (error) => worker === this.#worker && this.#fail(`its wasm could not be loaded (${error.message})`),
        );
        return worker;
    }

    /** @param {import("./protocol.js").ToPage} message */
    #hear({ kind, log, id, body }) {
        if (log === undefined) return /** @type {(body: any) => void} */ (handlerOf(this.#ofWorker, kind))(body);
        if (id === undefined) return this.#happened(/** @type {keyof Events} */ (kind), log, body);
        const said = handlerOf(ANSWERED, kind);
        const handle = this.#logs.get(log);
        if (handle) handle.take(said, id, body);
        else drop(body);
    }

    /**
     * @param {keyof Events} kind
     * @param {number} log
     * @param {any} body
     */
    #happened(kind, log, body) {
        const handler = /** @type {(body: any, log: number) => void} */ (handlerOf(this.#events, kind));
        const handle = this.#logs.get(log);
        // What is closed may have been on its way.
        if (!handle) return;
        if (kind === "ready") handle.isReading = false;
        if (kind === "failed") this.close(log);
        handler(body, log);
    }

    /** Somebody may open a log soon. */
    warm() {
        this.#worker?.postMessage({ kind: "warm", body: null });
    }

    /** @param {string} text */
    #fail(text) {
        this.end();
        this.#ended(`the viewer itself failed: ${text}. To start it afresh, open the file again, or another one`);
    }

    /** Drops the worker, and answers every question that waits for it with null. */
    end() {
        this.#worker?.terminate();
        this.#worker = null;
        this.#watch.end();
        const logs = [...this.#logs.values()];
        this.#logs.clear();
        for (const log of logs) log.end();
    }

    /**
     * Opens a log beside what is open already.
     * @param {import("./protocol.js").Origin} origin
     * @returns {number} its number
     */
    open(origin) {
        // If it hangs in what is open, there is no need to wait until that is certain.
        if (this.#watch.doubtful) {
            this.end();
            this.#ended("");
        }
        this.#worker ??= this.#start();
        const number = ++this.#lastLog;
        const log = new LogHandle(number, (message) => this.#send(message));
        this.#logs.set(number, log);
        log.send("open", origin);
        return number;
    }

    /**
     * A log that is open.
     * @param {number} number
     * @returns {LogHandle} of one that is not open, one that answers every question with null
     */
    of(number) {
        return this.#logs.get(number) ?? this.#none;
    }

    /**
     * Forgets a log.
     * @param {number} number
     */
    close(number) {
        const log = this.#logs.get(number);
        if (!log) return;
        this.#logs.delete(number);
        log.send("close", null);
        log.end();
    }

    /** @param {import("./protocol.js").ToWorker} message */
    #send(message) {
        this.#worker?.postMessage(message);
        this.#watch.begin();
    }
}
