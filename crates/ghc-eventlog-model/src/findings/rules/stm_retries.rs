//! `stm-retries`: transactions wake up many threads, which block again.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value};
use crate::{
    findings::asked::{decimal, ratio},
    keeping::crossing::cells::REASONS,
};
use ghc_eventlog::{Nanos, StopReason, ThreadWakeup};

pub(super) struct StmRetries;

const WAITS: Limit = Limit::number("waits in STM", 100.0, "of fewer it is not known what is usual");
const EACH: Limit = Limit::number(
    "wake-ups for each wait of a thread",
    3.0,
    "usually there is about one: a thread that has been woken up runs before it can be woken up again",
);
const RATE: Limit = Limit::number("wake-ups a second", 10_000.0, "fewer cost some milliseconds of each second");
const GRAVE: Limit = Limit::number("wake-ups a second, warning", 100_000.0, "each takes about a microsecond or more");
const BLOCKED: Limit = Limit::share(
    "waits in STM, of all waits",
    0.10,
    "whoever waits for anything else is woken up once: fewer waits in STM do not explain the wake-ups",
);

impl Rule for StmRetries {
    const ID: &'static str = "stm-retries";
    const TITLE: &'static str = "Transactions wake up many threads";
    const FINE: &'static str = "Wake-ups by transactions";
    const ABOUT: &'static str = "Threads are blocked in STM, and are woken up far more often than they wait: each transaction that changes a variable wakes up all threads that have read it, most of which find nothing to do and block again.";
    const LIMITS: &'static [Limit] = &[WAITS, EACH, RATE, GRAVE, BLOCKED];
    const TRY: &'static str = "one variable for each thread that waits (`TVar`, `TMVar`) in place of one that all read; an `MVar`, which wakes up one thread; fewer threads that wait";
    const NEEDS_REPLAY: bool = true;
    const OF_WAITS: bool = true;

    fn judge(of: &Asked<'_>) -> Judgement {
        let threads = &of.facts.threads;
        let (Some(blocked), Some(replayed)) = (threads.blocked_in_stm, of.replayed()) else {
            return Judgement::lacks(threads.lacks, "The log does not say what threads did.");
        };
        let place = REASONS.iter().position(|reason| *reason == StopReason::BlockedOnStm);
        let waits = place.and_then(|place| replayed.lives.waits_for.get(place)).copied().unwrap_or_default();
        if blocked == Nanos(0) {
            return Judgement::not_applicable("No thread was blocked in STM.");
        }
        let wakeups = of.scope.events(&[ThreadWakeup::TAG]);
        let (each, rate) = (ratio(wakeups, replayed.lives.all_waits), ratio(wakeups, of.extent().0) * 1e9);
        let share = ratio(waits, replayed.lives.all_waits);
        if waits as f64 <= WAITS.of() || each <= EACH.of() || rate <= RATE.of() || share <= BLOCKED.of() {
            let words = "Threads are blocked in STM {} [time|times]; threads are woken up {} [time|times].";
            return Judgement::fine(words, [waits, wakeups].map(Value::Count)).within(&[
                (WAITS, waits as f64),
                (EACH, each),
                (RATE, rate),
                (BLOCKED, share),
            ]);
        }
        let text = Sentence::new(
            "Threads are woken up {} times, {} times for each time that they wait; {} of the waits are in STM, {} in all. Each transaction that changes a variable wakes up all threads that have read it.",
            [Value::Count(wakeups), decimal(each), Value::Share(share), Value::Duration(blocked)],
        );
        let longest = replayed.lives.waits().find(|wait| wait.reason == StopReason::BlockedOnStm);
        let evidence = longest.map(|wait| of.by_thread(wait.thread, wait.from, wait.to, "blocked in STM"));
        Judgement::found(rate > GRAVE.of(), text, Stake::None, evidence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{MS, Play, finding, stop},
    };

    const IN_STM: u64 = 12;

    /// Thread 8 waits in STM, and is woken up so many times before it runs.
    fn level(wakeups: u64, wait: u64) -> Level {
        let turn = |play: Play| {
            let wake = |play: Play| play.wait(1000).each(wakeups, |play| play.wake(0, 8).wait(100));
            play.run_to(1, 8, 1000, IN_STM).run_with(0, 7, wake, stop::YIELDING).wait(wait)
        };
        finding(StmRetries::ID, Play::caps(2).each(200, turn)).level
    }

    #[test]
    fn many_wake_ups_for_each_wait_are_found() {
        assert_eq!([level(50, 0), level(50, MS)], [Level::Warning, Level::Info]);
    }

    #[test]
    fn one_wake_up_for_each_wait_is_fine() {
        assert_eq!([level(1, 0), level(50, 9 * MS)], [Level::Fine; 2]);
    }

    #[test]
    fn without_transactions_it_does_not_apply() {
        assert_eq!(finding(StmRetries::ID, Play::caps(2).run(0, 7, MS)).level, Level::NotApplicable);
        let lacks = Play::caps(1).args("prog +RTS -l-s").collect(0, MS);
        assert_eq!(finding(StmRetries::ID, lacks).level, Level::NotApplicable);
    }
}
