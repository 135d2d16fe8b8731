//! Of very many threads, the heaviest have rows, wherever they come in the log.

use super::*;
use crate::limits::MAX_THREADS;

/// Creates a thread that runs for `ran` when it has lived for `life`, and finishes.
fn live(threads: &mut Threads, id: u32, at: u64, life: u64, ran: u64) {
    threads.created(ThreadId(id), Nanos(at), Some(CapNo(0)));
    threads.ran(ThreadId(id), Nanos(ran), Nanos(at + life), true);
}

/// Three times as many threads as there is room for, numbered from `first` on, with `heavy` ones here and there.
fn many(first: u32, heavy: impl Fn(u32) -> bool) -> Threads {
    let mut threads = Threads::default();
    for nth in 0..3 * MAX_THREADS as u32 {
        let life = if heavy(nth) { 1_000_000 } else { 400 };
        live(&mut threads, first + nth, u64::from(nth) * 500, life, 300);
    }
    threads.fix();
    threads
}

#[test]
fn threads_that_live_long_have_rows_wherever_they_come() {
    let places: [u32; 5] = [0, 5, MAX_THREADS as u32 + 77, 500_000, 3 * MAX_THREADS as u32 - 1];
    for first in [1, (1 << 20) - 1000, (1 << 28) - 400_000] {
        let threads = many(first, |nth| places.contains(&nth));
        assert!(places.iter().all(|place| threads.get(ThreadId(first + place)).is_some()));
        let without = threads.without_row().unwrap();
        assert_eq!((without.open, without.longest), (0, Nanos(400)));
        assert_eq!(threads.count(), 3 * MAX_THREADS as u64);
        assert_eq!(without.count + threads.rows().len() as u64, threads.count());
        assert_eq!(threads.runs_without_row().count(), without.count);
        // In order, each at its place.
        assert!(threads.rows().is_sorted_by_key(|thread| thread.id.0));
        let places =
            threads.rows().iter().zip(0..).map(|(thread, place)| threads.known_place(thread.id) == Some(place));
        assert!(places.into_iter().all(|is_it| is_it));
    }
}

#[test]
fn many_heavy_threads_have_rows() {
    let threads = many(1, |nth| nth % 10 == 3);
    let heavy = threads.rows().iter().filter(|thread| (thread.id.0 - 1) % 10 == 3).count();
    assert_eq!(heavy, (0..3 * MAX_THREADS).filter(|nth| nth % 10 == 3).count());
}

/// As for a thread that lives no longer than others, but runs all the time; and one with a label.
#[test]
fn threads_that_run_long_and_those_with_labels_have_rows() {
    let mut threads = Threads::default();
    for id in 1..=2 * MAX_THREADS as u32 {
        let ran = if id == 99_999 { 399 } else { 3 };
        live(&mut threads, id, u64::from(id) * 500, 400, ran);
        if id == 100_001 {
            threads.labelled(ThreadId(id), Nanos(1), Text(b"culprit"));
        }
    }
    threads.fix();
    assert_eq!(threads.get(ThreadId(99_999)).map(|thread| thread.ran), Some(Nanos(399)));
    assert_eq!(threads.label_text(ThreadId(100_001)), Some("culprit"));
}

/// Labels are dropped with their threads, so there is room for those of later ones.
#[test]
fn labels_of_light_threads_make_room() {
    let mut threads = Threads::default();
    let label = [b'x'; 16];
    for id in 1..=4 * MAX_THREADS as u32 {
        live(&mut threads, id, u64::from(id) * 500, u64::from(id), 1);
        threads.labelled(ThreadId(id), Nanos(u64::from(id)), Text(&label));
    }
    threads.fix();
    assert_eq!(threads.labels_dropped(), 0);
    let last = ThreadId(4 * MAX_THREADS as u32);
    assert_eq!(threads.label_text(last), Some("xxxxxxxxxxxxxxxx"));
    assert!(threads.bytes_held() < MAX_THREADS * size_of::<Thread>() + limits::TEXT_BYTES * 2 + (16 << 20));
}

/// Threads that have not finished may have waited since they were created. Those that do more later have rows again.
#[test]
fn threads_that_do_not_finish_count_once() {
    let mut threads = Threads::default();
    let all = 2 * MAX_THREADS as u32;
    for id in 1..=all {
        threads.created(ThreadId(id), Nanos(u64::from(id)), None);
    }
    assert_eq!(threads.count(), all.into());
    assert!(threads.get(ThreadId(all / 2 + 5)).is_none());
    for _ in 0..3 {
        for id in 1..=all {
            threads.ran(ThreadId(id), Nanos(if id == all / 2 + 5 { 50 } else { 1 }), Nanos(1 << 30), false);
        }
    }
    threads.fix();
    assert_eq!(threads.count(), all.into());
    assert!(threads.get(ThreadId(all / 2 + 5)).is_some());
    assert_eq!(threads.get(ThreadId(1)).and_then(Thread::created), Some(Nanos(1)));
    assert_eq!(threads.without_row().map(|without| without.open), Some(u64::from(all) - threads.rows().len() as u64));
}

/// The stream of another capability, later in the file, has more of threads whose begins and ends were known: they stay without rows. Unless
/// it is a label.
#[test]
fn what_comes_late_of_threads_that_are_over_changes_nothing() {
    let mut threads = many(1, |_| false);
    let gone: Vec<ThreadId> =
        (1..1000).map(|nth| ThreadId(nth * 700)).filter(|id| threads.get(*id).is_none()).collect();
    assert!(gone.len() > 100);
    threads.is_fixed = false;
    let before = (threads.count(), threads.rows().len());
    gone.iter().for_each(|id| threads.ran(*id, Nanos(1), Nanos(600), false));
    assert_eq!((threads.count(), threads.rows().len()), before);
    threads.labelled(gone[7], Nanos(9), Text(b"late"));
    assert_eq!((threads.count(), threads.rows().len()), (before.0, before.1 + 1));
    // During the replay, no thread gets a row that has none.
    threads.is_fixed = true;
    assert!(gone.iter().enumerate().all(|(nth, id)| threads.place_of(*id).is_some() == (nth == 7)));
    assert_eq!(threads.count(), before.0);
}

/// The largest number of all threads is needed to number those of the next process.
#[test]
fn the_largest_number_is_known_although_its_thread_has_no_row() {
    let mut threads = Threads::default();
    for id in 1..=MAX_THREADS as u32 + 10 {
        let (id, life) = if id == 1000 { (5_000_000, 1) } else { (id, 400) };
        live(&mut threads, id, 0, life, life);
    }
    assert_eq!((threads.get(ThreadId(5_000_000)), threads.largest()), (None, 5_000_000));
}

#[test]
fn threads_with_any_number_are_found() {
    let mut threads = Threads::default();
    for id in [1, 70_000, u32::MAX] {
        threads.ran(ThreadId(id), Nanos(10), Nanos(10), false);
        threads.ran(ThreadId(id), Nanos(5), Nanos(20), false);
    }
    assert_eq!(threads.rows().len(), 3);
    assert_eq!(threads.get(ThreadId(u32::MAX)).unwrap().ran, Nanos(15));
    assert_eq!(threads.get(ThreadId(2)), None);
}

#[test]
fn the_latest_label_counts_for_any_order_in_the_file() {
    let mut threads = Threads::default();
    threads.labelled(ThreadId(1), Nanos(20), Text(b"new"));
    threads.labelled(ThreadId(1), Nanos(10), Text(b"old"));
    assert_eq!(threads.label_text(ThreadId(1)), Some("new"));
    assert_eq!(threads.label(ThreadId(2)), None);
}

/// As in a file of two streams whose threads have the same first numbers.
#[test]
fn a_thread_that_is_created_once_more_was_created_before() {
    let mut threads = Threads::default();
    threads.created(ThreadId(1), Nanos(20), Some(CapNo(2)));
    threads.created(ThreadId(1), Nanos(30), Some(CapNo(3)));
    let thread = threads.get(ThreadId(1)).unwrap();
    assert_eq!((thread.created(), thread.created_by), (Some(Nanos(20)), Some(CapNo(2))));
    assert_eq!(threads.count(), 1);
}

#[test]
fn threads_are_bounded() {
    let mut threads = Threads::default();
    for id in 0..limits::MAX_THREADS as u32 + 10 {
        threads.created(ThreadId(id), Nanos(1), None);
        assert!(threads.rows().len() <= limits::MAX_THREADS);
    }
    threads.fix();
    assert!(threads.is_capped());
    assert_eq!(threads.rows().len(), limits::MAX_THREADS / 2);
    assert_eq!(threads.count(), limits::MAX_THREADS as u64 + 10);
}

#[test]
fn a_label_that_changes_all_the_time_leaves_room_for_others() {
    let mut threads = Threads::default();
    threads.labelled(ThreadId(8), Nanos(0), Text(b"the first"));
    live(&mut threads, 9, 0, 1, 1);
    let label = "x".repeat(200);
    for at in 0..200_000u64 {
        let label = alloc::format!("{label}{at}");
        threads.labelled(ThreadId(at as u32 % 2), Nanos(at), Text(label.as_bytes()));
    }
    threads.labelled(ThreadId(7), Nanos(200_000), Text(b"the last"));
    assert_eq!((threads.label_text(ThreadId(7)), threads.labels_dropped()), (Some("the last"), 0));
    assert_eq!(threads.label_text(ThreadId(1)), Some(&*alloc::format!("{label}199999")));
    // Those that have none still have none.
    assert_eq!([8, 9].map(|id| threads.label_text(ThreadId(id))), [Some("the first"), None]);
}

/// A server's connections: each thread has a long label, and those of most time come late, or are the first.
#[test]
fn labels_of_heavy_threads_and_the_newest_are_kept() {
    let mut threads = Threads::default();
    let label = |id: u32| alloc::format!("{id:>0$}", limits::MAX_TEXT);
    let most = (limits::TEXT_BYTES / limits::MAX_TEXT) as u32;
    let last = 10 * most;
    // Every thousandth one lives long, every other thousandth one runs long, the first one does not end.
    for id in 1..=last {
        let (life, ran) = if id % 1000 == 7 { (1_000_000, 1) } else { (500, if id % 1000 == 8 { 499 } else { 1 }) };
        threads.labelled(ThreadId(id), Nanos(u64::from(id) * 500), Text(label(id).as_bytes()));
        if id == 1 {
            threads.created(ThreadId(id), Nanos(0), None);
        } else {
            live(&mut threads, id, u64::from(id) * 500, life, ran);
        }
        assert!(threads.texts.bytes_held() <= limits::TEXT_BYTES * 2);
    }
    let has_label = |id: &u32| threads.label_text(ThreadId(*id)) == Some(&*label(*id));
    let heavy = (1..=last).filter(|id| matches!(id % 1000, 7 | 8)).chain([1, last - 1, last]);
    assert_eq!(heavy.filter(|id| !has_label(id)).collect::<Vec<_>>(), []);
    let (kept, dropped) = ((1..=last).filter(has_label).count() as u64, threads.labels_dropped());
    assert_eq!(kept + dropped, u64::from(last));
    assert!(kept >= u64::from(most / 2) - 10, "{kept}");
    // One that is labelled again has a label again.
    let gone = (1..).find(|id| !has_label(id)).unwrap();
    threads.labelled(ThreadId(gone), Nanos::MAX, Text(b"again"));
    assert_eq!((threads.label_text(ThreadId(gone)), threads.labels_dropped()), (Some("again"), dropped - 1));
}

/// Once the log has been read, no room is left over for rows, places and labels that do not come.
#[test]
fn room_for_threads_that_do_not_come_is_given_back() {
    let mut threads = Threads::default();
    let last = 3 * MAX_THREADS as u32 + 5;
    for id in 1..=last {
        live(&mut threads, id, u64::from(id) * 500, 400, 300);
        threads.labelled(ThreadId(id), Nanos(1), Text(b"request"));
    }
    threads.fix();
    let needed = threads.rows.len() * (size_of::<Thread>() + b"request".len()) + (last as usize + 1) * size_of::<u32>();
    assert_eq!(threads.rows.len(), MAX_THREADS / 2);
    assert!(threads.bytes_held() < needed + (1 << 18), "{} for {needed}", threads.bytes_held());
}

/// Once the rows are fixed, a thread without a row is not looked for twice, and counts once.
#[test]
fn threads_that_get_no_row_any_more_are_known_at_once() {
    let mut threads = many(1, |_| false);
    let count = threads.count();
    let without = (1..).map(ThreadId).find(|id| threads.known_place(*id).is_none()).unwrap();
    for _ in 0..2 {
        assert_eq!((threads.place_of(without), threads.known_place(without)), (None, None));
    }
    assert_eq!((threads.dense[without.0 as usize], threads.count()), (NEVER, count));
    // There is room for a thread that is new.
    let place = threads.rows().len();
    assert_eq!((threads.place_of(ThreadId(0)), threads.count()), (Some(place), count + 1));
}

/// Threads that lose their rows, and do more later: where their numbers lie too far apart to remember all, they count several times, and that
/// is known. What comes of them in the replay does not count again.
#[test]
fn it_is_known_whether_threads_are_counted_twice() {
    for (apart, is_exact) in [(1, true), (10_000, false)] {
        let ids = || (1..=2 * MAX_THREADS as u32).map(move |nth| ThreadId(nth.wrapping_mul(apart)));
        let mut threads = Threads::default();
        ids().for_each(|id| threads.created(id, Nanos(u64::from(id.0)), None));
        ids().for_each(|id| threads.ran(id, Nanos(1), Nanos(u64::MAX), false));
        threads.fix();
        let without = threads.without_row().unwrap();
        assert_eq!((without.is_exact, threads.count() == 2 * MAX_THREADS as u64), (is_exact, is_exact));
        assert!(threads.count() >= 2 * MAX_THREADS as u64);
        assert!(without.open <= without.count);
        ids().for_each(|id| _ = threads.place_of(id));
        assert_eq!(threads.without_row(), Some(without));
    }
}
