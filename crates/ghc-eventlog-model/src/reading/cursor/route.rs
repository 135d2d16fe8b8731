//! Which code takes an event, decided by one look at its number.

use crate::{
    known::stores::Stores,
    tracks::{Machines, other::is_kept},
};
use ghc_eventlog::Record;

/// What takes an event: only the lane, or one or more of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Route(u8);

impl Route {
    pub(super) const LANE: Self = Self(0);
    pub(super) const MACHINES: u8 = 1;
    pub(super) const OTHERS: u8 = 2;
    pub(super) const STORES: u8 = 4;

    /// The routes of events of a known form, by number.
    pub(super) const ALL: [Self; 256] = {
        let (mut all, mut tag) = ([Self::LANE; 256], 0);
        while tag < 256 {
            if !Machines::OF_LANE.has(tag) || is_kept(tag) || Stores::TAGS.has(tag) {
                let machines = if Machines::WANTED.has(tag) { Self::MACHINES } else { 0 };
                let others = if is_kept(tag) { Self::OTHERS } else { 0 };
                let stores = if Stores::TAGS.has(tag) { Self::STORES } else { 0 };
                all[tag as usize] = Self(machines | others | stores);
            }
            tag += 1;
        }
        all
    };

    /// A single look-up for every event of the log.
    #[inline(always)]
    pub(super) fn of(record: &Record<'_>) -> Self {
        let of_known = Self::ALL.get(usize::from(record.tag)).copied().filter(|_| record.known);
        of_known.unwrap_or(Self(Self::OTHERS))
    }

    #[inline(always)]
    pub(super) const fn is_to(self, whom: u8) -> bool {
        self.0 & whom != 0
    }
}
