// The types of the plain objects that come from the binding. Generated from crates/ghc-eventlog-wasm/src/ (wire.rs there says how): do not edit.

/** Where the capabilities' time went: the parts add up to `all`. */
export type Account = { caps: number,
    /** The length of the time that it is about, in nanoseconds. */
    time: number,
    /** That of all capabilities together. */
    all: number,
    /** In the order in which they are shown; those of no time are left out. */
    parts: Array<AccountPart>, };

/** What a part of the capabilities' time went to. */
export type AccountPart = {
    /** As in `summary --json`: `account.running_ns`, `account.idle_ns.no thread`. `explained.json` has a sentence for
     * each. */
    key: string, name: string,
    /** The palette role of its colour. */
    role: string,
    /** Whether capabilities were idle. */
    idle: boolean, time: number,
    /** Its longest stretch, once that is known. */
    longest?: Evidence, };

/** How many values of each series are at least `from` and less than `to`. */
export type Bin = { from: number, to: number, counts: Array<number>, };

/** A row of a call tree. */
export type CallRow = {
    /** How many rows it is below. */
    depth: number, total: number,
    /** In how many of these it was innermost or, where callers are below, outermost. */
    own: number,
    /** Of a row that stands for frames that are not shown: how many. */
    rest?: number,
    /** The number to ask for its callers with; 2^32 - 1 if it has none. */
    frame: number, name: string, module: string, source: string,
    /** Whether it has what was searched for. */
    matches: boolean, canOpen: boolean, isOpen: boolean,
    /** Its place among those directly below the same one, from 1, and how many these are. */
    place: [number, number], };

/** The rows of a call tree that are in view. Amounts are samples, or bytes. */
export type CallTree = {
    /** What the outermost rows have together. */
    width: number,
    /** What there is in the log, or in the range, whichever frames it has. */
    of: number,
    /** The nanoseconds that a sample covers; 0 if that is not known. */
    tick: number,
    /** It is made of one out of so many samples. */
    oneOf: number,
    /** How many rows there are, in view or not. */
    allRows: number,
    /** The place of the chosen row, if it is among them. */
    chosen?: number,
    /** The frames that the first row in view is below, the outermost first; 2^32 - 1 is one without a number. */
    above: Array<number>,
    /** The rows in view. */
    rows: Array<CallRow>, };

/** A column of a table. */
export type Column = { key: string, name: string, unit: Unit,
    /** The palette role of its colour. */
    role?: string,
    /** Whether its values are parts of the row's value in the column `known_ns`. */
    part: boolean, };

/** The table and the column that have a histogram's single values, by key. */
export type ColumnOfTable = { table: string, column: string, };

/** A completion: a word, and what it means. */
export type Completion = { text: string, about: string, };

/** Completions of a query: each replaces what is between two places. */
export type Completions = { from: number, to: number, list: Array<Completion>, };

/** A column of the list of events: one of its own, or a field of the only type. */
export type EventColumn = { key: string, name: string, unit: Unit,
    /** Never: no event is a part of another. */
    part: boolean, };

/** A field of an event. */
export type EventField = { name: string, kind: Unit | "unknown", value: Value, };

/** How far the events that fit a query have been counted. */
export type EventsCounted = { found: number, done: boolean, };

/** Some rows of the list of events. */
export type EventsPage = { from: number,
    /** The values of each row, in the order of the columns. */
    rows: Array<Array<Value>>,
    /** The time of each row. */
    times: Array<number | null>,
    /** The track of the capability that logged each row, if it has one. */
    tracks: Array<number | null>,
    /** How many rows are known, as far as the log has been searched. */
    found: number,
    /** How many rows there would be without a filter. */
    kept: number,
    /** How many events the log has. */
    of: number,
    /** Whether no more rows will be found. */
    complete: boolean, columns: Array<EventColumn>, };

/** A stretch of time, and whose it is, as far as that is known. */
export type Evidence = { from: number, to: number, cap?: number, thread?: number,
    /** What is there, in a few words; perhaps empty. */
    label: string,
    /** The track that shows it. */
    track?: number,
    /** The tracks of its capability and of its thread, if they are others. */
    also: Array<number>, };

/** The figures and tables of a log, or of a range of it, in the order in which they are shown. Keys never change. */
export type Facts = { sections: Array<Section>, };

/** A name and a value. */
export type Field = { name: string,
    /** How to write the value. `unknown`: it is not in the log. */
    kind: Unit | "unknown", value: Value, };

/** A number or a text, with a name. */
export type Figure = { key: string, name: string, unit: Unit, value: Value,
    /** The time that it is about. */
    time?: number, };

/** What a rule says. */
export type Finding = {
    /** The rule, as in `summary --json`. */
    id: string, title: string, level: "warning" | "info" | "fine" | "waiting" | "not_applicable", text: string,
    /** Where to look, the most telling first. */
    evidence: Array<Evidence>,
    /** What could be gained, in nanoseconds or in bytes. */
    stakeNs?: number, stakeBytes?: number,
    /** What to try, with flags in backticks; empty if there is nothing. */
    remedy: string,
    /** The flag of the runtime that would supply what the rule needs. */
    needs?: string, };

/** What is worth knowing of a program: one finding for each rule, the gravest first. */
export type Findings = {
    /** Where the time went, in a line. */
    verdict: string, findings: Array<Finding>,
    /** How many of them wait for the replay. */
    waiting: number, };

/** The answer to a look-up on a track. */
export type Found = { "kind": "unknown",
    /** The flag of the runtime that would add it, if the log was written without it. */
    lacks?: string, } | { "kind": "unread" } | { "kind": "empty" } | { "kind": "level", running: number, of: number, what: string, } | { "kind": "span", span: Span,
    /** For a look-up of a wake-up: the time at which one thread woke the other. */
    moment?: number, } | { "kind": "many", count: number,
    /** Whether there are more than `count` spans. */
    more: boolean,
    /** What these spans are called. */
    what: string,
    /** The longest of them. */
    span: Span, };

/** What a search has found so far. */
export type FoundSoFar = { total: number,
    /** Only kinds of which there are any. */
    groups: Array<HitGroup>,
    /** Which spans of the program it cannot find: clauses. */
    remarks: Array<string>,
    /** Whether spans of the program are missing until threads have been followed. */
    waitsForReplay: boolean, };

/** A group of tracks, under a heading. */
export type Group = { key: string, name: string,
    /** How many tracks it has. */
    tracks: number,
    /** The numbers of tracks by shape, in order. */
    parts: Array<GroupPart>,
    /** Whether the heading is shown. It is not if it would only repeat the name of the one track. */
    headed: boolean,
    /** Whether its tracks are shown at first. */
    open: boolean,
    /** If the reader can choose the rows: how many things have tracks, and how many there are. */
    shown?: [number, number], note?: Note,
    /** The track that is drawn when the group is folded. */
    picture?: Track,
    /** The flag of the runtime that would add such tracks, if the log was written without it. */
    lacks?: string,
    /** Why there are none, if nothing happened. With a flag, it is not known which of the two is the reason. */
    none?: string, };

/** Tracks of one shape, one below the other. */
export type GroupPart = { shape: Shape, tracks: number, };

/** How often values occurred, in adjacent bins. */
export type Histogram = { key: string, name: string,
    /** The unit of the values. */
    unit: Unit, series: Array<Series>, bins: Array<Bin>, rows?: ColumnOfTable,
    /** Whether it is about the whole log although a range is selected. */
    ofWholeLog: boolean, };

/** Something that was found. */
export type Hit = { kind: string, time: number,
    /** In nanoseconds; for a span. */
    length?: number, cap?: number, thread?: number,
    /** For an event: the name of its type. */
    type?: string, text: string,
    /** The track that shows it. */
    track?: number, };

/** The hits of one kind. */
export type HitGroup = { kind: "message" | "marker" | "span" | "gc" | "run" | "event", title: string, count: number, };

/** A reason for which a capability was idle. */
export type IdleReason = {
    /** The key of the part of the account: `explained.json` has a sentence for each. */
    key: string, name: string,
    /** Nanoseconds. */
    time: number,
    /** The threads that it is about, or some of them. */
    threads: Array<NamedThread>,
    /** The capability that had requested the collection. */
    cap?: number, };

/** What a job needs to read, and how far it is. */
export type Job = {
    /** The parts of the file to read, each as offset and length. */
    reads: Array<[number, number]>,
    /** Progress in pieces of the file; the total is what is known so far. */
    done: number, of: number,
    /** Whether it reads nothing more because the file has changed. */
    gaveUp: boolean, };

/** A table whose rows are read from the log again. They have a fixed order. A filter is a list of keys of choices,
 * separated by commas. */
export type Listing = { table: TableInfo, choices: Array<RowChoice>, };

/** A part of the file for the preview, in bytes. */
export type Look = { offset: number, length: number, longer: number, };

/** A name that a query finds. */
export type NameFound = { name: string,
    /** Where it is defined, or what it says; perhaps empty. */
    detail: string,
    /** The query that finds what it stands for. */
    query?: string, track?: number, };

/** Names of one kind that a query finds. */
export type NameGroup = { kind: string, title: string, count: number,
    /** The first of them. */
    names: Array<NameFound>, };

/** A thread, and its label. */
export type NamedThread = { thread: number, label?: string,
    /** Its track. */
    track?: number, };

/** A figure that summarises a track. */
export type Note = { share: number, } | { number: number, } | { time: number, } | { most: number, unit: Unit, } | { count: number, longest: number, } | { lacks: string, };

/** Something that the user should know about the log. */
export type Notice = { text: string,
    /** Whether something of the log is missing. */
    loss: boolean,
    /** Whether it must be said before anything is shown of the log. Such notices come first. */
    first: boolean,
    /** The time of the last event before it. */
    time?: number,
    /** Whether it says that the user stopped the reading. (The page shows how far that was.) */
    stopped: boolean, };

/** A planned window. */
export type Plan = {
    /** The number of its job. */
    job: number,
    /** The window that will be shown. It does not begin before the page's clock. */
    from: number, to: number, };

/** What the log says about its process. Fields that it does not have are absent. */
export type Process = { args: Array<string>, runtime: string,
    /** From each time on, the date at time 0 in milliseconds since the Unix epoch: logging may be restarted. */
    clocks: Array<[number, number]>, };

/** Why a query cannot be read. Places in texts count UTF-16 units, as JavaScript does. */
export type QueryFault = { at: number,
    /** What is wrong, and what is expected: a clause. */
    reason: string, };

/** All of one event. Its bytes come besides. */
export type ReadEvent = {
    /** Its place among all events, in the order of the file, from 1 on. */
    number: number, time: number, cap?: number,
    /** The thread that ran there. */
    ran?: number, label?: string,
    /** The name of its type, and its number. */
    type: string, tag: number,
    /** What such an event means; perhaps empty. */
    about: string,
    /** What it says, however long that is. */
    text: string, fields: Array<EventField>,
    /** Where it begins in the file, in bytes. */
    offset: number,
    /** The event as `ghc-eventlog find --json` prints it. */
    json: string, };

/** A choice of rows of a listing. */
export type RowChoice = { key: string, name: string, count: number, };

/** The unit of a line's values, and the largest of them. */
export type Scale = { most: number,
    /** How far the smallest value is below 0. */
    below?: number,
    /** The largest value of this line on any capability; absent if it is not a capability's. */
    alike?: number, unit: Unit, };

/** The facts about one subject. */
export type Section = {
    /** The same key as in `summary --json`. */
    key: string, name: string,
    /** How many things it is about, in its time. */
    count?: number,
    /** What these things are called: collections, threads. */
    things: string, figures: Array<Figure>, histograms: Array<Histogram>, tables: Array<TableInfo>,
    /** Tables that are only shown on request. */
    requests: Array<TableOnRequest>,
    /** Whether its tables are one below the other, because they are too wide to be beside its figures. */
    stacked: boolean,
    /** If the reader can choose the rows of the group of tracks that it is about: the group's key. */
    rowsOf?: string,
    /** The formats of other tools that it can be exported to, each with its name. */
    exports: Array<[string, string]>, listing?: Listing,
    /** If it has a flame graph: the key of the table with the same numbers, and their unit. Samples have an order of
     * time, bytes have none. */
    flame?: [string, Unit],
    /** The flag of the runtime that would add these facts, if the log was written without it. */
    flag?: string,
    /** Why there is nothing, if nothing happened. With a flag, it is not known which of the two is the reason. */
    none?: string,
    /** What whoever reads the figures should know of them, in sentences. */
    remark?: string, };

/** One of the things that a histogram counts separately, with the palette role of its colour. */
export type Series = { name: string, role: string, };

/** How a track is drawn. */
export type Shape = "states" | "level" | "line" | "bands" | "names" | "points";

/** A span with everything that is known about it. */
export type Span = { track: number,
    /** The track's name. */
    on: string,
    /** The track's group, by its key. */
    group: string,
    /** The index of the track in the group. */
    at: number,
    /** Whether the reader has hidden that track. */
    hidden: boolean,
    /** The row of the span's thread. */
    thread?: TrackSlot,
    /** The lane of the capability that ran the thread. */
    lane?: TrackSlot, start: number, end: number, state: string, role: string, title: string, fields: Array<Field>, };

/** One state of a track, with the time spent in it. */
export type State = { name: string, role: string,
    /** Nanoseconds over the whole log; absent if the track has no totals, or the log does not have the state. */
    total?: number,
    /** The flag of the runtime that would add it, if the log was written without it. */
    lacks?: string, };

/** How far a log is read. */
export type Status = {
    /** In bytes. */
    offset: number, events: number,
    /** First and last time of what is read; absent before the first event. */
    extent?: [number, number],
    /** The log's last time, if a preview has shown that it is later than the extent. */
    ahead?: number,
    /** Why the log cannot be read. */
    error?: string, };

/** A table. Its rows are asked for page by page. */
export type TableInfo = { key: string, name: string, columns: Array<Column>,
    /** How many rows are kept. */
    rows: number,
    /** If rows can be picked: the tooltip that says what picking one does. The first value of a row identifies it. */
    picks?: string,
    /** Which rows are kept, if not all. */
    kept: string,
    /** The key of the column whose largest values matter most, and come first. */
    heaviest?: string, };

/** A table that is only shown on request, and the label of the button. */
export type TableOnRequest = { label: string, table: TableInfo, };

/** Some consecutive rows of a table. */
export type TablePage = {
    /** The table's key. */
    table: string, from: number,
    /** The values of each row, in the order of the columns. */
    rows: Array<Array<Value>>,
    /** The time of each row, if it is about a moment. */
    times: Array<number | null>,
    /** The track on which each row is drawn at that time, if it is on one; empty if no row is. */
    tracks: Array<number | null>,
    /** How many rows match the filter. */
    found: number,
    /** How many rows are kept. */
    kept: number,
    /** How many rows the log has. */
    of: number, };

/** A track's description of itself. */
export type Track = { id: number, name: string,
    /** What it shows, by its key in `explained.json`. */
    kind: string,
    /** Its group's key. */
    group: string, shape: Shape,
    /** The palette role of the track's colour, if it has only one. */
    role?: string,
    /** For a line the largest value, for bands the largest sum, with the unit. */
    scale?: Scale, states: Array<State>, note: Note,
    /** The time for which the log has it; absent if that is the whole log. */
    known?: [number, number],
    /** For a track that represents others: whether these have tracks of their own, too. */
    unfolded?: boolean,
    /** For a thread: what it waited for most; absent if it did not wait, or that is not known. */
    waited?: Waited, };

/** A track, and its index in its group. */
export type TrackSlot = { track: number, group: string, at: number, hidden: boolean, };

/** The groups of tracks, and the track that represents the whole log. */
export type Tree = { groups: Array<Group>, whole?: Track, };

/** The unit of a value. */
export type Unit = "text" | "time" | "duration" | "bytes" | "bytes/s" | "count" | "count/s" | "share" | "thread" | "capability" | "offset" | "bytes·ns" | "±bytes/s" | "±bytes" | "integer" | "levels";

/** A value. Times and durations are in nanoseconds, shares are parts of 1, offsets in the log are in bytes. Levels are
 * several numbers of bytes: the most in each of some equal pieces of the time. Two numbers of another unit: it is between them. Null if
 * it is not in the log. */
export type Value = string | number | Array<number> | null | undefined;

/** What a thread waited for most. */
export type Waited = { reason: string,
    /** Nanoseconds. */
    time: number,
    /** The thread that most of all its waiting was for, if there is such a one. */
    thread?: number,
    /** That thread's label. */
    label?: string, };
