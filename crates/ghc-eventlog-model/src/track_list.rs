//! The tracks that a log has, in the order of the page.

use crate::{
    model::Model,
    tracks::{Note, Shape, State, Track, TrackId, capability, collections},
};
use alloc::{format, string::ToString, vec, vec::Vec};
use ghc_eventlog::Nanos;

const RUNNING: usize = capability::RUNNING as usize;

impl Model {
    /// The tracks there are so far. Their order is that of the page, and does not change but for new capabilities.
    #[must_use]
    pub fn tracks(&self) -> Vec<Track> {
        let state = &self.state;
        let length = self.extent().map_or(Nanos(0), |(first, last)| last.since(first));
        let share = |time: Nanos| time.0 as f64 / length.0.max(1) as f64;
        let lanes: Vec<Track> = state
            .caps
            .lanes()
            .map(|(cap, stream)| Track {
                id: TrackId::Capability(cap),
                name: format!("HEC {cap}"),
                group: "Capabilities",
                shape: Shape::States,
                states: capability::STATES,
                note: Note::Share(share(stream.sums.lane[RUNNING])),
                known: Some(stream.times().unwrap_or_default()),
            })
            .collect();
        // Not `sum`, which is -0 for no lanes.
        let ran = state.caps.lanes().fold(0.0, |ran, (_, stream)| ran + share(stream.sums.lane[RUNNING]));
        let total = state.collections.total();
        let mut tracks = vec![Track {
            id: TrackId::Activity,
            name: "Activity".to_string(),
            group: "Activity",
            shape: Shape::Level,
            states: &[State { name: "running", role: "running" }],
            note: Note::Share(ran / lanes.len().max(1) as f64),
            known: None,
        }];
        tracks.extend(lanes);
        tracks.push(Track {
            id: TrackId::Collections,
            name: "Collections".to_string(),
            group: "Garbage collection",
            shape: Shape::States,
            states: collections::STATES,
            note: Note::Count(total.count, total.longest),
            known: None,
        });
        tracks
    }

    /// The time that a track was in each of its states, over the whole log as far as it is read. Exact.
    #[must_use]
    pub fn totals(&self, track: TrackId) -> Vec<Nanos> {
        let state = &self.state;
        match track {
            TrackId::Activity => Vec::new(),
            TrackId::Collections => {
                let elapsed = state.collections.by_generation().map(|totals| totals.elapsed.0);
                collections::by_state(&elapsed, state.collections.oldest()).map(Nanos).to_vec()
            }
            TrackId::Capability(cap) => {
                let stream = state.caps.stream(Some(cap)).and_then(|at| state.caps.streams.get(at));
                stream.map_or(Vec::new(), |stream| stream.sums.lane.to_vec())
            }
        }
    }
}
