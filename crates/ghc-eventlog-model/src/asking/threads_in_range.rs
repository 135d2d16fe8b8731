//! What threads did in a range of time, to the nanosecond.
//!
//! ```text
//! range              |from ------------------------ to|
//! pieces      |===0===|===1===|===2===|===3===|===4===|
//! ```
//!
//! The cells ([`ThreadCells`](crate::keeping::crossing::cells::ThreadCells)) have what threads did from the begin of one
//! piece to the begin of another. For the pieces in which the range begins and ends, here 0 and 4, events from the piece's
//! begin up to there are read again.

use crate::{
    keeping::{
        crossing::{
            Replayed,
            cells::{Blocked, Did, Happened, block},
            doing::Now,
        },
        threads::Threads,
    },
    known::{Known, summed::InRange},
    limits,
    sorting::sort_by_number,
    terms::op::Op,
};
use alloc::{vec, vec::Vec};
use ghc_eventlog::Nanos;

/// The thread events from the begin of a piece up to a time in it.
#[derive(Debug, Clone)]
struct Edge {
    at: Nanos,
    /// The segments that have not been read yet.
    segments: Vec<u32>,
    /// The events, each with its segment.
    ops: Vec<(u32, Op)>,
}

/// A range that is being summed up.
#[derive(Debug)]
pub(crate) struct Summing {
    edges: [Edge; 2],
}

impl Summing {
    /// Begins to sum up. `None` before the replay is complete, and if too much of the file would have to be read.
    pub(crate) fn new(known: &Known, from: Nanos, to: Nanos) -> Option<Self> {
        let replayed = known.replayed.as_ref().filter(|replayed| replayed.is_done)?;
        let cells = &replayed.lives.cells;
        let edge = |at: Nanos| {
            // Events at the very end belong to the log, too.
            let at = at.min(replayed.end.plus(Nanos(1)));
            let begin = cells.begin(cells.piece(at));
            let segments = if begin < at { known.segments_between(begin, at) } else { Vec::new() };
            Edge { at, segments, ops: Vec::new() }
        };
        let edges = [edge(from.max(replayed.begin)), edge(to)];
        let bytes: u64 = edges.iter().map(|edge| known.bytes_to_read(&edge.segments)).sum();
        (bytes <= limits::DETAIL_READ).then_some(Self { edges })
    }

    /// The segments that have not been read yet.
    pub(crate) fn segments(&self) -> impl Iterator<Item = u32> {
        self.edges.iter().flat_map(|edge| edge.segments.iter().copied())
    }

    /// Takes the events of a segment.
    pub(crate) fn take(&mut self, known: &Known, segment: u32, ops: &[Op]) {
        let Some(replayed) = &known.replayed else { return };
        let cells = &replayed.lives.cells;
        for edge in &mut self.edges {
            if !edge.segments.contains(&segment) {
                continue;
            }
            edge.segments.retain(|other| *other != segment);
            let begin = cells.begin(cells.piece(edge.at));
            let inside = |op: &&Op| begin <= op.time && op.time < edge.at;
            edge.ops.extend(ops.iter().filter(inside).map(|op| (segment, *op)));
        }
    }

    /// What threads did in the range, once nothing is missing.
    pub(crate) fn finish(mut self, known: &Known) -> InRange {
        let (Some(replayed), threads) = (&known.replayed, &known.stores.threads) else {
            return InRange::default();
        };
        let [from, to] = &mut self.edges;
        let before = did_until(replayed, threads, from);
        let mut all = did_until(replayed, threads, to);
        all.by_place.iter_mut().zip(&before.by_place).for_each(|(did, before)| did.take_off(before));
        all.without_row.take_off(&before.without_row);
        all.blocked.iter_mut().zip(before.blocked).for_each(|(time, before)| *time = time.since(before));
        all
    }
}

/// What threads did from the begin of the log up to a time.
fn did_until(replayed: &Replayed, threads: &Threads, edge: &mut Edge) -> InRange {
    let lives = &replayed.lives;
    let cells = &lives.cells;
    let piece = cells.piece(edge.at);
    let begin = cells.begin(piece);
    let mut by_place = vec![Did::default(); lives.count()];
    let mut blocked = cells.blocked(0, piece);
    let mut ops = core::mem::take(&mut edge.ops);
    // Events with equal times come in file order.
    sort_by_number(&mut ops, |(segment, _)| (*segment).into());
    sort_by_number(&mut ops, |(_, op)| op.time.0);
    let mut now = vec![Now::GONE; lives.count()];
    for (place, life) in lives.all() {
        let (Some(did), Some(now)) = (by_place.get_mut(place), now.get_mut(place)) else { continue };
        let mut rest = Did::default();
        let until = (piece, begin.min(replayed.end));
        let add = |cell: &Did| did.add(cell);
        *now = cells.did_until((life.last, life.counted_until), until, add, |now, time| {
            rest.spend(now.doing, time);
            block(&mut blocked, now, time);
        });
        did.add(&rest);
    }
    // The time up to which each thread's time has been counted.
    let mut counted_until = vec![begin; lives.count()];
    let spend = |by_place: &mut Vec<Did>, blocked: &mut Blocked, place: usize, now: &Now, time: Nanos| {
        if let Some(did) = by_place.get_mut(place) {
            did.spend(now.doing, time);
        }
        block(blocked, now, time);
    };
    for (_, op) in &ops {
        let Some(place) = threads.known_place(op.thread) else { continue };
        let (Some(now), Some(counted_until)) = (now.get_mut(place), counted_until.get_mut(place)) else { continue };
        let was = *now;
        let time = op.time.max(*counted_until);
        let became = now.step(op);
        let more = Happened::of(op, &was, became, time);
        spend(&mut by_place, &mut blocked, place, &was, time.since(*counted_until));
        *counted_until = time;
        if let Some(did) = by_place.get_mut(place) {
            did.count(&more);
        }
    }
    for (place, (now, counted_until)) in now.iter().zip(&counted_until).enumerate() {
        spend(&mut by_place, &mut blocked, place, now, edge.at.min(replayed.end).since(*counted_until));
    }
    let (without_row, of_those) = lives.rowless.until(edge.at, replayed.end, cells);
    blocked.iter_mut().zip(of_those).for_each(|(time, more)| *time = time.plus(more));
    InRange { by_place, blocked, without_row }
}
