//! Bands of made-up censuses, with their totals worked out by hand.

use super::*;
use crate::profiles::censuses::BandCensus;
use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::{String, ToString},
    vec,
};

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
    profile.within(&censuses_of(profile), from, to)
}

fn censuses_of(profile: &HeapProfile) -> Vec<BandCensus<'_>> {
    profile.censuses.iter().map(|(time, entries)| (time, entries.into())).collect()
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

/// Between two censuses a band is a straight line, also at the ends of a range: on average it holds no more than its most there.
#[test]
fn no_band_holds_more_over_a_range_than_its_most() {
    let profile = profile(&[
        (SECOND, &[("falls", 1000), ("stays", 5)]),
        (2 * SECOND, &[("falls", 10), ("stays", 5), ("rises", 56)]),
        (4 * SECOND, &[("stays", 5), ("rises", 16_000_000)]),
        (5 * SECOND, &[("stays", 5), ("rises", 16_000_000), ("falls", 3)]),
    ]);
    let tenths = || (0..60).map(|tenth| Nanos(tenth * SECOND / 10));
    for (from, to) in tenths().flat_map(|from| tenths().map(move |to| (from, to))).filter(|(from, to)| from < to) {
        let (held, _, times) = within(&profile, from, to);
        let ends = profile.at_ends(&censuses_of(&profile), from, to);
        for (place, held) in held.iter().enumerate() {
            let (end, at) = ends.get(place).copied().unwrap_or((0, from));
            let (most, mean) = (held.most.max(end), held.mean_over_time(&times));
            assert!(most >= held.mean(&times) && most >= mean, "{from:?} to {to:?}: {most}, {mean}");
            assert!(at == from || at == to);
        }
    }
    let end = Nanos(3 * SECOND);
    let ends = profile.at_ends(&censuses_of(&profile), Nanos(SECOND / 2), end);
    assert_eq!(ends, [(5, end), (5, end), (8_000_028, end)]);
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

/// What it takes to fill all places: bands of this many bytes.
fn filling(bytes: u64) -> Vec<(String, u64)> {
    (0..limits::MAX_BANDS + 3000).map(|number| (format!("T{number}"), bytes)).collect()
}

fn profile_of(censuses: &[Vec<(String, u64)>]) -> HeapProfile {
    let mut profile = HeapProfile::default();
    for (number, entries) in censuses.iter().enumerate() {
        let time = Nanos(number as u64 * SECOND);
        profile.begin(time, 0);
        entries.iter().for_each(|(label, bytes)| profile.label(time, Text(label.as_bytes()), *bytes));
        profile.end(time);
    }
    profile.finish();
    profile
}

/// All that bands hold together, in each census that is kept, and over time.
fn sums_are_right(profile: &HeapProfile) {
    let bands = profile.bands();
    let area: u128 = bands.iter().map(|band| band.held.area).sum();
    assert_eq!(area, profile.all.area);
    let last: u64 = bands.iter().map(|band| band.held.last(&profile.times)).sum();
    assert_eq!(last, profile.all.last(&profile.times));
    let whole = within(profile, Nanos(0), Nanos::MAX).0;
    for (place, (band, within)) in bands.iter().zip(&whole).enumerate() {
        let both = [(band.held.area, band.held.most), (within.area, within.most)];
        assert_eq!(both[0], both[1], "{place} {:?}", band.key);
    }
}

#[test]
fn what_becomes_heavy_late_has_a_band_of_its_own_from_then_on() {
    let leaks = |bytes: u64| [filling(100), [("Leak".to_string(), bytes)].into()].concat();
    let censuses = [filling(100), leaks(50), leaks(1000), leaks(2000), filling(100), leaks(4000)];
    let profile = profile_of(&censuses);
    let leak = profile.bands().iter().find(|band| profile.label_of(band) == Some("Leak")).expect("it is kept");
    assert_eq!((leak.held.most, leak.held.last(&profile.times)), (4000, 4000));
    assert_eq!(leak.since(), Some(Nanos(2 * SECOND)));
    assert_eq!(profile.bands().iter().filter(|band| band.since().is_some()).count(), 1);
    // 500 s on its way to 1000, 1500, 1000 and 2000.
    assert_eq!(leak.held.integral(), u128::from((500 + 1500 + 1000 + 2000) * SECOND));
    assert_eq!(profile.bands().len(), limits::MAX_BANDS + 1);
    sums_are_right(&profile);
    let rest = profile.bands().last().expect("there are others");
    assert_eq!((rest.held.most, rest.held.most_at), (300_100 + 50, Nanos(SECOND)));
}

#[test]
fn what_is_heavy_when_room_first_lacks_has_its_whole_history() {
    let first = [filling(100), [("Late".to_string(), 7000)].into()].concat();
    let profile = profile_of(&[vec![("A".into(), 5)], first, vec![("Late".into(), 9000)]]);
    let late = profile.bands().iter().find(|band| profile.label_of(band) == Some("Late")).expect("it is kept");
    assert_eq!((late.held.most, late.since()), (9000, None));
    sums_are_right(&profile);
    let few: Vec<(String, u64)> = filling(100).into_iter().take(limits::MAX_BANDS).collect();
    let profile = profile_of(&[few.clone(), [few, [("Late".to_string(), 7000)].into()].concat()]);
    let late = profile.bands().iter().find(|band| profile.label_of(band) == Some("Late")).expect("it is kept");
    assert_eq!((late.held.most, late.since()), (7000, None));
    sums_are_right(&profile);
}

/// Whatever comes and goes: bands come in waves, each heavier than the one before, so that all places are given away again and again.
#[test]
fn nothing_is_lost_when_many_places_are_given_away() {
    let mut next = crate::random::numbers(7);
    let wave = |wave: u64, next: &mut dyn FnMut(u64) -> u64| -> Vec<(String, u64)> {
        let some = (0..600).map(|_| (format!("W{}", wave * 300 + next(600)), 200 * wave + next(500)));
        some.collect()
    };
    let mut censuses = vec![filling(100)];
    for number in 1..40 {
        censuses.push(wave(number, &mut next));
    }
    let profile = profile_of(&censuses);
    assert!(profile.bands().iter().filter(|band| band.since().is_some()).count() > 1000);
    sums_are_right(&profile);
    for band in profile.bands().iter().filter(|band| band.since().is_none()) {
        let Some(label) = profile.label_of(band) else { continue };
        let of =
            |census: &Vec<(String, u64)>| census.iter().filter(|(of, _)| of == label).map(|(_, bytes)| bytes).sum();
        assert_eq!(Some(band.held.most), censuses.iter().map(of).max(), "{label}");
    }
}

/// Each wave is heavy enough to take the places of the one before.
#[test]
fn texts_of_bands_that_are_gone_make_room() {
    let long = |wave: u32, number: u64| (format!("{wave} {number} {}", "x".repeat(200)), 100 * 3_u64.pow(wave));
    let censuses: Vec<Vec<(String, u64)>> =
        (0..20).map(|wave| (0..9000).map(|number| long(wave, number)).collect()).collect();
    let profile = profile_of(&censuses);
    let newest = profile.bands().iter().filter_map(|band| profile.label_of(band));
    // The new ones are a little longer than those whose room they take.
    assert!(newest.filter(|label| label.starts_with("19 ")).count() > limits::MISSED_KEY_BYTES / 250 / 2 * 9 / 10);
    assert!(profile.bands().iter().all(|band| profile.label_of(band) != Some("")));
    sums_are_right(&profile);
}

/// As many bands as in [`filling`], each with a size of its own in each census.
fn light(chance: &mut dyn FnMut(u64) -> u64) -> Vec<(String, u64)> {
    filling(50).into_iter().map(|(label, bytes)| (label, bytes + chance(100))).collect()
}

/// The heavy ones among many others, not one after the other.
fn mixed(mut others: Vec<(String, u64)>, heavy: impl Iterator<Item = (String, u64)>) -> Vec<(String, u64)> {
    for (nth, heavy) in heavy.enumerate() {
        others.insert(nth * 7 % others.len(), heavy);
    }
    others
}

/// How many bands have a label that begins so, and what they held at most together.
fn beginning(profile: &HeapProfile, with: &str) -> (usize, u64) {
    let all = profile.bands().iter().filter(|band| profile.label_of(band).is_some_and(|label| label.starts_with(with)));
    all.fold((0, 0), |(count, most), band| (count + 1, most + band.held.most))
}

#[test]
fn all_that_are_heavy_in_one_census_have_bands() {
    let mut chance = crate::random::numbers(12);
    let heavy = limits::MAX_MISSED_BANDS as u64;
    let peak = || (0..heavy).map(|number| (format!("Peak{number}"), 1_000_000 + number));
    for at in [0, 1, 3, 5] {
        let mut censuses: Vec<Vec<(String, u64)>> = (0..6).map(|_| light(&mut chance)).collect();
        censuses[at] = mixed(core::mem::take(&mut censuses[at]), peak());
        let profile = profile_of(&censuses);
        assert_eq!(beginning(&profile, "Peak"), (heavy as usize, peak().map(|(_, bytes)| bytes).sum()), "{at}");
        sums_are_right(&profile);
    }
}

/// Each census has bands that never come again.
#[test]
fn what_is_heavy_last_has_a_band_after_any_number_that_came_once() {
    let mut chance = crate::random::numbers(3);
    let mut once = |census: u64| -> Vec<(String, u64)> {
        (0..15_000).map(|number| (format!("New{census}.{number}"), 50 + chance(150))).collect()
    };
    let mut censuses: Vec<Vec<(String, u64)>> = (0..8).map(&mut once).collect();
    let late = || (0..300).map(|number| (format!("Late{number}"), 5_000_000 + number));
    censuses.push(mixed(once(8), late()));
    let profile = profile_of(&censuses);
    assert_eq!(beginning(&profile, "Late"), (300, late().map(|(_, bytes)| bytes).sum()));
    sums_are_right(&profile);
}

/// Each of those that come once holds more at once, and much less over time.
#[test]
fn what_is_steady_has_a_band_among_larger_ones_that_come_once() {
    let mut chance = crate::random::numbers(1);
    let once = |census: u64, chance: &mut dyn FnMut(u64) -> u64| -> Vec<(String, u64)> {
        (0..17_000).map(|number| (format!("Once{census}.{number}"), 2000 + chance(50))).collect()
    };
    let steady = |census: u64| (0..50).map(move |number| (format!("Steady{number}"), 1000 + 20 * census + number));
    let some = |census: u64| steady(census).filter(move |_| census >= 3);
    let censuses: Vec<_> = (0..20).map(|census| mixed(once(census, &mut chance), some(census))).collect();
    let profile = profile_of(&censuses);
    assert_eq!(beginning(&profile, "Steady"), (50, steady(19).map(|(_, bytes)| bytes).sum()));
    let steady =
        profile.bands().iter().filter(|band| profile.label_of(band).is_some_and(|of| of.starts_with("Steady")));
    // Nobody has to wait long.
    assert!(
        steady
            .map(|band| band.since())
            .all(|since| (Some(Nanos(3 * SECOND))..Some(Nanos(12 * SECOND))).contains(&since))
    );
    sums_are_right(&profile);
}

/// Of bands of all sizes that come and go, those that held the most at once, and those that held the most over time.
#[test]
fn the_heaviest_by_size_and_over_time_have_bands() {
    let mut chance = crate::random::numbers(9);
    let keys: Vec<(u64, u64)> = (0..40_000).map(|_| (1 + chance(20), 1 << chance(24))).collect();
    let census = |_| -> Vec<(String, u64)> {
        let here = keys.iter().enumerate().filter(|(_, (comes, _))| chance(20) < *comes);
        let here: Vec<(String, u64)> = here.map(|(key, (_, bytes))| (format!("K{key}"), *bytes)).collect();
        here.into_iter().map(|(key, bytes)| (key, bytes + chance(1 + bytes / 4))).collect()
    };
    let censuses: Vec<Vec<(String, u64)>> = (0..12).map(census).collect();
    let profile = profile_of(&censuses);
    sums_are_right(&profile);
    let mut weights = BTreeMap::<&str, (u64, u64)>::new();
    for (key, bytes) in censuses.iter().flatten() {
        let of = weights.entry(key).or_default();
        *of = (of.0.max(*bytes), of.1 + bytes);
    }
    let kept: BTreeSet<&str> = profile.bands().iter().filter_map(|band| profile.label_of(band)).collect();
    for weight in [|of: &(u64, u64)| of.0, |of: &(u64, u64)| of.1] {
        let mut all: Vec<(u64, &str)> = weights.iter().map(|(key, of)| (weight(of), *key)).collect();
        all.sort_unstable();
        let lacking = all.iter().rev().take(limits::MAX_BANDS / 2).filter(|(_, key)| !kept.contains(key)).count();
        assert_eq!(lacking, 0);
    }
}

#[test]
fn impossibly_large_sizes_do_not_overflow() {
    let profile = profile(&[(0, &[("a", u64::MAX), ("a", 1), ("b", 9)]), (u64::MAX, &[("a", u64::MAX)])]);
    let a = band(&profile, "a");
    assert_eq!((a.most, profile.all.most), (u64::MAX, u64::MAX));
    assert_eq!(a.integral(), u128::MAX / 2);
    assert!(within(&profile, Nanos(1), Nanos(u64::MAX)).0.len() == 2);
}
