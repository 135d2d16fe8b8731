// The messages between the page and its worker. Both import this file; neither imports the other. What questions and commands say in full
// is in wishes.js.
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
 * What the page wishes, in full.
 * @typedef {import("./wishes.js").CallSamplesWish} CallSamplesWish
 * @typedef {import("./wishes.js").CallWay} CallWay
 * @typedef {import("./wishes.js").CallsWish} CallsWish
 * @typedef {import("./wishes.js").EventsWish} EventsWish
 * @typedef {import("./wishes.js").FlameWish} FlameWish
 * @typedef {import("./wishes.js").HitsWish} HitsWish
 * @typedef {import("./wishes.js").Origin} Origin
 * @typedef {import("./wishes.js").PackWish} PackWish
 * @typedef {import("./wishes.js").Pixel} Pixel
 * @typedef {import("./wishes.js").Point} Point
 * @typedef {import("./wishes.js").RequestsWish} RequestsWish
 * @typedef {import("./wishes.js").SearchWish} SearchWish
 * @typedef {import("./wishes.js").SpansWish} SpansWish
 * @typedef {import("./wishes.js").TableWish} TableWish
 * @typedef {import("./wishes.js").ThreadRows} ThreadRows
 * @typedef {import("./wishes.js").WholeWish} WholeWish
 * @typedef {import("./wishes.js").WindowWish} WindowWish
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
 * How many events fit a query. `fault`: why the query cannot be read. With neither, the log is still being read.
 * @typedef {{ fault?: QueryFault, counted?: EventsCounted }} EventsReport
 */

/** @typedef {import("./wire").ReadEvent & { bytes: Uint8Array }} WholeEvent an event with its bytes in the file */

/** @typedef {{ total: number, oneOf: number, counts: Uint32Array }} CallSamples one out of `oneOf` samples is kept */

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
