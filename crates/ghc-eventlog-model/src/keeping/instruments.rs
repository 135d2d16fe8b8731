//! The instruments of opentelemetry that a log declares, and how many values each has. Programs declare all of theirs when they start,
//! and use some of them.
//!
//! ```text
//! declare 1 … 500            each has a row; none has values yet
//! value of 250, 10 000 ×     counted in its row
//! the log is over            those with the most values stay: 250, and of the others without values the first ones
//! ```
//!
//! When there are too many rows, the half with fewest values is forgotten. One that comes then may be one of these, and have had as many
//! values as the heaviest of them.

use super::{
    heaviest::Heaviest,
    new_places::NewPlaces,
    places::Places,
    sorted::{self, Sorted},
    texts::{TextId, Texts},
};
use crate::limits;
use alloc::vec::Vec;
use ghc_eventlog::Text;

/// The instruments that are declared, in order of the file.
#[derive(Debug)]
pub(crate) struct DeclaredInstruments {
    rows: Vec<Instrument>,
    /// Their places, by number.
    places: Places,
    names: Texts,
    others: OtherNumbers,
    /// How many are not kept.
    pub(crate) beyond: u64,
    /// Whether some were forgotten before all values were counted.
    has_forgotten: bool,
    /// Once the log is over: whether one that is not kept may have more values than one that is.
    pub(crate) may_lack_heavier: bool,
}

/// An instrument of opentelemetry-haskell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instrument {
    number: u64,
    pub(crate) kind: u8,
    name: TextId,
    values: ValuesSeen,
}

/// How many values a number had while the log was read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ValuesSeen {
    values: u64,
    /// The most that it may have had besides, before it was counted.
    before: u64,
}

impl ValuesSeen {
    fn most(self) -> u64 {
        self.values.saturating_add(self.before)
    }
}

/// Values of numbers without a row: these are declared later in the file, not at all, or were forgotten.
#[derive(Debug)]
struct OtherNumbers {
    counts: Sorted<u64, ValuesSeen>,
    /// No number that is not among them has had more values.
    forgotten: u64,
}

impl OtherNumbers {
    fn count(&mut self, number: u64) {
        if let Some(of) = self.counts.get_mut(&number) {
            of.values += 1;
            return;
        }
        if self.counts.len() >= limits::MAX_UNDECLARED {
            self.forget_half();
        }
        self.counts.insert(number, ValuesSeen { values: 1, before: self.forgotten });
    }

    #[cold]
    fn forget_half(&mut self) {
        let mut half = Heaviest::half_of(self.counts.values().map(|of| of.most()).collect());
        let all = core::mem::replace(&mut self.counts, Sorted::new());
        for (number, of) in all.as_slice() {
            if half.stays(of.most()) {
                self.counts.insert(*number, *of);
            } else {
                self.forgotten = self.forgotten.max(of.most());
            }
        }
    }

    /// A number gets a row: takes what was counted of it.
    fn take(&mut self, number: u64) -> ValuesSeen {
        self.counts.remove(&number).unwrap_or(ValuesSeen { values: 0, before: self.forgotten })
    }

    /// No number without a row has had more values.
    fn most(&self) -> u64 {
        self.counts.values().map(|of| of.most()).fold(self.forgotten, u64::max)
    }
}

impl Default for DeclaredInstruments {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            places: Places::new(),
            names: Texts::with_room(limits::INSTRUMENT_BYTES),
            others: OtherNumbers { counts: Sorted::new(), forgotten: 0 },
            beyond: 0,
            has_forgotten: false,
            may_lack_heavier: false,
        }
    }
}

impl DeclaredInstruments {
    /// Takes an instrument that is declared; the first declaration of a number counts.
    pub(crate) fn declare(&mut self, number: u64, kind: u8, name: &[u8]) {
        if self.places.find_number(number).is_some() {
            return;
        }
        if self.names.wants_room_for(name) {
            self.make_room();
        }
        if self.rows.len() >= limits::MAX_DECLARED || self.names.is_full() {
            self.forget_half();
        }
        self.places.insert_number(number, self.rows.len() as u32);
        let name = self.names.keep(Text(name));
        self.rows.push(Instrument { number, kind, name, values: self.others.take(number) });
    }

    /// Counts a value.
    pub(crate) fn count(&mut self, number: u64) {
        let place = self.places.find_number(number);
        match place.and_then(|place| self.rows.get_mut(place as usize)) {
            Some(row) => row.values.values += 1,
            None => self.others.count(number),
        }
    }

    /// The log is over: keeps those that have a line.
    pub(crate) fn finish(&mut self) {
        // While all that were declared have a row, other numbers are of instruments that are not declared.
        let mut lacking = if self.has_forgotten { self.others.most() } else { 0 };
        if self.rows.len() > limits::MAX_INSTRUMENTS {
            lacking = lacking.max(self.keep_most(limits::MAX_INSTRUMENTS, |row| row.values.values));
        }
        let least = self.rows.iter().map(|row| row.values.values).min();
        self.may_lack_heavier = least.is_some_and(|least| lacking > least);
        self.others = OtherNumbers { counts: Sorted::new(), forgotten: 0 };
        self.release();
    }

    /// Gives back the room for instruments that have no line: the replay needs it.
    fn release(&mut self) {
        self.rows.shrink_to_fit();
        self.places = Places::new();
        for (row, place) in self.rows.iter().zip(0..) {
            self.places.insert_number(row.number, place);
        }
        self.names.shrink();
        // Few logs have so many names, and for the others the page does not need the code for that.
        if self.names.bytes_held() > limits::LINE_NAME_BYTES {
            self.names.shrink_to(limits::LINE_NAME_BYTES);
            self.make_room();
        }
    }

    /// Makes room for others: those stay that may have had the most values.
    #[cold]
    fn forget_half(&mut self) {
        self.has_forgotten = true;
        let most = self.keep_most(self.rows.len() / 2, |row| row.values.most());
        self.others.forgotten = self.others.forgotten.max(most);
    }

    /// Keeps those that weigh most; of equal ones, the first. Returns the most values that one of the others may have had.
    #[cold]
    fn keep_most(&mut self, most: usize, weight: fn(&Instrument) -> u64) -> u64 {
        let weights: Vec<u64> = self.rows.iter().map(weight).collect();
        let mut stay = Heaviest::of(&weights, most);
        let places = NewPlaces::of(weights.iter().map(|weight| stay.stays(*weight)));
        let mut gone = 0;
        places.drop_from(&mut self.rows, |row| {
            self.names.forget(row.name);
            self.beyond += 1;
            gone = row.values.most().max(gone);
        });
        self.places.retain(&|place| places.get(place));
        self.make_room();
        gone
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
        self.places.find_number(number).map(|place| place as u16)
    }

    /// The name of the instrument at a place; empty if there is none.
    pub(crate) fn name(&self, place: u16) -> &str {
        self.get(place).map_or("", |instrument| self.names.get(instrument.name))
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.rows.capacity() * size_of::<Instrument>()
            + self.places.bytes_held()
            + self.names.bytes_held()
            + sorted::bytes_held(&self.others.counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    const LINES: u64 = limits::MAX_INSTRUMENTS as u64;

    fn declared(numbers: core::ops::Range<u64>) -> DeclaredInstruments {
        let mut instruments = DeclaredInstruments::default();
        numbers.for_each(|number| instruments.declare(number, 1, format!("instrument {number}").as_bytes()));
        instruments
    }

    fn count(instruments: &mut DeclaredInstruments, number: u64, values: u64) {
        (0..values).for_each(|_| instruments.count(number));
    }

    #[test]
    fn instruments_with_the_most_values_have_a_line() {
        let mut instruments = DeclaredInstruments::default();
        let all = limits::MAX_DECLARED as u64 * 2;
        for number in 0..all {
            instruments.declare(number, 1, format!("instrument {number}").as_bytes());
            count(&mut instruments, number, if number % 200 == 7 { 50 } else { number % 3 });
        }
        instruments.declare(all, 2, b"the last");
        count(&mut instruments, all, 60);
        assert!(instruments.len() <= limits::MAX_DECLARED);
        instruments.finish();
        assert_eq!(instruments.len(), limits::MAX_INSTRUMENTS);
        assert_eq!(instruments.beyond, all + 1 - LINES);
        let place = instruments.place(all).unwrap();
        assert_eq!((instruments.name(place), instruments.get(place).unwrap().kind), ("the last", 2));
        assert!(instruments.rows.iter().all(|row| row.values.values >= 50), "{:?}", instruments.rows);
        for row in instruments.rows.iter().filter(|row| row.number < all) {
            assert_eq!(instruments.name(instruments.place(row.number).unwrap()), format!("instrument {}", row.number));
        }
    }

    /// Programs declare all instruments when they start: which of them are used is known later.
    #[test]
    fn instruments_that_are_used_long_after_they_are_declared_have_a_line() {
        let all = limits::MAX_DECLARED as u64;
        let mut instruments = declared(0..all);
        let used = |nth: u64| all - 1 - nth * 50;
        (0..LINES).for_each(|nth| count(&mut instruments, used(nth), nth + 2));
        count(&mut instruments, 3, 1);
        instruments.finish();
        assert!((0..LINES).all(|nth| instruments.place(used(nth)).is_some()));
        assert_eq!(
            (instruments.place(3), instruments.beyond, instruments.may_lack_heavier),
            (None, all - LINES, false)
        );
    }

    /// In the file, what one capability logs may come before what another logged earlier.
    #[test]
    fn values_that_come_before_the_declaration_count() {
        let mut instruments = DeclaredInstruments::default();
        count(&mut instruments, 5000, 9);
        (0..limits::MAX_UNDECLARED as u64).for_each(|number| instruments.count(number));
        (0..6000).for_each(|number| instruments.declare(number, 1, b"same name"));
        instruments.finish();
        assert!(instruments.place(5000).is_some());
    }

    #[test]
    fn where_an_instrument_that_was_forgotten_has_many_values_it_is_said() {
        let all = limits::MAX_DECLARED as u64 * 3;
        let mut instruments = declared(0..all);
        let forgotten = (0..all).find(|number| instruments.place(*number).is_none()).unwrap();
        count(&mut instruments, all - 1, 5);
        let mut without = declared(0..all);
        count(&mut without, all - 1, 5);
        without.finish();
        assert!(!without.may_lack_heavier && without.place(all - 1).is_some());
        count(&mut instruments, forgotten, 10);
        instruments.finish();
        assert!(instruments.may_lack_heavier && instruments.place(forgotten).is_none());
    }

    /// However many are declared for a short time, those that are used all the time stay.
    #[test]
    fn instruments_that_come_for_a_short_time_do_not_drive_out_the_others() {
        let mut instruments = declared(0..20);
        for number in 1000..1000 + limits::MAX_DECLARED as u64 * 4 {
            instruments.declare(number, 1, b"of a request");
            count(&mut instruments, number, 3);
            instruments.count(number % 20);
        }
        instruments.finish();
        assert!(
            (0..20)
                .all(|number| instruments.name(instruments.place(number).unwrap()) == format!("instrument {number}"))
        );
    }

    #[test]
    fn no_instrument_lacks_its_name() {
        let mut instruments = DeclaredInstruments::default();
        for number in 0..limits::MAX_DECLARED as u64 {
            instruments.declare(number, 1, format!("{number:01000}").as_bytes());
        }
        assert!(instruments.names.bytes_held() <= limits::INSTRUMENT_BYTES * 2);
        instruments.finish();
        assert!((0..instruments.len() as u16).all(|place| instruments.name(place).len() >= 200));
        assert!(instruments.bytes_held() <= limits::LINE_NAME_BYTES + (1 << 14), "the room is given back");
    }
}
