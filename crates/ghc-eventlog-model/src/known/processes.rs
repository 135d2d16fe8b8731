//! The processes whose logs are in one file, one after the other: a program that was started again, or whose log was appended
//! to another's.
//!
//! Where logging is stopped and started again, a further stream follows, too, but of the same process: its clock goes on, and
//! so do the numbers of its threads.

use crate::{limits, terms::numbering::Numbering};
use alloc::vec::Vec;
use ghc_eventlog::{Chunk, Decoder, Nanos, NoticeKind, OsProcessPid, Step};

/// The processes after the first one, in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct Processes {
    later: Vec<Later>,
    /// When logging was stopped, to be started again later: in order of the file, the first [`limits::MAX_PROCESSES`].
    stopped: Vec<Nanos>,
}

/// A process after the first one.
#[derive(Debug, Clone, Copy)]
struct Later {
    /// Where its log begins, in bytes from the start of the file.
    from: u64,
    numbering: Numbering,
    /// The latest time of all before it.
    over: Nanos,
}

impl Processes {
    /// How the threads are numbered that the log names from an offset on.
    pub(crate) fn numbering(&self, offset: u64) -> Numbering {
        let at = self.number(offset);
        at.checked_sub(1).and_then(|at| self.later.get(at)).map_or(Numbering::default(), |later| later.numbering)
    }

    /// The number of the process whose log an offset is in, from 0 on.
    pub(crate) fn number(&self, offset: u64) -> usize {
        self.later.partition_point(|later| later.from <= offset)
    }

    /// When the lanes begin of the process whose log an offset is in: where those before it end.
    pub(crate) fn begin_of(&self, offset: u64) -> Nanos {
        let at = self.number(offset).checked_sub(1);
        at.and_then(|at| self.later.get(at)).map_or(Nanos(0), |later| later.over)
    }

    /// Another one begins at an offset; `over` is the latest time of all before it.
    pub(crate) fn begin(&mut self, from: u64, numbering: Numbering, over: Nanos) {
        self.later.push(Later { from, numbering, over });
    }

    /// When each but the last one was over, with the numbers of its threads: the first one, and one after the last.
    pub(crate) fn over(&self) -> impl Iterator<Item = (Nanos, (u32, u32))> {
        let firsts = core::iter::once(0).chain(self.later.iter().map(|later| later.numbering.added));
        self.later.iter().zip(firsts).map(|(next, first)| (next.over, (first + 1, next.numbering.added + 1)))
    }

    /// Logging has been stopped, and another stream of the file begins; `last` is the latest time so far.
    pub(crate) fn stop(&mut self, last: Nanos) {
        if self.stopped.len() < limits::MAX_PROCESSES && self.stopped.last() != Some(&last) {
            self.stopped.push(last);
        }
    }

    /// When logging was stopped, to be started again later, by the same process or another.
    pub(crate) fn stopped(&self) -> &[Nanos] {
        &self.stopped
    }

    /// How many there are, with the first one.
    pub(crate) fn count(&self) -> usize {
        self.later.len() + 1
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.later.capacity() * size_of::<Later>() + self.stopped.capacity() * size_of::<Nanos>()
    }
}

/// What the begin of a stream says about its process.
#[derive(Debug, Default)]
pub(crate) struct StreamBegin {
    pub(crate) pid: Option<u32>,
    /// The smallest time.
    pub(crate) first: Option<Nanos>,
}

impl StreamBegin {
    /// Reads it from the bytes after the stream's header, which `decoder` has read.
    pub(crate) fn read(decoder: &Decoder, window: Chunk<'_>) -> Self {
        let (mut decoder, mut begin) = (decoder.clone(), Self::default());
        loop {
            match decoder.next(window) {
                Ok(Step::Event(record)) if !record.is_block_marker() => {
                    begin.first = Some(begin.first.map_or(record.time, |first| first.min(record.time)));
                    if record.tag == OsProcessPid::TAG && record.known {
                        begin.pid = begin.pid.or(Some(OsProcessPid::read(record.payload).pid));
                    }
                }
                Ok(Step::Event(_)) => {}
                Ok(Step::Notice(notice)) if notice.kind != NoticeKind::FurtherStream => {}
                _ => return begin,
            }
        }
    }
}
