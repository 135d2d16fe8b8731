//! Messages that say the same as the one before: GHC writes some of its own twice, as a marker and as a message.
//!
//! ```text
//! cap 0   marker "GHC:started: Parser"   message "GHC:started: Parser"      one span begins
//! cap 0   message "START a"              message "START a"                  two spans begin, one within the other
//! cap 0   thread 1: marker "START a"     thread 2: message "START a"        two spans begin, of two threads
//! ```

use super::marks::Mark;
use crate::{limits, terms::op::Op};
use alloc::vec::Vec;
use ghc_eventlog::ThreadId;

/// The last mark of each capability, with the thread that ran there.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    last: Vec<Option<(ThreadId, Mark)>>,
}

impl Repeats {
    /// Whether a mark repeats the last one of its capability and thread, in the other kind of event.
    pub(crate) fn is_repeated(&mut self, op: &Op, mark: &Mark) -> bool {
        let at = usize::from(op.cap.0).min(limits::MAX_CAPS);
        if self.last.len() <= at {
            self.last.resize(at + 1, None);
        }
        let Some(last) = self.last.get_mut(at) else { return false };
        let is_same = last.is_some_and(|(thread, last)| {
            thread == op.thread
                && last.is_marker != mark.is_marker
                && Mark { is_marker: mark.is_marker, ..last } == *mark
        });
        // What comes after a pair is new.
        *last = (!is_same).then_some((op.thread, *mark));
        is_same
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.last.capacity() * size_of::<Option<(ThreadId, Mark)>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::op::What;
    use ghc_eventlog::{CapNo, Nanos};

    fn op(cap: u16, thread: u32) -> Op {
        Op { time: Nanos(0), thread: ThreadId(thread), cap: CapNo(cap), what: What::Mark(0) }
    }

    #[test]
    fn only_the_other_kind_of_event_repeats() {
        let mark = |number, is_marker| Mark { number, is_marker, ..Mark::default() };
        let mut repeats = Repeats::default();
        let marks =
            [(0, 1, true), (0, 1, false), (0, 1, true), (1, 1, false), (0, 1, false), (0, 2, true), (0, 2, true)];
        let found = marks.map(|(cap, number, is_marker)| repeats.is_repeated(&op(cap, 7), &mark(number, is_marker)));
        assert_eq!(found, [false, true, false, false, true, false, false]);
        assert!(!repeats.is_repeated(&op(CapNo::GLOBAL.0, 7), &mark(2, false)));
        assert!(repeats.last.len() <= limits::MAX_CAPS + 1);
    }

    #[test]
    fn another_thread_repeats_nothing() {
        let mark = |is_marker| Mark { is_marker, ..Mark::default() };
        let mut repeats = Repeats::default();
        let marks = [(1, true), (2, false), (2, true)];
        let found = marks.map(|(thread, is_marker)| repeats.is_repeated(&op(0, thread), &mark(is_marker)));
        assert_eq!(found, [false, false, true]);
    }
}
