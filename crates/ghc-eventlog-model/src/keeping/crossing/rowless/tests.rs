//! Threads without a row have the same totals as with one.

use super::*;
use crate::{
    keeping::crossing::{chains::Chains, threads::ThreadLives},
    terms::op::Waker,
};
use ghc_eventlog::{CapNo, StopReason};

const END: u64 = 1 << 20;

fn lives() -> ThreadLives {
    let mut lives = ThreadLives::new(Nanos(0), Nanos(END), Chains::default());
    lives.rowless.set_room(1 << 20);
    lives
}

/// What happens to some threads, whose numbers are `apart`: most of them finish.
fn ops(apart: u32) -> Vec<Op> {
    let mut next = crate::random::numbers(1);
    let mut all = Vec::new();
    for nth in 1..=200 {
        let mut time = next(END / 2);
        let mut op = |what, cap, time| {
            all.push(Op { time: Nanos(time), thread: ThreadId(nth * apart), cap: CapNo(cap), what });
        };
        op(What::Create, 0, time);
        for _ in 0..next(6) {
            let (cap, reason) =
                (next(3) as u16, [StopReason::BlockedOnMVar, StopReason::BlockedOnStm, StopReason::ForeignCall]);
            time += next(3000);
            op(What::Run, cap, time);
            time += next(9000);
            op(What::Stop(Some(reason[next(3) as usize]), 0), cap, time);
            time += next(20_000);
            op(What::Wake(Waker(1)), cap, time);
            op(What::Migrate(Waker(1)), cap, time + 1);
        }
        if next(8) > 0 {
            op(What::Run, 1, time + 5);
            op(What::Stop(Some(StopReason::Finished), 0), 1, time + 500);
            // A late wake-up means nothing.
            op(What::Wake(Waker(1)), 1, time + 900);
        }
    }
    all.sort_by_key(|op| op.time);
    all
}

/// With rows, and without.
fn follow(ops: &[Op], apart: u32) -> [ThreadLives; 2] {
    let [mut with, mut without] = [lives(), lives()];
    for op in ops {
        with.step((op.thread.0 / apart) as usize, op);
        if let Some(place) = without.place_without_row(op) {
            assert!(place >= limits::MAX_THREADS);
            without.step(place, op);
            assert_eq!(without.rowless.now_of(op.thread).doing, with.now((op.thread.0 / apart) as usize).doing);
        }
    }
    [with, without]
}

#[test]
fn totals_are_the_same_with_and_without_rows() {
    for apart in [1, 7, 1000] {
        let all = ops(apart);
        for count in [all.len() / 3, all.len()] {
            let [with, without] = follow(&all[..count], apart);
            let time = Nanos(if count < all.len() { all[count].time.0 } else { END });
            assert_eq!(with.all_did_until(time), without.all_did_until(time));
            assert_eq!(with.blocked_until(time), without.blocked_until(time));
            assert_eq!((with.all_waits, with.waits_for), (without.all_waits, without.waits_for));
            assert_eq!(with.latency.count(), without.latency.count());
            assert!(with.waits().eq(without.waits()) && with.all_waits > 50);
        }
    }
}

#[test]
fn totals_up_to_the_begin_of_a_piece_are_exact() {
    let all = ops(3);
    let [_, mut without] = follow(&all, 3);
    without.finish(Nanos(END));
    for doublings in 0..12 {
        let cells = &without.cells;
        for piece in [0, 1, 2, cells.piece(Nanos(END / 3)), cells.piece(Nanos(END / 2))] {
            let time = cells.begin(piece).min(Nanos(END));
            let before = all.partition_point(|op| op.time < time);
            let [with, _] = follow(&all[..before], 3);
            let (did, blocked) = without.rowless.until(time, Nanos(END), cells);
            assert_eq!(did.times, with.all_did_until(time).times, "{doublings} {piece}");
            assert_eq!(blocked, with.blocked_until(time));
        }
        without.rowless.double(without.cells.width());
        without.cells.double();
    }
    // Within a piece, it grows evenly.
    let (some, more) = (Nanos(END / 3), Nanos(END / 3 + 1000));
    let running = |time| without.rowless.until(time, Nanos(END), &without.cells).0.time(Doing::Running);
    assert!(running(some) < running(more) && running(more) < running(Nanos(END)));
}

/// Pages are used again once all of their threads are over.
#[test]
fn states_take_no_more_room_than_there_is() {
    let mut lives = lives();
    let op = |id: u32, time, what| Op { time: Nanos(time), thread: ThreadId(id), cap: CapNo(0), what };
    for id in 1..=300_000u32 {
        for (after, what) in [(0, What::Create), (1, What::Run), (3, What::Stop(Some(StopReason::Finished), 0))] {
            let op = op(id, u64::from(id) * 3 + after, what);
            let place = lives.place_without_row(&op).unwrap();
            lives.step(place, &op);
        }
    }
    assert_eq!((lives.rowless.not_followed, lives.rowless.alive().count()), (0, 0));
    assert!(lives.rowless.pages.len() <= 2);
    let did = lives.all_did_until(Nanos(END));
    assert_eq!((did.runs, did.time(Doing::Running)), (300_000, Nanos(600_000)));
    // Too many at the same time.
    let all: u64 =
        (1..=100_000u32).map(|id| u64::from(lives.place_without_row(&op(id, END, What::Create)).is_none())).sum();
    assert_eq!(lives.rowless.not_followed, all);
    assert!(all > 0 && lives.rowless.bytes_held() < 2 << 20);
    // What begins no life is of none.
    assert_eq!(lives.place_without_row(&op(u32::MAX, END, What::Wake(Waker(1)))), None);
}

/// A thread whose page is another one's now is not taken for one of that page, however recently its own was used.
#[test]
fn a_page_that_is_used_again_is_no_longer_found_by_its_old_number() {
    let mut lives = lives();
    let mut play = |id: u32, time, what| {
        let op = Op { time: Nanos(time), thread: ThreadId(id), cap: CapNo(0), what };
        let place = lives.place_without_row(&op)?;
        lives.step(place, &op);
        Some(place)
    };
    let finished = What::Stop(Some(StopReason::Finished), 0);
    for (nth, id) in (0..).zip([3, 3 + 16 * 1000, 3]) {
        let place = play(id, nth * 100, What::Create);
        assert!(place == Some(limits::MAX_THREADS + 3) && play(id, nth * 100 + 1, What::Run) == place);
        // The other one is over, or does not exist yet.
        assert_eq!(play(if id == 3 { 3 + 16 * 1000 } else { 3 }, nth * 100 + 2, What::Wake(Waker(1))), None);
        assert_eq!(play(id, nth * 100 + 3, finished), place);
    }
    assert_eq!((lives.rowless.pages.len(), lives.rowless.did_until(Nanos(END)).runs), (1, 3));
}
