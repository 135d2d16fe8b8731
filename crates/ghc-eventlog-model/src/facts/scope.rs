//! What facts are about: the whole log, or a range of it.

use crate::{
    asking::range::Range,
    facts::{profiles::ProfilesIn, spans::SpansIn, stops::StopsIn, threads::ThreadsIn},
    keeping::{rts_flags::TraceClass, samples::Series},
    known::{Known, arrangement::Arrangement, sums::Sums},
    reading::model::Model,
    terms::{absence::Absence, machine::Placed, range::RangeTotals, sample::Sample, track::TrackId, value::Value},
};
use alloc::vec::Vec;
use core::{cell::OnceCell, ops};
use ghc_eventlog::{Nanos, ThreadId};

/// What figures and tables are asked of: the whole log, or a range of it; and how their reader has arranged the log, which decides where
/// their links lead. `None` and `Some(&range)` serve, too.
#[derive(Debug, Clone, Copy, Default)]
pub struct About<'a> {
    /// The range; `None` for the whole log.
    pub range: Option<&'a Range>,
    /// `None` for a log as it is by default.
    pub arrangement: Option<&'a Arrangement>,
}

impl<'a> From<Option<&'a Range>> for About<'a> {
    fn from(range: Option<&'a Range>) -> Self {
        Self { range, ..Self::default() }
    }
}

/// A log as far as it has been read, or a range of it.
pub(crate) struct Scope<'m> {
    pub(crate) model: &'m Model,
    pub(crate) range: Option<&'m Range>,
    /// How its reader has arranged the log.
    pub(crate) arrangement: Arrangement,
    /// What is made of the profiles, once somebody asks.
    profiles: ProfilesIn,
    /// What is made of the threads; likewise.
    threads: ThreadsIn,
    /// Likewise of spans.
    spans: SpansIn,
    /// Likewise of who stopped last before collections.
    stops: StopsIn,
    /// The order of the markers; likewise.
    markers: OnceCell<Vec<u32>>,
}

impl<'m> Scope<'m> {
    pub(crate) fn of(model: &'m Model, about: impl Into<About<'m>>) -> Self {
        let About { range, arrangement } = about.into();
        Self {
            model,
            range,
            arrangement: arrangement.cloned().unwrap_or_default(),
            profiles: ProfilesIn::default(),
            threads: ThreadsIn::default(),
            spans: SpansIn::default(),
            stops: StopsIn::default(),
            markers: OnceCell::new(),
        }
    }
}

impl Scope<'_> {
    /// The name that the program gave a thread by labelThread, for a table; `Value::Unknown` if it gave none.
    pub(crate) fn label(&self, thread: Option<ThreadId>) -> Value {
        thread.and_then(|thread| self.model.threads().label(thread)).map_or(Value::Unknown, Value::words)
    }

    /// What is to be said where tables have [labels](Self::label), if some of these are missing.
    pub(crate) fn about_labels(&self) -> Option<&'static str> {
        (self.model.threads().labels_dropped() > 0).then_some(
            "There is no room for the labels of all threads: those that live and run for the shortest time lack theirs first.",
        )
    }

    /// Whether the log has names of info tables or cost centres that are not kept.
    pub(crate) fn lacks_names(&self) -> bool {
        self.known().stores.diagnostics.lacks_names()
    }

    /// What is to be said beside counts and times, if events are missing or are not where or when they belong.
    pub(crate) fn about_disorder(&self) -> impl Iterator<Item = &'static str> {
        let known = &self.known().stores.diagnostics;
        let all = [
            (
                known.lacking > 0,
                "Events are missing from blocks: what they were is not counted here, and a run or collection around them may be two.",
            ),
            (
                known.back.0 > 0,
                "Times of the log go back: events are out of order or have false times, and so times here may be wrong.",
            ),
            (
                known.unended + known.unbegun > 0,
                "Ends or begins of runs or collections are missing: counts and times here may be wrong.",
            ),
            (
                known.has_other_clock,
                "The log of another process follows, whose clock begins anew: counts are of both; of the times at which both have events, only what the first did is counted.",
            ),
        ];
        all.into_iter().filter(|(is_so, _)| *is_so).map(|(_, sentence)| sentence)
    }

    /// What the profiles say of it.
    pub(crate) fn profiles(&self) -> &ProfilesIn {
        &self.profiles
    }

    /// The same of the threads.
    pub(crate) fn in_threads(&self) -> &ThreadsIn {
        &self.threads
    }

    /// The same of spans.
    pub(crate) fn in_spans(&self) -> &SpansIn {
        &self.spans
    }

    /// The same of who stopped last.
    pub(crate) fn in_stops(&self) -> &StopsIn {
        &self.stops
    }

    /// The order of the markers, as `make` makes it.
    pub(crate) fn markers(&self, make: impl FnOnce() -> Vec<u32>) -> &[u32] {
        self.markers.get_or_init(make)
    }

    pub(crate) fn known(&self) -> &Known {
        &self.model.known
    }

    /// Whether it is all of the log.
    pub(crate) fn is_whole(&self) -> bool {
        self.range.is_none()
    }

    /// Whether not all is known of the times in which capabilities were disabled and did nothing.
    pub(crate) fn misses_disabled(&self) -> bool {
        let stores = &self.known().stores;
        // Then the order of time tells how long that was.
        let is_told = self.is_whole() && self.replayed().is_some();
        stores.rests.lost_some() && stores.lives.were_disabled() && !is_told || stores.lives.is_capped()
    }

    /// What only the whole log tells.
    pub(crate) fn of_whole<T>(&self, value: T) -> Option<T> {
        self.is_whole().then_some(value)
    }

    /// From when to when it is: no longer than the log.
    pub(crate) fn times(&self) -> Option<(Nanos, Nanos)> {
        let (first, last) = self.model.extent()?;
        let (from, to) = self.range.map_or((first, last), |range| (range.summed.from, range.summed.to));
        Some((from.max(first), to.min(last).max(from.max(first))))
    }

    /// How long it is.
    pub(crate) fn length(&self) -> Option<Nanos> {
        self.times().map(|(from, to)| to.since(from))
    }

    /// Of a list in order of time, those within it.
    pub(crate) fn within<T>(&self, list: &[T], time: impl Fn(&T) -> Nanos) -> ops::Range<usize> {
        let before = |end: Nanos| list.partition_point(|item| time(item) < end);
        self.range.map_or(0..list.len(), |range| {
            before(range.summed.from)..before(range.summed.to).max(before(range.summed.from))
        })
    }

    /// The time that a track was in each of its states; none if that is not known, or not yet.
    pub(crate) fn states(&self, track: TrackId) -> Vec<Nanos> {
        match self.range {
            None => self.model.totals(&self.arrangement, track),
            Some(_) => self.range_totals(track).states,
        }
    }

    /// What a track did in the range.
    pub(crate) fn range_totals(&self, track: TrackId) -> RangeTotals {
        self.range.and_then(|range| self.model.range_totals(&self.arrangement, range, track)).unwrap_or_default()
    }

    /// What was found of all streams together; `None` if that is not known yet.
    pub(crate) fn sums(&self) -> Option<Sums> {
        match self.range {
            Some(range) => range.is_gathered().then(|| range.summed.of_all()),
            None => {
                let mut all = Sums::default();
                self.known().caps.streams.iter().for_each(|stream| all.add_all(&stream.sums));
                Some(all)
            }
        }
    }

    /// What was found of one stream; likewise.
    pub(crate) fn sums_of(&self, stream: usize) -> Option<Sums> {
        match self.range {
            Some(range) => range.summed.of_stream(stream).filter(|_| range.is_gathered()).copied(),
            None => self.known().caps.streams.get(stream).map(|stream| stream.sums),
        }
    }

    /// The largest value of a counter of the whole log, and when it came first; of a range, among the values that came in it.
    pub(crate) fn most<K: Placed>(&self) -> Option<Sample> {
        let series = self.known().stores.samples.series::<K>(0, 0)?;
        if self.is_whole() {
            return series.last.map(|_| Sample { time: series.most_at, value: series.most });
        }
        let first_of_most = |one: &Sample, other: &Sample| one.value.cmp(&other.value).then(other.time.cmp(&one.time));
        self.kept(series)?.iter().copied().max_by(first_of_most)
    }

    /// Its last value, and when it came; likewise.
    pub(crate) fn last<K: Placed>(&self) -> Option<Sample> {
        let series = self.known().stores.samples.series::<K>(0, 0)?;
        if self.is_whole() { series.last } else { self.kept(series)?.last().copied() }
    }

    /// How many values a counter of the whole log has, each in an event of a number; `None` if the log has none.
    pub(crate) fn samples_of<K: Placed>(&self, tag: u16) -> Option<u64> {
        if self.is_whole() || !self.known().counts.has_any(&[tag]) {
            return Some(self.events(&[tag])).filter(|samples| *samples > 0);
        }
        let series = self.known().stores.samples.series::<K>(0, 0)?;
        self.kept(series).map(|rows| rows.len() as u64)
    }

    /// Of a counter's values those in the range, if all of them are kept.
    fn kept<'s>(&self, series: &'s Series) -> Option<&'s [Sample]> {
        let rows = Some(series.rows.kept()).filter(|_| series.rows.stride() == 1)?;
        rows.get(self.within(rows, |sample| sample.time))
    }

    /// The value that a stream's counter has at the end, if that is known.
    pub(crate) fn value_at_end<K: Placed>(&self, stream: usize) -> Option<u64> {
        let series = self.known().stores.samples.series::<K>(stream, 0)?;
        let Some(range) = self.range else { return series.last.map(|last| last.value) };
        series.value_before(range.summed.to)
    }

    /// Why the log has nothing of something, if none can come: what `absence` says.
    pub(crate) fn lacks(&self, absence: impl Fn(&Known) -> Option<Absence>) -> Option<Absence> {
        absence(self.known()).filter(|_| self.known().is_whole())
    }

    /// The same for events of a class.
    pub(crate) fn lacks_class(&self, tags: &[u16], class: TraceClass) -> Option<Absence> {
        self.lacks(|known| known.absence(tags, class))
    }

    /// Whether the runtime that wrote the log writes events of this number: its header says so, or there are some.
    pub(crate) fn can_tell(&self, tag: u16) -> bool {
        self.model.description(tag).is_some() || self.known().counts.has_any(&[tag])
    }

    /// How many events of these numbers the log has.
    pub(crate) fn events(&self, tags: &[u16]) -> u64 {
        self.model.counts().filter(|(tag, _)| tags.contains(tag)).map(|(_, count)| count).sum()
    }
}
