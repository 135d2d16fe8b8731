//! `wake-latency`: woken threads do not get a capability although there is one.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Usual, Value, WORTH};
use ghc_eventlog::Nanos;

pub(super) struct WakeLatency;

const LATENCY: Limit = Limit::time(
    "from wake-up to run, 99th percentile",
    Nanos(20_000_000),
    "usually it takes microseconds; a busy machine may take a time slice or two of the operating system",
);
const COUNT: Limit = Limit::number("runs after wake-ups", 100.0, "of fewer, the 99th percentile is the longest one");
const IDLE: Limit = Limit::share(
    "idle while threads could run, of all capabilities' time",
    0.10,
    "else no capability was free, and they had to wait",
);
const RUNNABLE: [&str; 2] = ["idle_ns.runnable here", "idle_ns.runnable elsewhere"];

impl Rule for WakeLatency {
    const ID: &'static str = "wake-latency";
    const TITLE: &'static str = "Woken threads wait to run";
    const FINE: &'static str = "Time from wake-up to run";
    const ABOUT: &'static str = "Threads that were woken up wait long until they run, although capabilities are idle.";
    const LIMITS: &'static [Limit] = &[LATENCY, COUNT, IDLE, WORTH];
    const USUAL: Option<Usual> = Some(Usual {
        figures: &["threads.latency_ns.p95", "threads.latency_ns.max"],
        words: "While capabilities are free, it is usually far less than {}.",
        limits: &[LATENCY],
    });
    const TRY: &'static str =
        "fewer capabilities (`-N`), a shorter time slice (`-C`), or no `forkOn` for threads that could run elsewhere";
    const NEEDS_REPLAY: bool = true;
    const OF_WAITS: bool = true;

    fn judge(of: &Asked<'_>) -> Judgement {
        let threads = &of.facts.threads;
        let Some(replayed) = of.replayed().filter(|_| of.account.is_some()) else {
            return Judgement::lacks(threads.lacks, "The log does not say what threads did.");
        };
        let latency = replayed.lives.latency.at(99).map(Nanos);
        let Some(latency) = latency.filter(|_| replayed.lives.latency.count() >= COUNT.whole()) else {
            return Judgement::not_applicable("Threads were hardly ever woken up.");
        };
        let idle = of.spent(&RUNNABLE);
        let share = of.share_of_all(idle);
        if latency <= LATENCY.nanos() || share <= IDLE.of() || idle < WORTH.nanos() {
            return Judgement::fine("99 % of woken threads run within {}.", [Value::Duration(latency)]).within(&[
                (LATENCY, latency.0 as f64),
                (IDLE, share),
                (WORTH, idle.0 as f64),
            ]);
        }
        let text = Sentence::new(
            "One in a hundred threads that are woken up waits longer than {} before it runs. Meanwhile capabilities are idle: for {} in all, although threads could run.",
            [Value::Duration(latency), Value::Duration(idle)],
        );
        Judgement::found(true, text, Stake::of_caps(idle), of.longest_of(&RUNNABLE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{MS, Play, finding, stop},
    };

    #[test]
    fn threads_that_wait_beside_idle_capabilities_are_found() {
        let level = |times, wait: u64| {
            let turn = |play: Play| play.run(0, 7, MS).wake(0, 8).wait(wait).run_to(1, 8, MS, stop::MVAR);
            finding(WakeLatency::ID, Play::caps(2).run_to(1, 8, MS, stop::MVAR).each(times, turn)).level
        };
        assert_eq!(
            [level(200, 40 * MS), level(200, MS / 10), level(20, 40 * MS)],
            [Level::Warning, Level::Fine, Level::NotApplicable]
        );
    }
}
