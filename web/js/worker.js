// The worker: owns the file and the wasm instance, reads, decodes, answers. The page never touches either.

import init, { Log, example } from "../wasm/ghc-eventlog-wasm.js";
import { buffersOf, dispatch } from "./protocol.js";
import { Opening } from "./worker/opening.js";

/** @type {Opening | null} */
let opening = null;
let openings = 0;

const ready = init();

/**
 * @param {import("./protocol.js").Reply} reply
 */
function tell(reply) {
    const strips = reply.kind === "window" || reply.kind === "whole" ? buffersOf(reply.strips) : [];
    postMessage(reply, strips);
}

/**
 * Opens a log in place of the one that is open. Openings are counted on both sides: what an earlier one still has to
 * say is then known to be old.
 * @param {() => { blob: Blob, name: string }} file
 */
async function open(file) {
    opening?.close();
    const number = ++openings;
    await ready;
    if (number !== openings) return;
    const { blob, name } = file();
    opening = new Opening(number, blob, name, new Log(), tell);
    await opening.read();
}

/** @type {import("./protocol.js").Handlers<import("./protocol.js").Request>} */
const handlers = {
    open: ({ file }) => void open(() => ({ blob: file, name: file.name })),
    example: () => void open(() => ({ blob: new Blob([new Uint8Array(example())]), name: "example.eventlog" })),
    stop: () => opening?.stop(),
    close: () => {
        opening?.close();
        opening = null;
        openings += 1;
    },
    window: (request) => void opening?.window(request),
    whole: (request) => opening?.whole(request),
    spanAt: ({ id, track, time }) => answer(id, (log) => log.span_at(track, time)),
    neighbour: ({ id, track, time, next }) => answer(id, (log) => log.neighbour(track, time, next)),
};

/**
 * Every question gets an answer.
 * @param {number} id
 * @param {(log: Log) => import("./worker/opening.js").Answer} ask
 */
function answer(id, ask) {
    if (opening) void opening.answer(id, ask);
    else tell({ kind: "answer", id, span: null });
}

// What goes wrong in here must be seen out there: a mistake of the viewer's, or wasm that cannot be loaded.
self.addEventListener("unhandledrejection", ({ reason }) => {
    tell({ kind: "failed", opening: openings, text: `the viewer itself failed: ${reason}` });
});

onmessage = ({ data }) => dispatch(handlers, data);
