//! What the program marked (traceMarker): the count and first time of each text, and each marker.

use super::{
    heaviest::Heaviest,
    new_places::NewPlaces,
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
    /// The place of its text; [`u32::MAX`] if there was no room for the text, or if it was forgotten since.
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
    /// How many markers have a text that is not kept, or was forgotten: those that come most often are kept. A text that comes again is
    /// counted from then on.
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
        self.each.push_evenly(Marked { time, text, cap }, limits::MAX_MARKED);
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
        let place = self.texts.place(text).or_else(|| {
            self.forget_rare();
            self.texts.place(text)
        });
        let Some(place) = place else {
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

    /// Keeps the half of the texts that came most often; of those that came equally often, the later ones.
    #[cold]
    fn forget_rare(&mut self) {
        const { assert!(limits::MAX_MARKERS <= 1 << 16) };
        let weight = |(marker, place): (&Marker, u64)| marker.count.min(1 << 47) << 16 | place;
        let mut half = Heaviest::half_of(self.rows.iter().zip(0..).map(weight).collect());
        let places = NewPlaces::of(self.rows.iter().zip(0..).map(|row| half.stays(weight(row))));
        self.texts.move_to(&places);
        places.drop_from(&mut self.rows, |marker| self.beyond += marker.count);
        self.each.each_mut(|marked| marked.text = places.get(marked.text).unwrap_or(u32::MAX));
    }

    pub(crate) fn rows(&self) -> &[Marker] {
        &self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, string::ToString};

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
        assert_eq!(places.iter().filter(|place| place.is_none()).count(), 0);
        let half = limits::MAX_MARKERS / 2;
        assert_eq!((markers.rows().len(), markers.beyond), (half + 5, half as u64));
        let place = markers.add(Nanos(2), (limits::MAX_MARKERS + 1).to_string().as_bytes());
        assert_eq!(place.map(|place| markers.rows()[place as usize].count), Some(2));
    }

    #[test]
    fn a_marker_without_text_stays_without() {
        let mut markers = MarkerStore::default();
        let mut add = |time: u64, text: &str| markers.add(Nanos(time), text.as_bytes());
        for time in 0..3 {
            ["", "b"].into_iter().for_each(|text| _ = add(time, text));
        }
        (0..2 * limits::MAX_MARKERS).for_each(|number| _ = add(9, &number.to_string()));
        let kept = |text: &str| (0..).map_while(|place| markers.texts.get(place)).filter(|kept| *kept == text).count();
        assert_eq!(["", "b", "0"].map(kept), [1, 1, 0]);
    }

    /// As of a program that puts a number into each marker.
    #[test]
    fn texts_that_come_often_are_kept_also_if_they_come_last() {
        let mut markers = MarkerStore::default();
        let mark = |markers: &mut MarkerStore, time: u64, text: &str| {
            markers.step(Event::of(UserMarker::TAG, Nanos(time), text.as_bytes()));
        };
        for number in 0..5 * limits::MAX_MARKERS as u64 {
            mark(&mut markers, number, &number.to_string());
            if number % 100 == 0 {
                mark(&mut markers, number, "phase");
            }
        }
        (0..3).for_each(|at| mark(&mut markers, 1_000_000 + at, "failed"));
        (0..limits::MAX_MARKERS as u64).for_each(|number| mark(&mut markers, 2_000_000, &format!("x{number}")));
        markers.finish(&[]);
        let count = |text: &str| {
            let place = markers.texts.find(crate::keeping::places::hash(text.as_bytes()), text.as_bytes())?;
            Some((markers.texts.get(place)?, markers.rows()[place as usize].count))
        };
        let phases = (5 * limits::MAX_MARKERS as u64).div_ceil(100);
        assert_eq!([count("phase"), count("failed"), count("7")], [Some(("phase", phases)), Some(("failed", 3)), None]);
        let all: u64 = markers.rows().iter().map(|row| row.count).sum();
        assert_eq!(all + markers.beyond, 6 * limits::MAX_MARKERS as u64 + phases + 3);
        // Each marker still has its text, or none.
        let times = |text: &str| -> Vec<u64> {
            let its = markers.each.kept().iter().filter(|marked| markers.texts.get(marked.text) == Some(text));
            its.map(|marked| marked.time.0).collect()
        };
        let (phase, failed) = (times("phase"), times("failed"));
        assert!(!phase.is_empty() && phase.iter().all(|time| time % 100 == 0), "{phase:?}");
        assert!(failed.iter().all(|time| (1_000_000..1_000_003).contains(time)), "{failed:?}");
    }
}
