//! `lock-chains`: threads hand each other one lock.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, WORTH};
use crate::findings::asked::ratio;
use ghc_eventlog::Nanos;

pub(super) struct LockChains;

const LENGTH: Limit = Limit::share("a chain of waits, of the log", 0.25, "now and then threads meet at a lock");
const WAITS: Limit = Limit::number("waits in the chain", 8.0, "a few stages that wait for each other are a pipeline");
const QUEUED: Limit = Limit::share(
    "time that threads wait in chains, of the time that they run, warning",
    0.50,
    "threads wait more than half as long as they run",
);

impl Rule for LockChains {
    const ID: &'static str = "lock-chains";
    const TITLE: &'static str = "Threads queue for a lock";
    const FINE: &'static str = "Waiting at locks";
    const ABOUT: &'static str = "For a large part of the log, each thread that gets an MVar was waiting for one that was itself waiting: they hand each other one lock, or several. Who has it may sleep meanwhile, or wait for input or output. A thread that waits for others to be done waits for no lock, and the time of collections is nobody's.";
    const LIMITS: &'static [Limit] = &[LENGTH, WAITS, QUEUED, WORTH];
    const TRY: &'static str = "hold the lock for less long, above all not while it waits for input or output; split what it protects (one lock for each part, `atomicModifyIORef'`, STM)";
    const NEEDS_REPLAY: bool = true;
    const OF_WAITS: bool = true;
    const EXPLAINS: &'static [&'static str] = &["no-parallelism"];

    fn judge(of: &Asked<'_>) -> Judgement {
        let threads = &of.facts.threads;
        let (Some(running), Some(replayed)) = (threads.running, of.replayed()) else {
            return Judgement::lacks(threads.lacks, "The log does not say what threads did.");
        };
        let (chain, queued) = (replayed.lives.chains.longest, replayed.lives.chains.queued);
        let share = of.share(chain.length());
        if share <= LENGTH.of() || u64::from(chain.waits) < WAITS.whole() || chain.length() < WORTH.nanos() {
            if chain.waits == 0 {
                return Judgement::fine("No threads hand each other a lock.", []);
            }
            let words = "Threads take turns as at one lock for {} at most.";
            return Judgement::fine(words, [Value::Duration(chain.length())])
                .within(&[(LENGTH, share), (WORTH, chain.length().0 as f64)]);
        }
        let mut text = Sentence::new(
            "For {} ({} of the log), threads take turns as at one lock: {} times in a row, one gets an MVar from a thread that had to wait itself. At least {} threads take part.",
            [
                Value::Duration(chain.length()),
                Value::Share(share),
                Value::Count(chain.waits.into()),
                Value::Count(chain.threads()),
            ],
        );
        let kept = chain.kept;
        let values = [of.thread(kept.by), Value::Duration(kept.length())];
        text.add(" Of them, {} keeps the next one waiting longest: for {}", values);
        let without = if kept.paused > Nanos(0) { ", the time of collections left out." } else { "." };
        text.add(without, []);
        text.add(
            " In all, threads queue like that for {}, and run for {}.",
            [Value::Duration(queued), Value::Duration(running)],
        );
        let idle = of.spent(&["idle_ns.blocked on an MVar"]);
        if of.known().stores.collections.is_capped() {
            text.add(" There are too many collections to keep all: the time of the others is part of that.", []);
        }
        let kept = of.by_thread(kept.by, kept.from, kept.to, "kept the next one waiting");
        let all = of.by_thread(chain.thread, chain.from, chain.to, "a chain of waits for an MVar");
        let is_grave = ratio(queued.0, running.0) > QUEUED.of();
        Judgement::found(is_grave, text, Stake::of_caps(idle), [kept, all])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{MS, Play, finding, stop},
    };

    /// Three threads on two capabilities, of which two wait at any time.
    #[test]
    fn threads_that_hand_each_other_a_lock_are_found() {
        let turn = |play: Play, at: u64| {
            let (holds, next) = (at % 3 + 1, (at + 1) % 3 + 1);
            play.run_with(0, holds, |play| play.wait(10 * MS).wake(0, next).wait(1000), stop::MVAR)
        };
        let with = |collections: u64| {
            let begin = (1..4).fold(Play::caps(2), |play, thread| play.run_to(0, thread, 1000, stop::MVAR));
            let play = begin.each_of(30, turn).each(collections, |play| play.collect(0, 10));
            finding(LockChains::ID, play)
        };
        let found = with(1);
        assert_eq!(found.level, Level::Warning, "{found:?}");
        // The time of collections is left out, as far as they are kept.
        let says_some_are_not_kept = |found: &crate::findings::Finding| {
            found.text.text(Nanos(0)).contains(" There are too many collections to keep all: ")
        };
        let of_many = with(crate::limits::MAX_COLLECTIONS as u64 + 1);
        assert_eq!([&found, &of_many].map(says_some_are_not_kept), [false, true]);
    }

    /// Threads that sleep are woken up by the runtime's timer thread, 90.
    fn asleep(play: Play, thread: u64, time: u64) -> Play {
        let play = play.run_to(0, thread, 1000, stop::MVAR).wait(time);
        play.run_with(1, 90, |play| play.wake(1, thread).wait(1000), stop::FOREIGN)
    }

    /// Who has the lock sleeps, and hands it on: nobody computes.
    #[test]
    fn a_lock_that_is_held_while_its_holder_sleeps_is_found() {
        let turn = |play: Play, at: u64| {
            let (holds, next) = (at % 3 + 1, (at + 1) % 3 + 1);
            asleep(play, holds, 10 * MS).run_with(0, holds, |play| play.wake(0, next).wait(1000), stop::MVAR)
        };
        let play = Play::caps(2).text(1, "THREAD_LABEL", Some(90), "TimerManager");
        let begin = (1..4).fold(play, |play, thread| play.run_to(0, thread, 1000, stop::MVAR));
        let found = finding(LockChains::ID, begin.each_of(30, turn));
        assert_eq!(found.level, Level::Warning, "{found:?}");
        assert!(found.text.text(Nanos(0)).contains("At least 3 threads take part."), "{found:?}");
        assert!(found.evidence.iter().all(|evidence| evidence.length().0 >= 10 * MS), "{found:?}");
    }

    /// Workers wait for work, which a thread brings that sleeps in between.
    #[test]
    fn workers_that_wait_for_work_are_fine() {
        let turn = |play: Play, at: u64| {
            let worker = at % 3 + 1;
            let play = asleep(play, 7, 10 * MS);
            let play = play.run_with(0, 7, |play| play.wake(0, worker).wait(1000), stop::YIELDING);
            play.run_to(1, worker, MS, stop::MVAR)
        };
        let play = Play::caps(2).text(1, "THREAD_LABEL", Some(90), "TimerManager");
        let begin = (1..4).fold(play, |play, worker| play.run_to(1, worker, 1000, stop::MVAR));
        assert_eq!(finding(LockChains::ID, begin.each_of(30, turn)).level, Level::Fine);
    }

    #[test]
    fn a_thread_that_waits_for_results_is_fine() {
        let turn = |play: Play| {
            let play = play.run_to(0, 1, MS, stop::MVAR);
            play.run_with(1, 2, |play| play.wait(10 * MS).wake(1, 1).wait(1000), stop::YIELDING)
        };
        assert_eq!(finding(LockChains::ID, Play::caps(2).each(30, turn)).level, Level::Fine);
    }

    #[test]
    fn without_threads_it_does_not_apply() {
        assert_eq!(
            finding(LockChains::ID, Play::caps(1).args("prog +RTS -l-s").collect(0, MS)).level,
            Level::NotApplicable
        );
    }
}
