//! Finds the next record after damage (FORMAT 5.2).

use crate::{
    Nanos,
    error::{Cause, NoticeKind},
    events::BlockMarker,
    frame::{Bounds, Plausible, marker, several},
    header::{END_MARK, Header},
    stream::Chunk,
};

/// A search in progress. It keeps no bytes, only how far it has come.
#[derive(Debug, Clone)]
pub(crate) struct Resync {
    /// Where the damage begins.
    pub(crate) from: u64,
    cause: Cause,
    bounds: Bounds,
    /// The next offset to check.
    at: u64,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Within the rest of the block: searches for records in a row.
    Block,
    /// Anywhere after it: searches for a block marker.
    File,
}

/// How far a search has come.
#[derive(Debug, PartialEq)]
pub(crate) enum Found {
    /// Decoding can continue here, or the log ends here.
    At(u64),
    /// `bytes` bytes are needed from `offset` on.
    Need { offset: u64, bytes: usize },
}

/// The first bytes of a block marker, and the end mark.
const BLOCK: [u8; 2] = BlockMarker::TAG.to_be_bytes();
const END: [u8; 2] = END_MARK.to_be_bytes();

enum Place {
    Good,
    Bad,
    Need(usize),
}

impl Resync {
    pub(crate) fn new(cause: Cause, from: u64, bounds: Bounds) -> Self {
        Self { from, cause, bounds, at: from + 1, stage: Stage::Block }
    }

    /// A search for the next block from `from` on, where nothing need be wrong: ignore its notice.
    pub(crate) fn for_block(from: u64) -> Self {
        let bounds = Bounds { block_end: u64::MAX, times: (Nanos(0), Nanos::MAX), last_time: Nanos(0) };
        Self { from, cause: Cause::Undeclared(0), bounds, at: from, stage: Stage::File }
    }

    /// The notice, once the search has ended at `to`.
    pub(crate) fn lost(&self, to: u64) -> NoticeKind {
        NoticeKind::Lost { cause: self.cause, bytes: to - self.from }
    }

    pub(crate) fn search(&mut self, chunk: Chunk<'_>, header: &Header) -> Found {
        loop {
            let here = chunk.from(self.at);
            if here.bytes.is_empty() {
                return if chunk.last { Found::At(self.at) } else { Found::Need { offset: self.at, bytes: 1 } };
            }
            if self.stage == Stage::File {
                let next = here.bytes.windows(2).position(|two| two == BLOCK || two == END);
                let skipped = next.unwrap_or(here.bytes.len() - 1);
                if skipped > 0 {
                    self.at += skipped as u64;
                    continue;
                }
            }
            let place = match self.stage {
                Stage::Block => records_follow(here, header, self.bounds),
                Stage::File => block_follows(here, header, self.bounds),
            };
            match place {
                Place::Good => return Found::At(self.at),
                Place::Need(bytes) => return Found::Need { offset: self.at, bytes },
                Place::Bad => {
                    // Nothing was found at the block's own end either, so its size is false, too.
                    if self.at == self.bounds.block_end {
                        self.stage = Stage::File;
                    }
                    self.at += 1;
                }
            }
        }
    }
}

/// Whether [`RESYNC_RECORDS`](crate::limits::RESYNC_RECORDS) plausible records in a row begin here, or fewer up to the
/// end of the block, or a block.
fn records_follow(here: Chunk<'_>, header: &Header, bounds: Bounds) -> Place {
    match several(here, header, bounds) {
        Plausible::Yes | Plausible::Cut(_) => Place::Good,
        Plausible::End => block_follows(here, header, bounds),
        Plausible::No => Place::Bad,
        Plausible::Need(bytes) => Place::Need(bytes),
    }
}

/// Whether a believable block marker begins here, with plausible records after it, or the log's end mark.
fn block_follows(here: Chunk<'_>, header: &Header, bounds: Bounds) -> Place {
    if here.bytes.starts_with(&END) {
        return match several(here, header, Bounds { block_end: u64::MAX, ..bounds }) {
            Plausible::Need(bytes) => Place::Need(bytes),
            Plausible::No => Place::Bad,
            Plausible::Yes | Plausible::End | Plausible::Cut(_) => Place::Good,
        };
    }
    let (end, block, time) = match marker(here, header) {
        Ok(Some(marker)) => marker,
        Ok(None) => return Place::Bad,
        Err(bytes) => return Place::Need(bytes),
    };
    let inside = Bounds {
        block_end: here.offset + u64::from(block.size),
        times: crate::decoder::block_times(time, block.end_time),
        last_time: time,
    };
    match several(here.from(end), header, inside) {
        Plausible::Yes | Plausible::End | Plausible::Cut(_) => Place::Good,
        Plausible::No => Place::Bad,
        Plausible::Need(bytes) => Place::Need((end - here.offset) as usize + bytes),
    }
}

#[cfg(test)]
mod tests;
