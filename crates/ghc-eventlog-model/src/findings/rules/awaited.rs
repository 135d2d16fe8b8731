//! `awaited`: many threads wait for the same one.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, WORTH};
use crate::{
    findings::asked::ratio,
    keeping::crossing::{awaited::AwaitedThreads, doing::Doing, threads::Wait},
    limits,
    sorting::{sort_by_number, sort_pairs},
    terms::op::Waker,
};
use alloc::vec::Vec;
use ghc_eventlog::{Nanos, ThreadId};

pub(super) struct Awaited;

const IDLE: Limit = Limit::share(
    "idle while threads are blocked, of all capabilities' time",
    0.10,
    "while capabilities have other work, nothing is lost",
);
const SHARE: Limit = Limit::share(
    "time blocked of the threads that mostly wait for it, of that of all threads",
    0.33,
    "if it is less, most wait for something else",
);
const WAITERS: Limit =
    Limit::number("threads that mostly wait for it", 2.0, "a thread that waits for one other is usual");
const COLLECTIONS: Limit = Limit::share(
    "time of collections, of the log, to be said",
    0.05,
    "all threads wait for them, and that is nobody's fault",
);
const LEAST: Limit =
    Limit::share("time blocked of the threads that mostly wait for it, of the log", 0.10, "less holds up nobody");
const QUEUE: Limit = Limit::share(
    "time that threads wait for it behind others, all together, of the log",
    0.25,
    "now and then threads meet at a lock",
);
const MOST: Limit = Limit::share(
    "the same, of that for any thread",
    0.50,
    "else threads keep each other waiting, each for as long as the others",
);
/// Why threads may wait for one.
const OF_RUNTIME: &str =
    "{} [thread waits|threads wait] mostly for {}, one of the runtime's own: for time to pass, or for input or output.";
const SLEEPS: &str =
    "{} [thread waits|threads wait] mostly for {}, which itself waits mostly for time to pass, or for input or output.";
/// Each time, who wakes a thread up has itself waited for that one.
const BEHIND: &str =
    "Threads wait for {} one behind another, as at a lock: for {} in all at least behind others that wait for it.";
const AWAKE: &str = ", without those that wait for time to pass, or for input or output.";
/// How many waits are shown.
const SHOWN: usize = 3;

impl Rule for Awaited {
    const ID: &'static str = "awaited";
    const TITLE: &'static str = "Threads wait for one other";
    const FINE: &'static str = "Whom threads wait for";
    const ABOUT: &'static str = "While capabilities are idle, several threads are blocked, and most of that ends when one and the same thread wakes them up, or is for values that it is evaluating; or they wait for it behind one another, as at a lock. Workers that wait for work wait for who brings it; if that one mostly sleeps, there is no work, and that is fine. A thread that waits once until another is done does not count, if it is the only one.";
    const LIMITS: &'static [Limit] = &[IDLE, SHARE, WAITERS, LEAST, QUEUE, MOST, COLLECTIONS, WORTH];
    const TRY: &'static str = "have that thread do less while others wait for it; share its work among several threads";
    const NEEDS_REPLAY: bool = true;
    const OF_WAITS: bool = true;

    fn judge(of: &Asked<'_>) -> Judgement {
        let threads = &of.facts.threads;
        let (Some(all), Some(replayed)) = (threads.blocked, of.replayed()) else {
            return Judgement::lacks(threads.lacks, "The log does not say what threads did.");
        };
        let idle = of.idle_while_blocked();
        let rows = of.scope.model.threads();
        // If there are too many to know of each what it waits for, it is known whom all together wait for longest.
        let are_all_known = !rows.is_capped() && rows.rows().len() <= limits::MAX_WAITED;
        let excuse = |thread: ThreadId| {
            if rows.get(thread).is_some_and(|row| rows.is_of_runtime(row)) {
                Some(OF_RUNTIME)
            } else {
                (are_all_known && waits_for_time(of, thread)).then_some(SLEEPS)
            }
        };
        let awaited = if are_all_known {
            mostly_awaited(of)
        } else {
            let longest = |counts: &dyn Fn(ThreadId) -> bool| replayed.lives.awaited.longest(counts);
            let longest = longest(&|thread| excuse(thread).is_none()).or_else(|| longest(&|_| true));
            longest.map(|(thread, time)| MostlyAwaited { time, waiters: u64::MAX, thread }).into_iter().collect()
        };
        let Some(first) = awaited.first() else {
            return Judgement::fine("No thread waits mostly for one other.", []);
        };
        // Who waits for time to pass does not hide who waits for a thread.
        let asleep = awaited.iter().filter(|one| are_all_known && excuse(one.thread).is_some());
        let asleep = asleep.fold(Nanos(0), |sum, one| sum.plus(one.time));
        // At other times, threads wait for others.
        let idle_for = |thread, awaited: &AwaitedThreads| {
            awaited.times(thread).map_or(idle, |times| replayed.lives.idle.grew(times, idle))
        };
        let matters = |idle: Nanos| of.share_of_all(idle) > IDLE.of() && idle >= WORTH.nanos();
        let share_of = |one: &MostlyAwaited| ratio(one.time.0, all.since(asleep).0);
        let is_blamed = |one: &&MostlyAwaited| {
            excuse(one.thread).is_none()
                && share_of(one) > SHARE.of()
                && one.waiters >= WAITERS.whole()
                && of.share(one.time) > LEAST.of()
                && matters(idle_for(one.thread, &replayed.lives.awaited))
        };
        let found = |mut text: Sentence, thread, awaited| {
            add_what_else(&mut text, of, thread);
            let is_for_it = |wait: &&Wait| wait.whose() == Waker::of(Some(thread));
            let longest = of.scope.waits().iter().filter(is_for_it).take(SHOWN);
            let evidence = longest.map(|wait| of.by_thread(wait.thread, wait.from, wait.to, "waits for that thread"));
            let evidence: Vec<_> = evidence.collect();
            Judgement::found(false, text, Stake::of_caps(idle_for(thread, awaited)), evidence)
        };
        let Some(most) = awaited.iter().find(is_blamed) else {
            let behind = &replayed.lives.chains.behind;
            let works = |thread: ThreadId| {
                let place = rows.known_place(thread);
                let did = place.map(|place| replayed.lives.did_until(place, replayed.until)).unwrap_or_default();
                of.share(did.time(Doing::Running).plus(did.time(Doing::Runnable))) > LEAST.of()
            };
            // Who hardly works brings work, and sleeps in between.
            let counts = |thread: ThreadId| excuse(thread) != Some(OF_RUNTIME) && works(thread);
            let most = behind.longest(&counts);
            let any = replayed.lives.chains.behind_any;
            let most = most.filter(|(thread, time)| {
                let is_long = of.share(*time) > QUEUE.of() && ratio(time.0, any.0) > MOST.of();
                is_long && matters(idle_for(*thread, behind))
            });
            if let Some((thread, time)) = most {
                let text = Sentence::new(BEHIND, [of.thread(thread), Value::Duration(time)]);
                return found(text, thread, behind);
            }
            let (count, whom) = (Value::Count(first.waiters), of.thread(first.thread));
            if !are_all_known {
                let time = Value::Duration(first.time);
                return Judgement::fine("Threads wait longest for {}: for {} at least.", [whom, time]);
            }
            let excuse = excuse(first.thread).filter(|_| ratio(first.time.0, all.0) > SHARE.of());
            return Judgement::fine(excuse.unwrap_or("{} [thread waits|threads wait] mostly for {}."), [count, whom]);
        };
        let (count, whom, share) = (Value::Count(most.waiters), of.thread(most.thread), share_of(most));
        let figures = [Value::Duration(most.time), Value::Share(share)];
        let mut text = if are_all_known {
            let words =
                "{} threads wait mostly for {}. They are blocked for {} in all, {} of the time of all blocked threads";
            Sentence::new(words, [count, whom].into_iter().chain(figures))
        } else {
            let words = "Threads wait longest for {}: for {} in all at least, {} of the time of all blocked threads";
            Sentence::new(words, [whom].into_iter().chain(figures))
        };
        text.add(if asleep > Nanos(0) { AWAKE } else { "." }, []);
        found(text, most.thread, &replayed.lives.awaited)
    }
}

/// Says how long collections take meanwhile, and what the thread does that others wait for.
fn add_what_else(text: &mut Sentence, of: &Asked<'_>, thread: ThreadId) {
    if of.facts.gc.share.is_some_and(|share| share > COLLECTIONS.of()) {
        text.add(" Part of that are collections, which take {} of the log.", of.facts.gc.share.map(Value::Share));
    }
    let place = of.scope.model.threads().known_place(thread);
    if let Some((place, replayed)) = place.zip(of.replayed()) {
        let did = replayed.lives.did_until(place, replayed.until);
        let times = [Doing::Running, Doing::Runnable, Doing::Blocked].map(|doing| Value::Duration(did.time(doing)));
        text.add(" Of its own time, that thread runs for {}, waits to run for {}, and is blocked for {}.", times);
    }
}

/// A thread that others mostly wait for.
struct MostlyAwaited {
    /// How long they are blocked, all together.
    time: Nanos,
    waiters: u64,
    thread: ThreadId,
}

/// Whether a thread is blocked for most of its time, and most of that until one of the runtime's own wakes it up: it has nothing to do.
fn waits_for_time(of: &Asked<'_>, thread: ThreadId) -> bool {
    let threads = of.scope.model.threads();
    let Some(place) = threads.known_place(thread) else { return false };
    let whom = of.scope.mostly_waited(place).and_then(|most| threads.get(most.thread?));
    let time = |doing| of.scope.thread(place).map_or(Nanos(0), |did| did.time(doing));
    whom.is_some_and(|whom| threads.is_of_runtime(whom))
        && time(Doing::Blocked) > time(Doing::Running).plus(time(Doing::Runnable))
}

/// Those that the program's threads mostly wait for, of those whose waits are kept: that first which they wait for longest. Who waits once
/// until another one is done, as the main thread does, joins that one: it counts only if others do the same.
fn mostly_awaited(of: &Asked<'_>) -> Vec<MostlyAwaited> {
    let threads = of.scope.model.threads();
    // Whom each waits for, and its place.
    let mut whom: Vec<(u64, u32)> = Vec::new();
    let blocked = |place: usize| of.scope.thread(place).map_or(Nanos(0), |did| did.time(Doing::Blocked));
    for (place, row) in threads.rows().iter().enumerate() {
        let thread = of.scope.mostly_waited(place).and_then(|most| most.thread);
        if let Some(thread) = thread.filter(|_| !threads.is_of_runtime(row)) {
            whom.push((thread.0.into(), place as u32));
        }
    }
    sort_pairs(&mut whom);
    // One wait is most of the time for which these are blocked.
    let is_most = |wait: &&Wait| {
        let place = threads.known_place(wait.thread);
        place.is_some_and(|place| wait.length().0 > blocked(place).0 / 2)
    };
    let once: Vec<Option<usize>> =
        of.scope.waits().iter().filter(is_most).map(|wait| threads.known_place(wait.thread)).collect();
    let of_one = |waiters: &[(u64, u32)]| {
        let thread = ThreadId(waiters.first().map_or(0, |(thread, _)| *thread as u32));
        let waits_once = |place: &u32| once.contains(&Some(*place as usize));
        // To sleep is not to join the timer's thread.
        let is_of_runtime = threads.get(thread).is_some_and(|row| threads.is_of_runtime(row));
        let is_joined = !is_of_runtime && waiters.len() > 1;
        let is_joined = is_joined && waiters.iter().filter(|(_, place)| waits_once(place)).count() == 1;
        let counted = waiters.iter().filter(|(_, place)| !(is_joined && waits_once(place)));
        let none = MostlyAwaited { time: Nanos(0), waiters: 0, thread };
        counted.fold(none, |all, (_, place)| MostlyAwaited {
            time: all.time.plus(blocked(*place as usize)),
            waiters: all.waiters + 1,
            thread,
        })
    };
    let mut all: Vec<_> = whom.chunk_by(|(one, _), (other, _)| one == other).map(of_one).collect();
    sort_by_number(&mut all, |one| !one.time.0);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{MS, Play, finding, stop},
    };

    /// More threads than there is room for, each blocked once, ten at a time, until the same one is done.
    #[test]
    fn the_thread_that_very_many_wait_for_is_named() {
        let turn = |play: Play, at: u64| {
            let ten = |at: u64| (10 + 10 * at..20 + 10 * at).map(|thread| thread as u32);
            let play = ten(at).fold(play, |play, thread| play.run_to(0, thread.into(), 1000, stop::MVAR)).wait(20 * MS);
            let wake_all = |play| ten(at).fold(play, |play: Play, thread| play.wake(0, thread.into())).wait(1000);
            let play = play.run_with(0, 9, wake_all, stop::FOREIGN);
            ten(at).fold(play, |play, thread| play.run_to(0, thread.into(), 1000, stop::FINISHED))
        };
        let found = finding(Awaited::ID, Play::caps(1).each_of(limits::MAX_WAITED as u64 / 5, turn));
        let text = found.text.text(Nanos(0));
        assert!(found.level == Level::Info && text.starts_with("Threads wait longest for thread 9: for "), "{text}");
    }

    /// Two threads wait for a third one, which takes its time.
    fn of(label: &str, length: u64) -> (Level, alloc::string::String) {
        let turn = |play: Play| {
            let play = play.run_to(0, 1, MS, stop::MVAR).run_to(0, 2, MS, stop::MVAR).wait(length);
            play.run_with(0, 9, |play| play.wake(0, 1).wake(0, 2).wait(1000), stop::FOREIGN)
        };
        let found = finding(Awaited::ID, Play::caps(1).text(0, "THREAD_LABEL", Some(9), label).each(20, turn));
        (found.level, found.text.text(Nanos(0)))
    }

    #[test]
    fn the_thread_that_most_others_wait_for_is_named() {
        let (level, text) = of("writer", 20 * MS);
        assert_eq!(level, Level::Info, "{text}");
        assert!(text.starts_with("2 threads wait mostly for thread 9 writer. They are blocked for"), "{text}");
        assert!(
            text.contains("that thread runs for 20.00 µs, waits to run for 0 ns, and is blocked for 0 ns"),
            "{text}"
        );
    }

    #[test]
    fn threads_that_sleep_or_hardly_wait_are_fine() {
        let (level, text) = of("TimerManager", 20 * MS);
        assert_eq!(level, Level::Fine, "{text}");
        assert!(text.ends_with("one of the runtime's own: for time to pass, or for input or output."), "{text}");
        assert_eq!(of("writer", MS / 10).0, Level::Fine);
    }

    /// Three threads sleep, so that they wait for the timer's thread all the time; two others wait for one that takes its time.
    #[test]
    fn those_that_sleep_do_not_hide_who_is_waited_for() {
        let turn = |play: Play| {
            let blocked = [1, 2, 21, 22, 23].iter();
            let play = blocked.fold(play, |play, thread| play.run_to(0, *thread, MS, stop::MVAR));
            let woken = |play: Play, by: u64, threads: &[u64]| {
                let play = play.event(0, "RUN_THREAD", &[("thread", by)]);
                let play = threads.iter().fold(play, |play, thread| play.wake(0, *thread)).wait(1000);
                play.event(0, "STOP_THREAD", &[("thread", by), ("status", stop::FOREIGN), ("info", 0)])
            };
            woken(woken(play.wait(20 * MS), 9, &[1, 2]), 5, &[21, 22, 23])
        };
        let of = |label: &str| {
            let play = Play::caps(1).text(0, "THREAD_LABEL", Some(5), label);
            let found = finding(Awaited::ID, play.each(20, turn));
            (found.level, found.text.text(Nanos(0)))
        };
        for label in ["TimerManager", "IOManager on cap 0"] {
            let (level, text) = of(label);
            assert!(level == Level::Info && text.starts_with("2 threads wait mostly for thread 9. "), "{text}");
            assert!(text.contains(", without those that wait for time to pass, or for input or output."), "{text}");
        }
        assert!(of("writer").1.starts_with("3 threads wait mostly for thread 5 writer. "));
    }

    /// Workers wait for one that brings them work, and sleeps in between; or has to do so much that it seldom does.
    #[test]
    fn who_mostly_sleeps_has_no_work_for_those_that_wait_for_it() {
        let of = |works: u64| {
            let turn = |play: Play| {
                let play =
                    play.run_to(0, 1, MS, stop::MVAR).run_to(0, 2, MS, stop::MVAR).run_to(0, 9, works, stop::MVAR);
                let play = play.wait(20 * MS).run_with(0, 5, |play| play.wake(0, 9).wait(1000), stop::FOREIGN);
                play.run_with(0, 9, |play| play.wake(0, 1).wake(0, 2).wait(1000), stop::YIELDING)
            };
            let play = Play::caps(1).text(0, "THREAD_LABEL", Some(5), "TimerManager").each(20, turn);
            let found = finding(Awaited::ID, play);
            (found.level, found.text.text(Nanos(0)))
        };
        let (level, text) = of(MS);
        assert!(
            level == Level::Fine && text.contains("thread 9, which itself waits mostly for time to pass"),
            "{text}"
        );
        assert_eq!(of(50 * MS).0, Level::Info);
    }

    /// One waits for another again and again, and the main thread, 3, until that one is done. A second one that does so counts.
    #[test]
    fn who_waits_once_for_a_thread_to_be_done_does_not_count() {
        let level = |joining: &[u64]| {
            let turn = |play: Play| {
                let play = play.run_to(0, 1, MS, stop::MVAR).wait(20 * MS);
                play.run_with(0, 9, |play| play.wake(0, 1).wait(1000), stop::FOREIGN)
            };
            let join = |play: Play, thread: &u64| play.run_to(0, *thread, MS, stop::MVAR);
            let play = joining.iter().fold(Play::caps(1), join).each(20, turn);
            let wake_all = |play: Play| joining.iter().fold(play.wait(1000), |play, thread| play.wake(0, *thread));
            let play = play.run_with(0, 9, wake_all, stop::FINISHED);
            let play = joining.iter().fold(play, |play, thread| play.run_to(0, *thread, MS, stop::FINISHED));
            let found = finding(Awaited::ID, play);
            (found.level, found.text.text(Nanos(0)))
        };
        let (one, two) = (level(&[3]), level(&[3, 4]));
        assert_eq!(one, (Level::Fine, "1 thread waits mostly for thread 9.".into()));
        assert!(two.0 == Level::Info && two.1.starts_with("3 threads wait mostly for thread 9."), "{two:?}");
    }

    #[test]
    fn that_collections_are_part_of_it_is_said() {
        let turn = |play: Play| {
            let play = play.run_to(0, 1, MS, stop::MVAR).run_to(0, 2, MS, stop::MVAR).wait(20 * MS).major(0, 10 * MS);
            play.run_with(0, 9, |play| play.wake(0, 1).wake(0, 2).wait(1000), stop::FOREIGN)
        };
        let text = finding(Awaited::ID, Play::caps(1).each(20, turn)).text.text(Nanos(0));
        assert!(text.contains(" Part of that are collections, which take 31.2 % of the log."), "{text}");
    }

    /// Thread 9 has a lock for long, again and again. The others queue for it, and wake each other up.
    #[test]
    fn who_is_waited_for_behind_others_is_named() {
        let of = |label: &str| {
            let pass = |play: Play, from: u64, to: u64, length: u64| {
                play.run_with(0, from, |play| play.wait(length).wake(0, to).wait(1000), stop::FOREIGN)
            };
            let turn = |play: Play| {
                let play = (1..5).fold(play, |play, thread| play.run_to(0, thread, 1000, stop::MVAR));
                let play = (1..4).fold(pass(play, 9, 1, 20 * MS), |play, thread| pass(play, thread, thread + 1, 1000));
                play.run_to(0, 4, 1000, stop::YIELDING)
            };
            finding(Awaited::ID, Play::caps(2).text(0, "THREAD_LABEL", Some(9), label).each(20, turn))
        };
        let found = of("writer");
        let text = found.text.text(Nanos(0));
        assert!(
            text.starts_with("Threads wait for thread 9 writer one behind another, as at a lock: for 1.2"),
            "{text}"
        );
        assert_eq!(found.level, Level::Info);
        assert_eq!(of("TimerManager").level, Level::Fine);
    }

    /// Two threads wait for a third one at first. What is idle is so later, while the main thread sleeps.
    #[test]
    fn idle_time_that_has_nothing_to_do_with_the_waits_does_not_count() {
        let of = |idle: u64| {
            let turn = |play: Play| {
                let play = play.run_to(1, 1, MS, stop::MVAR).run_to(1, 2, MS, stop::MVAR);
                play.run_with(0, 9, |play| play.wait(20 * MS).wake(0, 1).wake(0, 2).wait(1000), stop::FOREIGN)
            };
            let play = Play::caps(2).run_to(1, 3, 1000, stop::MVAR).each(20, turn);
            let play = play.run_to(1, 1, MS, stop::FINISHED).run_to(1, 2, MS, stop::FINISHED).wait(idle);
            finding(Awaited::ID, play.run_with(0, 8, |play| play.wake(0, 3).wait(1000), stop::FINISHED))
        };
        let [short, long] = [100 * MS, 500 * MS].map(|idle| of(idle).stake);
        assert!(short == long && short != Stake::None, "{short:?} and {long:?}");
    }

    /// What a worker waits for is not one thread's to blame.
    #[test]
    fn a_thread_that_waits_for_one_other_is_fine() {
        let turn = |play: Play| {
            let play = play.run_to(0, 1, MS, stop::MVAR).wait(20 * MS);
            play.run_with(0, 9, |play| play.wake(0, 1).wait(1000), stop::FOREIGN)
        };
        assert_eq!(finding(Awaited::ID, Play::caps(1).each(20, turn)).level, Level::Fine);
    }
}
