//! What the program marked (traceMarker): the count and first time of each text, and each marker.

use super::{
    rows::{Kept, Rows},
    wordings::Wordings,
};
use crate::{
    keeping::store::{Event, Purpose, Store, Streams},
    limits,
    terms::tags::Tags,
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos, UserMarker};

/// The count and first time of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marker {
    pub(crate) count: u64,
    pub(crate) first: Nanos,
}

/// A marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marked {
    pub(crate) time: Nanos,
    /// The place of its text; [`u32::MAX`] if there was no room for the text.
    pub(crate) text: u32,
    /// Where the thread ran that wrote the marker.
    pub(crate) cap: Option<CapNo>,
}

impl Kept for Marked {
    fn time(&self) -> Nanos {
        self.time
    }

    /// No marker matters more than another: as many are kept as there is room for, as evenly as they came.
    fn weight(&self) -> u64 {
        0
    }
}

/// All markers.
#[derive(Debug)]
pub(crate) struct MarkerStore {
    /// Each marker, as far as there is room.
    pub(crate) each: Rows<Marked>,
    /// By the places of their texts.
    rows: Vec<Marker>,
    pub(crate) texts: Wordings,
    /// How many had a text that was not kept.
    pub(crate) beyond: u64,
}

impl Default for MarkerStore {
    fn default() -> Self {
        let texts = Wordings::with_room(limits::MAX_MARKERS, limits::MARKER_BYTES);
        Self { each: Rows::default(), rows: Vec::new(), texts, beyond: 0 }
    }
}

impl Store for MarkerStore {
    const TAGS: Tags = Tags::of(&[UserMarker::TAG]);

    fn of(_: Purpose) -> Self {
        Self::default()
    }

    fn step(&mut self, Event { time, cap, payload, .. }: Event<'_>) {
        let text = self.add(time, UserMarker::read(payload).text.0).unwrap_or(u32::MAX);
        self.each.push(Marked { time, text, cap }, limits::MAX_MARKED);
    }

    fn settle(&mut self, _: Streams<'_>) {
        self.each.settle();
    }

    fn finish(&mut self, _: Streams<'_>) {
        self.each.finish();
    }

    fn bytes_held(&self) -> usize {
        self.each.bytes_held() + self.rows.capacity() * size_of::<Marker>() + self.texts.bytes_held()
    }
}

impl MarkerStore {
    /// Counts a marker. Returns the place of its text, if there is room for it.
    fn add(&mut self, time: Nanos, text: &[u8]) -> Option<u32> {
        let Some(place) = self.texts.place(text) else {
            self.beyond += 1;
            return None;
        };
        match self.rows.get_mut(place as usize) {
            // Blocks of capabilities are not in order of time.
            Some(Marker { count, first }) => (*count, *first) = (*count + 1, time.min(*first)),
            None => self.rows.push(Marker { count: 1, first: time }),
        }
        Some(place)
    }

    pub(crate) fn rows(&self) -> &[Marker] {
        &self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn markers_are_counted_by_their_texts() {
        let mut markers = MarkerStore::default();
        let places = [(50, "b"), (30, "a"), (20, "b")].map(|(at, text)| markers.add(Nanos(at), text.as_bytes()));
        assert_eq!(places, [Some(0), Some(1), Some(0)]);
        let of = |count, first| Marker { count, first: Nanos(first) };
        assert_eq!((markers.rows(), markers.beyond), (&[of(2, 20), of(1, 30)][..], 0));
    }

    #[test]
    fn markers_without_room_are_counted() {
        let mut markers = MarkerStore::default();
        let places: Vec<_> =
            (0..limits::MAX_MARKERS + 5).map(|number| markers.add(Nanos(1), number.to_string().as_bytes())).collect();
        assert_eq!(places.iter().filter(|place| place.is_none()).count(), 5);
        assert_eq!((markers.rows().len(), markers.beyond), (limits::MAX_MARKERS, 5));
        markers.add(Nanos(2), b"7");
        assert_eq!(markers.rows()[7].count, 2);
    }
}
