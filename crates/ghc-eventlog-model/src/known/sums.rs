//! What the machines of one stream have found, summed up.

use crate::tracks::ALL_SUMS;

/// Sums of a stream, whatever they are of: each kind of track has some of the places, from its
/// [`SUMS_FROM`](crate::terms::machine::Placed::SUMS_FROM) on. What has been added between two places of the log is a difference
/// for all of them alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sums([u64; ALL_SUMS]);

impl Default for Sums {
    fn default() -> Self {
        Self([0; ALL_SUMS])
    }
}

impl Sums {
    /// So many of them, from a place on.
    pub(crate) fn of(&self, from: usize, count: usize) -> &[u64] {
        self.0.get(from..from + count).unwrap_or_default()
    }

    /// The same, to be changed.
    pub(crate) fn of_mut(&mut self, from: usize, count: usize) -> &mut [u64] {
        self.0.get_mut(from..from + count).unwrap_or_default()
    }

    /// One of them.
    pub(crate) fn get(&self, at: usize) -> u64 {
        self.0.get(at).copied().unwrap_or(0)
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, at: usize, more: u64) {
        if let Some(sum) = self.0.get_mut(at) {
            *sum = sum.saturating_add(more);
        }
    }

    /// One of them comes to a total, unless it was as large already; how much that is more.
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

    /// What has been added since it was like this.
    pub(crate) fn since(mut self, before: &Self) -> Self {
        self.0.iter_mut().zip(before.0).for_each(|(sum, before)| *sum = sum.saturating_sub(before));
        self
    }
}
