//! Words before a number in messages, and how often each came. Their values are collected by the replay.
//!
//! More of them are followed while the log is read than have a line: those of which the most values came are chosen at its end.

use super::{heaviest::Heaviest, new_places::NewPlaces, sightings::Sightings, wordings::Wordings};
use crate::{keeping::places::hash, limits};
use alloc::vec::Vec;

/// How many values a number must have after the same word, to have a line.
pub(crate) const LEAST_VALUES: u8 = 3;

/// The words before numbers that came often enough for a line, in the order in which they did.
#[derive(Debug)]
pub(crate) struct NumberedWords {
    words: Wordings,
    /// How many numbers came after each of them.
    counts: Vec<u64>,
    /// How often the others came so far.
    rare: Sightings,
    /// Numbers after words that came often enough, but are not kept.
    pub(crate) beyond: u64,
}

impl Default for NumberedWords {
    fn default() -> Self {
        let words = Wordings::with_room(limits::MAX_NUMBER_WORDS, limits::NUMBER_WORD_BYTES);
        Self { words, counts: Vec::new(), rare: Sightings::default(), beyond: 0 }
    }
}

impl NumberedWords {
    /// Counts a number after a word.
    pub(crate) fn count(&mut self, word: &[u8]) {
        let hash = hash(word);
        if let Some(place) = self.words.find(hash, word) {
            if let Some(count) = self.counts.get_mut(place as usize) {
                *count += 1;
            }
            return;
        }
        // A word that came often enough is among `words`, so `rare` may forget all of its own when it is full.
        let seen = self.rare.see(hash, limits::MAX_COUNTED_WORDS, |seen| seen.saturating_add(1), |_| false);
        if seen < LEAST_VALUES {
            return;
        }
        let mut place = self.words.place(word);
        if place.is_none() {
            self.keep_most(self.words.len() / 2);
            place = self.words.place(word);
        }
        match place {
            Some(_) => self.counts.push(LEAST_VALUES.into()),
            None => self.beyond += 1,
        }
    }

    /// The log is over: keeps those that have a line.
    pub(crate) fn finish(&mut self) {
        if self.words.len() > limits::MAX_NUMBER_LINES {
            self.keep_most(limits::MAX_NUMBER_LINES);
        }
    }

    /// Keeps those that came most often; of equal ones, the first.
    #[cold]
    fn keep_most(&mut self, most: usize) {
        let mut stay = Heaviest::of(&self.counts, most);
        let places = NewPlaces::of(self.counts.iter().map(|count| stay.stays(*count)));
        self.words.move_to(&places);
        places.drop_from(&mut self.counts, |count| self.beyond += count);
    }

    /// How many are kept.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// The place of a word.
    pub(crate) fn place(&self, word: &[u8]) -> Option<u16> {
        self.words.find(hash(word), word).map(|place| place as u16)
    }

    /// The word at a place; empty if there is none.
    pub(crate) fn word(&self, place: u16) -> &str {
        self.words.get(place.into()).unwrap_or_default()
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.words.bytes_held() + self.counts.capacity() * size_of::<u64>() + self.rare.bytes_held()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn words_that_come_often_have_a_line_also_if_they_come_last() {
        let mut words = NumberedWords::default();
        let word = |at: usize| format!("word-{at}");
        let all = limits::MAX_NUMBER_WORDS * 3;
        for at in 0..all {
            let times = if at % 100 == 7 { 5 } else { 3 };
            (0..times).for_each(|_| words.count(word(at).as_bytes()));
        }
        for _ in 0..100 {
            (all..all + limits::MAX_NUMBER_LINES - 2).for_each(|at| words.count(word(at).as_bytes()));
        }
        assert!(words.len() <= limits::MAX_NUMBER_WORDS && words.beyond > 0);
        words.finish();
        assert_eq!(words.len(), limits::MAX_NUMBER_LINES);
        assert!((all..all + limits::MAX_NUMBER_LINES - 2).all(|at| words.place(word(at).as_bytes()).is_some()));
        assert_eq!([7, 107].map(|at| words.place(word(at).as_bytes())), [Some(0), Some(1)]);
        assert_eq!([0, 1].map(|place| words.word(place)), ["word-7", "word-107"]);
    }
}
