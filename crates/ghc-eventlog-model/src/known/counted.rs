//! How many events were found, for the list's next page.

use alloc::{string::String, vec::Vec};
use ghc_eventlog::Nanos;

/// How many chosen events the segments at the edges of a range have: a list is read page by page, and they need be read only
/// once for that. Only of a log that is over: until then, the same range comes to have other edges.
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
