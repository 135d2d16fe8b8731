//! Messages that say the same as the one before: GHC writes some of its own twice, as a marker and as a message.
//!
//! ```text
//! cap 0   marker "GHC:started: Parser"   message "GHC:started: Parser"      one span begins
//! cap 0   message "START a"              message "START a"                  two spans begin, one within the other
//! cap 0   thread 1: marker "START a"     thread 2: message "START a"        two spans begin, of two threads
//! cap 0   marker, message, marker, message "START a"                        two spans begin
//! ```
//!
//! A mark is compared with the one before it in its segment and on its capability, so that whoever reads a segment again finds the same
//! ones repeated. Only the first one is compared across segments: the replay, which takes all of them in order of time, remembers where it
//! is repeated. If it is, the ones that follow it and say the same change roles.
//!
//! ```text
//! segment        | START a    START a |  START a    START a    STOP a
//!                | marker     message |  marker     message    marker
//! as it begins   |                    |  first      like it    new
//! first is new   |                    |  new        repeated   new
//! first repeats  |                    |  repeated   new        new         only after an odd number of them
//! ```

use super::marks::{Mark, MarkKind};
use crate::{
    limits,
    terms::op::{Op, What},
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, ThreadId};

/// Whether a mark was a marker, and what its segment shows of whether it is repeated. A byte, since many marks are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct MarkFlags(u8);

impl MarkFlags {
    /// It was a marker.
    pub(crate) const MARKER: Self = Self(1);
    /// It repeats the one before it.
    const REPEATS: u8 = 2;
    /// That is so if the first one of its segment and capability is new, and the reverse if it is repeated.
    const OPEN: u8 = 4;
    /// It is the first one.
    const FIRST: u8 = 8;

    fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }

    /// Only whether it was a marker.
    fn bare(self) -> Self {
        Self(self.0 & Self::MARKER.0)
    }
}

/// A mark with the thread that ran on its capability.
type MarkOfThread = (ThreadId, Mark);

/// Whether two marks of a capability say the same in two kinds of events.
fn say_the_same(&(thread, one): &MarkOfThread, &(other_thread, other): &MarkOfThread) -> bool {
    thread == other_thread && one.flags.bare() != other.flags.bare() && Mark { flags: other.flags, ..one } == other
}

/// The place of a capability in a list.
fn place_of(list: &mut Vec<Option<MarkOfThread>>, cap: CapNo) -> Option<&mut Option<MarkOfThread>> {
    let at = usize::from(cap.0).min(limits::MAX_CAPS);
    if list.len() <= at {
        list.resize(at + 1, None);
    }
    list.get_mut(at)
}

/// Compares the marks of a segment. `ops` are all of its events, in order of time.
pub(crate) fn compare(ops: &[Op], marks: &mut [Mark]) {
    // Most segments of most logs have none.
    let ops = if marks.is_empty() { &[] } else { ops };
    let mut last: Vec<Option<MarkOfThread>> = Vec::new();
    for op in ops {
        let What::Mark(place) = op.what else { continue };
        let its = marks.get_mut(place as usize).filter(|mark| mark.what != MarkKind::Allocated);
        let (Some(mark), Some(last)) = (its, place_of(&mut last, op.cap)) else { continue };
        let found = match last {
            None => MarkFlags::OPEN | MarkFlags::FIRST,
            // What comes after a pair is new.
            Some(before) if say_the_same(before, &(op.thread, *mark)) => {
                before.1.flags.0 & MarkFlags::OPEN | !before.1.flags.0 & MarkFlags::REPEATS
            }
            Some(_) => 0,
        };
        mark.flags = MarkFlags(mark.flags.bare().0 | found);
        *last = Some((op.thread, *mark));
    }
}

/// For how many more first marks room is made at once.
const FIRSTS_AT_ONCE: usize = 64;

/// Which marks are repeated.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    /// The last mark of each capability, unless it is repeated.
    last: Vec<Option<MarkOfThread>>,
    /// The segments and capabilities whose first mark is repeated, in order: no more than the index has entries.
    firsts: Vec<(u32, CapNo)>,
}

impl Repeats {
    /// Whether the next mark is repeated. To be called for all marks, in order of time.
    pub(crate) fn take(&mut self, segment: u32, op: &Op, mark: &Mark) -> bool {
        let its = (op.thread, *mark);
        if mark.flags.has(MarkFlags::FIRST)
            && place_of(&mut self.last, op.cap).and_then(|last| *last).is_some_and(|last| say_the_same(&last, &its))
            // Segments come about in order.
            && let Err(at) = self.firsts.binary_search(&(segment, op.cap))
        {
            if self.firsts.len() == self.firsts.capacity() {
                // Of thousands at most: room for twice as many would be too much.
                self.firsts.reserve_exact(FIRSTS_AT_ONCE);
            }
            self.firsts.insert(at, (segment, op.cap));
        }
        let is_repeated = self.is_repeated(segment, op, mark);
        if let Some(last) = place_of(&mut self.last, op.cap) {
            *last = (!is_repeated).then_some(its);
        }
        is_repeated
    }

    /// Whether a mark of a segment is repeated: it or an earlier one of its segment and capability has been [taken](Self::take).
    pub(crate) fn is_repeated(&self, segment: u32, op: &Op, mark: &Mark) -> bool {
        let is_reverse = mark.flags.has(MarkFlags::OPEN) && self.firsts.binary_search(&(segment, op.cap)).is_ok();
        mark.flags.has(MarkFlags::REPEATS) != is_reverse
    }

    /// No more marks will be taken.
    pub(crate) fn finish(&mut self) {
        self.last = Vec::new();
        self.firsts.shrink_to_fit();
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.last.capacity() * size_of::<Option<MarkOfThread>>() + self.firsts.capacity() * size_of::<(u32, CapNo)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghc_eventlog::Nanos;

    /// What a mark says, as a number; whether in a marker; and on which capability and in which thread.
    type Said = (u64, bool, u16, u32);

    /// The events of a segment, and its marks.
    type Read = (Vec<Op>, Vec<Mark>);

    fn read(said: &[Said]) -> Read {
        let op = |(at, (_, _, cap, thread)): (usize, &Said)| Op {
            time: Nanos(at as u64),
            thread: ThreadId(*thread),
            cap: CapNo(*cap),
            what: What::Mark(at as u32),
        };
        let mark = |(number, is_marker, ..): &Said| Mark {
            number: *number,
            flags: if *is_marker { MarkFlags::MARKER } else { MarkFlags::default() },
            ..Mark::default()
        };
        let (ops, mut marks): Read = (said.iter().enumerate().map(op).collect(), said.iter().map(mark).collect());
        compare(&ops, &mut marks);
        (ops, marks)
    }

    /// Which ones are repeated in segments that follow each other: as they are taken, and as they are read again.
    fn repeated(segments: &[&[Said]]) -> Vec<bool> {
        let segments: Vec<(u32, Read)> = (7..).zip(segments.iter().map(|said| read(said))).collect();
        let all =
            || segments.iter().flat_map(|(segment, (ops, marks))| ops.iter().zip(marks).map(move |of| (*segment, of)));
        let mut repeats = Repeats::default();
        let taken: Vec<bool> = all().map(|(segment, (op, mark))| repeats.take(segment, op, mark)).collect();
        assert!(repeats.last.len() <= limits::MAX_CAPS + 1);
        repeats.finish();
        let again: Vec<bool> = all().map(|(segment, (op, mark))| repeats.is_repeated(segment, op, mark)).collect();
        assert_eq!(taken, again);
        taken
    }

    #[test]
    fn only_the_other_kind_of_event_repeats() {
        let marks =
            [(0, 1, true), (0, 1, false), (0, 1, true), (1, 1, false), (0, 1, false), (0, 2, true), (0, 2, true)];
        let mut said: Vec<Said> = marks.map(|(cap, number, is_marker)| (number, is_marker, cap, 7)).into();
        said.push((2, false, CapNo::GLOBAL.0, 7));
        assert_eq!(repeated(&[&said]), [false, true, false, false, true, false, false, false]);
    }

    #[test]
    fn another_thread_repeats_nothing() {
        let said = [(0, true, 0, 1), (0, false, 0, 2), (0, true, 0, 2)];
        assert_eq!(repeated(&[&said]), [false, false, true]);
    }

    /// However marks are cut into segments, the same ones are repeated as in one segment.
    #[test]
    fn segments_change_nothing() {
        let mut next = crate::random::numbers(3);
        let mut found = 0;
        for round in 0..2000 {
            let (texts, caps, threads) = (1 + next(3), 1 + next(3), 1 + next(2));
            let mut said: Vec<Said> = Vec::new();
            for _ in 0..1 + next(20) {
                let (text, cap, thread) = (next(texts), next(caps) as u16, next(threads) as u32);
                let is_marker = next(4) > 0;
                said.push((text, is_marker, cap, thread));
                if next(3) > 0 {
                    said.push((text, !is_marker, cap, thread));
                }
            }
            let whole = repeated(&[&said]);
            let most = 1 + next(6);
            let mut segments: Vec<&[Said]> = Vec::new();
            let mut rest = said.as_slice();
            while !rest.is_empty() {
                let (segment, after) = rest.split_at(rest.len().min(1 + next(most) as usize));
                segments.push(segment);
                rest = after;
            }
            assert_eq!(repeated(&segments), whole, "{round}: {segments:?}");
            found += whole.into_iter().filter(|is_repeated| *is_repeated).count();
        }
        assert!(found > 5000, "{found}");
    }

    /// Segments of one capability whose times overlap: in each, the first one is compared with what came before it, and the others with what
    /// comes before them in the segment.
    #[test]
    fn segments_of_one_time_are_read_again_as_they_were_taken() {
        let mut next = crate::random::numbers(4);
        for round in 0..500 {
            let segments: Vec<Read> = (0..3)
                .map(|_| {
                    let said: Vec<Said> = (0..1 + next(9)).map(|_| (next(2), next(2) > 0, 0, 1)).collect();
                    read(&said)
                })
                .collect();
            let mut repeats = Repeats::default();
            let mut places = [0; 3];
            let mut taken: Vec<Vec<bool>> = alloc::vec![Vec::new(); 3];
            for _ in 0..60 {
                let segment = next(3) as usize;
                let (ops, marks) = &segments[segment];
                if let (Some(op), Some(mark)) = (ops.get(places[segment]), marks.get(places[segment])) {
                    taken[segment].push(repeats.take(segment as u32, op, mark));
                    places[segment] += 1;
                }
            }
            for (segment, (ops, marks)) in segments.iter().enumerate() {
                let again = ops.iter().zip(marks).map(|(op, mark)| repeats.is_repeated(segment as u32, op, mark));
                let of_taken = taken[segment].len();
                assert_eq!(again.take(of_taken).collect::<Vec<_>>(), taken[segment], "{round}");
            }
        }
    }
}
