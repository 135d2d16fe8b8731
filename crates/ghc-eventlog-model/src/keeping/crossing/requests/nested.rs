//! The spans that lie directly within others of the same thread, by label.
//!
//! ```text
//! p    |---------------------------------|
//! a       |-----|                               directly within p
//! b               |--------------|              directly within p
//! d                 |----|                      directly within b: it counts for p only until b ends
//! ```
//!
//! Until a span ends, it is not known whether it lies within those that began before it. So what ends counts for all that are
//! open, and is taken off again once a span ends that lies between them.

use crate::{keeping::crossing::pairing::Owner, limits, sorting::sort_by_key};
use alloc::vec::Vec;
use core::cmp::Reverse;
use ghc_eventlog::Nanos;

/// How long the spans of a label directly within a span take, together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NestedTime {
    /// `None` for all further labels.
    pub(crate) label: Option<u16>,
    pub(crate) time: Nanos,
}

#[derive(Debug)]
struct OpenSpanAround {
    owner: Owner,
    nth: u64,
    /// The ended spans that are within it, and not within another ended one, by label.
    direct: Vec<(u16, Nanos)>,
}

/// The spans that are open.
#[derive(Debug)]
pub(crate) struct Nested {
    /// Grouped by owner; within an owner in order of their begins.
    open: Vec<OpenSpanAround>,
    /// The times in all of them.
    times: usize,
    /// The most of them that there is room for.
    most_times: usize,
    /// Whether there were too many, so that some are missing.
    is_incomplete: bool,
}

impl Default for Nested {
    fn default() -> Self {
        Self::with_room(limits::MAX_NESTED_TIMES)
    }
}

impl Nested {
    /// None, with room for so many times.
    pub(crate) fn with_room(most_times: usize) -> Self {
        Self { open: Vec::new(), times: 0, most_times, is_incomplete: false }
    }

    /// The `nth` span begins.
    pub(crate) fn begin(&mut self, owner: Owner, nth: u64) {
        let (Ok(place) | Err(place)) = self.place(owner, nth);
        self.open.insert(place, OpenSpanAround { owner, nth, direct: Vec::new() });
    }

    /// A span of a label and a length ends. Returns what is directly within it, the longest first; `None` if that is not known.
    pub(crate) fn end(&mut self, owner: Owner, nth: u64, label: u16, length: Nanos) -> Option<Vec<NestedTime>> {
        let place = self.place(owner, nth).ok()?;
        let its = self.open.remove(place).direct;
        self.times -= its.len();
        // It lies within all spans that began before it and are still open: usually a few.
        let before = self.open.get_mut(..place).unwrap_or_default();
        for around in before.iter_mut().rev().take_while(|around| around.owner == owner) {
            for (label, time) in &its {
                if let Some((_, sum)) = around.direct.iter_mut().find(|(other, _)| other == label) {
                    *sum = sum.since(*time);
                }
            }
            match around.direct.iter_mut().find(|(other, _)| *other == label) {
                Some((_, sum)) => *sum = sum.plus(length),
                None if self.times < self.most_times => {
                    around.direct.push((label, length));
                    self.times += 1;
                }
                None => self.is_incomplete = true,
            }
        }
        (!self.is_incomplete).then(|| longest(its))
    }

    /// A span is no longer followed: what is within it stays with those around it.
    pub(crate) fn give_up(&mut self, owner: Owner, nth: u64) {
        if let Ok(place) = self.place(owner, nth) {
            self.times -= self.open.remove(place).direct.len();
        }
    }

    /// An owner is over, and with it its spans that have not ended.
    pub(crate) fn leave(&mut self, owner: Owner) {
        let from = self.open.partition_point(|around| around.owner < owner);
        let to = self.open.partition_point(|around| around.owner <= owner);
        let gone: usize = self.open.drain(from..to).map(|around| around.direct.len()).sum();
        self.times -= gone;
    }

    fn place(&self, owner: Owner, nth: u64) -> Result<usize, usize> {
        self.open.binary_search_by_key(&(owner, nth), |around| (around.owner, around.nth))
    }

    pub(crate) fn bytes_held(&self) -> usize {
        let direct: usize = self.open.iter().map(|around| around.direct.capacity()).sum();
        self.open.capacity() * size_of::<OpenSpanAround>() + direct * size_of::<(u16, Nanos)>()
    }
}

/// Bytes of what is kept of an open span.
#[cfg(test)]
pub(crate) const AROUND_BYTES: usize = size_of::<OpenSpanAround>();

/// The labels with the longest times, and one for all others if there are many.
fn longest(mut all: Vec<(u16, Nanos)>) -> Vec<NestedTime> {
    all.retain(|(_, time)| *time > Nanos(0));
    sort_by_key(&mut all, |(label, time)| (Reverse(*time), *label));
    let rest = all.get(limits::MAX_REQUEST_NESTED - 1..).filter(|rest| rest.len() > 1).unwrap_or_default();
    let others = rest.iter().fold(Nanos(0), |sum, (_, time)| sum.plus(*time));
    let kept = all.len() - rest.len();
    let kept = all.iter().take(kept).map(|(label, time)| NestedTime { label: Some(*label), time: *time });
    kept.chain((!rest.is_empty()).then_some(NestedTime { label: None, time: others })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, string::String};
    use ghc_eventlog::ThreadId;

    /// What is directly within each span, by letter: a capital letter begins a span, the small letter ends it. Each event has a
    /// time of its own.
    fn within(events: &str) -> String {
        let (mut nested, mut starts, mut told) = (Nested::default(), Vec::new(), String::new());
        let owner = Owner::Thread(ThreadId(1));
        for (time, event) in (0..).zip(events.chars()) {
            let letter = event.to_ascii_lowercase();
            if event.is_ascii_uppercase() {
                nested.begin(owner, starts.len() as u64);
                starts.push((letter, time));
            } else if let Some(place) = starts.iter().rposition(|(of, _)| *of == letter) {
                let length = Nanos(time - starts[place].1);
                let its = nested.end(owner, place as u64, letter as u16, length).unwrap();
                let its: Vec<String> = its
                    .iter()
                    .map(|nested| {
                        format!("{}{}", nested.label.map_or('*', |label| char::from(label as u8)), nested.time.0)
                    })
                    .collect();
                told += &format!("{event}({}) ", its.join(" "));
            }
        }
        assert!(nested.times <= limits::MAX_NESTED_TIMES);
        told
    }

    #[test]
    fn only_what_is_directly_within_counts() {
        assert_eq!(within("P.A..a.B..b.p"), "a() b() p(a3 b3) ");
        // A grandchild counts for its parent only.
        assert_eq!(within("P.B.D..d.b.p"), "d() b(d3) p(b7) ");
        // A span that ends after another does not lie within it.
        assert_eq!(within("P.B..C..b..c.p"), "b() c() p(b6 c6) ");
        // A span that never ends hides nothing.
        assert_eq!(within("P.U.A..a.p"), "a() p(a3) ");
        // The same label twice, one within the other.
        assert_eq!(within("P.A.B.b.a.A.a.p"), "b() a(b2) a() p(a8) ");
    }

    #[test]
    fn further_labels_are_one() {
        let all: Vec<(u16, Nanos)> = (0..100).map(|label| (label, Nanos(u64::from(label) + 1))).collect();
        let kept = longest(all);
        assert_eq!(kept.len(), limits::MAX_REQUEST_NESTED);
        assert_eq!(kept.iter().map(|nested| nested.time.0).sum::<u64>(), 5050);
        assert_eq!(kept.last().unwrap().label, None);
        assert_eq!(kept[0], NestedTime { label: Some(99), time: Nanos(100) });
    }

    #[test]
    fn what_is_over_takes_no_room() {
        let mut nested = Nested::default();
        let [one, other] = [1, 2].map(|thread| Owner::Thread(ThreadId(thread)));
        nested.begin(one, 0);
        nested.begin(other, 1);
        nested.begin(one, 2);
        assert_eq!(nested.end(one, 2, 7, Nanos(5)), Some(Vec::new()));
        assert_eq!(nested.times, 1);
        nested.begin(one, 3);
        assert_eq!(nested.end(one, 3, 8, Nanos(5)), Some(Vec::new()));
        assert_eq!(nested.times, 2);
        nested.give_up(one, 0);
        assert_eq!((nested.times, nested.open.len()), (0, 1));
        nested.begin(one, 4);
        nested.leave(one);
        assert_eq!((nested.times, nested.open.len()), (0, 1));
        assert_eq!(nested.end(other, 1, 7, Nanos(5)), Some(Vec::new()));
    }
}
