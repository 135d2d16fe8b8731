//! Places of things in a list, looked up by their contents: one implementation for lists of all types, so that the page loads
//! it only once.

use core::hash::BuildHasher;
use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// Places in a list that the owner of the table has.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// Each place with the hash of the thing there.
    table: HashTable<(u64, u32)>,
}

/// The hash of some bytes.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    FixedState::default().hash_one(bytes)
}

/// The hash of a number. No two numbers have the same hash, since each of the steps can be reversed (they are the last ones
/// of Steele's SplitMix64).
pub(crate) fn shuffled(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

impl Places {
    pub(crate) const fn new() -> Self {
        Self { table: HashTable::new() }
    }

    /// The first place that has this hash and for which `is_same` is true.
    #[inline]
    pub(crate) fn find(&self, hash: u64, is_same: impl Fn(u32) -> bool) -> Option<u32> {
        self.table.find(hash, |(of, place)| *of == hash && is_same(*place)).map(|(_, place)| *place)
    }

    /// Adds a place.
    pub(crate) fn insert(&mut self, hash: u64, place: u32) {
        self.table.insert_unique(hash, (hash, place), |(hash, _)| *hash);
    }

    /// Moves places to where they are `now`, or takes them away.
    pub(crate) fn retain(&mut self, now: &dyn Fn(u32) -> Option<u32>) {
        self.table.retain(|(_, place)| now(*place).map(|now| *place = now).is_some());
    }

    /// Takes all places away.
    pub(crate) fn clear(&mut self) {
        self.table.clear();
    }

    /// Takes a place away.
    pub(crate) fn remove(&mut self, hash: u64, place: u32) {
        if let Ok(found) = self.table.find_entry(hash, |of| *of == (hash, place)) {
            found.remove();
        }
    }

    /// Puts another place where one is.
    pub(crate) fn replace(&mut self, hash: u64, old: u32, new: u32) {
        if let Some((_, place)) = self.table.find_mut(hash, |of| *of == (hash, old)) {
            *place = new;
        }
    }

    /// Takes the place of a number away.
    pub(crate) fn remove_number(&mut self, number: u64, place: u32) {
        self.remove(shuffled(number), place);
    }

    /// Each place with its hash, in any order.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u64, u32)> {
        self.table.iter().copied()
    }

    /// The place of a number, in a table whose places are all inserted by number.
    pub(crate) fn find_number(&self, number: u64) -> Option<u32> {
        self.find(shuffled(number), |_| true)
    }

    /// Adds the place of a number.
    pub(crate) fn insert_number(&mut self, number: u64, place: u32) {
        self.insert(shuffled(number), place);
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.table.allocation_size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn only_inserted_things_are_found() {
        let (mut places, mut list) = (Places::default(), Vec::new());
        for number in (0..1000u64).map(|number| number * 7) {
            places.insert(hash(&number.to_le_bytes()), list.len() as u32);
            list.push(number);
        }
        let find = |number: u64| places.find(hash(&number.to_le_bytes()), |place| list[place as usize] == number);
        assert!((0..1000).all(|place| find(u64::from(place) * 7) == Some(place)));
        assert_eq!([find(1), find(7000)], [None, None]);
    }

    #[test]
    fn numbers_are_found() {
        let mut places = Places::default();
        let numbers = (0..1000).flat_map(|number| [number, number << 32, u64::MAX - number]);
        let numbers: Vec<u64> = numbers.skip(1).collect(); // 0 is 0 << 32
        numbers.iter().zip(0..).for_each(|(number, place)| places.insert_number(*number, place));
        assert!(numbers.iter().zip(0..).all(|(number, place)| places.find_number(*number) == Some(place)));
        assert_eq!([1000, 1 << 31, u64::MAX - 1000].map(|number| places.find_number(number)), [None; 3]);
    }

    /// Hashes may be equal.
    #[test]
    fn things_with_equal_hashes_are_kept_apart() {
        let mut places = Places::default();
        (0..3).for_each(|place| places.insert(5, place));
        assert_eq!(
            [0, 1, 2, 3].map(|wanted| places.find(5, |place| place == wanted)),
            [Some(0), Some(1), Some(2), None]
        );
    }
}
