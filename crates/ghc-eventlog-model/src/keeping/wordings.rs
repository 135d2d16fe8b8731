//! Distinct texts of the log, each at a place, which changes when others are forgotten: up to a stated number, and within a stated room.

use super::{
    new_places::NewPlaces,
    texts::{TextId, Texts},
};
use crate::keeping::places::{Places, hash};
use alloc::vec::Vec;
use ghc_eventlog::Text;

/// Texts in the order in which they were added.
#[derive(Debug)]
pub(crate) struct Wordings {
    texts: Texts,
    /// Each with its length in the log: what is kept of it may be cut.
    rows: Vec<(TextId, u32)>,
    places: Places,
    most: usize,
}

impl Wordings {
    /// With room for `most` texts, and `bytes` bytes of them.
    pub(crate) const fn with_room(most: usize, bytes: usize) -> Self {
        Self { texts: Texts::with_room(bytes), rows: Vec::new(), places: Places::new(), most }
    }

    /// The place of a text that has this hash; `None` if it is not there.
    pub(crate) fn find(&self, hash: u64, text: &[u8]) -> Option<u32> {
        let length = text.len() as u32;
        // The kept form of a text that is long, or not UTF-8, differs from the text: then equal length and hash must be
        // enough.
        let is_same = |at: u32| {
            let Some((kept, _)) = self.rows.get(at as usize).filter(|(_, of)| *of == length) else { return false };
            let kept = self.texts.get(*kept).as_bytes();
            kept == text || kept.len() != text.len() || text.utf8_chunks().count() > 1
        };
        self.places.find(hash, is_same)
    }

    /// The place of a text, added if necessary; `None` if there is no room for it.
    pub(crate) fn place(&mut self, text: &[u8]) -> Option<u32> {
        let hash = hash(text);
        let known = self.find(hash, text);
        if known.is_some() || self.rows.len() >= self.most {
            return known;
        }
        if self.texts.wants_room_for(text) {
            self.make_room();
        }
        if self.texts.is_full() {
            return None;
        }
        let at = self.rows.len() as u32;
        self.rows.push((self.texts.keep(Text(text)), text.len() as u32));
        self.places.insert(hash, at);
        Some(at)
    }

    /// Forgets all texts that have no new place.
    pub(crate) fn move_to(&mut self, places: &NewPlaces) {
        self.places.retain(&|place| places.get(place));
        places.drop_from(&mut self.rows, |(text, _)| self.texts.forget(*text));
        self.make_room();
    }

    fn make_room(&mut self) {
        let moved = self.texts.shorten(self.rows.iter().map(|(text, _)| *text));
        self.rows.iter_mut().for_each(|(text, _)| *text = moved.of(*text));
    }

    /// The text at a place.
    pub(crate) fn get(&self, place: u32) -> Option<&str> {
        self.rows.get(place as usize).map(|(text, _)| self.texts.get(*text))
    }

    /// Whether all of the text at a place is kept, and nothing is cut out of it.
    pub(crate) fn is_whole(&self, place: u32) -> bool {
        self.rows.get(place as usize).is_some_and(|(text, _)| text.is_whole())
    }

    /// The hash of each text, with its place.
    pub(crate) fn hashes(&self) -> impl Iterator<Item = (u64, u32)> {
        self.places.all()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.texts.bytes_held() + self.rows.capacity() * size_of::<(TextId, u32)>() + self.places.bytes_held()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_equal_text_has_the_same_place() {
        let mut wordings = Wordings::with_room(4, 10_000);
        let long = [b'x'; 500];
        let places = [&b"one"[..], b"two", b"one", &long, &long[1..], b"five"].map(|text| wordings.place(text));
        assert_eq!(places, [Some(0), Some(1), Some(0), Some(2), Some(3), None]);
        assert_eq!((wordings.get(1), wordings.get(4)), (Some("two"), None));
        assert_eq!(wordings.place(b"two"), Some(1));
    }

    /// Also once they are cut: their hashes and lengths are those of the whole texts.
    #[test]
    fn texts_that_are_equal_when_cut_are_told_apart() {
        let mut wordings = Wordings::with_room(100, 8000);
        let text = |number: u8| [&[b'x'; 300][..], &[number; 2], &[b'x'; 300]].concat();
        let places: Vec<_> = (b'0'..b'0' + 20).map(|number| wordings.place(&text(number))).collect();
        assert_eq!(places, (0..20).map(Some).collect::<Vec<_>>());
        assert!(!wordings.is_whole(0) && wordings.get(0) == wordings.get(1));
        assert_eq!((wordings.place(&text(b'0')), wordings.place(&text(b'7'))), (Some(0), Some(7)));
    }

    #[test]
    fn the_room_for_texts_is_bounded() {
        let mut wordings = Wordings::with_room(1000, 1000);
        let places: Vec<_> = (0..200u32).map(|number| wordings.place(&number.to_be_bytes().repeat(8))).collect();
        assert!(places.first() == Some(&Some(0)) && places.last() == Some(&None));
    }
}
