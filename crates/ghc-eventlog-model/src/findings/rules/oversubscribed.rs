//! `oversubscribed`: more threads could run than there are capabilities.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, WORTH};
use crate::findings::asked::ratio;

pub(super) struct Oversubscribed;

const SHARE: Limit = Limit::share(
    "time in which all capabilities run and more threads could",
    0.20,
    "for a while, every program has more threads than capabilities",
);

const QUEUE: Limit = Limit::number(
    "threads that wait for each capability meanwhile, on average, at least",
    1.0,
    "a parallel program keeps a few ready, so that no capability is idle",
);

impl Rule for Oversubscribed {
    const ID: &'static str = "oversubscribed";
    const TITLE: &'static str = "More threads than capabilities";
    const FINE: &'static str = "Number of threads and capabilities";
    const ABOUT: &'static str =
        "All capabilities run, and more threads could: more capabilities would help, if there are cores for them.";
    const LIMITS: &'static [Limit] = &[SHARE, QUEUE, WORTH];
    const TRY: &'static str = "`-N` with as many capabilities as there are cores, and no more";
    const NEEDS_REPLAY: bool = true;
    const OF_WAITS: bool = true;

    fn judge(of: &Asked<'_>) -> Judgement {
        let threads = &of.facts.threads;
        let (Some(runnable), Some(replayed)) = (threads.runnable, of.replayed()) else {
            return Judgement::lacks(threads.lacks, "The log does not say what threads did.");
        };
        if of.known().stores.process.is_single() {
            return Judgement::not_applicable("The program was built without -threaded, so it has one capability.");
        }
        let account = &replayed.account;
        let share = of.share(account.all_ran_and_more);
        let caps = of.enabled();
        let queue = ratio(runnable.0, account.all_ran_and_more.0.saturating_mul(caps));
        if share <= SHARE.of() || queue < QUEUE.of() || account.all_ran_and_more < WORTH.nanos() {
            return Judgement::fine(
                "For {} of the time, all capabilities run and more threads could.",
                [Value::Share(share)],
            )
            .within(&[(SHARE, share), (QUEUE, queue), (WORTH, account.all_ran_and_more.0 as f64)]);
        }
        let text = Sentence::new(
            "For {} of the time ({}), all capabilities run and more threads could: threads wait for {} in all.",
            [Value::Share(share), Value::Duration(account.all_ran_and_more), Value::Duration(runnable)],
        );
        let evidence = of.scope.evidence(account.longest_and_more, "all capabilities run, and more threads could");
        // What one capability more could run.
        Judgement::found(false, text, Stake::of_caps(account.all_ran_and_more), [evidence])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{MS, Play, finding},
    };

    #[test]
    fn threads_that_wait_for_capabilities_are_found() {
        let turns = |other: bool| {
            Play::caps(1).each(20, |play| {
                let play = play.run(0, 7, 5 * MS);
                if other { play.run(0, 8, 5 * MS) } else { play }
            })
        };
        let level = |play: Play| finding(Oversubscribed::ID, play).level;
        assert_eq!([level(turns(true)), level(turns(false))], [Level::Info, Level::Fine]);
        assert_eq!(level(Play::caps(1).args("prog +RTS -l-s").collect(0, MS)), Level::NotApplicable);
    }
}
