//! What threads did, in cells of time. A thread has a cell only where something happened to it.
//!
//! ```text
//! pieces      |     0     |     1     |     2     |     3     |     4     |
//! thread 1      c.rrrrbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb..rrrbbbbbbbbbbb...
//! its cells   |c.rrrrbbbb|                       |bbbb..rrrbb|
//! in between               blocked, all the time              and from here on, too
//! ```
//!
//! A cell has the exact times in it, and the thread's state at its end. So a thread's state at the begin of any cell, and all
//! that it did between two such times, are known without reading the log.
//!
//! When there are too many cells, their width is doubled.

use super::doing::{Became, Doing, Now, STATES};
use crate::{
    keeping::chunked::Chunked,
    limits,
    terms::op::{Op, What},
};
use alloc::vec::Vec;
use ghc_eventlog::{Nanos, StopReason};

/// Sums of what a thread did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Did {
    /// The time in each state.
    pub(crate) times: [Nanos; STATES],
    /// The time from wake-up to running.
    pub(crate) latency: Nanos,
    /// How often it ran.
    pub(crate) runs: u32,
    /// How often it was migrated.
    pub(crate) migrations: u32,
    /// How often it ran after a wake-up.
    pub(crate) woken: u32,
}

/// What an event adds to the sums of a thread, except times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Happened {
    /// If it runs after a wake-up: the time since then.
    pub(crate) latency: Option<Nanos>,
    pub(crate) runs: bool,
    pub(crate) migrates: bool,
}

impl Happened {
    /// What an event adds for a thread that it changes. `before` is the thread's state until then.
    #[inline]
    pub(crate) fn of(op: &Op, before: &Now, became: Became, time: Nanos) -> Self {
        let runs = op.what == What::Run && became != Became::Same;
        let latency = if runs && before.is_woken() { Some(time.since(before.since)) } else { None };
        Self { latency, runs, migrates: matches!(op.what, What::Migrate(_)) }
    }
}

impl Did {
    pub(crate) fn add(&mut self, more: &Self) {
        self.times.iter_mut().zip(more.times).for_each(|(time, more)| *time = time.plus(more));
        self.latency = self.latency.plus(more.latency);
        self.runs = self.runs.saturating_add(more.runs);
        self.migrations = self.migrations.saturating_add(more.migrations);
        self.woken = self.woken.saturating_add(more.woken);
    }

    /// Adds what an event does.
    #[inline]
    pub(crate) fn count(&mut self, more: &Happened) {
        self.runs = self.runs.saturating_add(more.runs.into());
        self.migrations = self.migrations.saturating_add(more.migrates.into());
        if let Some(latency) = more.latency {
            self.latency = self.latency.plus(latency);
            self.woken = self.woken.saturating_add(1);
        }
    }

    /// Subtracts what the thread did before.
    pub(crate) fn take_off(&mut self, before: &Self) {
        self.times.iter_mut().zip(before.times).for_each(|(time, before)| *time = time.since(before));
        self.latency = self.latency.since(before.latency);
        self.runs = self.runs.saturating_sub(before.runs);
        self.migrations = self.migrations.saturating_sub(before.migrations);
        self.woken = self.woken.saturating_sub(before.woken);
    }

    /// Adds time in a state.
    #[inline]
    pub(crate) fn spend(&mut self, doing: Doing, time: Nanos) {
        if let Some(all) = self.times.get_mut(doing as usize) {
            *all = all.plus(time);
        }
    }

    pub(crate) fn time(&self, doing: Doing) -> Nanos {
        self.times.get(doing as usize).copied().unwrap_or_default()
    }
}

/// A cell of one thread: a piece of time in which something happened to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cell {
    /// Which piece.
    pub(crate) piece: u32,
    /// The thread's previous cell; [`NONE`] for its first.
    pub(crate) before: u32,
    /// The thread's state at its end. A thread's last cell may not be over: then its times end here, not at the cell's end.
    pub(crate) now: Now,
    pub(crate) did: Did,
}

/// No cell.
pub(crate) const NONE: u32 = u32::MAX;

/// The reasons to be blocked, in the order that [`Blocked`] has them.
pub(crate) const REASONS: [StopReason; 11] = [
    StopReason::BlockedOnMVar,
    StopReason::BlockedOnMVarRead,
    StopReason::BlockedOnStm,
    StopReason::BlockedOnBlackHole,
    StopReason::BlockedOnThrowTo,
    StopReason::BlockedOnDelay,
    StopReason::BlockedOnRead,
    StopReason::BlockedOnWrite,
    StopReason::BlockedOnDoProc,
    StopReason::BlockedOnIoCompletion,
    StopReason::Blocked,
];

/// By the number of a [`StopReason`], its place in [`REASONS`].
const PLACES: [u8; 32] = {
    let mut places = [u8::MAX; 32];
    let mut place = 0;
    while place < REASONS.len() {
        places[REASONS[place] as usize] = place as u8;
        place += 1;
    }
    places
};

/// The place of a reason in [`REASONS`]. One of them is looked for at nearly every event.
#[inline]
pub(crate) fn place_of(reason: Option<StopReason>) -> Option<usize> {
    let place = PLACES.get(reason? as usize).copied().map_or(REASONS.len(), usize::from);
    Some(place).filter(|place| *place < REASONS.len())
}

/// The time that threads were blocked, by reason.
pub(crate) type Blocked = [Nanos; REASONS.len()];

/// Adds to the time of a reason.
#[inline]
pub(crate) fn block(blocked: &mut Blocked, now: &Now, time: Nanos) {
    if now.doing == Doing::Blocked
        && let Some(all) = place_of(now.reason).and_then(|place| blocked.get_mut(place))
    {
        *all = all.plus(time);
    }
}

/// The cells of all threads.
#[derive(Debug)]
pub(crate) struct ThreadCells {
    /// In order of their pieces.
    cells: Chunked<Cell>,
    /// How long a piece is in nanoseconds, as a power of two.
    width_log2: u32,
    /// When the first piece begins.
    origin: Nanos,
    /// For each piece: the time that threads were blocked within cells, by reason.
    blocked: Vec<Blocked>,
}

impl ThreadCells {
    /// Cells for a log that begins at `origin` and has this length.
    pub(crate) fn new(origin: Nanos, length: Nanos) -> Self {
        let finest = length.0.div_ceil(limits::MAX_PIECES as u64 - 1).max(1);
        let width_log2 = finest.next_power_of_two().ilog2();
        Self { cells: Chunked::new(), width_log2, origin, blocked: Vec::new() }
    }

    /// The piece that a time lies in.
    #[inline]
    pub(crate) fn piece(&self, time: Nanos) -> u32 {
        u32::try_from(time.since(self.origin).0 >> self.width_log2).unwrap_or(u32::MAX)
    }

    /// When a piece begins.
    pub(crate) fn begin(&self, piece: u32) -> Nanos {
        self.origin.plus(Nanos(u64::from(piece).saturating_mul(self.width().0)))
    }

    /// When a piece begins, and the next one does.
    pub(crate) fn times(&self, piece: u32) -> (Nanos, Nanos) {
        (self.begin(piece), self.begin(piece.saturating_add(1)))
    }

    /// How long a piece is.
    pub(crate) fn width(&self) -> Nanos {
        Nanos(1 << self.width_log2)
    }

    pub(crate) fn get(&self, cell: u32) -> Option<&Cell> {
        self.cells.get(cell as usize)
    }

    /// The time that threads were blocked within cells, by reason, for the pieces `from..to`.
    pub(crate) fn blocked(&self, from: u32, to: u32) -> Blocked {
        let mut all = Blocked::default();
        let place = |piece: u32| (piece as usize).min(self.blocked.len());
        for blocked in self.blocked.get(place(from)..place(to)).unwrap_or_default() {
            all.iter_mut().zip(blocked).for_each(|(all, more)| *all = all.plus(*more));
        }
        all
    }

    /// Whether there is no room for another cell: pieces must become longer first. Once there is only one piece, no thread
    /// has two cells.
    pub(crate) fn is_full(&self) -> bool {
        self.cells.len() >= limits::MAX_CELLS && self.width_log2 < u64::BITS - 1
    }

    /// What a thread did up to a time, by its cells before a piece; the thread must have no cell between those and that time.
    /// `last` is its last cell, which covers its time up to `counted_until`. Passes the sums of cells to `take`, and the states
    /// between them to `between`. Returns the state at that time.
    pub(crate) fn did_until(
        &self,
        (last, counted_until): (u32, Nanos),
        (piece, time): (u32, Nanos),
        mut take: impl FnMut(&Did),
        mut between: impl FnMut(&Now, Nanos),
    ) -> Now {
        let mut now = None;
        let (mut at, mut until) = (last, time);
        while let Some(cell) = self.get(at) {
            if cell.piece < piece {
                now.get_or_insert(cell.now);
                let end = if at == last { counted_until } else { self.begin(cell.piece + 1) };
                between(&cell.now, until.since(end));
                take(&cell.did);
                until = self.begin(cell.piece);
            }
            at = cell.before;
        }
        now.unwrap_or(Now::GONE)
    }

    /// Adds `since..time` to what a thread did in the state `before`, and what `more` says of the event then, after which it is in the
    /// state `after`. Returns the cell for what it does from `time` on. `last` is the thread's last cell.
    #[inline]
    pub(crate) fn go_to(
        &mut self,
        last: u32,
        (before, after): (&Now, &Now),
        (since, time): (Nanos, Nanos),
        more: &Happened,
    ) -> u32 {
        let piece = self.piece(time);
        let here = if self.get(last).is_some_and(|cell| cell.piece >= piece) {
            last
        } else {
            self.begin_cell(last, before, since, piece)
        };
        let since = if here == last { since } else { self.begin(piece).max(since) };
        let spent = time.since(since);
        let Some(cell) = self.cells.get_mut(here as usize) else { return here };
        cell.did.spend(before.doing, spent);
        cell.did.count(more);
        cell.now = *after;
        if before.doing == Doing::Blocked {
            let piece = cell.piece;
            self.block(piece, before, spent);
        }
        here
    }

    /// The next cell of a thread that has been in a state since a time. The rest of the piece of its last cell is added to that.
    #[cold]
    fn begin_cell(&mut self, last: u32, before: &Now, since: Nanos, piece: u32) -> u32 {
        if let Some(cell) = self.get(last) {
            let end = self.begin(cell.piece + 1);
            self.spend(last, before, end.since(since));
        }
        self.cells.push(Cell { piece, before: last, now: *before, did: Did::default() });
        self.cells.len() as u32 - 1
    }

    /// Adds time that a thread spent in a state to one of its cells.
    pub(crate) fn spend(&mut self, cell: u32, now: &Now, time: Nanos) {
        let Some(cell) = self.cells.get_mut(cell as usize) else { return };
        cell.did.spend(now.doing, time);
        if now.doing == Doing::Blocked {
            let piece = cell.piece;
            self.block(piece, now, time);
        }
    }

    /// Adds time that a thread was blocked in a piece.
    #[inline]
    fn block(&mut self, piece: u32, now: &Now, time: Nanos) {
        let place = piece as usize;
        if place >= self.blocked.len() && place < limits::MAX_PIECES {
            self.blocked.resize(place + 1, Blocked::default());
        }
        if let Some(blocked) = self.blocked.get_mut(place) {
            block(blocked, now, time);
        }
    }

    /// Doubles the length of pieces. Returns the new place of each cell.
    pub(crate) fn double(&mut self) -> Vec<u32> {
        let width = self.width();
        let pieces: Vec<u32> = self.cells.iter().map(|cell| cell.piece).collect();
        let mut moved: Vec<u32> = Vec::with_capacity(pieces.len());
        let blocked = core::mem::take(&mut self.blocked);
        self.width_log2 += 1;
        let sum = |pair: &[Blocked]| {
            let mut all = Blocked::default();
            pair.iter().flatten().zip((0..all.len()).cycle()).for_each(|(more, at)| {
                if let Some(all) = all.get_mut(at) {
                    *all = all.plus(*more);
                }
            });
            all
        };
        self.blocked = blocked.chunks(2).map(sum).collect();
        let mut end = 0;
        for (at, &piece) in pieces.iter().enumerate() {
            let Some(cell) = self.cells.get(at).copied() else { break };
            let before = moved.get(cell.before as usize).copied().unwrap_or(NONE);
            let previous = pieces.get(cell.before as usize).copied();
            let was = self.get(before).map_or(Now::GONE, |cell| cell.now);
            // The thread had no cell in one half of the new piece, since its state did not change there: the time after the
            // previous cell, or before this one.
            if previous.is_some_and(|previous| previous % 2 == 0 && previous + 1 < piece) {
                self.spend(before, &was, width);
            }
            let place = if previous.is_some_and(|previous| previous / 2 == piece / 2) { before } else { end };
            if place == end {
                let new = Cell { piece: piece / 2, before, did: Did::default(), ..cell };
                if let Some(place) = self.cells.get_mut(end as usize) {
                    *place = new;
                }
                end += 1;
                if piece % 2 == 1 {
                    self.spend(place, &was, width);
                }
            }
            if let Some(all) = self.cells.get_mut(place as usize) {
                all.now = cell.now;
                all.did.add(&cell.did);
            }
            moved.push(place);
        }
        self.cells.truncate(end as usize);
        moved
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.cells.bytes_held() + self.blocked.capacity() * size_of::<Blocked>()
    }
}
