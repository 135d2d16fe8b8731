//! The file: its segments and processes, and numbers that only damage has.

use ghc_eventlog::Nanos;

/// From this size on, in bytes, a segment ends with the next block: smaller blocks share one.
pub const SEGMENT_SOFT: u64 = 64 << 10;

/// From this size on, in bytes, a segment ends between any two events. A look at 64 capabilities needs a segment of each.
pub const SEGMENT_HARD: u64 = 128 << 10;

/// A segment may grow by this many bytes to let a collection end.
pub const SEGMENT_STRETCH: u64 = 1 << 20;

/// Bytes read beyond a segment at first: decoding it may need what follows, usually a record or two.
pub const SEGMENT_AHEAD: u64 = 2 << 10;

/// Bytes for the index. GHC's blocks of 2 MiB need one to two MB per GB of log; when blocks of a few events need more,
/// segments are merged in pairs.
pub const INDEX_BYTES: usize = (12 << 20) - (1 << 15);

/// The most capabilities that get a lane. GHC's own limit is 256; a damaged file can name 65 535.
pub const MAX_CAPS: usize = 1024;

/// Sets of capabilities: GHC has two or three.
pub const MAX_CAPSETS: usize = 64;

/// Most processes of one file whose threads are told apart. Each is a log that was appended by hand or by a restart.
pub const MAX_PROCESSES: usize = 64;

/// How much of a further stream is looked at to see whether it is another process's, in bytes. Its first block says so, which
/// is short.
pub const PROCESS_BEGIN: usize = 1 << 16;

/// Thread numbers from here on come from damage: a log in which a program created so many threads has 4 GiB.
pub const LARGEST_THREAD: u32 = 1 << 28;

/// A log of a program that starts others is probably of the wrong program if it has fewer events than this, or is shorter
/// than [`LAUNCHER_TIME`]. Those who work on such a program record longer runs of it.
pub const LAUNCHER_EVENTS: u64 = 1000;

/// See [`LAUNCHER_EVENTS`].
pub const LAUNCHER_TIME: Nanos = Nanos(100_000_000);

/// Wall clocks of a process: one for each time that logging was started, which few programs do more than once.
pub const MAX_WALL_CLOCKS: usize = 64;

/// How far times may go back within a stream before it is reported: GC_END goes back by up to 18 µs in every collection.
pub const TIME_BACK: Nanos = Nanos(10_000_000);

/// From a year on, a log's length is taken for damage: one false time is enough to make everything else too short to be seen.
pub const LONGEST_LOG: Nanos = Nanos(365 * 24 * 3600 * Nanos::SECOND.0);

/// Diagnostics kept in full: those about the most lost bytes, if there are more. All are counted.
pub const MAX_DIAGNOSTICS: usize = 500;

/// The largest number of different unknown or rare event types that are counted individually, or whose descriptions are kept,
/// each up to [`MAX_TEXT`](super::MAX_TEXT) bytes.
pub const MAX_COUNTED_TAGS: usize = 1024;

/// Times within which a class of events was switched off that are kept: the longest ones. Programs do that by hand.
pub const MAX_PAUSES: usize = 64;

/// Times in which the log was off that are kept, of all capabilities together: the longest. Programs start it again by hand.
pub const MAX_LOG_OFF: usize = 1 << 10;

/// Runs that may have a pause in them that are kept, of all capabilities together: the longest.
pub const MAX_PAUSED_RUNS: usize = 1 << 11;

/// Buckets, as a power of two, that show when there are events of a class: pauses are found to one of them.
pub const PAUSES_LOG2: u32 = 12;

/// Bytes for these buckets, of two classes.
pub const PAUSES_BYTES: usize = (2 * size_of::<u32>()) << PAUSES_LOG2;

/// Buckets that are looked at for one pause: all, and one more.
pub const PAUSE_BUCKETS: usize = (1 << PAUSES_LOG2) + 1;
