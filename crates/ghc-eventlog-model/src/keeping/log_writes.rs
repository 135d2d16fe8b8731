//! When the runtime wrote the events of capabilities to the file: the capability stands still meanwhile, whatever its lane says.
//!
//! ```text
//! block 1 |events .......| closed          block 2 begins |events ....
//!                        |--- written to the file ---|
//! ```
//!
//! A block's marker says when the block was closed, and the next one's when it was begun. It is an estimate: the runtime may
//! also have waited for another capability that wrote at that time.

use crate::{
    keeping::{
        rests::Rests,
        store::{Purpose, Store},
    },
    limits,
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// The times in which all capabilities' events were written; when there are too many, the longest ones.
#[derive(Debug)]
pub(crate) struct LogWrites {
    writes: Rests,
    /// How many there were.
    count: usize,
    /// By stream: the sum of all of them.
    totals: Vec<Nanos>,
    /// The sum of those in which a thread ran there, which was held up.
    pub(crate) held_up: Nanos,
}

impl LogWrites {
    /// A stream's events were written from one time to another, while a thread ran there or not. Those of one stream must come in order.
    pub(crate) fn add(&mut self, stream: usize, (from, to): (Nanos, Nanos), runs: bool) {
        if runs {
            self.held_up = self.held_up.plus(to.since(from));
        }
        self.count += 1;
        self.writes.add(stream, from, to);
        if self.totals.len() <= stream {
            self.totals.resize(stream + 1, Nanos(0));
        }
        if let Some(total) = self.totals.get_mut(stream) {
            *total = total.plus(to.since(from));
        }
    }

    /// How long a stream's events were written in all.
    pub(crate) fn total(&self, stream: usize) -> Nanos {
        self.totals.get(stream).copied().unwrap_or_default()
    }

    /// The same within `from..to`; `None` if not all that was found is kept.
    pub(crate) fn total_within(&self, stream: usize, from: Nanos, to: Nanos) -> Option<Nanos> {
        let inside = self.within(stream, from, to).map(|(start, end)| end.min(to).since(start.max(from)));
        (self.count <= limits::MAX_LOG_WRITES).then(|| inside.fold(Nanos(0), Nanos::plus))
    }

    /// When a stream's events were written, as far as that overlaps `from..to`.
    pub(crate) fn within(&self, stream: usize, from: Nanos, to: Nanos) -> impl Iterator<Item = (Nanos, Nanos)> {
        self.writes.within(stream, from, to)
    }
}

impl Store for LogWrites {
    fn of(_: Purpose) -> Self {
        let writes = Rests::longer_than(Nanos(0), limits::MAX_LOG_WRITES);
        Self { writes, count: 0, totals: Vec::new(), held_up: Nanos(0) }
    }

    fn bytes_held(&self) -> usize {
        self.writes.bytes_held() + self.totals.capacity() * size_of::<Nanos>()
    }
}
