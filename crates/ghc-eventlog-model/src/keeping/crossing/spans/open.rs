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
            span_parts::ReadClock,
        },
        places::{Places, shuffled},
    },
    limits,
    sorting::sort_by_key,
};
use alloc::{vec, vec::Vec};
use ghc_eventlog::{Nanos, ThreadId};

/// A span that has begun.
#[derive(Debug)]
pub(super) struct OpenSpan {
    pub(super) key: SpanKey,
    /// How many spans had begun before it.
    pub(super) nth: u64,
    pub(super) start: Nanos,
    /// What its thread had done by then.
    pub(super) clock: ReadClock,
    /// The thread that began it; 0 if no thread did.
    pub(super) thread: ThreadId,
    /// Its label as marks have it.
    pub(super) label: u32,
    /// What has been said of it.
    pub(super) notes: NoteChain,
    /// The number of its process among those of the file.
    pub(super) process: u8,
}

/// All of them, each at a place of its own.
#[derive(Debug, Default)]
pub(super) struct OpenSpans {
    /// Each with the place of the span with the same key that began before it.
    spans: Vec<Option<(OpenSpan, u32)>>,
    free: Vec<u32>,
    /// For each key, the one that began last.
    last: Places,
    unfollowed: Unfollowed,
}

const NONE: u32 = u32::MAX;

/// Bytes of one of them, at most: the table has room for some more.
#[cfg(test)]
pub(super) const OPEN_BYTES: usize = size_of::<Option<(OpenSpan, u32)>>() + size_of::<u32>() + TABLE_BYTES;
/// The same of a table of places that is at most seven eighths full.
#[cfg(test)]
pub(super) const TABLE_BYTES: usize = (size_of::<(u64, u32)>() + 1) * 8 / 7 + 1;

impl OpenSpans {
    /// The place of the span with a key that began last.
    pub(super) fn find(&self, key: &SpanKey) -> Option<u32> {
        self.last.find(hash_of(key), |place| self.get(place).is_some_and(|open| open.key == *key))
    }

    pub(super) fn get(&self, place: u32) -> Option<&OpenSpan> {
        self.spans.get(place as usize)?.as_ref().map(|(open, _)| open)
    }

    pub(super) fn get_mut(&mut self, place: u32) -> Option<&mut OpenSpan> {
        self.spans.get_mut(place as usize)?.as_mut().map(|(open, _)| open)
    }

    pub(super) fn each_mut(&mut self) -> impl Iterator<Item = &mut OpenSpan> {
        self.spans.iter_mut().flatten().map(|(open, _)| open)
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
        if let Some(at) = self.spans.get_mut(place as usize) {
            *at = Some((open, before.unwrap_or(NONE)));
        }
        place
    }

    /// Takes the span at a place that was [found](Self::find).
    pub(super) fn take(&mut self, place: u32) -> Option<OpenSpan> {
        let (open, before) = self.spans.get_mut(place as usize)?.take()?;
        self.free.push(place);
        let hash = hash_of(&open.key);
        match before {
            NONE => self.last.remove(hash, place),
            _ => self.last.replace(hash, place, before),
        }
        Some(open)
    }

    /// Takes all of them, by owner, in order of their begins.
    pub(super) fn take_all(&mut self) -> Vec<OpenSpan> {
        let all = core::mem::take(self);
        let mut spans: Vec<OpenSpan> = all.spans.into_iter().flatten().map(|(open, _)| open).collect();
        sort_by_key(&mut spans, |open| (open.key.0, open.nth));
        spans
    }

    /// There is no room for a span that begins.
    pub(super) fn leave_out(&mut self, key: &SpanKey) {
        self.unfollowed.begin(hash_of(key));
    }

    /// Whether the end of a span that is not open is one of those that were left out.
    pub(super) fn was_left_out(&mut self, key: &SpanKey) -> bool {
        self.unfollowed.end(hash_of(key))
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.spans.capacity() * size_of::<Option<(OpenSpan, u32)>>()
            + self.free.capacity() * size_of::<u32>()
            + self.last.bytes_held()
            + self.unfollowed.open.capacity() * size_of::<u32>()
    }
}

/// How many spans that were left out are open, by a part of their keys' hashes: so their ends are not taken for ends without a begin. Now
/// and then one may be, or the other way round, where keys have that part in common.
#[derive(Debug, Default)]
struct Unfollowed {
    open: Vec<u32>,
}

impl Unfollowed {
    fn begin(&mut self, hash: u64) {
        if self.open.is_empty() {
            self.open = vec![0; limits::MAX_UNFOLLOWED_KEYS];
        }
        if let Some(open) = self.of(hash) {
            *open = open.saturating_add(1);
        }
    }

    fn end(&mut self, hash: u64) -> bool {
        let Some(open) = self.of(hash).filter(|open| **open > 0) else { return false };
        *open -= 1;
        true
    }

    fn of(&mut self, hash: u64) -> Option<&mut u32> {
        self.open.get_mut((hash >> 32) as usize % limits::MAX_UNFOLLOWED_KEYS)
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
            clock: None,
            thread: ThreadId(1),
            label: 0,
            notes: NoteChain::NONE,
            process: 0,
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
    fn ends_of_spans_that_are_left_out_are_known() {
        let mut all = OpenSpans::default();
        let key = |number| (Owner::Process(0), 0, number);
        (0..1000).for_each(|number| all.leave_out(&key(number)));
        assert!((0..1000).all(|number| all.was_left_out(&key(number))));
        assert!(!(0..2000).any(|number| all.was_left_out(&key(number))), "each only once");
    }
}
