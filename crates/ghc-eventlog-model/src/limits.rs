//! Every bound on what the model keeps, each with its reason. Together they keep the page's budget: 256 MB for a log of any
//! size. The read buffers and the page itself take about a third of that.

use ghc_eventlog::Nanos;

/// Base buckets of the overview, as a power of two, as long as all tracks fit [`OVERVIEW_BYTES`]: 68 for each pixel of a
/// screen 1920 wide, so that zooming in by 68 still needs no file access.
pub const OVERVIEW_LOG2: u32 = 17;

/// The fewest base buckets, as a power of two: one for each pixel of a narrow window.
pub const OVERVIEW_MIN_LOG2: u32 = 9;

/// Bytes of a log for each bucket: logs from 64 MiB on get all buckets. Smaller logs are drawn from their events sooner.
pub const BYTES_PER_BUCKET: u64 = 512;

/// Bytes for the buckets of all tracks. 15 capabilities get all buckets, 64 get a quarter.
pub const OVERVIEW_BYTES: usize = 42 << 20;

/// The most capabilities that get a lane. GHC's own limit is 256; a damaged file can name 65 535.
pub const MAX_CAPS: usize = 1024;

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
pub const INDEX_BYTES: usize = 12 << 20;

/// Bytes for segments that were decoded again, and are kept in case they are needed once more.
pub const DETAIL_BYTES: usize = 24 << 20;

/// Bytes for the segments of one window, which may need more: what [`DETAIL_READ`] of a busy program's log decodes to.
pub const DETAIL_MOST: usize = 38 << 20;

/// The least number of bytes for these segments. Their room is reduced by what a log's profiles take, and by what is known of
/// its threads, since few logs are full of all of it.
pub const DETAIL_LEAST: usize = 11 << 19;

/// The most bytes of the file from which one window is decoded; a window that needs more is drawn from the overview.
pub const DETAIL_READ: u64 = 24 << 20;

/// A log, or a part of it, as small as this is drawn exactly at any zoom, in bytes of the file.
pub const DETAIL_ALWAYS: u64 = 2 << 20;

/// The most bytes of the file that are read to find out what one pixel shows: a moment's work. A pixel of a log of 10 GB has
/// more.
pub const LOOKUP_READ: u64 = 4 << 20;

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

/// Threads with a row of their own; if there are more, the heaviest half of as many. Totals count all.
pub const MAX_THREADS: usize = 1 << 18;

/// Blocks of 4096 thread numbers in which it is remembered which threads have lost their rows, once for those that were over and once
/// for the others: 8 million, if they are numbered as GHC does. Of later ones, whatever comes when they had been over makes them count
/// twice, which takes a log whose blocks are in no order.
pub const MAX_NUMBER_BLOCKS: usize = 1 << 11;

/// Bytes for the states of threads without a row, while threads are followed: as much as the rows that are left free would take. They also
/// get most of the room for events that wait; 16 bytes each, if they are numbered as GHC does.
pub const ROWLESS_BYTES: usize = 9 << 20;

/// Thread numbers below this are looked up in an array; larger ones, which only a long run reaches, in a tree.
pub const DENSE_THREADS: u32 = 1 << 20;

/// Bytes that are kept of any label or other text from the log at least. All of it is kept as long as its store has room: when that is
/// used up, the longest texts are cut first, in the middle.
pub const MAX_TEXT: usize = 240;

/// Bytes of the longest text: an event has up to 64 KiB, and a byte that is not UTF-8 becomes three.
pub const LONGEST_TEXT: usize = 3 << 16;

/// Program arguments that are kept, each with all of its text: all of them are one event of up to 64 KiB. Of more, the first and the
/// last half of this many.
pub const MAX_ARGS: usize = 1 << 11;

/// Pieces of time for which the states of threads are kept: a few for each pixel of a wide screen.
pub const MAX_PIECES: usize = 1 << 13;

/// Cells: pieces of time of one thread in which something happened to it, for all threads together. When there are more,
/// pieces become twice as long.
pub const MAX_CELLS: usize = MAX_THREADS;

/// The first N threads have running totals; the others are summed from their cells on demand (most have few).
pub const MAX_SUMS: usize = 1 << 13;

/// Threads that are named as a reason for idle time, of each kind of reason.
pub const MAX_IDLE_THREADS: usize = 8;

/// Threads of which it is known what they waited for: if there are more, those that may have waited longest.
pub const MAX_WAITED: usize = 1 << 11;

/// The longest waits of threads that are kept for each reason.
pub const MAX_WAITS: usize = 64;

/// Pairs of threads, one of which was blocked on a black hole of the other.
pub const MAX_CONTENTION: usize = 1 << 12;

/// Pairs of a capability and a thread that stopped last before a collection: those for which was waited longest. A program has some
/// for each capability.
pub const MAX_LAST_STOPS: usize = 1 << 12;

/// Flags of the runtime that are kept as they were given: there are about a hundred kinds, of which nobody uses more than a few.
pub const MAX_RTS_FLAGS: usize = 64;

/// A time for which a capability is idle although threads could run is shorter than this where it was put to sleep and woken up again;
/// it is longer where the operating system runs something else.
pub const SHORT_GAP: Nanos = Nanos(500_000);

/// A capability that is later than this for a collection, without any thread to blame, was held up: usually an OS thread is woken up
/// within some tens of microseconds.
pub const LATE_FOR_COLLECTION: Nanos = Nanos(1_000_000);

/// Collections that are requested at the same time: GHC requests none while another one is requested, so more of them are
/// left over from what was lost, or false.
pub const MAX_PENDING_COLLECTIONS: usize = 1 << 6;

/// From this length on, times are kept in which every capability was idle: the runtime collects after 0.3 s of that, by default.
pub const QUIET: Nanos = Nanos(250_000_000);

/// Such times that are kept: the longest ones. They fill eight minutes at least.
pub const MAX_QUIET: usize = 1 << 11;

/// Labels of user spans that are kept apart, those whose spans took most time; the spans of all other labels are summed as one.
pub const MAX_SPAN_LABELS: usize = 1 << 12;

/// Bytes for these labels.
pub const SPAN_LABEL_BYTES: usize = 1 << 19;

/// Other labels that are weighed, to find out which are the heaviest.
pub const MAX_MISSED_LABELS: usize = 1 << 12;

/// Pairs of words for spans that the reader adds to the known ones.
pub const MAX_SPAN_WORDS: usize = 16;

/// Labels that were seen with common words of spans: "started" and "ended". When there are more, those are forgotten of which
/// only one word was seen.
pub const MAX_COMMON_LABELS: usize = 1 << 11;

/// Different texts of tags and instants of spans that are kept. Others are read from the file when they are shown.
pub const MAX_NOTE_TEXTS: usize = 1 << 12;

/// Bytes for these texts.
pub const NOTE_TEXT_BYTES: usize = 1 << 19;

/// Tags and instants of user spans that are kept, each 32 bytes. When there are more, the shorter half of the spans loses its
/// own.
pub const MAX_NOTES: usize = 1 << 15;

/// Tags and instants of a span that are shown in its tooltip and details.
pub const MAX_NOTES_SHOWN: usize = 24;

/// Instruments of opentelemetry that have a line.
pub const MAX_INSTRUMENTS: usize = 1 << 7;

/// Bytes for their names.
pub const INSTRUMENT_BYTES: usize = 1 << 15;

/// The longest word, in bytes, before a number that may have a line: a longer text is a sentence.
pub const MAX_NUMBER_WORD: usize = 64;

/// Words before a number that are counted, before they have come often enough for a line. When there are more, they are
/// counted anew.
pub const MAX_COUNTED_WORDS: usize = 1 << 11;

/// Lines of numbers after a word.
pub const MAX_NUMBER_LINES: usize = 1 << 6;

/// Bytes for these words.
pub const NUMBER_WORD_BYTES: usize = 1 << 13;

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

/// User spans that are kept, each 40 bytes. When there are more, half of the room is for the longest, and half for a sample of the
/// others, which are read again where they are looked at. Totals count all.
pub const MAX_USER_SPANS: usize = 1 << 16;

/// User spans that are open at the same time: a server may have some for each request. Of a table of 2^15 places, seven eighths may be
/// used.
pub const MAX_OPEN_SPANS: usize = 7 << 12;
/// Counters for the spans beyond these, each for those whose keys have a part of their hashes in common.
pub const MAX_UNFOLLOWED_KEYS: usize = 1 << 12;
/// The same for instances of a label that were asked for: of each of them much more is kept.
pub const MAX_OPEN_REQUESTS: usize = 1 << 12;

/// Sums of those spans that are not kept individually, by label and the piece of time in which they begin: four pieces if there are as
/// many labels as can be.
pub const MAX_SPAN_SUMS_IN_PIECES: usize = 4 * (MAX_SPAN_LABELS + 1);
/// Begins and ends of such spans that are read again at once, each 56 bytes: where the user looks closely, or at the edges of a range.
pub const MAX_SPAN_EVENTS: usize = 1 << 17;
/// The most bytes of the file from which all spans of a range are read.
pub const SPANS_READ: u64 = 2 << 20;

/// Rows for the open spans of a label, or of a thread, at the same time: the last row has all the others.
pub const MAX_SPAN_LANES: usize = 32;

/// Stretches in which few capabilities run that are kept for each threshold: the longest ones.
pub const MAX_LOW_USE: usize = 1 << 6;
/// An interruption shorter than this does not end such a stretch.
pub const LOW_USE_GAP: Nanos = Nanos(100_000);
/// Instances of a label that are kept, once they are asked for: the longest ones. Sums count all.
pub const MAX_REQUESTS: usize = 1000;
/// Instances that have ended and wait for their capability to tell how much it allocated. Of further ones that is not known.
pub const MAX_WAITING_REQUESTS: usize = 1 << 11;
/// Capabilities that are named of an instance.
pub const MAX_REQUEST_CAPS: usize = 8;
/// Labels of the spans within an instance that are named: those with the longest times, and one for all others.
pub const MAX_REQUEST_NESTED: usize = 8;
/// Times of spans within others, by label, of all open spans together.
pub const MAX_NESTED_TIMES: usize = 1 << 15;
/// Parts of the allocation of instances that are not known yet: one or two for each instance.
pub const MAX_ALLOCATION_SHARES: usize = 1 << 14;
/// Capabilities that are remembered of a thread with an open instance: those on which it ran last.
pub const MAX_CLOCK_CAPS: usize = 16;
/// Buckets of time for when spans of a label were open, as a power of two, as long as all labels fit [`SPAN_BUCKETS_BYTES`]: used when
/// not all spans are kept.
pub const SPANS_LOG2: u32 = 13;
/// The fewest of these buckets.
pub const SPANS_MIN_LOG2: u32 = 5;
/// Bytes for them: of [`MAX_SPAN_LABELS`] labels, each has the fewest.
pub const SPAN_BUCKETS_BYTES: usize = ((MAX_SPAN_LABELS + 1) * size_of::<u32>()) << SPANS_MIN_LOG2;

/// Different lengths of user spans that are counted, by label, each within 0.4 %: spans of one label have some hundred. When there are
/// more, those of the labels are forgotten that took the least time.
pub const MAX_SPAN_LENGTHS: usize = 1 << 14;

/// Open user spans of which is followed what their threads do, for what the slow ones of each label do more of.
pub const MAX_FOLLOWED_SPANS: usize = 1 << 8;
/// Times of spans within these, by label.
pub const MAX_FOLLOWED_NESTED: usize = 1 << 11;
/// Sums of what threads did in them, by label and length, and as many of the spans within them: some for each label.
pub const MAX_SPAN_SUMS: usize = 1 << 9;

/// Bytes of thread events that are held while segments of the log are put in order of time: a segment of each of 130
/// capabilities. With more capabilities, or in logs of many GB, whose segments are longer, the segments of one time need
/// more. Then each is read several times, for one piece of time after the other.
pub const REPLAY_BYTES: usize = 24 << 20;

/// The least number of bytes for that, if a log's profiles take the room.
pub const REPLAY_LEAST: usize = 2 << 20;

/// Bytes of thread events where the user looks closely, once the replay is complete.
pub const AT_HAND_BYTES: usize = 8 << 20;

/// Segments whose thread events are wanted at the same time.
pub const MAX_WANTED: usize = 1 << 10;

/// The most bytes of the file from which the states of threads in one window are made: a window that needs more is drawn from
/// the cells.
pub const THREADS_READ: u64 = 6 << 20;

/// Bytes of the log that are read at once for the replay.
pub const REPLAY_AHEAD: u64 = 1 << 20;

/// Bytes of all labels together: some 30 000 of the longest.
pub const TEXT_BYTES: usize = 6 << 20;

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

/// Event types without a track of another kind that get a row each: GHC's table has a hundred.
pub const MAX_OTHER_TYPES: usize = 256;

/// Different texts of markers that are kept apart: programs mark phases, and few put a number into each text.
pub const MAX_MARKERS: usize = 1 << 12;

/// Markers that are kept individually with their times; if there are more, some of them, as evenly as they came.
pub const MAX_MARKED: usize = 1 << 15;

/// Bytes for their texts.
pub const MARKER_BYTES: usize = 1 << 19;

/// The most events that are kept of each type without another track: one for each pixel or two. When there are more, they
/// thin out evenly.
pub const MAX_OTHER_POINTS: usize = 1 << 10;

/// Bytes for the buckets of types that have more events than are kept.
pub const OTHER_RINGS_BYTES: usize = 1 << 20;

/// The most buckets of one such type, as a power of two.
pub const OTHER_LOG2: u32 = 12;

/// Times within which a class of events was switched off that are kept: the longest ones. Programs do that by hand.
pub const MAX_PAUSES: usize = 64;

/// Buckets, as a power of two, that show when there are events of a class: pauses are found to one of them.
pub const PAUSES_LOG2: u32 = 12;

/// Bytes for these buckets, of two classes.
pub const PAUSES_BYTES: usize = (2 * size_of::<u32>()) << PAUSES_LOG2;

/// Buckets that are looked at for one pause: all, and one more.
pub const PAUSE_BUCKETS: usize = (1 << PAUSES_LOG2) + 1;

/// How late a census may be, besides two of its periods: it waits for the runtime's timer, and for the program.
pub const CENSUS_LATE: Nanos = Nanos(50_000_000);

/// The most buckets of a line or of points, as a power of two.
pub const LINE_LOG2: u32 = 14;

/// Threads that are known to be running a spark: GHC has one or two for each capability.
pub const MAX_SPARK_THREADS: usize = 1 << 12;

/// Bytes for the buckets of the sum over all capabilities.
pub const IN_ALL_BYTES: usize = 1 << 20;

/// Buckets of such a sum, as a power of two: one for each pixel of a wide screen, and a few more.
pub const IN_ALL_LOG2: u32 = 12;

/// Moments of one kind that have a row of a few numbers: they happen once per major collection. Sums count all.
pub const MAX_MOMENTS: usize = 1 << 14;

/// Collections with a row of their own, of 72 bytes; totals count all.
pub const MAX_COLLECTIONS: usize = 1 << 17;

/// Phases of the non-moving collector with a row of their own: a cycle has some ten. Totals count all.
pub const MAX_PHASES: usize = 1 << 14;

/// Rows of censuses of the non-moving heap: a census has one for each size of block, some ten.
pub const MAX_CENSUS_ROWS: usize = 1 << 14;

/// Tasks with a row of their own: a program has some for each capability, and one more for each call from outside.
pub const MAX_TASKS: usize = 1 << 13;

/// Stays of tasks on a capability, of all tasks together.
pub const MAX_TASK_STAYS: usize = 1 << 14;

/// Stretches in which capabilities were disabled, of all capabilities together.
pub const MAX_DISABLED: usize = 1 << 13;

/// Times at which a capability comes, goes, is disabled or enabled, in the account of idle time.
pub const MAX_SHIFTS: usize = 2 * MAX_CAPS + 2 * MAX_DISABLED;

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

/// Filters of a heap profile that are kept: the runtime has seven kinds.
pub const MAX_HEAP_FILTERS: usize = 16;

/// Times in which the runtime wrote the log that are kept, the longest: with GHC's blocks of 2 MiB, those of a log of 4 GB. Totals of the
/// whole log count all.
pub const MAX_LOG_WRITES: usize = 1 << 11;

/// Bands of the heap profile with totals of their own; all others are one band. Programs have up to some thousands.
pub const MAX_BANDS: usize = 1 << 14;

/// What has no band of its own in a census: the heaviest of it, which may take the places of lighter bands.
pub const MAX_MISSED_BANDS: usize = 1 << 8;

/// Bytes for the labels of these.
pub const MISSED_LABEL_BYTES: usize = 1 << 17;

/// Bytes for the labels of bands.
pub const LABEL_BYTES: usize = 3 << 19;

/// Cost centres in the stacks of all bands together.
pub const MAX_STACK_ENTRIES: usize = 1 << 18;

/// Entries of all censuses that are kept: 300 censuses of 2000 bands. When there are more, every second census is dropped;
/// the totals of bands count all.
pub const MAX_CENSUS_ENTRIES: usize = 1 << 19;

/// Pieces of time in the small picture of a band in a table's cell: some pixels for each.
pub const LEVELS: usize = 40;

/// Censuses that are kept, even if they have few entries: some for each pixel.
pub const MAX_CENSUSES: usize = 1 << 14;

/// Cost centres with definitions, and frames in samples of the time profile. If a log defines more, those that profiles use are read again.
pub const MAX_COST_CENTRES: usize = 1 << 15;

/// Info tables with definitions; likewise.
pub const MAX_INFO_TABLES: usize = 1 << 15;

/// Bytes for the texts of definitions: some 60 for each info table, since modules and types are kept once.
pub const PROFILE_TEXT_BYTES: usize = 5 << 19;

/// Of these, the bytes for what has names of its own besides cost centres and info tables: frames in messages, and ticky counters. Info tables
/// come first and may be any number.
pub const OTHER_NAMES_BYTES: usize = PROFILE_TEXT_BYTES / 5;

/// Bytes of the log that are read at once for definitions that were not kept at first.
pub const DEFINITIONS_AHEAD: u64 = 2 << 20;

/// Different texts of definitions that are kept only once.
pub const MAX_PROFILE_TEXTS: usize = 1 << 15;

/// Stacks of the time profile: when there are more, samples of the lightest count for the outer part that is kept. The same bound holds
/// for the stacks of a heap profile, while the user looks at them.
pub const MAX_STACKS: usize = 1 << 15;

/// Buckets of time in which samples of the time profile are counted, as a power of two: a few for each pixel of a wide
/// screen.
pub const SAMPLE_COUNTS_LOG2: u32 = 13;

/// Capabilities for which the stack of the last sample is kept: frames that the next one shares with it need not be looked
/// up.
pub const MAX_LAST_STACKS: usize = 1 << 8;

/// Texts, and places in the source, that stacks in messages refer to by a number: a program has some for each place that it
/// annotates.
pub const MAX_STACK_NAMES: usize = 1 << 12;

/// Earlier meanings of such a number that are tried for a stack whose block comes late: a program has one, or two if it starts a
/// second profiler.
pub const MAX_MEANINGS_TRIED: usize = 1 << 3;

/// Bytes of messages with stacks that wait until one of them shows which end of a stack comes first: some thousand stacks, enough to
/// see where those of one thread agree.
pub const MAX_WAITING_BYTES: usize = 1 << 19;

/// Frames of incomplete stacks that come in several messages: a message has up to 7000. Only the outer part of a deeper stack
/// is kept.
pub const MAX_OPEN_FRAMES: usize = 1 << 13;

/// Incomplete stacks: usually one, since a single thread writes them.
pub const MAX_OPEN_STACKS: usize = 1 << 6;

/// Threads in samples of the time profile.
pub const MAX_SAMPLED_THREADS: usize = 1 << 12;

/// Samples this many ticks apart still follow one another: the runtime's ticks are not quite regular.
pub const TICKS_APART: u64 = 2;

/// Samples of the time profile that are kept: when there are more, they thin out evenly.
pub const MAX_TIME_SAMPLES: usize = 1 << 17;

/// The most bytes that a band counts for among the stacks of a heap profile. There are at most [`MAX_BANDS`] of them, so
/// their sum fits a number; no machine has that much memory.
pub const MAX_HELD_BYTES: u64 = 1 << 48;

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

/// Ticky counters with a row of their own.
pub const MAX_COUNTERS: usize = 1 << 14;

/// Samples of them that are kept, each of one counter.
pub const MAX_TICKY_SAMPLES: usize = 1 << 15;

/// Wall clocks of a process: one for each time that logging was started, which few programs do more than once.
pub const MAX_WALL_CLOCKS: usize = 64;

/// Sets of capabilities: GHC has two or three.
pub const MAX_CAPSETS: usize = 64;

/// Variables of the program's environment that are kept, as [`MAX_ARGS`].
pub const MAX_ENVIRONMENT: usize = 1 << 11;

/// The most hits of each kind that a search keeps, each with its text: a list has room for fewer, and all are counted.
pub const MAX_HITS: usize = 2000;

/// The most bytes of a hit's text: a line.
pub const MAX_HIT_TEXT: usize = 240;

/// The most names of each kind that a search finds: there may be 200 000 threads. All are counted.
pub const MAX_NAME_HITS: usize = 200;

/// The most words that are offered while a query is typed.
pub const MAX_COMPLETIONS: usize = 20;

/// Bytes of hits that wait for earlier ones, if they are wanted in order of time: the command line's.
pub const FIND_BYTES: usize = 64 << 20;

/// Bytes of the log that are read at once for a search, and for the first hit.
pub const FIND_AHEAD: u64 = 8 << 20;
/// See [`FIND_AHEAD`].
pub const FIND_AHEAD_AT_FIRST: u64 = 256 << 10;
/// They are read in pieces of about this many bytes, so that one is looked at while the others are read.
pub const FIND_PIECE: u64 = 1 << 20;

/// The most events whose order in time is known at once, for the list of events: some pages before and after those on the screen.
/// Each takes 16 bytes.
pub const ORDER_KEYS: usize = 1 << 17;

/// The most bytes of a query: the time to look for it in a text grows with both.
pub const MAX_QUERY: usize = 4 << 10;

/// The most rows of a table that are returned at once: a screen has some fifty.
pub const MAX_PAGE: usize = 10_000;

/// The most event types that a list of events can be filtered by: GHC has 150.
pub const MAX_CHOICES: usize = 500;

/// The most bytes of an event's text in a table: a message can have 64 KiB. The details of the event have all of it.
pub const MAX_EVENT_TEXT: usize = 1 << 10;

/// The most bytes that are shown of an event whose fields are not known.
pub const MAX_BYTES_SHOWN: usize = 64;

/// Diagnostics kept in full; the others are only counted.
pub const MAX_DIAGNOSTICS: usize = 500;

/// The largest number of different unknown or rare event types that are counted individually, or whose descriptions are kept,
/// each up to [`MAX_TEXT`] bytes.
pub const MAX_COUNTED_TAGS: usize = 1024;

/// Spans of a window that are passed individually: narrower ones are in its columns.
pub const MAX_SPANS: usize = 4096;

/// How far times may go back within a stream before it is reported: GC_END goes back by up to 18 µs in every collection.
pub const TIME_BACK: Nanos = Nanos(10_000_000);

/// From a year on, a log's length is taken for damage: one false time is enough to make everything else too short to be seen.
pub const LONGEST_LOG: Nanos = Nanos(365 * 24 * 3600 * Nanos::SECOND.0);

/// A log of a program that starts others is probably of the wrong program if it has fewer events than this, or is shorter
/// than [`LAUNCHER_TIME`]. Those who work on such a program record longer runs of it.
pub const LAUNCHER_EVENTS: u64 = 1000;

/// See [`LAUNCHER_EVENTS`].
pub const LAUNCHER_TIME: Nanos = Nanos(100_000_000);

/// Most processes of one file whose threads are told apart. Each is a log that was appended by hand or by a restart.
pub const MAX_PROCESSES: usize = 64;

/// Thread numbers from here on come from damage: a log in which a program created so many threads has 4 GiB.
pub const LARGEST_THREAD: u32 = 1 << 28;

/// How much of a further stream is looked at to see whether it is another process's, in bytes. Its first block says so, which
/// is short.
pub const PROCESS_BEGIN: usize = 1 << 16;
/// Fewer things than this between two events that count them are no rate: one spark in 250 ms is not four per second. Each such
/// stretch is drawn as a point where they came to be counted, and its number is told. With ten, a rate is right within a third.
pub const FEW: u64 = 10;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Collection, Thread,
        keeping::{
            crossing::{
                account::{self, Shift},
                cells::{Blocked, Cell, Did, REASONS},
                chains::{CHAINS, Chain},
                counters::CounterValues,
                doing::Now,
                low_use::{LowStretch, THRESHOLDS},
                marks::{CounterId, Mark},
                notes::SpanNote,
                requests::{AROUND_BYTES, CLOCK_BYTES, INSTANCE_BYTES, ROW_BYTES, SHARE_BYTES, SUMS_BYTES},
                rowless::RowlessPiece,
                span_parts::{OPEN_PART_BYTES, SPAN_SUM_BYTES},
                spans::{COVER_BYTES, LANE_BYTES, OPEN_SPAN_BYTES, OfLabel, PIECES_BYTES, UserSpan},
                stops::{CapDoes, LastStop, StoppedLast, Stopper},
                threads::{Contention, ThreadLife, Wait},
                waited::Waited,
            },
            markers::{Marked, Marker},
            messages::Instrument,
            tasks::{Stay, Task},
            texts::TextId,
            threads::BLOCK_BYTES,
        },
        known::caps::CapEvents,
        profiles::{
            bands::Band,
            censuses::Entry,
            messages::MEANING_BYTES,
            names::{CostCentre, Info, StackPlace, StackText},
            stacks::{OfCap, Sampled, SampledThread},
            ticky::{Counter, TickySample},
            tree::Node,
        },
        terms::{
            frame::Frame,
            nonmoving::{Census, Phase},
            op::Waker,
            sample::{NumbersAt, Sample},
        },
        trees::tree_bytes,
    };
    use alloc::string::String;
    use ghc_eventlog::{CostCentreId, ThreadId, limits::HEADERS_BYTES};
    use ghc_eventlog_text::LogText;

    /// Everything that grows with the log, at its largest: with a third for the rest it fits the page's 256 MB, and uses
    /// them.
    #[test]
    fn together_they_keep_the_budget() {
        let profiles = [
            MAX_BANDS * size_of::<Band>() + LABEL_BYTES + MAX_STACK_ENTRIES * size_of::<CostCentreId>(),
            MAX_CENSUS_ENTRIES * size_of::<Entry>() + MAX_CENSUSES * size_of::<Nanos>() * 4,
            MAX_COST_CENTRES * (size_of::<CostCentre>() + size_of::<Frame>() + size_of::<u32>()),
            MAX_INFO_TABLES * size_of::<Info>() + PROFILE_TEXT_BYTES + MAX_PROFILE_TEXTS * size_of::<TextId>(),
            MAX_STACKS * size_of::<Node>()
                + MAX_TIME_SAMPLES * size_of::<Sampled>()
                + MAX_LAST_STACKS * 255 * 8
                + ((3 * size_of::<u32>()) << SAMPLE_COUNTS_LOG2)
                + MAX_CAPS * size_of::<OfCap>(),
            MAX_STACK_NAMES * (size_of::<StackText>() + size_of::<StackPlace>() + 2 * MEANING_BYTES),
            // Those of open stacks, and those of the last message, as they are written and as they are kept.
            3 * MAX_OPEN_FRAMES * size_of::<Frame>() + MAX_SAMPLED_THREADS * size_of::<SampledThread>(),
            MAX_COUNTERS * size_of::<Counter>() + MAX_TICKY_SAMPLES * size_of::<TickySample>(),
            // The table that finds each of them: a hash and a place, with room for twice as many.
            2 * size_of::<(u64, u32)>()
                * (MAX_BANDS + 2 * MAX_COST_CENTRES + MAX_INFO_TABLES + MAX_PROFILE_TEXTS + MAX_STACKS + MAX_COUNTERS)
                + 2 * size_of::<(u64, u32)>() * (2 * MAX_STACK_NAMES + MAX_SAMPLED_THREADS),
        ];
        let profiles: usize = profiles.into_iter().sum();
        let detail = DETAIL_MOST.max(profiles + DETAIL_LEAST);
        let classes = [OVERVIEW_BYTES, INDEX_BYTES, detail, TEXT_BYTES];
        let rings = [SAMPLES_BYTES, LINES_BYTES, POINTS_BYTES, IN_ALL_BYTES, OTHER_RINGS_BYTES, PAUSES_BYTES];
        let rows = [
            MAX_THREADS * size_of::<Thread>(),
            DENSE_THREADS as usize * size_of::<u32>(),
            MAX_COLLECTIONS * size_of::<Collection>(),
            MAX_PHASES * size_of::<Phase>(),
            MAX_CENSUS_ROWS * size_of::<Census>(),
            MAX_TASKS * size_of::<Task>(),
            MAX_TASK_STAYS * size_of::<Stay>(),
            MAX_MOMENTS * size_of::<NumbersAt>(),
            (MAX_DISABLED + MAX_RESTS + MAX_TAILS + MAX_TAKINGS + MAX_LOG_WRITES) * size_of::<(Nanos, Nanos)>(),
            MAX_OTHER_TYPES * MAX_OTHER_POINTS * size_of::<Sample>(),
            SPAN_LABEL_BYTES + MAX_SPAN_LABELS * (size_of::<(TextId, u32)>() + 2 * size_of::<(u64, u32)>()),
            NOTE_TEXT_BYTES + MAX_NOTE_TEXTS * (size_of::<(TextId, u32)>() + 2 * size_of::<(u64, u32)>()),
            NUMBER_WORD_BYTES + MAX_NUMBER_LINES * (size_of::<(TextId, u32)>() + 2 * size_of::<(u64, u32)>()),
            (MAX_COMMON_LABELS + MAX_COUNTED_WORDS) * (size_of::<(u64, u8)>() + 2 * size_of::<(u64, u32)>()),
            INSTRUMENT_BYTES + MAX_INSTRUMENTS * (size_of::<Instrument>() + size_of::<(u64, u16)>()),
            MAX_MARKED * size_of::<Marked>(),
            MARKER_BYTES
                + MAX_MARKERS * (size_of::<Marker>() + size_of::<(TextId, u32)>() + 2 * size_of::<(u64, u32)>()),
        ];
        // Instances are looked for once the replay is over: in its room.
        let requests = [
            MAX_THREADS * size_of::<Now>(),
            (MAX_OPEN_REQUESTS + MAX_WAITING_REQUESTS) * INSTANCE_BYTES
                + MAX_OPEN_REQUESTS * (AROUND_BYTES + CLOCK_BYTES),
            2 * MAX_REQUESTS * ROW_BYTES + SUMS_BYTES,
            MAX_NESTED_TIMES * size_of::<(u16, Nanos)>() + MAX_ALLOCATION_SHARES * SHARE_BYTES,
        ];
        let requests: usize = requests.into_iter().sum();
        assert!(requests + REPLAY_LEAST <= REPLAY_BYTES, "{requests}");
        // If some threads have no row, half of the rows are free once the log has been read.
        let without_row = 2 * MAX_NUMBER_BLOCKS * BLOCK_BYTES;
        let rowless = without_row + ROWLESS_BYTES + MAX_PIECES * size_of::<RowlessPiece>();
        let free = MAX_THREADS / 2 * (size_of::<Thread>() + size_of::<ThreadLife>() + 3 * size_of::<u32>());
        assert!(rowless <= free, "{rowless} and {free}");
        // During the replay, or twice while pieces become longer.
        let replay = [
            REPLAY_BYTES.saturating_sub(profiles).max(REPLAY_LEAST),
            // Its row, the row's number, and its label.
            MAX_THREADS * (size_of::<ThreadLife>() + 3 * size_of::<u32>()),
            MAX_CELLS * (size_of::<Cell>() + 2 * size_of::<u32>()),
            MAX_SUMS * size_of::<Did>(),
            MAX_WAITED * (size_of::<Waited>() + size_of::<u32>()),
            MAX_PIECES * size_of::<Blocked>(),
            REASONS.len() * MAX_WAITS * size_of::<Wait>() + CHAINS * (size_of::<Chain>() + size_of::<ThreadId>()),
            MAX_CONTENTION * size_of::<((ThreadId, Waker), Contention)>(),
            MAX_COLLECTIONS * size_of::<Option<LastStop>>()
                + MAX_LAST_STOPS * size_of::<(Stopper, StoppedLast)>()
                + (size_of::<CapDoes>() << u16::BITS),
            MAX_QUIET * size_of::<(Nanos, Nanos)>()
                + MAX_SHIFTS * size_of::<Shift>()
                + MAX_CAPS * account::LANE_BYTES
                + MAX_THREADS / 8,
            MAX_USER_SPANS * size_of::<UserSpan>() + PIECES_BYTES,
            // Rows of spans are made, and instances are looked for, once none is open.
            (MAX_OPEN_SPANS * OPEN_SPAN_BYTES
                + MAX_UNFOLLOWED_KEYS * size_of::<u32>()
                + MAX_MISSED_LABELS * (size_of::<(u32, u64)>() + 2 * size_of::<(u64, u32)>()))
            .max(MAX_USER_SPANS * LANE_BYTES + MAX_REQUESTS * ROW_BYTES + SUMS_BYTES),
            MAX_FOLLOWED_SPANS * OPEN_PART_BYTES + MAX_FOLLOWED_NESTED * size_of::<(u16, Nanos)>(),
            MAX_SPAN_SUMS * SPAN_SUM_BYTES,
            // While room is made for more, the notes that are kept are there twice.
            2 * MAX_NOTES * size_of::<SpanNote>() + MAX_CAPS * size_of::<Option<Mark>>(),
            COUNTER_BYTES + COUNTER_RINGS_BYTES,
            (MAX_INSTRUMENTS + MAX_NUMBER_LINES) * size_of::<(CounterId, CounterValues)>(),
            (MAX_SPAN_LABELS + 1) * (size_of::<OfLabel>() + COVER_BYTES),
            THRESHOLDS * MAX_LOW_USE * size_of::<LowStretch>(),
            SPAN_BUCKETS_BYTES,
            MAX_SPAN_LENGTHS * size_of::<(u64, u64)>() + MAX_COLLECTIONS * size_of::<(Nanos, Nanos)>() / 16,
        ];
        let texts = [
            (MAX_ENVIRONMENT + MAX_ARGS) * size_of::<LogText<'_>>() + 2 * LONGEST_TEXT,
            MAX_COUNTED_TAGS * (MAX_TEXT + size_of::<String>()),
        ];
        // Names are read again before the replay: in its room. Meanwhile those that are kept may be there twice.
        let names = [
            2 * MAX_COST_CENTRES * (size_of::<u64>() + size_of::<bool>() + 2 * size_of::<(u64, u32)>()),
            MAX_COST_CENTRES * size_of::<CostCentre>() + MAX_INFO_TABLES * size_of::<Info>(),
            PROFILE_TEXT_BYTES + MAX_PROFILE_TEXTS * size_of::<TextId>() + DEFINITIONS_AHEAD as usize,
        ];
        assert!(names.into_iter().sum::<usize>() <= REPLAY_BYTES);
        let numbers = [
            MAX_CAPS * size_of::<CapEvents>(),
            tree_bytes::<u16, ()>(MAX_CAPSETS * MAX_CAPS),
            tree_bytes::<u16, u64>(2 * MAX_COUNTED_TAGS),
        ];
        let bytes: usize = [&classes[..], &rings, &rows, &texts, &numbers].into_iter().flatten().sum();
        // Messages only wait while the log is read.
        assert!((120 << 20..=(256 << 20) / 3 * 2).contains(&(bytes + without_row + 2 * MAX_WAITING_BYTES)), "{bytes}");
        // Once the log has been read, the memory for reading is free.
        let replay: usize = replay.into_iter().sum();
        assert!(bytes + replay <= (256 << 20) / 6 * 5, "{bytes} and {replay}");
        // Headers do not grow with the log, and GHC's takes 10 KB. What a hostile one takes is missing for the rest.
        assert!(bytes + without_row + HEADERS_BYTES <= (256 << 20) / 4 * 3, "{bytes}");
    }
}
