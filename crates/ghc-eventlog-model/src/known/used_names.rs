//! Which names profiles use, of those that were not kept while the log was read.

use super::{Known, band_names::BY_INFO_TABLE};
use crate::{
    keeping::diagnostics::DiagnosticKind,
    profiles::names::{DefinedKind, late::UsedNames},
};
use ghc_eventlog::{CostCentre, Ipe, TickyCounterDef};

/// Of which kinds names are missing that the log may define.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lacking {
    pub(crate) centres: bool,
    pub(crate) tables: bool,
    pub(crate) counters: bool,
}

impl Lacking {
    /// Whether events of a type define some of them.
    pub(crate) fn is_defined_by(self, tag: u16) -> bool {
        match tag {
            CostCentre::TAG => self.centres,
            Ipe::TAG => self.tables,
            TickyCounterDef::TAG => self.counters,
            _ => false,
        }
    }
}

impl Known {
    /// The names that profiles use, and of which kinds some are missing. `None` if none is missing that the log defines, or if they have been
    /// read again.
    pub(crate) fn used_names(&self) -> Option<(UsedNames, Lacking)> {
        let (profiles, kinds) = (&self.stores.profiles, [DefinedKind::CostCentre, DefinedKind::InfoTable]);
        let names = &profiles.names;
        let counters = profiles.ticky.undefined() > 0;
        let lacks_none = kinds.iter().all(|kind| names.left_out(*kind) == 0) && !counters;
        if lacks_none || names.is_read_again || names.adopted() > 0 {
            return None;
        }
        let used = profiles.used_names(self.breakdown().is_none_or(|by| by == BY_INFO_TABLE));
        let [centres, tables] = kinds.map(|kind| names.left_out(kind).min(used.nameless(kind, names)) > 0);
        (centres || tables || counters).then_some((used, Lacking { centres, tables, counters }))
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
