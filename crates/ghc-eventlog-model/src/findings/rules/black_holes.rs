//! `black-holes`: threads wait for the same values.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Usual, Value, WORTH};
use crate::findings::asked::{decimal, ratio};

pub(super) struct BlackHolesRule;

const IDLE: Limit = Limit::share(
    "idle for that, of all capabilities' time",
    0.05,
    "while the others have work, little is lost: a thread that waits for the value of a spark is usual",
);
const SHARE: Limit = Limit::share(
    "time blocked on black holes, of the time that threads run",
    0.05,
    "a little of it is usual where values are shared",
);
const MUCH: Limit = Limit::share(
    "the same where capabilities are not idle, in a program without sparks",
    0.25,
    "threads that wait so much do not get on, whatever else capabilities do meanwhile",
);

impl Rule for BlackHolesRule {
    const ID: &'static str = "black-holes";
    const TITLE: &'static str = "Threads wait for the same values";
    const FINE: &'static str = "Values that threads share";
    const ABOUT: &'static str = "Threads are blocked on black holes, which are values that another thread is evaluating, for a large part of the time that threads run, and capabilities are idle for that; or for a very large part, whatever capabilities do. In a program with sparks, it is usual to wait for them.";
    const LIMITS: &'static [Limit] = &[SHARE, IDLE, MUCH, WORTH];
    const USUAL: Option<Usual> = Some(Usual {
        figures: &["threads.states_ns.blocked.blocked on black hole"],
        words: "More than {} of the time that threads run is much.",
        limits: &[SHARE],
    });
    const TRY: &'static str = "evaluate shared values (`evaluate`, `force`) before they are shared";
    const NEEDS_REPLAY: bool = true;
    const OF_WAITS: bool = true;
    const EXPLAINS: &'static [&'static str] = &["no-parallelism"];

    fn judge(of: &Asked<'_>) -> Judgement {
        let threads = &of.facts.threads;
        let (Some(blocked), Some(running), Some(replayed)) =
            (threads.blocked_on_black_hole, threads.running, of.replayed())
        else {
            return Judgement::lacks(threads.lacks, "The log does not say what threads did.");
        };
        let share = ratio(blocked.0, running.0);
        let idle = of.spent(&["idle_ns.blocked on black hole"]);
        let of_idle = of.share_of_all(idle);
        let has_sparks = of.facts.sparks.converted > Some(0);
        let (is_idle, is_much) = (of_idle > IDLE.of(), share > MUCH.of() && !has_sparks);
        if share <= SHARE.of() || !(is_idle || is_much) || blocked < WORTH.nanos() {
            return Judgement::fine(
                "Threads wait for values that others are evaluating for {} in all.",
                [Value::Duration(blocked)],
            )
            .within(&[(SHARE, share), (IDLE, of_idle), (WORTH, blocked.0 as f64)]);
        }
        let (words, much) = if share > 1.0 {
            (
                "Threads are blocked on black holes for {}, {} times as long as threads run: they wait for values that others are evaluating.",
                decimal(share),
            )
        } else {
            (
                "Threads are blocked on black holes for {}, {} of the time that threads run: they wait for values that others are evaluating.",
                Value::Share(share),
            )
        };
        let mut text = Sentence::new(words, [Value::Duration(blocked), much]);
        let all = &replayed.lives.contention.pairs;
        let worst = all.iter().max_by_key(|(_, contention)| contention.total);
        // One may have many that wait for it, each for a short time.
        let owner = replayed.lives.evaluating.longest(&|_| true);
        let of_one = worst.map(|(_, contention)| contention.total);
        if let Some((owner, time)) = owner.filter(|(_, time)| Some(*time) > of_one) {
            text.add(" Most of all, they wait for {}: for {} or more.", [of.thread(owner), Value::Duration(time)]);
        } else if let Some(((thread, owner), contention)) = worst {
            let time = Value::Duration(contention.total);
            match owner.thread() {
                Some(owner) => {
                    text.add(" Most of all, {} waits for {}: {}.", [of.thread(*thread), of.thread(owner), time])
                }
                None => text.add(" Most of all, {} waits: {}.", [of.thread(*thread), time]),
            }
        }
        let longest = all.iter().max_by_key(|(_, contention)| contention.longest.1.since(contention.longest.0));
        // It may be the same wait.
        let longest = longest.filter(|(_, longest)| worst.is_none_or(|(_, worst)| worst.longest != longest.longest));
        let evidence = worst.into_iter().chain(longest).map(|((thread, _), contention)| {
            let (from, to) = contention.longest;
            of.by_thread(*thread, from, to, "blocked on a black hole")
        });
        if !is_idle {
            text.add(" Capabilities are hardly idle for that: they run threads meanwhile, or collections go on.", []);
        }
        Judgement::found(is_idle && !has_sparks, text, Stake::of_caps(idle), evidence)
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
    fn threads_that_wait_for_values_are_found() {
        let of_wait = |wait: u64| {
            let play = Play::caps(2).run_for(1, 8, MS, stop::BLACK_HOLE, 7).at(0).run(0, 7, wait).wake(0, 8).run(
                1,
                8,
                50 * MS,
            );
            finding(BlackHolesRule::ID, play)
        };
        let found = of_wait(60 * MS);
        assert_eq!(found.level, Level::Warning);
        let text = found.text.text(ghc_eventlog::Nanos(0));
        assert!(text.ends_with("thread 8 waits for thread 7: 59.00 ms."), "{text}");
        assert_eq!(of_wait(2 * MS).level, Level::Fine);
        // The same while another thread has work for that capability.
        let of_wait = |wait: u64, busy: u64, sparks: bool| {
            let play = Play::caps(2).run_for(1, 8, MS, stop::BLACK_HOLE, 7).run(1, 9, busy).at(0);
            let play = play.run(0, 7, wait).wake(0, 8).at(busy.max(wait) + 2 * MS).run(1, 8, 10 * MS);
            let counters = ["created", "dud", "overflowed", "converted", "gcd", "fizzled", "remaining"];
            let counters = counters.map(|name| (name, u64::from(sparks)));
            let play = play.event(0, "SPARK_COUNTERS", &counters);
            let found = finding(BlackHolesRule::ID, play);
            (found.level, found.text.text(ghc_eventlog::Nanos(0)))
        };
        let (level, text) = of_wait(60 * MS, 59 * MS, false);
        assert_eq!(level, Level::Info, "{text}");
        assert!(text.ends_with("they run threads meanwhile, or collections go on."), "{text}");
        assert_eq!(of_wait(60 * MS, 250 * MS, false).0, Level::Fine);
        assert_eq!(of_wait(60 * MS, 59 * MS, true).0, Level::Fine);
        // Many that wait for one, each for a short time.
        let one_of_many = |play: Play, number: u64| {
            let (begin, thread) = (number * 40 * MS, 10 + number);
            let play = play.at(begin).run_for(1, thread, MS / 10, stop::BLACK_HOLE, 7);
            play.at(begin + 30 * MS).wake(0, thread).run_to(1, thread, MS / 10, stop::FINISHED)
        };
        let play = Play::caps(2).event(0, "RUN_THREAD", &[("thread", 7)]);
        let found = finding(BlackHolesRule::ID, (0..20).fold(play, one_of_many));
        let text = found.text.text(ghc_eventlog::Nanos(0));
        assert!(text.contains("Most of all, they wait for thread 7: for 5"), "{text}");
        assert_eq!(
            finding(BlackHolesRule::ID, Play::caps(1).args("prog +RTS -l-s").collect(0, MS)).level,
            Level::NotApplicable
        );
    }
}
