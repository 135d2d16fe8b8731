// What the page and its worker say to each other: the one place that knows. Both import it; neither imports the other.
//
// Times are nanoseconds near the log's start (see the binding's Clock), sizes and offsets bytes, widths device pixels.

/**
 * What the page asks of the worker. An `id` asks for an answer. The page numbers what it opens, and several logs may be open
 * at once: each stays until it is closed. `start` comes first, with the worker's wasm. `markdown` asks for all that is said of a log,
 * or of the range that was summed up last, as text. `filter` asks for those of an archive's logs that have a text in their names.
 * `pack` asks for the log as a page that is saved has it, with the program's environment or without; `giveUp`: it is no longer wanted.
 * `export` asks for one of its profiles as another tool reads it; that is given up likewise.
 * `load` opens a log of a server: if it `asks`, the reader must agree to any server but the page's own, which `allow` says.
 * `warm` says that a log may be opened soon. `follow` has the threads followed further, or no further; `arrange` says which rows they have,
 * `spans` the same of the program's own spans.
 * @typedef {{ kind: "start", wasm: Blob }
 *   | { kind: "warm" }
 *   | { kind: "open", opening: number, file: File }
 *   | { kind: "load", opening: number, url: string, name: string, asks: boolean }
 *   | { kind: "allow", opening: number }
 *   | { kind: "example", opening: number }
 *   | { kind: "choose", opening: number, entry: number }
 *   | { kind: "filter", opening: number, text: string }
 *   | { kind: "drawn", opening: number }
 *   | { kind: "stop", opening: number }
 *   | { kind: "follow", opening: number, on: boolean }
 *   | { kind: "arrange", opening: number, rows: ThreadRows }
 *   | { kind: "spans", opening: number, spans: SpansWish }
 *   | { kind: "close", opening: number }
 *   | { kind: "ping" }
 *   | { kind: "window", opening: number, seq: number, from: number, to: number, width: number, tracks: Alike[], bands: BandsWish }
 *   | { kind: "whole", opening: number, width: number, tracks: Alike[], bands: BandsWish }
 *   | { kind: "range", opening: number, seq: number, from: number, to: number }
 *   | TableRequest
 *   | FlameRequest
 *   | { kind: "markdown", opening: number, id: number, range: boolean }
 *   | { kind: "pack", opening: number, id: number, env: boolean, words: string, name: string, palette: string[] }
 *   | { kind: "export", opening: number, id: number, format: string, name: string }
 *   | { kind: "giveUp" }
 *   | { kind: "lookUp", opening: number, id: number, asker: Asker, track: number, from: number, to: number, part?: number }
 *   | { kind: "rows", opening: number, id: number, shown: Pages[], missing: Pages[] }
 *   | { kind: "neighbour", opening: number, id: number, track: number, time: number, next: boolean }
 *   | { kind: "woken", opening: number, id: number, asker: Asker, track: number, time: number, back: boolean }
 * } Request
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
 * Asks for some rows of a table, as the facts name it: of the whole log, or of the range that was summed up last, as the facts in
 * its totals are.
 * @typedef {{ kind: "table", opening: number, id: number } & TableWish} TableRequest
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
 * Asks for a flame graph, of the whole log or of the range that was summed up last.
 * @typedef {{ kind: "flame", opening: number, id: number } & FlameWish} FlameRequest
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

/** @typedef {0 | 1 | 2 | 3} Asker who looks something up: a newer question of the same ends an older one */

/** The pointer asks what is under it. */
export const POINTER = 0;
/** The selection asks what is to be selected. */
export const SELECTION = 1;
/** The arrows of what is selected ask who woke its thread up, and whom that woke up. */
export const BACK = 2;
export const FORTH = 3;

/**
 * What the worker tells the page. What belongs to an opening names it, and comes unasked. `pong` is a sign of life, given
 * at the start and at every `ping`; after `broken` there is none. `solved` has the text of a `trouble` that is over.
 * @typedef {{ kind: "choose", opening: number, choice: Choice }
 *   | { kind: "ask", opening: number, question: Question }
 *   | ({ kind: "loading", opening: number } & Loading)
 *   | { kind: "progress", opening: number, log: LogInfo }
 *   | { kind: "ready", opening: number, log: LogInfo }
 *   | { kind: "failed", opening: number, text: string }
 *   | { kind: "trouble", opening: number, text: string }
 *   | { kind: "solved", opening: number, text: string }
 *   | { kind: "window", opening: number, seq: number, strips: Strips, isLast: boolean }
 *   | { kind: "whole", opening: number, strips: Strips }
 *   | { kind: "range", opening: number, totals: RangeTotals }
 *   | { kind: "answer", id: number, found: Found | null }
 *   | { kind: "table", id: number, page: TablePage | null }
 *   | { kind: "flame", id: number, flame: Flame | null }
 *   | { kind: "markdown", id: number, text: string | null }
 *   | { kind: "packing", id: number, share: number }
 *   | { kind: "packed", id: number, packed: Packed | Exported | null }
 *   | { kind: "rows", id: number, pages: TrackPage[] }
 *   | { kind: "pong" }
 *   | { kind: "broken", text: string }
 * } Reply
 */

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
 * @typedef {{ id: number, colours: (import("./paint/strip.js").Rgb | null)[], hatched: number[], height: number }} Painted
 *     a track, its states' colours (none for a level, null for what is left to the ground), and how high it is drawn
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
 * What takes messages of one direction: one function for each kind.
 * @template {{ kind: string }} Message
 * @typedef {{ [K in Message["kind"]]: (message: Extract<Message, { kind: K }>) => void }} Handlers
 */

/**
 * Hands a message to its handler. One that nobody knows is a mistake, and says so.
 * @template {{ kind: string }} Message
 * @param {Handlers<Message>} handlers
 * @param {Message} message
 */
export function dispatch(handlers, message) {
    const known = Object.hasOwn(handlers, message.kind);
    const handler = /** @type {Record<string, (message: any) => void>} */ (handlers)[message.kind];
    if (!known) throw new Error(`unknown message: ${message.kind}`);
    handler(message);
}

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
