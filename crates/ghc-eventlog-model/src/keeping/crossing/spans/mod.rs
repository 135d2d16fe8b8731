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

pub(super) mod kept;
mod lanes;
mod missed;
mod nesting;
mod open;
mod open_times;
mod pieces;
pub(super) mod span;
mod tally;

use super::{
    doing::Now,
    marks::{Mark, MarkKind},
    notes::{NoteChain, Notes},
    pairing::{Owner, SpanKey, key_of},
    pauses::Pauses,
    span_parts::SpanParts,
    threads::{ThreadLife, ThreadLives},
};
use crate::{
    keeping::{
        collections::Collections,
        messages::{Labels, OTHERS, is_not_kept},
        overview::{Overview, SeriesId},
        threads::Threads,
    },
    limits,
    sorting::by_least,
    terms::op::Op,
};
use alloc::vec::Vec;
use core::ops::Range;
use ghc_eventlog::{Nanos, ThreadId};
pub(crate) use kept::KeptSpans;
#[cfg(test)]
pub(crate) use lanes::LANE_BYTES;
pub use lanes::SpanRows;
pub(crate) use lanes::{SpanLane, SpanLanes, SpanOwner};
#[cfg(test)]
pub(crate) use missed::MISSED_BYTES;
use missed::MissedLabels;
use nesting::Nesting;
#[cfg(test)]
pub(crate) use open::TABLE_BYTES;
use open::{OpenSpan, OpenSpans};
#[cfg(test)]
pub(crate) use open_times::LABEL_OPEN_BYTES;
pub(crate) use open_times::OpenTimes;
#[cfg(test)]
pub(crate) use pieces::PIECES_BYTES;
pub(crate) use span::UserSpan;
pub(crate) use tally::{OfLabel, Tally};

/// When spans end that nothing ends.
#[derive(Clone, Copy)]
pub(crate) struct Ends<'e> {
    /// When the log ends.
    pub(crate) log: Nanos,
    /// When each process but the last one ended.
    pub(crate) processes: &'e [Nanos],
    pub(crate) threads: &'e Threads,
    pub(crate) lives: &'e ThreadLives,
}

impl Ends<'_> {
    /// The end of its thread or process, or of the log.
    fn of(&self, open: &OpenSpan) -> Nanos {
        let life = match open.key.0 {
            Owner::Thread(thread) => self.threads.known_place(thread).and_then(|place| self.lives.get(place)),
            Owner::Cap(..) | Owner::Process(_) => None,
        };
        let finished = life.and_then(ThreadLife::finished).filter(|finished| *finished >= open.start);
        let finished = finished.or(self.processes.get(usize::from(open.process)).copied());
        finished.unwrap_or(self.log).min(self.log)
    }
}

/// Bytes of one open span.
#[cfg(test)]
pub(crate) const OPEN_SPAN_BYTES: usize = open::OPEN_BYTES + nesting::AROUND_BYTES;

/// All spans, up to where the log has been replayed.
#[derive(Debug)]
pub(crate) struct UserSpans {
    open: OpenSpans,
    /// How many spans have begun.
    begun: u64,
    nesting: Nesting,
    pub(crate) tally: Tally,
    /// What threads did in them.
    pub(crate) parts: SpanParts,
    /// The spans themselves, the longest if there is no room for all. Once all are known, they are in order of their begins.
    pub(crate) rows: KeptSpans,
    /// Tags and instants of spans.
    pub(crate) notes: Notes,
    pub(crate) pauses: Pauses,
    /// When any span of each label was open.
    pub(crate) open_times: OpenTimes,
    /// Once all spans are known: the labels in order of their first spans.
    pub(crate) order: Vec<u16>,
    /// Labels without totals of their own, to find out which of them took most time.
    missed: MissedLabels,
    /// Ends without a matching begin.
    pub(crate) unmatched: u64,
    /// How many spans were not followed until they ended, because too many others were open.
    pub(crate) given_up: u64,
    /// How many of them may be open without being remembered.
    not_remembered: u64,
}

impl UserSpans {
    /// None, for a log from `begin` to `end`.
    pub(crate) fn new(collections: &Collections, begin: Nanos, end: Nanos) -> Self {
        Self {
            open: OpenSpans::default(),
            begun: 0,
            nesting: Nesting::default(),
            tally: Tally::default(),
            parts: SpanParts::default(),
            rows: KeptSpans::new(begin, end),
            notes: Notes::default(),
            pauses: Pauses::of(collections),
            open_times: OpenTimes::new(),
            order: Vec::new(),
            missed: MissedLabels::default(),
            unmatched: 0,
            given_up: 0,
            not_remembered: 0,
        }
    }

    /// A span begins or ends, or something is said of one; `now` says what a thread is doing. To be called in order of time.
    pub(crate) fn step(
        &mut self,
        op: &Op,
        mark: Mark,
        (collections, labels): (&Collections, &Labels),
        now: impl Fn(ThreadId) -> Now,
    ) {
        let key = key_of(op, &mark);
        let found = self.open.find(&key);
        match (mark.what, found) {
            (MarkKind::Begin | MarkKind::BeginOfProcess, _) => {
                self.begin(op, &mark, (key, found), collections, &now(op.thread))
            }
            (MarkKind::Note(kind), Some(at)) => {
                if self.notes.needs_room() {
                    self.notes.make_room(&mut self.rows, self.open.each_mut().map(|open| &mut open.notes));
                }
                if let Some(open) = self.open.get_mut(at) {
                    self.notes.add(&mut open.notes, &mark, kind, op.time);
                }
            }
            (MarkKind::Note(_), None) => self.notes.unattached += 1,
            (_, Some(at)) => self.end(op, at, (collections, labels), now),
            (_, None) if self.open.end_given_up(&key) => {}
            (what, None) => {
                // An end of a thread's span has its label, one of a process's span only its number.
                let label = Some(mark.label()).filter(|_| what == MarkKind::End);
                let may_be_known = self.not_remembered > 0 && self.tally.may_end(label);
                // No more of them can end than there are.
                self.not_remembered -= u64::from(may_be_known);
                self.unmatched += u64::from(!may_be_known);
            }
        }
    }

    /// A span begins; `before` is the place of the one that has the same key.
    fn begin(
        &mut self,
        op: &Op,
        mark: &Mark,
        (key, mut before): (SpanKey, Option<u32>),
        collections: &Collections,
        now: &Now,
    ) {
        if self.open.is_full() {
            let Some((given_up, at)) = self.open.give_up() else { return };
            let label = given_up.label();
            self.nesting.give_up(given_up.key.0, at, op.time);
            self.parts.give_up(given_up.nth);
            self.open_times.end(label, op.time);
            self.tally.give_up(label);
            self.given_up += 1;
            for (label, count) in self.open.await_end(&given_up.key, label) {
                self.tally.forget_open(label, count);
                self.not_remembered += u64::from(count);
            }
            before = self.open.find(&key);
        }
        let (owner, nth, start) = (key.0, self.begun, op.time);
        self.begun += 1;
        let notes = NoteChain::NONE;
        let paused = self.pauses.next(collections, start);
        self.parts.begin((owner, nth), op.thread, now, start, paused);
        let &Mark { place: label, process, family, .. } = mark;
        let open = OpenSpan { key, nth, start, paused, thread: op.thread, label, notes, process, family };
        let place = self.open.add(open, before);
        self.nesting.begin(owner, place, start);
        self.open_times.begin(mark.label(), op.time);
    }

    /// The open span at a place ends.
    fn end(&mut self, op: &Op, at: u32, (collections, labels): (&Collections, &Labels), now: impl Fn(ThreadId) -> Now) {
        let Some(open) = self.open.take(at) else { return };
        let paused = self.pauses.next(collections, op.time);
        let its_pauses = paused.since(open.paused);
        let span = self.close(&open, op.time, false, its_pauses, collections);
        let OpenSpan { key: (owner, ..), nth, label, .. } = open;
        let own = self.nesting.end(owner, at, span.length(), span.end);
        // A program or capability may have many open spans at once, none within another: they have no own time.
        let own = matches!(owner, Owner::Thread(_)).then_some(own);
        self.tally.add(span.label, span.length(), own, its_pauses, Some(labels));
        if is_not_kept(label) {
            self.missed.add(label, span.length());
        }
        self.parts.end(nth, (span.label, span.length(), labels), now, op.time, paused);
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

    /// `paused` is the part of its time that collections took.
    fn close(
        &mut self,
        open: &OpenSpan,
        end: Nanos,
        unfinished: bool,
        paused: Nanos,
        collections: &Collections,
    ) -> UserSpan {
        let &OpenSpan { key: (.., number), start, thread, notes, .. } = open;
        let label = open.label();
        let span = UserSpan { start, end: end.max(start), number, thread, label, unfinished, notes };
        let pauses = &self.pauses;
        self.rows.push(span, paused, &|span| pauses.within(collections, span.start, span.end));
        self.open_times.end(label, span.end);
        span
    }

    /// The picture of a label, if not all spans are kept.
    pub(crate) fn coarse(&self, label: u16) -> Option<(&Overview, SeriesId)> {
        if self.rows.stride() > 1 { self.open_times.picture(label) } else { None }
    }

    /// No more ends will come: what is open is open until [its end](Ends::of).
    fn close_all(&mut self, ends: Ends<'_>, collections: &Collections) {
        let mut last = Nanos(0);
        self.open.given_up().for_each(|(label, count)| self.tally.never_ended(label, count));
        self.tally.settle();
        for open in self.open.take_all() {
            let end = ends.of(&open);
            let paused = self.pauses.until(collections, end).since(open.paused);
            last = self.close(&open, end, true, paused, collections).end.max(last);
            self.tally.add_unfinished(open.label());
        }
        self.nesting.end_all(last);
        self.parts.finish();
    }

    /// To be called once, after the last message: closes what is open, and sorts everything.
    pub(crate) fn finish(&mut self, ends: Ends<'_>, collections: &Collections, labels: &Labels) {
        self.close_all(ends, collections);
        self.rows.finish();
        let first = |label: u16| self.open_times.first(label).0;
        let order = by_least(labels.count(), |place| labels.nth(place as usize).map_or(u64::MAX, first));
        // All labels of a family may be kept, so that none is left for "job # (others)".
        let has_any = |label: &u16| *label < OTHERS || self.open_times.first(*label) < Nanos::MAX;
        self.order = order.into_iter().filter_map(|place| labels.nth(place as usize)).filter(has_any).collect();
    }

    /// Forgets the labels that are kept, if others took more time: see [`Labels::choose`]. To be called once the log is over, before
    /// [`finish`](Self::finish), with the ends of what is open; and once early in a long replay, without, where it only begins again if some
    /// label has more than a 4032nd of the time of all spans so far.
    pub(crate) fn choose_labels(&mut self, labels: &mut Labels, ends: Option<Ends<'_>>) -> bool {
        let is_over = ends.is_some();
        let mut totals: Vec<u64> = self.tally.by_label.iter().map(|of| of.total.0).collect();
        // What hangs to the end has no end that could be counted, and may be what somebody looks for.
        for (open, ends) in self.open.iter().zip(ends.iter().cycle()) {
            let length = ends.of(open).since(open.start);
            if is_not_kept(open.label) {
                self.missed.add(open.label, length);
            } else if let Some(total) = totals.get_mut(open.label as usize) {
                *total = total.saturating_add(length.0);
            }
        }
        let total = |label: u16| totals.get(usize::from(label)).copied().unwrap_or_default();
        let sure: Vec<(u32, u64)> = self.missed.sure().collect();
        let all = self.tally.sum(|of| of.total.0);
        if !is_over && !sure.iter().any(|(_, weight)| *weight > all / limits::MAX_SPAN_LABELS as u64) {
            return false;
        }
        // Once some have been chosen, it takes more to follow all of the log again: one part of 1024 of the spans' time.
        let worth = if labels.are_chosen() { all / 1024 } else { 0 };
        let is_better = labels.choose(total, &sure, (worth, is_over));
        if is_over || is_better {
            self.missed = MissedLabels::default();
        }
        is_better
    }

    /// Totals of the spans in `from..to`. A span that crosses an edge counts with the part inside; unfinished ones are only
    /// counted. `None` if not all spans are kept.
    pub(crate) fn within(&self, collections: &Collections, from: Nanos, to: Nanos) -> Option<Tally> {
        let mut tally = Tally::default();
        if self.rows.stride() > 1 {
            return None;
        }
        let meeting = self.rows.kept().iter().filter(|span| span.meets(from, to));
        self.add_within(&mut tally, 0..0, meeting, collections, (from, to));
        Some(tally)
    }

    /// Adds the totals of spans that meet `from..to`, and the sums of others in some pieces.
    pub(crate) fn add_within<'s>(
        &self,
        tally: &mut Tally,
        pieces: Range<usize>,
        spans: impl Iterator<Item = &'s UserSpan>,
        collections: &Collections,
        (from, to): (Nanos, Nanos),
    ) {
        self.rows.pieces.add_to(tally, pieces);
        for span in spans {
            if span.unfinished {
                tally.add_unfinished(span.label);
                continue;
            }
            let (start, end) = (span.start.max(from), span.end.min(to));
            // How much of it lies within other spans is not kept.
            tally.add(span.label, end.since(start), None, self.pauses.within(collections, start, end), None);
        }
    }

    /// If not all spans are kept: the pieces that lie completely in `from..to`, and the times from and to which these are.
    pub(crate) fn pieces_within(&self, from: Nanos, to: Nanos) -> (Range<usize>, Nanos, Nanos) {
        let pieces = self.rows.pieces.within(from, to);
        let [begin, end] = [pieces.start, pieces.end].map(|piece| self.rows.pieces.time(piece));
        (pieces, begin, end)
    }

    /// Whether a span begins in some pieces.
    pub(crate) fn begins_in(&self, span: &UserSpan, pieces: &Range<usize>) -> bool {
        let time = |piece| self.rows.pieces.time(piece);
        !pieces.is_empty() && time(pieces.start) <= span.start && span.start < time(pieces.end)
    }

    /// Whether a span begins before some pieces.
    pub(crate) fn begins_before(&self, span: &UserSpan, pieces: &Range<usize>) -> bool {
        span.start < self.rows.pieces.time(pieces.start)
    }

    /// The spans that are kept because they are longer than `longest_dropped`, or never ended, in order of their begins.
    pub(crate) fn long(&self, longest_dropped: Nanos) -> impl Iterator<Item = UserSpan> {
        self.rows.kept().iter().filter(move |span| span.unfinished || span.length() > longest_dropped).copied()
    }

    /// How many of those that were given up have ended, as far as is known.
    pub(crate) fn not_followed(&self) -> u64 {
        self.tally.sum(|of| of.not_followed.into())
    }

    /// The total time when any span of any thread was open, up to where none was.
    pub(crate) fn any_open(&self) -> Nanos {
        self.nesting.any()
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.open.bytes_held()
            + self.missed.bytes_held()
            + self.nesting.bytes_held()
            + self.tally.bytes_held()
            + self.parts.bytes_held()
            + self.open_times.bytes_held()
            + self.order.capacity() * size_of::<u16>()
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
