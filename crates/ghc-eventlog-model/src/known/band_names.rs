//! The names of the bands of a heap profile.

use crate::{
    known::Known,
    profiles::{
        bands::{Band, BandKey},
        frames::{MAIN, OTHERS},
    },
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use ghc_eventlog::{Breakdown, InfoTable};

/// The breakdowns whose band labels are more than a name.
pub(crate) const BY_COST_CENTRE: Breakdown = Breakdown(1);
pub(crate) const BY_INFO_TABLE: Breakdown = Breakdown(8);
pub(crate) const BY_ERA: Breakdown = Breakdown(9);

/// The name of a band. A stack is named by its cost centres, innermost first; an info table by what the log says about it.
pub(crate) fn name_of(known: &Known, band: &Band) -> String {
    let profiles = &known.stores.profiles;
    match band.key {
        BandKey::Rest => OTHERS.to_string(),
        BandKey::Label(..) => {
            let label = profiles.heap.label_of(band).unwrap_or_default();
            let table = info_table_of(known, band);
            let named = table.and_then(|table| profiles.names.of_table(table));
            named.or(nameless(table)).unwrap_or(label).to_string()
        }
        BandKey::Stack(..) => match profiles.heap.stack_of(band) {
            [] => MAIN.to_string(),
            stack => stack.iter().map(|id| profiles.names.of_centre(*id)).collect::<Vec<_>>().join("/"),
        },
    }
}

/// A band's info table, if the profile is by info tables.
pub(crate) fn info_table_of(known: &Known, band: &Band) -> Option<InfoTable> {
    known.stores.profiles.heap.table_of(band).filter(|_| known.breakdown() == Some(BY_INFO_TABLE))
}

/// The name of the number 0: from GHC 10 on, all data whose info table has no number counts for it.
pub(crate) fn nameless(table: Option<InfoTable>) -> Option<&'static str> {
    (table == Some(InfoTable(0))).then_some("no info table entry")
}
