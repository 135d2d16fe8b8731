//! Sorting by numbers, in one function for things of all types: a library's sort is there once for each, and of those the page
//! would have to load a dozen.

use alloc::vec::Vec;

/// Puts things in order of a number that each has; those of one number stay as they were. No more than 2^32.
pub(crate) fn sort_by_number<T: Copy>(things: &mut [T], number: impl Fn(&T) -> u64) {
    if things.is_sorted_by_key(&number) {
        return;
    }
    let mut order: Vec<(u64, u32)> = things.iter().map(number).zip(0..).collect();
    sort_pairs(&mut order);
    let sorted: Vec<T> = order.iter().filter_map(|(_, place)| things.get(*place as usize).copied()).collect();
    things.copy_from_slice(&sorted);
}

/// The same for pairs of a number and a thing's place. Most consist of runs that are in order, as the capabilities' blocks are:
/// that is what this sort is good at.
#[inline(never)]
pub(crate) fn sort_pairs(pairs: &mut [(u64, u32)]) {
    pairs.sort_by_key(|(number, _)| *number);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ones_stay_as_they_were() {
        let mut things = [(3, 'a'), (1, 'b'), (3, 'c'), (0, 'd'), (1, 'e')];
        sort_by_number(&mut things, |(number, _)| *number);
        assert_eq!(things, [(0, 'd'), (1, 'b'), (1, 'e'), (3, 'a'), (3, 'c')]);
    }
}
