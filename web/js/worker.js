// The worker: it owns the files and the wasm instance, reads, decodes and answers questions. The page touches neither.

import init from "../wasm/ghc-eventlog-wasm.js";
import { handlerOf, TRANSFERS } from "./protocol.js";
import { answer, answers } from "./worker/answers.js";
import { commands } from "./worker/commands.js";
import { WantedLog } from "./worker/wanted.js";
import { keepBuffers } from "./worker/reading.js";
import { started, take } from "./worker/rest.js";
import { warmUp } from "./worker/warm.js";

/** @typedef {import("./protocol.js").Questions} Questions */
/** @typedef {import("./protocol.js").WorkerCommands} WorkerCommands */

/** The logs that the page wants open, by number. @type {Map<number, WantedLog>} */
const logs = new Map();

/** @type {(wasm: Blob) => void} */
let start;
const ready = new Promise((resolve) => (start = resolve)).then((wasm) =>
    // With the right content type, whatever the server sent, the browser compiles it while it comes.
    init({ module_or_path: new Response(wasm, { headers: { "content-type": "application/wasm" } }) }).then(started),
);

/**
 * @param {import("./protocol.js").ToPage} message
 * @param {Transferable[]} [transfers] what is transferred with it
 */
function post(message, transfers = []) {
    postMessage(message, transfers);
}

/** The commands that are not about a log. @type {{ [K in keyof WorkerCommands]: (body: WorkerCommands[K]) => void }} */
const ownCommands = {
    start: (wasm) => start(wasm),
    rest: take,
    warm: () => void ready.then(() => warmUp(() => logs.size === 0)),
    ping: () => post({ kind: "pong", body: null }),
};

/** @param {import("./protocol.js").ToWorker} message */
function hear({ kind, log, id, body }) {
    if (log === undefined) return /** @type {(body: any) => void} */ (handlerOf(ownCommands, kind))(body);
    if (id === undefined) return command(/** @type {keyof import("./protocol.js").Commands} */ (kind), log, body);
    // First of all: it throws if there is no such question.
    handlerOf(answers, kind);
    void question(/** @type {keyof Questions} */ (kind), log, id, body);
}

/**
 * @param {keyof import("./protocol.js").Commands} kind
 * @param {number} number
 * @param {any} body
 */
function command(kind, number, body) {
    const act = /** @type {(log: WantedLog, body: any) => void} */ (handlerOf(commands, kind));
    if (kind === "open") logs.set(number, wanted(number));
    const log = logs.get(number);
    // The log may have been closed while this was on its way.
    if (log) act(log, body);
    if (kind === "close") logs.delete(number);
    keepBuffers(logs.size > 0);
}

/** @param {number} number */
function wanted(number) {
    /** @type {import("./worker/wanted.js").Tell} */
    const tell = (kind, body) => post(/** @type {import("./protocol.js").ToPage} */ ({ kind, log: number, body }));
    return new WantedLog(tell, ready, broken);
}

/**
 * Every question gets an answer.
 * @template {keyof Questions} K
 * @param {K} kind
 * @param {number} number
 * @param {number} id
 * @param {any} body
 */
async function question(kind, number, id, body) {
    const transfers = TRANSFERS[kind];
    /** @type {(said: "answer" | "meanwhile", body: any) => void} */
    const say = (said, body) => post({ kind: said, log: number, id, body }, body ? transfers?.(body) : []);
    const opening = logs.get(number)?.opening;
    say("answer", opening ? await answer(opening, kind, body, (body) => say("meanwhile", body)) : null);
}

/**
 * A mistake in the viewer, or wasm that cannot be loaded or is out of memory: the worker cannot go on after it.
 * @param {unknown} error
 */
function broken(error) {
    post({ kind: "broken", body: String(error) });
}

self.addEventListener("unhandledrejection", ({ reason }) => broken(reason));
self.onmessageerror = () => broken("a request could not be read");
self.onmessage = ({ data }) => hear(data);
post({ kind: "pong", body: null });
