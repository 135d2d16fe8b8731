//! Percentiles of any number of numbers, within 0.4 %.
//!
//! ```text
//! numbers       0 … 255       256 … 511       512 … 1023      …
//! to a bin         1              2                4          128 bins for each power of two
//! ```

use alloc::vec::Vec;

/// How many bins each power of two has, as a power of two.
const FINE: u32 = 7;
/// Numbers below this have a bin each.
const EACH: u64 = 2 << FINE;

/// Numbers, counted in bins whose width is less than a hundredth of their values.
#[derive(Debug, Default)]
pub(crate) struct Quantiles {
    /// As many bins as needed: 7424 at most.
    counts: Vec<u64>,
    count: u64,
    most: u64,
}

impl Quantiles {
    /// Counts a number.
    pub(crate) fn add(&mut self, number: u64) {
        let at = place(number);
        if at >= self.counts.len() {
            self.counts.resize(at + 1, 0);
        }
        if let Some(count) = self.counts.get_mut(at) {
            *count += 1;
            self.count += 1;
            self.most = self.most.max(number);
        }
    }

    /// Counts the numbers of others.
    pub(crate) fn add_all(&mut self, others: &Self) {
        self.counts.resize(self.counts.len().max(others.counts.len()), 0);
        self.counts.iter_mut().zip(&others.counts).for_each(|(count, more)| *count += more);
        self.count += others.count;
        self.most = self.most.max(others.most);
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The largest one, exactly.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// The percentile: the smallest number that `percent` percent of all numbers do not exceed; `None` if there are no
    /// numbers.
    pub(crate) fn at(&self, percent: u64) -> Option<u64> {
        // The only one is known exactly, and is shown beside its percentiles.
        if self.count == 1 {
            return Some(self.most);
        }
        let mut before = (u128::from(self.count) * u128::from(percent)).div_ceil(100);
        let bin = self.counts.iter().position(|count| {
            let is_here = before > 0 && u128::from(*count) >= before;
            before = before.saturating_sub((*count).into());
            is_here
        });
        bin.map(|bin| middle(bin).min(self.most))
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.counts.capacity() * size_of::<u64>()
    }
}

/// The bin of a number.
pub(crate) fn place(number: u64) -> usize {
    if number < EACH {
        return number as usize;
    }
    let shift = number.ilog2() - FINE;
    ((u64::from(shift) << FINE) + (number >> shift)) as usize
}

/// The number in the middle of a bin.
pub(crate) fn middle(place: usize) -> u64 {
    let place = place as u64;
    if place < EACH {
        return place;
    }
    let shift = (place >> FINE) - 1;
    let least = (place - (shift << FINE)) << shift;
    least + (1 << shift) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_found_again_within_four_thousandths() {
        let numbers = (0..64).flat_map(|bit| [1u64 << bit, (1 << bit) - 1, (1 << bit) / 3 * 2]).chain([u64::MAX]);
        let mut last = 0;
        for number in numbers {
            let found = middle(place(number));
            assert!(found.abs_diff(number) as f64 <= number as f64 * 0.004, "{number}, {found}");
            last = last.max(place(number));
        }
        assert_eq!(last, 7423);
        (1..7424).for_each(|at| assert_eq!(place(middle(at)), at));
    }

    #[test]
    fn percentiles_are_not_exceeded() {
        let mut all = Quantiles::default();
        assert_eq!(all.at(50), None);
        (1..=200).for_each(|number| all.add(number));
        assert_eq!([1, 50, 95, 99, 100].map(|percent| all.at(percent)), [2, 100, 190, 198, 200].map(Some));
        all.add(1_000_001);
        assert_eq!(
            (all.at(100), all.most(), all.count()),
            (Some(1_000_001), 1_000_001, 201),
            "never more than the largest"
        );
        let mut one = Quantiles::default();
        one.add(750_735_764);
        assert_eq!([1, 50, 99].map(|percent| one.at(percent)), [Some(750_735_764); 3]);
        let mut few = Quantiles::default();
        [7, 9].into_iter().for_each(|number| few.add(number));
        assert_eq!([50, 51, 99].map(|percent| few.at(percent)), [7, 9, 9].map(Some));
    }
}
