//! Which spans are kept when there are too many: the longest. Of the others a sample, as evenly as they came.
//!
//! ```text
//! kept    a |-----------------|   c |----|        longer than `longest_dropped`: all are kept
//!            b |--|    b |--|        b |--|       no longer: some are kept
//! ```
//!
//! What is left out is read from the file again where it is looked at: a span that meets a stretch of time, and is no longer than
//! `longest_dropped`, begins and ends in that stretch or within `longest_dropped` of it.

use super::{
    pieces::{PieceSum, SpanPieces},
    span::UserSpan,
};
use crate::{keeping::rows::Rows, limits, sorting::nth_least};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// The spans that are kept.
#[derive(Debug)]
pub(crate) struct KeptSpans {
    /// All, or a sample of those that are not among the longest.
    rows: Rows<UserSpan>,
    /// Once there are too many: the longest ones, and those that never ended.
    long: Vec<UserSpan>,
    /// No span that was dropped is longer; `None` until there are too many to keep all.
    longest_dropped: Option<Nanos>,
    /// What the others add up to.
    pub(super) pieces: SpanPieces,
}

/// How many of the longest spans are kept, and how many of the others.
const LONG: usize = limits::MAX_USER_SPANS / 2;
const SHORT: usize = limits::MAX_USER_SPANS - LONG;

impl KeptSpans {
    /// For a log from `begin` to `end`.
    pub(crate) fn new(begin: Nanos, end: Nanos) -> Self {
        Self { rows: Rows::default(), long: Vec::new(), longest_dropped: None, pieces: SpanPieces::new(begin, end) }
    }

    /// Adds a span. Collections took `paused` of its time; `paused_of` says the same of any span.
    #[inline]
    pub(crate) fn push(&mut self, span: UserSpan, paused: Nanos, paused_of: &dyn Fn(&UserSpan) -> Nanos) {
        match self.longest_dropped {
            None if self.rows.kept().len() < limits::MAX_USER_SPANS => self.rows.push(span, limits::MAX_USER_SPANS),
            None => self.begin_to_choose(span, paused_of),
            Some(most) if span.unfinished || span.length() > most => {
                self.long.push(span);
                if self.long.len() >= LONG {
                    self.drop_short(paused_of);
                }
            }
            Some(_) => self.leave_out(span, paused),
        }
    }

    #[cold]
    fn begin_to_choose(&mut self, span: UserSpan, paused_of: &dyn Fn(&UserSpan) -> Nanos) {
        self.long = core::mem::take(&mut self.rows).into_kept();
        self.long.push(span);
        self.drop_short(paused_of);
        self.long.shrink_to(LONG);
    }

    /// Drops the shorter half of the spans that have ended.
    #[cold]
    fn drop_short(&mut self, paused_of: &dyn Fn(&UserSpan) -> Nanos) {
        let lengths: Vec<u64> = self.long.iter().filter(|span| !span.unfinished).map(|span| span.length().0).collect();
        let room = LONG.saturating_sub(self.long.len() - lengths.len()) / 2;
        let Some(last) = lengths.len().checked_sub(room + 1) else { return };
        let most = Nanos(nth_least(&lengths, last));
        self.longest_dropped = self.longest_dropped.max(Some(most));
        let (kept, short) =
            core::mem::take(&mut self.long).into_iter().partition(|span| span.unfinished || span.length() > most);
        self.long = kept;
        let short: Vec<UserSpan> = short;
        short.into_iter().for_each(|span| self.leave_out(span, paused_of(&span)));
    }

    fn leave_out(&mut self, span: UserSpan, paused: Nanos) {
        let total = span.length();
        self.pieces.add(span.label, span.start, &PieceSum { count: 1, total, longest: total, paused });
        self.rows.push(span, SHORT);
    }

    /// No more spans will come.
    pub(crate) fn finish(&mut self) {
        self.rows.finish();
        self.rows.add_all(core::mem::take(&mut self.long));
    }

    /// The spans that are kept, in order of their begins; only once no more come.
    pub(crate) fn kept(&self) -> &[UserSpan] {
        self.rows.kept()
    }

    /// The same at any time, in any order.
    pub(crate) fn all(&self) -> impl Iterator<Item = &UserSpan> {
        self.rows.kept().iter().chain(&self.long)
    }

    /// Passes each of them to `change`, including those that may be kept.
    pub(crate) fn each_mut(&mut self, mut change: impl FnMut(&mut UserSpan)) {
        self.rows.each_mut(&mut change);
        self.long.iter_mut().for_each(change);
    }

    /// How many of the shorter spans there are for each that is kept: 1 as long as none is missing.
    pub(crate) fn stride(&self) -> u64 {
        self.rows.stride()
    }

    /// No span that was dropped is longer; `None` if all are kept. All longer ones are kept, and all that never ended.
    pub(crate) fn longest_dropped(&self) -> Option<Nanos> {
        self.longest_dropped
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.rows.bytes_held() + self.long.capacity() * size_of::<UserSpan>() + self.pieces.bytes_held()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghc_eventlog::ThreadId;

    #[test]
    fn the_longest_are_all_kept_and_all_are_counted() {
        let count = limits::MAX_USER_SPANS as u64 * 5;
        let span = |at: u64| {
            let length = if at % 1009 == 500 { 100_000 + at } else { at * 7919 % 5003 };
            UserSpan { unfinished: at % 20_011 == 7, ..UserSpan::of(ThreadId(1), at * 100, at * 100 + length) }
        };
        let mut kept = KeptSpans::new(Nanos(0), Nanos(count * 100 + 1_000_000));
        (0..count).for_each(|at| kept.push(span(at), Nanos(0), &|_| Nanos(0)));
        assert!(kept.all().count() <= limits::MAX_USER_SPANS + 2);
        kept.finish();
        let most = kept.longest_dropped().unwrap();
        assert!(kept.stride() > 1 && most < Nanos(5003) && kept.kept().len() <= limits::MAX_USER_SPANS);
        assert!(kept.kept().is_sorted_by_key(|span| span.start));
        let is_long = |span: &UserSpan| span.unfinished || span.length() > most;
        let long: Vec<UserSpan> = (0..count).map(span).filter(is_long).collect();
        let found: Vec<UserSpan> = kept.kept().iter().copied().filter(is_long).collect();
        assert_eq!(found, long);
        let mut tally = super::super::Tally::default();
        kept.pieces.add_to(&mut tally, kept.pieces.within(Nanos(0), Nanos::MAX));
        let of = tally.by_label.first().unwrap();
        let short = (0..count).map(span).filter(|span| !is_long(span)).map(|span| span.length().0);
        assert_eq!((of.count, of.total.0), (count - long.len() as u64, short.sum()));
    }

    #[test]
    fn spans_of_one_length_are_no_longer_than_each_other() {
        let mut kept = KeptSpans::new(Nanos(0), Nanos(1 << 30));
        (0..limits::MAX_USER_SPANS as u64 * 3)
            .for_each(|at| kept.push(UserSpan::of(ThreadId(1), at * 10, at * 10 + 5), Nanos(0), &|_| Nanos(0)));
        kept.finish();
        assert_eq!(kept.longest_dropped(), Some(Nanos(5)));
        assert!((1000..=limits::MAX_USER_SPANS).contains(&kept.kept().len()));
    }
}
