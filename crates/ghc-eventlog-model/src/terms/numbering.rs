//! The numbers of threads in a file that has the logs of several processes, one after the other. Each process begins to count
//! anew.

use crate::limits;
use ghc_eventlog::ThreadId;

/// How the threads of one process are numbered, so that those of all processes of a file have different numbers: something is
/// added to their own numbers. Nothing in the first process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Numbering {
    pub(crate) added: u32,
}

impl Numbering {
    /// The number that a thread gets whose number in the log is `id`.
    #[inline(always)]
    pub(crate) fn of(self, id: ThreadId) -> ThreadId {
        if self.added == 0 { id } else { self.moved(id) }
    }

    /// 0 is no thread, and stays 0. A number that no program reaches comes from damage, and stays as it is.
    #[cold]
    fn moved(self, id: ThreadId) -> ThreadId {
        if id.0 == 0 || id.0 >= limits::LARGEST_THREAD { id } else { ThreadId(id.0.saturating_add(self.added)) }
    }

    /// The numbering of the next process, where the largest number so far is `largest`. A round number is added, so that a
    /// thread's own number can still be read. `None` if there is no room left.
    pub(crate) fn next(self, largest: u32) -> Option<Self> {
        let own = largest.saturating_sub(self.added).max(999);
        let round = 10u32.checked_pow(own.ilog10() + 1)?;
        let added = (largest / round + 1).checked_mul(round)?;
        (added < u32::MAX - limits::LARGEST_THREAD).then_some(Self { added })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_have_different_numbers() {
        let first = Numbering::default();
        let second = first.next(17).unwrap();
        assert_eq!([0, 7, 17].map(|id| second.of(ThreadId(id)).0), [0, 1007, 1017]);
        let third = second.next(6000).unwrap();
        assert_eq!(third.of(ThreadId(7)), ThreadId(10_007));
        assert_eq!(first.next(1_234_567).unwrap().of(ThreadId(7)), ThreadId(10_000_007));
        // Damage, and no room.
        assert_eq!(second.of(ThreadId(u32::MAX)), ThreadId(u32::MAX));
        assert_eq!(first.next(u32::MAX), None);
    }
}
