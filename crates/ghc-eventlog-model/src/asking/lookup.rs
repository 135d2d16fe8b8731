//! What is at a place of a track, and what comes before and after it.
//!
//! ```text
//! drawn    |      ##  ||| |   ##########     |
//! asked          ^  one pixel, from ... to
//! ```
//!
//! A question may need several pieces of the file, one after the other: see [`LookUp`].

mod search;
mod stops;

pub(crate) use crate::terms::place::Pixel;
use crate::{
    known::arrangement::Arrangement,
    reading::model::Model,
    terms::{
        place::{Direction, Found, Place, SpanInfo},
        track::TrackId,
    },
};
use ghc_eventlog::Nanos;
pub use search::LookUp;
use search::Question;

impl Model {
    /// Begins to look up what is drawn of a track in a pixel from `from` to `to`: a [`Job`](crate::Job).
    #[must_use]
    pub fn look_up(&self, arrangement: &Arrangement, track: TrackId, from: Nanos, to: Nanos) -> LookUp {
        self.look_up_part(arrangement, track, from, to, None)
    }

    /// The same for a part of what is drawn there, if a part is given: for a heap profile, the number of a band in
    /// [`Window::counts`](crate::Window::counts).
    #[must_use]
    pub fn look_up_part(
        &self,
        arrangement: &Arrangement,
        track: TrackId,
        from: Nanos,
        to: Nanos,
        part: Option<u32>,
    ) -> LookUp {
        let to = to.max(from.plus(Nanos(1)));
        let pixel = Pixel { from, at: Nanos(from.0.midpoint(to.0)), to, part };
        let Some((tracks, of)) = track.tracks() else { return LookUp::answered(arrangement, Place::Unknown(None)) };
        let known = self.known.arranged(arrangement);
        match tracks.at(&known, of, pixel) {
            Found::Place(place) => LookUp::answered(arrangement, place),
            Found::Event(place, offset) => LookUp::of_event(&known, place, offset),
            Found::Notes(place, offsets) => LookUp::of_notes(&known, place, &offsets),
            Found::In(source) => LookUp::begun(&known, track, Question::At(pixel), source),
            Found::Threads(needed) => LookUp::of_threads(arrangement, track, Question::At(pixel), needed),
        }
    }

    /// Begins to look up the first span that begins after `time`, or the last one that begins before it: a
    /// [`Job`](crate::Job). Idle time is not a span.
    #[must_use]
    pub fn neighbour(&self, arrangement: &Arrangement, track: TrackId, time: Nanos, direction: Direction) -> LookUp {
        let Some((tracks, of)) = track.tracks() else { return LookUp::answered(arrangement, Place::Empty) };
        let known = self.known.arranged(arrangement);
        match tracks.beside(&known, of, time, direction) {
            Found::Place(place) => LookUp::answered(arrangement, place),
            Found::Event(place, offset) => LookUp::of_event(&known, place, offset),
            Found::Notes(place, offsets) => LookUp::of_notes(&known, place, &offsets),
            Found::In(source) => LookUp::begun(&known, track, Question::Beside(time, direction), source),
            Found::Threads(needed) => LookUp::of_threads(arrangement, track, Question::Beside(time, direction), needed),
        }
    }

    /// Begins to look up a wake-up: a [`Job`](crate::Job). With `direction` backwards: which thread woke this one up for what
    /// it does at `time`. Forwards: which thread this one woke up, in its run at that time or after it. The answer is what
    /// the other thread did then, on that thread's [track](LookUp::track). `track` must be a thread's.
    #[must_use]
    pub fn woken(&self, arrangement: &Arrangement, track: TrackId, time: Nanos, direction: Direction) -> LookUp {
        LookUp::of_wakers(&self.known.arranged(arrangement), track, time, direction)
    }

    /// The track of the thread that a span is about, and the track of the capability on which it ran; `None` where there is
    /// none.
    #[must_use]
    pub fn of_span(
        &self,
        arrangement: &Arrangement,
        track: TrackId,
        info: &SpanInfo,
    ) -> (Option<TrackId>, Option<TrackId>) {
        track.tracks().map_or((None, None), |(tracks, of)| tracks.of_span(&self.known.arranged(arrangement), of, info))
    }

    /// The answer; `None` as long as the job is not done.
    #[must_use]
    pub fn found<'a>(&self, search: &'a LookUp) -> Option<&'a Place> {
        search.place.as_ref()
    }
}
