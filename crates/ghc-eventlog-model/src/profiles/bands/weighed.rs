//! What keys without a band have held over all censuses: never more than they have, and of those that hold much nearly all of it, among
//! any number of others. The summary is that of Misra and Gries.
//!
//! ```text
//! a group    A 40 · B 30 · C 20 · D 10      E comes with 15: it and all others lose 10, D makes room
//!            A 30 · B 20 · C 10 · E 5
//! ```
//!
//! A key belongs to one of many small groups, by its hash. In a group of eight, each lacks at most a ninth of what came to the group. So
//! what holds more than about a [`limits::MAX_WEIGHED_KEYS`]th of all that has no band is seen, if it only comes again and again.

use crate::limits;
use alloc::vec::Vec;

const GROUP: usize = 8;

/// The census that is being read.
#[derive(Debug, Clone, Copy)]
pub(super) struct CensusAt {
    /// From 1 on.
    pub(super) number: u64,
    /// Nanoseconds since the one before; never 0, so that the first one's bytes weigh something.
    pub(super) since: f64,
}

/// What a key has held.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KeyHeld {
    /// Twice the integral in byte-nanoseconds until the census in which it came last: at most what it is.
    pub(super) area: f64,
    /// Bytes in that census, and its number.
    pub(super) bytes: u64,
    pub(super) census: u64,
}

impl KeyHeld {
    /// A key that has held nothing before the open census.
    pub(super) fn of(bytes: u64, census: CensusAt) -> Self {
        Self { area: bytes as f64 * census.since, bytes, census: census.number }
    }

    /// Goes on to the open census.
    fn go_to(&mut self, census: CensusAt) {
        if self.census == census.number {
            return;
        }
        // If it was not in the census before this one, it is not known how long it had its bytes.
        if self.census + 1 == census.number {
            self.area += self.bytes as f64 * census.since;
        }
        (self.bytes, self.census) = (0, census.number);
    }
}

/// Some keys: free places have no census.
#[derive(Debug, Clone, Copy, Default)]
struct KeyGroup {
    hashes: [u64; GROUP],
    held: [KeyHeld; GROUP],
    /// The last census of which something was forgotten.
    lacks: u64,
}

impl KeyGroup {
    fn known(&mut self, hash: u64) -> Option<&mut KeyHeld> {
        let place = self.hashes.iter().position(|of| *of == hash)?;
        self.held.get_mut(place).filter(|held| held.census > 0)
    }

    /// Adds a key that is not here, if it is not the lightest.
    fn put(&mut self, hash: u64, new: KeyHeld) {
        let areas = self.held.iter().map(|held| held.area).enumerate();
        let (place, least) = areas.fold((0, f64::INFINITY), |least, of| if of.1 < least.1 { of } else { least });
        let lost = new.area.min(least);
        self.held.iter_mut().for_each(|held| held.area -= lost);
        let (Some(of), Some(old)) = (self.hashes.get_mut(place), self.held.get_mut(place)) else { return };
        if old.census == new.census || (old.census > 0 && new.area <= least) {
            self.lacks = new.census;
        }
        if old.census == 0 || new.area > least {
            (*of, *old) = (hash, KeyHeld { area: new.area - lost, ..new });
        }
    }
}

/// The keys that may be heavy.
#[derive(Debug, Default)]
pub(super) struct WeighedKeys {
    /// None as long as all keys have a band.
    groups: Vec<KeyGroup>,
}

impl WeighedKeys {
    fn group(&mut self, hash: u64) -> Option<&mut KeyGroup> {
        const GROUPS: usize = limits::MAX_WEIGHED_KEYS / GROUP;
        if self.groups.is_empty() {
            self.groups = alloc::vec![KeyGroup::default(); GROUPS];
        }
        self.groups.get_mut((hash >> 32) as usize % GROUPS)
    }

    /// A key without a band has bytes in the open census. Returns what it has held with these, and whether some of its bytes in this
    /// census may be missing.
    pub(super) fn add(&mut self, hash: u64, bytes: u64, census: CensusAt) -> (KeyHeld, bool) {
        let new = KeyHeld::of(bytes, census);
        let Some(group) = self.group(hash) else { return (new, true) };
        let is_part = group.lacks == census.number;
        let Some(known) = group.known(hash) else {
            group.put(hash, new);
            return (new, is_part);
        };
        known.go_to(census);
        known.bytes = known.bytes.saturating_add(bytes);
        known.area += new.area;
        (*known, is_part)
    }

    /// A band loses its place.
    pub(super) fn put(&mut self, hash: u64, held: KeyHeld) {
        if let Some(group) = self.group(hash)
            && group.known(hash).is_none()
        {
            group.put(hash, held);
        }
    }

    /// A key has a band now.
    pub(super) fn take(&mut self, hash: u64) {
        if let Some(known) = self.group(hash).and_then(|group| group.known(hash)) {
            *known = KeyHeld::default();
        }
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.groups.capacity() * size_of::<KeyGroup>()
    }
}

/// The room that a key takes.
#[cfg(test)]
pub(crate) const WEIGHED_BYTES: usize = size_of::<KeyGroup>().div_ceil(GROUP);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{keeping::places::shuffled, random::numbers};

    /// What the keys of the last census are known to have held, over censuses that are one nanosecond apart.
    fn known(censuses: &[Vec<(u64, u64)>]) -> Vec<(u64, f64)> {
        let mut keys = WeighedKeys::default();
        let mut last = Vec::new();
        for (number, census) in (1..).zip(censuses) {
            let open = CensusAt { number, since: 1.0 };
            let add = |(key, bytes): &(u64, u64)| (*key, keys.add(shuffled(*key), *bytes, open).0.area);
            last = census.iter().map(add).collect();
        }
        last
    }

    #[test]
    fn few_keys_are_weighed_exactly() {
        let censuses = [[(7, 10), (8, 1)], [(8, 2), (7, 20)], [(7, 30), (8, 3)]].map(Vec::from);
        assert_eq!(known(&censuses), [(7, 90.0), (8, 9.0)]);
        // In parts, and with a census between that does not name it.
        let censuses = [&[(7, 10)][..], &[], &[(7, 1), (7, 2)]].map(Vec::from);
        assert_eq!(known(&censuses), [(7, 11.0), (7, 13.0)]);
    }

    /// A steady key is lighter than each of those that come once, which are twice as many for each of its censuses as there is room for.
    #[test]
    fn what_comes_again_and_again_is_found_among_any_number_of_others() {
        let (steady, once) = (100, limits::MAX_WEIGHED_KEYS as u64 / 4);
        let mut chance = numbers(5);
        let mut census = |number: u64| -> Vec<(u64, u64)> {
            let others = (0..once).map(|key| (1000 + number * once + key, 2000 + chance(50)));
            let steady = (0..steady).map(|key| (key, 1000));
            others.chain(steady).collect()
        };
        let censuses: Vec<Vec<(u64, u64)>> = (0..30).map(&mut census).collect();
        let found = known(&censuses);
        for (key, area) in found.iter().filter(|(key, _)| *key < steady) {
            assert!((20_000.0..=59_000.0).contains(area), "{key}: {area}");
        }
        // None has more than it held.
        assert!(found.iter().filter(|(key, _)| *key >= steady).all(|(_, area)| *area <= 2050.0));
    }
}
