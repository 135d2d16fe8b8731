//! Moments that a few numbers describe: rows for each kind of track.

use super::rows::{Kept, Rows};
use crate::{
    keeping::store::{Purpose, Store, Streams},
    limits,
    terms::sample::NumbersAt,
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

impl Kept for NumbersAt {
    fn time(&self) -> Nanos {
        self.time
    }

    fn weight(&self) -> u64 {
        self.had()
    }
}

/// All moments, by the kind's number.
#[derive(Debug, Default)]
pub(crate) struct Moments {
    kinds: Vec<Rows<NumbersAt>>,
}

impl Moments {
    pub(crate) fn add(&mut self, kind: u8, moment: NumbersAt) {
        let kind = usize::from(kind);
        if self.kinds.len() <= kind {
            self.kinds.resize_with(kind + 1, Rows::default);
        }
        if let Some(rows) = self.kinds.get_mut(kind) {
            rows.push(moment, limits::MAX_MOMENTS);
        }
    }

    /// The moments of a kind that are kept, in order of time.
    pub(crate) fn of(&self, kind: u8) -> &[NumbersAt] {
        self.kinds.get(usize::from(kind)).map_or(&[], Rows::kept)
    }
}

impl Store for Moments {
    fn of(_: Purpose) -> Self {
        Self::default()
    }

    fn settle(&mut self, _: Streams<'_>) {
        self.kinds.iter_mut().for_each(Rows::settle);
    }

    fn finish(&mut self, _: Streams<'_>) {
        self.kinds.iter_mut().for_each(Rows::finish);
    }

    fn bytes_held(&self) -> usize {
        self.kinds.iter().map(Rows::bytes_held).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_in_order_of_time_for_any_order_in_the_file() {
        let mut moments = Moments::default();
        let times = |moments: &Moments| moments.of(3).iter().map(|moment| moment.time.0).collect::<Vec<_>>();
        [5, 9, 2].into_iter().for_each(|time| moments.add(3, NumbersAt { time: Nanos(time), numbers: [0; 3] }));
        moments.settle(&[]);
        assert_eq!(times(&moments), [2, 5, 9]);
        assert!(moments.of(2).is_empty() && moments.of(4).is_empty());
        moments.add(3, NumbersAt { time: Nanos(1), numbers: [0; 3] });
        moments.finish(&[]);
        assert_eq!(times(&moments), [1, 2, 5, 9]);
    }

    #[test]
    fn moments_with_the_largest_first_number_stay() {
        let mut moments = Moments::default();
        for time in 0..=limits::MAX_MOMENTS as u64 {
            let numbers = if time == 999 { [7, 0, 0] } else { [2, 3, 4] };
            moments.add(0, NumbersAt { time: Nanos(time), numbers });
        }
        moments.finish(&[]);
        assert!(
            moments.of(0).len() < limits::MAX_MOMENTS && moments.of(0).iter().any(|moment| moment.time == Nanos(999))
        );
    }
}
