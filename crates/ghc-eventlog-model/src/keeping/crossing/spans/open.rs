//! The spans that are open. There may be tens of thousands at once, so finding, adding and removing one takes the same time however many
//! there are.
//!
//! ```text
//! START a   START b   START a         the spans with the key of a:   a's second span -> its first one
//! STOP a                              ends the second one; the first one is found from now on
//! ```

use crate::{
    keeping::{
        crossing::{
            notes::NoteChain,
            pairing::{Owner, SpanKey},
        },
        messages::label_of_mark,
        places::{Places, shuffled},
    },
    limits,
    sorting::sort_by_key,
};
use alloc::vec::Vec;
use ghc_eventlog::{Nanos, ThreadId};

/// A span that has begun.
#[derive(Debug)]
pub(super) struct OpenSpan {
    pub(super) key: SpanKey,
    /// How many spans had begun before it.
    pub(super) nth: u64,
    pub(super) start: Nanos,
    /// The time that collections had taken by then.
    pub(super) paused: Nanos,
    /// The thread that began it; 0 if no thread did.
    pub(super) thread: ThreadId,
    /// Its label as marks have it.
    pub(super) label: u32,
    /// What has been said of it.
    pub(super) notes: NoteChain,
    /// The number of its process among those of the file.
    pub(super) process: u8,
    /// The number of its label's family, if the label is not kept.
    pub(super) family: u8,
}

impl OpenSpan {
    pub(super) fn label(&self) -> u16 {
        label_of_mark((self.label, self.family))
    }
}

/// All of them, each at a place of its own.
#[derive(Debug, Default)]
pub(super) struct OpenSpans {
    /// Each with the place of the span with the same key that began before it, and of the one that began after it: of the last one, that
    /// is the first.
    spans: Vec<Option<(OpenSpan, u32, u32)>>,
    free: Vec<u32>,
    /// For each key, the one that began last.
    last: Places,
    /// How many were given up.
    given_up: usize,
    unfollowed: Unfollowed,
}

/// The places among which those are given up that make room for others: the spans that began first, such as those around all others,
/// stay in the rest.
const GIVEN_UP_AMONG: usize = limits::MAX_OPEN_SPANS / 8;

const NONE: u32 = u32::MAX;

/// Bytes of one of them, at most: the table has room for some more.
#[cfg(test)]
pub(super) const OPEN_BYTES: usize = size_of::<Option<(OpenSpan, u32, u32)>>() + size_of::<u32>() + TABLE_BYTES;
/// The same of a table of places that is at most seven eighths full.
#[cfg(test)]
pub(crate) const TABLE_BYTES: usize = (size_of::<(u64, u32)>() + 1) * 8 / 7 + 1;

impl OpenSpans {
    /// The place of the span with a key that began last.
    pub(super) fn find(&self, key: &SpanKey) -> Option<u32> {
        self.last.find(hash_of(key), |place| self.get(place).is_some_and(|open| open.key == *key))
    }

    pub(super) fn get(&self, place: u32) -> Option<&OpenSpan> {
        self.spans.get(place as usize)?.as_ref().map(|(open, ..)| open)
    }

    pub(super) fn get_mut(&mut self, place: u32) -> Option<&mut OpenSpan> {
        self.spans.get_mut(place as usize)?.as_mut().map(|(open, ..)| open)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &OpenSpan> {
        self.spans.iter().flatten().map(|(open, ..)| open)
    }

    pub(super) fn each_mut(&mut self) -> impl Iterator<Item = &mut OpenSpan> {
        self.spans.iter_mut().flatten().map(|(open, ..)| open)
    }

    pub(super) fn is_full(&self) -> bool {
        self.spans.len() - self.free.len() >= limits::MAX_OPEN_SPANS
    }

    /// Adds a span; `before` is the place of the last one with its key. Returns its place.
    pub(super) fn add(&mut self, open: OpenSpan, before: Option<u32>) -> u32 {
        let hash = hash_of(&open.key);
        let place = self.free.pop().unwrap_or_else(|| {
            self.spans.push(None);
            self.spans.len() as u32 - 1
        });
        match before {
            Some(before) => self.last.replace(hash, before, place),
            None => self.last.insert(hash, place),
        }
        let first = before.map_or(place, |before| self.link_after(before, place));
        if let Some(at) = self.spans.get_mut(place as usize) {
            *at = Some((open, before.unwrap_or(NONE), first));
        }
        place
    }

    /// Takes the span at a place that was [found](Self::find).
    pub(super) fn take(&mut self, place: u32) -> Option<OpenSpan> {
        let (open, before, first) = self.spans.get_mut(place as usize)?.take()?;
        self.free.push(place);
        let hash = hash_of(&open.key);
        match before {
            NONE => self.last.remove(hash, place),
            _ => {
                self.link_after(before, first);
                self.last.replace(hash, place, before);
            }
        }
        Some(open)
    }

    /// Links a span to one that comes after it. Returns what did until now.
    fn link_after(&mut self, place: u32, after: u32) -> u32 {
        let Some(Some((.., at))) = self.spans.get_mut(place as usize) else { return after };
        core::mem::replace(at, after)
    }

    /// Makes room for a span that begins, so that spans that never end leave room for all that come later: gives up one of those that
    /// did not begin first, and of several with its key the first one, since ends are those of the last one. Returns it and its place; whether
    /// it ends is [followed](Self::await_end) from then on.
    pub(super) fn give_up(&mut self) -> Option<(OpenSpan, u32)> {
        let at = limits::MAX_OPEN_SPANS - GIVEN_UP_AMONG + self.given_up % GIVEN_UP_AMONG;
        self.given_up += 1;
        let key = self.get(at as u32)?.key;
        let last = self.find(&key)?;
        let &(_, _, place) = self.spans.get(last as usize)?.as_ref()?;
        if place == last {
            return Some((self.take(place)?, place));
        }
        let (open, _, second) = self.spans.get_mut(place as usize)?.take()?;
        self.free.push(place);
        self.link_after(last, second);
        if let Some(Some((_, before, _))) = self.spans.get_mut(second as usize) {
            *before = NONE;
        }
        Some((open, place))
    }

    /// Takes all of them, by owner, in order of their begins.
    pub(super) fn take_all(&mut self) -> Vec<OpenSpan> {
        let all = core::mem::take(self);
        let mut spans: Vec<OpenSpan> = all.spans.into_iter().flatten().map(|(open, ..)| open).collect();
        sort_by_key(&mut spans, |open| (open.key.0, open.nth));
        spans
    }

    /// Remembers a span that was given up until it ends. Returns of how many spans, by label, it is not known from now on whether they end.
    pub(super) fn await_end(&mut self, key: &SpanKey, label: u16) -> [(u16, u32); 2] {
        self.unfollowed.begin(hash_of(key), label)
    }

    /// A span ends that is not open. Returns whether it is one of those that were given up.
    pub(super) fn end_given_up(&mut self, key: &SpanKey) -> bool {
        self.unfollowed.end(hash_of(key))
    }

    /// Of how many spans that were given up it is known that they have not ended, by label; each label may come several times.
    pub(super) fn given_up(&self) -> impl Iterator<Item = (u16, u32)> {
        self.unfollowed.open.all().map(|(_, of)| unpacked(of))
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.spans.capacity() * size_of::<Option<(OpenSpan, u32, u32)>>()
            + self.free.capacity() * size_of::<u32>()
            + self.last.bytes_held()
            + self.unfollowed.open.bytes_held()
    }
}

/// The spans that were given up and have not ended, by the hashes of their keys: so their ends are not taken for ends without a begin, and
/// it is known of which labels some never end.
#[derive(Debug, Default)]
struct Unfollowed {
    /// For each key, how many there are and what their label is.
    open: Places,
    keys: usize,
}

/// | 31 .. 16: how many spans | 15 .. 0: their label |
fn packed((label, count): (u16, u32)) -> u32 {
    count << 16 | u32::from(label)
}

fn unpacked(of: u32) -> (u16, u32) {
    (of as u16, of >> 16)
}

impl Unfollowed {
    /// See [`OpenSpans::await_end`].
    fn begin(&mut self, hash: u64, label: u16) -> [(u16, u32); 2] {
        let nothing = (label, 0);
        match self.open.find(hash, |_| true) {
            None if self.keys >= limits::MAX_UNFOLLOWED_KEYS => [nothing, (label, 1)],
            None => {
                self.open.insert(hash, packed((label, 1)));
                self.keys += 1;
                [nothing; 2]
            }
            // Of spans with one key and several labels, it is not known which one ends.
            Some(of) if unpacked(of).0 != label => {
                self.remove(hash, of);
                [unpacked(of), (label, 1)]
            }
            Some(of) if unpacked(of).1 == u16::MAX.into() => [nothing, (label, 1)],
            Some(of) => {
                self.open.replace(hash, of, packed((label, unpacked(of).1 + 1)));
                [nothing; 2]
            }
        }
    }

    fn end(&mut self, hash: u64) -> bool {
        let Some(of) = self.open.find(hash, |_| true) else { return false };
        match unpacked(of) {
            (_, 0 | 1) => self.remove(hash, of),
            (label, count) => self.open.replace(hash, of, packed((label, count - 1))),
        }
        true
    }

    fn remove(&mut self, hash: u64, of: u32) {
        self.open.remove(hash, of);
        self.keys -= 1;
    }
}

fn hash_of((owner, label, number): &SpanKey) -> u64 {
    let owner = match owner {
        Owner::Thread(thread) => u64::from(thread.0),
        Owner::Cap(cap, process) => 1 << 40 | u64::from(*process) << 16 | u64::from(cap.0),
        Owner::Process(process) => 2 << 40 | u64::from(*process),
    };
    shuffled(label ^ shuffled(owner).wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(key: SpanKey, nth: u64) -> OpenSpan {
        OpenSpan {
            key,
            nth,
            start: Nanos(nth),
            paused: Nanos(0),
            thread: ThreadId(1),
            label: 7,
            notes: NoteChain::NONE,
            process: 0,
            family: 0,
        }
    }

    #[test]
    fn of_equal_keys_the_last_one_is_found() {
        let mut all = OpenSpans::default();
        let keys: Vec<SpanKey> = (0..500).map(|at| (Owner::Thread(ThreadId(at % 7 + 1)), (at % 5).into(), 3)).collect();
        let mut expected: Vec<(SpanKey, u64)> = Vec::new();
        for (key, nth) in keys.iter().zip(0..) {
            let found = all.find(key);
            let of_key = |(other, _): &&(SpanKey, u64)| other == key;
            let last = expected.iter().rev().find(of_key).map(|(_, nth)| *nth);
            assert_eq!(found.and_then(|place| all.get(place)).map(|open| open.nth), last);
            if nth % 3 == 2
                && let Some(found) = found
            {
                assert_eq!(all.take(found).map(|open| open.nth), last);
                let at = expected.iter().rposition(|one| of_key(&one)).unwrap();
                expected.remove(at);
            } else {
                all.add(open(*key, nth), found);
                expected.push((*key, nth));
            }
        }
        let left: Vec<(SpanKey, u64)> = all.take_all().into_iter().map(|open| (open.key, open.nth)).collect();
        expected.sort_by_key(|(key, nth)| (key.0, *nth));
        assert_eq!(left, expected);
        assert!(all.find(&keys[0]).is_none());
    }

    #[test]
    fn ends_of_spans_that_are_given_up_are_known() {
        let mut all = OpenSpans::default();
        let key = |number| (Owner::Process(0), 0, number);
        (0..limits::MAX_OPEN_SPANS as u64).for_each(|number| _ = all.add(open(key(number), number), None));
        let given_up: Vec<SpanKey> = (0..1000).filter_map(|_| Some(all.give_up()?.0.key)).collect();
        assert_eq!(given_up.len(), 1000);
        assert!(all.find(&key(0)).is_some(), "what began first stays");
        for (key, label) in given_up.iter().zip(0..) {
            assert_eq!(all.await_end(key, label % 5), [(label % 5, 0); 2]);
        }
        assert!(given_up.iter().skip(10).all(|key| all.find(key).is_none() && all.end_given_up(key)));
        assert!(!given_up.iter().skip(10).any(|key| all.end_given_up(key)), "each only once");
        let mut open: Vec<(u16, u32)> = all.given_up().collect();
        open.sort_unstable();
        assert_eq!(open, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4].map(|label| (label, 1)));
    }

    /// What cannot be remembered is said, and nothing else.
    #[test]
    fn of_spans_that_are_given_up_it_is_said_which_are_not_remembered() {
        let mut all = Unfollowed::default();
        assert!((0..limits::MAX_UNFOLLOWED_KEYS as u64).all(|hash| all.begin(shuffled(hash), 7) == [(7, 0); 2]));
        assert_eq!(all.begin(1, 8), [(8, 0), (8, 1)]);
        assert_eq!(all.begin(shuffled(3), 7), [(7, 0); 2], "one more with the same key");
        assert_eq!(all.begin(shuffled(3), 9), [(7, 2), (9, 1)]);
        assert_eq!([3, 4, 4].map(|hash| all.end(shuffled(hash))), [false, true, false]);
        assert_eq!(all.begin(1, 8), [(8, 0); 2], "there is room again");
        assert_eq!(
            (all.keys, all.open.all().count()),
            (limits::MAX_UNFOLLOWED_KEYS - 1, limits::MAX_UNFOLLOWED_KEYS - 1)
        );
    }
}
