//! Long idle stretches of lanes, which are used later to find disabled time.
//!
//! ```text
//! lane      |11..22|............|3|..............|        kept: those that are long
//! disabled        |//////////////////////|                known later, from another stream
//! ```

use super::heaviest::Heaviest;
use crate::{
    keeping::store::{Purpose, Store},
    limits,
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// The long idle stretches of all lanes; when there are too many, the longest.
#[derive(Debug)]
pub(crate) struct Rests {
    /// By stream, in order of time.
    by_stream: Vec<Vec<(Nanos, Nanos)>>,
    count: usize,
    /// Shorter stretches are not kept. Once some have been dropped, this is the length of the shortest that stayed: a shorter one would
    /// be the next to go.
    worth: Nanos,
    /// Whether some of this length and longer ones are not, since there were too many.
    lost_some: bool,
    /// How many there may be.
    most: usize,
}

impl Default for Rests {
    fn default() -> Self {
        Self::longer_than(limits::REST, limits::MAX_RESTS)
    }
}

impl Rests {
    /// At most `most`, each of at least this length.
    pub(crate) fn longer_than(worth: Nanos, most: usize) -> Self {
        Self { by_stream: Vec::new(), count: 0, worth, lost_some: false, most }
    }

    /// A lane was idle from one time to another. Stretches of one lane must come in order.
    pub(crate) fn add(&mut self, stream: usize, from: Nanos, to: Nanos) {
        if to.since(from) < self.worth {
            return;
        }
        if self.count >= self.most {
            self.thin();
        }
        if self.by_stream.len() <= stream {
            self.by_stream.resize(stream + 1, Vec::new());
        }
        if let Some(rests) = self.by_stream.get_mut(stream) {
            rests.push((from, to));
            self.count += 1;
        }
    }

    /// Drops the shorter half. Of equally long ones, half stay: regular programs have many.
    #[cold]
    fn thin(&mut self) {
        let length = |(from, to): &(Nanos, Nanos)| to.since(*from).0;
        let mut half = Heaviest::half_of(self.by_stream.iter().flatten().map(length).collect());
        self.worth = self.worth.max(Nanos(half.least()));
        self.by_stream.iter_mut().for_each(|rests| rests.retain(|rest| half.stays(length(rest))));
        self.count = self.by_stream.iter().map(Vec::len).sum();
        self.lost_some = true;
    }

    /// Whether not all that are long enough are kept.
    pub(crate) fn lost_some(&self) -> bool {
        self.lost_some
    }

    /// The stretches of a lane that overlap `from..to`.
    pub(crate) fn within(&self, stream: usize, from: Nanos, to: Nanos) -> impl Iterator<Item = (Nanos, Nanos)> {
        let rests = self.by_stream.get(stream).map_or(&[][..], Vec::as_slice);
        let after = rests.get(rests.partition_point(|(_, end)| *end <= from)..).unwrap_or_default();
        after.iter().copied().take_while(move |(start, _)| *start < to)
    }
}

impl Store for Rests {
    fn of(_: Purpose) -> Self {
        Self::default()
    }

    fn bytes_held(&self) -> usize {
        self.by_stream.iter().map(Vec::capacity).sum::<usize>() * size_of::<(Nanos, Nanos)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_that_overlap_a_time_are_found() {
        let mut rests = Rests::default();
        let long = limits::REST.0;
        for at in [0, 3, 6] {
            rests.add(1, Nanos(at * long), Nanos((at + 1) * long));
        }
        rests.add(1, Nanos(8 * long), Nanos(9 * long - 1));
        let within =
            |from, to| rests.within(1, Nanos(from), Nanos(to)).map(|(from, _)| from.0 / long).collect::<Vec<_>>();
        assert_eq!(within(0, 9 * long), [0, 3, 6]);
        assert_eq!(within(long, 6 * long), [3]);
        assert_eq!(within(4 * long - 1, 6 * long + 1), [3, 6]);
        assert_eq!(rests.within(0, Nanos(0), Nanos::MAX).count(), 0);
    }

    #[test]
    fn the_longest_stretches_stay() {
        let mut rests = Rests::default();
        let mut clock = 0;
        for at in 0..=limits::MAX_RESTS {
            let from = clock;
            clock += limits::REST.0 * if at % 100 == 0 { 50 } else { 1 };
            rests.add(at % 2, Nanos(from), Nanos(clock));
        }
        let kept: Vec<_> = [0, 1].into_iter().flat_map(|stream| rests.within(stream, Nanos(0), Nanos::MAX)).collect();
        let long = kept.iter().filter(|(from, to)| to.since(*from) > limits::REST).count();
        assert_eq!((long, kept.len()), (limits::MAX_RESTS.div_ceil(100), limits::MAX_RESTS / 2 + 1));
        assert!(rests.lost_some() && !Rests::default().lost_some());
    }

    /// They would be dropped the next time: to choose again and again costs more than to keep.
    #[test]
    fn shorter_ones_than_those_that_were_dropped_are_not_kept() {
        let mut rests = Rests::longer_than(Nanos(10), 100);
        (0..100).for_each(|at| rests.add(0, Nanos(1000 * at), Nanos(1000 * at + 100 + at)));
        rests.add(0, Nanos(200_000), Nanos(200_500));
        (0..100).for_each(|at| rests.add(0, Nanos(1000 * (300 + at)), Nanos(1000 * (300 + at) + 149)));
        rests.add(0, Nanos(500_000), Nanos(500_150));
        let lengths: Vec<u64> = rests.within(0, Nanos(0), Nanos::MAX).map(|(from, to)| to.since(from).0).collect();
        assert_eq!(lengths, (150..200).chain([500, 150]).collect::<Vec<_>>());
    }

    /// A server that rests for the same time again and again.
    #[test]
    fn of_equally_long_stretches_half_stay() {
        let mut rests = Rests::longer_than(Nanos(0), 100);
        (0..100_000).for_each(|at| rests.add(0, Nanos(20 * at), Nanos(20 * at + 10)));
        let kept = rests.within(0, Nanos(0), Nanos::MAX).count();
        assert!((50..=100).contains(&kept), "{kept}");
    }
}
