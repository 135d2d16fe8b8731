//! Sums of what threads did, and which waits are kept.

use super::*;
use crate::random;
use ghc_eventlog::CapNo;

/// The length of pieces changes no sum, up to the end or up to the begin of any piece that is left.
#[test]
fn longer_pieces_give_the_same_sums() {
    let end = 1u64 << 20;
    // There are no running totals for the last one.
    let places = [0, 1, 2, limits::MAX_SUMS];
    let mut lives = ThreadLives::new(Nanos(0), Nanos(end), Chains::default());
    let (mut time, mut chance, mut coarsened) = (0, 1, 0);
    while time < end {
        chance = random::after(chance);
        // Some room is needed before the end.
        if time > end / 8 * (coarsened + 1) && coarsened < 3 {
            coarsened += 1;
            lives.coarsen();
        }
        let (thread, cap) = (chance >> 40 & 3, CapNo((chance >> 43 & 1) as u16));
        let what = match chance >> 50 & 7 {
            0 | 1 => What::Run,
            2 => What::Stop(Some(StopReason::BlockedOnMVar), 0),
            3 => What::Stop(Some(StopReason::Yielding), 0),
            4 if chance >> 53 & 1 == 0 => What::LoseSight,
            4 => What::Stop(Some(StopReason::ForeignCall), 0),
            5 | 6 => What::Wake(Waker(1)),
            _ => What::Migrate(Waker(0)),
        };
        // Clocks go back sometimes.
        let now = if chance >> 56 == 0 { time.saturating_sub(5) } else { time };
        lives.step(places[thread as usize], &Op { time: Nanos(now), thread: ThreadId(thread as u32), cap, what });
        // Many events at once, then long pauses.
        time += if chance >> 60 == 0 { 5000 } else { chance >> 58 & 3 };
    }
    let before = |lives: &ThreadLives, piece: u32, time: Nanos| -> Vec<(Did, Now)> {
        lives.all().map(|(_, life)| lives.by_cells(life, piece, time)).collect()
    };
    let all =
        |lives: &ThreadLives| before(lives, u32::MAX, Nanos(end)).into_iter().map(|(did, _)| did).collect::<Vec<_>>();
    let until = |lives: &ThreadLives, time: Nanos| {
        let piece = lives.cells.piece(time);
        before(lives, piece, lives.cells.begin(piece))
    };
    let (sums, blocked) = (all(&lives), lives.blocked_until(Nanos(end)));
    let added = |lives: &ThreadLives| places.map(|place| lives.did_until(place, Nanos(end))).to_vec();
    assert_eq!(added(&lives), sums, "what is added up is the same");
    let ran = places.map(|place| lives.ran_until(place, Nanos(end))).to_vec();
    assert_eq!(ran, sums.iter().map(|did| did.time(Doing::Running)).collect::<Vec<_>>());
    let mut together = Did::default();
    sums.iter().for_each(|did| together.add(did));
    assert_eq!(lives.all_did_until(Nanos(end)), together);
    assert!(sums.iter().all(|did| did.runs > 100 && did.times.iter().all(|time| *time > Nanos(0))));
    let halves = until(&lives, Nanos(end / 2));
    let mut in_cells = lives.cells.blocked(0, u32::MAX);
    for _ in 0..18 {
        lives.coarsen();
        assert_eq!((all(&lives), lives.blocked_until(Nanos(end))), (sums.clone(), blocked));
        assert_eq!(added(&lives), sums);
        if lives.cells.begin(lives.cells.piece(Nanos(end / 2))) == Nanos(end / 2) {
            assert_eq!(until(&lives, Nanos(end / 2)), halves);
        }
        let now = lives.cells.blocked(0, u32::MAX);
        assert!(now.iter().zip(in_cells).all(|(now, before)| *now >= before), "what was between comes to it");
        in_cells = now;
    }
}

/// However many threads come one after the other, no more room is taken than for their number.
#[test]
fn room_for_all_threads_is_taken_at_once() {
    let mut lives = ThreadLives::new(Nanos(0), Nanos(1000), Chains::default());
    lives.reserve(1001);
    for place in 0..1001 {
        let thread = ThreadId(place as u32);
        lives.step(place, &Op { time: Nanos(place as u64), thread, cap: CapNo(0), what: What::Create });
    }
    assert_eq!((lives.lives.capacity(), lives.all().count()), (1001, 1001));
}

#[test]
fn the_longest_waits_are_kept() {
    let mut waits = Vec::new();
    for length in (0..1000u64).map(|at| at * 7919 % 1000) {
        let wait = Wait {
            thread: ThreadId(1),
            from: Nanos(0),
            to: Nanos(length),
            reason: StopReason::BlockedOnMVar,
            owner: Waker(0),
            by: Waker(0),
        };
        keep_longest(&mut waits, wait);
    }
    let lengths: Vec<u64> = waits.iter().map(|wait| wait.length().0).collect();
    assert_eq!(lengths, (1000 - limits::MAX_WAITS as u64..1000).rev().collect::<Vec<_>>());
}
