//! The overview: for every track, what each of a fixed number of buckets of time holds. Right at every moment while the
//! log is still being read, in constant memory: when the log outgrows the buckets they are merged.
//!
//! A bucket is 2^k ns wide and lies at a multiple of its width on the log's own clock, so that merging two is always
//! the same two, whichever side the log grows to. Bucket i is kept in cell i modulo the number of buckets: growing to
//! the left or the right moves nothing.

use crate::{limits, view::View};
use alloc::{vec, vec::Vec};
use ghc_eventlog::Nanos;

/// Time in each state, per bucket, for all tracks.
#[derive(Debug)]
pub(crate) struct Overview {
    /// Binary logarithm of a bucket's width in nanoseconds.
    width_log2: u32,
    /// Binary logarithm of the number of buckets.
    count_log2: u32,
    /// Buckets in use, first and one after the last.
    used: (u64, u64),
    series: Vec<Series>,
    /// Where a series goes when its buckets change: fresh memory for each would cost more than the moving.
    spare: Vec<u32>,
}

/// Binary logarithm of the first buckets' width, in nanoseconds: a µs. Shorter logs than all buckets together are so
/// small that they are always drawn from their events.
const FIRST_WIDTH_LOG2: u32 = 10;

/// Which series of an [`Overview`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SeriesId(usize);

/// Time in each of a few states. Cells exist from the first span on: all buckets of one state, then those of the next.
#[derive(Debug)]
struct Series {
    states: usize,
    cells: Vec<u32>,
}

impl Overview {
    pub(crate) fn new() -> Self {
        let count_log2 = limits::OVERVIEW_LOG2;
        Self { width_log2: FIRST_WIDTH_LOG2, count_log2, used: (0, 0), series: Vec::new(), spare: Vec::new() }
    }

    /// Makes room for a track with so many states.
    pub(crate) fn add_series(&mut self, states: usize) -> SeriesId {
        self.series.push(Series { states, cells: Vec::new() });
        let cell_bytes = self.series.iter().map(|series| series.states * size_of::<u32>()).sum::<usize>();
        let fitting = (limits::OVERVIEW_BYTES / cell_bytes).max(1).ilog2();
        let count_log2 = fitting.clamp(limits::OVERVIEW_MIN_LOG2, limits::OVERVIEW_LOG2);
        if count_log2 < self.count_log2 {
            self.lay_out(self.fitting_width(self.used, count_log2), count_log2);
        }
        SeriesId(self.series.len() - 1)
    }

    pub(crate) fn bytes_held(&self) -> usize {
        let cells: usize = self.series.iter().map(|series| series.cells.capacity()).sum();
        (cells + self.spare.capacity()) * size_of::<u32>()
    }

    /// A bucket's width.
    pub(crate) fn bucket(&self) -> Nanos {
        Nanos(1u64.checked_shl(self.width_log2).unwrap_or(u64::MAX))
    }

    /// Adds the time from `start` to `end` to a state.
    #[inline(always)]
    pub(crate) fn add(&mut self, id: SeriesId, state: usize, start: Nanos, end: Nanos) {
        if end <= start {
            return;
        }
        let (first, last) = (start.0 >> self.width_log2, (end.0 - 1) >> self.width_log2);
        if first < self.used.0 || last >= self.used.1 {
            return self.add_outside(id, state, start, end);
        }
        let (unit, mask, width_log2) = (self.unit(), self.mask(), self.width_log2);
        let Some(series) = self.series.get_mut(id.0) else { return };
        if series.cells.is_empty() {
            series.cells = vec![0; series.states << self.count_log2];
        }
        let base = state << self.count_log2;
        let mut put = |bucket: u64, from: u64, to: u64| {
            if let Some(cell) = series.cells.get_mut(base + (bucket & mask) as usize) {
                *cell = cell.saturating_add(((to >> unit) - (from >> unit)) as u32);
            }
        };
        let mut from = start.0;
        for bucket in first..last {
            let to = (bucket + 1) << width_log2;
            put(bucket, from, to);
            from = to;
        }
        put(last, from, end.0);
    }

    #[cold]
    fn add_outside(&mut self, id: SeriesId, state: usize, start: Nanos, end: Nanos) {
        self.reach(start, end);
        self.add(id, state, start, end);
    }

    /// Widens the range in use, and the buckets when there are not enough.
    fn reach(&mut self, start: Nanos, end: Nanos) {
        let used = self.used_with(start, end);
        let width_log2 = self.fitting_width(used, self.count_log2);
        if width_log2 != self.width_log2 {
            self.lay_out(width_log2, self.count_log2);
        }
        self.used = self.used_with(start, end);
    }

    fn used_with(&self, start: Nanos, end: Nanos) -> (u64, u64) {
        let new = (start.0 >> self.width_log2, ((end.0 - 1) >> self.width_log2) + 1);
        if self.used.0 == self.used.1 { new } else { (self.used.0.min(new.0), self.used.1.max(new.1)) }
    }

    /// The smallest width at which a range of today's buckets is no more than so many.
    fn fitting_width(&self, (first, end): (u64, u64), count_log2: u32) -> u32 {
        let mut steps = 0;
        while end > first && ((end - 1) >> steps) - (first >> steps) >= 1 << count_log2 {
            steps += 1;
        }
        self.width_log2 + steps
    }

    /// Moves everything to buckets of another width and number.
    fn lay_out(&mut self, width_log2: u32, count_log2: u32) {
        let steps = width_log2 - self.width_log2;
        let (old_count, unit) = (1 << self.count_log2, self.unit());
        self.width_log2 = width_log2;
        let coarser = self.unit() - unit;
        let count = 1 << count_log2;
        for series in self.series.iter_mut().filter(|series| !series.cells.is_empty()) {
            let mut cells = core::mem::take(&mut self.spare);
            cells.clear();
            cells.reserve_exact(series.states * count);
            cells.resize(series.states * count, 0);
            for (old, new) in series.cells.chunks(old_count).zip(cells.chunks_mut(count)) {
                fold(old, self.used, steps, coarser, new);
            }
            self.spare = core::mem::replace(&mut series.cells, cells);
        }
        if self.used.0 < self.used.1 {
            self.used = (self.used.0 >> steps, ((self.used.1 - 1) >> steps) + 1);
        }
        self.count_log2 = count_log2;
    }

    fn mask(&self) -> u64 {
        (1 << self.count_log2) - 1
    }

    /// Binary logarithm of what a cell counts in: nanoseconds, until a bucket is too wide for that.
    fn unit(&self) -> u32 {
        self.width_log2.saturating_sub(31)
    }

    /// Adds the time in each state to `columns` (for each pixel of `view`, one number for each state, in nanoseconds).
    pub(crate) fn columns(&self, id: SeriesId, view: View, columns: &mut [f64]) {
        let Some(series) = self.series.get(id.0).filter(|series| !series.cells.is_empty()) else { return };
        let first = (view.from.0 >> self.width_log2).max(self.used.0);
        let end = ((view.to.0.saturating_sub(1) >> self.width_log2) + 1).min(self.used.1);
        let scale = (1u64 << self.unit()) as f64;
        let width = self.bucket();
        for (state, cells) in series.cells.chunks(1 << self.count_log2).enumerate() {
            for bucket in first..end {
                let time = cells.get((bucket & self.mask()) as usize).copied().unwrap_or_default();
                if time == 0 {
                    continue;
                }
                let start = Nanos(bucket << self.width_log2);
                view.spread(start, start.plus(width), |pixel, share| {
                    if let Some(column) = columns.get_mut(pixel * series.states + state) {
                        *column += f64::from(time) * scale * share;
                    }
                });
            }
        }
    }
}

/// Adds buckets, of which those from the first to before the last are in use, to buckets 2^steps as wide. Both kinds lie
/// in rings whose sizes are powers of two.
fn fold(old: &[u32], (first, end): (u64, u64), steps: u32, coarser: u32, new: &mut [u32]) {
    let (old_mask, new_mask) = (old.len() - 1, new.len() - 1);
    let mut bucket = first;
    while bucket < end {
        let from = bucket as usize & old_mask;
        let to = (bucket >> steps) as usize & new_mask;
        // Pairs that lie in a row on either side, as nearly all do: this loop the compiler makes fast.
        let pairs = ((old.len() - from).min((end - bucket) as usize) / 2).min(new.len() - to);
        if steps == 1 && bucket.is_multiple_of(2) && pairs > 0 {
            let old = old.get(from..from + 2 * pairs).unwrap_or_default().chunks_exact(2);
            let new = new.get_mut(to..to + pairs).unwrap_or_default();
            for (new, pair) in new.iter_mut().zip(old) {
                let sum = pair.iter().fold(0u32, |sum, time| sum.saturating_add(time >> coarser));
                *new = new.saturating_add(sum);
            }
            bucket += 2 * pairs as u64;
            continue;
        }
        if let (Some(time), Some(sum)) = (old.get(from), new.get_mut(to)) {
            *sum = sum.saturating_add(time >> coarser);
        }
        bucket += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATES: usize = 2;

    fn total(overview: &Overview, id: SeriesId, from: u64, to: u64, width: usize) -> Vec<f64> {
        let mut columns = vec![0.0; width * STATES];
        overview.columns(id, View { from: Nanos(from), to: Nanos(to), width }, &mut columns);
        columns
    }

    #[test]
    fn a_span_is_shared_out_over_its_buckets() {
        let mut overview = Overview::new();
        let id = overview.add_series(STATES);
        overview.add(id, 1, Nanos(1600), Nanos(4800));
        let columns = total(&overview, id, 0, 1024 * 8, 8);
        let second: Vec<f64> = columns.chunks(2).map(|states| states[1]).collect();
        assert_eq!(second, [0.0, 448.0, 1024.0, 1024.0, 704.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn nothing_is_lost_when_the_log_grows_to_either_side() {
        let mut overview = Overview::new();
        let id = overview.add_series(STATES);
        let mut expected = 0;
        for (start, end) in [(1 << 40, (1 << 40) + 77), (5, 1000), (1 << 41, (1 << 41) + (1 << 39)), (1 << 30, 1 << 31)]
        {
            overview.add(id, 0, Nanos(start), Nanos(end));
            expected += end - start;
        }
        assert_eq!(total(&overview, id, 0, 1 << 42, 1)[0], expected as f64);
        let held = overview.bytes_held();
        overview.add(id, 0, Nanos(1 << 50), Nanos((1 << 50) + 10));
        assert_eq!(overview.bytes_held(), held);
    }

    #[test]
    fn more_tracks_get_fewer_buckets_each() {
        let mut overview = Overview::new();
        let ids: Vec<_> = (0..64).map(|_| overview.add_series(5)).collect();
        for id in &ids {
            overview.add(*id, 4, Nanos(0), Nanos(1_000_000_000));
        }
        assert!(overview.bytes_held() <= limits::OVERVIEW_BYTES);
        let mut columns = vec![0.0; 5];
        overview.columns(ids[63], View { from: Nanos(0), to: Nanos(1 << 30), width: 1 }, &mut columns);
        assert_eq!(columns[4], 1e9);
    }

    #[test]
    fn buckets_wider_than_four_seconds_still_count() {
        let mut overview = Overview::new();
        let id = overview.add_series(STATES);
        let week = 7 * 24 * 3600 * 1_000_000_000;
        overview.add(id, 0, Nanos(0), Nanos(week));
        overview.add(id, 0, Nanos(100 * week), Nanos(101 * week));
        let sum = total(&overview, id, 0, 128 * week, 1)[0];
        assert!((sum - 2.0 * week as f64).abs() < 1e4, "{sum}");
    }
}
