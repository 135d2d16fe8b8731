//! What threads allocate while instances are open.
//!
//! A capability logs the total that it has allocated when a collection ends. What it allocated since the last time is shared
//! among the threads that ran there meanwhile, by how long they ran: an estimate.
//!
//! ```text
//! cap 0      HEAP_ALLOCATED 100        HEAP_ALLOCATED 500
//! threads         |1111112222222222222222|             1 has run for 6 of 22, so it gets 109 of the 400
//! instance           |----|                            3 of the 6 are within it: 54
//! ```
//!
//! So it is not known when an instance ends what it allocated, but only when the capability next tells.

use super::clock::{Clock, Clocks};
use crate::{
    limits,
    terms::op::{Op, What},
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos, ThreadId};

/// How long a thread ran on a capability since the capability last told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AllocationPiece {
    cap: CapNo,
    /// How often the capability had told.
    epoch: u64,
    run: Nanos,
}

/// What an instance allocated, as far as that is known.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Due {
    /// How many shares are not known yet.
    pending: u32,
    sum: i64,
    is_unknown: bool,
    /// What the thread's clock said at the begin.
    allocated: u64,
    untold: u64,
}

impl Due {
    /// One share is known: bytes, which are negative for what was allocated before the instance began; or it will never be.
    pub(super) fn pay(&mut self, bytes: Option<i64>) {
        self.pending = self.pending.saturating_sub(1);
        match bytes {
            Some(bytes) => self.sum = self.sum.saturating_add(bytes),
            None => self.is_unknown = true,
        }
    }

    /// It is not known.
    pub(super) fn never(&mut self) {
        (self.pending, self.is_unknown) = (0, true);
    }

    pub(super) fn is_settled(&self) -> bool {
        self.pending == 0
    }

    /// The bytes; `None` if they are not all known.
    pub(super) fn sum(&self) -> Option<u64> {
        (self.is_settled() && !self.is_unknown).then(|| u64::try_from(self.sum).unwrap_or(0))
    }
}

/// A part of what an instance allocated on a capability.
#[derive(Debug, Clone, Copy)]
struct AllocationShare {
    /// The instance's slot, and how many spans had begun before it.
    of: (u32, u64),
    run: Nanos,
    /// Whether it was allocated before the instance began.
    is_before: bool,
}

#[derive(Debug, Default)]
struct AllocatedOnCap {
    /// The thread that runs there, and since when; or since the capability last told, if that is later.
    running: Option<(ThreadId, Nanos)>,
    /// How long any thread ran since the capability last told.
    run: Nanos,
    /// How often it has told, and the last total.
    epoch: u64,
    total: Option<u64>,
    /// Threads with pieces.
    ran: Vec<ThreadId>,
    shares: Vec<AllocationShare>,
}

impl AllocatedOnCap {
    /// Counts the time up to now for the thread that runs there.
    fn spend(&mut self, cap: CapNo, time: Nanos, clocks: &mut Clocks) {
        let Some((thread, since)) = &mut self.running else { return };
        let (thread, run) = (*thread, time.since(*since));
        *since = time.max(*since);
        self.run = self.run.plus(run);
        let Some(clock) = clocks.get_mut(thread) else { return };
        let is_here = |piece: &&mut AllocationPiece| piece.cap == cap && piece.epoch == self.epoch;
        if let Some(piece) = clock.pieces.iter_mut().find(is_here) {
            piece.run = piece.run.plus(run);
        } else if clock.pieces.len() >= limits::MAX_CLOCK_CAPS {
            clock.untold += 1;
        } else {
            clock.pieces.push(AllocationPiece { cap, epoch: self.epoch, run });
            self.ran.push(thread);
        }
    }
}

/// What has been allocated by threads on all capabilities.
#[derive(Debug, Default)]
pub(super) struct AllocationShares {
    /// Whether the log tells anything of it.
    is_told: bool,
    caps: Vec<AllocatedOnCap>,
    /// How many shares there are.
    shares: usize,
}

impl AllocationShares {
    pub(super) fn new(is_told: bool) -> Self {
        Self { is_told, ..Self::default() }
    }

    fn cap(&mut self, cap: CapNo) -> Option<&mut AllocatedOnCap> {
        let at = usize::from(cap.0);
        if at >= self.caps.len() && at < limits::MAX_CAPS {
            self.caps.resize_with(at + 1, AllocatedOnCap::default);
        }
        self.caps.get_mut(at)
    }

    /// Something happens to a thread.
    pub(super) fn step(&mut self, op: &Op, clocks: &mut Clocks) {
        if !self.is_told {
            return;
        }
        let Some(of) = self.cap(op.cap) else { return };
        match op.what {
            What::Run => {
                of.spend(op.cap, op.time, clocks);
                of.running = Some((op.thread, op.time));
            }
            What::Stop(..) | What::StopMissing | What::LoseSight
                if of.running.is_some_and(|(thread, _)| thread == op.thread) =>
            {
                of.spend(op.cap, op.time, clocks);
                of.running = None;
            }
            _ => {}
        }
    }

    /// Counts the time up to now for a thread, if it runs on a capability.
    pub(super) fn read(&mut self, thread: ThreadId, cap: Option<CapNo>, time: Nanos, clocks: &mut Clocks) {
        let Some((cap, of)) = cap.and_then(|cap| Some((cap, self.cap(cap)?))) else { return };
        if of.running.is_some_and(|(runs, _)| runs == thread) {
            of.spend(cap, time, clocks);
        }
    }

    /// An instance begins: what its thread has allocated up to now is none of it.
    pub(super) fn begin(&mut self, due: &mut Due, clock: Option<&Clock>, of: (u32, u64)) {
        let Some(clock) = clock.filter(|_| self.is_told) else {
            due.never();
            return;
        };
        (due.allocated, due.untold) = (clock.allocated, clock.untold);
        self.share(due, clock, of, true);
    }

    /// An instance ends.
    pub(super) fn end(&mut self, due: &mut Due, clock: &Clock, of: (u32, u64)) {
        if due.is_unknown || clock.untold > due.untold {
            due.never();
            return;
        }
        let told = clock.allocated.saturating_sub(due.allocated);
        due.sum = due.sum.saturating_add(i64::try_from(told).unwrap_or(i64::MAX));
        self.share(due, clock, of, false);
    }

    /// Notes what is to be told of the clock's pieces.
    fn share(&mut self, due: &mut Due, clock: &Clock, of: (u32, u64), is_before: bool) {
        for piece in clock.pieces.iter().filter(|piece| piece.run > Nanos(0)) {
            if self.shares >= limits::MAX_ALLOCATION_SHARES {
                due.never();
                return;
            }
            let Some(cap) = self.cap(piece.cap) else { continue };
            cap.shares.push(AllocationShare { of, run: piece.run, is_before });
            self.shares += 1;
            due.pending += 1;
        }
    }

    /// A capability tells its total. Calls `pay` for each share that is known by that, with the instance's slot and number.
    pub(super) fn told(
        &mut self,
        op: &Op,
        total: u64,
        clocks: &mut Clocks,
        mut pay: impl FnMut(u32, u64, Option<i64>),
    ) {
        let Some(of) = self.cap(op.cap) else { return };
        of.spend(op.cap, op.time, clocks);
        // How much of the first total was allocated before the log began is not known.
        let more = of.total.and_then(|before| total.checked_sub(before));
        let run = of.run;
        let share = |part: Nanos| Some((u128::from(more?) * u128::from(part.0) / u128::from(run.0.max(1))) as u64);
        for thread in core::mem::take(&mut of.ran) {
            let Some(clock) = clocks.get_mut(thread) else { continue };
            let is_here = |piece: &AllocationPiece| piece.cap == op.cap && piece.epoch == of.epoch;
            let Some(place) = clock.pieces.iter().position(is_here) else { continue };
            match share(clock.pieces.swap_remove(place).run) {
                Some(bytes) => clock.allocated = clock.allocated.saturating_add(bytes),
                None => clock.untold += 1,
            }
        }
        let shares = core::mem::take(&mut of.shares);
        (of.epoch, of.total, of.run) = (of.epoch + 1, Some(total), Nanos(0));
        self.shares -= shares.len();
        for AllocationShare { of: (slot, nth), run, is_before } in shares {
            let bytes = share(run).and_then(|bytes| i64::try_from(bytes).ok());
            pay(slot, nth, bytes.map(|bytes| if is_before { -bytes } else { bytes }));
        }
    }

    pub(super) fn bytes_held(&self) -> usize {
        let own = |of: &AllocatedOnCap| {
            of.ran.capacity() * size_of::<ThreadId>() + of.shares.capacity() * size_of::<AllocationShare>()
        };
        self.caps.capacity() * size_of::<AllocatedOnCap>() + self.caps.iter().map(own).sum::<usize>()
    }
}

/// Bytes of a share.
#[cfg(test)]
pub(crate) const SHARE_BYTES: usize = size_of::<AllocationShare>();
