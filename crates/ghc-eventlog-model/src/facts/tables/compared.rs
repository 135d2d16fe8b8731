//! Two censuses compared: what grew and what shrank from the first one in a range to the last one in it. What grew most comes
//! first.

use crate::{
    facts::{
        profiles::change,
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    terms::value::{Unit, Value},
};
use core::ops;
use ghc_eventlog::Nanos;

pub(super) struct ComparedTable;

/// A band, and what it held in both.
pub(super) struct ComparedRow {
    /// Its place in the profile.
    place: usize,
    a: u64,
    b: u64,
    /// The most that it held in a census of the range.
    most: u64,
}

impl Listed for ComparedTable {
    type Row = ComparedRow;
    const SECTION: &'static str = "heap_profile";
    const KEY: &'static str = "compared";
    const NAME: &'static str = "From census A to census B";
    const ABOUT: &'static str = "How bands changed from census A, the first one in the range, to census B, the last one in it. What \
        grew most comes first. A census is a count of all live data.";
    columns! {
        /// What the band is of: a type, a cost centre, a module or the like.
        Cells::new("name", "Band", Unit::Text, |scope, row| scope.band_name(row.place)),
        /// How much it held in census A: the first one in the range.
        Cells::new("a_bytes", "At A", Unit::Bytes, |_, row| Value::Bytes(row.a)),
        /// How much it held in census B: the last one in the range.
        Cells::new("b_bytes", "At B", Unit::Bytes, |_, row| Value::Bytes(row.b)),
        /// How much more it held in census B than in census A; negative if it shrank.
        Cells::new("change_bytes", "Change", Unit::Change, |_, row| Value::Change(change(row.a, row.b))),
        /// The most that it held in any census of the range: it may have grown and shrunk in between.
        Cells::new("max_bytes", "Most in between", Unit::Bytes, |_, row| Value::Bytes(row.most)),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.compared().map_or(0, |compared| compared.rows.len())
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<ComparedRow> {
        let (at, a, b) = *scope.compared()?.rows.get(place)?;
        let place = at as usize;
        Some(ComparedRow { place, a, b, most: scope.bands()?.held.get(place)?.most })
    }

    fn time(_: &ComparedRow) -> Option<Nanos> {
        None
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.compared().is_some()
    }
}
