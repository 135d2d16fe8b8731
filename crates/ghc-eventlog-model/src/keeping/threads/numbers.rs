//! Sets of thread numbers: a bit each, in blocks of numbers that follow each other, as nearly all do.

use crate::{limits, trees::tree_bytes};
use alloc::{boxed::Box, collections::BTreeMap};

/// How many numbers a block has.
const EACH: u32 = 4096;

type Block = [u64; EACH as usize / 64];

/// Bytes for a block.
#[cfg(test)]
pub(crate) const BLOCK_BYTES: usize = size_of::<Block>() + tree_bytes::<u32, Box<Block>>(1000) / 1000;

/// Numbers of threads, as long as they lie in at most [`limits::MAX_NUMBER_BLOCKS`] blocks.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    blocks: BTreeMap<u32, Box<Block>>,
    count: u64,
    /// How many were added without room for them: some of them several times, perhaps.
    beyond: u64,
}

impl Numbers {
    pub(super) fn has(&self, number: u32) -> bool {
        let word = self.blocks.get(&(number / EACH)).and_then(|block| block.get(place(number)));
        word.is_some_and(|word| word & bit(number) != 0)
    }

    /// How many there are, or at most, unless that [is exact](Self::is_exact).
    pub(super) fn count(&self) -> u64 {
        self.count + self.beyond
    }

    /// Whether there has been room for all.
    pub(super) fn is_exact(&self) -> bool {
        self.beyond == 0
    }

    /// Whether there is room for a number.
    fn has_room_for(&self, number: u32) -> bool {
        self.blocks.len() < limits::MAX_NUMBER_BLOCKS || self.blocks.contains_key(&(number / EACH))
    }

    /// Adds a number. Returns whether it was missing; also if there is no room for it.
    pub(super) fn insert(&mut self, number: u32) -> bool {
        if !self.has_room_for(number) {
            self.beyond += 1;
            return true;
        }
        let block = self.blocks.entry(number / EACH).or_insert_with(|| Box::new([0; EACH as usize / 64]));
        let Some(word) = block.get_mut(place(number)) else { return true };
        let is_new = *word & bit(number) == 0;
        *word |= bit(number);
        self.count += u64::from(is_new);
        is_new
    }

    /// Takes a number away. Returns whether it was there.
    pub(super) fn remove(&mut self, number: u32) -> bool {
        let Some(word) = self.blocks.get_mut(&(number / EACH)).and_then(|block| block.get_mut(place(number))) else {
            return false;
        };
        let was_there = *word & bit(number) != 0;
        *word &= !bit(number);
        self.count -= u64::from(was_there);
        was_there
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.blocks.len() * size_of::<Block>() + tree_bytes::<u32, Box<Block>>(self.blocks.len())
    }
}

fn place(number: u32) -> usize {
    (number % EACH / 64) as usize
}

fn bit(number: u32) -> u64 {
    1 << (number % 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_it_until_they_are_taken_away() {
        let mut numbers = Numbers::default();
        let some = [0, 63, 64, 4095, 4096, 1 << 28, u32::MAX];
        assert!(some.iter().all(|number| numbers.insert(*number)) && !numbers.insert(64));
        assert_eq!((numbers.count(), numbers.has(65), numbers.has(8192)), (7, false, false));
        assert!(numbers.remove(64) && !numbers.remove(64) && !numbers.remove(9999));
        assert_eq!(some.map(|number| numbers.has(number)), [true, true, false, true, true, true, true]);
        assert_eq!(numbers.count(), 6);
    }

    #[test]
    fn numbers_are_bounded() {
        let mut numbers = Numbers::default();
        let most = limits::MAX_NUMBER_BLOCKS as u32;
        for block in 0..most + 10 {
            assert_eq!(numbers.is_exact(), block <= most);
            assert!(numbers.insert(block * EACH) && numbers.insert(block * EACH + 1));
        }
        assert_eq!(numbers.count(), 2 * u64::from(most + 10));
        assert!(numbers.has_room_for(EACH) && !numbers.has_room_for(most * EACH));
        assert!(numbers.bytes_held() <= limits::MAX_NUMBER_BLOCKS * (BLOCK_BYTES + 1));
    }
}
