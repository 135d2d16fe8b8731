//! Values at times, and things that are only counted: rows for each kind of track and stream.

use super::rows::{Kept, Rows};
use crate::{limits, tracks::machines::Sample};
use alloc::collections::BTreeMap;
use ghc_eventlog::Nanos;

impl Kept for Sample {
    fn time(&self) -> Nanos {
        self.time
    }

    fn weight(&self) -> u64 {
        self.value
    }
}

/// All samples, by the kind's number and the stream.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    series: BTreeMap<(u8, usize), Series>,
}

/// The samples of one kind and stream.
#[derive(Debug, Default)]
pub(crate) struct Series {
    pub(crate) rows: Rows<Sample>,
    /// The largest value.
    pub(crate) most: u64,
}

impl Samples {
    pub(crate) fn add(&mut self, kind: u8, stream: usize, sample: Sample) {
        let most = limits::SAMPLES_BYTES / size_of::<Sample>() / self.series.len().max(1);
        let most = most.clamp(limits::MIN_SAMPLES, limits::MAX_SAMPLES_EACH);
        let series = self.series.entry((kind, stream)).or_default();
        series.most = series.most.max(sample.value);
        series.rows.push(sample, most);
    }

    /// The samples of a kind, by stream.
    pub(crate) fn of(&self, kind: u8) -> impl Iterator<Item = (usize, &Rows<Sample>)> {
        self.series.range((kind, 0)..=(kind, usize::MAX)).map(|(&(_, stream), series)| (stream, &series.rows))
    }

    /// Those of one stream.
    pub(crate) fn of_stream(&self, kind: u8, stream: usize) -> Option<&Series> {
        self.series.get(&(kind, stream))
    }

    pub(crate) fn settle(&mut self) {
        self.series.values_mut().for_each(|series| series.rows.settle());
    }

    pub(crate) fn finish(&mut self) {
        self.series.values_mut().for_each(|series| series.rows.finish());
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.series.values().map(|series| series.rows.bytes_held()).sum()
    }
}
