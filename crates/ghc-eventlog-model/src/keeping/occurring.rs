//! What occurs in each piece of the log, as far as it takes little room to say: those who look for events of a type or of a
//! thread leave out the pieces that have none, and know the number of each event that they find.
//!
//! ```text
//! segments         |    0    |     1     |    2    |
//! events before    0        4100        8230
//! types            RUN STOP   RUN STOP    RUN STOP GC_START GC_END …
//! ```

use crate::{Model, tracks::machines::TagFilter};
use ghc_eventlog::{
    AssignThreadToProcess, CreateSparkThread, CreateThread, MerReleaseContext, MigrateThread, RunSpark, RunThread,
    StealSpark, StopThread, ThreadId, ThreadLabel, ThreadRunnable, ThreadWakeup,
};

/// What occurs in a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Occurring {
    pub(crate) tags: TagSet,
    pub(crate) threads: ThreadFilter,
}

impl Occurring {
    /// With what occurs in the next segment, too.
    pub(crate) fn add(&mut self, other: &Self) {
        self.tags.add(&other.tags);
        self.threads.0 |= other.threads.0;
    }
}

/// Event numbers; those from 256 on are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TagSet {
    small: [u64; 4],
    large: bool,
}

impl TagSet {
    pub(crate) fn insert(&mut self, tag: u16) {
        match self.small.get_mut(usize::from(tag / 64)) {
            Some(bits) => *bits |= 1 << (tag % 64),
            None => self.large = true,
        }
    }

    fn may_have(&self, tag: u16) -> bool {
        self.small.get(usize::from(tag / 64)).map_or(self.large, |bits| bits & 1 << (tag % 64) != 0)
    }

    fn add(&mut self, other: &Self) {
        self.small.iter_mut().zip(other.small).for_each(|(bits, more)| *bits |= more);
        self.large |= other.large;
    }
}

/// Thread numbers, each by a bit that it shares with one in 64 others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ThreadFilter(u64);

/// The events that begin with the number of the thread that they are about; a few others share a bit with one of them, and do
/// no harm.
const OF_THREADS: TagFilter = TagFilter::of(OF_THREADS_TAGS);

const OF_THREADS_TAGS: &[u16] = &[
    CreateThread::TAG,
    RunThread::TAG,
    StopThread::TAG,
    ThreadRunnable::TAG,
    MigrateThread::TAG,
    RunSpark::TAG,
    StealSpark::TAG,
    ThreadWakeup::TAG,
    CreateSparkThread::TAG,
    ThreadLabel::TAG,
    AssignThreadToProcess::TAG,
    MerReleaseContext::TAG,
];

impl ThreadFilter {
    /// Takes an event's number and payload.
    #[inline(always)]
    pub(crate) fn take(&mut self, tag: u16, payload: &[u8]) {
        if OF_THREADS.may_have(tag)
            && let Some(thread) = payload.first_chunk()
        {
            self.0 |= Self::bit(ThreadId(u32::from_be_bytes(*thread)));
        }
    }

    const fn bit(thread: ThreadId) -> u64 {
        // By a multiple that spreads neighbours: the top six of its bits.
        1 << (thread.0.wrapping_mul(0x9e37_79b1) >> 26)
    }

    fn may_have(self, thread: ThreadId) -> bool {
        self.0 & Self::bit(thread) != 0
    }
}

/// A piece of the file in which events may be found: see [`Model::pieces_with`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Where it begins, in bytes from the start of the file.
    pub offset: u64,
    /// How many bytes long it is.
    pub length: u64,
    /// How many events stand before it, block markers not counted.
    pub events_before: u64,
}

impl Model {
    /// The pieces of the file that may hold events of one of some numbers, and of a thread if one is given; all others hold
    /// none. In order of the file, as far as it is indexed: all of it once the log has been read. Without numbers, of any.
    pub fn pieces_with(&self, tags: &[u16], thread: Option<ThreadId>) -> impl Iterator<Item = Piece> {
        let may_have = move |found: &Occurring| {
            (tags.is_empty() || tags.iter().any(|tag| found.tags.may_have(*tag)))
                && thread.is_none_or(|thread| found.threads.may_have(thread))
        };
        let segments = self.session.index.segments().iter().filter(move |segment| may_have(&segment.occurring));
        segments.map(|segment| Piece {
            offset: segment.at.offset,
            length: segment.end - segment.at.offset,
            events_before: segment.events_before,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghc_eventlog::EVENTS;

    #[test]
    fn the_events_of_threads_are_those_that_begin_with_one() {
        let begin_with_one = EVENTS.iter().filter(|event| event.fields.first() == Some(&"thread"));
        let tags: alloc::vec::Vec<u16> = begin_with_one.map(|event| event.tag).collect();
        assert_eq!(tags, OF_THREADS_TAGS);
    }
}
