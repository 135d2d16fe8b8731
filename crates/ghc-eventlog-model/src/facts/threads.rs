//! What the threads did in a scope: made once, when the first of its figures or rows is asked for.

use super::scope::Scope;
use crate::{
    keeping::crossing::{
        cells::{Blocked, Did},
        doing::Doing,
        threads::Wait,
        waited::MostlyWaited,
    },
    sorting::sort_by_number,
};
use alloc::vec::Vec;
use core::cell::OnceCell;
use ghc_eventlog::Nanos;

/// What has been made so far; `None` in it if the log has not been gone through in order of time, or not all of it.
#[derive(Default)]
pub(crate) struct ThreadsIn {
    together: OnceCell<Option<Together>>,
    /// The places of the pairs that contend for black holes, those first that did for longest.
    black_holes: OnceCell<Vec<u32>>,
    /// The waits that are kept, whatever their reasons, the longest first.
    waits: OnceCell<Vec<Wait>>,
}

/// All threads together.
pub(crate) struct Together {
    pub(crate) sum: Did,
    pub(crate) blocked: Blocked,
}

impl Scope<'_> {
    /// What all threads did together; `None` if that is not known.
    pub(crate) fn threads(&self) -> Option<&Together> {
        let make = || {
            let Some(range) = self.range else {
                let replayed = self.known().replayed.as_ref()?;
                let (lives, until) = (&replayed.lives, replayed.until);
                return Some(Together { sum: lives.all_did_until(until), blocked: lives.blocked_until(until) });
            };
            let in_range = range.summed.threads.as_ref()?;
            let mut sum = Did::default();
            in_range.by_place.iter().for_each(|did| sum.add(did));
            sum.add(&in_range.without_row);
            Some(Together { sum, blocked: in_range.blocked })
        };
        self.in_threads().together.get_or_init(make).as_ref()
    }

    /// How long the runtime's own threads were in foreign calls; `None` if that is not known, or there are none.
    pub(crate) fn foreign_of_runtime(&self) -> Option<Nanos> {
        let own = self.known().stores.threads.of_runtime();
        let times = own.filter_map(|(place, _)| Some(self.thread(place)?.time(Doing::Foreign)));
        times.reduce(Nanos::plus)
    }

    /// What a thread waited for most in the whole log; `None` in a range, and if it is not known.
    pub(crate) fn mostly_waited(&self, place: usize) -> Option<MostlyWaited> {
        let replayed = self.known().replayed.as_ref().filter(|replayed| replayed.is_done && self.range.is_none())?;
        replayed.lives.mostly_waited(place, replayed.until.min(replayed.end))
    }

    /// What the threads without a row did together; `None` if that is not known, or all have one.
    pub(crate) fn without_row(&self) -> Option<Did> {
        let replayed = self.known().replayed.as_ref().filter(|_| self.model.threads().is_capped())?;
        match self.range {
            Some(range) => Some(range.summed.threads.as_ref()?.without_row),
            None => Some(replayed.lives.rowless.did_until(replayed.until)),
        }
    }

    /// How many threads lived in a range; `None` if that is not known.
    pub(crate) fn living(&self) -> Option<u64> {
        let range = &self.range?.summed;
        let replayed = self.known().replayed.as_ref().filter(|_| range.threads.is_some())?;
        let lives = replayed.lives.all();
        let lived = lives
            .filter(|(_, life)| life.first < range.to && life.finished().is_none_or(|finished| finished >= range.from));
        Some(lived.count() as u64)
    }

    /// The order of the pairs that contend for black holes, as `make` makes it.
    pub(crate) fn black_holes(&self, make: impl FnOnce() -> Vec<u32>) -> &[u32] {
        self.in_threads().black_holes.get_or_init(make)
    }

    /// The longest waits of the whole log, the longest first.
    pub(crate) fn waits(&self) -> &[Wait] {
        let make = || {
            let replayed = self.known().replayed.as_ref();
            let mut waits: Vec<Wait> =
                replayed.into_iter().flat_map(|replayed| replayed.lives.waits()).copied().collect();
            sort_by_number(&mut waits, |wait| !wait.length().0);
            waits
        };
        self.in_threads().waits.get_or_init(make)
    }

    /// What one did, by its place among the rows of threads; likewise.
    pub(crate) fn thread(&self, place: usize) -> Option<Did> {
        match self.range {
            Some(range) => range.summed.threads.as_ref()?.by_place.get(place).copied(),
            None => {
                let replayed = self.known().replayed.as_ref()?;
                Some(replayed.lives.did_until(place, replayed.until))
            }
        }
    }

    /// How long one ran; likewise.
    pub(crate) fn ran(&self, place: usize) -> Option<Nanos> {
        if self.range.is_some() {
            return Some(self.thread(place)?.time(Doing::Running));
        }
        let replayed = self.known().replayed.as_ref()?;
        Some(replayed.lives.ran_until(place, replayed.until))
    }
}
