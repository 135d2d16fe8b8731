//! Sorting by numbers, in one function for things of all types: a library's sort is there once for each, and of those the page
//! would have to load a dozen.

use alloc::vec::Vec;

/// Puts things in order of a number that each has; those of one number stay as they were. No more than 2^32.
pub(crate) fn sort_by_number<T: Copy>(things: &mut [T], number: impl Fn(&T) -> u64) {
    if things.is_sorted_by_key(&number) {
        return;
    }
    let order = by_worth(things.len(), &|place| things.get(place as usize).map_or(0, &number));
    let sorted: Vec<T> = order.iter().filter_map(|place| things.get(*place as usize).copied()).collect();
    things.copy_from_slice(&sorted);
}

/// The same for pairs of a number and a thing's place.
#[inline(never)]
pub(crate) fn sort_pairs(pairs: &mut [(u64, u32)]) {
    merge_sort(pairs, |(one, _), (other, _)| one > other);
}

/// Puts places in order of texts; those of one text stay as they were. `is_after` says whether the first one's text comes after the
/// other's.
#[inline(never)]
pub(crate) fn sort_places(places: &mut [u32], is_after: &dyn Fn(u32, u32) -> bool) {
    merge_sort(places, |one, other| is_after(*one, *other));
}

/// Runs shorter than this are made so long by inserting what follows.
const SHORT: usize = 12;

/// Puts things in order; equal ones stay as they were. Most consist of runs that are in order, as the capabilities' blocks are: those are
/// found, and merged two by two. The library's sort is faster for what is in no order, and takes fifteen times the code.
fn merge_sort<T: Copy>(things: &mut [T], is_after: impl Fn(&T, &T) -> bool) {
    let mut ends = runs(things, &is_after);
    let mut merged: Vec<T> = Vec::with_capacity(if ends.len() > 1 { things.len() } else { 0 });
    while ends.len() > 1 {
        let mut begin = 0;
        for pair in ends.chunks(2) {
            let middle = pair.first().copied().unwrap_or(begin);
            let end = pair.last().copied().unwrap_or(begin);
            let run = |from: usize, to: usize| things.get(from..to).unwrap_or_default();
            merge(run(begin, middle), run(middle, end), &is_after, &mut merged);
            begin = end;
        }
        things.copy_from_slice(&merged);
        merged.clear();
        ends = ends.chunks(2).filter_map(|pair| pair.last().copied()).collect();
    }
}

/// Where runs end that are in order.
fn runs<T: Copy>(things: &mut [T], is_after: &impl Fn(&T, &T) -> bool) -> Vec<usize> {
    let (mut ends, mut begin) = (Vec::new(), 0);
    for end in 1..=things.len() {
        let is_over = match things.get(begin..=end).unwrap_or_default() {
            [.., last, next] => is_after(last, next),
            _ => true,
        };
        if !is_over {
            continue;
        }
        if end - begin < SHORT
            && let Some(run) = things.get_mut(begin..=end)
        {
            insert_last(run, is_after);
        } else {
            ends.push(end);
            begin = end;
        }
    }
    ends
}

/// Moves the last one to where it belongs among those before it, which are in order.
fn insert_last<T: Copy>(run: &mut [T], is_after: &impl Fn(&T, &T) -> bool) {
    let Some((&mut last, before)) = run.split_last_mut() else { return };
    let place = before.partition_point(|thing| !is_after(thing, &last));
    if let Some(behind) = run.get_mut(place..) {
        behind.rotate_right(1);
    }
}

fn merge<T: Copy>(mut one: &[T], mut other: &[T], is_after: &impl Fn(&T, &T) -> bool, merged: &mut Vec<T>) {
    while let (Some((first, ones)), Some((second, others))) = (one.split_first(), other.split_first()) {
        if is_after(first, second) {
            merged.push(*second);
            other = others;
        } else {
            merged.push(*first);
            one = ones;
        }
    }
    merged.extend_from_slice(one);
    merged.extend_from_slice(other);
}

/// The numbers below some count, by what each is worth: the most first, equal ones as they are.
pub(crate) fn by_most(count: usize, worth: impl Fn(u32) -> u64) -> Vec<u32> {
    by_least(count, |place| !worth(place))
}

/// The same by two worths: those of the same first one by the second.
pub(crate) fn by_most_of_two(count: usize, worth: impl Fn(u32) -> u64, then: impl Fn(u32) -> u64) -> Vec<u32> {
    let second = by_most(count, then);
    let at = |place: u32| second.get(place as usize).copied().unwrap_or_default();
    by_most(count, |place| worth(at(place))).into_iter().map(at).collect()
}

/// The same with the least first.
pub(crate) fn by_least(count: usize, worth: impl Fn(u32) -> u64) -> Vec<u32> {
    by_worth(count, &worth)
}

/// One function for whatever they are worth, as above.
#[inline(never)]
fn by_worth(count: usize, worth: &dyn Fn(u32) -> u64) -> Vec<u32> {
    let mut pairs: Vec<(u64, u32)> = (0..count as u32).map(|place| (worth(place), place)).collect();
    sort_pairs(&mut pairs);
    pairs.into_iter().map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_comes_first_or_the_least() {
        let worth = [3, 9, 1, 9];
        assert_eq!(by_most(4, |place| worth[place as usize]), [1, 3, 0, 2]);
        assert_eq!(by_least(4, |place| worth[place as usize]), [2, 0, 1, 3]);
        assert_eq!(by_most_of_two(4, |place| worth[place as usize], u64::from), [3, 1, 0, 2]);
    }

    /// As the library's stable sort does.
    #[test]
    fn whatever_there_is_comes_in_order() {
        let mut random = 1u64;
        let mut next = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        for length in (0..40).chain([100, 1000, 5000]) {
            for kind in 0..4 {
                let number = |at: u64, next: &mut dyn FnMut(u64) -> u64| match kind {
                    0 => next(1 << 40),
                    1 => next(5),
                    // Runs in order, and one in the opposite order.
                    2 => at % (length / 7 + 1) * 1000,
                    _ => length - at,
                };
                let mut pairs: Vec<(u64, u32)> = (0..length).map(|at| (number(at, &mut next), at as u32)).collect();
                let mut wanted = pairs.clone();
                wanted.sort_by_key(|(number, _)| *number);
                sort_pairs(&mut pairs);
                assert_eq!(pairs, wanted, "{length} of kind {kind}");
            }
        }
    }

    #[test]
    fn equal_ones_stay_as_they_were() {
        let mut things = [(3, 'a'), (1, 'b'), (3, 'c'), (0, 'd'), (1, 'e')];
        sort_by_number(&mut things, |(number, _)| *number);
        assert_eq!(things, [(0, 'd'), (1, 'b'), (1, 'e'), (3, 'a'), (3, 'c')]);
    }
}
