// The types of the plain objects that come from the binding. Made of crates/ghc-eventlog-wasm/src/: do not edit; wire.rs there says how.

/** Values from one to below another, and how many there are of each series. */
export type Bin = { from: number, to: number, counts: Array<number>, };

/** A column of a table. */
export type Column = { key: string, name: string, unit: Unit,
    /** Its colour in the palette. */
    role?: string,
    /** Whether its values are parts of what the row has in the column `known_ns`. */
    part: boolean, };

/** Where a histogram's values stand one by one, by key. */
export type ColumnOfTable = { table: string, column: string, };

/** What is said of a log, or of a range of it, in figures and tables, in the order in which it is shown. Keys never change. */
export type Facts = { sections: Array<Section>, };

/** A name and a value. */
export type Field = { name: string,
    /** How to write the value; `unknown`: the log does not tell. */
    kind: Unit | "unknown", value: Value, };

/** A number, or a text, with a name. */
export type Figure = { key: string, name: string, unit: Unit, value: Value,
    /** The moment that it is about. */
    time?: number, };

/** What a look-up has found on a track. */
export type Found = { "kind": "unknown",
    /** The flag of the runtime without which the log does not tell. */
    lacks?: string, } | { "kind": "unread" } | { "kind": "empty" } | { "kind": "level", running: number, of: number, what: string, } | { "kind": "span", span: Span,
    /** Along wake-ups, when the one was woken up by the other. */
    moment?: number, } | { "kind": "many", count: number,
    /** Whether there are more than `count`. */
    more: boolean,
    /** What they are. */
    what: string,
    /** The longest. */
    span: Span, };

/** A heading that tracks stand under. */
export type Group = { key: string, name: string,
    /** How many it has. */
    tracks: number,
    /** The same by shape, in order. */
    parts: Array<GroupPart>,
    /** Whether the heading is shown: not if it would only say what the one track does. */
    headed: boolean,
    /** Whether its tracks are shown at first. */
    open: boolean,
    /** Of how many there are tracks, and how many there are, if the reader can choose. */
    shown?: [number, number], note?: Note,
    /** What is drawn of it when it is folded. */
    picture?: Track,
    /** The flag of the runtime without which the log has none of them. */
    lacks?: string, };

/** Tracks of one shape that stand one below the other. */
export type GroupPart = { shape: Shape, tracks: number, };

/** How often which values were, in bins without a gap between them. */
export type Histogram = { key: string, name: string,
    /** Of the values. */
    unit: Unit, series: Array<Series>, bins: Array<Bin>, rows?: ColumnOfTable,
    /** Whether it is of the whole log, though a range is selected. */
    ofWholeLog: boolean, };

/** What a job wants, and how far it is. */
export type Job = {
    /** What must be read, as offset and length. */
    reads: Array<[number, number]>,
    /** In pieces of the file, as far as it is known how many there are. */
    done: number, of: number,
    /** Whether it wants nothing since the file has changed. */
    gaveUp: boolean, };

/** A table whose rows are read from the log again: they come in one order, and are filtered by the keys of some choices, with commas
 * between them. */
export type Listing = { table: TableInfo, choices: Array<RowChoice>, };

/** A part of the file to be looked at, in bytes. */
export type Look = { offset: number, length: number, longer: number, };

/** A figure that sums a track up. */
export type Note = { share: number, } | { number: number, } | { time: number, } | { most: number, unit: Unit, } | { count: number, longest: number, } | { lacks: string, };

/** Something that the log's reader should know. */
export type Notice = { text: string,
    /** Whether something of the log is missing. */
    loss: boolean,
    /** The time of the last event before it. */
    time?: number,
    /** Whether it is that its user stopped reading: the page knows best how far that was. */
    stopped: boolean, };

/** A window that has been planned. */
export type Plan = {
    /** The number of its job. */
    job: number,
    /** The window that will be shown: none begins before the clock does. */
    from: number, to: number, };

/** What the log says of its process; what it lacks is absent. */
export type Process = { args: Array<string>, runtime: string,
    /** Milliseconds since the Unix epoch at time 0. */
    epoch?: number, };

/** Rows of a listing that can be chosen. */
export type RowChoice = { key: string, name: string, count: number, };

/** What the values of a line are, and the largest of them. */
export type Scale = { most: number, unit: Unit, };

/** What is said of one subject. */
export type Section = {
    /** As `summary --json` has it. */
    key: string, name: string,
    /** The number of what is counted there: collections, threads. */
    count?: number, figures: Array<Figure>, histograms: Array<Histogram>, tables: Array<TableInfo>,
    /** Tables that are only shown to those who ask for them. */
    requests: Array<TableOnRequest>,
    /** Whether its tables stand one below the other: they are too wide to stand beside its figures. */
    stacked: boolean,
    /** The key of the group of tracks whose rows it is about, if the reader can choose those. */
    rowsOf?: string,
    /** What it can be written as for other tools: formats, and what they are called. */
    exports: Array<[string, string]>, listing?: Listing,
    /** It has a flame graph: the key of the table that has the same numbers, and what they are: counted samples, which have an order of
     * time, or bytes, which have none. */
    flame?: [string, Unit],
    /** The flag of the runtime without which the log cannot tell what it is about. */
    flag?: string,
    /** What a reader of the figures should know. */
    remark?: string, };

/** What a histogram counts apart, with its colour in the palette. */
export type Series = { name: string, role: string, };

/** What a track is drawn as. */
export type Shape = "states" | "level" | "line" | "bands" | "names" | "points";

/** A span with all that is known of it. */
export type Span = { track: number,
    /** The track's name. */
    on: string,
    /** The track's group, by its key. */
    group: string,
    /** Which track of that it is. */
    at: number,
    /** Whether its reader has chosen not to see that track. */
    hidden: boolean,
    /** The row of the thread that it is of. */
    thread?: TrackSlot,
    /** The capability's lane on which that ran. */
    lane?: TrackSlot, start: number, end: number, state: string, role: string, title: string, fields: Array<Field>, };

/** One state of a track, with the time spent in it. */
export type State = { name: string, role: string,
    /** Nanoseconds over the whole log; absent for a track that does not sum it up, and where the log does not tell. */
    total?: number,
    /** The flag of the runtime without which the log does not tell. */
    lacks?: string, };

/** How far a log is read. */
export type Status = {
    /** In bytes. */
    offset: number, events: number,
    /** The extent of what is read; absent before the first event. */
    extent?: [number, number],
    /** Until when the log goes on beyond that, as a first look tells; absent if it does not, or nobody has looked. */
    ahead?: number,
    /** Why nothing can be read. */
    error?: string, };

/** A table: its rows come page by page. */
export type TableInfo = { key: string, name: string, columns: Array<Column>,
    /** How many are kept. */
    rows: number,
    /** What is told of a row that is picked, in words, if rows can be: its first value tells which one it is. */
    picks?: string,
    /** Which rows are kept, where not all are. */
    kept: string, };

/** A table that is only shown to those who ask for it, and the words to ask by. */
export type TableOnRequest = { label: string, table: TableInfo, };

/** Some rows of a table, from one on. */
export type TablePage = {
    /** Its key. */
    table: string, from: number,
    /** Their values, by column. */
    rows: Array<Array<Value>>,
    /** When each row was, if it is about a moment. */
    times: Array<number | null>,
    /** The track that each row is drawn on at that time, if it is on one; empty if none is. */
    tracks: Array<number | null>,
    /** How many rows pass the filter. */
    found: number,
    /** How many are kept. */
    kept: number,
    /** How many there were in the log. */
    of: number, };

/** A track, describing itself. */
export type Track = { id: number, name: string,
    /** Its group's key. */
    group: string, shape: Shape,
    /** The role in the palette of what is drawn, if that has but one. */
    role?: string,
    /** Of a line, the largest value, of bands the largest sum, and what the values are. */
    scale?: Scale, states: Array<State>, note: Note,
    /** From when to when the log tells of it; absent for all of the log. */
    known?: [number, number],
    /** It stands for others: whether they have tracks of their own, too. */
    unfolded?: boolean, };

/** A track, and where it stands. */
export type TrackSlot = { track: number, group: string, at: number, hidden: boolean, };

/** The groups of tracks, and the track that stands for the whole log. */
export type Tree = { groups: Array<Group>, whole?: Track, };

/** What a value is. */
export type Unit = "text" | "time" | "duration" | "bytes" | "bytes/s" | "count" | "count/s" | "share" | "thread" | "capability" | "offset" | "bytes·ns" | "±bytes/s" | "±bytes" | "levels";

/** A value: times and durations in nanoseconds, shares as parts of 1, offsets in the log as bytes; of levels some numbers of bytes: the
 * most in each of some equal pieces of the time. None if the log does not tell. */
export type Value = string | number | Array<number> | null | undefined;
