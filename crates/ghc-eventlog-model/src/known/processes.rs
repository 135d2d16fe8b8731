//! The processes whose logs are in one file, one after the other: a program that was started again, or whose log was appended
//! to another's.
//!
//! Where logging is stopped and started again, a further stream follows, too, but of the same process: its clock goes on, and
//! so do the numbers of its threads.

use crate::terms::numbering::Numbering;
use alloc::vec::Vec;
use ghc_eventlog::{Chunk, Decoder, Nanos, NoticeKind, OsProcessPid, Step};

/// The processes after the first one, in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct Processes {
    /// Where each begins, in bytes from the start of the file.
    later: Vec<(u64, Numbering)>,
}

impl Processes {
    /// How the threads are numbered that the log names from an offset on.
    pub(crate) fn numbering(&self, offset: u64) -> Numbering {
        let at = self.later.partition_point(|(from, _)| *from <= offset);
        at.checked_sub(1).and_then(|at| self.later.get(at)).map_or(Numbering::default(), |(_, numbering)| *numbering)
    }

    pub(crate) fn begin(&mut self, from: u64, numbering: Numbering) {
        self.later.push((from, numbering));
    }

    /// How many there are, with the first one.
    pub(crate) fn count(&self) -> usize {
        self.later.len() + 1
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.later.capacity() * size_of::<(u64, Numbering)>()
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
