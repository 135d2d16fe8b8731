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
    /// The number of a type, and of its events.
    type Row = (u16, u64);
    const SECTION: &'static str = "events";
    const KEY: &'static str = "events";
    const NAME: &'static str = "Types of events";
    const ABOUT: &'static str = "The types of events that the log has, by number.";
    columns! {
        /// GHC's number of the type.
        Cells::new("number", "Number", Unit::Count, |_, (number, _)| Value::Count((*number).into())),
        /// The name that GHC gives to the type.
        Cells::new("name", "Name", Unit::Text, |scope, (number, _)| Value::words(scope.known().type_name(*number))),
        /// How many events of the type the log has.
        Cells::new("count", "Events", Unit::Count, |_, (_, count)| Value::Count(*count)),
        /// These events as a share of all events.
        Cells::new("share", "Share", Unit::Share, |scope, (_, count)| {
            Value::Share(*count as f64 / (scope.model.events() as f64).max(1.0))
        }),
        /// What an event of the type says.
        Cells::new("doc", "What it says", Unit::Text, |_, (number, _)| {
            info(*number).map_or(Value::Unknown, |info| Value::words(info.doc.trim().to_string()))
        }),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.model.counts().count()
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<(u16, u64)> {
        scope.model.counts().nth(place)
    }
}
