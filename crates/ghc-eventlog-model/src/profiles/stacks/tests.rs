//! Samples of made-up stacks and threads, of which there may be too many.

use super::*;
use crate::terms::frame::StringId;
use ghc_eventlog::CostCentreStack;

fn profile(samples: &[(u64, &[u32])]) -> TimeProfile {
    let mut profile = TimeProfile::default();
    for (tick, stack) in samples {
        let ids: Vec<[u8; 4]> = stack.iter().map(|id| id.to_be_bytes()).collect();
        let sample = ProfSampleCostCentre { cap: 0, tick: *tick, stack: CostCentreStack(&ids) };
        profile.sample(Nanos(*tick * 1000), sample);
    }
    profile.finish(&|frame| frame);
    profile
}

/// Frames that a stack shares with the previous one are not looked up: the resulting stack does not depend on what came
/// before.
#[test]
fn a_sample_s_stack_does_not_depend_on_earlier_samples() {
    let stacks: [&[u32]; 6] = [&[], &[1], &[2, 1], &[2, 2, 1], &[3, 2, 1, 2], &[1, 2, 1]];
    let mut profile = TimeProfile::default();
    let mut expected = Vec::new();
    for at in 0..500u64 {
        let stack = stacks[(at * at % 13 % 6) as usize];
        let ids: Vec<[u8; 4]> = stack.iter().map(|id| id.to_be_bytes()).collect();
        let cap = (at % 7 % 3) as u32 * 1000;
        profile.sample(Nanos(at), ProfSampleCostCentre { cap, tick: at, stack: CostCentreStack(&ids) });
        let frames = stack.iter().rev().map(|id| Frame::CostCentre(CostCentreId(*id)));
        expected.push(if stack.is_empty() { alloc::vec![Frame::Main] } else { frames.collect() });
    }
    profile.finish(&|frame| frame);
    let found: Vec<Vec<Frame>> = profile.rows.kept().iter().map(|row| profile.tree.stack(row.node)).collect();
    assert_eq!(found, expected);
    let caps: Vec<(u16, u64)> = profile.caps().iter().map(|of| (of.cap.0, of.samples)).collect();
    assert_eq!(caps, [(0, 214), (1000, 143), (2000, 143)]);
}

#[test]
fn a_stack_is_found_again() {
    let profile = profile(&[(1, &[2, 1]), (2, &[3, 1]), (3, &[2, 1]), (4, &[])]);
    let id = |frame: Frame| if let Frame::CostCentre(id) = frame { id.0 } else { 0 };
    let stack = |node: u32| profile.tree.stack(node).into_iter().map(id).collect();
    let stacks: Vec<(Vec<u32>, u64)> = (0..).zip(&profile.tree.nodes).map(|(at, node)| (stack(at), node.own)).collect();
    assert_eq!(stacks, [(alloc::vec![1], 0), (alloc::vec![1, 2], 2), (alloc::vec![1, 3], 1), (alloc::vec![0], 1)]);
    assert_eq!(profile.rows.kept().last().map(|row| row.node), Some(3));
}

#[test]
fn the_tick_is_the_logged_interval_or_the_median_time_between_samples() {
    let mut known = profile(&[(1, &[1]), (2, &[1]), (3, &[1]), (9, &[1])]);
    assert_eq!(known.tick(), Some(Nanos(1000)));
    known.tell(Nanos(5));
    assert_eq!(known.tick(), Some(Nanos(5)));
    assert_eq!(profile(&[(1, &[1])]).tick(), None);
}

fn of_thread(profile: &mut TimeProfile, time: u64, thread: u32, names: &[u64]) {
    let frames: Vec<Frame> = names.iter().map(|name| Frame::Named(StringId(*name as u32))).collect();
    let (thread, frames) = (ThreadId(thread), &frames[..]);
    profile.sample_of_thread(Nanos(time), &ThreadSample { cap: 0, thread, frames, is_cut: false });
}

/// All threads are sampled at once, so there is hardly any time between most samples of a capability.
#[test]
fn a_tick_of_threads_is_the_time_between_samples_of_one_thread() {
    let mut profile = TimeProfile::default();
    for tick in 1..5 {
        (1..9).for_each(|thread| of_thread(&mut profile, tick * 10_000 + u64::from(thread), thread, &[1, 2]));
    }
    of_thread(&mut profile, 70_000, 3, &[]);
    profile.finish(&|frame| frame);
    assert_eq!(profile.tick(), Some(Nanos(10_000)));
    assert_eq!((profile.samples, profile.threads().len(), profile.caps().len()), (33, 8, 0));
    // The one with the most samples comes first.
    assert_eq!((profile.threads()[0].id.0, profile.threads()[0].samples, profile.threads()[3].samples), (3, 5, 4));
    assert_eq!(profile.tree.stack(profile.rows.kept()[32].node), [Frame::Empty]);
}

/// Capabilities are sampled in turn at each tick: keeping every n-th sample would leave some with none.
#[test]
fn each_capability_keeps_its_share_of_very_many_samples() {
    let (mut profile, caps) = (TimeProfile::default(), 16);
    for tick in 0..8 * limits::MAX_TIME_SAMPLES as u64 / u64::from(caps) {
        for cap in 0..caps {
            profile.sample(Nanos(tick * 1000), ProfSampleCostCentre { cap, tick, stack: CostCentreStack(&[]) });
        }
    }
    profile.finish(&|frame| frame);
    let kept = |cap: u32| profile.rows.kept().iter().filter(|row| u32::from(row.cap) == cap).count();
    let share = profile.rows.kept().len() / caps as usize;
    assert!(profile.rows.stride() > 1 && (0..caps).all(|cap| kept(cap).abs_diff(share) < share / 4));
}

/// The one with most samples comes late, and threads with one sample each after it.
#[test]
fn the_threads_with_the_most_samples_are_kept_and_come_first() {
    for all in [300, 3 * limits::MAX_SAMPLED_THREADS as u32] {
        let mut profile = TimeProfile::default();
        let most = all / 3 * 2;
        for thread in 1..=all {
            for nth in 0..if thread == most { 900 } else { 1 } {
                of_thread(&mut profile, u64::from(thread) * 1000 + nth, thread, &[1]);
            }
        }
        profile.finish(&|frame| frame);
        let first = profile.threads()[0];
        assert_eq!((first.id.0, first.samples), (most, 900));
        assert_eq!(profile.rows.kept().iter().filter(|row| row.thread == 0).count(), 900);
        assert!(profile.threads().len() <= limits::MAX_SAMPLED_THREADS);
        // Each sample is of a thread that is kept, or of none.
        let of_kept: u64 = profile.threads().iter().map(|of| of.samples).sum();
        assert_eq!(of_kept + profile.without_thread, u64::from(all) + 899);
        assert_eq!(profile.without_thread > 0, all > 300);
        let rows = profile.rows.kept().iter().filter(|row| row.thread == OTHER_THREAD).count() as u64;
        assert_eq!(rows, profile.without_thread);
        // Of threads with the same number of samples, the earlier one comes first.
        assert!(profile.threads()[1..].is_sorted_by_key(|of| of.id.0));
    }
}

/// One that is sampled seldom, but all the time: its place goes to others, and once it has more samples than these, it stays.
#[test]
fn a_thread_that_comes_again_says_how_many_samples_it_may_lack() {
    let (mut profile, all, steady) = (TimeProfile::default(), 60_000, 777_777);
    let mut count = 0;
    for thread in 1..=all {
        (0..5).for_each(|_| of_thread(&mut profile, 1, thread, &[1]));
        if thread > 6000 && thread % 300 == 50 {
            count += 1;
            of_thread(&mut profile, 1, steady, &[1]);
        }
    }
    profile.finish(&|frame| frame);
    let first = profile.threads()[0];
    assert_eq!(first.id.0, steady);
    assert!(first.samples <= count && count <= first.samples + u64::from(first.before), "{first:?} of {count}");
    assert!(first.before > 0 && first.samples > count / 2, "{first:?} of {count}");
}

#[test]
fn stacks_are_bounded() {
    let mut profile = TimeProfile::default();
    for id in 0..limits::MAX_STACKS as u32 + 5 {
        let ids = [(id % 100).to_be_bytes(), (id / 100).to_be_bytes()];
        profile.sample(Nanos(1), ProfSampleCostCentre { cap: 0, tick: 1, stack: CostCentreStack(&ids) });
    }
    assert!(profile.prunings == 1 && profile.cut == 0 && profile.tree.nodes.len() <= limits::MAX_STACKS);
    assert_eq!(profile.tree.nodes.iter().map(|node| node.own).sum::<u64>(), limits::MAX_STACKS as u64 + 5);
    for thread in 0..limits::MAX_SAMPLED_THREADS as u32 + 5 {
        of_thread(&mut profile, 1, thread, &[]);
    }
    assert_eq!(profile.threads().len(), limits::MAX_SAMPLED_THREADS / 2 + 5);
    assert_eq!(profile.without_thread, limits::MAX_SAMPLED_THREADS as u64 / 2);
    // Threads that are not kept are on no capability, either.
    let of_caps = profile.rows.kept().iter().filter(|row| !row.is_of_thread() && row.time == Nanos(1)).count();
    let of_threads = profile.rows.kept().iter().filter(|row| row.is_of_thread()).count();
    assert_eq!((of_caps, of_threads), (limits::MAX_STACKS + 5, limits::MAX_SAMPLED_THREADS + 5));
}
