//! Threads, and the replay, which follows them over all capabilities.

/// Threads with a row of their own. If there are more, the heaviest have the rows, and half of this many once the log has been read. Totals
/// count all.
pub const MAX_THREADS: usize = 1 << 18;

/// Thread numbers below this are looked up in an array; larger ones, which only a long run reaches, in a tree.
pub const DENSE_THREADS: u32 = 1 << 20;

/// Blocks of 4096 thread numbers, with a bit for each thread that has lost its row: one set for those that had finished, and one for the
/// others. That is 8 million threads, if they are numbered as GHC does. Of further ones it is not known that they had a row: one that gets
/// another row counts twice, and `WithoutRow::is_exact` says so.
pub const MAX_NUMBER_BLOCKS: usize = 1 << 11;

/// Bytes for the states of threads without a row during the replay: as many as the rows that stay free would take. These states also get
/// three quarters of the room for events that wait. A thread takes some 16 bytes, if threads are numbered as GHC does.
pub const ROWLESS_BYTES: usize = 9 << 20;

/// Pieces of time for which the states of threads are kept: a few for each pixel of a wide screen.
pub const MAX_PIECES: usize = 1 << 13;

/// Cells: pieces of time of one thread in which something happened to it, for all threads together. When there are more,
/// pieces become twice as long.
pub const MAX_CELLS: usize = MAX_THREADS;

/// The first N threads have running totals; the others are summed from their cells on demand, with the same result (most have few cells).
pub const MAX_SUMS: usize = 1 << 13;

/// Threads of which it is known what they waited for: if there are more, those that may have waited longest.
pub const MAX_WAITED: usize = 1 << 11;

/// Threads of which it is known how long all others waited for them: those that they waited for longest.
pub const MAX_AWAITED: usize = 1 << 4;

/// The longest waits of threads that are kept for each reason.
pub const MAX_WAITS: usize = 64;

/// Pairs of threads, one of which was blocked on a black hole of the other.
pub const MAX_CONTENTION: usize = 1 << 12;

/// Threads that are known to be running a spark: GHC has one or two for each capability.
pub const MAX_SPARK_THREADS: usize = 1 << 12;

/// Threads that are named as a reason for idle time, of each kind of reason.
pub const MAX_IDLE_THREADS: usize = 8;

/// The most bytes of the file from which the states of threads, or the user spans, in one window are made: a window that needs more is
/// drawn from the cells, and from the picture of all spans.
pub const THREADS_READ: u64 = 6 << 20;

/// Bytes of thread events that are held while segments of the log are put in order of time: a segment of each of 130
/// capabilities. With more capabilities, or in logs of many GB, whose segments are longer, the segments of one time need
/// more. Then each is read several times, for one piece of time after the other.
pub const REPLAY_BYTES: usize = 24 << 20;

/// The least number of bytes for that, if a log's profiles take the room.
pub const REPLAY_LEAST: usize = 15 << 17;

/// Bytes of the log that are read at once for the replay.
pub const REPLAY_AHEAD: u64 = 1 << 20;

/// Thread events that are taken at once when a part of the log has been read, unless it has more itself: about two segments of a log of
/// 1 GB, which take the page some 20 ms.
pub const REPLAY_AT_ONCE: usize = 1 << 15;

/// Bytes of thread events where the user looks closely, once the replay is complete.
pub const AT_HAND_BYTES: usize = 8 << 20;

/// Segments whose thread events are wanted at the same time.
pub const MAX_WANTED: usize = 1 << 10;
