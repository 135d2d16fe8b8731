//! Distinct texts of the log, each identified by its place: up to a stated number, and within a stated room.

use super::texts::{TextId, Texts};
use crate::{
    keeping::places::{Places, hash},
    limits,
};
use alloc::vec::Vec;
use ghc_eventlog::Text;

/// Texts in order of their first occurrence.
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
        if known.is_some() || self.rows.len() >= self.most || self.texts.is_full() {
            return known;
        }
        let at = self.rows.len() as u32;
        self.rows.push((self.texts.keep(Text(text)), text.len() as u32));
        self.places.insert(hash, at);
        Some(at)
    }

    /// The text at a place.
    pub(crate) fn get(&self, place: u32) -> Option<&str> {
        self.rows.get(place as usize).map(|(text, _)| self.texts.get(*text))
    }

    /// Whether all of the text at a place is kept, and not only how it begins.
    pub(crate) fn is_whole(&self, place: u32) -> bool {
        self.rows.get(place as usize).is_some_and(|(_, length)| *length as usize <= limits::MAX_TEXT)
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

    #[test]
    fn the_room_for_texts_is_bounded() {
        let mut wordings = Wordings::with_room(1000, 1000);
        let places: Vec<_> = (0..200u32).map(|number| wordings.place(&number.to_be_bytes().repeat(8))).collect();
        assert!(places.first() == Some(&Some(0)) && places.last() == Some(&None));
    }
}
