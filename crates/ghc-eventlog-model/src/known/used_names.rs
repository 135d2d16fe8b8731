//! Which names profiles use, of those that were not kept while the log was read.

use super::{Known, band_names::BY_INFO_TABLE};
use crate::{
    keeping::diagnostics::DiagnosticKind,
    profiles::names::{DefinedKind, late::UsedNames},
};
use ghc_eventlog::{CostCentre, Ipe, TickyCounterDef};

impl Known {
    /// The names that profiles use, and which types of events define some that are missing. `None` if none is missing that the log defines, or
    /// if they have been read again.
    pub(crate) fn used_names(&self) -> Option<(UsedNames, impl Fn(u16) -> bool + use<>)> {
        let (profiles, kinds) = (&self.stores.profiles, [DefinedKind::CostCentre, DefinedKind::InfoTable]);
        let names = &profiles.names;
        let counters = profiles.ticky.undefined() > 0;
        let lacks_none = kinds.iter().all(|kind| names.left_out(*kind) == 0) && !counters;
        if lacks_none || names.is_read_again || names.adopted() > 0 {
            return None;
        }
        let used = profiles.used_names(self.breakdown().is_none_or(|by| by == BY_INFO_TABLE));
        let [centres, tables] = kinds.map(|kind| names.left_out(kind).min(used.nameless(kind, names)) > 0);
        let lacks = move |tag: u16| match tag {
            CostCentre::TAG => centres,
            Ipe::TAG => tables,
            TickyCounterDef::TAG => counters,
            _ => false,
        };
        (centres || tables || counters).then_some((used, lacks))
    }

    /// Reports how many names are missing at most, until they are read again.
    pub(crate) fn report_missing_names(&mut self) {
        let Some((used, _)) = self.used_names() else { return };
        let names = &self.stores.profiles.names;
        let of = |kind| names.left_out(kind).min(used.nameless(kind, names));
        let count = of(DefinedKind::CostCentre) + of(DefinedKind::InfoTable) + self.stores.profiles.ticky.undefined();
        self.stores.diagnostics.add(DiagnosticKind::NamesNotRead(count), None);
    }
}
