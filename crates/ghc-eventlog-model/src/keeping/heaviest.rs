//! What stays when there is no room left: the heaviest.

use super::new_places::NewPlaces;
use crate::sorting::{nth_least, sort};
use alloc::vec::Vec;

/// Which of some things stay. To be [asked](Self::stays) once for each of them, in the order in which their weights were given.
#[derive(Debug)]
pub(crate) struct Heaviest {
    /// All that are heavier than this stay.
    cut: u64,
    /// How many of those with exactly this weight stay: the first ones.
    ties: usize,
}

impl Heaviest {
    /// For things with these weights: half of them stay, rounded down.
    pub(crate) fn half_of(weights: Vec<u64>) -> Self {
        Self::of(&weights, weights.len() / 2)
    }

    /// For things with these weights: at most `stay` of them stay.
    pub(crate) fn of(weights: &[u64], stay: usize) -> Self {
        let stay = stay.min(weights.len());
        let from = weights.len() - stay;
        if stay == 0 {
            return Self { cut: u64::MAX, ties: 0 };
        }
        let cut = nth_least(weights, from);
        let heavier = weights.iter().filter(|weight| **weight > cut).count();
        Self { cut, ties: stay - heavier }
    }

    /// None that is lighter than this stays.
    pub(crate) fn least(&self) -> u64 {
        self.cut
    }

    /// Whether the next one stays; `weight` is its weight.
    pub(crate) fn stays(&mut self, weight: u64) -> bool {
        let is_tie = weight == self.cut && self.ties > 0;
        self.ties -= usize::from(is_tie);
        is_tie || weight > self.cut
    }
}

/// Makes room among what is counted: half stays. Each has what it surely counts, and what it may have counted before it came, as one that
/// was forgotten. An eighth of all stay because they may have counted most: so what counts more later is kept then. The others that stay
/// have surely counted most: otherwise many that come once would drive these out.
pub(crate) fn half_that_counts(all: &[(u64, u64)]) -> NewPlaces {
    let weights: Vec<u64> = all.iter().map(|(sure, before)| sure.saturating_add(*before)).collect();
    let mut may_be_heaviest = Heaviest::of(&weights, weights.len() / 8);
    let sure = |((sure, _), weight): (&(u64, u64), &u64)| if may_be_heaviest.stays(*weight) { u64::MAX } else { *sure };
    let weights: Vec<u64> = all.iter().zip(&weights).map(sure).collect();
    let mut half = Heaviest::of(&weights, weights.len() / 2);
    NewPlaces::of(weights.iter().map(|weight| half.stays(*weight)))
}

/// Which labels must go, the lightest first, so that at least `room` things go with them: labels with their weights, and how many things
/// each has.
pub(crate) fn lightest(mut labels: Vec<(u64, u16, usize)>, room: usize) -> impl Iterator<Item = u16> {
    sort(&mut labels);
    let mut gone = 0;
    let goes = labels.into_iter().take_while(move |(.., things)| {
        let is_needed = gone < room;
        gone += things;
        is_needed
    });
    goes.map(|(_, label, _)| label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_all_stay_and_none_of_the_others_is_heavier() {
        let mut chance = 1u64;
        for length in 0..60 {
            let mut weights = Vec::new();
            for _ in 0..length {
                chance = crate::random::after(chance);
                weights.push((chance >> 60) % 7);
            }
            let mut half = Heaviest::half_of(weights.clone());
            let (stay, go): (Vec<u64>, Vec<u64>) = weights.iter().copied().partition(|weight| half.stays(*weight));
            assert_eq!(stay.len(), length / 2, "{weights:?}");
            assert!(stay.iter().min() >= go.iter().max() || stay.is_empty(), "{stay:?} and {go:?}");
        }
    }

    #[test]
    fn the_lightest_labels_go_until_there_is_room() {
        let labels = || alloc::vec![(5, 0, 10), (1, 1, 2), (3, 2, 4), (1, 3, 1)];
        let goes = |room: usize| lightest(labels(), room).collect::<Vec<u16>>();
        assert_eq!([goes(0), goes(2), goes(3), goes(4)], [&[][..], &[1], &[1, 3], &[1, 3, 2]].map(<[u16]>::to_vec));
        assert_eq!(goes(100).len(), 4);
    }
}
