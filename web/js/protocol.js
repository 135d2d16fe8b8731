// The messages between the page and its worker. Both import this file; neither imports the other.
//
// Times are nanoseconds near the log's start (see the binding's Clock), sizes and offsets bytes, widths device pixels.

/**
 * The questions that the page asks the worker about a log. Each kind has the type of its question (`ask`), of its answer (`answer`) and,
 * where the answer may take long, of what the worker sends before it (`meanwhile`). Every question gets an answer: null if the log was
 * closed, if the page no longer wants the answer (see `ASKERS`), or if there is none.
 *
 * To add a question, add a line here and a function in `worker/answers.js`. The page asks it with `LogHandle.ask`.
 *
 * @typedef {object} Questions
 * @property {{ ask: WindowWish, answer: Strips, meanwhile: Strips }} window a picture; a coarser one comes first if it takes long
 * @property {{ ask: WindowWish, answer: Strips, meanwhile: Strips }} cells the same with one pixel for each cell of the timeline's grid
 * @property {{ ask: WholeWish, answer: Strips }} whole a picture of the whole log
 * @property {{ ask: View, answer: RangeTotals }} range the figures of a range of time. Tables, flame graphs and texts of a range are from
 *     then on about this one
 * @property {{ ask: TableWish, answer: TablePage }} table some rows of a table
 * @property {{ ask: EventsWish & { from: number, count: number }, answer: EventsPage }} eventRows some rows of the list of events: with a
 *     query, as far as those have been counted
 * @property {{ ask: EventsWish & { from: number, count: number }, answer: string }} eventLines the same as lines of JSON, as
 *     `ghc-eventlog find --json` prints them
 * @property {{ ask: EventsWish, answer: EventsReport, meanwhile: EventsCounted }} countEvents counts the events that fit a query; meanwhile,
 *     how many have been found. That stays known, if it is given up
 * @property {{ ask: EventsWish & { time: number }, answer: number }} eventPlace the index of the row of the first event at a time or later
 * @property {{ ask: { offset: number }, answer: WholeEvent }} event all of the event that begins at an offset of the log
 * @property {{ ask: FlameWish, answer: Flame }} flame a flame graph
 * @property {{ ask: CallsWish, answer: CallTree }} calls rows of a call tree
 * @property {{ ask: CallSamplesWish, answer: CallSamples }} callSamples how many samples go through a row of one, pixel by pixel
 * @property {{ ask: CallWay & { time: number, next: boolean }, answer: Float64Array }} callSampleBeside the first of them after a time, or
 *     the last one before it: its time, its track, how many are before it; empty if there is none
 * @property {{ ask: { range: boolean }, answer: string }} markdown the summary of the log, or of the range, as text
 * @property {{ ask: { id: string }, answer: string }} findingMarkdown a finding as Markdown
 * @property {{ ask: { text: string, most: number }, answer: NamedTrack[] }} tracksNamed groups and tracks with all words of a text in their
 *     names, in the order of the rows; of a group with very many tracks, only the first ones are looked at
 * @property {{ ask: { track: number }, answer: TrackSlot }} slotOf the place of a track's row, and whether the user has hidden it
 * @property {{ ask: { tracks: number[] }, answer: PlacedTrack[] }} places where these tracks are, without those that have no row. From then
 *     on, `progress` and `ready` say so, too
 * @property {{ ask: { text: string }, answer: NamedRows }} rowsNamed which rows have a text in their names; of many, the first ones
 * @property {{ ask: { rows: [string, string][] }, answer: (number | null)[] }} rowsCalled tracks by their groups' keys and their names, or
 *     of threads by their labels; null for those that the log does not have
 * @property {{ ask: PackWish, answer: Packed, meanwhile: number }} pack the log as a saved page contains it; meanwhile, the share that is
 *     done
 * @property {{ ask: { format: string, name: string }, answer: Exported, meanwhile: number }} exportAs a profile in another tool's format;
 *     meanwhile, the share that is done
 * @property {{ ask: { file: File }, answer: string }} namesFrom takes names of info tables from another log of the same program; a
 *     sentence about that
 * @property {{ ask: Pixel & { asker: Asker }, answer: Found }} lookUp what is drawn in a pixel
 * @property {{ ask: Point & { next: boolean }, answer: Found }} neighbour the first span that begins after a point, or the last one
 *     that begins before it
 * @property {{ ask: Point & { back: boolean, asker: Asker }, answer: Found }} woken back: the thread that woke up the one at this point.
 *     Otherwise: the first thread that this one woke up after this point. The answer is a span on that thread's own track
 * @property {{ ask: View & { track: number }, answer: IdleReason[] }} whyIdle why the capability of a track was idle, the longest reason
 *     first; null before threads have been followed, and where that takes too much of the file
 * @property {{ ask: RequestsWish, answer: boolean }} requests looks at each span with a label; false if there is no such label, or threads
 *     have not been followed. After true, the facts have a section about these spans
 * @property {{ ask: SearchWish, answer: SearchReport, meanwhile: SearchReport }} search finds what a query describes; meanwhile, what has
 *     been found so far. Its hits can be asked for until the next search begins, or `endSearch` comes
 * @property {{ ask: HitsWish, answer: Hit[] }} hits some hits of the last search
 * @property {{ ask: { query: string, cursor: number }, answer: Completions }} complete the completions of a query at a cursor
 * @property {{ ask: { shown: Pages[], missing: Pages[] }, answer: TrackPage[] }} rows the tracks of the missing pages. From then on,
 *     `progress` and `ready` contain the shown ones
 */

/**
 * The page's commands to the worker about a log; there is no answer. Several logs may be open at once; each stays open until it is
 * closed.
 * @typedef {object} Commands
 * @property {Origin} open opens the log that comes from here; always the first command
 * @property {null} allow the user agrees to ask the server, which is not the page's own
 * @property {number} choose opens this log of an archive, by its index
 * @property {string} filter lists the archive's logs that have this text in their names
 * @property {null} drawn the page has drawn what it received: reading may go on
 * @property {null} stop stops reading; what has been read stays
 * @property {boolean} follow follows the log's threads, or goes on with that; or stops
 * @property {string[] | null} show the page shows these sections of the facts, by their keys; null for all. Until everything is known,
 *     `progress` and `ready` contain these in full, and outlines of the others: see facts.js
 * @property {ThreadRows} arrange chooses the rows of its threads
 * @property {SpansWish} arrangeSpans chooses the rows of the program's own spans
 * @property {number} lowUse the table of low use has stretches in which fewer than this many percent of the capabilities run
 * @property {null} endSearch forgets the hits of the last search
 * @property {string} giveUp this asker no longer wants its answer: see `ASKERS`
 * @property {null} close
 */

/**
 * What the worker reports about a log without being asked.
 * @typedef {object} Events
 * @property {Choice} choose the user must choose one of an archive's logs
 * @property {Question} consent the user must agree before a server is asked
 * @property {Loading} loading how much has come from a server
 * @property {LogReport} progress more of the log has been read
 * @property {LogReport} ready reading has ended; sent again when more is known
 * @property {string} failed the log cannot be shown; no event follows
 * @property {string} trouble something went wrong with the log
 * @property {string} solved the text of a `trouble` that is over
 * @property {RangeTotals} range more is known about the range that was asked about last
 */

/**
 * The page's commands to the worker that are not about a log. `start` brings the wasm and comes first; `rest` brings
 * the rest of it, or null if the page could not load it; `warm`: a log may be opened soon; each `ping` is answered by a `pong`.
 * @typedef {{ start: Blob, rest: Blob | null, warm: null, ping: null }} WorkerCommands
 *
 * What the worker reports about itself. `pong`: it is alive; it sends the first one without a `ping`. `broken`: it has failed and sends
 * nothing more.
 * @typedef {{ pong: null, broken: string }} WorkerEvents
 */

/**
 * A message of one of these kinds, with its body.
 * @template {object} Kinds
 * @template {object} About
 * @typedef {{ [K in keyof Kinds]: { kind: K, body: Kinds[K] } & About }[keyof Kinds]} Message
 */

/**
 * What is posted in both directions: `log` is the number that the page gave the log; `id` is the number of a question, and of its answer.
 * @typedef {{ [K in keyof Questions]: Questions[K]["ask"] }} Asked
 * @typedef {{ answer: unknown, meanwhile: unknown }} Answered
 * @typedef {Message<Asked, { log: number, id: number }> | Message<Commands, { log: number, id?: undefined }>
 *   | Message<WorkerCommands, { log?: undefined, id?: undefined }>} ToWorker
 * @typedef {Message<Answered, { log: number, id: number }> | Message<Events, { log: number, id?: undefined }>
 *   | Message<WorkerEvents, { log?: undefined, id?: undefined }>} ToPage
 */

/**
 * What the worker sends before the answer to a question of this kind.
 * @template {keyof Questions} K
 * @typedef {Questions[K] extends { meanwhile: infer M } ? M : never} Meanwhile
 */

/**
 * The asker of a question, for kinds that have one: when an asker asks again about a log, its older question is answered with null.
 * Questions without an asker are always answered.
 * @type {{ [K in keyof Questions]?: (ask: Questions[K]["ask"]) => string }}
 */
export const ASKERS = {
    window: () => "window",
    cells: () => "cells",
    whole: () => "whole",
    range: () => "range",
    pack: () => SAVING,
    exportAs: () => SAVING,
    namesFrom: () => "namesFrom",
    places: () => "places",
    rowsNamed: () => "rowsNamed",
    countEvents: () => EVENTS,
    eventPlace: () => MOMENT,
    event: () => DETAILS,
    lookUp: ({ asker }) => asker,
    neighbour: () => SELECTION,
    woken: ({ asker }) => asker,
    whyIdle: () => "idle",
    requests: () => "requests",
    search: () => SEARCH,
    complete: () => "complete",
    callSamples: () => CALL_SAMPLES,
};

/** @typedef {typeof POINTER | typeof SELECTION | typeof BACK | typeof FORTH | typeof CAUSES | typeof GRID} Asker who looks something up */

/** The tooltip, which asks what is under the pointer. */
export const POINTER = "pointer";
/** A click or key, which asks what to select. */
export const SELECTION = "selection";
/** The arrows at the selected span, which ask who woke up its thread, and whom that thread woke up. */
export const BACK = "back";
export const FORTH = "forth";
/** The list of the causes of the selected wait. */
export const CAUSES = "causes";
/** The timeline's grid, which asks for the cell that the focus is on. */
export const GRID = "grid";
/** The search; `giveUp` cancels it. */
export const SEARCH = "search";
/** The marks of samples that go through a row of a call tree. */
export const CALL_SAMPLES = "callSamples";
/** The count of the events that fit a query; `giveUp` cancels it. */
export const EVENTS = "events";
/** The list of events, which goes to a moment, or shows all of one event. */
export const MOMENT = "moment";
export const DETAILS = "details";
/** The save dialog. */
export const SAVING = "saving";

/**
 * The buffers of an answer, for kinds that transfer them instead of copying them.
 * @type {{ [K in keyof Questions]?: (answer: Questions[K]["answer"]) => Transferable[] }}
 */
export const TRANSFERS = { window: buffersOf, cells: buffersOf, whole: buffersOf, flame: buffersOfFlame };

/**
 * The handler of a kind of message. An unknown kind is a mistake in our code, so it throws.
 * @template {object} Handlers
 * @param {Handlers} handlers one for each kind
 * @param {PropertyKey} kind
 * @returns {Handlers[keyof Handlers]}
 */
export function handlerOf(handlers, kind) {
    if (!Object.hasOwn(handlers, kind)) throw new Error(`unknown message: ${String(kind)}`);
    return handlers[/** @type {keyof Handlers} */ (kind)];
}

/** @typedef {import("./viewport.js").View} View from one time to another */

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
 * What has been found. `fault`: why the query cannot be read. Without `found`, the log is still being read.
 * @typedef {object} SearchReport
 * @property {QueryFault} [fault]
 * @property {NameGroup[]} [names] the names of threads, labels, types and others that the query finds
 * @property {FoundSoFar} [found]
 * @property {Uint32Array} [buckets] how many hits there are in each stretch of time
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

/**
 * How many events fit a query. `fault`: why the query cannot be read. With neither, the log is still being read.
 * @typedef {{ fault?: QueryFault, counted?: EventsCounted }} EventsReport
 */

/** @typedef {import("./wire").ReadEvent & { bytes: Uint8Array }} WholeEvent an event with its bytes in the file */

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
 * @typedef {{ total: number, oneOf: number, counts: Uint32Array }} CallSamples one out of `oneOf` samples is kept
 */

/** In the order in which the binding numbers them. */
export const FLAME_VIEWS = /** @type {const} */ (["heavy", "time", "inverted", "callers", "callees"]);

/**
 * A flame graph. Positions and widths are in samples, or bytes, from the left.
 * @typedef {object} Flame
 * @property {Float64Array} frames six numbers about all: the samples shown, the samples of the log or the range, the samples with what was
 *     searched for, the ns that one sample covers (0 if not known), n if only each n-th sample is kept, the frames too narrow to draw. Then
 *     five for each frame: where it begins, its width, the samples in which it was innermost (0 where callers are below), its depth, the
 *     index of its name
 * @property {Float64Array} names two for each name: the frame to ask for its callers, plus 1, or 0 if it has none; 1 if it contains what
 *     was searched for
 * @property {string[]} texts three for each name: the name, its module, its place in the source; empty if not known
 */

/**
 * A track, and where it is in its group.
 * @typedef {{ group: string, at: number, track: Track }} PlacedTrack
 */

/**
 * Rows by their names, as pairs of the first of some rows and their number, for each group that has any.
 * `cut`: there are more.
 * @typedef {{ text: string, runs: Record<string, number[]>, cut: boolean }} NamedRows
 */

/**
 * `count` tracks of a group, beginning with number `from`. The page asks for the tracks in view in pages of `PAGE` tracks.
 * @typedef {{ group: string, from: number, count: number }} Pages
 * @typedef {{ group: string, from: number, tracks: Track[] }} TrackPage
 */

/** Use is low when fewer than this many percent of the capabilities run, unless the user chooses another share. */
export const HALF = 50;

/** Tracks on a page. */
export const PAGE = 64;

/**
 * A log as a saved page contains it: gzip as base64, and its summary as markup. Or one of its profiles as a file, with the ending of the
 * file's name. Or the reason why it failed.
 * @typedef {{ base64: Blob, article: string } | { error: string }} Packed
 * @typedef {{ file: Blob, ending: string } | { error: string }} Exported
 */

/**
 * What the user is asked before the page contacts a server that is not its own: whether it may ask `host` for the log. With `follows`, that
 * host (null: the page's own) redirects to another server, and which one is only known by asking it.
 * @typedef {{ host: string, follows: false } | { host: string | null, follows: true }} Question
 */

/** Most bytes that a saved page's log may take as gzip: the same as `ghc-eventlog report --embed-limit`. */
export const MOST_SAVED = 50_000_000;

/**
 * How a log comes from a server: until decoding begins, how much has come. `retryIn`: the connection broke; it is tried again in this many
 * ms.
 * @typedef {{ read: number, size: number, retryIn: number | null }} Loading `size` is 0 if not known
 */

/**
 * All that is known about a log except its picture.
 * @typedef {object} LogInfo
 * @property {string} name the file's
 * @property {number} size the file's; 0 if not known
 * @property {boolean} packed whether it was compressed
 * @property {number} read bytes of the file that have been read
 * @property {Status} status
 * @property {Group[]} groups of tracks
 * @property {Track} [whole] the track of the overview strip
 * @property {TrackPage[]} pages the tracks in view; at first, those in open groups
 * @property {PlacedTrack[]} placed the tracks whose places the page has asked for
 * @property {Process} process
 * @property {Facts} facts
 * @property {boolean} areFactsNew whether none of them are older than the last report
 * @property {Notice[]} notices
 * @property {Findings} [findings] once the log has been read; a report has them only if there is something new
 * @property {Account} [account] where the time of its capabilities went, if it tells; in the same reports
 * @property {Following} [following] how far the threads have been followed; undefined when that is done
 */

/** @typedef {Omit<LogInfo, "facts" | "areFactsNew"> & { facts: import("./facts.js").Abridged }} LogReport `LogInfo` as a message has it */

/** @typedef {{ share: number, stopped: boolean }} Following how much of the log has been read again for it; whether the user stopped it */

/**
 * The types by which the wasm binding describes a log; the worker posts such objects unchanged.
 * @typedef {import("./wire").Account} Account
 * @typedef {import("./wire").AccountPart} AccountPart
 * @typedef {import("./wire").CallRow} CallRow
 * @typedef {import("./wire").CallTree} CallTree
 * @typedef {import("./wire").Column} Column
 * @typedef {import("./wire").Completions} Completions
 * @typedef {import("./wire").EventsCounted} EventsCounted
 * @typedef {import("./wire").EventsPage} EventsPage
 * @typedef {import("./wire").Evidence} Evidence
 * @typedef {import("./wire").Facts} Facts
 * @typedef {import("./wire").Figure} Figure
 * @typedef {import("./wire").Finding} Finding
 * @typedef {import("./wire").Findings} Findings
 * @typedef {import("./wire").Found} Found
 * @typedef {import("./wire").FoundSoFar} FoundSoFar
 * @typedef {import("./wire").Group} Group
 * @typedef {import("./wire").Hit} Hit
 * @typedef {import("./wire").HitGroup} HitGroup
 * @typedef {import("./wire").Histogram} Histogram
 * @typedef {import("./wire").Note} Note
 * @typedef {import("./wire").Notice} Notice
 * @typedef {import("./wire").Process} Process
 * @typedef {import("./wire").QueryFault} QueryFault
 * @typedef {import("./wire").IdleReason} IdleReason
 * @typedef {import("./wire").NameGroup} NameGroup
 * @typedef {import("./wire").RowChoice} RowChoice
 * @typedef {import("./wire").Section} Section
 * @typedef {import("./wire").Span} Span
 * @typedef {import("./wire").State} State
 * @typedef {import("./wire").Status} Status
 * @typedef {import("./wire").TableInfo} TableInfo
 * @typedef {import("./wire").TablePage} TablePage
 * @typedef {import("./wire").Track} Track
 * @typedef {import("./wire").TrackSlot} TrackSlot
 * @typedef {import("./wire").Unit} Unit
 * @typedef {import("./wire").Value} Value
 */

/** @typedef {{ column: string, from: number, to: number }} Within a column, by its key, and its values: `from` ≤ value < `to` */

/** @typedef {{ group: string, groupName: string, at: number, track: number | null, name: string }} NamedTrack `track`: null for the group */

/** @typedef {{ index: number, name: string, size: number }} Entry of an archive */

/**
 * @typedef {object} Choice
 * @property {number} logs the number of logs in the archive
 * @property {string} text the text that was searched for in their names
 * @property {number} count the number of logs with that text
 * @property {Entry[]} entries the first of these
 */

/**
 * The facts about the time from one moment to another, and where the time of the capabilities went, if the log tells.
 * @typedef {{ from: number, to: number, facts: Facts, account?: Account }} RangeTotals
 */

/**
 * @typedef {{ id: number, colours: import("./paint/colour.js").Rgb[], height: number }} Painted
 *     a track, the colours of its states (none for a level), and the height it is drawn at
 * @typedef {Omit<Painted, "id"> & { ids: number[] }} Alike tracks that are painted alike
 */

/**
 * A picture of some tracks from one time to another.
 * @typedef {object} Strips
 * @property {number} from
 * @property {number} to
 * @property {number} width
 * @property {boolean} exact whether reading the log again could not add any detail
 * @property {Map<number, Strip>} tracks
 * @property {ImageBitmap | null} image one band of pixels for each track that has colours
 * @property {number[]} rows the tracks in `image`, from top to bottom
 * @property {number} levels the height of each band in pixels
 */

/**
 * One track's part of a picture.
 *
 * States: `shares` has `states` bytes for each pixel, 255 for all of the pixel's time in that state; empty if the track is in the image.
 * A line: `values` are the first, smallest, largest and last value of each pixel, NaN where none is known. Points: `counts` has the number
 * of points in each pixel. Bands: `values` has one value of each band for each pixel, `counts` the bands' numbers and `texts` their names,
 * from the lowest to the highest.
 *
 * `starts`, `ends`, `kinds` and `texts` have one element for each span that is wide enough to be drawn on its own.
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
 * @property {Float64Array} hatched from when to when the track is hatched, whatever it did: the runtime wrote the log
 */

/**
 * The buffers of a picture, which are transferred instead of copied.
 * @param {Strips} strips
 * @returns {Transferable[]}
 */
export function buffersOf(strips) {
    const arrays = [...strips.tracks.values()].flatMap(({ shares, values, counts, starts, ends, kinds, hatched }) => [
        shares,
        values,
        counts,
        starts,
        ends,
        kinds,
        hatched,
    ]);
    const buffers = arrays.map((array) => /** @type {ArrayBuffer} */ (array.buffer));
    return strips.image ? [...buffers, strips.image] : buffers;
}

/**
 * The buffers of a flame graph, which are transferred instead of copied.
 * @param {Flame} flame
 * @returns {Transferable[]}
 */
function buffersOfFlame({ frames, names }) {
    return [frames, names].map((array) => /** @type {ArrayBuffer} */ (array.buffer));
}
