//! User spans: what lies between two messages of the program, in order of time over all capabilities (STATISTICS, "User
//! spans").
//!
//! ```text
//! cap 0, thread 1   START a    START b        (moves)
//! cap 1, thread 1                      STOP b         STOP a
//! spans of a          |--------------------------------|
//! spans of b                     |-------|
//! ```
//!
//! A span belongs to the thread that runs on the capability, or to the capability if no thread does. Spans of
//! opentelemetry-haskell belong to the process, since only their number decides which one ends.

mod lanes;
mod nesting;
mod tally;

use super::{
    doing::Now,
    marks::{Mark, MarkKind},
    notes::{NoteChain, Notes},
    pairing::{Opened, Owner, SpanKey, key_of, search},
    pauses::Pauses,
    span_parts::{ReadClock, SpanParts},
    threads::{ThreadLife, ThreadLives},
};
use crate::{
    keeping::{
        collections::Collections,
        messages::Labels,
        overview::{Overview, SeriesId},
        rows::{Kept, Rows},
        store::Store,
        threads::Threads,
    },
    limits,
    sorting::by_least,
    terms::{messages::NO_NUMBER, op::Op},
};
use alloc::vec::Vec;
use ghc_eventlog::{Nanos, ThreadId};
#[cfg(test)]
pub(crate) use lanes::LANE_BYTES;
pub use lanes::SpanRows;
pub(crate) use lanes::{SpanLane, SpanLanes, SpanOwner};
use nesting::Nesting;
pub(crate) use tally::{OfLabel, Tally};

/// A span that has begun.
#[derive(Debug, Clone)]
struct OpenSpan {
    owner: Owner,
    mark: Mark,
    /// How many spans had begun before it.
    nth: u64,
    /// The thread that began it; 0 if no thread did.
    thread: ThreadId,
    start: Nanos,
    /// The total time of collections from the log's begin to `start`.
    paused: Nanos,
    /// What has been said of it.
    notes: NoteChain,
    /// What its thread had done by then.
    clock: ReadClock,
}

impl Opened for OpenSpan {
    fn key(&self) -> SpanKey {
        (self.owner, self.mark.key, self.mark.number)
    }
}

/// Bytes of one open span.
#[cfg(test)]
pub(crate) const OPEN_SPAN_BYTES: usize = size_of::<OpenSpan>() + nesting::AROUND_BYTES;

/// A span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UserSpan {
    pub(crate) start: Nanos,
    /// For an unfinished span: the end of its thread or of the log.
    pub(crate) end: Nanos,
    number: u64,
    /// The thread that began it; 0 if none did.
    pub(crate) thread: ThreadId,
    pub(crate) label: u16,
    pub(crate) unfinished: bool,
    /// What has been said of it.
    pub(crate) notes: NoteChain,
}

impl UserSpan {
    pub(crate) fn length(&self) -> Nanos {
        self.end.since(self.start)
    }

    #[cfg(test)]
    pub(crate) fn of(thread: ThreadId, start: u64, end: u64) -> Self {
        let (start, end) = (Nanos(start), Nanos(end));
        Self { start, end, number: NO_NUMBER, thread, label: 0, unfinished: false, notes: NoteChain::NONE }
    }

    /// The number that distinguishes it from others with its label.
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

/// The times when any span of a label was open.
#[derive(Debug)]
struct Cover {
    series: SeriesId,
    /// When the first one began.
    first: Nanos,
    /// How many are open, and since when there has been any.
    open: u32,
    since: Nanos,
    /// The last end since then.
    until: Nanos,
    /// The total time when any span of a label was open.
    time: Nanos,
}

/// All spans, up to where the log has been replayed.
#[derive(Debug)]
pub(crate) struct UserSpans {
    /// The open spans, sorted by what their ends must match, so that an end without a begin need not be compared with all of
    /// them; those with equal keys are in order of their begins.
    open: Vec<OpenSpan>,
    /// How many spans have begun.
    begun: u64,
    nesting: Nesting,
    pub(crate) tally: Tally,
    /// What threads did in them.
    pub(crate) parts: SpanParts,
    /// The spans themselves, as far as there is room. Once all are known, they are in order of their begins.
    pub(crate) rows: Rows<UserSpan>,
    /// What is said of them.
    pub(crate) notes: Notes,
    pub(crate) pauses: Pauses,
    /// When any span of each label was open.
    cover: Vec<Cover>,
    /// Once all spans are known: the labels in order of their first spans.
    pub(crate) order: Vec<u16>,
    /// The spans as a picture, for when not all are kept.
    overview: Overview,
    /// Ends without a matching begin.
    pub(crate) unmatched: u64,
    /// Begins that were not kept, because too many others were open.
    pub(crate) beyond: u64,
}

impl UserSpans {
    pub(crate) fn new(collections: &Collections) -> Self {
        Self {
            open: Vec::new(),
            begun: 0,
            nesting: Nesting::default(),
            tally: Tally::default(),
            parts: SpanParts::default(),
            rows: Rows::default(),
            notes: Notes::default(),
            pauses: Pauses::of(collections),
            cover: Vec::new(),
            order: Vec::new(),
            overview: Overview::new(Some(limits::BYTES_PER_BUCKET << limits::SPANS_LOG2)),
            unmatched: 0,
            beyond: 0,
        }
    }

    /// A span begins or ends, or something is said of one; `now` says what a thread is doing. To be called in order of time.
    pub(crate) fn step(&mut self, op: &Op, mark: Mark, collections: &Collections, now: impl Fn(ThreadId) -> Now) {
        let key = key_of(op, &mark);
        let owner = key.0;
        let (behind, found) = search(&self.open, key);
        match (mark.what, found) {
            (MarkKind::Begin | MarkKind::BeginOfProcess, _) => {
                self.begin(op, mark, (owner, behind), collections, &now(op.thread))
            }
            (MarkKind::Note(kind), Some(at)) => {
                if self.notes.needs_room() {
                    self.notes.make_room(&mut self.rows, self.open.iter_mut().map(|open| &mut open.notes));
                }
                if let Some(open) = self.open.get_mut(at) {
                    self.notes.add(&mut open.notes, &mark, kind, op.time);
                }
            }
            (MarkKind::Note(_), None) => self.notes.unattached += 1,
            (_, Some(at)) => self.end(op, owner, at, collections, now),
            (_, None) => self.unmatched += 1,
        }
    }

    fn begin(&mut self, op: &Op, mark: Mark, (owner, at): (Owner, usize), collections: &Collections, now: &Now) {
        if self.open.len() >= limits::MAX_OPEN_SPANS {
            self.beyond += 1;
            return;
        }
        let paused = self.pauses.next(collections, op.time);
        let (nth, start) = (self.begun, op.time);
        self.begun += 1;
        self.nesting.begin(owner, nth, start);
        let notes = NoteChain::NONE;
        let clock = self.parts.begin((owner, nth), op.thread, now, start, paused);
        self.open.insert(at, OpenSpan { owner, mark, nth, thread: op.thread, start, paused, notes, clock });
        self.cover(mark.place as u16, op.time, true);
    }

    /// The open span at a place ends.
    fn end(&mut self, op: &Op, owner: Owner, at: usize, collections: &Collections, now: impl Fn(ThreadId) -> Now) {
        let paused = self.pauses.next(collections, op.time);
        let open = self.open.remove(at);
        let span = self.close(&open, op.time, false);
        let own = self.nesting.end(owner, open.nth, span.start, span.end);
        // A program or capability may have many open spans at once, none within another: they have no own time.
        let own = matches!(owner, Owner::Thread(_)).then_some(own);
        self.tally.add(span.label, span.length(), own, paused.since(open.paused));
        let OpenSpan { nth, thread, clock, .. } = open;
        let its = (span.label, span.length());
        self.parts.end((owner, nth), its, (thread, clock), &now(thread), op.time, paused);
    }

    /// A thread was in a state up to a time.
    #[inline]
    pub(crate) fn thread_does(&mut self, thread: ThreadId, before: &Now, time: Nanos, collections: &Collections) {
        let Self { parts, pauses, .. } = self;
        parts.step(thread, before, time, || pauses.next(collections, time));
    }

    /// A thread has finished, and so its open spans have ended. They are reported at the end, as unfinished ones.
    pub(crate) fn thread_finished(&mut self, thread: ThreadId, time: Nanos) {
        self.nesting.leave(Owner::Thread(thread), time);
        self.parts.thread_finished(thread);
    }

    fn close(&mut self, open: &OpenSpan, end: Nanos, unfinished: bool) -> UserSpan {
        let &OpenSpan { start, thread, mark: Mark { number, place, .. }, notes, .. } = open;
        let label = place as u16;
        let span = UserSpan { start, end: end.max(start), number, thread, label, unfinished, notes };
        self.rows.push(span, limits::MAX_USER_SPANS);
        self.cover(label, span.end, false);
        span
    }

    /// One more span of a label is open, or one less.
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

    /// The total time when any span of a label was open, up to where none is. Unfinished spans may count for longer than they
    /// were open.
    pub(crate) fn open_time(&self, label: u16) -> Nanos {
        self.cover.get(usize::from(label)).map_or(Nanos(0), |cover| cover.time)
    }

    /// The picture of a label, if not all spans are kept.
    pub(crate) fn coarse(&self, label: u16) -> Option<(&Overview, SeriesId)> {
        let cover = self.cover.get(usize::from(label)).filter(|_| self.rows.stride() > 1)?;
        Some((&self.overview, cover.series))
    }

    /// No more ends will come: what is open is open until the end of its thread or process, or until `time`.
    fn close_all(&mut self, time: Nanos, threads: &Threads, lives: &ThreadLives, over: &[Nanos]) {
        let mut all = core::mem::take(&mut self.open);
        all.sort_unstable_by_key(|open| (open.owner, open.nth));
        let mut last = Nanos(0);
        for open in all {
            let life = match open.owner {
                Owner::Thread(thread) => threads.known_place(thread).and_then(|place| lives.get(place)),
                Owner::Cap(..) | Owner::Process(_) => None,
            };
            let finished = life.and_then(ThreadLife::finished).filter(|finished| *finished >= open.start);
            let finished = finished.or(over.get(usize::from(open.mark.process)).copied());
            last = self.close(&open, finished.unwrap_or(time).min(time), true).end.max(last);
            self.tally.add_unfinished(open.mark.place as u16);
        }
        self.nesting.end_all(last);
        self.parts.finish();
    }

    /// To be called once, after the last message: closes what is open, and sorts everything. `over` has when each process but the
    /// last one ended.
    pub(crate) fn finish(
        &mut self,
        end: Nanos,
        threads: &Threads,
        lives: &ThreadLives,
        over: &[Nanos],
        labels: &Labels,
    ) {
        self.close_all(end, threads, lives, over);
        self.rows.finish();
        let first = |label: u16| self.cover.get(usize::from(label)).map_or(u64::MAX, |cover| cover.first.0);
        let order = by_least(labels.count(), |place| labels.nth(place as usize).map_or(u64::MAX, first));
        self.order = order.into_iter().filter_map(|place| labels.nth(place as usize)).collect();
    }

    /// Totals of the spans in `from..to`. A span that crosses an edge counts with the part inside; unfinished ones are only
    /// counted. `None` if not all spans are kept.
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
            // How much of it lies within other spans is not kept.
            tally.add(span.label, end.since(start), None, paused(end).since(paused(start)));
        }
        Some(tally)
    }

    /// The total time when any span of any thread was open, up to where none was.
    pub(crate) fn any_open(&self) -> Nanos {
        self.nesting.any()
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.open.capacity() * size_of::<OpenSpan>()
            + self.nesting.bytes_held()
            + self.tally.bytes_held()
            + self.parts.bytes_held()
            + self.cover.capacity() * size_of::<Cover>()
            + self.order.capacity() * size_of::<u16>()
            + self.overview.bytes_held()
            + self.rows.bytes_held()
            + self.notes.bytes_held()
            + self.pauses.bytes_held()
    }
}

impl UserSpan {
    /// Whether any span overlaps the time `from..to`.
    pub(crate) fn meets(&self, from: Nanos, to: Nanos) -> bool {
        self.start < to && (self.end > from || self.start >= from)
    }
}

#[cfg(test)]
mod tests;
