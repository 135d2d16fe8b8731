//! Which names profiles use, of those that were not kept while the log was read.

use super::{Known, band_names::BY_INFO_TABLE};
use crate::{
    keeping::diagnostics::DiagnosticKind,
    profiles::names::{DefinedKind, late::UsedNames},
};

impl Known {
    /// The names that profiles use, and of which kinds some are missing. `None` if none is missing that the log defines, or if they have been
    /// read again.
    pub(crate) fn used_names(&self) -> Option<(UsedNames, impl Fn(DefinedKind) -> bool + use<>)> {
        let (profiles, kinds) = (&self.stores.profiles, [DefinedKind::CostCentre, DefinedKind::InfoTable]);
        let names = &profiles.names;
        if kinds.iter().all(|kind| names.left_out(*kind) == 0) || names.is_read_again || names.adopted() > 0 {
            return None;
        }
        let used = profiles.used_names(self.breakdown().is_none_or(|by| by == BY_INFO_TABLE));
        let lacking = kinds.map(|kind| names.left_out(kind).min(used.nameless(kind, names)) > 0);
        let lacks = move |kind: DefinedKind| lacking.get(kind as usize).copied().unwrap_or(false);
        lacking.contains(&true).then_some((used, lacks))
    }

    /// Reports how many names are missing at most, until they are read again.
    pub(crate) fn report_missing_names(&mut self) {
        let Some((used, _)) = self.used_names() else { return };
        let names = &self.stores.profiles.names;
        let of = |kind| names.left_out(kind).min(used.nameless(kind, names));
        let count = of(DefinedKind::CostCentre) + of(DefinedKind::InfoTable);
        self.stores.diagnostics.add(DiagnosticKind::NamesNotRead(count), None);
    }
}
