//! The tracks that a log has, in the order of the page.

use crate::{
    keeping::sums::Sums,
    model::Model,
    reading::caps::CapEvents,
    reading::session::Session,
    tracks::{
        Note, Shape, Track, TrackId,
        capability::{self, Told},
        collections,
    },
};
use alloc::{format, string::ToString, vec, vec::Vec};
use ghc_eventlog::{GcDone, GcEnd, GcIdle, GcStart, GcWork, Nanos, RunThread, StopThread};

const RUNNING: usize = capability::RUNNING as usize;
const LOST: usize = capability::LOST as usize;

/// The states of the mean of all capabilities.
const ACTIVITY: &[crate::tracks::State] = &[
    crate::tracks::State { name: "running", role: "running" },
    crate::tracks::State { name: "not running", role: "idle" },
];

impl Model {
    /// The tracks there are so far. Their order is that of the page, and does not change but for new capabilities.
    #[must_use]
    pub fn tracks(&self) -> Vec<Track> {
        let session = &self.session;
        let told = session.told();
        let lanes: Vec<Track> = session.caps.lanes().map(|(cap, stream)| lane(cap, stream, told)).collect();
        let total = session.collections.total();
        let mut tracks = vec![Track {
            id: TrackId::Activity,
            name: "Activity".to_string(),
            group: "Activity",
            shape: Shape::Level,
            states: ACTIVITY,
            lacks: vec![told.lacks(capability::RUNNING); ACTIVITY.len()],
            note: share_running(session.caps.lanes().map(|(_, stream)| stream), told),
            known: None,
        }];
        tracks.extend(lanes);
        let lacks = told.lacks(capability::GC_WORKING);
        tracks.push(Track {
            id: TrackId::Collections,
            name: "Collections".to_string(),
            group: "Garbage collection",
            shape: Shape::States,
            states: collections::STATES,
            lacks: vec![lacks; collections::STATES.len()],
            note: lacks.map_or(Note::Count(total.count, total.longest), Note::Lacks),
            known: None,
        });
        tracks
    }

    /// The time that a track was in each of its states, over the whole log as far as it is read. Exact. Of states that the
    /// log cannot tell, 0: see [`Track::lacks`].
    #[must_use]
    pub fn totals(&self, track: TrackId) -> Vec<Nanos> {
        let session = &self.session;
        match track {
            TrackId::Activity => Vec::new(),
            TrackId::Collections => {
                let elapsed = session.collections.by_kind().map(|totals| totals.elapsed.0);
                collections::by_state(&elapsed, session.collections.majors()).map(Nanos).to_vec()
            }
            TrackId::Capability(cap) => {
                let stream = session.caps.stream(Some(cap)).and_then(|at| session.caps.streams.get(at));
                stream.map_or(Vec::new(), |stream| session.lane_totals(stream, &stream.sums, Nanos(0), Nanos::MAX))
            }
        }
    }
}

fn lane(cap: ghc_eventlog::CapNo, stream: &CapEvents, told: Told) -> Track {
    Track {
        id: TrackId::Capability(cap),
        name: format!("HEC {cap}"),
        group: "Capabilities",
        shape: Shape::States,
        states: capability::STATES,
        lacks: (0..capability::STATES.len()).map(|state| told.lacks(state as u8)).collect(),
        note: share_running(core::iter::once(stream), told),
        known: Some(stream.times().unwrap_or_default()),
    }
}

/// The share of the time known of some lanes in which they ran.
fn share_running<'a>(lanes: impl Iterator<Item = &'a CapEvents>, told: Told) -> Note {
    if let Some(flag) = told.lacks(capability::RUNNING) {
        return Note::Lacks(flag);
    }
    let (ran, known) = lanes.fold((0.0, 0.0), |(ran, known), stream| {
        let here = stream.lasts(Nanos(0), Nanos::MAX).since(stream.sums.lane[LOST]);
        (ran + stream.sums.lane[RUNNING].0 as f64, known + here.0 as f64)
    });
    Note::Share(ran / known.max(1.0))
}

impl Session {
    /// Which states of lanes the log can tell: every program runs threads, and collects at its end at the latest. A log
    /// whose end is missing may just not have come to that.
    pub(crate) fn told(&self) -> Told {
        let threads = self.counts.has_any(&[RunThread::TAG, StopThread::TAG]);
        let collections = self.counts.has_any(&[GcStart::TAG, GcWork::TAG, GcIdle::TAG, GcDone::TAG, GcEnd::TAG]);
        let more_to_come = !self.is_whole();
        Told { threads: threads || !collections && more_to_come, collections: collections || more_to_come }
    }

    /// The time that a lane was in each state, from one time to another; `sums` are of what spans were found of in it.
    pub(crate) fn lane_totals(&self, stream: &CapEvents, sums: &Sums, from: Nanos, to: Nanos) -> Vec<Nanos> {
        let mut totals = sums.lane.to_vec();
        let busy = totals.iter().copied().reduce(Nanos::plus).unwrap_or_default();
        let idle = stream.lasts(from, to).since(busy);
        totals.push(if self.told().idle() { idle } else { Nanos(0) });
        totals
    }
}
