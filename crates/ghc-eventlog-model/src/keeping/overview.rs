//! The overview: for each track, what is in each of a fixed number of buckets of time. It is correct at every moment while
//! the log is being read, in constant memory: see [`super::ring`].
//!
//! Small logs have fewer buckets. Otherwise, moving all buckets each time that a log of a few events doubles its length would
//! cost more than everything else.

use super::ring::{Buckets, RingBuckets, place};
use crate::{
    keeping::store::{Purpose, Store},
    limits,
    terms::view::View,
};
use alloc::{borrow::Cow, vec, vec::Vec};
use ghc_eventlog::Nanos;

/// Time in each state, per bucket, for all tracks.
#[derive(Debug)]
pub(crate) struct Overview {
    buckets: Buckets,
    /// Binary logarithm of a cell's unit: nanoseconds, until buckets are too wide for that.
    unit: u32,
    series: Vec<StateSeries>,
    /// How many states all used series have together. A series is used once it has any time in a state.
    states_used: usize,
    /// A buffer for one state's buckets while they are moved.
    row: RingBuckets<u32>,
    /// The most bytes of all buckets, as long as each series has 2^`min_log2` of them.
    room: usize,
    min_log2: u32,
    /// Whether anything is kept.
    wanted: bool,
}

/// Which series of an [`Overview`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SeriesId(usize);

/// Time in each of a few states.
#[derive(Debug)]
struct StateSeries {
    states: usize,
    /// The buckets of each state. They are allocated at its first span.
    cells: Vec<Vec<u32>>,
    /// How many more buckets may be written individually: each span adds a few. Spans that do not overlap never use up more
    /// than there are buckets.
    credit: u64,
    /// Used once the credit has run out; one state's buckets, then the next state's. For each bucket: how many spans that
    /// cover whole buckets begin with it, less those that ended before it.
    covers: Vec<i32>,
}

/// The bytes of a series of one state, without its buckets.
#[cfg(test)]
pub(crate) const SERIES_BYTES: usize = size_of::<StateSeries>() + size_of::<Vec<u32>>();

/// How many buckets each span may always write individually.
const CREDIT: u64 = 32;

impl StateSeries {
    fn new(states: usize) -> Self {
        Self { states, cells: Vec::new(), credit: 0, covers: Vec::new() }
    }

    /// Adds whole buckets, from `first` to before `end`, to a state; each is `width` long.
    fn cover(&mut self, count_log2: u32, state: usize, (first, end): (u64, u64), width: u32) {
        if first >= end {
            return;
        }
        let mask = (1 << count_log2) - 1;
        if let Some(credit) = (self.credit + CREDIT).checked_sub(end - first) {
            self.credit = credit.min(1 << count_log2);
            let Some(cells) = self.cells.get_mut(state) else { return };
            for bucket in first..end {
                if let Some(cell) = cells.get_mut((bucket & mask) as usize) {
                    *cell = cell.saturating_add(width);
                }
            }
            return;
        }
        if self.covers.is_empty() {
            self.covers = vec![0; self.states << count_log2];
        }
        let place = |bucket: u64| (state << count_log2) + (bucket & mask) as usize;
        if let Some(covers) = self.covers.get_mut(place(first)) {
            *covers = covers.saturating_add(1);
        }
        if let Some(covers) = self.covers.get_mut(place(end)) {
            *covers = covers.saturating_sub(1);
        }
    }

    /// The buckets of one state, including the time of `covers`.
    fn ring(&self, count_log2: u32, state: usize, used: (u64, u64), width: u32) -> Cow<'_, [u32]> {
        let cells = self.cells.get(state).map_or(&[][..], Vec::as_slice);
        let covers = self.covers.get(state << count_log2..(state + 1) << count_log2);
        // States that never occurred have no cells, even if other states of the series do.
        let Some(covers) = covers.filter(|_| !cells.is_empty()) else { return Cow::Borrowed(cells) };
        let mut ring = cells.to_vec();
        let mut covering = 0i64;
        for bucket in used.0..used.1 {
            let at = place(bucket, cells);
            covering += i64::from(covers.get(at).copied().unwrap_or(0));
            if let Some(cell) = ring.get_mut(at) {
                let more = u64::from(width).saturating_mul(covering.max(0) as u64);
                *cell = cell.saturating_add(u32::try_from(more).unwrap_or(u32::MAX));
            }
        }
        Cow::Owned(ring)
    }

    /// Adds the time of `covers` to the buckets.
    fn settle(&mut self, count_log2: u32, used: (u64, u64), width: u32) {
        if self.covers.is_empty() {
            return;
        }
        for state in 0..self.states {
            if let Cow::Owned(ring) = self.ring(count_log2, state, used, width)
                && let Some(cells) = self.cells.get_mut(state)
            {
                cells.copy_from_slice(&ring);
            }
        }
        self.covers = Vec::new();
    }
}

impl Overview {
    /// For a log of this many bytes, if known.
    pub(crate) fn new(log_bytes: Option<u64>) -> Self {
        let deserved =
            log_bytes.map_or(limits::OVERVIEW_LOG2, |bytes| (bytes / limits::BYTES_PER_BUCKET).max(1).ilog2());
        let log2 = deserved.clamp(limits::OVERVIEW_MIN_LOG2, limits::OVERVIEW_LOG2);
        Self::within(log2, limits::OVERVIEW_MIN_LOG2, limits::OVERVIEW_BYTES)
    }

    /// With 2^`log2` buckets for each series, and fewer if these need more than `room` bytes, but at least 2^`min_log2`.
    pub(crate) fn within(log2: u32, min_log2: u32, room: usize) -> Self {
        let buckets = Buckets::new(log2);
        Self {
            buckets,
            unit: unit(buckets.width_log2),
            series: Vec::new(),
            states_used: 0,
            row: RingBuckets::default(),
            room,
            min_log2,
            wanted: true,
        }
    }

    /// An overview that keeps nothing: see [`crate::Model::of_figures`].
    pub(crate) fn none() -> Self {
        Self { wanted: false, ..Self::new(Some(0)) }
    }

    /// Adds a series with `states` states. It takes no room before its first span.
    pub(crate) fn add_series(&mut self, states: usize) -> SeriesId {
        self.series.push(StateSeries::new(states));
        SeriesId(self.series.len() - 1)
    }

    /// Makes room for the cells of a series; the other series may have to give up some of theirs.
    #[cold]
    fn make_room(&mut self, id: SeriesId) {
        let Some(states) = self.series.get(id.0).map(|series| series.states) else { return };
        self.states_used += states;
        let fitting = (self.room / (self.states_used * size_of::<u32>())).max(1).ilog2();
        let count_log2 = fitting.clamp(self.min_log2, self.buckets.count_log2);
        if count_log2 < self.buckets.count_log2 {
            self.lay_out(self.buckets.fitting_width(self.buckets.used, count_log2), count_log2);
        }
        if let Some(series) = self.series.get_mut(id.0) {
            series.cells = vec![Vec::new(); states];
            series.credit = 1 << count_log2;
        }
    }

    /// A bucket's width.
    pub(crate) fn bucket(&self) -> Nanos {
        self.buckets.width()
    }

    /// The buckets that are in use, each a pixel.
    pub(crate) fn used(&self) -> View {
        let Buckets { width_log2, used: (first, end), .. } = self.buckets;
        View { from: Nanos(first << width_log2), to: Nanos(end << width_log2), width: (end - first) as usize }
    }

    /// Adds the time from `start` to `end` to a state.
    #[inline(always)]
    pub(crate) fn add(&mut self, id: SeriesId, state: usize, start: Nanos, end: Nanos) {
        let Buckets { width_log2, used, .. } = self.buckets;
        let bucket = start.0 >> width_log2;
        if end <= start || !self.wanted {
            return;
        }
        // Nearly all spans are like this: within one bucket, which is in use.
        if (end.0 - 1) >> width_log2 == bucket
            && bucket.wrapping_sub(used.0) < used.1 - used.0
            && let Some(series) = self.series.get_mut(id.0)
            && let Some(cells) = series.cells.get_mut(state)
            && let Some(cell) = cells.get_mut((bucket & self.buckets.mask()) as usize)
        {
            let unit = self.unit;
            *cell = cell.saturating_add(((end.0 >> unit) - (start.0 >> unit)) as u32);
            return;
        }
        self.add_any(id, state, start, end);
    }

    /// Adds a span of any length, at any time.
    fn add_any(&mut self, id: SeriesId, state: usize, start: Nanos, end: Nanos) {
        if self.series.get(id.0).is_some_and(|series| series.cells.is_empty()) {
            self.make_room(id);
        }
        let Buckets { width_log2, count_log2, used } = self.buckets;
        let (first, last) = (start.0 >> width_log2, (end.0 - 1) >> width_log2);
        if first < used.0 || last >= used.1 {
            self.reach(start, end);
            return self.add_any(id, state, start, end);
        }
        let (unit, mask, width) = (self.unit, self.buckets.mask(), self.width());
        let Some(series) = self.series.get_mut(id.0) else { return };
        let Some(cells) = series.cells.get_mut(state) else { return };
        if cells.is_empty() {
            *cells = vec![0; 1 << count_log2];
        }
        let mut part = |bucket: u64, from: u64, to: u64| {
            if let Some(cell) = cells.get_mut((bucket & mask) as usize) {
                *cell = cell.saturating_add(((to >> unit) - (from >> unit)) as u32);
            }
        };
        if first == last {
            return part(first, start.0, end.0);
        }
        part(first, start.0, (first + 1) << width_log2);
        part(last, last << width_log2, end.0);
        series.cover(count_log2, state, (first + 1, last), width);
    }

    /// A bucket's width in the unit of cells.
    fn width(&self) -> u32 {
        1 << (self.buckets.width_log2 - self.unit)
    }

    /// Extends the range in use, and widens the buckets when there are not enough.
    fn reach(&mut self, start: Nanos, end: Nanos) {
        let buckets = self.buckets;
        let width_log2 = buckets.fitting_width(buckets.used_with(start, end), buckets.count_log2);
        if width_log2 != buckets.width_log2 {
            self.lay_out(width_log2, buckets.count_log2);
        }
        self.buckets.used = self.buckets.used_with(start, end);
    }

    /// Moves everything to buckets of another width and number.
    fn lay_out(&mut self, width_log2: u32, count_log2: u32) {
        let Buckets { width_log2: old_width_log2, count_log2: old_count_log2, used } = self.buckets;
        let steps = width_log2 - old_width_log2;
        let coarser = unit(width_log2) - self.unit;
        let (old_count, count) = (1 << old_count_log2, 1 << count_log2);
        let width = self.width();
        let row = &mut self.row;
        for series in self.series.iter_mut().filter(|series| !series.cells.is_empty()) {
            series.settle(old_count_log2, used, width);
            series.credit = count as u64;
            for cells in series.cells.iter_mut().filter(|cells| !cells.is_empty()) {
                row.take(cells, used, steps, coarser);
                if old_count != count {
                    *cells = vec![0; count];
                }
                row.put(cells);
            }
        }
        self.buckets.lay_out(width_log2, count_log2);
        self.unit = unit(width_log2);
    }

    /// Adds the time in each state to `columns`: for each pixel of `view` one number for each state, in nanoseconds. A bucket
    /// that lies across a pixel's edge is divided by overlap.
    pub(crate) fn columns(&self, id: SeriesId, view: View, columns: &mut [f64]) {
        let Some(series) = self.series.get(id.0).filter(|series| !series.cells.is_empty()) else { return };
        let scale = (1u64 << self.unit) as f64;
        let edges: Vec<BucketEdge> = (0..=view.width).map(|pixel| self.edge(view, pixel)).collect();
        for state in 0..series.states {
            let ring = &*series.ring(self.buckets.count_log2, state, self.buckets.used, self.width());
            if ring.is_empty() {
                continue;
            }
            let part =
                |edge: &BucketEdge| ring.get(place(edge.bucket, ring)).map_or(0.0, |time| f64::from(*time) * edge.part);
            let pixels = edges.windows(2).zip(columns.chunks_mut(series.states));
            for (edges, column) in pixels {
                let [from, to] = edges else { continue };
                let time = sum(ring, from.bucket, to.bucket) as f64 + part(to) - part(from);
                if let Some(column) = column.get_mut(state) {
                    *column += time * scale;
                }
            }
        }
    }

    /// The left edge of a pixel. An edge outside of the buckets in use is moved to their outer edge.
    fn edge(&self, view: View, pixel: usize) -> BucketEdge {
        let (first, end) = self.buckets.used;
        let start = Nanos(first << self.buckets.width_log2);
        // Subtract before converting: times since boot have more digits than an f64 holds.
        let from = view.from.since(start).0 as f64 - start.since(view.from).0 as f64;
        let buckets = (from + pixel as f64 * view.pixel()) / self.bucket().0 as f64;
        let inside = buckets.clamp(0.0, (end - first) as f64);
        // A tiny part of a bucket is a rounding error, and would show what is not there.
        let whole = (inside + ROUNDING) as u64;
        let part = inside - whole as f64;
        BucketEdge { bucket: first + whole, part: if part < ROUNDING { 0.0 } else { part } }
    }
}

impl Store for Overview {
    fn of(purpose: Purpose) -> Self {
        if purpose.is_drawn { Self::new(purpose.log_bytes) } else { Self::none() }
    }

    fn bytes_held(&self) -> usize {
        let cells: usize = self.series.iter().flat_map(|series| &series.cells).map(Vec::capacity).sum();
        let covers: usize = self.series.iter().map(|series| series.covers.capacity()).sum();
        let series = self.series.capacity() * size_of::<StateSeries>();
        series + (cells + covers) * size_of::<u32>() + self.row.bytes_held()
    }
}

/// Parts of a bucket below this are rounding errors: places count up to 2^17 of them.
const ROUNDING: f64 = 1e-9;

/// A position in time: a bucket, and the part of it that lies before the position.
struct BucketEdge {
    bucket: u64,
    part: f64,
}

/// The time in the buckets from `first` to before `end`; all of them lie in the ring.
fn sum(ring: &[u32], first: u64, end: u64) -> u64 {
    let (wrapped, straight) = ring.split_at(place(first, ring));
    let count = (end - first) as usize;
    let add = |cells: &[u32], count: usize| {
        cells.get(..count).into_iter().flatten().map(|time| u64::from(*time)).sum::<u64>()
    };
    let of_straight = count.min(straight.len());
    add(straight, of_straight) + add(wrapped, count - of_straight)
}

/// See [`Overview::unit`]. A bucket's width is at most 2^27 units: 32 bits hold 32 times as much, for when many capabilities
/// collect at once.
fn unit(width_log2: u32) -> u32 {
    width_log2.saturating_sub(27)
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
    fn a_span_is_spread_over_its_buckets() {
        let mut overview = Overview::new(None);
        let id = overview.add_series(STATES);
        overview.add(id, 1, Nanos(1600), Nanos(4800));
        let columns = total(&overview, id, 0, 1024 * 8, 8);
        let second: Vec<f64> = columns.chunks(2).map(|states| states[1]).collect();
        assert_eq!(second, [0.0, 448.0, 1024.0, 1024.0, 704.0, 0.0, 0.0, 0.0]);
    }

    /// Pixels half a bucket wider than one, starting in the middle of a bucket.
    #[test]
    fn a_bucket_is_spread_over_its_pixels() {
        let mut overview = Overview::new(None);
        let id = overview.add_series(STATES);
        overview.add(id, 0, Nanos(0), Nanos(1024));
        overview.add(id, 0, Nanos(2048), Nanos(2048 + 512));
        let columns = total(&overview, id, 512, 512 + 3 * 1536, 3);
        let first: Vec<f64> = columns.chunks(2).map(|states| states[0]).collect();
        assert_eq!(first, [512.0, 512.0, 0.0]);
    }

    #[test]
    fn nothing_is_lost_when_the_log_grows_to_either_side() {
        let mut overview = Overview::new(None);
        let id = overview.add_series(STATES);
        let mut expected = 0;
        for (start, end) in [(1 << 40, (1 << 40) + 77), (5, 1000), (1 << 41, (1 << 41) + (1 << 39)), (1 << 30, 1 << 31)]
        {
            overview.add(id, 0, Nanos(start), Nanos(end));
            expected += end - start;
        }
        assert_eq!(total(&overview, id, 0, 1 << 42, 1)[0], expected as f64);
        // The states' buckets, and the buffer for moving them.
        assert!(overview.bytes_held() <= ((STATES + 3) * size_of::<u32>()) << limits::OVERVIEW_LOG2);
    }

    #[test]
    fn more_tracks_get_fewer_buckets_each() {
        let mut overview = Overview::new(None);
        let ids: Vec<_> = (0..64).map(|_| overview.add_series(5)).collect();
        for id in &ids {
            overview.add(*id, 4, Nanos(0), Nanos(1_000_000_000));
        }
        assert!(overview.bytes_held() <= limits::OVERVIEW_BYTES);
        let mut columns = vec![0.0; 5];
        overview.columns(ids[63], View { from: Nanos(0), to: Nanos(1 << 30), width: 1 }, &mut columns);
        assert_eq!(columns[4], 1e9);
    }

    /// Overlapping spans: adding them takes no longer, and nothing is lost.
    #[test]
    fn long_spans_that_overlap_are_added_up() {
        let mut overview = Overview::new(None);
        let id = overview.add_series(STATES);
        let (mut sum, length) = (0, 1u64 << 27);
        overview.add(id, 0, Nanos(0), Nanos(length));
        for at in 0..20_000 {
            let (start, end) = (at * 3, length - at * 5);
            overview.add(id, 1, Nanos(start), Nanos(end));
            sum += end - start;
        }
        assert_eq!(total(&overview, id, 0, length, 1), [length as f64, sum as f64]);
        // That number of spans covers the middle, and still does when everything is merged.
        assert!(overview.series[id.0].covers.len() == STATES << 17, "they were not written to each of their buckets");
        let middle = |overview: &Overview| total(overview, id, length / 2, length / 2 + 2048, 1);
        assert_eq!(middle(&overview), [2048.0, 2048.0 * 20_000.0]);
        overview.add(id, 0, Nanos(length * 4), Nanos(length * 4 + 1));
        assert_eq!(total(&overview, id, 0, length, 1), [length as f64, sum as f64]);
    }

    #[test]
    fn buckets_wider_than_four_seconds_still_count() {
        let mut overview = Overview::new(None);
        let id = overview.add_series(STATES);
        let week = 7 * 24 * 3600 * 1_000_000_000;
        overview.add(id, 0, Nanos(0), Nanos(week));
        overview.add(id, 0, Nanos(100 * week), Nanos(101 * week));
        let sum = total(&overview, id, 0, 128 * week, 1)[0];
        assert!((sum - 2.0 * week as f64).abs() < 1e4, "{sum}");
    }

    /// Random spans of tracks that are added over time, in a range that grows on both sides. Compared with the overview, for
    /// windows whose pixels are whole buckets.
    #[test]
    fn later_spans_do_not_move_earlier_ones() {
        let mut random = crate::random::numbers(1);
        for round in 0..60 {
            let bytes = [None, Some(0), Some(1 << 20)][round % 3];
            let mut overview = Overview::new(bytes);
            let (mut ids, mut spans) = (Vec::new(), Vec::new());
            // Within this range cells count nanoseconds, for any number of buckets.
            let scale = 8 + random(27);
            let middle = 1 << 50;
            for at in 0..160 {
                if at % 40 == 0 {
                    // The last ones take some buckets from the others.
                    let more = if at == 120 { 60 } else { 2 };
                    ids.extend((0..more).map(|_| overview.add_series(STATES)));
                }
                let start = middle + random(1 << scale) - random(1 << scale);
                let end = start + 1 + (random(1 << scale) >> random(scale));
                let (track, state) = (random(ids.len().min(6) as u64) as usize, random(2) as usize);
                overview.add(ids[track], state, Nanos(start), Nanos(end));
                spans.push((track, state, start, end));
            }
            assert!(overview.bytes_held() <= 2 * limits::OVERVIEW_BYTES);
            let bucket = overview.bucket().0;
            for _ in 0..30 {
                let (width, pixel) = (1 + random(9), bucket * (1 + random(60)));
                let from =
                    (middle / bucket + random((1 << scale) / bucket + 1) - random((1 << scale) / bucket + 1)) * bucket;
                let track = random(6) as usize;
                let found = total(&overview, ids[track], from, from + pixel * width, width as usize);
                let mut expected = vec![0; width as usize * STATES];
                for &(_, state, start, end) in spans.iter().filter(|span| span.0 == track) {
                    for at in 0..width {
                        let (left, right) = (from + pixel * at, from + pixel * (at + 1));
                        expected[at as usize * STATES + state] += end.min(right).saturating_sub(start.max(left));
                    }
                }
                let expected: Vec<f64> = expected.into_iter().map(|time| time as f64).collect();
                assert_eq!(found, expected, "round {round}, buckets of {bucket} ns, {pixel} to a pixel");
            }
        }
    }

    /// The number of buckets fits the log's size, within bounds.
    #[test]
    fn small_logs_have_fewer_buckets() {
        let buckets = |bytes| 1u64 << Overview::new(bytes).buckets.count_log2;
        assert_eq!([None, Some(1 << 26), Some(1 << 40)].map(buckets), [1 << 17; 3]);
        assert_eq!([Some(0), Some(511), Some(1 << 18)].map(buckets), [1 << 9; 3]);
        assert_eq!([Some(1 << 19), Some((1 << 20) - 1), Some(1 << 20)].map(buckets), [1 << 10, 1 << 10, 1 << 11]);
    }

    /// Up to the last nanosecond that can be stored.
    #[test]
    fn buckets_are_no_wider_than_they_must_be() {
        let width = |from: u64, to: u64, states| {
            let mut overview = Overview::new(None);
            let id = overview.add_series(states);
            overview.add(id, 0, Nanos(from), Nanos(to));
            overview.bucket().0
        };
        let all = 1 << 27;
        assert_eq!(width(0, all, STATES), 1 << 10);
        assert_eq!(width(0, all + 1, STATES), 1 << 11);
        assert_eq!(width(1 << 11, all + (1 << 11), STATES), 1 << 10);
        assert_eq!(width((1 << 11) - 1, all + (1 << 10), STATES), 1 << 10);
        assert_eq!(width((1 << 10) - 1, all + (1 << 10), STATES), 1 << 11);
        assert_eq!(width(0, 64 * all, STATES), 1 << 16);
        // Spans that fill the allowed bytes, and more.
        let states = (limits::OVERVIEW_BYTES / size_of::<u32>()) >> limits::OVERVIEW_LOG2;
        assert_eq!(width(0, all, states), 1 << 10);
        assert_eq!(width(0, all, states + 1), 1 << 11);
    }
}
