//! Histograms: how often which values were.

use super::Section;
use crate::{
    keeping::bins::{self, Bins},
    terms::{track::State, value::Unit},
};
use alloc::vec::Vec;
use ghc_eventlog_text::LogText;

/// How often which values were, in bins that grow with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Histogram {
    /// What programs call it, within its section: never changed.
    pub key: &'static str,
    /// What people call it.
    pub name: LogText<'static>,
    /// What the values are.
    pub unit: Unit,
    /// What is counted apart: each has a name and a role in the palette.
    pub series: Vec<State>,
    /// From the first bin that has any values to the last one, without a gap.
    pub bins: Vec<Bin>,
    /// Where the values stand one by one: the key of a table of the same section, and of a column of it.
    pub rows: Option<(&'static str, &'static str)>,
    /// Whether it is of the whole log, though the facts are of a range.
    pub of_whole_log: bool,
}

/// One bin of a [`Histogram`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bin {
    /// The smallest value that belongs to it.
    pub from: u64,
    /// The smallest value that is too large for it.
    pub to: u64,
    /// How many values it has of each series.
    pub counts: Vec<u64>,
}

impl Section {
    /// Adds a histogram of what has been counted, and gives it; none if nothing has.
    pub(crate) fn histogram(
        &mut self,
        key: &'static str,
        name: &'static str,
        unit: Unit,
        counted: &[(State, Bins)],
        rows: Option<(&'static str, &'static str)>,
    ) -> Option<&mut Histogram> {
        let all = counted.iter().fold(Bins::default(), |all, (_, bins)| all.with(bins));
        let (first, last) = all.ends().filter(|_| self.flag.is_none())?;
        let bin = |at| Bin {
            from: bins::least(at),
            to: bins::least(at + 1),
            counts: counted.iter().map(|(_, bins)| bins.get(at)).collect(),
        };
        let series = counted.iter().map(|(state, _)| *state).collect();
        let bins = (first..=last).map(bin).collect();
        self.histograms.push(Histogram { key, name: name.into(), unit, series, bins, rows, of_whole_log: false });
        self.histograms.last_mut()
    }
}
