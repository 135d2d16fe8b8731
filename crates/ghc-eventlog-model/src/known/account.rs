//! What the account of the capabilities' time needs to know before the replay.

use crate::{
    keeping::{
        crossing::account::{IdleAccount, Shift, ShiftTo},
        lives::CapLife,
    },
    known::Known,
    limits,
    sorting::{joined, sort_by_number},
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos};

impl Known {
    /// An account in which nothing has happened yet.
    pub(crate) fn account(&self) -> IdleAccount {
        self.account_of(|_| true)
    }

    /// The same of some capabilities only.
    pub(crate) fn account_of(&self, counts: impl Fn(CapNo) -> bool) -> IdleAccount {
        let mut shifts: Vec<Shift> = Vec::new();
        let are_rests_lost = self.stores.rests.lost_some();
        for &(cap, stream) in self.caps.by_cap().iter().filter(|(cap, _)| counts(*cap)) {
            let Some(events) = self.caps.streams.get(stream as usize) else { continue };
            let Some((first, last)) = self.lane_times(events) else { continue };
            shifts.push(Shift { time: first, cap, to: ShiftTo::Exists });
            let mut off: Vec<(Nanos, Nanos)> = if are_rests_lost {
                // It is not known any more when it did nothing: it counts while it does something.
                let all = self.stores.lives.of(cap).into_iter().flat_map(CapLife::disabled);
                all.map(|(from, to)| (from.max(first), to.min(last))).filter(|(from, to)| from < to).collect()
            } else {
                self.disabled(events).iter().map(|span| (span.start, span.end)).collect()
            };
            // Where a class of events is paused, it is not known whether the capability was idle. Beyond the bound, it counts as idle.
            let unlogged = self.unlogged(events);
            if shifts.len() + 2 * (off.len() + unlogged.len()) < limits::MAX_SHIFTS {
                off.extend(unlogged.iter().map(|span| (span.start, span.end)));
            }
            // As one where they meet: the end of one must not enable the capability within another.
            sort_by_number(&mut off, |(from, _)| from.0);
            for (from, length) in joined(off.iter().map(|(from, to)| (from.0, to.since(*from).0))) {
                shifts.push(Shift { time: Nanos(from), cap, to: ShiftTo::Disabled });
                shifts.push(Shift { time: Nanos(from + length), cap, to: ShiftTo::Enabled });
            }
            let unseen: Vec<_> = self.unseen_runs(events).collect();
            if shifts.len() + 2 * unseen.len() < limits::MAX_SHIFTS {
                for run in unseen {
                    shifts.push(Shift { time: run.start.max(first), cap, to: ShiftTo::Gone });
                    shifts.push(Shift { time: run.end.min(last), cap, to: ShiftTo::Exists });
                }
            }
            shifts.push(Shift { time: last, cap, to: ShiftTo::Gone });
        }
        sort_by_number(&mut shifts, |shift| shift.time.0);
        IdleAccount::new(self.caps.by_cap(), shifts, self.own_threads())
    }

    /// Which threads are the runtime's own: a bit for each place.
    fn own_threads(&self) -> Vec<u64> {
        let mut own: Vec<u64> = Vec::new();
        for (place, _) in self.stores.threads.of_runtime() {
            own.resize(own.len().max(place / 64 + 1), 0);
            if let Some(bits) = own.get_mut(place / 64) {
                *bits |= 1 << (place % 64);
            }
        }
        own
    }
}
