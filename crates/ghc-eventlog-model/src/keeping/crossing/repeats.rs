//! Messages that say the same as the one before: GHC writes some of its own twice, as a marker and as a message.
//!
//! ```text
//! cap 0   marker "GHC:started: Parser"   message "GHC:started: Parser"      one span begins
//! cap 0   message "START a"              message "START a"                  two spans begin, one within the other
//! ```

use super::marks::Mark;
use crate::limits;
use alloc::vec::Vec;
use ghc_eventlog::CapNo;

/// The last mark of each capability.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    last: Vec<Option<Mark>>,
}

impl Repeats {
    /// Whether a mark repeats the last one of its capability, in the other kind of event.
    pub(crate) fn is_repeated(&mut self, cap: CapNo, mark: &Mark) -> bool {
        let at = usize::from(cap.0).min(limits::MAX_CAPS);
        if self.last.len() <= at {
            self.last.resize(at + 1, None);
        }
        let Some(last) = self.last.get_mut(at) else { return false };
        let is_same = last.is_some_and(|last| {
            last.is_marker != mark.is_marker && Mark { is_marker: mark.is_marker, ..last } == *mark
        });
        // What comes after a pair is new.
        *last = (!is_same).then_some(*mark);
        is_same
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.last.capacity() * size_of::<Option<Mark>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_other_kind_of_event_repeats() {
        let mark = |number, is_marker| Mark { number, is_marker, ..Mark::default() };
        let mut repeats = Repeats::default();
        let marks =
            [(0, 1, true), (0, 1, false), (0, 1, true), (1, 1, false), (0, 1, false), (0, 2, true), (0, 2, true)];
        let found = marks.map(|(cap, number, is_marker)| repeats.is_repeated(CapNo(cap), &mark(number, is_marker)));
        assert_eq!(found, [false, true, false, false, true, false, false]);
        assert!(!repeats.is_repeated(CapNo::GLOBAL, &mark(2, false)));
        assert!(repeats.last.len() <= limits::MAX_CAPS + 1);
    }
}
