//! What the first pass does with the results of the machines: they go to the overview and to the tables.

use crate::{
    keeping::{
        occurring::{LongestRun, ThreadFilter},
        overview::SeriesId,
        samples::SeriesKey,
    },
    known::{stores::Stores, sums::Sums},
    terms::{
        machine::{KeptRow, Lost, Placed, Sink, Watched},
        sample::{NumbersAt, Sample},
        span::{Ending, Span},
    },
    tracks::{
        capability::{CapabilityTracks, LOST, RUNNING},
        collected, nonmoving,
        spark_rates::SparkRates,
    },
};
use ghc_eventlog::{Nanos, StopReason};

/// Takes what the machines of one stream find.
pub(crate) struct FirstPass<'a> {
    // One reference instead of one for each part: all of this is needed for every event, and there are not that many
    // registers.
    pub(crate) stores: &'a mut Stores,
    /// The stream's place.
    stream: usize,
    /// Its series in the overview. Events outside of blocks have no capability, and no lane.
    series: Option<SeriesId>,
    sums: &'a mut Sums,
    seen: &'a mut SegmentSeen,
}

/// What the open segment contains.
#[derive(Debug)]
pub(crate) struct SegmentSeen {
    /// The threads that ran.
    pub(crate) ran: ThreadFilter,
    pub(crate) longest_run: LongestRun,
    /// The smallest time: of its events, and of the begin of a run that was under way when its stream began.
    pub(crate) first: Nanos,
}

impl SegmentSeen {
    /// The state before the segment's first event.
    pub(crate) fn nothing() -> Self {
        Self { ran: ThreadFilter::default(), longest_run: LongestRun::default(), first: Nanos::MAX }
    }
}

impl<'a> FirstPass<'a> {
    /// For the stream at a place, with its series and its sums.
    #[inline(always)]
    pub(crate) fn of(
        stores: &'a mut Stores,
        stream: usize,
        series: Option<SeriesId>,
        sums: &'a mut Sums,
        seen: &'a mut SegmentSeen,
    ) -> Self {
        Self { stores, stream, series, sums, seen }
    }
}

impl Sink for FirstPass<'_> {
    #[inline(always)]
    fn span(&mut self, span: Span) {
        // Events outside of blocks have no capability, and no lane. A search finds their runs all the same.
        let time = span.end.since(span.start);
        let Some(series) = self.series else {
            self.seen.longest_run.insert(time);
            span.thread.into_iter().for_each(|thread| self.seen.ran.insert(thread));
            return;
        };
        let state = usize::from(span.state);
        self.stores.overview.add(series, state, span.start, span.end);
        match span.state {
            RUNNING => self.stores.pauses.ran(self.stream, span.start, span.end),
            LOST => {}
            _ => {
                self.stores.pauses.seen(Watched::Collections, span.start);
                self.stores.pauses.seen(Watched::Collections, span.end);
                self.stores.pauses.collected(self.stream, span.end, false);
            }
        }
        self.sums.add(CapabilityTracks::SUMS_FROM + state, time.0);
        if let Some(thread) = span.thread {
            let finished = span.ending == Ending::Stopped(Some(StopReason::Finished));
            self.stores.threads.ran(thread, time, span.end, finished);
            self.seen.ran.insert(thread);
            self.seen.longest_run.insert(time);
            // The replay needs the begin of such a run in order of time, and so it needs the segment by then.
            if span.open_start {
                self.seen.first = self.seen.first.min(span.start);
            }
        }
    }

    #[cold]
    fn rest(&mut self, from: Nanos, to: Nanos) {
        if self.series.is_some() {
            self.stores.rests.add(self.stream, from, to);
        }
    }

    #[cold]
    fn tail(&mut self, from: Nanos, to: Nanos) {
        if self.series.is_some() {
            self.stores.tails.0.add(self.stream, from, to);
            self.stores.pauses.collected(self.stream, to, true);
        }
    }

    fn sample<K: Placed>(&mut self, sample: Sample) {
        self.stores.samples.add(SeriesKey::of::<K>(self.stream, 0), sample);
    }

    fn add<K: Placed>(&mut self, sum: usize, more: u64, _: Nanos) {
        self.sums.add(K::SUMS_FROM + sum, more);
    }

    fn reach<K: Placed>(&mut self, sum: usize, total: u64, _: Nanos) {
        self.sums.reach(K::SUMS_FROM + sum, total);
    }

    fn grow<K: Placed>(&mut self, totals: &[u64], since: Nanos, time: Nanos) {
        let sums = self.sums.of_mut(K::SUMS_FROM, totals.len());
        self.stores.samples.grow::<K>(self.stream, sums, totals, since, time);
        if K::NUMBER == SparkRates::NUMBER {
            self.stores.pauses.sparks_counted(self.stream, since, time);
        }
    }

    fn moment<K: Placed>(&mut self, moment: NumbersAt) {
        self.stores.moments.add(K::NUMBER, moment);
    }

    fn row(&mut self, row: KeptRow) {
        match row {
            KeptRow::Collection(collection) => {
                let age = self.stores.collections.add(collection, &mut self.stores.overview);
                collected::count(self.sums, age, &collection, None);
            }
            KeptRow::Phase(phase) => {
                self.stores.nonmoving.add_phase(phase, nonmoving::PHASES, &mut self.stores.overview);
                nonmoving::count(self.sums, &phase, None);
            }
            KeptRow::Census(census) => self.stores.nonmoving.add_census(census),
        }
    }

    #[cold]
    fn unlogged(&mut self, class: Watched, from: Nanos, to: Nanos) {
        if self.series.is_some() {
            self.stores.pauses.add(class, from, to);
        }
    }

    fn lost(&mut self, what: Lost) {
        match what {
            Lost::Sight => {}
            Lost::Begin => self.stores.diagnostics.unbegun += 1,
            Lost::End => self.stores.diagnostics.unended += u64::from(self.series.is_some()),
            Lost::UnloggedBegin => self.stores.diagnostics.unlogged.1 += 1,
            Lost::UnloggedEnd => self.stores.diagnostics.unlogged.0 += u64::from(self.series.is_some()),
        }
    }
}
