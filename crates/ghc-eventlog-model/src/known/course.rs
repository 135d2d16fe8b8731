//! What one thread did, stretch by stretch.

use crate::{
    keeping::crossing::{
        doing::{Became, Doing, Now},
        threads::ThreadLife,
    },
    known::Known,
    sorting::sort_by_number,
    terms::op::{Op, Waker, What},
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos, StopReason, ThreadId};

/// A stretch of time in which a thread was in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) now: Now,
    pub(crate) to: Nanos,
    pub(crate) end: End,
}

/// What ended a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It stopped: the reason, if it is known.
    Stopped(Option<StopReason>),
    /// It began to run.
    Ran,
    /// It was woken up on a capability, by the thread that ran there, if any.
    Woken(CapNo, Waker),
    /// The log ends.
    Open,
    /// What came next was not logged: its class of events was switched off.
    Unlogged,
    /// Its process is over.
    ProcessOver,
    /// The events of the capability that it ran on end.
    LostSight,
    /// Not known yet: its end has not been read.
    Unread,
}

impl Known {
    /// A thread's number, by its place.
    pub(crate) fn thread_at(&self, place: usize) -> Option<ThreadId> {
        self.stores.threads.rows().get(place).map(|thread| thread.id)
    }

    /// The pieces in which something happened to a thread, in order.
    pub(crate) fn pieces_of(&self, life: &ThreadLife) -> Vec<CellStates> {
        let Some(replayed) = &self.replayed else { return Vec::new() };
        let cells = &replayed.lives.cells;
        let mut pieces = Vec::new();
        let mut at = life.last;
        while let Some(cell) = cells.get(at) {
            let before = cells.get(cell.before).map_or(Now::GONE, |before| before.now);
            let has_woken = cell.did.woken > 0 || cell.now.is_woken();
            pieces.push(CellStates { number: cell.piece, before, after: cell.now, has_woken });
            at = cell.before;
        }
        pieces.reverse();
        pieces
    }

    /// What a thread did in `from..to`, stretch by stretch. Uses the events at hand in `segments`: those of
    /// [`Self::segments_between`] for all pieces that overlap the time. The first stretch may have begun before, and the last
    /// one continues until the thread's next event.
    pub(crate) fn course(&self, place: usize, from: Nanos, to: Nanos, segments: &[u32]) -> Vec<Stretch> {
        let Some(replayed) = &self.replayed else { return Vec::new() };
        let (Some(life), Some(thread)) = (replayed.lives.get(place), self.thread_at(place)) else { return Vec::new() };
        let cells = &replayed.lives.cells;
        let pieces = self.pieces_of(life);
        let first = pieces.partition_point(|piece| piece.number < cells.piece(from));
        let after = pieces.partition_point(|piece| piece.number <= cells.piece(to)).max(first);
        let before = pieces.get(first).map(|piece| piece.before);
        let before = before.or_else(|| pieces.last().map(|last| last.after)).unwrap_or(Now::GONE);
        let mut course = Course { now: before, stretches: Vec::new() };
        let inside = pieces.get(first..after).unwrap_or_default();
        if let (Some(one), Some(last)) = (inside.first(), inside.last()) {
            let (begin, end) = (cells.begin(one.number), cells.begin(last.number.saturating_add(1)));
            let mut ops: Vec<Op> = Vec::new();
            for segment in segments {
                ops.extend_from_slice(self.at_hand.of(*segment, thread, begin, end));
            }
            ops.extend(replayed.breaks_of(thread, begin, end));
            // The sort is stable: segments come in order of the file.
            sort_by_number(&mut ops, |op| op.time.0);
            ops.iter().for_each(|op| course.step(op));
        }
        match pieces.get(after) {
            Some(next) => course.finish(cells.begin(next.number), End::Unread),
            None => course.finish(replayed.end, End::Open),
        }
    }
}

/// A thread's states at the begin and at the end of a piece in which something happened to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CellStates {
    pub(crate) number: u32,
    pub(crate) before: Now,
    pub(crate) after: Now,
    /// Whether it was woken up in the piece, or started to run in it after a wake-up.
    pub(crate) has_woken: bool,
}

/// A thread's state while its events are applied.
struct Course {
    now: Now,
    stretches: Vec<Stretch>,
}

impl Course {
    fn step(&mut self, op: &Op) {
        let before = self.now;
        if self.now.step(op) == Became::Same {
            return;
        }
        let end = match op.what {
            What::Stop(reason, _) => End::Stopped(reason),
            What::StopMissing => End::Stopped(None),
            What::Wake(by) | What::Migrate(by) => End::Woken(op.cap, by),
            What::LoseSight | What::Unseen => End::LostSight,
            What::Unlogged => End::Unlogged,
            What::ProcessOver => End::ProcessOver,
            What::Create | What::Run | What::Mark(_) | What::Spark | What::Gc(_) | What::Occupied(_) | What::Vacant => {
                End::Ran
            }
        };
        self.add(before, self.now.since, end);
    }

    fn add(&mut self, now: Now, to: Nanos, end: End) {
        if now.doing != Doing::Gone {
            self.stretches.push(Stretch { now, to, end });
        }
    }

    fn finish(mut self, to: Nanos, end: End) -> Vec<Stretch> {
        self.add(self.now, to, end);
        self.stretches
    }
}
