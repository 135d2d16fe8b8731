//! Texts from the log in one buffer of bounded size: whole, as long as there is room.
//!
//! ```text
//! room for all        "Data.Map.Strict.insertWith"  "worker"  "a long text … of 9000 bytes"
//! too little room     "Data.Map.Strict.insertWith"  "worker"  "a long…9000 bytes"
//! ```
//!
//! When there is no room left, the longest texts are cut first, all to the same length, down to [`limits::MAX_TEXT`]. They are cut in
//! the middle: texts that begin alike differ at the end. What a text is, is never decided by what is kept of it alone: those who look
//! texts up compare a hash and the length of the whole text, too.

use crate::{limits, sorting::sort_by_number};
use alloc::{string::String, vec::Vec};
use ghc_eventlog::Text;
use ghc_eventlog_text::middle;

/// A text kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TextId {
    from: u32,
    /// Its length in bytes. The highest bit says that something was cut out of the middle.
    length: u32,
}

/// See [`TextId::length`].
const CUT: u32 = 1 << 31;

impl TextId {
    /// A number that is unique to the text.
    pub(crate) fn number(self) -> u64 {
        u64::from(self.from) << 32 | u64::from(self.length)
    }

    /// A text of which nothing is kept any more, for lack of room.
    pub(crate) const GONE: Self = Self { from: 0, length: CUT };

    /// Whether anything is kept of it.
    pub(crate) fn is_kept(self) -> bool {
        self.length() > 0
    }

    /// Whether it is all of the text.
    pub(crate) fn is_whole(self) -> bool {
        self.length & CUT == 0
    }

    fn length(self) -> usize {
        (self.length & !CUT) as usize
    }
}

#[derive(Debug)]
pub(crate) struct Texts {
    bytes: String,
    /// How many bytes there may be.
    room: usize,
    /// How many bytes are kept of a text. Less, once there was no room.
    most: usize,
    /// Bytes of texts that are forgotten.
    unused: usize,
    /// How many texts were not kept because there was no room.
    pub(crate) dropped: u64,
}

/// Where texts are after [`Texts::shorten`].
#[derive(Debug)]
pub(crate) struct Moved(Vec<(u32, TextId)>);

impl Moved {
    /// Where a text is now.
    pub(crate) fn of(&self, id: TextId) -> TextId {
        // A text without bytes is nowhere, and may say that it is where another one is.
        if id.length() == 0 {
            return TextId { from: 0, ..id };
        }
        let place = self.0.binary_search_by_key(&id.from, |(from, _)| *from).ok();
        place.and_then(|place| self.0.get(place)).map_or(TextId::default(), |(_, now)| *now)
    }
}

impl Default for Texts {
    fn default() -> Self {
        Self::with_room(limits::TEXT_BYTES)
    }
}

impl Texts {
    /// A buffer with room for `room` bytes.
    pub(crate) const fn with_room(room: usize) -> Self {
        Self { bytes: String::new(), room, most: limits::LONGEST_TEXT, unused: 0, dropped: 0 }
    }

    /// Keeps a text, or nothing of it when there is no room left.
    pub(crate) fn keep(&mut self, text: Text<'_>) -> TextId {
        if self.is_full() {
            self.dropped += 1;
            return TextId::default();
        }
        let from = self.bytes.len();
        let most = self.most_of_one();
        // A byte that is not UTF-8 becomes three.
        if text.0.len() * 3 > most {
            let mut whole = String::new();
            // Writing into a string cannot fail.
            let _ = text.write_lossy(&mut whole);
            return self.push(&whole, most, false);
        }
        let _ = text.write_lossy(&mut self.bytes);
        TextId { from: from as u32, length: (self.bytes.len() - from) as u32 }
    }

    /// Keeps a text of which something may be missing already.
    pub(crate) fn keep_part(&mut self, text: Text<'_>, is_whole: bool) -> TextId {
        let TextId { from, length } = self.keep(text);
        TextId { from, length: length | if is_whole { 0 } else { CUT } }
    }

    /// Keeps a text that another buffer has kept as `id`.
    pub(crate) fn keep_as_it_is(&mut self, text: &str, id: TextId) -> TextId {
        self.push(text, usize::MAX, !id.is_whole())
    }

    fn push(&mut self, text: &str, most: usize, was_cut: bool) -> TextId {
        let from = self.bytes.len();
        let cut = middle(text, most);
        match cut.and_then(|(head, tail)| Some((text.get(..head)?, text.get(tail..)?))) {
            Some((head, tail)) => self.bytes.extend([head, "…", tail]),
            None => self.bytes.push_str(text),
        }
        let is_cut = was_cut || cut.is_some();
        TextId { from: from as u32, length: (self.bytes.len() - from) as u32 | if is_cut { CUT } else { 0 } }
    }

    /// Whether there is no room left.
    pub(crate) fn is_full(&self) -> bool {
        !self.has_room_beside(0)
    }

    /// Whether there is room for a text, cut as short as any, and for some other bytes.
    pub(crate) fn has_room_beside(&self, bytes: usize) -> bool {
        self.bytes.len() + bytes + limits::MAX_TEXT * 3 <= self.room
    }

    /// How many bytes would be kept of a text now: it takes a quarter of the room at most.
    fn most_of_one(&self) -> usize {
        self.most.min(self.room.saturating_sub(self.bytes.len()) / 4).max(limits::MAX_TEXT)
    }

    /// Whether room should be [made](Self::shorten) for a text: it would be cut shorter than others, or not be kept.
    pub(crate) fn wants_room_for(&self, text: &[u8]) -> bool {
        let can_shorten = self.most > limits::MAX_TEXT || self.unused > self.room / 8;
        can_shorten && (self.is_full() || text.len().min(self.most) > self.most_of_one())
    }

    /// Makes room: forgets all texts that are not `used`, and then cuts the longest ones.
    pub(crate) fn shorten(&mut self, used: impl Iterator<Item = TextId>) -> Moved {
        let mut used: Vec<TextId> = used.filter(|id| id.length() > 0).collect();
        sort_by_number(&mut used, |id| id.from.into());
        used.dedup();
        let with = |most: usize| used.iter().map(|id| id.length().min(most)).sum::<usize>();
        let mut most = self.most;
        while most > limits::MAX_TEXT && (with(most) > self.room / 4 * 3 || (most == self.most && self.unused == 0)) {
            most = (most / 2).max(limits::MAX_TEXT);
        }
        let old = core::mem::take(&mut self.bytes);
        (self.most, self.unused) = (most, 0);
        self.bytes.reserve(with(most));
        let text = |id: TextId| old.get(id.from as usize..id.from as usize + id.length()).unwrap_or_default();
        Moved(used.into_iter().map(|id| (id.from, self.push(text(id), most, !id.is_whole()))).collect())
    }

    /// From now on there is less room: [`Self::shorten`] has to follow.
    pub(crate) fn shrink_to(&mut self, room: usize) {
        self.room = room;
    }

    /// Drops a text. Its room is free again if it was kept last, or else after [`Self::shorten`].
    pub(crate) fn forget(&mut self, text: TextId) {
        if text.from as usize + text.length() == self.bytes.len() {
            self.bytes.truncate(text.from as usize);
        } else {
            self.unused += text.length();
        }
    }

    /// The same for lack of room.
    pub(crate) fn drop_kept(&mut self, text: &mut TextId) {
        self.forget(core::mem::replace(text, TextId::GONE));
        self.dropped += 1;
    }

    /// Whether half of the room is free, or will be after [`Self::shorten`].
    pub(crate) fn is_half_free(&self) -> bool {
        self.bytes.len() - self.unused <= self.room / 2
    }

    pub(crate) fn get(&self, id: TextId) -> &str {
        let from = id.from as usize;
        self.bytes.get(from..from + id.length()).unwrap_or_default()
    }

    /// Whether a text is exactly these bytes.
    #[inline]
    pub(crate) fn is(&self, id: TextId, bytes: &[u8]) -> bool {
        let from = id.from as usize;
        self.bytes.as_bytes().get(from..from + id.length()).is_some_and(|kept| is_same(kept, bytes))
    }

    /// No more texts are expected: gives back the room that was left for them.
    pub(crate) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.bytes.capacity()
    }
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

    fn long(end: &str) -> String {
        "x".repeat(1000) + end
    }

    #[test]
    fn texts_are_kept_whole_as_long_as_there_is_room() {
        let mut texts = Texts::default();
        let texts_kept = ["wörker".to_string(), "y".repeat(60_000), long("one"), long("two")];
        let ids = texts_kept.each_ref().map(|text| texts.keep(Text(text.as_bytes())));
        assert_eq!(ids.map(|id| texts.get(id).to_string()), texts_kept);
        assert_eq!(ids.map(TextId::is_whole), [true; 4]);
        let bad = texts.keep(Text(&[0xff; 1000]));
        assert_eq!(texts.get(bad), "\u{fffd}".repeat(1000));
    }

    /// The longest ones first, down to what is kept of any.
    #[test]
    fn when_there_is_no_room_the_longest_texts_are_cut() {
        let mut texts = Texts::with_room(20_000);
        let mut ids = alloc::vec![texts.keep(Text(b"short")), texts.keep(Text("y".repeat(230).as_bytes()))];
        for number in 0..60 {
            let text = long(&number.to_string());
            if texts.wants_room_for(text.as_bytes()) {
                let moved = texts.shorten(ids.iter().copied());
                ids.iter_mut().for_each(|id| *id = moved.of(*id));
            }
            ids.push(texts.keep(Text(text.as_bytes())));
        }
        assert_eq!((texts.get(ids[0]), texts.get(ids[1]).len(), texts.dropped), ("short", 230, 0));
        for (id, number) in ids[2..].iter().zip(0..60) {
            let text = texts.get(*id);
            assert!(text.len() <= 500 && !id.is_whole(), "{text}");
            assert!(text.starts_with("xx") && text.ends_with(&alloc::format!("x{number}")), "{text}");
        }
        assert!(texts.bytes.len() <= 20_000);
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
