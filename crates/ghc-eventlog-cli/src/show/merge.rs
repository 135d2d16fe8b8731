//! Pieces merged into one order.

use super::pieces::{Loaded, Piece, Pieces};
use crate::input::Source;
use ghc_eventlog::{Header, Nanos, Record};
use std::{cmp::Reverse, collections::BinaryHeap, io};

/// Gives every record of the wanted pieces to `take`, in order of time, until `take` has enough.
pub(crate) fn in_order(
    source: &mut Source,
    pieces: &Pieces,
    wanted: impl Fn(&Piece) -> bool,
    mut take: impl FnMut(&Record<'_>, &Header) -> io::Result<bool>,
) -> io::Result<()> {
    let mut waiting = pieces.list.iter().filter(|piece| wanted(piece)).peekable();
    let mut heap: BinaryHeap<Head> = BinaryHeap::new();
    loop {
        // A piece is needed as soon as its first time has come; no sooner, as a long run of equal times is many pieces.
        while let Some(piece) = waiting.peek().copied()
            && heap.peek().is_none_or(|head| piece.key() <= head.key.0)
        {
            waiting.next();
            heap.extend(Head::of(Loaded::of(source, pieces, piece)?));
        }
        let Some(mut head) = heap.pop() else { return Ok(()) };
        // As long as nobody else is earlier, there is no need to ask again.
        let others = heap.peek().map(|other| other.key.0);
        let limit = waiting.peek().map(|piece| piece.key());
        while let Some(record) = head.piece.take() {
            if !take(&record, &head.header)? {
                return Ok(());
            }
            let Some(key) = head.piece.key() else { break };
            if others.is_some_and(|other| other < key) || limit.is_some_and(|limit| limit <= key) {
                head.key = Reverse(key);
                heap.push(head);
                break;
            }
        }
    }
}

/// A piece by its next record.
struct Head {
    key: Reverse<(Nanos, u64)>,
    header: Header,
    piece: Loaded,
}

impl Head {
    fn of(mut piece: Loaded) -> Option<Self> {
        let header = std::mem::take(&mut piece.header);
        piece.key().map(|key| Self { key: Reverse(key), header, piece })
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Head {}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Head {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}
