//! Which spans lie within others of the same thread, and how long none is open.
//!
//! ```text
//! p    |---------------------------------|      its own: all but a, b and c
//! a       |-----|                               its own: all
//! b               |--------------|              its own: all but d
//! c                            |------|         begins in b, but is over after it: lies in p, not in b
//! d                 |----|
//! u         |---------------------------------- never ends: whatever lies in p counts there all the same
//! ```
//!
//! The own times of all spans within a span, directly or not, add up to the time of the spans directly within it.

use super::Owner;
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// A span that is open.
#[derive(Debug, Clone, Copy)]
struct Enclosing {
    owner: Owner,
    nth: u64,
    /// The sum of the own times of the ended spans within it.
    inner: Nanos,
}

/// Bytes kept for each open span.
#[cfg(test)]
pub(super) const AROUND_BYTES: usize = size_of::<Enclosing>();

/// The spans that are open.
#[derive(Debug, Default)]
pub(super) struct Nesting {
    /// Grouped by owner; within an owner in order of their begins.
    open: Vec<Enclosing>,
    /// Since when any span is open.
    since: Nanos,
    /// The total time when any span was open, up to when none was.
    any: Nanos,
}

impl Nesting {
    /// The `nth` span begins.
    pub(super) fn begin(&mut self, owner: Owner, nth: u64, time: Nanos) {
        if self.open.is_empty() {
            self.since = time;
        }
        let (Ok(place) | Err(place)) = self.place(owner, nth);
        self.open.insert(place, Enclosing { owner, nth, inner: Nanos(0) });
    }

    /// A span ends that began at `start`. Returns its own time: its time without that of the spans directly within it.
    pub(super) fn end(&mut self, owner: Owner, nth: u64, start: Nanos, end: Nanos) -> Nanos {
        let Ok(place) = self.place(owner, nth) else { return end.since(start) };
        let own = end.since(start).since(self.open.remove(place).inner);
        // It lies within all spans that began before it and are still open: usually a few.
        let before = self.open.get_mut(..place).unwrap_or_default();
        for around in before.iter_mut().rev().take_while(|around| around.owner == owner) {
            around.inner = around.inner.plus(own);
        }
        if self.open.is_empty() {
            self.any = self.any.plus(end.since(self.since));
        }
        own
    }

    /// An owner is over, and with it its spans that have not ended.
    pub(super) fn leave(&mut self, owner: Owner, time: Nanos) {
        let from = self.open.partition_point(|around| around.owner < owner);
        let to = self.open.partition_point(|around| around.owner <= owner);
        if from == to {
            return;
        }
        self.open.drain(from..to);
        if self.open.is_empty() {
            self.any = self.any.plus(time.since(self.since));
        }
    }

    /// The total time when any span was open, up to where none was.
    pub(super) fn any(&self) -> Nanos {
        self.any
    }

    /// Ends all open spans; the last one ends at `end`.
    pub(super) fn end_all(&mut self, end: Nanos) {
        if !self.open.is_empty() {
            self.any = self.any.plus(end.since(self.since));
        }
        self.open = Vec::new();
    }

    fn place(&self, owner: Owner, nth: u64) -> Result<usize, usize> {
        self.open.binary_search_by_key(&(owner, nth), |around| (around.owner, around.nth))
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.open.capacity() * size_of::<Enclosing>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use ghc_eventlog::ThreadId;

    /// The own times of spans by their letters: a capital letter begins a span, the small letter ends it. Each event has a
    /// time of its own.
    fn own(events: &str) -> String {
        let (mut nesting, mut starts, mut told) = (Nesting::default(), Vec::new(), String::new());
        for (time, event) in (0..).zip(events.chars()) {
            let nth = u64::from(event.to_ascii_lowercase());
            let owner = Owner::Thread(ThreadId(1));
            if event.is_ascii_uppercase() {
                nesting.begin(owner, starts.len() as u64, Nanos(time));
                starts.push((nth, time));
            } else if let Some(place) = starts.iter().position(|(of, _)| *of == nth) {
                let own = nesting.end(owner, place as u64, Nanos(starts[place].1), Nanos(time));
                told += &alloc::format!("{event}{} ", own.0);
            }
        }
        told + &alloc::format!("any {}", nesting.any().0)
    }

    #[test]
    fn own_time_excludes_spans_directly_within() {
        assert_eq!(own("A..a"), "a3 any 3");
        assert_eq!(own("P.A..a.B..b.p"), "a3 b3 p6 any 12");
        // A grandchild counts for its parent only.
        assert_eq!(own("P.B.D..d.b.p"), "d3 b4 p4 any 11");
        // A span that ends after another does not lie within it.
        assert_eq!(own("P.B..C..b..c.p"), "b6 c6 p1 any 13");
        // A span that never ends hides nothing.
        assert_eq!(own("P.U.A..a.p"), "a3 p6 any 0");
        assert_eq!(own("A.a..B.b"), "a2 b2 any 4");
    }

    #[test]
    fn spans_of_other_threads_do_not_count() {
        let mut nesting = Nesting::default();
        let [one, other] = [1, 2].map(|thread| Owner::Thread(ThreadId(thread)));
        nesting.begin(one, 0, Nanos(0));
        nesting.begin(other, 1, Nanos(2));
        assert_eq!(nesting.end(other, 1, Nanos(2), Nanos(6)), Nanos(4));
        assert_eq!(nesting.end(one, 0, Nanos(0), Nanos(10)), Nanos(10));
        assert_eq!(nesting.any(), Nanos(10));
    }

    #[test]
    fn a_span_that_never_ends_is_open_until_its_thread_is_over() {
        let mut nesting = Nesting::default();
        let [one, other] = [1, 2].map(|thread| Owner::Thread(ThreadId(thread)));
        nesting.begin(one, 0, Nanos(0));
        nesting.leave(one, Nanos(3));
        nesting.leave(one, Nanos(4));
        nesting.begin(other, 1, Nanos(10));
        assert_eq!(nesting.end(other, 1, Nanos(10), Nanos(15)), Nanos(5));
        nesting.end_all(Nanos(20));
        assert_eq!(nesting.any(), Nanos(8));
    }
}
