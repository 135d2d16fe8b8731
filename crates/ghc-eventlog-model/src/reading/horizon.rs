//! From when on nothing is held of a replay, since there is too little room: see [`super::in_order`].

use super::segment_ops::{Key, SegmentOps};
use ghc_eventlog::Nanos;

/// The latest moment before which at most `most` events happen; or the moment after the first event, if that is later.
pub(super) fn horizon_of(all: &[SegmentOps], most: usize) -> Key {
    let firsts = all.iter().filter_map(|held| held.ops.get(held.next).map(|op| (op.time, held.segment)));
    let Some((time, segment)) = firsts.min() else { return (Nanos::MAX, u32::MAX) };
    let fits = |key: Key| all.iter().map(|held| held.count_before(key)).sum::<usize>() <= most;
    let last = last_that(time.0, u64::MAX, |time| fits((Nanos(time), 0)));
    if last > time.0 {
        return (Nanos(last), 0);
    }
    // Too many events at one time to be held: take a part of its segments, at least one.
    let last = last_that(u64::from(segment) + 1, u32::MAX.into(), |segment| fits((time, segment as u32)));
    (time, last as u32)
}

/// The last number in `first..=last` for which `is_so` is true; it must be true up to some number, and false after it.
/// `first` if it is true for none.
fn last_that(first: u64, last: u64, is_so: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (first, last);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if is_so(middle) { low = middle } else { high = middle - 1 }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::{super::segment_ops::tests::held, *};

    #[test]
    fn the_horizon_is_as_far_as_there_is_room() {
        let all = [held(4, &[1, 2, 5]), held(7, &[2, 3, 9])];
        let horizons = [1, 2, 3, 4, 5, 6].map(|most| horizon_of(&all, most));
        let expected = [2, 2, 3, 5, 9, u64::MAX].map(|time| (Nanos(time), 0));
        assert_eq!(horizons, expected);
    }

    #[test]
    fn if_too_much_happens_at_one_time_some_segments_are_held() {
        let all = [held(4, &[8, 8]), held(7, &[8, 8, 8]), held(9, &[8])];
        let horizons = [0, 1, 2, 4, 5].map(|most| horizon_of(&all, most));
        assert_eq!(horizons, [5, 5, 7, 7, 9].map(|segment| (Nanos(8), segment)));
    }
}
