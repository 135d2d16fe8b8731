//! Bands of made-up censuses, with their totals worked out by hand.

use super::*;
use crate::profiles::censuses::BandCensus;
use alloc::string::ToString;

/// A profile of censuses, each with its time, its labels and their bytes.
fn profile(censuses: &[(u64, &[(&str, u64)])]) -> HeapProfile {
    let mut profile = HeapProfile::default();
    for (time, entries) in censuses {
        profile.begin(Nanos(*time), 0);
        entries.iter().for_each(|(label, bytes)| profile.label(Nanos(*time), Text(label.as_bytes()), *bytes));
        profile.end(Nanos(0));
    }
    profile.finish();
    profile
}

fn band<'p>(profile: &'p HeapProfile, label: &str) -> &'p Held {
    let found = profile.bands().iter().find(|band| profile.label_of(band) == Some(label));
    &found.expect("there is such a band").held
}

fn within(profile: &HeapProfile, from: Nanos, to: Nanos) -> (Vec<Held>, Held, Times) {
    let censuses: Vec<BandCensus<'_>> = profile.censuses.iter().map(|(time, entries)| (time, entries.into())).collect();
    profile.within(&censuses, from, to)
}

const SECOND: u64 = Nanos::SECOND.0;

#[test]
fn a_band_has_its_most_its_last_its_mean_its_integral_and_its_slope() {
    let profile = profile(&[
        (SECOND, &[("a", 10), ("b", 5), ("a", 2)]),
        (3 * SECOND, &[("a", 20)]),
        (4 * SECOND, &[("b", 7), ("a", 0)]),
    ]);
    let (a, b, times) = (band(&profile, "a"), band(&profile, "b"), &profile.times);
    assert_eq!((a.most, a.most_at, a.last(times), a.mean(times)), (20, Nanos(3 * SECOND), 0, 10));
    assert_eq!((b.most, b.most_at, b.last(times), b.mean(times)), (7, Nanos(4 * SECOND), 7, 4));
    // (12 + 20) / 2 × 2 s + 20 / 2 × 1 s, and 5 / 2 × 2 s + 7 / 2 × 1 s.
    assert_eq!((a.integral(), b.integral()), (42 * u128::from(SECOND), 17 * u128::from(SECOND) / 2));
    assert_eq!(
        (profile.all.most, profile.all.last(times), profile.all.integral()),
        (20, 7, 101 * u128::from(SECOND) / 2)
    );
    // Through (0, 12), (2, 20), (3, 0), by hand.
    let slope = a.slope(times).unwrap();
    assert!((slope + 20.0 / 7.0).abs() < 1e-9, "{slope}");
}

#[test]
fn a_single_census_has_no_slope() {
    let profile = profile(&[(5, &[("a", 10)])]);
    let a = band(&profile, "a");
    assert_eq!((a.slope(&profile.times), a.integral(), a.mean(&profile.times)), (None, 0, 10));
}

#[test]
fn parts_of_a_census_are_joined_and_samples_outside_are_counted() {
    let mut profile = HeapProfile::default();
    let a = |profile: &mut HeapProfile, time: u64| profile.label(Nanos(time), Text(b"a"), 1);
    a(&mut profile, 3);
    profile.begin(Nanos(5), 0);
    a(&mut profile, 5);
    profile.begin(Nanos(5), 0);
    a(&mut profile, 6);
    profile.end(Nanos(0));
    profile.begin(Nanos(8), 0);
    a(&mut profile, 8);
    profile.finish();
    let kept: Vec<_> = profile.censuses.iter().map(|(time, entries)| (time.0, entries[0].bytes)).collect();
    assert_eq!(kept, [(3, 1), (5, 2), (8, 1)]);
    assert_eq!((profile.outside, profile.is_cut), (1, true));
}

#[test]
fn unsorted_censuses_are_counted_in_order_of_time() {
    let censuses: [(u64, &[(&str, u64)]); 4] =
        [(10, &[("a", 10)]), (20, &[("b", 5)]), (30, &[("a", 3), ("b", 1)]), (50, &[("a", 8)])];
    let in_order = profile(&censuses);
    let other = profile(&[censuses[2], censuses[0], censuses[3], censuses[1]]);
    for label in ["a", "b"] {
        assert_eq!(band(&other, label), band(&in_order, label), "{label}");
    }
    assert_eq!((other.all, other.times), (in_order.all, in_order.times));
}

#[test]
fn the_integrals_of_the_parts_add_up_to_the_whole() {
    let profile =
        profile(&[(100, &[("a", 7)]), (200, &[("a", 1001), ("b", 13)]), (350, &[("b", 5)]), (700, &[("a", 99)])]);
    let ends = [0, 100, 130, 200, 201, 349, 350, 351, 699, 700, 5000];
    let parts: Vec<_> = ends.windows(2).map(|ends| within(&profile, Nanos(ends[0]), Nanos(ends[1]))).collect();
    for (at, band) in profile.bands().iter().enumerate() {
        let sum: u128 = parts.iter().map(|(held, ..)| held[at].area).sum();
        // Each cut rounds to a nanosecond of the bytes held.
        assert!(sum.abs_diff(band.held.area) <= u128::from(band.held.most) * ends.len() as u128, "{sum} {band:?}");
    }
    let (held, all, times) = within(&profile, Nanos(0), Nanos(701));
    assert_eq!(
        (held, all, times),
        (profile.bands().iter().map(|band| band.held).collect(), profile.all, profile.times)
    );
    let (held, _, times) = within(&profile, Nanos(150), Nanos(300));
    // From 504 to 1001 in 50 ns, and then down by two thirds in 100 ns.
    assert_eq!((held[0].most, held[0].last(&times), times.count), (1001, 1001, 1));
    let by_hand = (504.0 + 1001.0) / 2.0 * 50.0 + (1001.0 + 1001.0 / 3.0) / 2.0 * 100.0;
    assert!((held[0].integral() as f64 - by_hand).abs() < 1100.0, "{} {by_hand}", held[0].integral());
}

#[test]
fn stacks_and_cut_labels_are_kept_apart() {
    let mut profile = HeapProfile::default();
    profile.begin(Nanos(1), 0);
    let ids = [[0, 0, 0, 1], [0, 0, 0, 2]];
    for stack in [&ids[..], &ids[..1], &[], &ids[1..], &ids[..]] {
        profile.stack(Nanos(1), CostCentreStack(stack), 1);
    }
    let long = |end: &str| "x".repeat(1000) + end;
    for label in [long("a"), long("b"), long("a")] {
        profile.label(Nanos(1), Text(label.as_bytes()), 1);
    }
    for label in [[b'y', 0xff], [b'y', 0xfe], [b'y', 0xff]] {
        profile.label(Nanos(1), Text(&label), 1);
    }
    profile.finish();
    let most: Vec<u64> = profile.bands().iter().map(|band| band.held.most).collect();
    assert_eq!(most, [2, 1, 1, 1, 2, 1, 2, 1]);
    let depths: Vec<usize> = profile.bands().iter().map(|band| profile.stack_of(band).len()).collect();
    assert_eq!(depths[..4], [2, 1, 0, 1]);
}

#[test]
fn bands_without_room_are_one_band_and_nothing_is_lost() {
    let mut profile = HeapProfile::default();
    profile.begin(Nanos(1), 0);
    for number in 0..limits::MAX_BANDS + 10 {
        profile.label(Nanos(1), Text(number.to_string().as_bytes()), 2);
    }
    profile.finish();
    assert!(profile.is_capped() && profile.bands().len() == limits::MAX_BANDS + 1);
    assert_eq!(profile.bands().last().map(|band| band.held.most), Some(20));
    assert_eq!(profile.all.most, 2 * (limits::MAX_BANDS as u64 + 10));
}

#[test]
fn impossibly_large_sizes_do_not_overflow() {
    let profile = profile(&[(0, &[("a", u64::MAX), ("a", 1), ("b", 9)]), (u64::MAX, &[("a", u64::MAX)])]);
    let a = band(&profile, "a");
    assert_eq!((a.most, profile.all.most), (u64::MAX, u64::MAX));
    assert_eq!(a.integral(), u128::MAX / 2);
    assert!(within(&profile, Nanos(1), Nanos(u64::MAX)).0.len() == 2);
}
