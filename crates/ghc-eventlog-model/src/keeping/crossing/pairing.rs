//! Which end of a user span belongs to which begin.

use crate::{
    keeping::crossing::marks::{Mark, MarkKind},
    terms::op::Op,
};
use ghc_eventlog::{CapNo, ThreadId};

/// What a span belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    Thread(ThreadId),
    /// A capability, of the process with a number.
    Cap(CapNo, u8),
    /// The process with a number.
    Process(u8),
}

/// What an end must have in common with its begin: the owner, the hash of the label, and the number.
pub(crate) type SpanKey = (Owner, u64, u64);

/// A span that has begun.
pub(crate) trait Opened {
    fn key(&self) -> SpanKey;
}

/// The key of a begin, of an end, or of what is said of a span.
pub(crate) fn key_of(op: &Op, mark: &Mark) -> SpanKey {
    let owner = match mark.what {
        MarkKind::Begin | MarkKind::End => match op.thread {
            ThreadId(0) => Owner::Cap(op.cap, mark.process),
            thread => Owner::Thread(thread),
        },
        MarkKind::BeginOfProcess
        | MarkKind::EndOfProcess
        | MarkKind::Note(_)
        | MarkKind::Value
        | MarkKind::Allocated => Owner::Process(mark.process),
    };
    (owner, if matches!(owner, Owner::Process(_)) { 0 } else { mark.key }, mark.number)
}

/// Where a begin belongs among the open spans, which are sorted by their keys; and the span that an end closes: with equal keys, the
/// one that began last.
pub(crate) fn search(open: &[impl Opened], key: SpanKey) -> (usize, Option<usize>) {
    let after = open.partition_point(|open| open.key() <= key);
    let found = after.checked_sub(1).filter(|at| open.get(*at).is_some_and(|open| open.key() == key));
    (after, found)
}
