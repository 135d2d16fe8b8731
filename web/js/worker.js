// The worker: owns the file and the wasm instance, reads, decodes, answers. The page never touches either.

import init, { Log, example } from "../wasm/ghc-eventlog-wasm.js";
import { SELECTION, buffersOf, dispatch } from "./protocol.js";
import { Opening } from "./worker/opening.js";
import { sourceOf } from "./worker/source.js";
import { Unreadable } from "./worker/unreadable.js";

/** @type {Opening | null} */
let opening = null;
/** The newest opening's number, the page's. */
let newest = 0;

const ready = init();

/**
 * @param {import("./protocol.js").Reply} reply
 */
function tell(reply) {
    const strips = reply.kind === "window" || reply.kind === "whole" ? buffersOf(reply.strips) : [];
    postMessage(reply, strips);
}

/**
 * Opens a log in place of the one that is open.
 * @param {number} number
 * @param {() => { blob: Blob, name: string }} file
 */
async function open(number, file) {
    close(number);
    try {
        await ready;
        if (number !== newest) return;
        const { blob, name } = file();
        const source = await sourceOf(blob, (entries) => choice(number, entries));
        if (number !== newest) return;
        const log = new Log(source.packed ? undefined : blob.size);
        const mine = new Opening(number, { name, size: blob.size, source }, log, tell);
        opening = mine;
        await mine.read();
    } catch (error) {
        if (number !== newest) return;
        if (error instanceof Unreadable) return tell({ kind: "failed", opening: number, text: error.message });
        broken(error);
    }
}

/** Takes the page's choice of an archive's entry. @type {((entry: number) => void) | null} */
let chosen = null;

/**
 * Lets the page choose one of an archive's logs.
 * @param {number} number
 * @param {import("./protocol.js").Entry[]} entries
 * @returns {Promise<number>}
 */
function choice(number, entries) {
    tell({ kind: "choose", opening: number, entries });
    return new Promise((resolve) => (chosen = resolve));
}

/** @param {number} number of what comes instead */
function close(number) {
    newest = number;
    opening?.close();
    opening = null;
}

/** @type {import("./protocol.js").Handlers<import("./protocol.js").Request>} */
const handlers = {
    open: ({ opening: number, file }) => void open(number, () => ({ blob: file, name: file.name })),
    example: ({ opening: number }) => void open(number, exampleFile),
    choose: ({ opening: number, entry }) => {
        if (number === newest) chosen?.(entry);
    },
    stop: () => opening?.stop(),
    close: ({ opening: number }) => close(number),
    ping: () => tell({ kind: "pong" }),
    window: (request) => void opening?.window(request),
    whole: (request) => void opening?.whole(request),
    range: (request) => void opening?.range(request),
    lookUp: ({ id, asker, track, from, to }) => answer(id, asker, (log) => log.look_up(asker, track, from, to)),
    neighbour: ({ id, track, time, next }) => answer(id, SELECTION, (log) => log.neighbour(SELECTION, track, time, next)),
};

function exampleFile() {
    return { blob: new Blob([new Uint8Array(example())]), name: "example.eventlog" };
}

/**
 * Every question gets an answer.
 * @param {number} id
 * @param {import("./protocol.js").Asker} asker
 * @param {(log: Log) => import("./worker/opening.js").Answer} ask
 */
function answer(id, asker, ask) {
    if (opening) void opening.answer(id, asker, ask);
    else tell({ kind: "answer", id, place: null });
}

/**
 * A mistake of the viewer's, or wasm that cannot be loaded or has no memory left: there is no going on after it.
 * @param {unknown} error
 */
function broken(error) {
    tell({ kind: "broken", text: String(error) });
}

self.addEventListener("unhandledrejection", ({ reason }) => broken(reason));
onmessageerror = () => broken("a request could not be read");
onmessage = ({ data }) => dispatch(handlers, data);
tell({ kind: "pong" });
