//! What the program marked, by text: what it marked most often first.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed},
    },
    keeping::markers::Marker,
    sorting::by_most_of_two,
    terms::value::{Unit, Value},
};
use alloc::string::ToString;
use core::ops;
use ghc_eventlog::Nanos;

pub(super) struct Markers;

impl Listed for Markers {
    /// With its place among all texts.
    type Row = (u32, Marker);
    const SECTION: &'static str = "messages";
    const KEY: &'static str = "markers";
    const NAME: &'static str = "Markers";
    const COLUMNS: &'static [Cells<Self::Row>] = &[
        Cells::new("text", "Text", Unit::Text, |scope, (place, _)| {
            let text = scope.known().stores.messages.markers.texts.get(*place);
            text.map_or(Value::Unknown, |text| Value::words(text.to_string()))
        }),
        Cells::new("count", "Times", Unit::Count, |_, (_, marker)| Value::Count(marker.count)),
        Cells::new("first_ns", "First", Unit::Time, |_, (_, marker)| Value::Time(marker.first)),
    ];

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.known().stores.messages.markers.rows().len()
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Self::Row> {
        let rows = scope.known().stores.messages.markers.rows();
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

    fn is_told(scope: &Scope<'_>) -> bool {
        scope.is_whole() && scope.lacks_messages().is_none()
    }
}
