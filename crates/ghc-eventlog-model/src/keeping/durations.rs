//! How many durations there were of each length, in bounded memory.
//!
//! ```text
//! counted apart   0 1 2 … 255 256-257 258-259 … 510-511 512-515 …
//! ```

use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// Durations by length: to the nanosecond up to 255 ns, those longer to within a 128th part.
#[derive(Debug, Default)]
pub(crate) struct Durations {
    /// As many as the longest one takes.
    counts: Vec<u64>,
    count: u64,
    longest: Nanos,
}

/// Binary logarithm of how many lengths are counted apart between one power of two and the next.
const APART_LOG2: u32 = 7;

impl Durations {
    pub(crate) fn add(&mut self, duration: Nanos) {
        let at = place(duration.0);
        if self.counts.len() <= at {
            self.counts.resize(at + 1, 0);
        }
        if let Some(count) = self.counts.get_mut(at) {
            *count += 1;
        }
        self.count += 1;
        self.longest = self.longest.max(duration);
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The longest one.
    pub(crate) fn longest(&self) -> Nanos {
        self.longest
    }

    /// A length that so many percent of them do not exceed: no more than a 128th part too long. `None` if there are none.
    pub(crate) fn percentile(&self, percent: u64) -> Option<Nanos> {
        let rank = (u128::from(self.count) * u128::from(percent)).div_ceil(100).max(1) as u64;
        let mut seen = 0;
        let at = self.counts.iter().position(|count| {
            seen += count;
            seen >= rank
        })?;
        Some(Nanos(largest(at)).min(self.longest))
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.counts.capacity() * size_of::<u64>()
    }
}

/// Where a length is counted: from the second power of two on that has more lengths than are counted apart, by its first digits.
fn place(length: u64) -> usize {
    let shift = (u64::BITS - length.leading_zeros()).saturating_sub(APART_LOG2 + 1);
    ((u64::from(shift) << APART_LOG2) + (length >> shift)) as usize
}

/// The largest length that is counted at a place.
fn largest(place: usize) -> u64 {
    let shift = (place >> APART_LOG2).saturating_sub(1) as u32;
    let digits = place as u64 - (u64::from(shift) << APART_LOG2);
    (digits << shift) + ((1 << shift) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_length_is_counted_where_it_belongs() {
        let mut last = 0;
        for length in (0..5000).chain([1 << 20, (1 << 20) + (1 << 13), 1 << 40, u64::MAX - 1, u64::MAX]) {
            let at = place(length);
            assert!(at >= last, "{length}");
            last = at;
            assert!(largest(at) >= length && largest(at) - length <= length / 128, "{length}: {}", largest(at));
            assert!(at == 0 || largest(at - 1) < length, "{length}");
        }
        assert!(last < 1 << 13);
    }

    #[test]
    fn percentiles_are_lengths_that_so_many_do_not_exceed() {
        let mut durations = Durations::default();
        assert_eq!(durations.percentile(50), None);
        (1..=200).for_each(|length| durations.add(Nanos(length)));
        assert_eq!(
            [1, 50, 95, 100].map(|percent| durations.percentile(percent)),
            [2, 100, 190, 200].map(|ns| Some(Nanos(ns)))
        );
        durations.add(Nanos(1_000_001));
        assert_eq!(durations.percentile(100), Some(Nanos(1_000_001)), "never more than the longest");
        assert_eq!((durations.count(), durations.longest()), (201, Nanos(1_000_001)));
    }
}
