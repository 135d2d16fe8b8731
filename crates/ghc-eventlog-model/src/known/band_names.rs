//! The names of the bands of a heap profile.

use crate::{
    known::Known,
    profiles::{
        Profiles,
        bands::{Band, BandKey},
        frames::{MAIN, OTHERS, groups},
    },
    terms::frame::Frame,
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use ghc_eventlog::{Breakdown, InfoTable};

/// The breakdowns whose band labels are more than a name.
pub(crate) const BY_COST_CENTRE: Breakdown = Breakdown(1);
pub(crate) const BY_INFO_TABLE: Breakdown = Breakdown(8);
pub(crate) const BY_ERA: Breakdown = Breakdown(9);

/// The names of all bands, by their places: those of equal names are told apart by their modules, or else by their places in
/// the source, and what still has equal names then, such as labels of bytes that are no text, by numbers.
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
    for same in groups(&all) {
        let key = |place: usize| heap.bands().get(place).map(|band| band.key);
        let is_own = |place: &usize| matches!(key(*place), Some(BandKey::Label(..) | BandKey::Stack(..)));
        let first = usize::from(same.iter().all(is_own));
        for (number, place) in (2u64..).zip(same.into_iter().filter(is_own).skip(first)) {
            if let Some(name) = all.get_mut(place) {
                *name += &format!(" ({number})");
            }
        }
    }
    all
}

/// The name of a band, which others may have, too. A stack is named by its cost centres, innermost first; an info table by what the log says about it.
pub(crate) fn name_of(known: &Known, band: &Band) -> String {
    let profiles = &known.stores.profiles;
    match band.key {
        BandKey::Rest | BandKey::Gone => OTHERS.to_string(),
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
