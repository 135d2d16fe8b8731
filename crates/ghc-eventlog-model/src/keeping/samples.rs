//! Values at times, and things that happen: rows for each kind of track and stream. What has more than there is room
//! for is kept in a ring of buckets, too, which misses none.

use super::{
    ring::{Cell, Envelope, RingId, Rings},
    rows::{Kept, Rows},
};
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
#[derive(Debug)]
pub(crate) struct Samples {
    kinds: Vec<Vec<Series>>,
    pub(crate) lines: Rings<Envelope>,
    pub(crate) points: Rings<u32>,
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
    /// Where all of them are, once not all have a row.
    pub(crate) ring: Option<RingId>,
}

impl Default for Samples {
    fn default() -> Self {
        Self {
            kinds: Vec::new(),
            lines: Rings::new(limits::LINE_LOG2, limits::LINES_BYTES),
            points: Rings::new(limits::LINE_LOG2, limits::POINTS_BYTES),
            used: 0,
            most_each: 0,
            caps: Vec::new(),
            listed: 0,
        }
    }
}

/// How samples become what a bucket holds.
trait FromSample: Cell {
    fn of(sample: &Sample) -> Self;
}

impl FromSample for Envelope {
    fn of(sample: &Sample) -> Self {
        Self::of(sample.value)
    }
}

impl FromSample for u32 {
    fn of(_: &Sample) -> Self {
        1
    }
}

impl Samples {
    /// Adds a sample of a kind and stream; `is_point` if the kind's samples are things that happen, and not values.
    #[inline]
    pub(crate) fn add(&mut self, kind: u8, is_point: bool, stream: usize, sample: Sample) {
        let Self { kinds, lines, points, most_each, .. } = self;
        let known = kinds.get_mut(usize::from(kind)).and_then(|streams| streams.get_mut(stream));
        match known {
            Some(series) if series.most > 0 && is_point => series.add(sample, *most_each, points),
            Some(series) if series.most > 0 => series.add(sample, *most_each, lines),
            Some(Series { zero: Some(_), .. }) if sample.value == 0 => {}
            _ => self.add_first(kind, is_point, stream, sample),
        }
    }

    /// Adds the first sample of a series, or the first that is not 0.
    #[cold]
    fn add_first(&mut self, kind: u8, is_point: bool, stream: usize, sample: Sample) {
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
        series.most = sample.value;
        for sample in series.zero.take().into_iter().chain([sample]) {
            self.add(kind, is_point, stream, sample);
        }
    }

    /// The samples of a kind, by stream.
    pub(crate) fn of(&self, kind: u8) -> impl Iterator<Item = (usize, &Series)> {
        let streams = self.kinds.get(usize::from(kind)).map_or(&[][..], Vec::as_slice);
        streams.iter().enumerate().filter(|(_, series)| !series.rows.kept().is_empty())
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
        let caps = self.caps.iter().map(|caps| caps.capacity() * size_of::<CapNo>());
        series.sum::<usize>() + caps.sum::<usize>() + self.lines.bytes_held() + self.points.bytes_held()
    }
}

impl Series {
    /// Adds a sample; no more than `most` have a row.
    #[inline]
    fn add<C: FromSample>(&mut self, sample: Sample, most: usize, rings: &mut Rings<C>) {
        self.most = self.most.max(sample.value);
        if self.ring.is_none() && self.rows.is_full(most) {
            self.ring = Some(self.ring_of_rows(rings));
        }
        if let Some(ring) = self.ring {
            rings.add(ring, sample.time, C::of(&sample));
        }
        self.rows.push(sample, most);
    }

    /// From now on not all have a row, but as yet all do.
    #[cold]
    fn ring_of_rows<C: FromSample>(&self, rings: &mut Rings<C>) -> RingId {
        let ring = rings.add_ring();
        self.rows.kept().iter().for_each(|sample| rings.add(ring, sample.time, C::of(sample)));
        ring
    }
}
