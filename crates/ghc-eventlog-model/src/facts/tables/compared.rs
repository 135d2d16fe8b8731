//! Two censuses compared: what grew and what shrank from the one before a range, or at its begin, to the one after it, or at its end.
//! What grew most comes first.

use crate::{
    facts::{
        profiles::change,
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    known::band_names::name_of,
    profiles::bands::Band,
    terms::value::{Unit, Value},
};
use core::ops;
use ghc_eventlog::Nanos;

pub(super) struct ComparedTable;

/// A band, and what it held in both.
pub(super) struct ComparedRow {
    band: Band,
    a: u64,
    b: u64,
}

impl Listed for ComparedTable {
    type Row = ComparedRow;
    const SECTION: &'static str = "heap_profile";
    const KEY: &'static str = "compared";
    const NAME: &'static str = "From census A to census B";
    const ABOUT: &'static str = "How bands changed from census A, before the range, to census B, after it. What grew most comes first. A \
        census is a count of all live data.";
    columns! {
        /// What the band is of: a type, a cost centre, a module or the like.
        Cells::new("name", "Band", Unit::Text, |scope, row| Value::words(name_of(scope.known(), &row.band))),
        /// How much it held in census A: the last one that is no later than the begin of the range.
        Cells::new("a_bytes", "At A", Unit::Bytes, |_, row| Value::Bytes(row.a)),
        /// How much it held in census B: the first one that is no earlier than the end of the range.
        Cells::new("b_bytes", "At B", Unit::Bytes, |_, row| Value::Bytes(row.b)),
        /// How much more it held in census B than in census A; negative if it shrank.
        Cells::new("change_bytes", "Change", Unit::Change, |_, row| Value::Change(change(row.a, row.b))),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.compared().map_or(0, |compared| compared.rows.len())
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<ComparedRow> {
        let (at, a, b) = *scope.compared()?.rows.get(place)?;
        Some(ComparedRow { band: *scope.known().stores.profiles.heap.bands().get(at as usize)?, a, b })
    }

    fn time(_: &ComparedRow) -> Option<Nanos> {
        None
    }

    fn is_told(scope: &Scope<'_>) -> bool {
        scope.compared().is_some()
    }
}
