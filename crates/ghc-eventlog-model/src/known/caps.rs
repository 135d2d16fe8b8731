//! The capabilities of a log, and their streams of events.

use crate::{
    keeping::overview::{Overview, SeriesId},
    known::sums::Sums,
    limits,
    terms::span::{Ending, Span},
    tracks::{Machines, capability},
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos};

/// One stream of events: a capability's, or the global one.
#[derive(Debug)]
pub(crate) struct CapEvents {
    /// The capability; `None` for the global stream.
    pub(crate) cap: Option<CapNo>,
    pub(crate) machines: Machines,
    /// Its series in the overview, if it has a lane.
    pub(crate) series: Option<SeriesId>,
    /// The smallest and the largest time of its events; before the first event, the smallest is greater than the largest.
    pub(crate) first: Nanos,
    pub(crate) last: Nanos,
    /// The smallest time in the open segment that goes back.
    pub(crate) earliest: Nanos,
    /// End time of the last complete block.
    pub(crate) closed: Nanos,
    /// Whether it has had events in this stream of the file, so that its machines continue.
    pub(crate) begun: bool,
    pub(crate) sums: Sums,
    pub(crate) told_time_back: bool,
    /// The file offset where the last segment begins that has an entry for it.
    pub(crate) segment: Option<u64>,
    /// Whether events of it were lost since its last event.
    pub(crate) lost: bool,
    /// How many losses of unknown capability had been found by its last event.
    pub(crate) losses: u64,
}

impl CapEvents {
    fn new(cap: Option<CapNo>, series: Option<SeriesId>) -> Self {
        Self {
            cap,
            machines: Machines::starting(Nanos(0)),
            series,
            first: Nanos::MAX,
            last: Nanos(0),
            earliest: Nanos::MAX,
            closed: Nanos(0),
            begun: false,
            sums: Sums::default(),
            told_time_back: false,
            segment: None,
            lost: false,
            losses: 0,
        }
    }

    /// The smallest and the largest time of its events; `None` before the first one.
    pub(crate) fn times(&self) -> Option<(Nanos, Nanos)> {
        (self.first <= self.last).then_some((self.first, self.last))
    }

    /// Whether events of it may have been lost since its last event. `losses` is how many losses of unknown capability there
    /// have been.
    pub(crate) fn has_lost(&self, losses: u64) -> bool {
        self.lost || self.losses != losses
    }

    /// The stream has another event. If there were losses, what it did since its last event is unknown.
    ///
    /// Returns its idle stretch until then, if it was idle; or else the span that was cut off.
    pub(crate) fn go_on(&mut self, losses: u64) -> (Option<(Nanos, Nanos)>, Option<Span>) {
        let mut before = (None, None);
        if self.begun && self.has_lost(losses) {
            before = (self.rest(), self.machines.lane.lose_sight(self.last).1);
            self.machines.collector.lose_sight(self.last);
        }
        (self.lost, self.losses) = (false, losses);
        before
    }

    /// Its idle stretch at the end of what is known of it, if it is idle.
    pub(crate) fn rest(&self) -> Option<(Nanos, Nanos)> {
        let is_idle = self.begun && self.machines.lane.open(self.last, Ending::Open).is_none();
        is_idle.then(|| (self.machines.lane.since(), self.last))
    }

    /// Its state at the end of what is known of it.
    pub(crate) fn open_span(&self) -> Option<Span> {
        if !self.begun {
            return None;
        }
        self.machines.lane.open(self.last, Ending::Open)
    }
}

/// All streams, the global one first.
#[derive(Debug)]
pub(crate) struct CapStreams {
    pub(crate) streams: Vec<CapEvents>,
    /// The capabilities in order, each with its stream.
    by_cap: Vec<(CapNo, u32)>,
    /// Whether there are more capabilities than lanes.
    pub(crate) is_capped: bool,
}

/// The global stream's place.
const GLOBAL: usize = 0;

impl CapStreams {
    pub(crate) fn new() -> Self {
        Self { streams: alloc::vec![CapEvents::new(None, None)], by_cap: Vec::new(), is_capped: false }
    }

    /// How many capabilities there are.
    pub(crate) fn count(&self) -> usize {
        self.by_cap.len()
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.streams.capacity() * size_of::<CapEvents>() + self.by_cap.capacity() * size_of::<(CapNo, u32)>()
    }

    /// The streams of capabilities, in order of capabilities.
    pub(crate) fn lanes(&self) -> impl Iterator<Item = (CapNo, &CapEvents)> {
        self.by_cap.iter().filter_map(|&(cap, at)| Some((cap, self.streams.get(at as usize)?)))
    }

    /// The capabilities in order, each with its stream.
    pub(crate) fn by_cap(&self) -> &[(CapNo, u32)] {
        &self.by_cap
    }

    /// The n-th capability in order.
    pub(crate) fn nth(&self, place: usize) -> Option<CapNo> {
        self.by_cap.get(place).map(|(cap, _)| *cap)
    }

    /// A capability's place in that order; `None` if it is not known.
    pub(crate) fn place(&self, cap: CapNo) -> Option<usize> {
        self.by_cap.binary_search_by_key(&cap, |(cap, _)| *cap).ok()
    }

    /// Whether there was at most one capability when this stream was found.
    pub(crate) fn is_of_first_capability(stream: usize) -> bool {
        // The global stream is there from the start, and the first capability's comes next.
        stream <= GLOBAL + 1
    }

    /// A capability's stream, or the global one; `None` if the capability is not known.
    pub(crate) fn stream(&self, cap: Option<CapNo>) -> Option<usize> {
        let Some(cap) = cap else { return Some(GLOBAL) };
        self.by_cap.get(self.place(cap)?).map(|&(_, at)| at as usize)
    }

    /// A capability's stream, created if necessary; `None` when there are too many already.
    pub(crate) fn stream_or_new(&mut self, cap: Option<CapNo>, overview: &mut Overview) -> Option<usize> {
        if let (Some(cap), None) = (cap, self.stream(cap)) {
            if self.count() >= limits::MAX_CAPS {
                self.is_capped = true;
                return None;
            }
            let series = overview.add_series(capability::FOUND);
            let place = self.by_cap.partition_point(|(other, _)| *other < cap);
            self.by_cap.insert(place, (cap, self.streams.len() as u32));
            self.streams.push(CapEvents::new(Some(cap), Some(series)));
        }
        self.stream(cap)
    }
}
