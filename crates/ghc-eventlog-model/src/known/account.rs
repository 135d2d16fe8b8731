//! What the account of the capabilities' time needs to know before the replay.

use crate::{
    keeping::crossing::account::{IdleAccount, Shift, ShiftTo},
    known::Known,
    sorting::sort_by_number,
};
use alloc::vec::Vec;

impl Known {
    /// An account in which nothing has happened yet.
    pub(crate) fn account(&self) -> IdleAccount {
        let mut shifts: Vec<Shift> = Vec::new();
        for &(cap, stream) in self.caps.by_cap() {
            let Some(events) = self.caps.streams.get(stream as usize) else { continue };
            let Some((first, last)) = self.lane_times(events) else { continue };
            let mut add = |time, to| shifts.push(Shift { time, cap, to });
            add(first, ShiftTo::Exists);
            for span in self.disabled(events) {
                add(span.start, ShiftTo::Disabled);
                add(span.end, ShiftTo::Enabled);
            }
            add(last, ShiftTo::Gone);
        }
        sort_by_number(&mut shifts, |shift| shift.time.0);
        let mut own: Vec<u64> = Vec::new();
        for (place, _) in self.stores.threads.of_runtime() {
            own.resize(own.len().max(place / 64 + 1), 0);
            if let Some(bits) = own.get_mut(place / 64) {
                *bits |= 1 << (place % 64);
            }
        }
        IdleAccount::new(self.caps.by_cap(), shifts, own, &self.stores.log_writes)
    }
}
