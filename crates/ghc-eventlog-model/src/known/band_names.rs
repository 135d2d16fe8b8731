//! The names of the bands of a heap profile.

use crate::{
    known::Known,
    profiles::{
        Profiles,
        bands::{Band, BandKey},
        frames::{MAIN, OTHERS},
    },
    terms::frame::Frame,
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

/// The names of all bands, by their places: those of equal names are told apart by their modules, or else by their places in
/// the source.
pub(crate) fn names_of(known: &Known) -> Vec<String> {
    let Profiles { heap, names, .. } = &known.stores.profiles;
    let frames = |band: &Band| -> Vec<Frame> {
        match info_table_of(known, band) {
            Some(address) => [Frame::InfoTable(address)].into(),
            None => heap.stack_of(band).iter().map(|id| Frame::CostCentre(*id)).collect(),
        }
    };
    let mut all: Vec<String> = heap.bands().iter().map(|band| name_of(known, band)).collect();
    names.tell_apart(&heap.bands().iter().map(frames).collect::<Vec<_>>(), &mut all);
    all
}

/// The name of a band, which others may have, too. A stack is named by its cost centres, innermost first; an info table by what the log says about it.
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
