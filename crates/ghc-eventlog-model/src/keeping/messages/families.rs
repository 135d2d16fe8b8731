//! Families of labels: those that differ only in numbers, as programs write them that number what they do. Labels that are not kept share
//! one for each family.
//!
//! ```text
//! job 17, job 18, …                                            job #
//! query 91d3c7ea-41b2-4b52-9f77-6a2e0b1f2c11 of users, …       query # of users
//! ```

use crate::{
    keeping::{heaviest::Heaviest, new_places::NewPlaces, wordings::Wordings},
    limits,
};
use alloc::vec::Vec;
use core::iter;

/// Families of labels that are not kept. When there are too many, the half is forgotten of which fewer spans began.
#[derive(Debug)]
pub(super) struct Families {
    /// What stands for the labels of each.
    texts: Wordings,
    /// The hash of each, and how many spans of it began: at most so many.
    rows: Vec<(u64, u64)>,
    /// No more began of any that was forgotten.
    forgotten: u64,
    /// Whether one of them is not kept, or only a part of its text.
    lacks_some: bool,
}

impl Default for Families {
    fn default() -> Self {
        let texts = Wordings::with_room(limits::MAX_SPAN_FAMILIES, limits::SPAN_FAMILY_BYTES);
        Self { texts, rows: Vec::new(), forgotten: 0, lacks_some: false }
    }
}

impl Families {
    /// A span begins with a label that is not kept. `may_forget` says whether others may be forgotten, which changes their numbers.
    pub(super) fn add(&mut self, label: &[u8], may_forget: bool) {
        let hash = family_hash(label);
        match self.rows.iter_mut().find(|(known, _)| *known == hash) {
            Some((_, begun)) => *begun += 1,
            None if has_number(label) => self.add_family(label, hash, may_forget),
            None => {}
        }
    }

    /// A function of its own, since the page loads it late.
    #[inline(never)]
    fn add_family(&mut self, label: &[u8], hash: u64, may_forget: bool) {
        // One that comes back now would lack its spans from before.
        if self.lacks_some && !may_forget {
            return;
        }
        let others = [&family_of(label), OTHERS_OF_IT.as_bytes()].concat();
        let mut place = self.texts.place(&others);
        if place.is_none() && may_forget {
            self.forget_rare();
            place = self.texts.place(&others);
        }
        match place.filter(|place| *place as usize == self.rows.len()) {
            Some(place) => {
                self.rows.push((hash, self.forgotten + 1));
                // The labels of the family are cut elsewhere: they are not known to be of it.
                self.lacks_some |= !self.texts.is_whole(place);
            }
            None => self.lacks_some = true,
        }
    }

    /// Keeps the half of which most spans began.
    fn forget_rare(&mut self) {
        const { assert!(limits::MAX_SPAN_FAMILIES < 1 << 6) };
        let weight = |((_, begun), place): (&(u64, u64), u64)| begun << 6 | place;
        let mut half = Heaviest::half_of(self.rows.iter().zip(0..).map(weight).collect());
        let places = NewPlaces::of(self.rows.iter().zip(0..).map(|row| half.stays(weight(row))));
        self.texts.move_to(&places);
        places.drop_from(&mut self.rows, |(_, begun)| self.forgotten = self.forgotten.max(*begun));
        self.lacks_some = true;
    }

    /// The number of a label's family, from 1 on; 0 if it has none.
    pub(super) fn number(&self, label: &[u8]) -> u8 {
        if !has_number(label) {
            return 0;
        }
        let of_family = family_hash(label);
        let place = self.rows.iter().position(|(hash, _)| *hash == of_family);
        place.map_or(0, |place| place as u8 + 1)
    }

    /// The text of the family with a number.
    pub(super) fn text(&self, number: u16) -> &str {
        self.texts.get(u32::from(number) - 1).unwrap_or_default()
    }

    /// Whether all labels of a family that are not kept have its number.
    pub(super) fn has_all_of(&self, family: &str) -> bool {
        let hash = family_hash(family.as_bytes());
        !self.lacks_some || self.rows.iter().any(|(known, _)| *known == hash)
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.texts.bytes_held() + self.rows.capacity() * size_of::<(u64, u64)>()
    }
}

/// The bytes of a label with `#` in place of each number: labels that differ only in numbers are a family, as of programs that number what
/// they do. Addresses, hashes and UUIDs are numbers, too.
fn family_bytes(label: &[u8]) -> impl Iterator<Item = u8> {
    let (mut rest, mut before, mut in_word) = (label, 0, false);
    iter::from_fn(move || {
        while let Some((first, after)) = rest.split_first() {
            let number = if in_word { 0 } else { length_of_hexadecimal(rest) };
            rest = rest.get(number..).filter(|_| number > 0).unwrap_or(after);
            in_word = number == 0 && first.is_ascii_alphanumeric();
            let byte = if number > 0 || first.is_ascii_digit() { b'#' } else { *first };
            // One for all digits of a number.
            let is_same = byte == b'#' && before == b'#';
            before = byte;
            if !is_same {
                return Some(byte);
            }
        }
        None
    })
}

/// The length of a hexadecimal number that a text begins with: a word after `0x`; or a word of eight digits or more, and up to four of four or
/// more that hyphens add to it, as in a UUID, where some digits are decimal ones and some are letters. 0 for other words.
///
/// No more than a few words are looked at: a label may be long, and this is tried at each of its words.
fn length_of_hexadecimal(text: &[u8]) -> usize {
    let word_at = |from: usize| {
        let word = text.get(from..).unwrap_or_default();
        let length = word.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let is_number = word.iter().take(length).all(u8::is_ascii_hexdigit);
        if is_number { length } else { 0 }
    };
    if let [b'0', b'x' | b'X', ..] = text {
        let digits = word_at(2);
        return if digits > 0 { 2 + digits } else { 0 };
    }
    let mut length = word_at(0);
    if length < 8 {
        return 0;
    }
    for _ in 0..4 {
        let more = if text.get(length) == Some(&b'-') { word_at(length + 1) } else { 0 };
        length += if more >= 4 { 1 + more } else { break };
    }
    let has = |kind: fn(&u8) -> bool| text.iter().take(length).any(kind);
    if has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) { length } else { 0 }
}

pub(super) fn family_of(label: &[u8]) -> Vec<u8> {
    family_bytes(label).collect()
}

/// A hash of the name of a label's family, without making it: a large log has millions of labels. Two families with the same hash would be one.
fn family_hash(label: &[u8]) -> u64 {
    family_bytes(label)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

fn has_number(label: &[u8]) -> bool {
    label.iter().any(u8::is_ascii_digit)
}

/// What comes after the name of a family where it stands for those of its labels that are not kept.
pub(super) const OTHERS_OF_IT: &str = " (others)";

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, string::String};

    fn name(label: &str) -> String {
        String::from_utf8(family_of(label.as_bytes())).unwrap()
    }

    /// The page's own rule is tried with the same labels (`tests/js/each.test.js`).
    #[test]
    fn numbers_hashes_and_uuids_are_left_out() {
        let examples = [
            ("job 17 of 20", "job # of #"),
            ("v1.2.3", "v#.#.#"),
            ("request 91d3c7ea-41b2-4b52-9f77-6a2e0b1f2c11", "request #"),
            ("request deadbeef-abcd-4b52-afab-cdefabcdefab.", "request #."),
            ("GET /blob/9F86D081884C7D65/raw", "GET /blob/#/raw"),
            ("commit=e3b0c442,next", "commit=#,next"),
            ("12345678-12 and 1234567", "#-# and #"),
            ("query 1700000000-12345 0X7f 0xg", "query #-# # #xg"),
            ("query 0x7f3a12bc4d00, 0x0", "query #, #"),
            ("facade decade deadbeef", "facade decade deadbeef"),
            ("x9f86d081884 9f86d08z", "x#f#d# #f#d#z"),
            ("größe 5ä", "größe #ä"),
            ("", ""),
        ];
        for (label, family) in examples {
            assert_eq!(name(label), family);
        }
    }

    /// In the time of a few of its bytes each, whatever its words are.
    #[test]
    fn long_labels_take_no_longer_than_their_length() {
        for piece in ["abcdefab-", "a1234567-", "select x from ", "-a", "0x-"] {
            let label = piece.repeat(1 << 20);
            assert!(family_of(label.as_bytes()).len() <= label.len(), "{piece}");
        }
    }

    /// However many others there are, and whenever it comes.
    #[test]
    fn the_family_of_most_spans_is_kept() {
        let many = 20_000;
        for heavy in [0..many / 10, many / 2..many / 5 * 3, many / 10 * 9..many] {
            let mut families = Families::default();
            for at in 0..many {
                families.add(format!("{} 1", "x".repeat(at % 150) + &"y".repeat(at / 150)).as_bytes(), true);
                if heavy.contains(&at) {
                    families.add(format!("query {at}").as_bytes(), true);
                }
            }
            let number = families.number(b"query 7");
            assert!(number > 0, "{heavy:?}");
            assert_eq!(families.text(number.into()), "query # (others)");
            assert!(families.len() <= limits::MAX_SPAN_FAMILIES && families.bytes_held() > 0);
            assert!(families.has_all_of("query #") && !families.has_all_of("x #"));
            // Once spans are marked with the numbers, these don't change, and none that was forgotten comes back.
            let len = families.len();
            (0..many).for_each(|at| families.add(format!("{} 1", "z".repeat(at % 2000)).as_bytes(), false));
            assert_eq!((families.number(b"query 8"), families.len()), (number, len));
        }
    }
}
