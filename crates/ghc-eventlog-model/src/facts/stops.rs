//! Who stopped last before the collections of a scope: made once, when the first of its rows is asked for.

use super::scope::Scope;
use crate::{
    keeping::crossing::stops::{LastToStop, LateFor, StoppedLast, Stopper, add_stop},
    sorting::sort_by_number,
};
use alloc::vec::Vec;
use core::cell::OnceCell;
use ghc_eventlog::{CapNo, ThreadId};

/// A capability and a thread that stopped last, and how often.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StopperRow {
    pub(crate) cap: CapNo,
    /// `None` if it was not for a thread.
    pub(crate) thread: Option<ThreadId>,
    pub(crate) why: LateFor,
    pub(crate) stopped: StoppedLast,
}

/// What has been made so far; `None` in it if that is not known.
#[derive(Default)]
pub(crate) struct StopsIn(OnceCell<Option<Vec<StopperRow>>>);

impl Scope<'_> {
    /// Who stopped last, those first for which was waited longest. `None` if the log does not say, or has not been gone through in
    /// order of time; of a range also if not all collections are kept.
    pub(crate) fn last_to_stop(&self) -> Option<&[StopperRow]> {
        let make = || {
            let known = self.known();
            let replayed = known.replayed.as_ref().filter(|_| known.tells_last_to_stop())?;
            if self.is_whole() {
                return Some(sorted(&replayed.stops.all));
            }
            let collections = &known.stores.collections;
            if collections.is_capped() || !replayed.is_done {
                return None;
            }
            let mut all = LastToStop::new();
            let rows = collections.rows();
            for gc in rows.get(self.within(rows, |gc| gc.start)).unwrap_or_default() {
                if let (Some(stop), Some(requested)) = (known.last_to_stop(gc), gc.requested) {
                    add_stop(&mut all, stop, requested.time());
                }
            }
            Some(sorted(&all))
        };
        self.in_stops().0.get_or_init(make).as_deref()
    }
}

fn sorted(all: &LastToStop) -> Vec<StopperRow> {
    let row = |(&(cap, thread, why), &stopped): (&Stopper, &StoppedLast)| StopperRow {
        cap,
        thread: Some(thread).filter(|_| why.is_thread()),
        why,
        stopped,
    };
    let mut rows: Vec<StopperRow> = all.iter().map(row).collect();
    sort_by_number(&mut rows, |row| !row.stopped.total.0);
    rows
}
