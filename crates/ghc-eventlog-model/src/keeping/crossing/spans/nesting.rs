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

#[cfg(test)]
use super::open::TABLE_BYTES;
use crate::keeping::crossing::pairing::Owner;
use crate::keeping::places::{Places, shuffled};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// An open span of a thread.
#[derive(Debug, Clone, Copy)]
struct Enclosing {
    /// 0 if it is not open, or its thread is over.
    thread: u32,
    /// The place of the span of the same thread that began before it, and of the one that began after it.
    outer: u32,
    inner: u32,
    /// The sum of the own times of ended spans: those for which it was the last open one that they lay within. They lie within all
    /// spans around it, too, which do not count them again: so an end adds to one span, however many never end.
    within: Nanos,
}

const NONE: u32 = u32::MAX;
const CLOSED: Enclosing = Enclosing { thread: 0, outer: NONE, inner: NONE, within: Nanos(0) };

/// Bytes kept for each open span.
#[cfg(test)]
pub(super) const AROUND_BYTES: usize = size_of::<Enclosing>() + TABLE_BYTES;

/// The spans that are open.
#[derive(Debug, Default)]
pub(super) struct Nesting {
    /// At the places of the open spans.
    spans: Vec<Enclosing>,
    /// By thread: the span that began last.
    last: Places,
    /// How many spans are open, of any owner.
    open: usize,
    /// Since when any span is open.
    since: Nanos,
    /// The total time when any span was open, up to when none was.
    any: Nanos,
}

impl Nesting {
    /// The span at a place begins.
    pub(super) fn begin(&mut self, owner: Owner, place: u32, time: Nanos) {
        if self.open == 0 {
            self.since = time;
        }
        self.open += 1;
        // A program or capability may have many open spans at once, none within another.
        let Owner::Thread(thread) = owner else { return };
        let number = shuffled(thread.0.into());
        let outer = self.last.find(number, |_| true);
        match outer {
            Some(outer) => self.last.replace(number, outer, place),
            None => self.last.insert(number, place),
        }
        if let Some(outer) = outer.and_then(|outer| self.spans.get_mut(outer as usize)) {
            outer.inner = place;
        }
        if self.spans.len() <= place as usize {
            self.spans.resize(place as usize + 1, CLOSED);
        }
        if let Some(span) = self.spans.get_mut(place as usize) {
            *span = Enclosing { thread: thread.0, outer: outer.unwrap_or(NONE), ..CLOSED };
        }
    }

    /// The span at a place ends, after a time of `length`. Returns its own time: its time without that of the spans directly within it;
    /// all of it if it is no thread's.
    pub(super) fn end(&mut self, owner: Owner, place: u32, length: Nanos, end: Nanos) -> Nanos {
        let mut own = length;
        if let Owner::Thread(_) = owner {
            let Some(span) = self.take(place) else { return own };
            // Spans that began after it and are still open have a part of what lies within it. Usually there are none.
            let (mut within, mut inner) = (span.within, span.inner);
            while let Some(later) = self.spans.get(inner as usize) {
                within = within.plus(later.within);
                inner = later.inner;
            }
            own = length.since(within);
            if let Some(around) = self.spans.get_mut(span.outer as usize) {
                around.within = around.within.plus(own);
            }
        }
        self.close(1, end);
        own
    }

    /// The span at a place is not followed any longer.
    pub(super) fn give_up(&mut self, owner: Owner, place: u32, time: Nanos) {
        // Those of a thread that is over have been taken.
        if !matches!(owner, Owner::Thread(_)) || self.take(place).is_some() {
            self.close(1, time);
        }
    }

    /// Takes a span out from between those that began before and after it.
    fn take(&mut self, place: u32) -> Option<Enclosing> {
        let at = self.spans.get_mut(place as usize).filter(|span| span.thread != 0)?;
        let span = core::mem::replace(at, CLOSED);
        if let Some(outer) = self.spans.get_mut(span.outer as usize) {
            outer.inner = span.inner;
            // It lies within that one, too.
            outer.within = outer.within.plus(span.within);
        }
        match self.spans.get_mut(span.inner as usize) {
            Some(inner) => inner.outer = span.outer,
            None => match span.outer {
                NONE => self.last.remove_number(span.thread.into(), place),
                outer => self.last.replace(shuffled(span.thread.into()), place, outer),
            },
        }
        Some(span)
    }

    /// An owner is over, and with it its spans that have not ended.
    pub(super) fn leave(&mut self, owner: Owner, time: Nanos) {
        let Owner::Thread(thread) = owner else { return };
        let mut count = 0;
        while let Some(place) = self.last.find_number(thread.0.into()) {
            self.take(place);
            count += 1;
        }
        if count > 0 {
            self.close(count, time);
        }
    }

    fn close(&mut self, count: usize, time: Nanos) {
        self.open = self.open.saturating_sub(count);
        if self.open == 0 {
            self.any = self.any.plus(time.since(self.since));
        }
    }

    /// The total time when any span was open, up to where none was.
    pub(super) fn any(&self) -> Nanos {
        self.any
    }

    /// Ends all open spans; the last one ends at `end`.
    pub(super) fn end_all(&mut self, end: Nanos) {
        if self.open > 0 {
            self.close(self.open, end);
        }
        (self.spans, self.last) = (Vec::new(), Places::new());
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.spans.capacity() * size_of::<Enclosing>() + self.last.bytes_held()
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
                nesting.begin(owner, starts.len() as u32, Nanos(time));
                starts.push((nth, time));
            } else if let Some(place) = starts.iter().position(|(of, _)| *of == nth) {
                let own = nesting.end(owner, place as u32, Nanos(time - starts[place].1), Nanos(time));
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
        // Nor do several, whichever ends.
        assert_eq!(own("P.U.A..a.V.B..b.W.C.c.u.D.d.p"), "a3 b3 c2 u12 d2 p6 any 0");
        assert_eq!(own("A.a..B.b"), "a2 b2 any 4");
    }

    /// As if each end were added to every span around it.
    #[test]
    fn own_times_are_those_of_a_naive_sum() {
        let mut next = crate::random::numbers(7);
        for round in 0..200 {
            let mut nesting = Nesting::default();
            // Each with its thread, its place, when it began, and the own times within it; in order of begins.
            let mut open: Vec<(u32, u32, u64, u64)> = Vec::new();
            let mut free: Vec<u32> = (0..40).rev().collect();
            for time in 0..300 {
                let thread = 1 + next(2) as u32;
                let owner = Owner::Thread(ThreadId(thread));
                if next(100) == 0 {
                    nesting.leave(owner, Nanos(time));
                    free.extend(open.extract_if(.., |span| span.0 == thread).map(|span| span.1));
                } else if let Some(place) = free.pop_if(|_| next(5) < 2 + u64::from(round % 2 == 0)) {
                    nesting.begin(owner, place, Nanos(time));
                    open.push((thread, place, time, 0));
                } else if !open.is_empty() {
                    // Often the last one, at times any: so some stay open for long.
                    let at = if next(4) > 0 { open.len() - 1 } else { next(open.len() as u64) as usize };
                    let (thread, place, start, within) = open.remove(at);
                    let owner = Owner::Thread(ThreadId(thread));
                    let own = nesting.end(owner, place, Nanos(time - start), Nanos(time));
                    assert_eq!(own.0, (time - start).saturating_sub(within), "{round}");
                    let around = open.iter_mut().take(at).filter(|span| span.0 == thread);
                    around.for_each(|span| span.3 += own.0);
                    free.push(place);
                }
            }
        }
    }

    #[test]
    fn spans_of_other_threads_do_not_count() {
        let mut nesting = Nesting::default();
        let [one, other] = [1, 2].map(|thread| Owner::Thread(ThreadId(thread)));
        nesting.begin(one, 0, Nanos(0));
        nesting.begin(other, 1, Nanos(2));
        assert_eq!(nesting.end(other, 1, Nanos(4), Nanos(6)), Nanos(4));
        assert_eq!(nesting.end(one, 0, Nanos(10), Nanos(10)), Nanos(10));
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
        assert_eq!(nesting.end(other, 1, Nanos(5), Nanos(15)), Nanos(5));
        nesting.end_all(Nanos(20));
        assert_eq!(nesting.any(), Nanos(8));
    }
}
