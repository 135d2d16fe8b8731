//! Where a hit is seen.

use super::hit::{Hit, HitKind};
use crate::{
    known::arrangement::Arrangement, reading::model::Model, terms::track::TrackId, tracks::user_spans::UserSpanTracks,
};

impl Model {
    /// The track that shows a hit: for an event, that of its capability. `None` if there is none.
    #[must_use]
    pub fn track_of_hit(&self, arrangement: &Arrangement, hit: &Hit) -> Option<TrackId> {
        match hit.kind {
            HitKind::Collection => Some(TrackId::COLLECTIONS),
            HitKind::Span => {
                let place = u32::try_from(hit.place).ok()?;
                // If it was read again, its place is not one among those that are kept: then labels have rows.
                let lane = arrangement.rows()?.spans.of_span(place, hit.label?)?;
                Some(TrackId::of::<UserSpanTracks>(lane.number()))
            }
            HitKind::Run | HitKind::Message | HitKind::Marker | HitKind::Event => {
                let cap = hit.cap.filter(|cap| self.known.caps.place(*cap).is_some())?;
                Some(TrackId::capability(cap))
            }
        }
    }
}
