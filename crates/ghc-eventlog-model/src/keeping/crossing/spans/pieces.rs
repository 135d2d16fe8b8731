//! What the shorter spans of each label add up to, by pieces of time in which they begin: so the totals of any range are known, although
//! not all spans are kept.

use super::tally::Tally;
use crate::{keeping::messages::OTHERS, limits};
use alloc::{vec, vec::Vec};
use core::ops::Range;
use ghc_eventlog::Nanos;

/// The sums of one label in one piece.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PieceSum {
    pub(super) count: u64,
    pub(super) total: Nanos,
    pub(super) longest: Nanos,
    /// The part of their time that collections took.
    pub(super) paused: Nanos,
}

impl PieceSum {
    fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.total = self.total.plus(other.total);
        self.longest = self.longest.max(other.longest);
        self.paused = self.paused.plus(other.paused);
    }
}

/// The sums of all labels. When there are more labels, pieces become longer.
#[derive(Debug)]
pub(super) struct SpanPieces {
    begin: Nanos,
    /// How long a piece is.
    width: u64,
    count: usize,
    /// How many labels there is room for.
    labels: usize,
    /// Piece by piece.
    sums: Vec<PieceSum>,
}

impl SpanPieces {
    /// For a log from `begin` to `end`.
    pub(super) fn new(begin: Nanos, end: Nanos) -> Self {
        let count = fitting(1);
        Self { begin, width: (end.since(begin).0 / count as u64).saturating_add(1), count, labels: 1, sums: Vec::new() }
    }

    /// Adds a span that begins at a time.
    pub(super) fn add(&mut self, label: u16, start: Nanos, sum: &PieceSum) {
        let row = row_of(label);
        if row >= self.labels {
            self.make_room((row + 1).max(self.labels * 2).min(limits::SPAN_TOTALS + 1));
        }
        if self.sums.is_empty() {
            self.sums = vec![PieceSum::default(); self.count * self.labels];
        }
        let piece = ((start.since(self.begin).0 / self.width) as usize).min(self.count - 1);
        if let Some(of) = self.sums.get_mut(piece * self.labels + row) {
            of.add(sum);
        }
    }

    /// Makes room for more labels: joins pieces.
    fn make_room(&mut self, labels: usize) {
        let count = fitting(labels);
        let each = self.count / count;
        let old = core::mem::take(&mut self.sums);
        if !old.is_empty() {
            self.sums = vec![PieceSum::default(); count * labels];
        }
        for (at, sum) in old.iter().enumerate() {
            let (piece, row) = (at / self.labels, at % self.labels);
            if let Some(of) = self.sums.get_mut(piece / each * labels + row) {
                of.add(sum);
            }
        }
        (self.count, self.labels, self.width) = (count, labels, self.width.saturating_mul(each as u64));
    }

    /// The begin of a piece.
    pub(super) fn time(&self, piece: usize) -> Nanos {
        self.begin.plus(Nanos(self.width.saturating_mul(piece as u64)))
    }

    /// The pieces that lie completely in `from..to`.
    pub(super) fn within(&self, from: Nanos, to: Nanos) -> Range<usize> {
        let first = from.since(self.begin).0.div_ceil(self.width).min(self.count as u64) as usize;
        let end = (to.since(self.begin).0 / self.width).min(self.count as u64) as usize;
        first..end.max(first)
    }

    /// Adds what began in some pieces.
    pub(super) fn add_to(&self, tally: &mut Tally, pieces: Range<usize>) {
        let sums = self.sums.get(pieces.start * self.labels..pieces.end * self.labels).unwrap_or_default();
        for (at, sum) in sums.iter().enumerate().filter(|(_, sum)| sum.count > 0) {
            let row = at % self.labels;
            tally.add_sum(if row == 0 { OTHERS } else { row as u16 - 1 }, sum);
        }
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.sums.capacity() * size_of::<PieceSum>()
    }
}

/// The other labels, of which there may be none, come first.
fn row_of(label: u16) -> usize {
    if label == OTHERS { 0 } else { usize::from(label) + 1 }
}

/// How many pieces there is room for: a power of two.
fn fitting(labels: usize) -> usize {
    1 << (limits::MAX_SPAN_SUMS_IN_PIECES / labels).max(1).ilog2()
}

/// The most bytes that they take.
#[cfg(test)]
pub(crate) const PIECES_BYTES: usize = limits::MAX_SPAN_SUMS_IN_PIECES * size_of::<PieceSum>();

#[cfg(test)]
mod tests {
    use super::*;

    fn of_length(length: u64) -> PieceSum {
        let length = Nanos(length);
        PieceSum { count: 1, total: length, longest: length, paused: Nanos(0) }
    }

    /// However many labels come, and in whatever order.
    #[test]
    fn pieces_have_the_sums_of_what_begins_in_them() {
        for labels in [1, 2, 100, limits::MAX_SPAN_LABELS as u16] {
            let (begin, end) = (Nanos(5000), Nanos(1_005_000));
            let mut pieces = SpanPieces::new(begin, end);
            let spans: Vec<(u16, u64, u64)> = (0..20_000)
                .map(|at| {
                    (if at % 91 == 5 { OTHERS } else { (at * 7 % u64::from(labels)) as u16 }, 5000 + at * 50, at % 37)
                })
                .collect();
            for (label, start, length) in &spans {
                pieces.add(*label, Nanos(*start), &of_length(*length));
            }
            assert!(pieces.bytes_held() <= limits::MAX_SPAN_SUMS_IN_PIECES * size_of::<PieceSum>());
            for (from, to) in [(0, 2_000_000), (300_000, 700_000), (5001, 1_004_999), (600_000, 600_001)] {
                let within = pieces.within(Nanos(from), Nanos(to));
                let (from, to) = (pieces.time(within.start), pieces.time(within.end));
                let mut tally = Tally::default();
                pieces.add_to(&mut tally, within);
                let inside = |start: &u64| from.0 <= *start && *start < to.0;
                for label in [0, 1, labels - 1, OTHERS] {
                    let its = spans.iter().filter(|(of, start, _)| *of == label && inside(start));
                    let sums = its.fold((0, 0, 0), |(count, total, most), (_, _, length)| {
                        (count + 1, total + length, *length.max(&most))
                    });
                    let of = tally.by_label.get(usize::from(label)).copied().unwrap_or_default();
                    assert_eq!((of.count, of.total.0, of.longest.0), sums, "{labels} {from:?} {label}");
                }
            }
        }
    }
}
