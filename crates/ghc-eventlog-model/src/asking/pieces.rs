//! Where in the file events may be found.

use crate::{keeping::occurring::Occurring, reading::model::Model};
use ghc_eventlog::ThreadId;

/// A piece of the file in which events may be found: see [`Model::pieces_with`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Where it begins, in bytes from the start of the file.
    pub offset: u64,
    /// How many bytes long it is.
    pub length: u64,
    /// How many events come before it, without block markers.
    pub events_before: u64,
}

impl Model {
    /// The pieces of the file that may hold events with one of the numbers, and, if a thread is given, in which it may have
    /// run; the other pieces certainly do not. They are in file order, as far as the file is indexed: all of it once the log
    /// has been read. Without numbers, any event counts.
    pub fn pieces_with(&self, tags: &[u16], ran: Option<ThreadId>) -> impl Iterator<Item = Piece> {
        let may_have = move |found: &Occurring| {
            (tags.is_empty() || tags.iter().any(|tag| found.tags.may_have(*tag)))
                && ran.is_none_or(|thread| found.ran.may_have(thread))
        };
        let segments = self.known.index.segments().iter().filter(move |segment| may_have(&segment.occurring));
        segments.map(|segment| Piece {
            offset: segment.at.offset,
            length: segment.end - segment.at.offset,
            events_before: segment.events_before,
        })
    }
}
