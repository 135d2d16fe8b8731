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
mod nesting;
mod pauses;
mod tally;

use super::threads::{Life, ThreadLives};
use crate::{
    keeping::{
        collections::Collections,
        messages::{Labels, Messages, OTHERS},
        overview::{Overview, SeriesId},
        places::hash,
        rows::{Kept, Rows},
        store::Store,
        threads::Threads,
    },
    limits,
    sorting::by_least,
    terms::{
        messages::{Message, NO_NUMBER},
        op::Op,
    },
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos, ThreadId};
#[cfg(test)]
pub(crate) use lanes::LANE_BYTES;
pub use lanes::SpanRows;
pub(crate) use lanes::{SpanLane, SpanLanes, SpanOwner};
use nesting::Nesting;
use pauses::Pauses;
pub(crate) use tally::{OfLabel, Tally};

/// Where a span begins, or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(Default))]
pub(crate) struct Mark {
    /// The hash of its label; 0 of one whose number alone tells which it is.
    key: u64,
    pub(crate) number: u64,
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
struct OpenSpan {
    owner: Owner,
    mark: Mark,
    /// How many spans had begun before it.
    nth: u64,
    /// Who began it; 0 if no thread did.
    thread: ThreadId,
    start: Nanos,
    /// How long collections took from the log's begin to `start`.
    paused: Nanos,
}

impl OpenSpan {
    /// What its end must have.
    fn key(&self) -> (Owner, u64, u64) {
        (self.owner, self.mark.key, self.mark.number)
    }
}

/// Bytes of one.
#[cfg(test)]
pub(crate) const OPEN_SPAN_BYTES: usize = size_of::<OpenSpan>() + nesting::AROUND_BYTES;

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
    /// By what their ends must have, so that an end that fits none does not look at all of them; and in order of their begins
    /// where that is the same.
    open: Vec<OpenSpan>,
    /// How many spans have begun.
    begun: u64,
    nesting: Nesting,
    pub(crate) tally: Tally,
    /// The spans themselves, as far as there is room: in order of their begins, once all are there.
    pub(crate) rows: Rows<UserSpan>,
    pub(crate) pauses: Pauses,
    /// When any of a label were open.
    cover: Vec<Cover>,
    /// Once all is there: the labels in order of their first spans.
    pub(crate) order: Vec<u16>,
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
            begun: 0,
            nesting: Nesting::default(),
            tally: Tally::default(),
            rows: Rows::default(),
            pauses: Pauses::of(collections),
            cover: Vec::new(),
            order: Vec::new(),
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
        let key = (owner, mark.key, mark.number);
        let behind = self.open.partition_point(|open| open.key() <= key);
        let paused = self.pauses.until(collections, op.time);
        if mark.begins {
            if self.open.len() < limits::MAX_OPEN_SPANS {
                let (nth, start) = (self.begun, op.time);
                self.begun += 1;
                self.nesting.begin(owner, nth, start);
                self.open.insert(behind, OpenSpan { owner, mark, nth, thread: op.thread, start, paused });
                self.cover(mark.label, op.time, true);
            } else {
                self.beyond += 1;
            }
            return;
        }
        let Some(at) = behind.checked_sub(1).filter(|at| self.open.get(*at).is_some_and(|open| open.key() == key))
        else {
            self.unmatched += 1;
            return;
        };
        let open = self.open.remove(at);
        let span = self.close(&open, op.time, false);
        let own = self.nesting.end(owner, open.nth, span.start, span.end);
        // Of whole programs and capabilities many are open at once, and lie in no one of the others.
        let own = matches!(owner, Owner::Thread(_)).then_some(own);
        self.tally.add(span.label, span.length(), own, paused.since(open.paused));
    }

    /// A thread has finished: what of it is open is so no longer. Those spans are told of at the end, as unfinished ones.
    pub(crate) fn thread_finished(&mut self, thread: ThreadId, time: Nanos) {
        self.nesting.leave(Owner::Thread(thread), time);
    }

    fn close(&mut self, open: &OpenSpan, end: Nanos, unfinished: bool) -> UserSpan {
        let &OpenSpan { start, thread, mark: Mark { number, label, .. }, .. } = open;
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
    fn close_all(&mut self, time: Nanos, threads: &Threads, lives: &ThreadLives) {
        let mut all = core::mem::take(&mut self.open);
        all.sort_unstable_by_key(|open| (open.owner, open.nth));
        let mut last = Nanos(0);
        for open in all {
            let life = match open.owner {
                Owner::Thread(thread) => threads.known_place(thread).and_then(|place| lives.get(place)),
                Owner::Cap(_) | Owner::Process => None,
            };
            let finished = life.and_then(Life::finished).filter(|finished| *finished >= open.start);
            last = self.close(&open, finished.unwrap_or(time).min(time), true).end.max(last);
            self.tally.add_unfinished(open.mark.label);
        }
        self.nesting.end_all(last);
    }

    /// To be called once, after the last message: closes what is open, and puts all in order.
    pub(crate) fn finish(&mut self, end: Nanos, threads: &Threads, lives: &ThreadLives, labels: &Labels) {
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
            // What of it lies within others is not kept.
            tally.add(span.label, end.since(start), None, paused(end).since(paused(start)));
        }
        Some(tally)
    }

    /// How long any span was open, of all threads together, up to where none was.
    pub(crate) fn any_open(&self) -> Nanos {
        self.nesting.any()
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.open.capacity() * size_of::<OpenSpan>()
            + self.nesting.bytes_held()
            + self.tally.bytes_held()
            + self.cover.capacity() * size_of::<Cover>()
            + self.order.capacity() * size_of::<u16>()
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
mod tests;
