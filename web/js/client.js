// The page's connection to the worker: which logs are open there, and whether the worker is alive.

import { LogHandle, drop } from "./log-handle.js";
import { Watch } from "./watch.js";
import { handlerOf } from "./protocol.js";
import { loadRest, startWorker } from "./parts.js";

/** @typedef {import("./protocol.js").Events} Events */

/** @typedef {{ [K in keyof Events]: (body: Events[K], log: number) => void }} EventHandlers */

/** The messages about a question. @type {{ [K in keyof import("./protocol.js").Answered]: K }} */
const ANSWERED = { answer: "answer", meanwhile: "meanwhile" };

export class Client {
    #wasm;
    #events;
    #ended;
    #watch;
    /** @type {Worker | null} null after the last one died, until a log is opened */
    #worker;
    /** The open logs by number. @type {Map<number, LogHandle>} */
    #logs = new Map();
    #lastLog = 0;
    /** The handle of a log that is not open. */
    #none = new LogHandle(0, () => {});
    /** @type {{ [K in keyof import("./protocol.js").WorkerEvents]: (body: import("./protocol.js").WorkerEvents[K]) => void }} */
    #ofWorker = {
        pong: () => this.#watch.lives(),
        broken: (text) => this.#fail(text),
    };

    /**
     * @param {() => Promise<Blob>} wasm the module that the worker runs
     * @param {EventHandlers} events get what the worker reports about the open logs
     * @param {(text: string) => void} ended called when the worker has ended and every open log is lost, with the reason; empty if the user
     *     opened another log meanwhile
     */
    constructor(wasm, events, ended) {
        this.#wasm = wasm;
        this.#events = events;
        this.#ended = ended;
        this.#none.end();
        this.#watch = new Watch(
            () => this.#worker?.postMessage({ kind: "ping", body: null }),
            () => [...this.#logs.values()].some(({ isBusy }) => isBusy),
            () => this.#fail("it no longer answers; it may be stuck, or the browser may have ended it to save memory"),
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
        void loadRest().then((rest) => worker.postMessage({ kind: "rest", body: rest }));
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
        // The log may have been closed while this was on its way.
        if (!handle) return;
        if (kind === "ready") handle.isReading = false;
        if (kind === "failed") this.close(log);
        handler(body, log);
    }

    /** Prepares the worker: the user may open a log soon. */
    warm() {
        this.#worker?.postMessage({ kind: "warm", body: null });
    }

    /** @param {string} text */
    #fail(text) {
        this.end();
        this.#ended(`the viewer itself failed: ${text}. To restart it, open the file again, or another one`);
    }

    /** Drops the worker, and answers every waiting question with null. */
    end() {
        this.#worker?.terminate();
        this.#worker = null;
        this.#watch.end();
        const logs = [...this.#logs.values()];
        this.#logs.clear();
        for (const log of logs) log.end();
    }

    /**
     * Opens a log in addition to those already open.
     * @param {import("./wishes.js").Origin} origin
     * @returns {number} its number
     */
    open(origin) {
        // If the worker seems to hang in a log that is open, do not wait until that is certain.
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
     * @returns {LogHandle} if it is not open, a handle that answers every question with null
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
