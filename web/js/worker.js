// The worker: owns the file and the wasm instance, reads, decodes, answers. The page never touches either.

import init, { Log } from "../wasm/ghc-eventlog-wasm.js";
import { SELECTION, buffersOf, buffersOfFlame, dispatch } from "./protocol.js";
import { example } from "./worker/example.js";
import { Opening } from "./worker/opening.js";
import { exportProfile, giveUp, pack } from "./worker/pack.js";
import { allow, load } from "./worker/remote.js";
import { sourceOf } from "./worker/source.js";
import { Unreadable } from "./worker/unreadable.js";
import { warmUp } from "./worker/warm.js";

/** What the page wants open, by its numbers: ended when that is closed. @type {Map<number, AbortController>} */
const wanted = new Map();
/** Of those, the ones that have got so far. @type {Map<number, Opening>} */
const openings = new Map();

/** @type {(wasm: Blob) => void} */
let start;
const ready = new Promise((resolve) => (start = resolve)).then((wasm) =>
    // Named as what it is, whatever the server called it: then it is compiled as it comes.
    init({ module_or_path: new Response(wasm, { headers: { "content-type": "application/wasm" } }) }),
);

/**
 * @param {import("./protocol.js").Reply} reply
 */
function tell(reply) {
    postMessage(reply, given(reply));
}

/**
 * What changes hands with a reply instead of being copied.
 * @param {import("./protocol.js").Reply} reply
 */
function given(reply) {
    if (reply.kind === "flame" && reply.flame) return buffersOfFlame(reply.flame);
    return reply.kind === "window" || reply.kind === "whole" ? buffersOf(reply.strips) : [];
}

/**
 * Opens a log beside those that are open.
 * @param {number} number
 * @param {string} name
 * @param {(signal: AbortSignal) => Blob | Promise<Blob | import("./worker/source.js").Source>} file `signal`: it is not wanted any more
 */
async function open(number, name, file) {
    const control = new AbortController();
    const isWanted = () => !control.signal.aborted;
    wanted.set(number, control);
    try {
        await ready;
        if (!isWanted()) return;
        const come = await file(control.signal);
        const source = come instanceof Blob ? await sourceOf(come, (list) => choice(number, list), isWanted) : come;
        if (!source || !isWanted()) return;
        const log = new Log(source.packed ? undefined : source.size || undefined);
        const mine = new Opening(number, { name, source }, log, tell);
        openings.set(number, mine);
        await mine.read();
    } catch (error) {
        if (!isWanted()) return;
        control.abort();
        if (error instanceof Unreadable) return tell({ kind: "failed", opening: number, text: error.message });
        broken(error);
    }
}

/**
 * What the page may choose from, and who waits for its choice.
 * @type {Map<number, { list: import("./worker/source.js").List, chosen: (entry: number) => void }>}
 */
const choices = new Map();

/**
 * Lets the page choose one of an archive's logs.
 * @param {number} number
 * @param {import("./worker/source.js").List} list
 * @returns {Promise<number>}
 */
function choice(number, list) {
    tell({ kind: "choose", opening: number, choice: list("") });
    return new Promise((chosen) => choices.set(number, { list, chosen }));
}

/** @param {number} number */
function close(number) {
    wanted.get(number)?.abort();
    wanted.delete(number);
    choices.delete(number);
    openings.get(number)?.close();
    openings.delete(number);
}

/** @type {import("./protocol.js").Handlers<import("./protocol.js").Request>} */
const handlers = {
    start: ({ wasm }) => start(wasm),
    warm: () => void ready.then(() => warmUp(() => wanted.size === 0)),
    open: ({ opening: number, file }) => void open(number, file.name, () => file),
    load: (request) => void open(request.opening, request.name, (signal) => load(request, signal, tell)),
    allow: ({ opening: number }) => allow(number),
    example: ({ opening: number }) => void open(number, "example.eventlog", example),
    choose: ({ opening: number, entry }) => choices.get(number)?.chosen(entry),
    filter: ({ opening: number, text }) => {
        const choice = choices.get(number)?.list(text);
        if (choice) tell({ kind: "choose", opening: number, choice });
    },
    drawn: ({ opening: number }) => openings.get(number)?.drawn(),
    stop: ({ opening: number }) => openings.get(number)?.stop(),
    follow: ({ opening: number, on }) => openings.get(number)?.follow(on),
    arrange: ({ opening: number, rows }) => openings.get(number)?.arrange(rows),
    spans: ({ opening: number, spans }) => openings.get(number)?.arrangeSpans(spans),
    close: ({ opening: number }) => close(number),
    ping: () => tell({ kind: "pong" }),
    window: (request) => void openings.get(request.opening)?.answers.window(request),
    whole: (request) => void openings.get(request.opening)?.answers.whole(request),
    range: (request) => void openings.get(request.opening)?.answers.range(request),
    table,
    flame: (request) => {
        const opening = openings.get(request.opening);
        if (opening) void opening.answers.flame(request);
        else tell({ kind: "flame", id: request.id, flame: null });
    },
    markdown: (request) => {
        const opening = openings.get(request.opening);
        if (opening) void opening.answers.markdown(request);
        else tell({ kind: "markdown", id: request.id, text: null });
    },
    pack: (request) => void pack(request, openings, tell),
    export: (request) => void exportProfile(request, openings, tell),
    giveUp: () => giveUp(),
    lookUp: ({ opening: number, id, asker, track, from, to, part }) =>
        answer(number, id, asker, (log) => log.look_up(track, from, to, part)),
    rows: ({ opening: number, id, shown, missing }) => tell({ kind: "rows", id, pages: openings.get(number)?.rows(shown, missing) ?? [] }),
    neighbour: ({ opening: number, id, track, time, next }) => answer(number, id, SELECTION, (log) => log.neighbour(track, time, next)),
    woken: ({ opening: number, id, asker, track, time, back }) => answer(number, id, asker, (log) => log.woken(track, time, back)),
};

/** @param {Extract<import("./protocol.js").Request, { kind: "table" }>} request */
function table(request) {
    const opening = openings.get(request.opening);
    if (opening) void opening.answers.table(request);
    else tell({ kind: "table", id: request.id, page: null });
}

/**
 * Every question gets an answer.
 * @param {number} number
 * @param {number} id
 * @param {import("./protocol.js").Asker} asker
 * @param {(log: Log) => number} ask begins the job
 */
function answer(number, id, asker, ask) {
    const opening = openings.get(number);
    if (opening) void opening.answers.answer(id, asker, ask);
    else tell({ kind: "answer", id, found: null });
}

/**
 * A mistake of the viewer's, or wasm that cannot be loaded or has no memory left: there is no going on after it.
 * @param {unknown} error
 */
function broken(error) {
    tell({ kind: "broken", text: String(error) });
}

self.addEventListener("unhandledrejection", ({ reason }) => broken(reason));
self.onmessageerror = () => broken("a request could not be read");
self.onmessage = ({ data }) => dispatch(handlers, data);
tell({ kind: "pong" });
