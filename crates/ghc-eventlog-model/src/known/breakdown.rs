//! What a heap profile is broken down by. A log that was started late, before GHC 10, has no HEAP_PROF_BEGIN.

use super::{
    Known,
    band_names::{BY_COST_CENTRE, BY_INFO_TABLE, info_table_of},
};
use crate::{profiles::names::DefinedKind, terms::frame::Frame};
use ghc_eventlog::{Breakdown, InfoTable};

/// How it is known what a heap profile is broken down by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BreakdownSource {
    /// HEAP_PROF_BEGIN says so.
    Begin,
    /// The program's arguments say so.
    Arguments,
    /// Its bands look like that.
    Bands,
}

impl Known {
    /// What the heap profile is broken down by, and how that is known; `None` if it is not.
    pub(crate) fn breakdown_source(&self) -> Option<(Breakdown, BreakdownSource)> {
        let heap = &self.stores.profiles.heap;
        let inferred = heap.inferred_breakdown();
        let is_of_stacks = inferred == Some(BY_COST_CENTRE);
        // Flags that the bands contradict are of another profile.
        let flag = self.stores.process.breakdown();
        let flag = flag.filter(|flag| (*flag == BY_COST_CENTRE) == is_of_stacks);
        let begin = heap.logged_breakdown().map(|by| (by, BreakdownSource::Begin));
        let bands = inferred.map(|by| (by, BreakdownSource::Bands));
        begin.or(flag.map(|by| (by, BreakdownSource::Arguments))).or(bands)
    }

    /// What the heap profile is broken down by; `None` if that is not known.
    pub(crate) fn breakdown(&self) -> Option<Breakdown> {
        self.breakdown_source().map(|(breakdown, _)| breakdown)
    }

    /// The info tables of bands that have no name.
    pub(crate) fn nameless_bands(&self) -> impl Iterator<Item = InfoTable> {
        let bands = self.stores.profiles.heap.bands().iter();
        bands.filter_map(|band| info_table_of(self, band)).filter(|table| self.is_nameless(*table))
    }

    /// The same for frames of the time profile.
    pub(crate) fn nameless_frames(&self) -> impl Iterator<Item = InfoTable> {
        let frames = self.stores.profiles.time.tree.met().iter().filter_map(|frame| match frame {
            Frame::InfoTable(table) => Some(*table),
            _ => None,
        });
        frames.filter(|table| self.is_nameless(*table))
    }

    fn is_nameless(&self, table: InfoTable) -> bool {
        table != InfoTable(0) && self.stores.profiles.names.table(table).is_none()
    }

    /// Whether the bands are info tables of which none has a name.
    pub(crate) fn has_nameless_tables(&self) -> bool {
        let names = &self.stores.profiles.names;
        self.breakdown() == Some(BY_INFO_TABLE) && names.defined(DefinedKind::InfoTable) == 0 && names.adopted() == 0
    }
}
