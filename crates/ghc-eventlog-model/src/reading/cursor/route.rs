//! Who takes an event, told by one look at its number.

use super::FACTS;
use crate::{
    keeping::messages::Messages,
    profiles::Profiles,
    tracks::{Machines, other::is_kept},
};
use ghc_eventlog::Record;

/// Who takes an event: the lane alone, or else one or more of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Route(u8);

impl Route {
    pub(super) const LANE: Self = Self(0);
    pub(super) const MACHINES: u8 = 1;
    pub(super) const OTHERS: u8 = 2;
    pub(super) const FACTS: u8 = 4;
    pub(super) const PROFILES: u8 = 8;
    pub(super) const MESSAGES: u8 = 16;

    /// Of those of a known form, by number.
    pub(super) const ALL: [Self; 256] = {
        let (mut all, mut tag) = ([Self::LANE; 256], 0);
        while tag < 256 {
            if !Machines::OF_LANE.has(tag) || is_kept(tag) || FACTS.has(tag) || Profiles::TAGS.has(tag) {
                let machines = if Machines::WANTED.has(tag) { Self::MACHINES } else { 0 };
                let others = if is_kept(tag) { Self::OTHERS } else { 0 };
                let facts = if FACTS.has(tag) { Self::FACTS } else { 0 };
                let profiles = if Profiles::TAGS.has(tag) { Self::PROFILES } else { 0 };
                let messages = if Messages::TAGS.has(tag) { Self::MESSAGES } else { 0 };
                all[tag as usize] = Self(machines | others | facts | profiles | messages);
            }
            tag += 1;
        }
        all
    };

    /// One look for every event of the log.
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
