//! Finds the offsets of what must be changed in each repetition of a log.

use ghc_eventlog::{
    BlockMarker, HeapBioProfSampleBegin, Record, StatusNumbering, StopReason, StopThread, Value, Wire, info,
};

/// Offsets in bytes from the start of the log.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Of times, each of eight bytes.
    pub(super) times: Vec<usize>,
    /// Of thread numbers, each of four bytes.
    pub(super) threads: Vec<usize>,
    /// The smallest and the largest time, in nanoseconds.
    pub(super) extent: Option<(u64, u64)>,
    pub(super) largest_thread: u32,
    /// Where the last block begins, and its bytes.
    pub(super) last_block: Option<(usize, u32)>,
}

impl Places {
    /// Adds what a record has; its fields begin at `payload`.
    pub(super) fn add(&mut self, record: &Record<'_>, payload: usize, numbering: StatusNumbering) {
        self.time(record.time.0, record.offset as usize + 2);
        if !record.known {
            return;
        }
        self.thread_fields(record, payload);
        match record.tag {
            BlockMarker::TAG => {
                let block = BlockMarker::read(record.payload);
                self.last_block = Some((record.offset as usize, block.size));
                // 0 means that it is not known.
                if block.end_time.0 > 0 {
                    self.time(block.end_time.0, payload + 4);
                }
            }
            // The census's own time. All other times that events have among their fields are durations.
            HeapBioProfSampleBegin::TAG => self.times.push(payload + 8),
            StopThread::TAG => {
                let StopThread { status, info, .. } = StopThread::read(record.payload);
                if status.reason(numbering) == Some(StopReason::BlockedOnBlackHole) {
                    self.thread(info.unwrap_or(0), payload + 6);
                }
            }
            _ => {}
        }
    }

    fn time(&mut self, time: u64, at: usize) {
        let (first, last) = self.extent.unwrap_or((time, time));
        self.extent = Some((first.min(time), last.max(time)));
        self.times.push(at);
    }

    /// Thread numbers come before all fields of variable length.
    fn thread_fields(&mut self, record: &Record<'_>, payload: usize) {
        let mut wire = info(record.tag).map_or(&[][..], |info| info.wire).iter();
        let mut at = Some(payload);
        record.visit(|_, value| {
            if let (Value::Thread(thread), Some(at)) = (value, at) {
                self.thread(thread.0, at);
            }
            at = match wire.next() {
                Some(Wire::Number(bytes)) => at.map(|at| at + bytes),
                _ => None,
            };
        });
    }

    /// 0 is no thread's number.
    fn thread(&mut self, thread: u32, at: usize) {
        if thread > 0 {
            self.largest_thread = self.largest_thread.max(thread);
            self.threads.push(at);
        }
    }
}
