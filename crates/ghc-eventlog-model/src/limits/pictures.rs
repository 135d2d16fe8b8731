//! What is drawn: buckets, lines and points, the segments of a window, and the first look at a long log.

/// Base buckets of the overview, as a power of two, as long as all tracks fit [`OVERVIEW_BYTES`]: 68 for each pixel of a
/// screen 1920 wide, so that zooming in by 68 still needs no file access.
pub const OVERVIEW_LOG2: u32 = 17;

/// The fewest base buckets, as a power of two: one for each pixel of a narrow window.
pub const OVERVIEW_MIN_LOG2: u32 = 9;

/// Bytes of a log for each bucket: logs from 64 MiB on get all buckets. Smaller logs are drawn from their events sooner.
pub const BYTES_PER_BUCKET: u64 = 512;

/// Bytes for the buckets of all tracks. 15 capabilities get all buckets, 64 get a quarter.
pub const OVERVIEW_BYTES: usize = 42 << 20;

/// Bytes for segments that were decoded again, and are kept in case they are needed once more.
pub const DETAIL_BYTES: usize = 24 << 20;

/// Bytes for the segments of one window, which may need more: what [`DETAIL_READ`] of a busy program's log decodes to.
pub const DETAIL_MOST: usize = 147 << 18;

/// The least number of bytes for these segments. Their room is reduced by what a log's profiles take, and by what is known of
/// its threads, since few logs are full of all of it.
pub const DETAIL_LEAST: usize = 15 << 18;

/// The most bytes of the file from which one window is decoded; a window that needs more is drawn from the overview.
pub const DETAIL_READ: u64 = 24 << 20;

/// A log, or a part of it, as small as this is drawn exactly at any zoom, in bytes of the file.
pub const DETAIL_ALWAYS: u64 = 2 << 20;

/// Spans of a window that are passed individually: narrower ones are in its columns.
pub const MAX_SPANS: usize = 4096;

/// A long log gets a look, before it is read, for each of this many bytes.
pub const LOOK_DESERVED: u64 = 64 << 20;

/// The most such looks.
pub const LOOKS: u64 = 64;

/// The fewest: a log that would get fewer is read in a moment.
pub const LOOKS_WORTH: u64 = 4;

/// Bytes of a look: several blocks if they are small.
pub const LOOK: u64 = 128 << 10;

/// Bytes of a longer look: enough for the begin of a block of GHC's largest size, and a good part of that block.
pub const LOOK_LONGER: u64 = (2 << 20) + (256 << 10);

/// The most glimpses that are kept: each is what was seen of one capability at one place.
pub const MAX_LOOK_SAMPLES: usize = 1 << 12;

/// Bytes for the values of all counters, and for things that are only counted: see [`MAX_SAMPLES_EACH`].
pub const SAMPLES_BYTES: usize = 8 << 20;

/// The most values kept of one counter of one capability: a few for each pixel of a wide screen. When there are more, they
/// thin out evenly, but the extremes are kept.
pub const MAX_SAMPLES_EACH: usize = 1 << 14;

/// The fewest values kept of each counter, for any number of counters.
pub const MIN_SAMPLES: usize = 1 << 8;

/// Bytes for the buckets of counters that have more values than are kept. Things that are only counted have a budget of their
/// own, so that many of one class cost the other nothing.
pub const LINES_BYTES: usize = 6 << 20;

/// See [`LINES_BYTES`].
pub const POINTS_BYTES: usize = 4 << 20;

/// The most buckets of a line or of points, as a power of two.
pub const LINE_LOG2: u32 = 14;

/// Bytes for the buckets of the sum over all capabilities.
pub const IN_ALL_BYTES: usize = 1 << 20;

/// Buckets of such a sum, as a power of two: one for each pixel of a wide screen, and a few more.
pub const IN_ALL_LOG2: u32 = 12;

/// Bytes for the values of all these lines and those of instruments, and the most and the fewest of one line. When there are
/// more, they thin out evenly, but the extremes are kept.
pub const COUNTER_BYTES: usize = 1 << 20;

/// See [`COUNTER_BYTES`].
pub const MAX_COUNTER_VALUES: usize = 1 << 13;

/// See [`COUNTER_BYTES`].
pub const MIN_COUNTER_VALUES: usize = 1 << 8;

/// Bytes for the buckets of such lines that have more values than are kept.
pub const COUNTER_RINGS_BYTES: usize = 1 << 19;

/// The most buckets of such a line, as a power of two.
pub const COUNTER_LOG2: u32 = 12;

/// Event types without a track of another kind that get a row each: GHC's table has a hundred.
pub const MAX_OTHER_TYPES: usize = 256;

/// The most events that are kept of each type without another track: one for each pixel or two. When there are more, they
/// thin out evenly.
pub const MAX_OTHER_POINTS: usize = 1 << 10;

/// Bytes for the buckets of types that have more events than are kept.
pub const OTHER_RINGS_BYTES: usize = 1 << 20;

/// The most buckets of one such type, as a power of two.
pub const OTHER_LOG2: u32 = 12;

/// Fewer things than this between two events that count them are no rate: one spark in 250 ms is not four per second. Each such
/// stretch is drawn as a point where they came to be counted, and its number is told. With ten, a rate is right within a third.
pub const FEW: u64 = 10;
