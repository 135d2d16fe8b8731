//! Every bound on what the model keeps, each with its reason. Together they hold the page's budget: 256 MB for a log of
//! any size, of which the read buffers and the page itself take about a third.

use ghc_eventlog::Nanos;

/// Base buckets of the overview, as a power of two, as long as all tracks fit [`OVERVIEW_BYTES`]: 68 to a pixel of a
/// screen 1920 wide, so that a zoom by 68 still needs no file access.
pub const OVERVIEW_LOG2: u32 = 17;

/// Fewest base buckets, as a power of two: one to a pixel of a narrow window.
pub const OVERVIEW_MIN_LOG2: u32 = 9;

/// Bytes of a log for each bucket: all buckets from 64 MiB on. Smaller logs are drawn from their events sooner.
pub const BYTES_PER_BUCKET: u64 = 512;

/// Bytes for the buckets of all tracks. 15 capabilities get all buckets, 64 get a quarter.
pub const OVERVIEW_BYTES: usize = 42 << 20;

/// Most capabilities that get a lane. GHC's own limit is 256; a damaged file can name 65 535.
pub const MAX_CAPS: usize = 1024;

/// A segment ends with a block from here on, in bytes: smaller blocks share one.
pub const SEGMENT_SOFT: u64 = 64 << 10;

/// A segment ends between any two events from here on, in bytes. A look at 64 capabilities needs one of each.
pub const SEGMENT_HARD: u64 = 128 << 10;

/// A segment may go on this many bytes to let a collection end.
pub const SEGMENT_STRETCH: u64 = 1 << 20;

/// Bytes read beyond a segment at first: decoding it may ask for a look at what follows, a record or two as a rule.
pub const SEGMENT_AHEAD: u64 = 2 << 10;

/// Bytes for the index. GHC's blocks of 2 MiB need one to two MB per GB of log; when blocks of a few events need more,
/// segments are merged in pairs.
pub const INDEX_BYTES: usize = 12 << 20;

/// Bytes for segments decoded again that are kept in case they are needed once more.
pub const DETAIL_BYTES: usize = 24 << 20;

/// Bytes for those that one window is drawn from, which may need more: what [`DETAIL_READ`] of a busy program comes to.
pub const DETAIL_MOST: usize = 39 << 20;

/// Bytes that are left for them in any case: what a log's profiles take, and what its threads do once that is known, they do without,
/// since few logs are full of all of it.
pub const DETAIL_LEAST: usize = 8 << 20;

/// Most bytes of the file that one window is decoded from; a window that needs more is drawn from the overview.
pub const DETAIL_READ: u64 = 24 << 20;

/// A log, or a part of it, as small as this is drawn exactly at any zoom, in bytes of the file.
pub const DETAIL_ALWAYS: u64 = 2 << 20;

/// Most bytes of the file that are read to tell what one pixel holds: a moment's work. A pixel of a log of 10 GB has more.
pub const LOOKUP_READ: u64 = 4 << 20;

/// Bytes of a log that deserve a look before they are read.
pub const LOOK_DESERVED: u64 = 64 << 20;

/// Most such looks.
pub const LOOKS: u64 = 64;

/// Fewest: a log that deserves fewer is read in a moment.
pub const LOOKS_WORTH: u64 = 4;

/// Bytes of a look: several blocks where they are small.
pub const LOOK: u64 = 128 << 10;

/// Bytes of a look in which a block of GHC's largest size begins, with a good part of it.
pub const LOOK_LONGER: u64 = (2 << 20) + (256 << 10);

/// What was seen of one capability at one place, so many times.
pub const MAX_LOOK_SAMPLES: usize = 1 << 12;

/// Threads with a row of their own; totals count all.
pub const MAX_THREADS: usize = 1 << 18;

/// Thread numbers below this are looked up in an array; larger ones, which only a long run reaches, in a tree.
pub const DENSE_THREADS: u32 = 1 << 20;

/// Bytes kept of a label, a program's argument or another text from the log: it is only shown.
pub const MAX_TEXT: usize = 240;

/// Program arguments kept.
pub const MAX_ARGS: usize = 256;

/// Pieces of time that thread states are kept for: a few for each pixel of a wide screen.
pub const MAX_PIECES: usize = 1 << 13;

/// Such pieces of all threads together, as far as something happened to them in it. They become twice as long when there are more.
pub const MAX_CELLS: usize = MAX_THREADS;

/// Threads, the first ones, of which it is added up what they did: of the others it is told by their pieces each time, few of which most have.
pub const MAX_SUMS: usize = 1 << 13;

/// The longest waits of threads that are kept of each reason.
pub const MAX_WAITS: usize = 64;

/// Pairs of threads of which one was blocked on a black hole of the other.
pub const MAX_CONTENTION: usize = 1 << 12;

/// Labels of user spans that are told apart; the spans of all others are added up as one.
pub const MAX_SPAN_LABELS: usize = 1 << 9;

/// Bytes for them.
pub const SPAN_LABEL_BYTES: usize = 1 << 18;

/// User spans that are kept, each 32 bytes: they thin out evenly when there are more, but for the longest. Totals count all.
pub const MAX_USER_SPANS: usize = 1 << 16;

/// User spans that are open at the same time: a server may have some for each request.
pub const MAX_OPEN_SPANS: usize = 1 << 12;

/// Rows for the spans of a label, or of a thread, that are open at the same time: the last one has all that are left.
pub const MAX_SPAN_LANES: usize = 32;

/// Buckets of time in which it is kept when spans of a label were open, as a power of two: for when not all spans are kept.
pub const SPANS_LOG2: u32 = 9;

/// Different lengths of user spans that are counted, by label, each within 0.4 %: spans of one label have some hundred.
pub const MAX_SPAN_LENGTHS: usize = 1 << 14;

/// Bytes of what happens to threads that are held while segments of the log are put in order of time: a segment of each of 130
/// capabilities. Where those of one time are more, as with more capabilities or in logs of many GB, whose segments are longer, each is
/// read several times, a piece of time after the other.
pub const REPLAY_BYTES: usize = 24 << 20;

/// Bytes that are left for that where a log's profiles take the room.
pub const REPLAY_LEAST: usize = 5 << 20;

/// Bytes of what happens to threads where somebody looks closely, once all of the log has been gone through.
pub const AT_HAND_BYTES: usize = 8 << 20;

/// Segments that are asked for at the same time, of which what happens to threads shall be kept.
pub const MAX_WANTED: usize = 1 << 10;

/// Most bytes of the file that the states of threads in one window are made from: a window that needs more is drawn from what is kept of
/// pieces of time.
pub const THREADS_READ: u64 = 6 << 20;

/// Bytes of the log that are read at once for that.
pub const REPLAY_AHEAD: u64 = 1 << 20;

/// Bytes of all labels together: 30 000 of the longest.
pub const TEXT_BYTES: usize = 8 << 20;

/// Bytes for the values of all counters, and for what is only counted: see [`MAX_SAMPLES_EACH`].
pub const SAMPLES_BYTES: usize = 12 << 20;

/// Most values kept of one counter of one capability: a few for each pixel of a wide screen. They thin out evenly when there
/// are more, but keep the extremes.
pub const MAX_SAMPLES_EACH: usize = 1 << 14;

/// Fewest, however many counters there are.
pub const MIN_SAMPLES: usize = 1 << 8;

/// Bytes for the buckets of the counters of which not all values are kept, and of what is only counted: each class has its
/// own, so that many of one cost the others nothing.
pub const LINES_BYTES: usize = 7 << 20;
/// See [`LINES_BYTES`].
pub const POINTS_BYTES: usize = 4 << 20;

/// Types of events of which no other track is that get a row each: GHC's table has a hundred such.
pub const MAX_OTHER_TYPES: usize = 256;

/// Different texts of markers that are told apart: programs mark phases, and few put a number into each.
pub const MAX_MARKERS: usize = 1 << 12;

/// Markers that are kept each with its time; of more, some, as evenly as they came.
pub const MAX_MARKED: usize = 1 << 15;

/// Bytes for their texts.
pub const MARKER_BYTES: usize = 1 << 19;

/// Most of such events that are kept of a type: one for each pixel or two. They thin out evenly when there are more.
pub const MAX_OTHER_POINTS: usize = 1 << 10;

/// Bytes for the buckets of the types of which not all events are kept.
pub const OTHER_RINGS_BYTES: usize = 1 << 20;

/// Most buckets of one of them, as a power of two.
pub const OTHER_LOG2: u32 = 12;

/// Most buckets of a line or of points, as a power of two.
pub const LINE_LOG2: u32 = 14;

/// Threads that are running a spark, as far as is known: GHC has one or two for each capability.
pub const MAX_SPARK_THREADS: usize = 1 << 12;

/// Bytes for the buckets of what all capabilities do together.
pub const IN_ALL_BYTES: usize = 1 << 20;

/// Buckets of it, as a power of two: one to a pixel of a wide screen, and a few more.
pub const IN_ALL_LOG2: u32 = 12;

/// Things of one kind that have a row of a few numbers: such come once per major collection. Sums count all.
pub const MAX_MOMENTS: usize = 1 << 14;

/// Collections with a row of their own, of 72 bytes; totals count all.
pub const MAX_COLLECTIONS: usize = 1 << 17;

/// Phases of the non-moving collector with a row of their own: a cycle has some ten. Totals count all.
pub const MAX_PHASES: usize = 1 << 14;

/// Rows of censuses of the non-moving heap: a census has one for each size of block, some ten.
pub const MAX_CENSUS_ROWS: usize = 1 << 14;

/// Tasks with a row of their own: a program has some for each capability, and one more for each call from outside.
pub const MAX_TASKS: usize = 1 << 13;

/// Times that tasks stayed on one capability, of all tasks together.
pub const MAX_TASK_STAYS: usize = 1 << 14;

/// Times that capabilities were disabled, of all capabilities together.
pub const MAX_DISABLED: usize = 1 << 14;

/// From which length on it is kept that a lane did nothing: shorter than what `setNumCapabilities` takes.
pub const REST: Nanos = Nanos(20_000);

/// Such rests that are kept of all lanes together, the longest ones.
pub const MAX_RESTS: usize = 1 << 15;

/// Bands of the heap profile with totals of their own; the others are one. Programs have up to some thousands.
pub const MAX_BANDS: usize = 1 << 14;

/// Bytes for their labels.
pub const LABEL_BYTES: usize = 3 << 19;

/// Cost centres in the stacks of all bands together.
pub const MAX_STACK_ENTRIES: usize = 1 << 18;

/// Entries of all censuses that are kept: 300 censuses of 2000 bands. Every second census is left out when there are more; what
/// is told of bands counts all.
pub const MAX_CENSUS_ENTRIES: usize = 1 << 19;

/// Pieces of time that a band's course is told of: some pixels for each, as large as a picture in a table's cell is.
pub const LEVELS: usize = 40;

/// Censuses that are kept, however little is in them: some for each pixel.
pub const MAX_CENSUSES: usize = 1 << 14;

/// Cost centres with definitions, and frames in samples of the time profile.
pub const MAX_COST_CENTRES: usize = 1 << 15;

/// Info tables with definitions.
pub const MAX_INFO_TABLES: usize = 1 << 15;

/// Bytes for what definitions say: of each info table some 60, since modules and types are kept once.
pub const PROFILE_TEXT_BYTES: usize = 5 << 19;

/// Different texts in them that are known again.
pub const MAX_PROFILE_TEXTS: usize = 1 << 15;

/// Stacks of the time profile: samples of further ones count for the part of them that there is. Likewise those of the heap profile, while
/// somebody asks for them.
pub const MAX_STACKS: usize = 1 << 15;

/// Buckets of time in which samples of the time profile are counted, as a power of two: a few for each pixel of a wide screen.
pub const SAMPLE_COUNTS_LOG2: u32 = 13;

/// Capabilities of which the stack of the last sample is kept: what stays of it in the next one need not be looked for.
pub const MAX_LAST_STACKS: usize = 1 << 8;

/// Texts, and places in the source, that stacks in messages name by a number: a program has some for each place that it annotates.
pub const MAX_STACK_NAMES: usize = 1 << 12;

/// Frames of the stacks that come in pieces, as long as not all pieces have come: a message has up to 7000. Of a deeper stack the
/// outer part is kept.
pub const MAX_OPEN_FRAMES: usize = 1 << 13;

/// Such stacks: one as a rule, as a single thread writes them.
pub const MAX_OPEN_STACKS: usize = 1 << 6;

/// Threads in samples of the time profile.
pub const MAX_SAMPLED_THREADS: usize = 1 << 12;

/// Samples this many ticks apart still follow one another: the runtime's ticks are not quite even.
pub const TICKS_APART: u64 = 2;

/// Samples of the time profile that are kept: they thin out evenly when there are more.
pub const MAX_TIME_SAMPLES: usize = 1 << 17;

/// Bytes that a band counts for among the stacks of a heap profile, of which there are [`MAX_BANDS`] at most: no machine has as many, and
/// those of all bands together are a number.
pub const MAX_HELD_BYTES: u64 = 1 << 48;

/// Frames of a flame graph: no screen has room for as many.
pub const MAX_FLAME_FRAMES: usize = 1 << 16;

/// How deep it is: the runtime writes no stack of more cost centres than a byte can count, and a capability may stand above them.
pub const MAX_FLAME_DEPTH: u32 = 1 << 8;

/// How wide it is in pixels.
pub const MAX_FLAME_WIDTH: u32 = 1 << 14;

/// Ticky counters with a row of their own.
pub const MAX_COUNTERS: usize = 1 << 14;

/// Samples of them that are kept, each of one counter.
pub const MAX_TICKY_SAMPLES: usize = 1 << 15;

/// Sets of capabilities: GHC has two or three.
pub const MAX_CAPSETS: usize = 64;

/// Variables of the program's environment that are kept, each up to [`MAX_TEXT`] bytes.
pub const MAX_ENVIRONMENT: usize = 1024;

/// Most rows of a table that are given at once: a screen has some fifty.
pub const MAX_PAGE: usize = 10_000;

/// Most types of events that a list of them can be filtered by: GHC has 150.
pub const MAX_CHOICES: usize = 500;

/// Most bytes of an event's text in a table or a tooltip: a message can have 64 KiB.
pub const MAX_EVENT_TEXT: usize = 1 << 10;

/// Most bytes that are shown of an event whose fields are not known.
pub const MAX_BYTES_SHOWN: usize = 64;

/// Diagnostics kept in full; the rest is counted.
pub const MAX_DIAGNOSTICS: usize = 500;

/// Largest number of different unknown or rare event types that are counted one by one, or whose descriptions are kept, each up to
/// [`MAX_TEXT`] bytes.
pub const MAX_COUNTED_TAGS: usize = 4096;

/// Spans of a window that are given one by one: those too narrow for that are in its columns.
pub const MAX_SPANS: usize = 4096;

/// How far times may go back within a stream before it is told: GC_END does by up to 18 µs in every collection.
pub const TIME_BACK: Nanos = Nanos(10_000_000);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Collection, Thread,
        keeping::{
            crossing::{
                cells::{Blocked, Cell, Did, REASONS},
                spans::{LANE_BYTES, OPEN_SPAN_BYTES, OfLabel, UserSpan},
                threads::{Contention, Life, Wait},
            },
            markers::{Marked, Marker},
            tasks::{Stay, Task},
            texts::TextId,
        },
        known::caps::CapEvents,
        profiles::{
            bands::Band,
            censuses::Entry,
            messages::Location,
            names::{CostCentre, Info},
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

    /// All that grows with the log, at its largest: with a third for the rest it fits the page's 256 MB, and uses them.
    #[test]
    fn together_they_hold_the_budget() {
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
            MAX_STACK_NAMES * (size_of::<TextId>() + size_of::<Location>()),
            // Those that are open, and the one that came last.
            2 * MAX_OPEN_FRAMES * size_of::<Frame>() + MAX_SAMPLED_THREADS * size_of::<SampledThread>(),
            MAX_COUNTERS * size_of::<Counter>() + MAX_TICKY_SAMPLES * size_of::<TickySample>(),
            // Where each is found: a hash and a place, with room for as many again.
            2 * size_of::<(u64, u32)>()
                * (MAX_BANDS + 2 * MAX_COST_CENTRES + MAX_INFO_TABLES + MAX_PROFILE_TEXTS + MAX_STACKS + MAX_COUNTERS)
                + 2 * size_of::<(u64, u32)>() * (2 * MAX_STACK_NAMES + MAX_SAMPLED_THREADS),
        ];
        let profiles: usize = profiles.into_iter().sum();
        let detail = DETAIL_MOST.max(profiles + DETAIL_LEAST);
        let classes = [OVERVIEW_BYTES, INDEX_BYTES, detail, TEXT_BYTES];
        let rings = [SAMPLES_BYTES, LINES_BYTES, POINTS_BYTES, IN_ALL_BYTES, OTHER_RINGS_BYTES];
        let rows = [
            MAX_THREADS * size_of::<Thread>(),
            DENSE_THREADS as usize * size_of::<u32>(),
            MAX_COLLECTIONS * size_of::<Collection>(),
            MAX_PHASES * size_of::<Phase>(),
            MAX_CENSUS_ROWS * size_of::<Census>(),
            MAX_TASKS * size_of::<Task>(),
            MAX_TASK_STAYS * size_of::<Stay>(),
            MAX_MOMENTS * size_of::<NumbersAt>(),
            (MAX_DISABLED + MAX_RESTS) * size_of::<(Nanos, Nanos)>(),
            MAX_OTHER_TYPES * MAX_OTHER_POINTS * size_of::<Sample>(),
            SPAN_LABEL_BYTES + MAX_SPAN_LABELS * (size_of::<(TextId, u32)>() + 2 * size_of::<(u64, u32)>()),
            MAX_MARKED * size_of::<Marked>(),
            MARKER_BYTES
                + MAX_MARKERS * (size_of::<Marker>() + size_of::<(TextId, u32)>() + 2 * size_of::<(u64, u32)>()),
        ];
        // While it is gone through once more, or twice while pieces become longer.
        let replay = [
            REPLAY_BYTES.saturating_sub(profiles).max(REPLAY_LEAST),
            // Its row, which row that is, and its label.
            MAX_THREADS * (size_of::<Life>() + 3 * size_of::<u32>()),
            MAX_CELLS * (size_of::<Cell>() + 2 * size_of::<u32>()),
            MAX_SUMS * size_of::<Did>(),
            MAX_PIECES * size_of::<Blocked>(),
            REASONS.len() * MAX_WAITS * size_of::<Wait>(),
            MAX_CONTENTION * size_of::<((ThreadId, Waker), Contention)>(),
            MAX_USER_SPANS * (size_of::<UserSpan>() + LANE_BYTES) + MAX_OPEN_SPANS * OPEN_SPAN_BYTES,
            (MAX_SPAN_LABELS + 1) * size_of::<OfLabel>(),
            ((MAX_SPAN_LABELS + 1) * size_of::<u32>()) << SPANS_LOG2,
            MAX_SPAN_LENGTHS * size_of::<((u16, u16), u64)>() + MAX_COLLECTIONS * size_of::<(Nanos, Nanos)>() / 16,
        ];
        let texts = [MAX_ENVIRONMENT, MAX_ARGS, MAX_COUNTED_TAGS].map(|texts| texts * (MAX_TEXT + size_of::<String>()));
        let numbers = [
            MAX_CAPS * size_of::<CapEvents>(),
            tree_bytes::<u16, ()>(MAX_CAPSETS * MAX_CAPS),
            tree_bytes::<u16, u64>(2 * MAX_COUNTED_TAGS),
        ];
        let bytes: usize = [&classes[..], &rings, &rows, &texts, &numbers].into_iter().flatten().sum();
        assert!((120 << 20..=(256 << 20) / 3 * 2).contains(&bytes), "{bytes}");
        // Once it has been read, what reading takes is free.
        let replay: usize = replay.into_iter().sum();
        assert!(bytes + replay <= (256 << 20) / 6 * 5, "{bytes} and {replay}");
        // Headers do not grow with the log, and GHC's takes 10 KB: what those of a hostile one take, the rest must do without.
        assert!(bytes + HEADERS_BYTES <= (256 << 20) / 4 * 3, "{bytes}");
    }
}
