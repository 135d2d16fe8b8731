//! Sums of what the machines of one stream have found.

use crate::tracks::ALL_SUMS;

/// The sums of a stream, for all kinds: each kind of track has some of the places, from its
/// [`SUMS_FROM`](crate::terms::machine::Placed::SUMS_FROM) on. What was added between two places of the log is always a
/// difference of sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sums([u64; ALL_SUMS]);

impl Default for Sums {
    fn default() -> Self {
        Self([0; ALL_SUMS])
    }
}

impl Sums {
    /// `count` of the sums, from the place `from` on.
    pub(crate) fn of(&self, from: usize, count: usize) -> &[u64] {
        self.0.get(from..from + count).unwrap_or_default()
    }

    /// The same, mutable.
    pub(crate) fn of_mut(&mut self, from: usize, count: usize) -> &mut [u64] {
        self.0.get_mut(from..from + count).unwrap_or_default()
    }

    /// The sum at a place.
    pub(crate) fn get(&self, at: usize) -> u64 {
        self.0.get(at).copied().unwrap_or(0)
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, at: usize, more: u64) {
        if let Some(sum) = self.0.get_mut(at) {
            *sum = sum.saturating_add(more);
        }
    }

    /// Raises a sum to a total, unless it was as large already. Returns the increase.
    #[inline]
    pub(crate) fn reach(&mut self, at: usize, total: u64) -> u64 {
        let Some(sum) = self.0.get_mut(at) else { return 0 };
        let more = total.saturating_sub(*sum);
        *sum += more;
        more
    }

    pub(crate) fn add_all(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, other)| *sum = sum.saturating_add(other));
    }

    /// What has been added since `before`.
    pub(crate) fn since(mut self, before: &Self) -> Self {
        self.0.iter_mut().zip(before.0).for_each(|(sum, before)| *sum = sum.saturating_sub(before));
        self
    }
}
