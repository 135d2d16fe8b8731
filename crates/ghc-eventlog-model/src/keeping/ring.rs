//! Rings of buckets of time, in constant memory: when the log outgrows the buckets, neighbours are merged.
//!
//! A bucket is 2^k ns wide and begins at a multiple of its width on the log's own clock, so the same pairs are merged
//! whichever side the log grows on. Bucket i is kept in cell i modulo the number of buckets: growing to the left or to the
//! right moves nothing.
//!
//! What a bucket holds for a series is a [`BucketValue`]: the time in a state ([`super::overview`]); or the range of a
//! counter's values, a number of events, or an amount ([`Rings`]). The series of a class have buckets of the same width, and
//! share a budget.

use alloc::{vec, vec::Vec};
use ghc_eventlog::Nanos;

/// What a bucket holds for a series; its default is "nothing".
pub(crate) trait BucketValue: Copy + Default {
    /// The value of two neighbouring buckets together; `self` is the earlier one.
    fn merged(self, later: Self) -> Self;

    /// The same value in units that are 2^`by` times as large.
    fn coarser(self, _by: u32) -> Self {
        self
    }
}

/// Where the buckets of a class of series are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Buckets {
    /// Binary logarithm of a bucket's width in nanoseconds.
    pub(crate) width_log2: u32,
    /// Binary logarithm of the number of buckets.
    pub(crate) count_log2: u32,
    /// Buckets in use: the first, and one after the last.
    pub(crate) used: (u64, u64),
}

/// Binary logarithm of the initial bucket width in nanoseconds: a µs. Logs that are shorter than all these buckets together
/// are so small that they are always drawn from their events.
const FIRST_WIDTH_LOG2: u32 = 10;

impl Buckets {
    pub(crate) fn new(count_log2: u32) -> Self {
        Self { width_log2: FIRST_WIDTH_LOG2, count_log2, used: (0, 0) }
    }

    /// A bucket's width.
    pub(crate) fn width(&self) -> Nanos {
        Nanos(1u64.checked_shl(self.width_log2).unwrap_or(u64::MAX))
    }

    #[inline(always)]
    pub(crate) fn mask(&self) -> u64 {
        (1 << self.count_log2) - 1
    }

    /// The buckets in use once the time from `start` to before `end` is in use, too.
    pub(crate) fn used_with(&self, start: Nanos, end: Nanos) -> (u64, u64) {
        let new = (start.0 >> self.width_log2, ((end.0 - 1) >> self.width_log2) + 1);
        if self.used.0 == self.used.1 { new } else { (self.used.0.min(new.0), self.used.1.max(new.1)) }
    }

    /// The smallest width at which the range of buckets `first..end` takes at most 2^`count_log2` buckets.
    pub(crate) fn fitting_width(&self, (first, end): (u64, u64), count_log2: u32) -> u32 {
        let mut steps = 0;
        while (end.saturating_sub(1) >> steps) - (first >> steps) >= 1 << count_log2 {
            steps += 1;
        }
        self.width_log2 + steps
    }

    /// Changes the width and the number of buckets.
    pub(crate) fn lay_out(&mut self, width_log2: u32, count_log2: u32) {
        let steps = width_log2 - self.width_log2;
        if self.used.0 < self.used.1 {
            self.used = (self.used.0 >> steps, ((self.used.1 - 1) >> steps) + 1);
        }
        (self.width_log2, self.count_log2) = (width_log2, count_log2);
    }
}

/// One ring's buckets in use, while they are moved from one ring of cells to another.
#[derive(Debug)]
pub(crate) struct RingBuckets<C> {
    /// The number of the first one.
    first: u64,
    cells: Vec<C>,
    /// A buffer for merged ones.
    merged: Vec<C>,
}

impl<C> Default for RingBuckets<C> {
    fn default() -> Self {
        Self { first: 0, cells: Vec::new(), merged: Vec::new() }
    }
}

impl<C: BucketValue> RingBuckets<C> {
    pub(crate) fn bytes_held(&self) -> usize {
        (self.cells.capacity() + self.merged.capacity()) * size_of::<C>()
    }

    /// Takes a ring's buckets and merges each 2^`steps` of them, in units that are 2^`coarser` times as large.
    pub(crate) fn take(&mut self, ring: &[C], used: (u64, u64), steps: u32, coarser: u32) {
        self.cells.clear();
        if steps == 0 {
            self.first = used.0;
            let (straight, wrapped) = slices(ring, used);
            // Buckets as wide as before keep their unit.
            self.cells.extend(straight.iter().chain(wrapped).copied());
            return;
        }
        self.take_pairs(ring, used, coarser);
        for _ in 1..steps {
            self.pair();
        }
    }

    /// The first merge, done while copying. The two buckets of a pair are next to each other in a ring, except at either end,
    /// where a bucket's partner may not be in use.
    fn take_pairs(&mut self, ring: &[C], (first, end): (u64, u64), coarser: u32) {
        self.first = first / 2;
        let at = |bucket: u64| ring.get(place(bucket, ring)).copied().unwrap_or_default().coarser(coarser);
        if first % 2 == 1 && first < end {
            self.cells.push(C::default().merged(at(first)));
        }
        let (straight, wrapped) = slices(ring, (first.next_multiple_of(2), end));
        for cells in [straight, wrapped] {
            // If the end is odd, the last one has no partner.
            let (pairs, _) = cells.as_chunks::<2>();
            self.cells.extend(pairs.iter().map(|[one, other]| one.coarser(coarser).merged(other.coarser(coarser))));
        }
        if end % 2 == 1 && first < end {
            self.cells.push(at(end - 1).merged(C::default()));
        }
    }

    /// Merges pairs once more.
    fn pair(&mut self) {
        if self.first % 2 == 1 {
            self.cells.insert(0, C::default());
        }
        if self.cells.len() % 2 == 1 {
            self.cells.push(C::default());
        }
        self.first /= 2;
        let (pairs, _) = self.cells.as_chunks::<2>();
        self.merged.clear();
        self.merged.extend(pairs.iter().map(|[one, other]| one.merged(*other)));
        core::mem::swap(&mut self.cells, &mut self.merged);
    }

    /// Puts the buckets into a ring, and clears the rest of it.
    pub(crate) fn put(&self, ring: &mut [C]) {
        let (wrapped, straight) = ring.split_at_mut(place(self.first, ring));
        let (to_end, from_begin) = self.cells.split_at(self.cells.len().min(straight.len()));
        for (ring, cells) in [(straight, to_end), (wrapped, from_begin)] {
            if let Some((taken, free)) = ring.split_at_mut_checked(cells.len()) {
                taken.copy_from_slice(cells);
                free.fill(C::default());
            }
        }
    }
}

/// Some buckets of a ring, in order: those up to the ring's end, and those that continue at its begin.
fn slices<C>(ring: &[C], (first, end): (u64, u64)) -> (&[C], &[C]) {
    let (wrapped, straight) = ring.split_at(place(first, ring));
    let count = end.saturating_sub(first) as usize;
    let to_end = count.min(straight.len());
    (straight.get(..to_end).unwrap_or_default(), wrapped.get(..count - to_end).unwrap_or_default())
}

/// A bucket's place in a ring whose size is a power of two.
pub(crate) fn place<C>(bucket: u64, ring: &[C]) -> usize {
    bucket as usize & (ring.len() - 1)
}

/// A class of series that have a ring each.
#[derive(Debug)]
pub(crate) struct Rings<C> {
    buckets: Buckets,
    /// The byte budget of all rings together.
    most_bytes: usize,
    rings: Vec<Vec<C>>,
    row: RingBuckets<C>,
}

/// Identifies one of a class's rings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RingId(usize);

impl<C: BucketValue> Rings<C> {
    /// Rings of up to 2^`most_log2` buckets each, which take at most `most_bytes` together.
    pub(crate) fn new(most_log2: u32, most_bytes: usize) -> Self {
        Self { buckets: Buckets::new(most_log2), most_bytes, rings: Vec::new(), row: RingBuckets::default() }
    }

    /// Adds a ring. The others may have to give up some of their buckets, so add rings only for series that have something to
    /// keep.
    pub(crate) fn add_ring(&mut self) -> RingId {
        let fitting = (self.most_bytes / size_of::<C>() / (self.rings.len() + 1)).max(2).ilog2();
        if fitting < self.buckets.count_log2 {
            self.lay_out(self.buckets.fitting_width(self.buckets.used, fitting), fitting);
        }
        self.rings.push(vec![C::default(); 1 << self.buckets.count_log2]);
        RingId(self.rings.len() - 1)
    }

    /// Adds a value at a time to a series, merging it after what the bucket has.
    #[inline]
    pub(crate) fn add(&mut self, id: RingId, time: Nanos, cell: C) {
        let Buckets { width_log2, used, .. } = self.buckets;
        let bucket = time.0 >> width_log2;
        if bucket.wrapping_sub(used.0) >= used.1 - used.0 {
            return self.add_outside(id, time, cell);
        }
        if let Some(ring) = self.rings.get_mut(id.0) {
            let at = place(bucket, ring);
            if let Some(held) = ring.get_mut(at) {
                *held = held.merged(cell);
            }
        }
    }

    /// Adds a value outside of the buckets in use.
    #[cold]
    fn add_outside(&mut self, id: RingId, time: Nanos, cell: C) {
        let time = time.min(Nanos(u64::MAX - 1));
        let reach = |buckets: &Buckets| buckets.used_with(time, time.plus(Nanos(1)));
        let width_log2 = self.buckets.fitting_width(reach(&self.buckets), self.buckets.count_log2);
        if width_log2 != self.buckets.width_log2 {
            self.lay_out(width_log2, self.buckets.count_log2);
        }
        self.buckets.used = reach(&self.buckets);
        self.add(id, time, cell);
    }

    fn lay_out(&mut self, width_log2: u32, count_log2: u32) {
        let steps = width_log2 - self.buckets.width_log2;
        for ring in &mut self.rings {
            self.row.take(ring, self.buckets.used, steps, 0);
            if ring.len() != 1 << count_log2 {
                *ring = vec![C::default(); 1 << count_log2];
            }
            self.row.put(ring);
        }
        self.buckets.lay_out(width_log2, count_log2);
    }

    /// A bucket's width.
    pub(crate) fn bucket(&self) -> Nanos {
        self.buckets.width()
    }

    /// The values of a series' buckets that begin in `from..to`, in order.
    pub(crate) fn between(&self, id: RingId, from: Nanos, to: Nanos) -> impl DoubleEndedIterator<Item = C> {
        let ring = self.rings.get(id.0).map_or(&[][..], Vec::as_slice);
        let first_from = |time: Nanos| time.0.div_ceil(1 << self.buckets.width_log2);
        let (first, end) = self.buckets.used;
        let range = first_from(from).clamp(first, end)..first_from(to).clamp(first, end);
        range.filter_map(|bucket| ring.get(bucket as usize & ring.len().wrapping_sub(1)).copied())
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.rings.iter().map(|ring| ring.capacity() * size_of::<C>()).sum::<usize>() + self.row.bytes_held()
    }
}

impl Rings<f32> {
    /// Distributes an amount evenly over the time from `from` to before `to`.
    pub(crate) fn spread(&mut self, id: RingId, from: Nanos, to: Nanos, amount: f64) {
        let Some(last) = to.0.checked_sub(1).filter(|last| from.0 <= *last) else { return };
        // Nearly all are like this: within one bucket.
        if (from.0 ^ last) >> self.buckets.width_log2 == 0 {
            return self.add(id, from, amount as f32);
        }
        // Brings all of that time into use.
        [from, Nanos(last)].into_iter().for_each(|time| self.add(id, time, 0.0));
        let share = amount / to.since(from).0 as f64;
        let width_log2 = self.buckets.width_log2;
        let Some(ring) = self.rings.get_mut(id.0) else { return };
        for bucket in from.0 >> width_log2..=last >> width_log2 {
            let start = bucket << width_log2;
            let end = start.saturating_add(1 << width_log2);
            let at = place(bucket, ring);
            if let Some(held) = ring.get_mut(at) {
                *held += (end.min(to.0) - start.max(from.0)) as f32 * share as f32;
            }
        }
    }

    /// The values of a series' buckets that overlap `from..to`, in order, each with the bucket's begin.
    pub(crate) fn meeting(&self, id: RingId, from: Nanos, to: Nanos) -> impl Iterator<Item = (Nanos, f32)> {
        let width_log2 = self.buckets.width_log2;
        let begin = Nanos(from.0 >> width_log2 << width_log2);
        let first = (begin.0 >> width_log2).max(self.buckets.used.0);
        let begins = (first..).map(move |bucket| Nanos(bucket << width_log2));
        begins.zip(self.between(id, begin, to))
    }
}

/// The range of a counter's values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Envelope {
    pub(crate) first: f32,
    pub(crate) low: f32,
    pub(crate) high: f32,
    pub(crate) last: f32,
}

impl Default for Envelope {
    fn default() -> Self {
        Self { first: f32::NAN, low: f32::INFINITY, high: f32::NEG_INFINITY, last: f32::NAN }
    }
}

impl Envelope {
    /// The range of a single value.
    pub(crate) fn of(value: u64) -> Self {
        Self::of_height(value as f32)
    }

    /// The same for a value that may be negative.
    pub(crate) fn of_height(value: f32) -> Self {
        Self { first: value, low: value, high: value, last: value }
    }

    /// Whether there was no value.
    pub(crate) fn is_empty(self) -> bool {
        self.low > self.high
    }
}

impl BucketValue for Envelope {
    fn merged(self, later: Self) -> Self {
        Self {
            first: if self.is_empty() { later.first } else { self.first },
            low: self.low.min(later.low),
            high: self.high.max(later.high),
            last: if later.is_empty() { self.last } else { later.last },
        }
    }
}

/// A number of events.
impl BucketValue for u32 {
    fn merged(self, later: Self) -> Self {
        self.saturating_add(later)
    }

    fn coarser(self, by: u32) -> Self {
        self >> by
    }
}

/// An amount.
impl BucketValue for f32 {
    fn merged(self, later: Self) -> Self {
        self + later
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all<C: BucketValue>(rings: &Rings<C>, id: RingId) -> C {
        rings.between(id, Nanos(0), Nanos::MAX).fold(C::default(), BucketValue::merged)
    }

    #[test]
    fn nothing_is_lost_when_the_log_grows_to_either_side() {
        let mut counts = Rings::<u32>::new(4, 1 << 10);
        let id = counts.add_ring();
        let times = [1 << 40, (1 << 40) + 77, 5, 1 << 50, u64::MAX, 0, 1 << 30];
        for (at, time) in times.into_iter().enumerate() {
            counts.add(id, Nanos(time), 1);
            let whole: u32 = counts.between(id, Nanos(0), Nanos::MAX).sum();
            assert_eq!(whole as usize, at + 1);
        }
        assert!(counts.bytes_held() <= (16 + 2 * 16) * size_of::<u32>());
    }

    #[test]
    fn values_are_found_at_their_bucket_s_begin() {
        let mut counts = Rings::<u32>::new(8, 1 << 12);
        let id = counts.add_ring();
        for (bucket, count) in [(3, 2), (4, 1), (200, 7)] {
            counts.add(id, Nanos(bucket * 1024 + 500), count);
        }
        let between = |from, to| counts.between(id, Nanos(from), Nanos(to)).sum::<u32>();
        assert_eq!([between(3 * 1024, 4 * 1024), between(3 * 1024 + 1, 5 * 1024)], [2, 1]);
        assert_eq!([between(0, 3 * 1024), between(5 * 1024, 200 * 1024), between(200 * 1024, 1 << 40)], [0, 0, 7]);
    }

    #[test]
    fn an_envelope_has_the_extremes_and_both_ends() {
        let mut lines = Rings::<Envelope>::new(3, 1 << 10);
        let id = lines.add_ring();
        assert!(all(&lines, id).is_empty());
        for (time, value) in [(0, 5), (100, 900), (20_000, 2), (1 << 30, 7)] {
            lines.add(id, Nanos(time), Envelope::of(value));
        }
        assert_eq!(all(&lines, id), Envelope { first: 5.0, low: 2.0, high: 900.0, last: 7.0 });
    }

    /// For any bucket width at the time it was added.
    #[test]
    fn an_amount_is_spread_over_its_time() {
        let mut amounts = Rings::<f32>::new(4, 1 << 10);
        let id = amounts.add_ring();
        amounts.spread(id, Nanos(512), Nanos(512 + 2048), 2048.0);
        amounts.spread(id, Nanos(1024), Nanos(1024), 99.0);
        let all = |from, to| amounts.meeting(id, Nanos(from), Nanos(to)).collect::<Vec<_>>();
        let expected = [(0, 512.0), (1024, 1024.0), (2048, 512.0)].map(|(begin, amount)| (Nanos(begin), amount));
        assert_eq!(all(0, 1 << 20), expected);
        assert_eq!(all(1500, 2048), expected[1..2]);
        assert_eq!(all(1023, 2049), expected);
        amounts.spread(id, Nanos(0), Nanos(16 * 4096), 16.0);
        let sum = amounts.meeting(id, Nanos(0), Nanos::MAX).map(|(_, amount)| amount).sum::<f32>();
        assert_eq!((amounts.bucket(), sum), (Nanos(4096), 2048.0 + 16.0));
    }

    /// The existing series share the class's budget; none of them loses what it has.
    #[test]
    fn more_series_have_fewer_buckets_each() {
        let budget = 1 << 14;
        let mut counts = Rings::<u32>::new(10, budget);
        let ids: Vec<RingId> = (0..100)
            .map(|at| {
                let id = counts.add_ring();
                (0..50).for_each(|time| counts.add(id, Nanos(time * 40_000 + at), 1));
                id
            })
            .collect();
        assert!(ids.iter().all(|id| all(&counts, *id) == 50));
        // Plus a ring's buckets while they are moved, in both forms.
        assert!(counts.bytes_held() <= budget + 2 * (1 << 10) * size_of::<u32>(), "{}", counts.bytes_held());
    }
}
