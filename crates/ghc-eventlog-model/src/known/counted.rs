//! How many events were found, for the next page of the event list.

use alloc::{string::String, vec::Vec};
use ghc_eventlog::Nanos;

/// How many chosen events the segments at the edges of a range have. The list is read page by page, and this way they need to
/// be read only once. Only for a log that is over: until then, the same range may get other edges.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    pub(crate) filter: String,
    pub(crate) times: Option<(Nanos, Nanos)>,
    /// In order of the file.
    pub(crate) counts: Vec<u64>,
}

impl Counted {
    pub(crate) fn bytes_held(&self) -> usize {
        self.filter.len() + self.counts.capacity() * size_of::<u64>()
    }
}
