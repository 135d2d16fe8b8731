//! Values in the program's messages: opentelemetry's instruments, and numbers after a word.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    keeping::crossing::marks::CounterId,
    limits,
    terms::{
        table::Column,
        value::{Unit, Value},
    },
    tracks::counters::is_hidden,
};
use alloc::string::ToString;
use core::ops;

const PICKS: &str = "Show or hide its line";

/// What is known of the values of something; `None` where there are none, or where they are not known yet.
type ValuesKnown = Option<(u64, i64, i64, i64)>;

fn row_of(scope: &Scope<'_>, id: CounterId) -> (CounterId, ValuesKnown) {
    let replayed = scope.known().replayed.as_ref();
    let values = replayed.and_then(|replayed| replayed.counters.get(id));
    (id, values.map(|of| (of.count, of.last, of.most, of.least)))
}

fn name(scope: &Scope<'_>, (id, _): &(CounterId, ValuesKnown)) -> Value {
    Value::words(scope.known().counter_name(*id).to_string())
}

fn count(scope: &Scope<'_>, (_, numbers): &(CounterId, ValuesKnown)) -> Value {
    match numbers {
        Some((count, ..)) => Value::Count(*count),
        None if scope.replayed_to_end() => Value::Count(0),
        None => Value::Unknown,
    }
}

fn number((_, numbers): &(CounterId, ValuesKnown), which: fn((u64, i64, i64, i64)) -> i64) -> Value {
    numbers.map_or(Value::Unknown, |numbers| Value::Integer(which(numbers)))
}

fn line(scope: &Scope<'_>, (id, _): &(CounterId, ValuesKnown)) -> Value {
    let is_hidden = is_hidden(scope.known().counter_name(*id), &scope.arrangement.wishes().hidden_counters);
    Value::words(if is_hidden { "hidden" } else { "shown" })
}

pub(super) struct Instruments;

impl Listed for Instruments {
    /// What its values are of, and how many there are, the last, the largest and the smallest.
    type Row = (CounterId, ValuesKnown);
    const SECTION: &'static str = "messages";
    const KEY: &'static str = "instruments";
    const NAME: &'static str = "Instruments";
    const ABOUT: &'static str =
        "The instruments of opentelemetry-haskell that the program declares. Each is a line under Counters.";
    const PICKS: Option<&'static str> = Some(PICKS);
    const KEPT: &'static str = "those with the most values";
    columns! {
        /// The name that the program gave the instrument.
        Cells::new("name", "Name", Unit::Text, name),
        /// The kind of the instrument. Counters and up-down counters log differences, which are added up here.
        Cells::new("kind", "Kind", Unit::Text, |scope, (id, _)| Value::words(scope.known().counter_kind(*id).unwrap_or(""))),
        /// How many values the log has of it.
        Cells::new("values", "Values", Unit::Count, count),
        /// The last value; of a counter, the sum of all.
        Cells::new("last", "Last", Unit::Integer, |_, row| number(row, |(_, last, ..)| last)),
        /// The largest value; of a counter, the largest sum.
        Cells::new("max", "Largest", Unit::Integer, |_, row| number(row, |(_, _, most, _)| most)),
        /// The smallest value; of a counter, the smallest sum.
        Cells::new("min", "Smallest", Unit::Integer, |_, row| number(row, |(.., least)| least)),
        /// Whether its line is shown under Counters: a click on the row changes that.
        Cells::new("line", "Line", Unit::Text, line),
    }

    fn shows(scope: &Scope<'_>, column: &Column) -> bool {
        column.key != "line" || !scope.arrangement.wishes().hidden_counters.is_empty()
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        // While the log is read, it is not known yet which of them have a line.
        0..scope.known().stores.messages.instruments.len().min(limits::MAX_INSTRUMENTS)
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Self::Row> {
        Self::places(scope).contains(&place).then(|| row_of(scope, CounterId::Instrument(place as u16)))
    }

    fn of(scope: &Scope<'_>) -> u64 {
        let instruments = &scope.known().stores.messages.instruments;
        instruments.len() as u64 + instruments.beyond
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        !Self::places(scope).is_empty()
    }
}

pub(super) struct NumberWords;

impl Listed for NumberWords {
    /// What its values are of, and how many there are, the last, the largest and the smallest.
    type Row = (CounterId, ValuesKnown);
    const SECTION: &'static str = "messages";
    const KEY: &'static str = "numbers";
    const NAME: &'static str = "Numbers in messages";
    const ABOUT: &'static str = "Numbers after the same word, in at least three messages or markers: queue 17, allocs:123. Each word is a line under Counters.";
    const PICKS: Option<&'static str> = Some(PICKS);
    const KEPT: &'static str = "those with the most values";
    columns! {
        /// What comes before the number.
        Cells::new("name", "Word", Unit::Text, name),
        /// How many numbers came after it.
        Cells::new("values", "Values", Unit::Count, count),
        /// The last of these numbers.
        Cells::new("last", "Last", Unit::Integer, |_, row| number(row, |(_, last, ..)| last)),
        /// The largest of these numbers.
        Cells::new("max", "Largest", Unit::Integer, |_, row| number(row, |(_, _, most, _)| most)),
        /// The smallest of these numbers.
        Cells::new("min", "Smallest", Unit::Integer, |_, row| number(row, |(.., least)| least)),
        /// Whether their line is shown under Counters: a click on the row changes that.
        Cells::new("line", "Line", Unit::Text, line),
    }

    fn shows(scope: &Scope<'_>, column: &Column) -> bool {
        Instruments::shows(scope, column)
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..numbers(scope).count()
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Self::Row> {
        numbers(scope).nth(place).map(|id| row_of(scope, id))
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        !Self::places(scope).is_empty()
    }
}

/// The words that have a line.
fn numbers(scope: &Scope<'_>) -> impl Iterator<Item = CounterId> {
    scope.known().counters().into_iter().filter(|id| matches!(id, CounterId::Number(_)))
}
