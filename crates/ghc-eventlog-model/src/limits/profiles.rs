//! Profiles: bands and censuses of the heap, stacks and samples, their names, flame graphs and call trees.

/// Bands of the heap profile with totals of their own; all others are one band. Programs have up to some thousands.
pub const MAX_BANDS: usize = 1 << 14;

/// Bytes for the labels of bands.
pub const LABEL_BYTES: usize = (3 << 19) - (1 << 16);

/// Keys of a census without a band of their own that may take the places of lighter bands, at least: a quarter of all bands.
pub const MAX_MISSED_BANDS: usize = 1 << 12;

/// Bytes for their labels and stacks: of longer ones, there are fewer.
pub const MISSED_KEY_BYTES: usize = 1 << 20;

/// Keys without a band of which it is known what they held in earlier censuses, while the log is read: four for each band, since most of
/// those that come once must not drive out the steady ones.
pub const MAX_WEIGHED_KEYS: usize = 1 << 16;

/// Innermost cost centres of stacks without a band, each with what these hold together.
pub const MAX_BEYOND_BANDS: usize = 1 << 9;

/// Cost centres in the stacks of all bands together.
pub const MAX_STACK_ENTRIES: usize = 1 << 18;

/// Entries of all censuses that are kept: 300 censuses of 2000 bands. When there are more, every second census is dropped;
/// the totals of bands count all.
pub const MAX_CENSUS_ENTRIES: usize = 1 << 19;

/// Censuses that are kept, even if they have few entries: some for each pixel.
pub const MAX_CENSUSES: usize = 1 << 14;

/// Pieces of time in the small picture of a band in a table's cell: some pixels for each.
pub const LEVELS: usize = 40;

/// The most bytes that a band counts for among the stacks of a heap profile. There are at most [`MAX_BANDS`] of them, so
/// their sum fits a number; no machine has that much memory.
pub const MAX_HELD_BYTES: u64 = 1 << 48;

/// Stacks of the time profile: when there are more, samples of the lightest count for the outer part that is kept. The same bound holds
/// for the stacks of a heap profile, while the user looks at them.
pub const MAX_STACKS: usize = 1 << 15;

/// Samples of the time profile that are kept: when there are more, they thin out evenly.
pub const MAX_TIME_SAMPLES: usize = 1 << 17;

/// Buckets of time in which samples of the time profile are counted, as a power of two: a few for each pixel of a wide
/// screen.
pub const SAMPLE_COUNTS_LOG2: u32 = 13;

/// Threads with samples in the time profile: when there are more, the half with the fewest samples gives its places.
pub const MAX_SAMPLED_THREADS: usize = 1 << 12;

/// Capabilities for which the stack of the last sample is kept: frames that the next one shares with it need not be looked
/// up.
pub const MAX_LAST_STACKS: usize = 1 << 8;

/// Samples this many ticks apart still follow one another: the runtime's ticks are not quite regular.
pub const TICKS_APART: u64 = 2;

/// Incomplete stacks: usually one, since a single thread writes them.
pub const MAX_OPEN_STACKS: usize = 1 << 6;

/// Frames of incomplete stacks that come in several messages: a message has up to 7000. Only the outer part of a deeper stack
/// is kept.
pub const MAX_OPEN_FRAMES: usize = 1 << 13;

/// Bytes of messages with stacks that wait until one of them shows which end of a stack comes first: some thousand stacks, enough to
/// see where those of one thread agree.
pub const MAX_WAITING_BYTES: usize = 1 << 19;

/// Texts, and places in the source, that stacks in messages refer to by a number: a program has some for each place that it
/// annotates.
pub const MAX_STACK_NAMES: usize = 1 << 12;

/// Earlier meanings of such a number that are tried for a stack whose block comes late: a program has one, or two if it starts a
/// second profiler.
pub const MAX_MEANINGS_TRIED: usize = 1 << 3;

/// Cost centres with definitions, and frames in samples of the time profile. If a log defines more, those that profiles use are read again.
pub const MAX_COST_CENTRES: usize = 1 << 15;

/// Info tables with definitions. If a log defines more, those that profiles use are read again.
pub const MAX_INFO_TABLES: usize = 1 << 15;

/// Bytes for the texts of definitions: some 60 for each info table, since modules and types are kept once.
pub const PROFILE_TEXT_BYTES: usize = 5 << 19;

/// The part of [`PROFILE_TEXT_BYTES`] that cost centres and info tables leave to frames in messages and to ticky counters, which are defined
/// later.
pub const OTHER_NAMES_BYTES: usize = PROFILE_TEXT_BYTES / 5;

/// Different texts of definitions that are kept only once.
pub const MAX_PROFILE_TEXTS: usize = 1 << 15;

/// Bytes of the log that are read at once for definitions that were not kept at first.
pub const DEFINITIONS_AHEAD: u64 = 2 << 20;

/// Ticky counters with a row of their own: those that count most. Definitions of those without one are read again.
pub const MAX_COUNTERS: usize = 1 << 14;

/// Samples of them that are kept, each of one counter.
pub const MAX_TICKY_SAMPLES: usize = 1 << 15;

/// Frames of a flame graph: no screen has room for that many.
pub const MAX_FLAME_FRAMES: usize = 1 << 16;

/// The depth of a flame graph: the runtime writes at most 255 cost centres of a stack, since it counts them in a byte, and
/// there may be a capability above them.
pub const MAX_FLAME_DEPTH: u32 = 1 << 8;

/// The width of a flame graph in pixels.
pub const MAX_FLAME_WIDTH: u32 = 1 << 14;

/// Callees, or callers, that a call tree shows of a frame at first: below them, one row stands for all others.
pub const CALLS_AT_FIRST: usize = 100;

/// Frames of a call tree that can be unfolded one by one: nobody unfolds more by hand.
pub const MAX_OPEN_CALLS: usize = 1 << 12;

/// Rows of a call tree in one answer: no screen has room for that many.
pub const MAX_CALL_ROWS: usize = 1 << 10;
