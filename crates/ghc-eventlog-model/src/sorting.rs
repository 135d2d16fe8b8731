//! Sorting: things of all types share two instances of the library's sort. Each further instance adds 2 KB to the page's
//! download, and there would be 50. Only what has many things and no number uses the library's sort itself.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// Sorts things as `compare` says; equal ones keep their order. At most 2^32 things. [`sort_by_number`] is faster.
pub(crate) fn sort_by<T>(things: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if things.len() < 2 {
        return;
    }
    let mut order: Vec<u32> = (0..things.len() as u32).collect();
    let all = &*things;
    sort_places(&mut order, &|one, other| match (all.get(one as usize), all.get(other as usize)) {
        (Some(one), Some(other)) => compare(one, other),
        _ => Ordering::Equal,
    });
    put_in_order(things, order);
}

/// The same by a key that each has.
pub(crate) fn sort_by_key<T, K: Ord>(things: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(things, |one, other| key(one).cmp(&key(other)));
}

/// The same by their own order.
pub(crate) fn sort<T: Ord>(things: &mut [T]) {
    sort_by(things, T::cmp);
}

/// Sorts places of things, as `compare` says of the things.
pub(crate) fn sort_places(places: &mut [u32], compare: &dyn Fn(u32, u32) -> Ordering) {
    places.sort_by(|one, other| compare(*one, *other));
}

/// Sorts things by a number that each has; things with equal numbers keep their order. At most 2^32 things.
pub(crate) fn sort_by_number<T>(things: &mut [T], number: impl Fn(&T) -> u64) {
    let all = &*things;
    let number = |place: u32| all.get(place as usize).map_or(0, &number);
    if !are_sorted(all.len(), &number) {
        let order = by_worth(all.len(), &number);
        put_in_order(things, order);
    }
}

/// The same for pairs of a number and a thing's place.
pub(crate) fn sort_pairs(pairs: &mut [(u64, u32)]) {
    pairs.sort_by_key(|(number, _)| *number);
}

/// Whether things are sorted by their numbers, which most are.
fn are_sorted(count: usize, number: &dyn Fn(u32) -> u64) -> bool {
    let mut before = 0;
    (0..count as u32).all(|place| {
        let number = number(place);
        core::mem::replace(&mut before, number) <= number
    })
}

/// Moves each thing to where `order` has its place.
fn put_in_order<T>(things: &mut [T], mut order: Vec<u32>) {
    // Follows each circle of things that take each other's places.
    for start in 0..order.len() {
        let mut at = start;
        while let Some(from) = order.get_mut(at).map(|from| core::mem::replace(from, at as u32) as usize)
            && from != start
        {
            things.swap(at, from);
            at = from;
        }
    }
}

/// Merges sorted runs, given where each ends, by a number that each thing has; things with equal numbers keep their order.
pub(crate) fn merge_runs<T: Copy>(mut things: Vec<T>, mut ends: Vec<usize>, number: impl Fn(&T) -> u64) -> Vec<T> {
    while ends.len() > 1 {
        let mut merged: Vec<T> = Vec::with_capacity(things.len());
        let mut begin = 0;
        let mut after = Vec::with_capacity(ends.len().div_ceil(2));
        for pair in ends.chunks(2) {
            let (Some(middle), Some(end)) = (pair.first(), pair.last()) else { continue };
            let [mut one, mut other] = [begin..*middle, *middle..*end].map(|run| things.get(run).unwrap_or_default());
            while let ([first, rest @ ..], [second, others @ ..]) = (one, other) {
                if number(first) <= number(second) {
                    merged.push(*first);
                    one = rest;
                } else {
                    merged.push(*second);
                    other = others;
                }
            }
            merged.extend_from_slice(one);
            merged.extend_from_slice(other);
            begin = *end;
            after.push(begin);
        }
        (things, ends) = (merged, after);
    }
    things
}

/// The numbers below `count`, sorted by their worth: the largest worth first; equal ones keep their order.
pub(crate) fn by_most(count: usize, worth: impl Fn(u32) -> u64) -> Vec<u32> {
    by_least(count, |place| !worth(place))
}

/// The same by two worths: where the first is equal, by the second.
pub(crate) fn by_most_of_two(count: usize, worth: impl Fn(u32) -> u64, then: impl Fn(u32) -> u64) -> Vec<u32> {
    let second = by_most(count, then);
    let at = |place: u32| second.get(place as usize).copied().unwrap_or_default();
    by_most(count, |place| worth(at(place))).into_iter().map(at).collect()
}

/// The same with the least first.
pub(crate) fn by_least(count: usize, worth: impl Fn(u32) -> u64) -> Vec<u32> {
    by_worth(count, &worth)
}

/// The number that has `nth` numbers before it, if they are sorted; 0 if there are not so many. It is found byte by byte: there may be
/// hundreds of thousands, and to sort them would take some times as long.
pub(crate) fn nth_least(numbers: &[u64], mut nth: usize) -> u64 {
    if nth >= numbers.len() {
        return 0;
    }
    let mut found = 0;
    for shift in (0..u64::BITS).step_by(8).rev() {
        let above = u64::MAX.checked_shl(shift + 8).unwrap_or(0);
        let mut counts = [0; 256];
        for number in numbers.iter().filter(|number| (**number ^ found) & above == 0) {
            if let Some(count) = counts.get_mut((number >> shift) as usize % 256) {
                *count += 1;
            }
        }
        for (byte, count) in (0..).zip(counts) {
            if nth < count {
                found |= byte << shift;
                break;
            }
            nth -= count;
        }
    }
    found
}

/// One function for all kinds of worth, as above.
fn by_worth(count: usize, worth: &dyn Fn(u32) -> u64) -> Vec<u32> {
    let mut pairs: Vec<(u64, u32)> = (0..count as u32).map(|place| (worth(place), place)).collect();
    sort_pairs(&mut pairs);
    pairs.into_iter().map(|(_, place)| place).collect()
}

/// Joins ranges that touch: offsets and lengths, in order.
pub(crate) fn joined(ranges: impl Iterator<Item = (u64, u64)>) -> Vec<(u64, u64)> {
    let mut reads: Vec<(u64, u64)> = Vec::new();
    for (from, length) in ranges {
        match reads.last_mut() {
            Some((start, before)) if *start + *before >= from => *before = (*before).max(from + length - *start),
            _ => reads.push((from, length)),
        }
    }
    reads
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_or_the_smallest_comes_first() {
        let worth = [3, 9, 1, 9];
        assert_eq!(by_most(4, |place| worth[place as usize]), [1, 3, 0, 2]);
        assert_eq!(by_least(4, |place| worth[place as usize]), [2, 0, 1, 3]);
        assert_eq!(by_most_of_two(4, |place| worth[place as usize], u64::from), [3, 1, 0, 2]);
    }

    #[test]
    fn things_of_all_types_are_sorted_as_the_library_does() {
        // 7919 is prime: all places come, in no order.
        let mut things: Vec<(u64, u64)> = (0..500).map(|at| (at * 7919 % 500 / 7, at)).collect();
        let mut expected = things.clone();
        expected.sort_by_key(|(number, _)| *number);
        sort_by_key(&mut things, |(number, _)| *number);
        assert_eq!(things, expected);
        expected.sort_by(|one, other| other.cmp(one));
        sort_by(&mut things, |one, other| other.cmp(one));
        assert_eq!(things, expected);
        let mut texts = ["b", "a", "c", "a"].map(alloc::string::String::from);
        sort(&mut texts);
        assert_eq!(texts, ["a", "a", "b", "c"]);
    }

    #[test]
    fn the_nth_number_is_found_as_if_they_were_sorted() {
        let mut chance = 3;
        for shift in [63, 62, 55, 24, 0] {
            let mut next = || {
                chance = crate::random::after(chance);
                chance >> shift
            };
            let numbers: Vec<u64> = (0..300).map(|_| next()).collect();
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            assert!((0..300).all(|nth| nth_least(&numbers, nth) == sorted[nth]));
            assert_eq!([nth_least(&numbers, 300), nth_least(&[], 0)], [0, 0]);
        }
    }

    #[test]
    fn runs_are_merged() {
        let merged = |runs: &[&[(u64, char)]]| {
            let ends = runs.iter().scan(0, |end, run| {
                *end += run.len();
                Some(*end)
            });
            merge_runs(runs.concat(), ends.collect(), |(number, _)| *number)
        };
        assert_eq!(merged(&[]), []);
        assert_eq!(merged(&[&[(1, 'a'), (2, 'b')]]), [(1, 'a'), (2, 'b')]);
        let all = merged(&[&[(1, 'a'), (3, 'b')], &[], &[(1, 'c'), (2, 'd')], &[(0, 'e')], &[(3, 'f')]]);
        assert_eq!(all, [(0, 'e'), (1, 'a'), (1, 'c'), (2, 'd'), (3, 'b'), (3, 'f')]);
    }

    #[test]
    fn equal_ones_keep_their_order() {
        let mut things = [(3, 'a'), (1, 'b'), (3, 'c'), (0, 'd'), (1, 'e')];
        sort_by_number(&mut things, |(number, _)| *number);
        assert_eq!(things, [(0, 'd'), (1, 'b'), (1, 'e'), (3, 'a'), (3, 'c')]);
    }
}
