//! Texts from the log, cut to what is ever shown, in one buffer of bounded size.

use crate::limits;
use alloc::string::String;
use ghc_eventlog::Text;

/// A text kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TextId {
    from: u32,
    length: u16,
}

impl TextId {
    /// A number that is unique to the text.
    pub(crate) fn number(self) -> u64 {
        u64::from(self.from) << 16 | u64::from(self.length)
    }
}

#[derive(Debug)]
pub(crate) struct Texts {
    bytes: String,
    /// How many bytes there may be.
    room: usize,
    /// How many texts were not kept because there was no room.
    pub(crate) dropped: u64,
}

impl Default for Texts {
    fn default() -> Self {
        Self::with_room(limits::TEXT_BYTES)
    }
}

impl Texts {
    /// A buffer with room for `room` bytes.
    pub(crate) const fn with_room(room: usize) -> Self {
        Self { bytes: String::new(), room, dropped: 0 }
    }

    /// Keeps a text, or nothing of it when there is no room left.
    pub(crate) fn keep(&mut self, text: Text<'_>) -> TextId {
        if self.is_full() {
            self.dropped += 1;
            return TextId::default();
        }
        let from = self.bytes.len();
        let short = text.0.get(..limits::MAX_TEXT).map(whole_letters);
        // Writing into a string cannot fail.
        let _ = Text(short.unwrap_or(text.0)).write_lossy(&mut self.bytes);
        if short.is_some() && text.0.len() > limits::MAX_TEXT {
            self.bytes.push('…');
        }
        TextId { from: from as u32, length: (self.bytes.len() - from) as u16 }
    }

    /// Keeps a text that another buffer has kept.
    pub(crate) fn keep_as_it_is(&mut self, text: &str) -> TextId {
        let from = self.bytes.len();
        self.bytes.push_str(text);
        TextId { from: from as u32, length: text.len() as u16 }
    }

    /// Whether there is no room left.
    pub(crate) fn is_full(&self) -> bool {
        !self.has_room_beside(0)
    }

    /// Whether there is room for a text, and for some other bytes.
    pub(crate) fn has_room_beside(&self, bytes: usize) -> bool {
        self.bytes.len() + bytes + limits::MAX_TEXT * 3 <= self.room
    }

    /// Drops the text that was kept last.
    pub(crate) fn forget(&mut self, last: TextId) {
        if last.from as usize + usize::from(last.length) == self.bytes.len() {
            self.bytes.truncate(last.from as usize);
        }
    }

    pub(crate) fn get(&self, id: TextId) -> &str {
        let from = id.from as usize;
        self.bytes.get(from..from + usize::from(id.length)).unwrap_or_default()
    }

    /// Whether a text is exactly these bytes.
    #[inline]
    pub(crate) fn is(&self, id: TextId, bytes: &[u8]) -> bool {
        let from = id.from as usize;
        self.bytes.as_bytes().get(from..from + usize::from(id.length)).is_some_and(|kept| is_same(kept, bytes))
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.bytes.capacity()
    }
}

/// Drops a letter at the end that has been cut.
fn whole_letters(bytes: &[u8]) -> &[u8] {
    // A letter has at most four bytes, and the first says how many.
    let last = bytes.iter().rev().take(3).position(|byte| *byte >= 0xc0).map(|back| bytes.len() - 1 - back);
    let Some((before, letter)) = last.and_then(|last| bytes.split_at_checked(last)) else { return bytes };
    let is_cut = core::str::from_utf8(letter).is_err_and(|error| error.error_len().is_none());
    if is_cut { before } else { bytes }
}

/// Whether two slices are equal: compares eight bytes at a time; the last eight may overlap bytes that were compared before.
/// In wasm, the library's comparison is a call.
#[inline]
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let number = |bytes: &[u8; 8]| u64::from_ne_bytes(*bytes);
    if one.len() != other.len() {
        return false;
    }
    let (Some(last), Some(other_last)) = (one.last_chunk(), other.last_chunk()) else {
        return one.iter().zip(other).all(|(one, other)| one == other);
    };
    let ((words, _), (others, _)) = (one.as_chunks(), other.as_chunks());
    number(last) == number(other_last) && words.iter().zip(others).all(|(one, other)| number(one) == number(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn long_texts_are_cut_and_the_rest_kept_as_it_is() {
        let mut texts = Texts::default();
        let short = texts.keep(Text("wörker".as_bytes()));
        let long = texts.keep(Text(&[b'x'; 60_000]));
        let bad = texts.keep(Text(&[0xff; 1000]));
        assert_eq!(texts.get(short), "wörker");
        assert_eq!(texts.get(long).chars().count(), limits::MAX_TEXT + 1);
        assert!(texts.get(bad).starts_with('\u{fffd}'));
    }

    #[test]
    fn texts_are_cut_between_letters() {
        for letter in ['ö', '☃', '🦀'] {
            for before in 0..4 {
                let mut texts = Texts::default();
                let text = "x".repeat(before) + &letter.to_string().repeat(200);
                let kept = texts.keep(Text(text.as_bytes()));
                let kept = texts.get(kept).strip_suffix('…').unwrap();
                assert!(text.starts_with(kept) && kept.len() + letter.len_utf8() > limits::MAX_TEXT, "{kept}");
            }
        }
    }

    #[test]
    fn texts_are_bounded() {
        let mut texts = Texts::default();
        for _ in 0..100_000 {
            texts.keep(Text(&[b'x'; 400]));
        }
        assert!(texts.dropped > 0 && texts.bytes.len() <= limits::TEXT_BYTES);
    }

    /// Until the longest text would not fit, whatever it is made of.
    #[test]
    fn texts_are_kept_as_long_as_there_is_room() {
        let mut texts = Texts::default();
        let text = Text(b"sixteen bytes of");
        let fitting = (limits::TEXT_BYTES - limits::MAX_TEXT * 3) / text.0.len();
        for _ in 0..fitting {
            texts.keep(text);
        }
        let (last, none) = (texts.keep(text), texts.keep(text));
        assert_eq!((texts.get(last), texts.get(none), texts.dropped), ("sixteen bytes of", "", 1));
    }

    #[test]
    fn a_text_is_compared_by_its_bytes() {
        let mut texts = Texts::default();
        let long = "a label of a band".repeat(2);
        for length in 0..long.len() {
            let text = long.get(..length).unwrap();
            let id = texts.keep(Text(text.as_bytes()));
            assert!(texts.is(id, text.as_bytes()) && !texts.is(id, long.as_bytes()));
            for at in 0..length {
                let mut other = text.as_bytes().to_vec();
                other[at] ^= 1;
                assert!(!texts.is(id, &other), "{text} {at}");
            }
        }
    }
}
