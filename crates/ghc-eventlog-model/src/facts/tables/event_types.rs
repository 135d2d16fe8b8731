//! The types of the log's events, by number.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    terms::value::{Unit, Value},
};
use alloc::string::ToString;
use core::ops;
use ghc_eventlog::info;

pub(super) struct EventTypes;

impl Listed for EventTypes {
    /// The number of a type, and of its events; without the former, all other events.
    type Row = (Option<u16>, u64);
    const SECTION: &'static str = "events";
    const KEY: &'static str = "events";
    const NAME: &'static str = "Types of events";
    const ABOUT: &'static str = "The types of events that the log has, by number.";
    columns! {
        /// GHC's number of the type.
        Cells::new("number", "Number", Unit::Count, |_, (number, _)| {
            number.map_or(Value::Unknown, |number| Value::Count(number.into()))
        }),
        /// The name that GHC gives to the type.
        Cells::new("name", "Name", Unit::Text, |scope, (number, _)| {
            Value::words(number.map_or_else(|| "(all others)".into(), |number| scope.known().type_name(number)))
        }),
        /// How many events of the type the log has.
        Cells::new("count", "Events", Unit::Count, |_, (_, count)| Value::Count(*count)),
        /// These events as a share of all events.
        Cells::new("share", "Share", Unit::Share, |scope, (_, count)| {
            Value::Share(*count as f64 / (scope.model.events() as f64).max(1.0))
        }),
        /// What an event of the type says.
        Cells::new("doc", "What it says", Unit::Text, |_, (number, _)| {
            number.and_then(info).map_or(Value::Unknown, |info| Value::words(info.doc.trim().to_string()))
        }),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.model.counts().count() + usize::from(scope.known().counts.others() > 0)
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<(Option<u16>, u64)> {
        let others = (None, scope.known().counts.others());
        let counts = scope.model.counts().map(|(number, count)| (Some(number), count));
        counts.chain((others.1 > 0).then_some(others)).nth(place)
    }
}
