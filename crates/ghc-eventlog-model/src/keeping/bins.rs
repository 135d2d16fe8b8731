//! How often each size of number occurs, in bins that grow with the numbers: 1, 2, 5, 10, 20, 50, and so on. The counts are
//! exact.
//!
//! ```text
//! bin     0     1     2     3      4      5       6
//! from    0     1     2     5     10     20      50  …
//! ```

/// How many bins there are: one for 0, and three for each power of ten.
pub(crate) const BINS: usize = 59;

/// The powers of ten.
const TEN: [u64; 20] = {
    let mut powers = [1; 20];
    let mut at = 1;
    while at < powers.len() {
        powers[at] = powers[at - 1] * 10;
        at += 1;
    }
    powers
};

/// How many numbers are in each bin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bins([u64; BINS]);

impl Default for Bins {
    fn default() -> Self {
        Self([0; BINS])
    }
}

impl Bins {
    /// Counts a number.
    pub(crate) fn add(&mut self, number: u64) {
        if let Some(count) = self.0.get_mut(place(number)) {
            *count += 1;
        }
    }

    /// Adds to the count of a bin.
    pub(crate) fn add_to(&mut self, bin: usize, more: u64) {
        if let Some(count) = self.0.get_mut(bin) {
            *count += more;
        }
    }

    /// The sum of both counts.
    pub(crate) fn with(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(count, other)| *count += other);
        self
    }

    /// How many numbers are in a bin.
    pub(crate) fn get(&self, bin: usize) -> u64 {
        self.0.get(bin).copied().unwrap_or(0)
    }

    /// The first and the last bin that are not empty.
    pub(crate) fn ends(&self) -> Option<(usize, usize)> {
        let has_any = |count: &u64| *count > 0;
        Some((self.0.iter().position(has_any)?, self.0.iter().rposition(has_any)?))
    }
}

/// The bin of a number. This may run for each event, so it does not divide.
#[inline]
pub(crate) fn place(number: u64) -> usize {
    let bits = (u64::BITS - number.leading_zeros()) as usize;
    let (bin, next) = BY_BITS.get(bits).copied().unwrap_or((0, u64::MAX));
    // A bin's end is at least twice its begin, so at most one bin ends among the numbers with n bits.
    usize::from(bin) + usize::from(number >= next)
}

/// For each number of bits, the bin of the smallest number with that many bits, and the smallest number of the next bin.
const BY_BITS: [(u8, u64); 65] = {
    let (mut table, mut bits, mut bin) = ([(0, 1); 65], 1, 1);
    while bits < table.len() {
        while least(bin + 1) <= 1 << (bits - 1) {
            bin += 1;
        }
        table[bits] = (bin as u8, least(bin + 1));
        bits += 1;
    }
    table
};

/// The smallest number of a bin. After the last bin: the largest number there is.
pub(crate) const fn least(bin: usize) -> u64 {
    if bin == 0 {
        return 0;
    }
    if bin >= BINS {
        return u64::MAX;
    }
    TEN[(bin - 1) / 3].saturating_mul([1, 2, 5][(bin - 1) % 3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_between_the_ends_of_its_bin() {
        let numbers = (0..64).flat_map(|bit| [1u64 << bit, (1 << bit) - 1, (1 << bit) + 1]);
        let edges = (0..BINS).flat_map(|bin| [least(bin), least(bin).saturating_sub(1), least(bin).saturating_add(1)]);
        for number in numbers.chain(edges).chain([0, u64::MAX, 999, 5000]) {
            let bin = place(number);
            assert!(bin < BINS && least(bin) <= number, "{number} in {bin}");
            assert!(number < least(bin + 1) || number == u64::MAX, "{number} in {bin}");
        }
    }

    #[test]
    fn bins_know_where_they_begin_and_end() {
        let mut bins = Bins::default();
        assert_eq!(bins.ends(), None);
        [0, 30, 49, 50].into_iter().for_each(|number| bins.add(number));
        assert_eq!((bins.ends(), bins.get(5), bins.get(6)), (Some((0, 6)), 2, 1));
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(least), [0, 1, 2, 5, 10, 20, 50]);
        assert_eq!(bins.with(&bins).get(5), 4);
    }
}
