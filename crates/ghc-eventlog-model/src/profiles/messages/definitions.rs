//! What the numbers in stacks mean. A number is defined anew after each start of logging, usually as before. If it is not, the new
//! definition holds from there on, and the older one for the stacks before it.
//!
//! ```text
//! 5 = "parse"   stack: 5   │ another stream │   5 = "parse"   stack: 5    5 = "write"   stack: 5
//!   0                  0                          0                  0      1                  1
//! ```
//!
//! Blocks of several capabilities are in the file in any order, so a stack may come before the definition that it means: it gets
//! a place, and the next definition in the same stream goes there.

use crate::{keeping::places::Places, limits};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// A number's meaning, for a part of the log.
#[derive(Debug, Clone, Copy)]
struct Meaning {
    /// When it was defined, and a hash of what as; `None` as long as it is only used.
    defined: Option<(Nanos, u64)>,
    /// The stream in which that was, or in which it was defined again.
    stream: u32,
    /// The number's meaning before; [`NOT_KEPT`] if there was none.
    before: u32,
}

/// The bytes of a meaning, and of the place of the latest one of its number.
#[cfg(test)]
pub(crate) const MEANING_BYTES: usize = size_of::<Meaning>() + size_of::<u32>();

/// The place of meanings for which there is no room.
pub(crate) const NOT_KEPT: u32 = u32::MAX;

/// The meanings of numbers of one kind, in a list: the owner keeps what they are.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    all: Vec<Meaning>,
    /// Each number's latest meaning.
    latest: Vec<u32>,
    by_number: Places,
    stream: u32,
}

impl Definitions {
    /// The place of what a number means at a time; and if that is new, the place of what it meant in earlier streams.
    pub(super) fn used(&mut self, number: u64, time: Nanos) -> (u32, Option<u32>) {
        let head = self.head(number);
        let latest = self.latest(head);
        let mut place = latest;
        // Usually the first one.
        for _ in 0..limits::MAX_MEANINGS_TRIED {
            let Some(Meaning { defined: Some((since, _)), stream, before }) = self.get(place) else { break };
            if since <= time || stream != self.stream || self.get(before).is_none_or(|one| one.stream != stream) {
                break;
            }
            place = before;
        }
        match self.get(place) {
            Some(meaning) if meaning.stream == self.stream => (place, None),
            // What the number meant in an earlier stream may not hold any more.
            _ => match self.add(head, Meaning { defined: None, stream: self.stream, before: latest }) {
                Some(place) => (place, Some(latest)),
                None => (latest, None),
            },
        }
    }

    /// The place where a definition is to be put: [`NOT_KEPT`] if there is no room, and `None` if the number means that already.
    pub(super) fn defined(&mut self, number: u64, time: Nanos, content: u64) -> Option<u32> {
        let head = self.head(number);
        let latest = self.latest(head);
        match self.all.get_mut(latest as usize) {
            Some(meaning) if meaning.defined.is_some_and(|(_, known)| known == content) => {
                meaning.stream = self.stream;
                None
            }
            _ => Some(self.place_of(head, time, content).unwrap_or(NOT_KEPT)),
        }
    }

    /// The place for a number's new meaning, if there is room.
    fn place_of(&mut self, head: usize, time: Nanos, content: u64) -> Option<u32> {
        let latest = self.latest(head);
        let stream = self.stream;
        let defined = Some((time, content));
        match self.all.get_mut(latest as usize) {
            Some(meaning) if meaning.stream == stream && meaning.defined.is_none() => {
                meaning.defined = defined;
                Some(latest)
            }
            // Blocks are in any order: the number had meant this before.
            Some(meaning) if meaning.stream == stream && meaning.defined.is_some_and(|(since, _)| time < since) => {
                let before = meaning.before;
                let earlier = self.push(Meaning { defined, stream, before })?;
                if let Some(meaning) = self.all.get_mut(latest as usize) {
                    meaning.before = earlier;
                }
                Some(earlier)
            }
            _ => {
                let place = self.add(head, Meaning { defined, stream, before: latest });
                if let Some(latest) = self.latest.get_mut(head).filter(|_| place.is_none()) {
                    // The older meaning would be wrong.
                    *latest = NOT_KEPT;
                }
                place
            }
        }
    }

    /// Another stream begins.
    pub(super) fn end_stream(&mut self) {
        self.stream += 1;
    }

    fn get(&self, place: u32) -> Option<Meaning> {
        self.all.get(place as usize).copied()
    }

    /// The number's place in [`Self::latest`], added if necessary and if there is room.
    fn head(&mut self, number: u64) -> usize {
        if let Some(head) = self.by_number.find_number(number) {
            return head as usize;
        }
        if self.latest.len() >= limits::MAX_STACK_NAMES {
            return usize::MAX;
        }
        self.by_number.insert_number(number, self.latest.len() as u32);
        self.latest.push(NOT_KEPT);
        self.latest.len() - 1
    }

    fn latest(&self, head: usize) -> u32 {
        self.latest.get(head).copied().unwrap_or(NOT_KEPT)
    }

    /// Adds a number's latest meaning, if there is room.
    fn add(&mut self, head: usize, meaning: Meaning) -> Option<u32> {
        self.latest.get(head)?;
        let place = self.push(meaning)?;
        self.latest.get_mut(head).into_iter().for_each(|latest| *latest = place);
        Some(place)
    }

    fn push(&mut self, meaning: Meaning) -> Option<u32> {
        let place = self.all.len() as u32;
        (self.all.len() < limits::MAX_STACK_NAMES).then(|| self.all.push(meaning))?;
        Some(place)
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.all.capacity() * size_of::<Meaning>()
            + self.latest.capacity() * size_of::<u32>()
            + self.by_number.bytes_held()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places that some definitions (`5=a`) and uses (`5`) get, each one at a later time; `|` begins another stream, and
    /// `@3` sets the time.
    fn places(drawn: &str) -> Vec<u32> {
        let (mut definitions, mut time, mut places) = (Definitions::default(), 0, Vec::new());
        for word in drawn.split(' ') {
            time += 1;
            match word.split_once('=') {
                Some((number, text)) => {
                    let content = u64::from(text.as_bytes()[0]);
                    definitions.defined(number.parse().unwrap(), Nanos(time), content);
                }
                None if word == "|" => definitions.end_stream(),
                None => match word.strip_prefix('@') {
                    Some(at) => time = at.parse().unwrap(),
                    None => places.push(definitions.used(word.parse().unwrap(), Nanos(time)).0),
                },
            }
        }
        places
    }

    #[test]
    fn a_definition_holds_from_there_on() {
        assert_eq!(places("5=a 5 5=b 5 5=b 5"), [0, 1, 1]);
        assert_eq!(places("5=a 5 | 5=a 5 | 5=b 5 5=a 5"), [0, 0, 1, 2]);
        assert_eq!(places("5=a 6=a 6 5 7"), [1, 0, 2]);
    }

    #[test]
    fn a_number_may_be_used_before_it_is_defined() {
        assert_eq!(places("5 5=a 5 5=b 5"), [0, 0, 1]);
        // In the second stream, the definition may be another.
        assert_eq!(places("5=a 5 | 5 5=b 5 | 5"), [0, 1, 1, 2]);
        assert_eq!(places("5 | 5=a 5"), [0, 1]);
    }

    #[test]
    fn blocks_of_capabilities_are_in_any_order() {
        // Defined at 10 and at 20; the block with the uses at 5, 15 and 25 comes last.
        assert_eq!(places("@9 5=a @19 5=b @14 5 @24 5 @4 5"), [0, 1, 0]);
        // The later definition comes first.
        assert_eq!(places("@19 5=b @24 5 @9 5=a @14 5 @24 5"), [0, 1, 0]);
    }

    #[test]
    fn meanings_are_bounded() {
        let mut definitions = Definitions::default();
        let most = limits::MAX_STACK_NAMES as u64;
        let defined = (0..most + 10).map(|number| definitions.defined(number, Nanos(number), 1));
        assert_eq!(defined.filter(|place| *place == Some(NOT_KEPT)).count(), 10);
        assert_eq!(definitions.all.len() as u64, most);
        assert_eq!(definitions.used(7, Nanos(1)).0, 7);
        assert_eq!(definitions.used(most + 1, Nanos(1)).0, NOT_KEPT);
        // The older meaning would be wrong.
        definitions.defined(7, Nanos(8), 2);
        assert_eq!(definitions.used(7, Nanos(9)).0, NOT_KEPT);
        // In a further stream, it is the best guess.
        definitions.end_stream();
        assert_eq!(definitions.used(8, Nanos(1)).0, 8);
    }
}
