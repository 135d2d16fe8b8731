//! User spans, what is said of them, and instances of one label.

/// Labels of user spans with totals of their own: those whose spans took most time. All other labels share one, or one for each of
/// [`MAX_SPAN_FAMILIES`].
pub const MAX_SPAN_LABELS: usize = SPAN_TOTALS - 1 - MAX_SPAN_FAMILIES;

/// Bytes for these labels.
pub const SPAN_LABEL_BYTES: usize = (1 << 19) - 4 * SPAN_FAMILY_BYTES;

/// Families of labels: those that differ only in numbers. The labels of a family that have no totals of their own share some.
pub const MAX_SPAN_FAMILIES: usize = (1 << 6) - 1;

/// Bytes for the names of these families.
pub const SPAN_FAMILY_BYTES: usize = 1 << 13;

/// Totals of spans: of labels, of families, and of all others.
pub const SPAN_TOTALS: usize = 1 << 12;

/// Labels without totals of their own that are weighed, to find out whether any of them is heavier than those that have some.
pub const MAX_MISSED_LABELS: usize = 1 << 12;

/// Pairs of words for spans that the reader adds to the known ones.
pub const MAX_SPAN_WORDS: usize = 16;

/// Labels that were seen with common words of spans: "started" and "ended". When there are more, those are forgotten of which
/// only one word was seen.
pub const MAX_COMMON_LABELS: usize = 1 << 11;

/// User spans that are kept, each 40 bytes. When there are more, half of the room is for the longest, and half for a sample of the
/// others, which are read again where they are looked at. Totals count all.
pub const MAX_USER_SPANS: usize = 1 << 16;

/// Sums of the spans that are not kept individually, by label and by the piece of time in which they begin: four pieces of time with
/// [`MAX_SPAN_LABELS`], more with fewer labels.
pub const MAX_SPAN_SUMS_IN_PIECES: usize = 4 * SPAN_TOTALS;

/// Begins and ends of spans that are read again at once, each 56 bytes: in a narrow window, or at the edges of a range.
pub const MAX_SPAN_EVENTS: usize = 1 << 17;

/// The most bytes of the file from which all spans of a range are read.
pub const SPANS_READ: u64 = 2 << 20;

/// User spans that are open at the same time: a server may have some for each request. Of a table of 2^15 places, seven eighths may be
/// used.
pub const MAX_OPEN_SPANS: usize = 7 << 12;

/// Open spans beyond these of which it is remembered that they began, each 20 bytes: so their ends are not taken for ends without a begin,
/// and it is known of which labels some never end.
pub const MAX_UNFOLLOWED_KEYS: usize = 7 << 13;

/// Rows for the open spans of a label, or of a thread, at the same time: the last row has all the others.
pub const MAX_SPAN_LANES: usize = 32;

/// Different lengths of user spans that are counted, by label, each within 0.4 %: spans of one label have some hundred. When there are
/// more, those of the labels are forgotten that took the least time.
pub const MAX_SPAN_LENGTHS: usize = 1 << 14;

/// Buckets of time for when spans of a label were open, as a power of two, as long as all labels fit [`SPAN_BUCKETS_BYTES`]: used when
/// not all spans are kept.
pub const SPANS_LOG2: u32 = 13;

/// The fewest of these buckets.
pub const SPANS_MIN_LOG2: u32 = 5;

/// Bytes for them: of [`MAX_SPAN_LABELS`] labels, each has the fewest.
pub const SPAN_BUCKETS_BYTES: usize = (SPAN_TOTALS * size_of::<u32>()) << SPANS_MIN_LOG2;

/// Tags and instants of user spans that are kept, each 32 bytes. When there are more, the shorter half of the spans loses its
/// own.
pub const MAX_NOTES: usize = 1 << 15;

/// Different texts of tags and instants of spans that are kept. Others are read from the file when they are shown.
pub const MAX_NOTE_TEXTS: usize = 1 << 12;

/// Bytes for these texts.
pub const NOTE_TEXT_BYTES: usize = 1 << 19;

/// Tags and instants of a span that are shown in its tooltip and details.
pub const MAX_NOTES_SHOWN: usize = 24;

/// Open user spans whose threads are followed, to find out what the slow spans of a label do for longer than usual ones.
pub const MAX_FOLLOWED_SPANS: usize = 1 << 8;

/// Times of spans within these spans, by label.
pub const MAX_FOLLOWED_NESTED: usize = 1 << 11;

/// Sums of what threads did in these spans, by label and length, and as many of the spans within them: some for each label. When there are
/// more, those of the labels with the least time are forgotten.
pub const MAX_SPAN_SUMS: usize = 1 << 9;

/// Instances of a label that are kept, once they are asked for: the longest ones. Sums count all.
pub const MAX_REQUESTS: usize = 1000;

/// Instances of a label that are open at the same time, once they are asked for: each takes much more room than an open span.
pub const MAX_OPEN_REQUESTS: usize = 1 << 12;

/// Instances that have ended and wait for an event that says how much their capability allocated. For further ones that is not known.
pub const MAX_WAITING_REQUESTS: usize = 1 << 11;

/// Capabilities that are named of an instance.
pub const MAX_REQUEST_CAPS: usize = 8;

/// Labels of the spans within an instance that are named: those with the longest times, and one for all others.
pub const MAX_REQUEST_NESTED: usize = 8;

/// Times of spans within others, by label, of all open spans together.
pub const MAX_NESTED_TIMES: usize = 1 << 15;

/// Parts of the allocation of instances that are not known yet: one or two for each instance.
pub const MAX_ALLOCATION_SHARES: usize = 1 << 14;

/// Capabilities of a thread with an open instance: those on which it ran last.
pub const MAX_CLOCK_CAPS: usize = 16;
