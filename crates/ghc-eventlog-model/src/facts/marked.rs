//! Which tracks a piece of evidence is about.

use crate::{
    reading::model::Model,
    terms::{evidence::Evidence, track::TrackId},
};

impl Model {
    /// The tracks of its capability and of its thread, as far as it has them and they are not the track that shows it.
    pub fn also_marked(&self, evidence: &Evidence) -> impl Iterator<Item = TrackId> {
        let of_thread = evidence.thread.and_then(|thread| self.known.track_of_thread(thread));
        let shown = evidence.track;
        [evidence.cap.map(TrackId::capability), of_thread]
            .into_iter()
            .flatten()
            .filter(move |track| Some(*track) != shown)
    }
}
