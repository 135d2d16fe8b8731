//! When any span of each label was open: how long, as a picture, and how many at the same time.

use crate::{
    keeping::{
        overview::{Overview, SeriesId},
        store::Store,
    },
    limits,
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// Bytes for each label, without the picture.
#[cfg(test)]
pub(crate) const LABEL_OPEN_BYTES: usize = size_of::<LabelOpenTimes>() + crate::keeping::overview::SERIES_BYTES;

/// The times when any span of a label was open.
#[derive(Debug)]
struct LabelOpenTimes {
    series: SeriesId,
    /// When the first one began; [`Nanos::MAX`] if none did.
    first: Nanos,
    /// How many are open.
    open: u32,
    /// The most that were open at the same time.
    most_open: u32,
    /// Since when any has been open.
    since: Nanos,
    /// The last end since then.
    until: Nanos,
    /// The total time when any was open, up to where none was.
    time: Nanos,
}

/// The same for all labels.
#[derive(Debug)]
pub(crate) struct OpenTimes {
    by_label: Vec<LabelOpenTimes>,
    /// The picture, for when not all spans are kept.
    overview: Overview,
}

impl OpenTimes {
    pub(super) fn new() -> Self {
        let overview = Overview::within(limits::SPANS_LOG2, limits::SPANS_MIN_LOG2, limits::SPAN_BUCKETS_BYTES);
        Self { by_label: Vec::new(), overview }
    }

    fn get(&self, label: u16) -> Option<&LabelOpenTimes> {
        self.by_label.get(usize::from(label))
    }

    fn get_mut(&mut self, label: u16) -> Option<&mut LabelOpenTimes> {
        while self.by_label.len() <= usize::from(label) {
            let zero = Nanos(0);
            let (series, first) = (self.overview.add_series(1), Nanos::MAX);
            self.by_label.push(LabelOpenTimes {
                series,
                first,
                open: 0,
                most_open: 0,
                since: zero,
                until: zero,
                time: zero,
            });
        }
        self.by_label.get_mut(usize::from(label))
    }

    /// A span of a label begins.
    pub(super) fn begin(&mut self, label: u16, time: Nanos) {
        let Some(of) = self.get_mut(label) else { return };
        of.first = time.min(of.first);
        if of.open == 0 {
            (of.since, of.until) = (time.max(of.until), time.max(of.until));
        }
        of.open += 1;
        of.most_open = of.most_open.max(of.open);
    }

    /// A span of a label ends.
    pub(super) fn end(&mut self, label: u16, time: Nanos) {
        let Some(of) = self.get_mut(label) else { return };
        of.until = time.max(of.until);
        of.open = of.open.saturating_sub(1);
        if of.open == 0 {
            of.time = of.time.plus(of.until.since(of.since));
            let (series, since, until) = (of.series, of.since, of.until);
            self.overview.add(series, 0, since, until);
        }
    }

    /// When the first span of a label began; [`Nanos::MAX`] if none did.
    pub(super) fn first(&self, label: u16) -> Nanos {
        self.get(label).map_or(Nanos::MAX, |of| of.first)
    }

    /// The most spans of a label that were open at the same time: so many rows they need so that none hides another.
    pub(super) fn most_open(&self, label: u16) -> u32 {
        self.get(label).map_or(0, |of| of.most_open)
    }

    /// The total time when any span of a label was open, up to where none is. Unfinished spans may count for longer than they
    /// were open.
    pub(crate) fn time(&self, label: u16) -> Nanos {
        self.get(label).map_or(Nanos(0), |of| of.time)
    }

    /// The picture of a label.
    pub(super) fn picture(&self, label: u16) -> Option<(&Overview, SeriesId)> {
        self.get(label).map(|of| (&self.overview, of.series))
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.by_label.capacity() * size_of::<LabelOpenTimes>() + self.overview.bytes_held()
    }
}
