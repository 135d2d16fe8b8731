//! What the program marked (traceMarker): how often each text came, and when first.

use super::wordings::Wordings;
use crate::limits;
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// How often a text came, and when first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marker {
    pub(crate) count: u64,
    pub(crate) first: Nanos,
}

/// All of them.
#[derive(Debug)]
pub(crate) struct Markers {
    /// By the places of their texts.
    rows: Vec<Marker>,
    pub(crate) texts: Wordings,
    /// How many had a text for which there was no room.
    pub(crate) beyond: u64,
}

impl Default for Markers {
    fn default() -> Self {
        let texts = Wordings::with_room(limits::MAX_MARKERS, limits::MARKER_BYTES);
        Self { rows: Vec::new(), texts, beyond: 0 }
    }
}

impl Markers {
    pub(crate) fn add(&mut self, time: Nanos, text: &[u8]) {
        let Some(place) = self.texts.place(text) else {
            self.beyond += 1;
            return;
        };
        match self.rows.get_mut(place as usize) {
            // Capabilities' blocks come in no order of time.
            Some(Marker { count, first }) => (*count, *first) = (*count + 1, time.min(*first)),
            None => self.rows.push(Marker { count: 1, first: time }),
        }
    }

    pub(crate) fn rows(&self) -> &[Marker] {
        &self.rows
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.rows.capacity() * size_of::<Marker>() + self.texts.bytes_held()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn they_are_counted_by_their_texts() {
        let mut markers = Markers::default();
        [(50, "b"), (30, "a"), (20, "b")].into_iter().for_each(|(at, text)| markers.add(Nanos(at), text.as_bytes()));
        let of = |count, first| Marker { count, first: Nanos(first) };
        assert_eq!((markers.rows(), markers.beyond), (&[of(2, 20), of(1, 30)][..], 0));
    }

    #[test]
    fn what_there_is_no_room_for_is_counted() {
        let mut markers = Markers::default();
        (0..limits::MAX_MARKERS + 5).for_each(|number| markers.add(Nanos(1), number.to_string().as_bytes()));
        assert_eq!((markers.rows().len(), markers.beyond), (limits::MAX_MARKERS, 5));
        markers.add(Nanos(2), b"7");
        assert_eq!(markers.rows()[7].count, 2);
    }
}
