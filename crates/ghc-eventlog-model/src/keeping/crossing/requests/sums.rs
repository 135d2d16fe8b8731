//! PartSums of instances by their length, to say what those near the median did.

use super::{PARTS, Parts, Request};
use crate::keeping::{
    quantiles::place,
    sorted::{self, Sorted},
};
use ghc_eventlog::Nanos;

/// PartSums of some instances.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PartSums {
    pub(crate) count: u64,
    parts: Parts,
}

impl PartSums {
    /// Adds an instance.
    pub(crate) fn add(&mut self, parts: &Parts) {
        self.count += 1;
        self.parts.0.iter_mut().zip(parts.0).for_each(|(sum, time)| *sum = sum.plus(time));
    }

    /// Both together.
    pub(crate) fn with(mut self, other: &Self) -> Self {
        self.add(&other.parts);
        self.count += other.count - 1;
        self
    }

    /// The mean time of a part.
    pub(crate) fn mean(&self, part: usize) -> Nanos {
        Nanos(self.parts.get(part).0.checked_div(self.count).unwrap_or(0))
    }

    /// The sum of their lengths.
    pub(crate) fn total(&self) -> Nanos {
        (0..PARTS).map(|part| self.parts.get(part)).fold(Nanos(0), Nanos::plus)
    }

    /// The mean length.
    pub(crate) fn mean_length(&self) -> Nanos {
        Nanos(self.total().0.checked_div(self.count).unwrap_or(0))
    }
}

/// Lengths that differ by less than this factor have common sums: eight for each power of two.
const COARSE: u32 = 4;

/// PartSums by length: some hundreds at most.
#[derive(Debug, Default)]
pub(super) struct SumsByLength(Sorted<u16, PartSums>);

impl SumsByLength {
    pub(super) fn add(&mut self, request: &Request) {
        self.0.entry(bin(request.length().0)).or_default().add(&request.parts);
    }

    /// The sums of the instances about as long as this.
    pub(super) fn at(&self, length: u64) -> Option<&PartSums> {
        self.0.get(&bin(length))
    }

    pub(super) fn bytes_held(&self) -> usize {
        sorted::bytes_held(&self.0)
    }
}

/// The most bins there are, and the bytes of each.
#[cfg(test)]
pub(crate) const SUMS_BYTES: usize = 512 * size_of::<(u16, PartSums)>();

fn bin(length: u64) -> u16 {
    (place(length) >> COARSE) as u16
}
