//! What happens on capabilities: collections, tasks, and idle times.

use super::file::MAX_CAPS;
use ghc_eventlog::Nanos;

/// Collections with a row of their own, of 72 bytes; totals count all.
pub const MAX_COLLECTIONS: usize = 1 << 17;

/// Slices of the log, as a power of two, of which is known how long collections took in them, however many there are: a minute has several
/// of them in a log of a day, and one in a log of a week.
pub const COLLECTED_LOG2: u32 = 13;

/// Bytes for these.
pub const COLLECTED_BYTES: usize = size_of::<u32>() << COLLECTED_LOG2;

/// Moments of one kind that have a row of a few numbers: they happen once per major collection. Sums count all.
pub const MAX_MOMENTS: usize = 1 << 14;

/// Phases of the non-moving collector with a row of their own: a cycle has some ten. Totals count all.
pub const MAX_PHASES: usize = 1 << 14;

/// Rows of censuses of the non-moving heap: a census has one for each size of block, some ten.
pub const MAX_CENSUS_ROWS: usize = 1 << 14;

/// Collections that are requested at the same time: GHC requests none while another one is requested, so more of them are
/// left over from what was lost, or false.
pub const MAX_PENDING_COLLECTIONS: usize = 1 << 6;

/// Pairs of a capability and a thread that stopped last before a collection: those for which was waited longest. A program has some
/// for each capability.
pub const MAX_LAST_STOPS: usize = 1 << 12;

/// A capability that is later than this for a collection, without any thread to blame, was held up: usually an OS thread is woken up
/// within some tens of microseconds.
pub const LATE_FOR_COLLECTION: Nanos = Nanos(1_000_000);

/// Tasks with a row of their own: a program has some for each capability, and one more for each call from outside.
pub const MAX_TASKS: usize = 1 << 13;

/// Stays of tasks on a capability, of all tasks together.
pub const MAX_TASK_STAYS: usize = 1 << 14;

/// Stretches in which capabilities were disabled, of all capabilities together.
pub const MAX_DISABLED: usize = 1 << 13;

/// Times at which a capability comes, goes, is disabled or enabled, in the account of idle time.
pub const MAX_SHIFTS: usize = 2 * MAX_CAPS + 2 * MAX_DISABLED;

/// A time for which a capability is idle although threads could run is shorter than this where it was put to sleep and woken up again;
/// it is longer where the operating system runs something else.
pub const SHORT_GAP: Nanos = Nanos(500_000);

/// From this length on, times are kept in which every capability was idle: the runtime collects after 0.3 s of that, by default.
pub const QUIET: Nanos = Nanos(250_000_000);

/// A collection that is requested, or begins, within this time after they were all idle is one for that. What comes later has another
/// reason.
pub const QUIET_BEFORE: Nanos = Nanos(2_000_000);

/// Such times with a collection after them that are kept: the longest ones.
pub const MAX_QUIET: usize = 1 << 11;

/// A longer pause of a major collection is noticed by people and missed by deadlines: such pauses are counted, all of them.
pub const LONG_PAUSE: Nanos = Nanos(50_000_000);

/// It usually takes some ten microseconds from the request for a collection to its begin: times longer than this are counted.
pub const SLOW_SYNC: Nanos = Nanos(1_000_000);

/// The non-moving collector usually stops the program for a millisecond or two: stops longer than this are counted.
pub const LONG_STOP: Nanos = Nanos(10_000_000);

/// Stretches in which few capabilities run that are kept for each threshold: the longest ones.
pub const MAX_LOW_USE: usize = 1 << 6;

/// An interruption shorter than this does not end such a stretch.
pub const LOW_USE_GAP: Nanos = Nanos(100_000);

/// Idle stretches of lanes are kept from this length on: it is shorter than what `setNumCapabilities` takes.
pub const REST: Nanos = Nanos(20_000);

/// Idle stretches that are kept, of all lanes together: the longest ones.
pub const MAX_RESTS: usize = 1 << 14;

/// Ends of collections that are kept to find the censuses in them, of all lanes together: the longest ones, which have
/// censuses if any have.
pub const MAX_TAILS: usize = 1 << 14;

/// Censuses of the heap profile whose times are kept, to show them on lanes: at ten a second, a quarter of an hour. Half as
/// many as ends of collections, of which half are dropped when there are too many.
pub const MAX_TAKINGS: usize = MAX_TAILS / 2;

/// How late a census may be, besides two of its periods: it waits for the runtime's timer, and for the program.
pub const CENSUS_LATE: Nanos = Nanos(50_000_000);

/// Times in which the runtime wrote the log that are kept, the longest: with GHC's blocks of 2 MiB, those of a log of 4 GB. Totals of the
/// whole log count all.
pub const MAX_LOG_WRITES: usize = 1 << 11;
