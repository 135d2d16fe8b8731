//! Values at times, and things that are only counted: rows for each kind of track and stream.

use super::rows::{Kept, Rows};
use crate::{limits, reading::caps::Caps, tracks::machines::Sample};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos};

impl Kept for Sample {
    fn time(&self) -> Nanos {
        self.time
    }

    fn weight(&self) -> u64 {
        self.value
    }
}

/// All samples, by the kind's number, and then by stream: adding one takes no search.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    kinds: Vec<Vec<Series>>,
    /// How many series have any samples.
    used: usize,
    /// How many samples each of them may keep.
    most_each: usize,
    /// For each kind, the capabilities that have any, in order, as of the last time that this was settled; and how many series
    /// had any by then.
    caps: Vec<Vec<CapNo>>,
    listed: usize,
}

/// The samples of one kind and stream.
#[derive(Debug, Default)]
pub(crate) struct Series {
    pub(crate) rows: Rows<Sample>,
    /// The largest value.
    pub(crate) most: u64,
    /// The first one, as long as all are 0: most programs have no sparks, say, and none of those needs to be kept.
    zero: Option<Sample>,
}

impl Samples {
    pub(crate) fn add(&mut self, kind: u8, stream: usize, sample: Sample) {
        let known = self.kinds.get_mut(usize::from(kind)).and_then(|streams| streams.get_mut(stream));
        match known {
            Some(series) if series.most > 0 => series.add(sample, self.most_each),
            Some(Series { zero: Some(_), .. }) if sample.value == 0 => {}
            _ => self.add_first(kind, stream, sample),
        }
    }

    /// Adds the first sample of a series, or the first that is not 0.
    #[cold]
    fn add_first(&mut self, kind: u8, stream: usize, sample: Sample) {
        if self.kinds.len() <= usize::from(kind) {
            self.kinds.resize_with(usize::from(kind) + 1, Vec::new);
        }
        let Some(streams) = self.kinds.get_mut(usize::from(kind)) else { return };
        if streams.len() <= stream {
            streams.resize_with(stream + 1, Series::default);
        }
        let Some(series) = streams.get_mut(stream) else { return };
        if sample.value == 0 {
            series.zero = Some(sample);
            return;
        }
        self.used += 1;
        let fitting = limits::SAMPLES_BYTES / size_of::<Sample>() / self.used;
        self.most_each = fitting.clamp(limits::MIN_SAMPLES, limits::MAX_SAMPLES_EACH);
        for sample in series.zero.take().into_iter().chain([sample]) {
            series.add(sample, self.most_each);
        }
    }

    /// The samples of a kind, by stream.
    pub(crate) fn of(&self, kind: u8) -> impl Iterator<Item = (usize, &Rows<Sample>)> {
        let streams = self.kinds.get(usize::from(kind)).map_or(&[][..], Vec::as_slice);
        let series = streams.iter().enumerate().map(|(stream, series)| (stream, &series.rows));
        series.filter(|(_, rows)| !rows.kept().is_empty())
    }

    /// Those of one stream.
    pub(crate) fn of_stream(&self, kind: u8, stream: usize) -> Option<&Series> {
        self.kinds.get(usize::from(kind))?.get(stream)
    }

    fn all(&mut self) -> impl Iterator<Item = &mut Rows<Sample>> {
        self.kinds.iter_mut().flatten().map(|series| &mut series.rows)
    }

    /// The capabilities that have samples of a kind, in order.
    pub(crate) fn caps_of(&self, kind: u8) -> &[CapNo] {
        self.caps.get(usize::from(kind)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn settle(&mut self, caps: &Caps) {
        self.all().for_each(Rows::settle);
        self.list(caps);
    }

    pub(crate) fn finish(&mut self, caps: &Caps) {
        self.all().for_each(Rows::finish);
        self.list(caps);
    }

    /// Lists the capabilities anew if there are series that had no samples when this was done last.
    fn list(&mut self, caps: &Caps) {
        if self.listed == self.used {
            return;
        }
        self.listed = self.used;
        let of_kind = |streams: &Vec<Series>| {
            let has_any = |cap: &CapNo| {
                caps.stream(Some(*cap)).and_then(|at| streams.get(at)).is_some_and(|series| series.most > 0)
            };
            caps.lanes().map(|(cap, _)| cap).filter(has_any).collect()
        };
        self.caps = self.kinds.iter().map(of_kind).collect();
    }

    pub(crate) fn bytes_held(&self) -> usize {
        let series = self.kinds.iter().flatten().map(|series| series.rows.bytes_held() + size_of::<Series>());
        series.sum::<usize>() + self.caps.iter().map(|caps| caps.capacity() * size_of::<CapNo>()).sum::<usize>()
    }
}

impl Series {
    /// Adds a sample; no more than `most` are kept.
    fn add(&mut self, sample: Sample, most: usize) {
        self.most = self.most.max(sample.value);
        self.rows.push(sample, most);
    }
}
