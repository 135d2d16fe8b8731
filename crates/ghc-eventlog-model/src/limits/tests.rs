//! All bounds together keep the budget.

use super::*;
use crate::{
    Collection, Thread,
    keeping::{
        crossing::{
            account::{self, Shift},
            awaited::POINTS,
            cells::{Blocked, Cell, Did, REASONS},
            chains::{CHAINS, Chain},
            contention::Contention,
            counters::CounterValues,
            doing::Now,
            low_use::{LowStretch, THRESHOLDS},
            marks::{CounterId, Mark},
            notes::SpanNote,
            requests::{AROUND_BYTES, CLOCK_BYTES, INSTANCE_BYTES, ROW_BYTES, SHARE_BYTES, SUMS_BYTES},
            rowless::RowlessPiece,
            span_parts::{OPEN_PART_BYTES, SPAN_SUM_BYTES},
            spans::{
                LABEL_OPEN_BYTES, LANE_BYTES, MISSED_BYTES, OPEN_SPAN_BYTES, OfLabel, PIECES_BYTES, TABLE_BYTES,
                UserSpan,
            },
            stops::{CapDoes, LastStop, StoppedLast, Stopper},
            threads::{ThreadLife, Wait},
            waited::Waited,
        },
        instruments::{Instrument, ValuesSeen},
        markers::{Marked, Marker},
        tasks::{Stay, Task},
        texts::TextId,
        threads::BLOCK_BYTES,
    },
    known::{caps::CapEvents, index::StreamEntry},
    profiles::{
        bands::{Band, HeldBeyond, MISSED_BANDS_BYTES, WEIGHED_BYTES},
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
use ghc_eventlog::{CapNo, CostCentreId, Nanos, ThreadId, limits::HEADERS_BYTES};
use ghc_eventlog_text::LogText;

/// Everything that grows with the log, at its largest: with a third for the rest it fits the page's 256 MB, and uses them.
#[test]
fn together_they_keep_the_budget() {
    let (profiles, without_row, declared) = (profiles(), without_row(), declared());
    let detail = DETAIL_MOST.max(profiles + DETAIL_LEAST);
    let classes = [OVERVIEW_BYTES, INDEX_BYTES, detail, TEXT_BYTES];
    let rings =
        [SAMPLES_BYTES, LINES_BYTES, POINTS_BYTES, IN_ALL_BYTES, OTHER_RINGS_BYTES, PAUSES_BYTES, COLLECTED_BYTES];
    let texts = [
        (MAX_ENVIRONMENT + MAX_ARGS) * size_of::<LogText<'_>>() + 2 * LONGEST_TEXT,
        MAX_COUNTED_TAGS * (MAX_TEXT + size_of::<String>()),
    ];
    let numbers = [
        MAX_CAPS * size_of::<CapEvents>(),
        tree_bytes::<u16, ()>(MAX_CAPSETS * MAX_CAPS),
        tree_bytes::<u16, u64>(2 * MAX_COUNTED_TAGS),
    ];
    let bytes = [&classes[..], &rings, &texts, &numbers].into_iter().flatten().sum::<usize>() + rows();
    // While the log is read, messages wait, bands get others' places, and instruments without a line are kept.
    let bands = MISSED_BANDS_BYTES + MAX_WEIGHED_KEYS * WEIGHED_BYTES;
    let reading = bytes + without_row + declared + bands;
    assert!((120 << 20..=(256 << 20) / 3 * 2).contains(&(reading + 2 * MAX_WAITING_BYTES)), "{reading}");
    // Once the log has been read, the memory for reading is free.
    let replay = replay(profiles);
    assert!(bytes + replay <= (256 << 20) / 6 * 5, "{bytes} and {replay}, profiles {profiles}");
    // Headers do not grow with the log, and GHC's takes 10 KB. What a hostile one takes is missing for the rest.
    assert!(reading + HEADERS_BYTES <= (256 << 20) / 4 * 3, "{reading}");
}

/// Instances are looked for once the replay is over, and names are read again before it.
#[test]
fn what_is_done_before_or_after_the_replay_fits_into_its_room() {
    let (requests, names) = (requests(), late_names());
    assert!(requests + REPLAY_LEAST <= REPLAY_BYTES, "{requests}");
    assert!(names <= REPLAY_BYTES, "{names}");
}

/// If some threads have no row, half of the rows are free once the log has been read.
#[test]
fn threads_without_a_row_fit_into_the_room_of_rows() {
    let rowless = without_row() + ROWLESS_BYTES + MAX_PIECES * size_of::<RowlessPiece>();
    let free = MAX_THREADS / 2 * (size_of::<Thread>() + size_of::<ThreadLife>() + 3 * size_of::<u32>());
    assert!(rowless <= free, "{rowless} and {free}");
}

/// Stores of profiles.
fn profiles() -> usize {
    let all = [
        MAX_BEYOND_BANDS * size_of::<HeldBeyond>(),
        MAX_BANDS * size_of::<Band>() + LABEL_BYTES + MAX_STACK_ENTRIES * size_of::<CostCentreId>(),
        MAX_CENSUS_ENTRIES * size_of::<Entry>() + MAX_CENSUSES * size_of::<Nanos>() * 4,
        MAX_COST_CENTRES * (size_of::<CostCentre>() + size_of::<Frame>() + size_of::<u32>()),
        MAX_INFO_TABLES * size_of::<Info>() + PROFILE_TEXT_BYTES + MAX_PROFILE_TEXTS * size_of::<TextId>(),
        MAX_STACKS * size_of::<Node>()
            + MAX_COST_CENTRES * size_of::<(u64, u64)>()
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
    all.into_iter().sum()
}

/// Rows of things that happen, and texts that name them.
fn rows() -> usize {
    let all = [
        MAX_THREADS * size_of::<Thread>(),
        DENSE_THREADS as usize * size_of::<u32>(),
        MAX_COLLECTIONS * size_of::<Collection>(),
        MAX_PHASES * size_of::<Phase>(),
        MAX_CENSUS_ROWS * size_of::<Census>(),
        MAX_TASKS * size_of::<Task>(),
        MAX_TASK_STAYS * size_of::<Stay>(),
        MAX_MOMENTS * size_of::<NumbersAt>(),
        (MAX_DISABLED + MAX_RESTS + MAX_TAILS + MAX_TAKINGS + MAX_LOG_WRITES) * size_of::<(Nanos, Nanos)>(),
        (MAX_LOG_OFF + MAX_PAUSED_RUNS) * size_of::<(Nanos, Nanos)>(),
        MAX_OTHER_TYPES * MAX_OTHER_POINTS * size_of::<Sample>(),
        SPAN_FAMILY_BYTES + SPAN_LABEL_BYTES + SPAN_TOTALS * (size_of::<(TextId, u32)>() + 2 * size_of::<(u64, u32)>()),
        NOTE_TEXT_BYTES + MAX_NOTE_TEXTS * (size_of::<(TextId, u32)>() + 2 * size_of::<(u64, u32)>()),
        NUMBER_WORD_BYTES
            + MAX_NUMBER_WORDS * (size_of::<u64>() + size_of::<(TextId, u32)>() + 2 * size_of::<(u64, u32)>()),
        (MAX_COMMON_LABELS + MAX_COUNTED_WORDS) * (size_of::<(u64, u8)>() + 2 * size_of::<(u64, u32)>()),
        LINE_NAME_BYTES + MAX_INSTRUMENTS * (size_of::<Instrument>() + 2 * size_of::<(u64, u32)>()),
        MAX_MARKED * size_of::<Marked>(),
        MARKER_BYTES + MAX_MARKERS * (size_of::<Marker>() + size_of::<(TextId, u32)>() + 2 * size_of::<(u64, u32)>()),
    ];
    all.into_iter().sum()
}

/// Which threads have lost their rows: those that were over, and the others.
fn without_row() -> usize {
    2 * MAX_NUMBER_BLOCKS * BLOCK_BYTES
}

/// The instruments that are kept while the log is read.
fn declared() -> usize {
    INSTRUMENT_BYTES
        + MAX_DECLARED * (size_of::<Instrument>() + 2 * size_of::<(u64, u32)>())
        + MAX_UNDECLARED * size_of::<(u64, ValuesSeen)>()
}

/// The instances of a label.
fn requests() -> usize {
    let all = [
        MAX_THREADS * size_of::<Now>(),
        (MAX_OPEN_REQUESTS + MAX_WAITING_REQUESTS) * INSTANCE_BYTES + MAX_OPEN_REQUESTS * (AROUND_BYTES + CLOCK_BYTES),
        2 * MAX_REQUESTS * ROW_BYTES + SUMS_BYTES,
        MAX_NESTED_TIMES * size_of::<(u16, Nanos)>() + MAX_ALLOCATION_SHARES * SHARE_BYTES,
    ];
    all.into_iter().sum()
}

/// The replay, whose results stay; `profiles` take some of the room for events that wait.
fn replay(profiles: usize) -> usize {
    let all = [
        REPLAY_BYTES.saturating_sub(profiles).max(REPLAY_LEAST),
        // Its row, the row's number, and its label.
        MAX_THREADS * (size_of::<ThreadLife>() + 3 * size_of::<u32>()),
        MAX_CELLS * (size_of::<Cell>() + 2 * size_of::<u32>()),
        MAX_SUMS * size_of::<Did>(),
        MAX_WAITED * (size_of::<Waited>() + size_of::<u32>()),
        MAX_PIECES * size_of::<Blocked>(),
        REASONS.len() * MAX_WAITS * size_of::<Wait>() + CHAINS * (size_of::<Chain>() + size_of::<ThreadId>()),
        POINTS * size_of::<(Nanos, Nanos)>(),
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
            + MAX_UNFOLLOWED_KEYS * TABLE_BYTES
            + MAX_MISSED_LABELS * (MISSED_BYTES + 2 * size_of::<(u64, u32)>()))
        .max(MAX_USER_SPANS * LANE_BYTES + MAX_REQUESTS * ROW_BYTES + SUMS_BYTES),
        MAX_FOLLOWED_SPANS * OPEN_PART_BYTES + MAX_FOLLOWED_NESTED * size_of::<(u16, Nanos)>(),
        MAX_SPAN_SUMS * SPAN_SUM_BYTES,
        // While room is made for more, the notes that are kept are there twice.
        2 * MAX_NOTES * size_of::<SpanNote>() + MAX_CAPS * size_of::<Option<(ThreadId, Mark)>>(),
        // Where a segment's first message is repeated: one for each entry of the index, which uses half of
        // its room.
        INDEX_BYTES / 2 / size_of::<StreamEntry>() * size_of::<(u32, CapNo)>(),
        COUNTER_BYTES + COUNTER_RINGS_BYTES,
        (MAX_INSTRUMENTS + MAX_NUMBER_LINES) * size_of::<(CounterId, CounterValues)>(),
        SPAN_TOTALS * (size_of::<OfLabel>() + LABEL_OPEN_BYTES + size_of::<bool>() + 2 * size_of::<u16>()),
        THRESHOLDS * MAX_LOW_USE * size_of::<LowStretch>(),
        SPAN_BUCKETS_BYTES,
        MAX_SPAN_LENGTHS * size_of::<(u64, u64)>() + MAX_COLLECTIONS * size_of::<(Nanos, Nanos)>() / 16,
    ];
    all.into_iter().sum()
}

/// Names that are read again; meanwhile those that are kept may be there twice.
fn late_names() -> usize {
    let all = [
        2 * MAX_COST_CENTRES * (2 * size_of::<u64>() + size_of::<bool>() + 2 * size_of::<(u64, u32)>()),
        MAX_COST_CENTRES * size_of::<CostCentre>() + MAX_INFO_TABLES * size_of::<Info>(),
        PROFILE_TEXT_BYTES + MAX_PROFILE_TEXTS * size_of::<TextId>() + DEFINITIONS_AHEAD as usize,
    ];
    all.into_iter().sum()
}
