//! Values at times, and events at a moment: rows for each kind of track and stream. A series that has more than there is room
//! for gets a ring of buckets too, which misses nothing.

use super::{
    ring::{BucketValue, Envelope, RingId, Rings},
    rows::{Kept, Rows},
};
use crate::{
    keeping::store::{Purpose, Store, Streams},
    limits,
    terms::{
        machine::{Placed, PlacedKind},
        place::Direction,
        sample::Sample,
    },
};
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

/// All samples, indexed by the kind's number, then by stream and line: adding one needs no search.
#[derive(Debug)]
pub(crate) struct SampleStore {
    kinds: Vec<OfKind>,
    pub(crate) lines: Rings<Envelope>,
    pub(crate) points: Rings<u32>,
    /// How many series have samples.
    used: usize,
    /// How many samples each series may keep.
    most_each: usize,
    /// For each kind, its lines that have samples, in order, and the number of series that had samples when this was made.
    lines_of: Vec<Vec<LineNo>>,
    listed: usize,
    amounts: Rings<f32>,
    /// Whether to keep what is only used for drawing: rates, and rings.
    drawn: bool,
}

/// The samples of one kind.
#[derive(Debug, Default)]
struct OfKind {
    /// How many lines each stream has.
    lines: usize,
    /// Whether they are about the whole log, in whichever stream they are.
    of_log: bool,
    series: Vec<Series>,
    /// For rates: what is known, by stream.
    told: Vec<KnownRates>,
    /// The sum of its lines, if they are rates whose sum is kept.
    in_all: Option<LinesTogether>,
}

/// What is known about the rates of a stream.
#[derive(Debug, Default, Clone, Copy)]
struct KnownRates {
    /// Until when rates are known; `None` before the first.
    until: Option<Nanos>,
    /// Whether the last rates were all 0.
    quiet: bool,
}

/// Identifies the series of a sample.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeriesKey {
    kind: u8,
    is_point: bool,
    of_log: bool,
    lines: usize,
    at: usize,
}

impl SeriesKey {
    /// The series of a stream's line.
    pub(crate) fn of<K: Placed>(stream: usize, line: usize) -> Self {
        let stream = if K::OF_LOG { 0 } else { stream };
        Self { kind: K::NUMBER, is_point: K::POINTS, of_log: K::OF_LOG, lines: K::LINES, at: stream * K::LINES + line }
    }
}

/// Identifies a line of some kind: its capability, and its number on that. For a line of the whole log, the capability is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LineNo {
    pub(crate) cap: CapNo,
    pub(crate) line: u16,
}

impl LineNo {
    /// The line as one number; for the first line of a capability, the capability's number.
    pub(crate) const fn number(self) -> u32 {
        ((self.line as u32) << 16) + self.cap.0 as u32
    }

    /// The reverse of `number`.
    pub(crate) const fn from_number(number: u32) -> Self {
        Self { cap: CapNo(number as u16), line: (number >> 16) as u16 }
    }
}

/// The sum of the lines of a kind: the amount in each bucket of time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinesTogether {
    ring: RingId,
    /// From when to when it is known.
    pub(crate) from: Nanos,
    pub(crate) to: Nanos,
}

/// The samples of one kind, stream and line.
#[derive(Debug, Default)]
pub(crate) struct Series {
    pub(crate) rows: Rows<Sample>,
    /// The largest value.
    pub(crate) most: u64,
    /// The largest rate of more than a few things: see [`limits::FEW`].
    pub(crate) steady: u64,
    /// Few things that belong to no such rate yet, and the time in which they came.
    few: (u64, Nanos),
    /// The time of its first occurrence.
    pub(crate) most_at: Nanos,
    /// The smallest time of the samples.
    pub(crate) first: Nanos,
    /// The sample with the largest time; if several have it, the last in the file.
    pub(crate) last: Option<Sample>,
    /// The first sample, as long as all values are 0. Most programs have no sparks, for example, and their zeros need not be
    /// kept.
    zero: Option<Sample>,
    /// The ring with all samples, once not all have a row.
    pub(crate) ring: Option<RingId>,
}

impl Default for SampleStore {
    fn default() -> Self {
        Self {
            kinds: Vec::new(),
            lines: Rings::new(limits::LINE_LOG2, limits::LINES_BYTES),
            points: Rings::new(limits::LINE_LOG2, limits::POINTS_BYTES),
            used: 0,
            most_each: 0,
            lines_of: Vec::new(),
            listed: 0,
            amounts: Rings::new(limits::IN_ALL_LOG2, limits::IN_ALL_BYTES),
            drawn: true,
        }
    }
}

/// How a sample becomes a bucket's value.
pub(super) trait FromSample: BucketValue {
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

impl SampleStore {
    /// Adds a sample.
    #[inline]
    pub(crate) fn add(&mut self, key: SeriesKey, sample: Sample) {
        let Self { kinds, lines, points, most_each, drawn, .. } = self;
        let known = kinds.get_mut(usize::from(key.kind)).and_then(|kind| kind.series.get_mut(key.at));
        match known {
            Some(series) if series.most > 0 && key.is_point => series.add(sample, *most_each, drawn.then_some(points)),
            Some(series) if series.most > 0 => series.add(sample, *most_each, drawn.then_some(lines)),
            Some(series) if series.zero.is_some() && sample.value == 0 => series.take_last(sample),
            _ => self.add_first(key, sample),
        }
    }

    /// Adds the first sample of a series, or the first that is not 0.
    #[cold]
    fn add_first(&mut self, key: SeriesKey, sample: Sample) {
        let series = self.series_or_new(key);
        let is_first = series.last.is_none();
        if is_first {
            (series.first, series.most_at) = (sample.time, sample.time);
        }
        if sample.value == 0 {
            series.zero = Some(sample);
            series.take_last(sample);
            return;
        }
        (series.most, series.most_at) = (sample.value, sample.time);
        let both = series.zero.take().into_iter().chain([sample]);
        self.used += 1;
        let fitting = limits::SAMPLES_BYTES / size_of::<Sample>() / self.used;
        self.most_each = fitting.clamp(limits::MIN_SAMPLES, limits::MAX_SAMPLES_EACH);
        both.for_each(|sample| self.add(key, sample));
    }

    fn kind_or_new(&mut self, kind: u8) -> &mut OfKind {
        let kind = usize::from(kind);
        if self.kinds.len() <= kind {
            self.kinds.resize_with(kind + 1, OfKind::default);
        }
        &mut self.kinds[kind]
    }

    fn series_or_new(&mut self, SeriesKey { kind, of_log, lines, at, .. }: SeriesKey) -> &mut Series {
        let all = self.kind_or_new(kind);
        (all.lines, all.of_log) = (lines, of_log);
        if all.series.len() <= at {
            all.series.resize_with(at + 1, Series::default);
        }
        &mut all.series[at]
    }

    /// Running totals of a stream have grown to `totals` from `since` to `time`; updates their sums. Adds to each line its
    /// rate per second for that time and, if the kind wants it, to the sum of all its lines.
    pub(crate) fn grow<K: Placed>(
        &mut self,
        stream: usize,
        sums: &mut [u64],
        totals: &[u64],
        since: Nanos,
        time: Nanos,
    ) {
        let kind = self.kinds.get_mut(usize::from(K::NUMBER));
        let Some(told) = kind.and_then(|kind| kind.told.get_mut(stream)) else {
            return self.grow_first::<K>(stream, sums, totals, since, time);
        };
        let goes_on = told.until == Some(since);
        told.until = told.until.max(Some(time));
        if !self.drawn {
            return sums.iter_mut().zip(totals).for_each(|(sum, total)| *sum = (*sum).max(*total));
        }
        // Most programs have no sparks, for example, and log that for each capability at each collection.
        if told.quiet && goes_on && !K::IN_ALL && totals.iter().zip(sums.iter()).all(|(total, sum)| total <= sum) {
            return;
        }
        told.quiet = true;
        for (line, (total, sum)) in totals.iter().zip(sums).enumerate() {
            let more = total.saturating_sub(*sum);
            *sum += more;
            self.grow_line::<K>(stream, line, goes_on, more, since, time);
        }
    }

    /// Takes the first totals of a stream.
    #[cold]
    fn grow_first<K: Placed>(&mut self, stream: usize, sums: &mut [u64], totals: &[u64], since: Nanos, time: Nanos) {
        let kind = self.kind_or_new(K::NUMBER);
        kind.told.resize(stream + 1, KnownRates::default());
        self.grow::<K>(stream, sums, totals, since, time);
    }

    /// A total grew by `more`; `goes_on` says that its line is known up to `since`.
    #[inline(always)]
    fn grow_line<K: Placed>(
        &mut self,
        stream: usize,
        line: usize,
        goes_on: bool,
        more: u64,
        since: Nanos,
        time: Nanos,
    ) {
        let Self { kinds, amounts, .. } = self;
        let Some(OfKind { series, told, in_all, .. }) = kinds.get_mut(usize::from(K::NUMBER)) else { return };
        let rate = per_second(more.saturating_mul(K::PARTS), time.since(since));
        if rate != Some(0)
            && let Some(told) = told.get_mut(stream)
        {
            told.quiet = false;
        }
        let Some(rate) = rate else { return };
        if K::IN_ALL {
            let all = in_all.get_or_insert_with(|| LinesTogether { ring: amounts.add_ring(), from: since, to: time });
            (all.from, all.to) = (all.from.min(since), all.to.max(time));
            amounts.spread(all.ring, since, time, more as f64);
        }
        let key = SeriesKey::of::<K>(stream, line);
        let is_few = K::PARTS > 1 && is_few(more);
        let value = match rate {
            _ if is_few => more,
            1.. if K::PARTS > 1 => rate.max(limits::FEW),
            _ => rate,
        };
        // A line that does not change needs no sample. Few things are counted one by one.
        let last = series.get(key.at).and_then(|series| series.last);
        if !goes_on || is_few || last.is_none_or(|last| last.value != value) {
            self.add(key, Sample { time: since, value });
        }
        if K::PARTS > 1
            && more > 0
            && let Some(OfKind { series, .. }) = self.kinds.get_mut(usize::from(K::NUMBER))
            && let Some(series) = series.get_mut(key.at)
        {
            series.count_steady(more, time.since(since), K::PARTS);
        }
    }

    /// The sum of the lines of a kind; `None` if nothing is known about it.
    pub(crate) fn in_all(&self, kind: u8) -> Option<LinesTogether> {
        self.kinds.get(usize::from(kind))?.in_all
    }

    /// Until when the rates of a stream are known; `None` if there were none, or if the kind's lines are not rates.
    pub(crate) fn until(&self, kind: u8, stream: usize) -> Option<Nanos> {
        self.kinds.get(usize::from(kind))?.told.get(stream)?.until
    }

    /// The buckets of the sum that overlap `from..to`: from when to when each is known, and the mean rate per second in it.
    pub(crate) fn rates(
        &self,
        all: LinesTogether,
        from: Nanos,
        to: Nanos,
    ) -> impl Iterator<Item = (Nanos, Nanos, f32)> {
        let width = self.amounts.bucket();
        let (from, to) = (from.max(all.from), to.min(all.to).max(from));
        self.amounts.meeting(all.ring, from, to).filter_map(move |(begin, amount)| {
            let (since, until) = (begin.max(all.from), begin.plus(width).min(all.to));
            let time = until.since(since).0 as f32;
            (time > 0.0).then(|| (since, until, amount / time * Nanos::SECOND.0 as f32))
        })
    }

    /// The samples of a kind, by stream if each has only one line.
    pub(crate) fn of(&self, kind: u8) -> impl Iterator<Item = (usize, &Series)> {
        let series = self.kinds.get(usize::from(kind)).map_or(&[][..], |kind| &kind.series);
        series.iter().enumerate().filter(|(_, series)| !series.rows.kept().is_empty())
    }

    /// The series of a stream and line; `None` if it has no samples.
    pub(crate) fn series<K: Placed>(&self, stream: usize, line: usize) -> Option<&Series> {
        self.kinds.get(usize::from(K::NUMBER))?.series.get(SeriesKey::of::<K>(stream, line).at)
    }

    /// The same for a kind that is only known as a value.
    pub(crate) fn series_of(&self, kind: PlacedKind, stream: usize, line: usize) -> Option<&Series> {
        let stream = if kind.of_log { 0 } else { stream };
        self.kinds.get(usize::from(kind.number))?.series.get(stream * kind.lines + line)
    }

    fn all(&mut self) -> impl Iterator<Item = &mut Rows<Sample>> {
        self.kinds.iter_mut().flat_map(|kind| &mut kind.series).map(|series| &mut series.rows)
    }

    /// The lines of a kind that have values other than 0, by capability.
    pub(crate) fn lines_of(&self, kind: u8) -> &[LineNo] {
        self.lines_of.get(usize::from(kind)).map_or(&[], Vec::as_slice)
    }

    /// Lists the lines again if there are series that had no samples the last time.
    fn list(&mut self, streams: Streams<'_>) {
        if self.listed == self.used {
            return;
        }
        self.listed = self.used;
        self.lines_of = self.kinds.iter().map(|kind| kind.lines(streams)).collect();
    }
}

impl Store for SampleStore {
    fn of(purpose: Purpose) -> Self {
        Self { drawn: purpose.is_drawn, ..Self::default() }
    }

    fn settle(&mut self, streams: Streams<'_>) {
        self.all().for_each(Rows::settle);
        self.list(streams);
    }

    fn finish(&mut self, streams: Streams<'_>) {
        self.all().for_each(Rows::finish);
        self.list(streams);
    }

    fn bytes_held(&self) -> usize {
        let kinds = self.kinds.iter().map(OfKind::bytes_held);
        let lines = self.lines_of.iter().map(|lines| lines.capacity() * size_of::<LineNo>());
        let rings = self.lines.bytes_held() + self.points.bytes_held() + self.amounts.bytes_held();
        kinds.sum::<usize>() + lines.sum::<usize>() + rings
    }
}

/// Whether so many things, counted one by one, are few. Where they are, a sample has their number, else their rate in parts of one:
/// that is never less than [`limits::FEW`].
pub(crate) const fn is_few(things: u64) -> bool {
    0 < things && things < limits::FEW
}

/// An amount in a time as a rate; `None` if the time is 0.
pub(crate) fn per_second(amount: u64, time: Nanos) -> Option<u64> {
    match amount.checked_mul(Nanos::SECOND.0) {
        // Nearly all are small enough for one division, and each collection has some.
        Some(product) => product.checked_div(time.0),
        None => {
            let rate = (u128::from(amount) * u128::from(Nanos::SECOND.0)).checked_div(time.0.into())?;
            Some(u64::try_from(rate).unwrap_or(u64::MAX))
        }
    }
}

impl OfKind {
    /// Its lines that have values other than 0, by capability.
    fn lines(&self, streams: Streams<'_>) -> Vec<LineNo> {
        let of_stream = |cap: CapNo, stream: usize| {
            let any = move |line: &usize| self.series.get(stream * self.lines + line).is_some_and(|line| line.most > 0);
            (0..self.lines).filter(any).map(move |line| LineNo { cap, line: line as u16 })
        };
        if self.of_log {
            return of_stream(CapNo(0), 0).collect();
        }
        streams.iter().flat_map(|(cap, stream)| of_stream(*cap, *stream as usize)).collect()
    }

    fn bytes_held(&self) -> usize {
        let rows: usize = self.series.iter().map(|series| series.rows.bytes_held()).sum();
        rows + self.series.capacity() * size_of::<Series>() + self.told.capacity() * size_of::<KnownRates>()
    }
}

impl Series {
    /// Adds a sample. At most `most` samples have a row; beyond that the series gets a ring, if those are kept.
    #[inline]
    fn add<C: FromSample>(&mut self, sample: Sample, most: usize, rings: Option<&mut Rings<C>>) {
        if sample.value > self.most || sample.value == self.most && sample.time < self.most_at {
            (self.most, self.most_at) = (sample.value, sample.time);
        }
        self.take_last(sample);
        if let Some(rings) = rings {
            if self.ring.is_none() && self.rows.is_full(most) {
                self.ring = Some(ring_of_rows(&self.rows, rings));
            }
            if let Some(ring) = self.ring {
                rings.add(ring, sample.time, C::of(&sample));
            }
        }
        self.rows.push(sample, most);
    }

    /// Things came in a time: finds the largest rate of more than a few of them. Few at once are put together until they are many.
    fn count_steady(&mut self, more: u64, time: Nanos, parts: u64) {
        let (mut things, mut length) = (more, time);
        if is_few(more) {
            self.few = (self.few.0.saturating_add(more), self.few.1.plus(time));
            if is_few(self.few.0) {
                return;
            }
            (things, length) = core::mem::take(&mut self.few);
        }
        let rate = per_second(things.saturating_mul(parts), length).unwrap_or(0);
        self.steady = self.steady.max(rate);
    }

    /// The value right before a time, if it is known: if all samples are kept, or none came later.
    pub(crate) fn value_before(&self, time: Nanos) -> Option<u64> {
        let last = self.last.filter(|_| self.first < time)?;
        if last.time < time || self.most == 0 {
            return Some(last.value);
        }
        let at = self.rows.beside(time, Direction::Previous).filter(|_| self.rows.stride() == 1)?;
        self.rows.kept().get(at).map(|sample| sample.value)
    }

    #[inline]
    fn take_last(&mut self, sample: Sample) {
        self.first = self.first.min(sample.time);
        if self.last.is_none_or(|last| last.time <= sample.time) {
            self.last = Some(sample);
        }
    }
}

/// Makes a ring from rows: from now on not all samples have a row, but until now all do.
#[cold]
pub(super) fn ring_of_rows<C: FromSample>(rows: &Rows<Sample>, rings: &mut Rings<C>) -> RingId {
    let ring = rings.add_ring();
    rows.kept().iter().for_each(|sample| rings.add(ring, sample.time, C::of(sample)));
    ring
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Here there is room for 100 of each.
    #[test]
    fn each_of_many_counters_keeps_some_values() {
        let mut samples = SampleStore::default();
        let key = |at| SeriesKey { kind: 0, is_point: false, of_log: false, lines: 1, at };
        for at in 0..limits::SAMPLES_BYTES / size_of::<Sample>() / 100 {
            samples.add(key(at), Sample { time: Nanos(0), value: 1 });
        }
        for time in 1..limits::MIN_SAMPLES as u64 {
            samples.add(key(77), Sample { time: Nanos(time), value: time });
        }
        let (_, kept) = samples.of(0).find(|(at, _)| *at == 77).expect("it has values");
        assert_eq!((kept.rows.kept().len(), kept.rows.stride()), (limits::MIN_SAMPLES, 1));
    }
}
