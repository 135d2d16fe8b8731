// What the page and its worker say to each other: the one place that knows. Both import it; neither imports the other.
//
// Times are nanoseconds near the log's start (see the binding's Clock), sizes and offsets bytes, widths device pixels.

/**
 * What the page asks the worker about a log: of each kind of question what is asked, what the answer is, and, where one takes long, what is
 * said meanwhile. Every question is answered: with null if the log is closed, if the answer is not wanted any more (see `ASKERS`), or
 * if there is none.
 *
 * A new question is a line here, and a function in `worker/answers.js`. The page asks it by `ask` of the log's handle.
 *
 * @typedef {object} Questions
 * @property {{ ask: WindowWish, answer: Strips, meanwhile: Strips }} window a picture: meanwhile a coarser one, if it takes long
 * @property {{ ask: WholeWish, answer: Strips }} whole a picture of the whole log
 * @property {{ ask: View, answer: RangeTotals }} range all that is said of a range of time. From then on this is the range in which
 *     tables, flame graphs and texts of a range are
 * @property {{ ask: TableWish, answer: TablePage }} table some rows of a table
 * @property {{ ask: FlameWish, answer: Flame }} flame a flame graph
 * @property {{ ask: { range: boolean }, answer: string }} markdown all that is said of the log, or of the range, as text
 * @property {{ ask: PackWish, answer: Packed, meanwhile: number }} pack the log as a page that is saved has it; meanwhile the share
 *     that is there
 * @property {{ ask: { format: string, name: string }, answer: Exported, meanwhile: number }} exportAs a profile as another tool reads it
 * @property {{ ask: Pixel & { asker: Asker }, answer: Found }} lookUp what is drawn in a pixel
 * @property {{ ask: Point & { next: boolean }, answer: Found }} neighbour the first span that begins after a point, or the last one
 *     that begins before it
 * @property {{ ask: Point & { back: boolean, asker: Asker }, answer: Found }} woken who woke a thread up for what it does at a point, or whom
 *     it woke up from then on: what that thread did then, on its own track
 * @property {{ ask: { shown: Pages[], missing: Pages[] }, answer: TrackPage[] }} rows the tracks of pages that are missing; those
 *     that are shown come with all news of the log from then on
 */

/**
 * What the page tells the worker of a log; there is no answer. Several logs may be open at once: each stays until it is closed.
 * @typedef {object} Commands
 * @property {Origin} open it comes from there; the first of all
 * @property {null} allow the server that is asked for it may be another one than the page's own
 * @property {number} choose which of an archive's logs it is
 * @property {string} filter lists those of the archive's logs that have this in their names
 * @property {null} drawn what has been said of it is drawn: it is read further
 * @property {null} stop it is read no further
 * @property {boolean} follow its threads are followed further, or no further
 * @property {ThreadRows} arrange which rows its threads have
 * @property {SpansWish} arrangeSpans the same of the program's own spans
 * @property {string} giveUp whose question is not wanted any more: see `ASKERS`
 * @property {null} close
 */

/**
 * What the worker tells the page of a log, unasked.
 * @typedef {object} Events
 * @property {Choice} choose one of an archive's logs must be chosen
 * @property {Question} consent the reader must agree to ask a server
 * @property {Loading} loading how it comes from a server
 * @property {LogInfo} progress it has been read further
 * @property {LogInfo} ready it has been read, as far as it will be; or more is known of it
 * @property {string} failed it cannot be shown: the last of all
 * @property {string} trouble something went wrong with it
 * @property {string} solved the text of a `trouble` that is over
 * @property {RangeTotals} range more is known of the range that was asked about last
 */

/**
 * What the page tells the worker of itself. The wasm comes first; `warm`: a log may be opened soon; each `ping` has a `pong`.
 * @typedef {{ start: Blob, warm: null, ping: null }} WorkerCommands
 *
 * What the worker tells of itself: `pong` is a sign of life, the first one without a `ping`; after `broken` there is none.
 * @typedef {{ pong: null, broken: string }} WorkerEvents
 */

/**
 * What is posted: a message of any of some kinds.
 * @template {object} Kinds
 * @template {object} About
 * @typedef {{ [K in keyof Kinds]: { kind: K, body: Kinds[K] } & About }[keyof Kinds]} Message
 */

/**
 * What is posted either way: a `log` is the number that the page gave it, an `id` that of a question about it, and of its answer.
 * @typedef {{ [K in keyof Questions]: Questions[K]["ask"] }} Asked
 * @typedef {{ answer: unknown, meanwhile: unknown }} Answered
 * @typedef {Message<Asked, { log: number, id: number }> | Message<Commands, { log: number, id?: undefined }>
 *   | Message<WorkerCommands, { log?: undefined, id?: undefined }>} ToWorker
 * @typedef {Message<Answered, { log: number, id: number }> | Message<Events, { log: number, id?: undefined }>
 *   | Message<WorkerEvents, { log?: undefined, id?: undefined }>} ToPage
 */

/**
 * What a question of some kind is answered with before the answer is there.
 * @template {keyof Questions} K
 * @typedef {Questions[K] extends { meanwhile: infer M } ? M : never} Meanwhile
 */

/**
 * Who asks a question of some kinds about a log: a newer one of the same asker takes the place of an older one, which is answered with
 * null. What has no asker is answered however much is asked after it.
 * @type {{ [K in keyof Questions]?: (ask: Questions[K]["ask"]) => string }}
 */
export const ASKERS = {
    window: () => "window",
    whole: () => "whole",
    range: () => "range",
    pack: () => SAVING,
    exportAs: () => SAVING,
    lookUp: ({ asker }) => asker,
    neighbour: () => SELECTION,
    woken: ({ asker }) => asker,
};

/** @typedef {typeof POINTER | typeof SELECTION | typeof BACK | typeof FORTH} Asker who looks something up */

/** The pointer asks what is under it. */
export const POINTER = "pointer";
/** The selection asks what is to be selected. */
export const SELECTION = "selection";
/** The arrows of what is selected ask who woke its thread up, and whom that woke up. */
export const BACK = "back";
export const FORTH = "forth";
/** Something is being saved of the log. */
export const SAVING = "saving";

/**
 * What changes hands with an answer of some kinds instead of being copied.
 * @type {{ [K in keyof Questions]?: (answer: Questions[K]["answer"]) => Transferable[] }}
 */
export const TRANSFERS = { window: buffersOf, whole: buffersOf, flame: buffersOfFlame };

/**
 * What a message of some kind is for. One that nobody knows is a mistake, and says so.
 * @template {object} Handlers
 * @param {Handlers} handlers one for each kind
 * @param {PropertyKey} kind
 * @returns {Handlers[keyof Handlers]}
 */
export function handlerOf(handlers, kind) {
    if (!Object.hasOwn(handlers, kind)) throw new Error(`unknown message: ${String(kind)}`);
    return handlers[/** @type {keyof Handlers} */ (kind)];
}

/** @typedef {import("./viewport.js").View} View from a time to another */

/**
 * Where a log comes from. If it `asks`, the reader must agree to any server but the page's own.
 * @typedef {{ file: File } | { url: string, name: string, asks: boolean } | { example: true }} Origin
 */

/**
 * @typedef {{ width: number, tracks: Alike[], bands: BandsWish }} WholeWish
 * @typedef {View & WholeWish} WindowWish
 */

/** @typedef {{ track: number, time: number }} Point */

/**
 * A pixel of a track, and the time that it stands for; of one with bands, the number and the role of that under it.
 * @typedef {{ track: number, from: number, to: number, part?: number, role?: string }} Pixel
 */

/**
 * How a log is packed.
 * @typedef {object} PackWish
 * @property {boolean} env whether with the program's environment
 * @property {string} words that begin and end its spans, with a comma between them
 * @property {string} name
 * @property {string[]} palette roles of colours, each before its colour
 */

/**
 * Which threads have rows, and in which order.
 * @typedef {object} ThreadRows
 * @property {string} order what comes first: see threads.js
 * @property {string} text what their numbers or labels have in them; empty for all
 * @property {number | null} state which they were in, by its number among a thread's states
 * @property {string} presence whether they were there, or ran
 * @property {boolean} inRange whether the last two are asked of the range that was summed up last, or of the whole log
 * @property {boolean} byLabel whether threads of one label share a row
 * @property {number[]} unfolded the rows of labels whose threads have rows, too, by their tracks
 */

/**
 * Which rows the program's own spans have, and what else is told of them.
 * @typedef {object} SpansWish
 * @property {boolean} byThread whether a row is a thread's, or a label's
 * @property {string} label of which there is a histogram; empty for none
 * @property {string} begin the word that stands before a label where a span begins
 * @property {string} end the same where it ends
 */

/** The words that every log's spans begin and end with at first: as GHC's own examples and ghc-events-analyze have them. */
export const FIRST_WORDS = { begin: "START", end: "STOP" };

/** @typedef {{ order: string, count: number }} BandsWish which bands are drawn each for itself: so many, by a column of their table */

/**
 * Some rows of a table, as the facts name it: of the whole log, or of the range that was summed up last, as the facts in its totals are.
 * @typedef {object} TableWish
 * @property {string} table its key
 * @property {boolean} [range] whether it is of the range
 * @property {string} sort the key of the column that the rows are sorted by; empty for the table's own order
 * @property {boolean} down whether the largest come first; what is not known comes last either way
 * @property {string} filter what the rows have in them, in whatever case; empty for all
 * @property {Within | null} within what they have in a column; null for all
 * @property {number} from how many rows come before
 * @property {number} count how many are wanted at most
 */

/**
 * A flame graph, of the whole log or of the range that was summed up last.
 * @typedef {object} FlameWish
 * @property {string} section the key of the one that has it
 * @property {boolean} range whether it is of the range
 * @property {FlameView} view
 * @property {number} frame whose callers or callees are wanted
 * @property {number} from which sample, or byte, to before which it is wanted: all, if that is none
 * @property {number} to
 * @property {string} search what is looked for in names and modules; empty for nothing
 * @property {number} width in device pixels
 *
 * @typedef {(typeof FLAME_VIEWS)[number]} FlameView how frames are put together: those with the most samples, or bytes,
 *     first, in order of time, callers below what they call; or what called a frame, or what it called
 */

/** In the order in which the binding numbers them. */
export const FLAME_VIEWS = /** @type {const} */ (["heavy", "time", "inverted", "callers", "callees"]);

/**
 * A flame graph. Samples, or bytes, are counted from left to right.
 * @typedef {object} Flame
 * @property {Float64Array} frames six numbers of all: how many samples are shown, how many the log or the range has, in how many something is
 *     found, how long one stands for in ns (0 if nobody knows), that one of so many is kept, how many frames are too narrow; then five of
 *     each frame: where it begins, how wide it is, in how many it was innermost (0 where callers stand below), its depth, its name's place
 * @property {Float64Array} names two of each name: what its callers are asked for by and 1, or 0 if it has none; 1 if it has what is
 *     searched for
 * @property {string[]} texts three of each name: itself, its module, and its place in the source; empty if not known
 */

/**
 * Tracks of a group, from one of them on: what is in view is told to the worker in pages of `PAGE`, and comes in such.
 * @typedef {{ group: string, from: number, count: number }} Pages
 * @typedef {{ group: string, from: number, tracks: Track[] }} TrackPage
 */

/** Tracks of a page. */
export const PAGE = 64;

/**
 * A log as a page that is saved has it: as base64 of gzip, and what it says, as markup. Or one of its profiles as a file, and how the name
 * of that ends. Or why there is none.
 * @typedef {{ base64: Blob, article: string } | { error: string }} Packed
 * @typedef {{ file: Blob, ending: string } | { error: string }} Exported
 */

/**
 * What the reader is asked before another server than the page's own is: whether `host` may be asked for the log. If it `follows`, that
 * host, or the page's own server where it is null, sends to another one, and nobody knows which before that one is asked.
 * @typedef {{ host: string, follows: false } | { host: string | null, follows: true }} Question
 */

/** Most bytes that the log of a saved page may take by gzip: those of `ghc-eventlog report --embed-limit`. */
export const MOST_SAVED = 50_000_000;

/**
 * How a log comes from a server: as long as nothing of it is read, how much has come; and `retryIn`: the connection broke, and is tried
 * again in so many ms.
 * @typedef {{ read: number, size: number, retryIn: number | null }} Loading `size` 0 if nobody knows
 */

/**
 * All that is known of a log but its picture.
 * @typedef {object} LogInfo
 * @property {string} name the file's
 * @property {number} size the file's; 0 if nobody knows
 * @property {boolean} packed whether it had to be unpacked
 * @property {number} read how much of the file has been read
 * @property {Status} status
 * @property {Group[]} groups of tracks
 * @property {Track} [whole] the track that stands for all of the log
 * @property {TrackPage[]} pages of the tracks in view; at first, of those that are in groups that are open
 * @property {Process} process
 * @property {Facts} facts
 * @property {Notice[]} notices
 * @property {Following} [following] how far threads are followed, if there is more to come
 */

/** @typedef {{ share: number, stopped: boolean }} Following how much of the log has been gone through for that; whether it has been stopped */

/**
 * What the binding describes the log by, in objects that cross as they are.
 * @typedef {import("./wire").Column} Column
 * @typedef {import("./wire").Facts} Facts
 * @typedef {import("./wire").Figure} Figure
 * @typedef {import("./wire").Found} Found
 * @typedef {import("./wire").Group} Group
 * @typedef {import("./wire").Histogram} Histogram
 * @typedef {import("./wire").Note} Note
 * @typedef {import("./wire").Notice} Notice
 * @typedef {import("./wire").Process} Process
 * @typedef {import("./wire").RowChoice} RowChoice
 * @typedef {import("./wire").Section} Section
 * @typedef {import("./wire").Span} Span
 * @typedef {import("./wire").State} State
 * @typedef {import("./wire").Status} Status
 * @typedef {import("./wire").TableInfo} TableInfo
 * @typedef {import("./wire").TablePage} TablePage
 * @typedef {import("./wire").Track} Track
 * @typedef {import("./wire").Unit} Unit
 * @typedef {import("./wire").Value} Value
 */

/** @typedef {{ column: string, from: number, to: number }} Within a column, by its key, and its values from one to below another */

/** @typedef {{ index: number, name: string, size: number }} Entry of an archive */

/**
 * @typedef {object} Choice
 * @property {number} logs how many there are to choose from
 * @property {string} text what the names of those that are listed have in them
 * @property {number} count how many such there are
 * @property {Entry[]} entries the first of them
 */

/**
 * The facts about the time from one moment to another.
 * @typedef {{ from: number, to: number, facts: Facts }} RangeTotals
 */

/**
 * @typedef {{ id: number, colours: import("./paint/colour.js").Rgb[], height: number }} Painted
 *     a track, its states' colours (none for a level), and how high it is drawn
 * @typedef {Omit<Painted, "id"> & { ids: number[] }} Alike tracks of which the same is to be painted
 */

/**
 * A picture of some tracks from one time to another.
 * @typedef {object} Strips
 * @property {number} from
 * @property {number} to
 * @property {number} width
 * @property {boolean} exact whether nothing more can be known by reading the log again
 * @property {Map<number, Strip>} tracks
 * @property {ImageBitmap | null} image a band for each track that has colours
 * @property {number[]} rows those tracks, from top to bottom
 * @property {number} levels how many pixels each band is high
 */

/**
 * One track's part: `shares` has `states` bytes for each pixel, 255 for all of its time in that state, unless they are in
 * the image; `values` of a line are the first, smallest, largest and last one of each pixel (NaN where none is known), `counts`
 * of points how many there are in it; of bands, `values` has one of each for each pixel, `counts` their numbers and `texts` their names, from
 * the lowest to the highest; the rest are the spans wide enough to be drawn on their own, one element each.
 * @typedef {object} Strip
 * @property {boolean} exact
 * @property {number} states
 * @property {Uint8Array} shares
 * @property {Float32Array} values
 * @property {Uint32Array} counts
 * @property {Float64Array} starts
 * @property {Float64Array} ends
 * @property {Uint8Array} kinds
 * @property {string[]} texts
 */

/**
 * The buffers of a picture, which change hands instead of being copied.
 * @param {Strips} strips
 * @returns {Transferable[]}
 */
export function buffersOf(strips) {
    const strip = (/** @type {Strip} */ { shares, values, counts, starts, ends, kinds }) => [shares, values, counts, starts, ends, kinds];
    const arrays = [...strips.tracks.values()].flatMap(strip);
    const buffers = arrays.map((array) => /** @type {ArrayBuffer} */ (array.buffer));
    return strips.image ? [...buffers, strips.image] : buffers;
}

/**
 * Those of a flame graph.
 * @param {Flame} flame
 * @returns {Transferable[]}
 */
export function buffersOfFlame({ frames, names }) {
    return [frames, names].map((array) => /** @type {ArrayBuffer} */ (array.buffer));
}
