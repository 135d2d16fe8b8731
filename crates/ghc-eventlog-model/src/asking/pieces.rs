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
    /// How many events stand before it, block markers not counted.
    pub events_before: u64,
}

impl Model {
    /// The pieces of the file that may hold events of one of some numbers, and in which a thread may have run if one is given;
    /// in all others there are none, and it did not. In order of the file, as far as it is indexed: all of it once the log has
    /// been read. Without numbers, of any.
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
