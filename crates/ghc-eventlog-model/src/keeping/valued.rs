//! What has values in messages: instruments of opentelemetry, and words before a number. Values are collected by the replay; here is
//! what they are of, and how often each came.
//!
//! More of them are followed while the log is read than have a line: those of which the most values came are chosen at its end.

use super::{
    heaviest::Heaviest,
    new_places::NewPlaces,
    sightings::Sightings,
    sorted::{self, Sorted},
    texts::{TextId, Texts},
    wordings::Wordings,
};
use crate::{keeping::places::hash, limits};
use alloc::vec::Vec;
use ghc_eventlog::Text;

/// How many values a number must have after the same word, to have a line.
pub(crate) const LEAST_VALUES: u8 = 3;

/// The instruments that are declared, in order of the file.
#[derive(Debug)]
pub(crate) struct DeclaredInstruments {
    rows: Vec<Instrument>,
    /// Their places, by number.
    places: Sorted<u64, u16>,
    names: Texts,
    /// How many are not kept.
    pub(crate) beyond: u64,
}

/// An instrument of opentelemetry-haskell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instrument {
    pub(crate) kind: u8,
    name: TextId,
    /// How many values it had while the log was read.
    values: u64,
}

impl Default for DeclaredInstruments {
    fn default() -> Self {
        let names = Texts::with_room(limits::INSTRUMENT_BYTES);
        Self { rows: Vec::new(), places: Sorted::new(), names, beyond: 0 }
    }
}

impl DeclaredInstruments {
    /// Takes an instrument that is declared; the first declaration of a number counts.
    pub(crate) fn declare(&mut self, number: u64, kind: u8, name: &[u8]) {
        if self.places.contains_key(&number) {
            return;
        }
        if self.rows.len() >= limits::MAX_DECLARED {
            self.keep_most(limits::MAX_DECLARED / 2);
        }
        if self.names.wants_room_for(name) {
            self.make_room();
        }
        self.places.insert(number, self.rows.len() as u16);
        self.rows.push(Instrument { kind, name: self.names.keep(Text(name)), values: 0 });
    }

    /// Counts a value.
    pub(crate) fn count(&mut self, number: u64) {
        let place = self.places.get(&number).copied();
        if let Some(row) = place.and_then(|place| self.rows.get_mut(usize::from(place))) {
            row.values += 1;
        }
    }

    /// The log is over: keeps those that have a line.
    pub(crate) fn finish(&mut self) {
        if self.rows.len() > limits::MAX_INSTRUMENTS {
            self.keep_most(limits::MAX_INSTRUMENTS);
        }
    }

    /// Keeps those of which the most values came; of equal ones, the first.
    #[cold]
    fn keep_most(&mut self, most: usize) {
        let values: Vec<u64> = self.rows.iter().map(|row| row.values).collect();
        let mut stay = Heaviest::of(&values, most);
        let places = NewPlaces::of(values.iter().map(|values| stay.stays(*values)));
        places.drop_from(&mut self.rows, |row| {
            self.names.forget(row.name);
            self.beyond += 1;
        });
        let new = |old: &u16| places.get((*old).into()).map(|place| place as u16);
        self.places = self.places.iter().filter_map(|(number, old)| Some((*number, new(old)?))).collect();
        self.make_room();
    }

    fn make_room(&mut self) {
        let moved = self.names.shorten(self.rows.iter().map(|row| row.name));
        self.rows.iter_mut().for_each(|row| row.name = moved.of(row.name));
    }

    /// How many are kept.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn get(&self, place: u16) -> Option<&Instrument> {
        self.rows.get(usize::from(place))
    }

    /// The place of an instrument.
    pub(crate) fn place(&self, number: u64) -> Option<u16> {
        self.places.get(&number).copied()
    }

    /// The name of the instrument at a place; empty if there is none.
    pub(crate) fn name(&self, place: u16) -> &str {
        self.get(place).map_or("", |instrument| self.names.get(instrument.name))
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.rows.capacity() * size_of::<Instrument>() + sorted::bytes_held(&self.places) + self.names.bytes_held()
    }
}

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

    #[test]
    fn instruments_with_the_most_values_have_a_line() {
        let mut instruments = DeclaredInstruments::default();
        let all = limits::MAX_DECLARED as u64 * 2;
        for number in 0..all {
            instruments.declare(number, 1, format!("instrument {number}").as_bytes());
            (0..number % 50).for_each(|_| instruments.count(number));
        }
        instruments.declare(all, 2, b"the last");
        (0..60).for_each(|_| instruments.count(all));
        instruments.finish();
        assert_eq!(instruments.len(), limits::MAX_INSTRUMENTS);
        assert_eq!(instruments.beyond, all + 1 - limits::MAX_INSTRUMENTS as u64);
        let place = instruments.place(all).unwrap();
        assert_eq!((instruments.name(place), instruments.get(place).unwrap().kind), ("the last", 2));
        assert!(instruments.rows.iter().all(|row| row.values >= 40), "{:?}", instruments.rows);
        for (number, place) in instruments.places.iter().filter(|(number, _)| **number < all) {
            assert_eq!(instruments.name(*place), format!("instrument {number}"));
        }
    }
}
