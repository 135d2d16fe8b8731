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
            let named = info_table_of(known, band).and_then(|address| profiles.names.of_table(address));
            named.unwrap_or(label).to_string()
        }
        BandKey::Stack(..) => match profiles.heap.stack_of(band) {
            [] => MAIN.to_string(),
            stack => stack.iter().map(|id| profiles.names.of_centre(*id)).collect::<Vec<_>>().join("/"),
        },
    }
}

/// A band's info table, if the profile is by info tables.
pub(crate) fn info_table_of(known: &Known, band: &Band) -> Option<InfoTable> {
    let heap = &known.stores.profiles.heap;
    let label = heap.label_of(band).filter(|_| heap.breakdown() == Some(BY_INFO_TABLE))?;
    u64::from_str_radix(label.strip_prefix("0x")?, 16).ok().map(InfoTable)
}
