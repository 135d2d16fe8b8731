//! What the account of the capabilities' time needs to know before the replay.

use crate::{
    keeping::{
        crossing::account::{IdleAccount, Shift, ShiftTo},
        lives::CapLife,
    },
    known::Known,
    limits,
    sorting::sort_by_number,
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
            let mut add = |time, to| shifts.push(Shift { time, cap, to });
            add(first, ShiftTo::Exists);
            let disabled: Vec<(Nanos, Nanos)> = if are_rests_lost {
                // It is not known any more when it did nothing: it counts while it does something.
                let all = self.stores.lives.of(cap).into_iter().flat_map(CapLife::disabled);
                all.map(|(from, to)| (from.max(first), to.min(last))).filter(|(from, to)| from < to).collect()
            } else {
                self.disabled(events).iter().map(|span| (span.start, span.end)).collect()
            };
            for (from, to) in &disabled {
                add(*from, ShiftTo::Disabled);
                add(*to, ShiftTo::Enabled);
            }
            add(last, ShiftTo::Gone);
            // Where a class of events is paused, it is not known whether the capability was idle. Beyond the bound, it counts as idle.
            let mut unlogged = self.unlogged(events);
            // Where it is disabled, too, its end would enable it.
            unlogged.retain(|span| {
                let next = disabled.get(disabled.partition_point(|(_, to)| *to <= span.start));
                next.is_none_or(|(from, _)| *from >= span.end)
            });
            if shifts.len() + 2 * unlogged.len() <= limits::MAX_SHIFTS {
                let mut add = |time, to| shifts.push(Shift { time, cap, to });
                for span in unlogged {
                    add(span.start, ShiftTo::Disabled);
                    add(span.end, ShiftTo::Enabled);
                }
            }
        }
        sort_by_number(&mut shifts, |shift| shift.time.0);
        IdleAccount::new(self.caps.by_cap(), shifts, self.own_threads(), &self.stores.log_writes)
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
