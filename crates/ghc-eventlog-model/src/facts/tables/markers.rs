//! What the program marked: by text, what it marked most often first; and each marker, in order of time.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    keeping::markers::{Marked, Marker},
    sorting::by_most_of_two,
    terms::{
        table::Column,
        value::{Unit, Value},
    },
};
use alloc::string::ToString;
use core::ops;
use ghc_eventlog::{Nanos, UserMarker};

pub(super) struct Markers;

impl Listed for Markers {
    /// With its place among all texts.
    type Row = (u32, Marker);
    const SECTION: &'static str = "messages";
    const KEY: &'static str = "markers";
    const NAME: &'static str = "Markers";
    const ABOUT: &'static str = "The texts that the program marked by traceMarker, the most frequent first.";
    columns! {
        /// The text that the program marked.
        Cells::new("text", "Text", Unit::Text, |scope, (place, _)| text(scope, *place)),
        /// How often the program wrote this marker.
        Cells::new("count", "Times", Unit::Count, |_, (_, marker)| Value::Count(marker.count)),
        /// When the program wrote this marker first.
        Cells::new("first_ns", "First", Unit::Time, |_, (_, marker)| Value::Time(marker.first)),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.known().stores.markers.rows().len()
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Self::Row> {
        let rows = scope.known().stores.markers.rows();
        let order = || {
            let of = |place: u32| rows.get(place as usize);
            let first = |place| of(place).map_or(0, |marker| !marker.first.0);
            by_most_of_two(rows.len(), |place| of(place).map_or(0, |marker| marker.count), first)
        };
        let place = *scope.markers(order).get(place)?;
        Some((place, *rows.get(place as usize)?))
    }

    fn time((_, marker): &Self::Row) -> Option<Nanos> {
        Some(marker.first)
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.is_whole() && scope.lacks_messages().is_none()
    }
}

/// Each of them.
pub(super) struct EachMarker;

/// The key of the column that says whether it is of a span.
const SPAN: &str = "span";

impl Listed for EachMarker {
    type Row = Marked;
    const SECTION: &'static str = "messages";
    const KEY: &'static str = "marker_list";
    const NAME: &'static str = "Each marker";
    const ABOUT: &'static str = "Each marker of the program, in order of time.";
    const KEPT: &'static str = "an even selection";
    columns! {
        /// The moment at which the marker was written.
        Cells::new("time_ns", "Time", Unit::Time, |_, marked| Value::Time(marked.time)),
        /// The text that the program marked.
        Cells::new("text", "Text", Unit::Text, |scope, marked| text(scope, marked.text)),
        /// The capability that wrote the marker.
        Cells::new("cap", "Capability", Unit::Capability, |_, marked| {
            marked.cap.map_or(Value::Unknown, Value::Capability)
        }),
        /// Whether the marker begins or ends one of the program's spans. Those have rows of their own, and no lines on the timeline.
        Cells::new(SPAN, "Span", Unit::Text, |scope, marked| span(scope, marked.text)),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        scope.within(scope.known().stores.markers.each.kept(), |marked| marked.time)
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Marked> {
        scope.known().stores.markers.each.kept().get(place).copied()
    }

    fn of(scope: &Scope<'_>) -> u64 {
        // How many there were in a range is not known where some are not kept.
        if scope.is_whole() { scope.events(&[UserMarker::TAG]) } else { Self::places(scope).len() as u64 }
    }

    fn time(marked: &Marked) -> Option<Nanos> {
        Some(marked.time)
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        !Self::places(scope).is_empty()
    }

    fn shows(scope: &Scope<'_>, column: &Column) -> bool {
        column.key != SPAN || scope.known().stores.messages.labels.count() > 0
    }
}

/// Whether a marker begins a span, or ends one.
fn span(scope: &Scope<'_>, place: u32) -> Value {
    let stores = &scope.known().stores;
    let begins = stores.markers.texts.get(place).and_then(|text| stores.messages.begins_or_ends(text.as_bytes()));
    begins.map_or(Value::Unknown, |begins| Value::words(if begins { "begin" } else { "end" }))
}

fn text(scope: &Scope<'_>, place: u32) -> Value {
    let text = scope.known().stores.markers.texts.get(place);
    text.map_or(Value::Unknown, |text| Value::words(text.to_string()))
}
