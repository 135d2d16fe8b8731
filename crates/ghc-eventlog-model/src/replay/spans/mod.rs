//! User spans: what lies between two messages of the program, in order of time over all capabilities (STATISTICS, "User spans").
//!
//! ```text
//! HEC 0, thread 1   START a    START b        (moves)
//! HEC 1, thread 1                      STOP b         STOP a
//! spans of a          |--------------------------------|
//! spans of b                     |-------|
//! ```
//!
//! They belong to the thread that runs on the capability, or to the capability if none does; those of opentelemetry-haskell to the
//! process, since their number alone tells which one ends.

mod lanes;
mod pauses;
mod tally;

use super::{
    messages::Message,
    ops::Op,
    threads::{Life, Lives},
};
use crate::{
    keeping::{
        collections::Collections,
        messages::{Labels, Messages, OTHERS},
        overview::{Overview, SeriesId},
        rows::{Kept, Rows},
        threads::Threads,
    },
    limits,
    profiles::places::hash,
    sorting::by_least,
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos, ThreadId};
#[cfg(test)]
pub(crate) use lanes::LANE_BYTES;
pub use lanes::SpanRows;
pub(crate) use lanes::{Lane, Lanes, Whose};
use pauses::Pauses;
pub(crate) use tally::{OfLabel, Tally};

/// The number of a span that has none.
pub(super) const NO_NUMBER: u64 = u64::MAX;

/// Where a span begins, or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(Default))]
pub(crate) struct Mark {
    /// The hash of its label; 0 of one whose number alone tells which it is.
    key: u64,
    pub(super) number: u64,
    label: u16,
    begins: bool,
    of_process: bool,
}

impl Mark {
    /// Reads a message; `None` if it says nothing of spans.
    pub(crate) fn read(tag: u16, payload: &[u8], messages: &Messages) -> Option<Self> {
        let labels = &messages.labels;
        Some(match messages.read(tag, payload) {
            Message::Other | Message::Malformed => return None,
            Message::OfThread { begins, number, label } => Self {
                key: hash(label),
                number: number.unwrap_or(NO_NUMBER),
                label: labels.find(label),
                begins,
                of_process: false,
            },
            Message::Begin { number, label } => {
                Self { key: 0, number, label: labels.find(label), begins: true, of_process: true }
            }
            Message::End { number } => Self { key: 0, number, label: OTHERS, begins: false, of_process: true },
        })
    }
}

/// Whose a span is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Thread(ThreadId),
    Cap(CapNo),
    Process,
}

/// A span that has begun.
#[derive(Debug, Clone, Copy)]
struct Open {
    owner: Owner,
    mark: Mark,
    /// Who began it; 0 if no thread did.
    thread: ThreadId,
    start: Nanos,
    /// How long collections took from the log's begin to `start`.
    paused: Nanos,
}

/// Bytes of one.
#[cfg(test)]
pub(crate) const OPEN_SPAN_BYTES: usize = size_of::<Open>();

/// A span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UserSpan {
    pub(crate) start: Nanos,
    /// Of an unfinished one, the end of its thread or of the log.
    pub(crate) end: Nanos,
    number: u64,
    /// The thread that began it; 0 if none did.
    pub(crate) thread: ThreadId,
    pub(crate) label: u16,
    pub(crate) unfinished: bool,
}

impl UserSpan {
    pub(crate) fn length(&self) -> Nanos {
        self.end.since(self.start)
    }

    #[cfg(test)]
    pub(crate) fn of(thread: ThreadId, start: u64, end: u64) -> Self {
        let (start, end) = (Nanos(start), Nanos(end));
        Self { start, end, number: NO_NUMBER, thread, label: 0, unfinished: false }
    }

    /// What tells it from others of its label.
    pub(crate) fn number(&self) -> Option<u64> {
        Some(self.number).filter(|number| *number != NO_NUMBER)
    }
}

impl Kept for UserSpan {
    fn time(&self) -> Nanos {
        self.start
    }

    fn weight(&self) -> u64 {
        self.length().0
    }
}

/// When any spans of a label were open.
#[derive(Debug)]
struct Cover {
    series: SeriesId,
    /// When the first one began.
    first: Nanos,
    /// How many are, and since when any.
    open: u32,
    since: Nanos,
    /// The last end since then.
    until: Nanos,
    /// How long any were.
    time: Nanos,
}

/// All spans, up to where the log has been gone through.
#[derive(Debug)]
pub(crate) struct UserSpans {
    /// By owner, and in order of their begins for each.
    open: Vec<Open>,
    pub(crate) tally: Tally,
    /// The spans themselves, as far as there is room: in order of their begins, once all are there.
    pub(crate) rows: Rows<UserSpan>,
    pub(crate) pauses: Pauses,
    /// When any of a label were open.
    cover: Vec<Cover>,
    /// Once all is there: the labels in order of their first spans.
    pub(crate) order: Vec<u16>,
    /// Likewise: the rows that they have on the timeline.
    pub(crate) lanes: Lanes,
    /// The same as a picture, for when not all are kept.
    overview: Overview,
    /// Ends that fit no begin.
    pub(crate) unmatched: u64,
    /// Begins for which there was no room, as too many others were open.
    pub(crate) beyond: u64,
}

impl UserSpans {
    pub(crate) fn new(collections: &Collections) -> Self {
        Self {
            open: Vec::new(),
            tally: Tally::default(),
            rows: Rows::default(),
            pauses: Pauses::of(collections),
            cover: Vec::new(),
            order: Vec::new(),
            lanes: Lanes::default(),
            overview: Overview::new(Some(limits::BYTES_PER_BUCKET << limits::SPANS_LOG2)),
            unmatched: 0,
            beyond: 0,
        }
    }

    /// A span begins or ends. Must come in order of time.
    pub(crate) fn step(&mut self, op: &Op, mark: Mark, collections: &Collections) {
        let owner = match op.thread {
            _ if mark.of_process => Owner::Process,
            ThreadId(0) => Owner::Cap(op.cap),
            thread => Owner::Thread(thread),
        };
        let behind = self.open.partition_point(|open| open.owner <= owner);
        let paused = self.pauses.until(collections, op.time);
        if mark.begins {
            if self.open.len() < limits::MAX_OPEN_SPANS {
                self.open.insert(behind, Open { owner, mark, thread: op.thread, start: op.time, paused });
                self.cover(mark.label, op.time, true);
            } else {
                self.beyond += 1;
            }
            return;
        }
        let its = self.open.iter().take(behind).rev().take_while(|open| open.owner == owner);
        let fits = |open: &Open| (open.mark.key, open.mark.number) == (mark.key, mark.number);
        let Some(back) = its.map(fits).position(|fits| fits) else {
            self.unmatched += 1;
            return;
        };
        let open = self.open.remove(behind - 1 - back);
        let span = self.close(&open, op.time, false);
        self.tally.add(span.label, span.length(), paused.since(open.paused));
    }

    fn close(&mut self, open: &Open, end: Nanos, unfinished: bool) -> UserSpan {
        let &Open { start, thread, mark: Mark { number, label, .. }, .. } = open;
        let span = UserSpan { start, end: end.max(start), number, thread, label, unfinished };
        self.rows.push(span, limits::MAX_USER_SPANS);
        self.cover(label, span.end, false);
        span
    }

    /// One more of a label is open, or one less.
    fn cover(&mut self, label: u16, time: Nanos, more: bool) {
        while self.cover.len() <= usize::from(label) {
            let series = self.overview.add_series(1);
            self.cover.push(Cover {
                series,
                first: Nanos::MAX,
                open: 0,
                since: Nanos(0),
                until: Nanos(0),
                time: Nanos(0),
            });
        }
        let Some(cover) = self.cover.get_mut(usize::from(label)) else { return };
        if more {
            cover.first = time.min(cover.first);
            if cover.open == 0 {
                (cover.since, cover.until) = (time.max(cover.until), time.max(cover.until));
            }
            cover.open += 1;
            return;
        }
        cover.until = time.max(cover.until);
        cover.open = cover.open.saturating_sub(1);
        if cover.open == 0 {
            cover.time = cover.time.plus(cover.until.since(cover.since));
            self.overview.add(cover.series, 0, cover.since, cover.until);
        }
    }

    /// How long any of a label were open, up to where none is; what is unfinished may be taken for longer than it was.
    pub(crate) fn open_time(&self, label: u16) -> Nanos {
        self.cover.get(usize::from(label)).map_or(Nanos(0), |cover| cover.time)
    }

    /// Where the picture of a label is, if not all are kept.
    pub(crate) fn coarse(&self, label: u16) -> Option<(&Overview, SeriesId)> {
        let cover = self.cover.get(usize::from(label)).filter(|_| self.rows.stride() > 1)?;
        Some((&self.overview, cover.series))
    }

    /// No end will come any more: what is open is so up to a time, or the end of its thread.
    fn close_all(&mut self, time: Nanos, threads: &Threads, lives: &Lives) {
        for open in core::mem::take(&mut self.open) {
            let life = match open.owner {
                Owner::Thread(thread) => threads.known_place(thread).and_then(|place| lives.get(place)),
                Owner::Cap(_) | Owner::Process => None,
            };
            let finished = life.and_then(Life::finished).filter(|finished| *finished >= open.start);
            self.close(&open, finished.unwrap_or(time).min(time), true);
            self.tally.add_unfinished(open.mark.label);
        }
    }

    /// To be called once, after the last message: closes what is open, and puts all in order.
    pub(crate) fn finish(&mut self, end: Nanos, threads: &Threads, lives: &Lives, labels: &Labels) {
        self.close_all(end, threads, lives);
        self.rows.finish();
        let first = |label: u16| self.cover.get(usize::from(label)).map_or(u64::MAX, |cover| cover.first.0);
        let order = by_least(labels.count(), |place| labels.nth(place as usize).map_or(u64::MAX, first));
        self.order = order.into_iter().filter_map(|place| labels.nth(place as usize)).collect();
    }

    /// The spans from one time to before another, added up: what lies across its edges counts, with the part that is inside, and
    /// unfinished ones are only counted. `None` if not all spans are kept.
    pub(crate) fn within(&self, collections: &Collections, from: Nanos, to: Nanos) -> Option<Tally> {
        let mut tally = Tally::default();
        if self.rows.stride() > 1 {
            return None;
        }
        for span in self.rows.kept().iter().filter(|span| span.meets(from, to)) {
            if span.unfinished {
                tally.add_unfinished(span.label);
                continue;
            }
            let (start, end) = (span.start.max(from), span.end.min(to));
            let paused = |time| self.pauses.until(collections, time);
            tally.add(span.label, end.since(start), paused(end).since(paused(start)));
        }
        Some(tally)
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.open.capacity() * size_of::<Open>()
            + self.tally.bytes_held()
            + self.cover.capacity() * size_of::<Cover>()
            + self.order.capacity() * size_of::<u16>()
            + self.lanes.bytes_held()
            + self.overview.bytes_held()
            + self.rows.bytes_held()
            + self.pauses.bytes_held()
    }
}

impl UserSpan {
    /// Whether any of it is from one time to before another.
    pub(crate) fn meets(&self, from: Nanos, to: Nanos) -> bool {
        self.start < to && (self.end > from || self.start >= from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{View, replay::ops::What};
    use alloc::{
        format,
        string::{String, ToString},
    };
    use ghc_eventlog::{UserBinaryMsg, UserMsg};

    fn collections() -> Collections {
        Collections::new(&mut Overview::none())
    }

    /// Messages, one each 10 ns: of which thread (0 for none), on which capability, and what it says.
    fn play(messages: &[(u32, u16, &[u8])]) -> UserSpans {
        play_labelled(messages).0
    }

    fn play_labelled(messages: &[(u32, u16, &[u8])]) -> (UserSpans, Messages) {
        let collections = collections();
        let mut spans = UserSpans::new(&collections);
        let mut kept = Messages::default();
        for (at, &(thread, cap, message)) in messages.iter().enumerate() {
            let tag = if message.starts_with(b"OT") { UserBinaryMsg::TAG } else { UserMsg::TAG };
            kept.step(tag, Nanos(0), message);
            let Some(mark) = Mark::read(tag, message, &kept) else { continue };
            let (time, thread, cap) = (Nanos(at as u64 * 10), ThreadId(thread), CapNo(cap));
            spans.step(&Op { time, thread, cap, what: What::Mark(0) }, mark, &collections);
        }
        let end = Nanos(messages.len() as u64 * 10);
        spans.finish(end, &Threads::default(), &Lives::new(Nanos(0), end), &kept.labels);
        (spans, kept)
    }

    /// Each span as "label number: from-to", those that are unfinished with "…"; and how many ends fit no begin.
    fn told(messages: &[(u32, u16, &[u8])]) -> (Vec<String>, u64) {
        let (spans, kept) = play_labelled(messages);
        let tell = |span: &UserSpan| {
            let label = kept.labels.text(span.label);
            let number = span.number().map_or(String::new(), |number| format!(" {number}"));
            let open = if span.unfinished { "…" } else { "" };
            format!("{label}{number}: {}-{}{open}", span.start.0, span.end.0)
        };
        (spans.rows.kept().iter().map(tell).collect(), spans.unmatched)
    }

    /// Of one thread.
    fn of_one(messages: &[&str]) -> (Vec<String>, u64) {
        told(&messages.iter().map(|message| (1, 0, message.as_bytes())).collect::<Vec<_>>())
    }

    fn found(spans: &[&str], unmatched: u64) -> (Vec<String>, u64) {
        (spans.iter().map(ToString::to_string).collect(), unmatched)
    }

    #[test]
    fn an_end_closes_the_innermost_of_its_label() {
        let nested = ["START a", "START b", "STOP b", "START a", "STOP a", "STOP a"];
        assert_eq!(of_one(&nested), found(&["a: 0-50", "b: 10-20", "a: 30-40"], 0));
        let crossed = ["START a", "START b", "STOP a", "STOP b"];
        assert_eq!(of_one(&crossed), found(&["a: 0-20", "b: 10-30"], 0));
    }

    #[test]
    fn instances_are_told_apart() {
        let messages = ["START 1 r", "START 2 r", "START r", "STOP 1 r", "STOP 02 r", "STOP 3 r", "STOP r"];
        assert_eq!(of_one(&messages), found(&["r 1: 0-30", "r 2: 10-40", "r: 20-60"], 1));
    }

    #[test]
    fn what_has_no_other_end_is_unfinished_or_counted() {
        let messages = ["STOP a", "START a", "START b", "STOP b", "STOP b"];
        assert_eq!(of_one(&messages), found(&["a: 10-50…", "b: 20-30"], 2));
        let spans = play(&[(1, 0, b"START a"), (1, 0, b"START a"), (1, 0, b"STOP a")]);
        let of = spans.tally.by_label[0];
        assert_eq!((of.count, of.unfinished, of.total, of.longest), (1, 1, Nanos(10), Nanos(10)));
    }

    /// Threads have their own, whichever capability they are on; where none runs, capabilities have.
    #[test]
    fn spans_go_with_their_threads() {
        let messages: &[(u32, u16, &[u8])] = &[
            (1, 0, b"START a"),
            (2, 1, b"START a"),
            (2, 0, b"STOP a"),
            (1, 1, b"STOP a"),
            (0, 0, b"START a"),
            (0, 1, b"STOP a"),
            (1, 0, b"STOP a"),
            (0, 0, b"STOP a"),
        ];
        assert_eq!(told(messages), found(&["a: 0-30", "a: 10-20", "a: 40-70"], 2));
    }

    #[test]
    fn spans_of_the_process_end_wherever_somebody_ends_them() {
        let messages: &[(u32, u16, &[u8])] = &[
            (1, 0, b"ot2 begin span 7 GET /"),
            (2, 1, b"OT\x03\x01\x08\0\0\0\0\0\0\0query"),
            (3, 0, b"ot2 end span 7"),
            (0, 1, b"OT\x03\x02\x08\0\0\0\0\0\0\0"),
            (0, 1, b"OT\x03\x02\x08\0\0"),
            (1, 1, b"ot2 end span 9"),
        ];
        assert_eq!(told(messages), found(&["GET / 7: 0-20", "query 8: 10-30"], 1));
        assert_eq!(play_labelled(messages).1.malformed, 1);
    }

    #[test]
    fn a_range_has_the_parts_that_are_inside() {
        let collections = collections();
        let spans =
            play(&[(1, 0, b"START a"), (1, 0, b"START b"), (1, 0, b"STOP b"), (1, 0, b"STOP a"), (1, 0, b"START a")]);
        let of = |from, to| {
            let tally = spans.within(&collections, Nanos(from), Nanos(to)).unwrap();
            let of =
                |label: usize| tally.by_label.get(label).map_or((0, 0, 0), |of| (of.count, of.total.0, of.unfinished));
            (of(0), of(1))
        };
        assert_eq!(of(0, 51), ((1, 30, 1), (1, 10, 0)));
        assert_eq!(of(5, 15), ((1, 10, 0), (1, 5, 0)));
        assert_eq!(of(20, 45), ((1, 10, 1), (0, 0, 0)));
    }

    #[test]
    fn labels_and_open_spans_are_bounded_and_nothing_is_lost() {
        let count = limits::MAX_SPAN_LABELS + 10;
        let texts: Vec<[String; 2]> = (0..count).map(|at| [format!("START l{at}"), format!("STOP l{at}")]).collect();
        let messages: Vec<(u32, u16, &[u8])> = texts.iter().flatten().map(|text| (1, 0, text.as_bytes())).collect();
        let spans = play(&messages);
        assert_eq!((spans.tally.sum(|of| of.count), spans.unmatched), (count as u64, 0));
        assert_eq!(spans.tally.by_label[usize::from(OTHERS)].count, 10);
        let many = alloc::vec![(1, 0, &b"START a"[..]); limits::MAX_OPEN_SPANS + 3];
        let spans = play(&many);
        assert_eq!((spans.tally.by_label[0].unfinished, spans.beyond), (limits::MAX_OPEN_SPANS as u64, 3));
        assert!(spans.bytes_held() > limits::MAX_OPEN_SPANS * size_of::<UserSpan>());
    }

    #[test]
    fn of_too_many_spans_there_is_a_picture_and_all_are_counted() {
        let count = limits::MAX_USER_SPANS + 100;
        let messages: Vec<(u32, u16, &[u8])> = [(1, 0, &b"START a"[..]), (1, 0, b"STOP a"), (1, 0, b"")].repeat(count);
        let (spans, end) = (play(&messages), Nanos(count as u64 * 30));
        assert_eq!(spans.tally.sum(|of| of.count), count as u64);
        assert!(spans.rows.kept().len() <= limits::MAX_USER_SPANS && spans.rows.stride() > 1);
        assert!(spans.within(&collections(), Nanos(0), Nanos(100)).is_none());
        assert_eq!(spans.open_time(0), Nanos(count as u64 * 10));
        let (overview, series) = spans.coarse(0).unwrap();
        let mut columns = alloc::vec![0.0; 10];
        overview.columns(series, View { from: Nanos(0), to: end, width: 10 }, &mut columns);
        assert!(columns.iter().all(|time| (time * 30.0 / end.0 as f64 - 1.0).abs() < 0.02), "{columns:?}");
    }
}
