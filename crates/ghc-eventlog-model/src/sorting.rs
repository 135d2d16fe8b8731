//! Sorting by numbers: things of all types share one instance of the library's sort. Each further instance adds 2 KB to the
//! page's download, and there would be 25.

use alloc::vec::Vec;

/// Sorts things by a number that each has; things with equal numbers keep their order. At most 2^32 things.
pub(crate) fn sort_by_number<T: Copy>(things: &mut [T], number: impl Fn(&T) -> u64) {
    if things.is_sorted_by_key(&number) {
        return;
    }
    let order = by_worth(things.len(), &|place| things.get(place as usize).map_or(0, &number));
    let sorted: Vec<T> = order.iter().filter_map(|place| things.get(*place as usize).copied()).collect();
    things.copy_from_slice(&sorted);
}

/// The same for pairs of a number and a thing's place.
pub(crate) fn sort_pairs(pairs: &mut [(u64, u32)]) {
    pairs.sort_by_key(|(number, _)| *number);
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

/// One function for all kinds of worth, as above.
fn by_worth(count: usize, worth: &dyn Fn(u32) -> u64) -> Vec<u32> {
    let mut pairs: Vec<(u64, u32)> = (0..count as u32).map(|place| (worth(place), place)).collect();
    sort_pairs(&mut pairs);
    pairs.into_iter().map(|(_, place)| place).collect()
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
