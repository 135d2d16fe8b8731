// What the page wishes when it asks the worker, or commands it: see protocol.js, which has the messages and the answers.

/** @typedef {import("./viewport.js").View} View from one time to another */

/** @typedef {import("./wire").HitGroup} HitGroup */

/**
 * Where a log comes from. `asks`: the user must agree before any server but the page's own is asked.
 * @typedef {{ file: File } | { url: string, name: string, asks: boolean } | { example: true }} Origin
 */

/**
 * @typedef {{ width: number, tracks: Alike[], bands: BandsWish }} WholeWish
 * @typedef {View & WholeWish} WindowWish
 */

/** @typedef {{ track: number, time: number }} Point */

/**
 * A pixel of a track and the time that it covers; on a track with bands, also the number and the role of the band there.
 * @typedef {{ track: number, from: number, to: number, part?: number, role?: string }} Pixel
 */

/**
 * How to pack a log.
 * @typedef {object} PackWish
 * @property {boolean} env whether to keep the program's environment variables
 * @property {string} words the words that begin and end its spans, separated by a comma
 * @property {string} name
 * @property {string[]} palette pairs of a colour's role and the colour
 */

/**
 * Which threads have rows, and in which order.
 * @typedef {object} ThreadRows
 * @property {string} order the key to sort by: see threads.js
 * @property {string} text only threads with this text in their number or label; empty for all
 * @property {number | null} state only threads that were in this state, by its index among a thread's states
 * @property {string} presence only threads that existed, or only those that ran
 * @property {boolean} inRange whether `state` and `presence` are about the range that was asked about last, or about the whole log
 * @property {boolean} byLabel whether threads with the same label share a row
 * @property {number[]} unfolded tracks of the labels whose threads have rows of their own, too
 */

/**
 * Which rows the program's own spans have, and which words they are looked for by.
 * @typedef {object} SpansWish
 * @property {boolean} byThread whether each thread has a row, or each label
 * @property {string} label the label to make a histogram of; empty for none
 * @property {string[]} hidden the names of counters without a line
 * @property {string} words the user's words for spans, as in `wordsText`
 */

/**
 * The spans with this label, or with any label of this family (`job #`); the rows of their table take at least `least` ns, and less than
 * `most`.
 * @typedef {{ label: string, least: number, most: number }} RequestsWish
 */

/**
 * What to search for: the hits nearest to `near` first. Hits are counted in `buckets` stretches of time between `from` and `to`.
 * @typedef {View & { query: string, near: number, buckets: number }} SearchWish
 */

/**
 * @typedef {{ id: number, colours: import("./paint/colour.js").Rgb[], height: number }} Painted
 *     a track, the colours of its states (none for a level), and the height it is drawn at
 * @typedef {Omit<Painted, "id"> & { ids: number[] }} Alike tracks that are painted alike
 */

/**
 * `count` hits of a kind in order of time, from the one at the index `from`.
 * @typedef {{ kind: HitGroup["kind"], from: number, count: number }} HitsWish
 */

/**
 * @typedef {{ order: string, count: number }} BandsWish draw `count` bands on their own, the first ones by this column of their table; the
 *     rest as one
 */

/**
 * Some rows of one of the tables in `Facts`: of the whole log, or of the range that was asked about last.
 * @typedef {object} TableWish
 * @property {string} table its key
 * @property {boolean} [range] whether for the range
 * @property {string} sort the key of the column that the rows are sorted by; empty for the table's own order
 * @property {boolean} down whether the largest come first; unknown values come last either way
 * @property {string} filter only rows with this text in them, in upper or lower case; empty for all
 * @property {Within | null} within only rows with a value between these two in a column; null for all
 * @property {number} from the index of the first row
 * @property {number} count the number of rows, at most
 */

/**
 * Which events, and in which order.
 * @typedef {object} EventsWish
 * @property {boolean} byTime whether in order of time, or of the file
 * @property {string} types numbers of types, separated by commas; empty for all
 * @property {string} query what they must fit; empty for all
 * @property {boolean} range whether only those in the range that was asked about last
 */

/** @typedef {{ column: string, from: number, to: number }} Within a column, by its key, and its values: `from` ≤ value < `to` */

/**
 * A flame graph, of the whole log or of the range that was asked about last.
 * @typedef {object} FlameWish
 * @property {string} section the key of the section that has it
 * @property {boolean} range whether for the range
 * @property {FlameView} view
 * @property {number} frame the frame whose callers or callees to show
 * @property {number} from the first sample, or byte, to show; all if this range is empty
 * @property {number} to the one after the last
 * @property {string} search the text to find in names and modules; empty for nothing
 * @property {number} width in device pixels
 *
 * @typedef {(typeof FLAME_VIEWS)[number]} FlameView how frames are arranged: "heavy", the ones with the most samples or bytes first;
 *     "time", in order of time; "inverted", callers below what they call; or the callers or callees of one frame
 */

/**
 * Which way a call tree goes: of which section, of the whole log or of the range that was asked about last; a view as of a flame graph, and
 * the frame whose callers or callees it shows; only stacks that have a text in a name or module.
 * @typedef {{ section: string, range: boolean, view: FlameView, frame: number, search: string }} CallView
 *
 * Rows of a call tree. `shown`: how many of the outermost rows are shown, at most; `open`: the unfolded ones, as `OpenCalls` lists them;
 * `chosen`: the path of the chosen one; and which rows are in view.
 * @typedef {CallView & { sort: CallOrder, down: boolean, shown: number, open: Uint32Array, chosen: Uint32Array, from: number, count: number }}
 *     CallsWish
 * @typedef {"total" | "own" | "name" | "module" | "source"} CallOrder
 *
 * The samples that go through a row, by its path: in each of `width` pixels of a view of all, and of each of some tracks.
 * @typedef {CallView & { path: Uint32Array }} CallWay
 * @typedef {CallWay & View & { width: number, tracks: number[] }} CallSamplesWish
 */

/** In the order in which the binding numbers them. */
export const FLAME_VIEWS = /** @type {const} */ (["heavy", "time", "inverted", "callers", "callees"]);
