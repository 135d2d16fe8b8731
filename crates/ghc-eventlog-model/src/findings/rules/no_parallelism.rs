//! `no-parallelism`: several capabilities, of which one runs at a time.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, WORTH, one_cap};
use crate::{findings::asked::decimal, findings::asked::ratio};
use ghc_eventlog::Nanos;

pub(super) struct NoParallelism;

const MEAN: Limit =
    Limit::number("capabilities that run, while any does, on average", 1.05, "more than one hardly ever runs");
const BUSY: Limit =
    Limit::share("time in which any runs", 0.25, "a program that mostly waits has nothing to run in parallel");
const COST: Limit = Limit::share(
    "wait in and for collections, of the capabilities' time, warning",
    0.02,
    "what several capabilities cost where they bring nothing",
);
const LEAST: Limit =
    Limit::time("time in which any runs, at least", Nanos(100_000_000), "a short program has little to run");

impl Rule for NoParallelism {
    const ID: &'static str = "no-parallelism";
    const TITLE: &'static str = "No parallelism";
    const FINE: &'static str = "Parallelism";
    const ABOUT: &'static str = "There are several capabilities, but hardly ever does more than one run: the others only take part in collections.";
    const LIMITS: &'static [Limit] = &[MEAN, BUSY, COST, LEAST, WORTH];
    const TRY: &'static str =
        "`-N1` for what is sequential; at least `-qg`: no parallel collections; a look at what blocks the threads";
    const NEEDS_REPLAY: bool = true;

    fn judge(of: &Asked<'_>) -> Judgement {
        let Some(replayed) = of.replayed().filter(|_| of.account.as_ref().is_some_and(|account| account.caps > 1))
        else {
            return Judgement::not_applicable("There is one capability only, or the log does not tell when they ran.");
        };
        if let Some(one) = one_cap(of) {
            return one;
        }
        let caps = Value::Count(of.enabled());
        let any = replayed.account.any_ran;
        let running = of.facts.caps.running.unwrap_or_default();
        let mean = ratio(running.0, any.0);
        if mean > MEAN.of() {
            return Judgement::fine(
                "While threads run, {} of {} capabilities run one on average.",
                [decimal(mean), caps],
            );
        }
        if of.share(any) < BUSY.of() || any < LEAST.nanos() {
            return Judgement::fine(
                "Threads run for {} only: more than one capability would bring little.",
                [Value::Duration(any)],
            );
        }
        let text = Sentence::new(
            "While any capability runs, {} of {} do on average: the others bring nothing here.",
            [decimal(mean), caps],
        );
        // What several cost: collections wait for all of them.
        // Longer waits have other causes, of which `gc-slow-sync` tells.
        let sync = of.spent(&["gc_sync_ns"]).min(of.spent(&["gc_ns"]));
        let cost = of.spent(&["gc_wait_ns"]).plus(sync);
        let longest = of.longest_of(&["running_ns"]);
        let stake = if cost >= WORTH.nanos() { Stake::of_caps(cost) } else { Stake::None };
        Judgement::found(of.share_of_all(cost) > COST.of(), text, stake, longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{Gc, MS, Play, finding},
    };

    /// Seven of eight are disabled for most of the log: none of them could run, nor does any stop for a collection.
    #[test]
    fn disabled_capabilities_do_not_count() {
        let found = |is_disabled: bool| {
            let disable = |play: Play, at: u64| play.global("CAP_DISABLE", &[("cap", at + 1)]);
            let play = Play::caps(8).heap_info(1 << 20, 0);
            let play = if is_disabled { play.each_of(7, disable) } else { play };
            let turn = |play: Play, at: u64| play.run(0, 7, 4 * MS).collect(0, MS).bytes(0, "HEAP_ALLOCATED", at << 20);
            let found = crate::findings::testing::findings(play.each_of(100, turn));
            ["no-parallelism", "one-thread", "gc-small-nursery", "gc-nursery-unused"].map(|id| {
                let finding = found.get(id).unwrap();
                (finding.level, finding.text.text(Nanos(0)))
            })
        };
        let (with, without) = (found(true), found(false));
        assert!(with.iter().all(|(level, _)| *level == Level::NotApplicable), "{with:?}");
        assert!(without.iter().all(|(level, _)| level.is_found()), "{without:?}");
    }

    #[test]
    fn one_that_runs_at_a_time_is_found() {
        let level = |play: Play| finding(NoParallelism::ID, play).level;
        assert_eq!(level(Play::caps(2).each(20, |play| play.run(0, 7, 9 * MS).run(1, 8, MS))), Level::Info);
        let gc = Gc { threads: 2, length: 3 * MS, late: MS, ..Gc::MINOR };
        assert_eq!(level(Play::caps(2).each(20, |play| play.run(0, 7, 9 * MS).gc(0, gc).wait(MS))), Level::Warning);
        assert_eq!(level(Play::caps(2).each(20, |play| play.run_all(&[7, 8], 9 * MS))), Level::Fine);
        assert_eq!(level(Play::caps(2).each(20, |play| play.run(0, 7, 9 * MS).wait(90 * MS))), Level::Fine);
        assert_eq!(level(Play::caps(1).run(0, 7, 900 * MS)), Level::NotApplicable);
    }
}
