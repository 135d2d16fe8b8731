//! `gc-idle`: the runtime collects when the program has nothing to do.

use super::{Asked, Judgement, Limit, Rule, Sentence, Value, WORTH};
use crate::{
    limits,
    terms::span::{Collection, Moment},
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

pub(super) struct GcIdle;

const COUNT: Limit = Limit::number("such collections", 3.0, "fewer may have other reasons");
const QUIET: Limit = Limit::time("idle before", limits::QUIET, "by default the runtime collects after 0.3 s");
const AFTER: Limit = Limit::time(
    "from the end of the idle time to the begin",
    limits::QUIET_BEFORE,
    "what comes later has another reason",
);
const GRAVE: Limit =
    Limit::share("their share of the time, warning", 0.01, "a request that comes meanwhile has to wait");
const SHOWN: usize = 5;

impl Rule for GcIdle {
    const ID: &'static str = "gc-idle";
    const TITLE: &'static str = "Idle collections";
    const FINE: &'static str = "Collections while idle";
    const ABOUT: &'static str = "Major collections follow idle time of all capabilities: the runtime uses that time to collect, often for nothing.";
    const LIMITS: &'static [Limit] = &[COUNT, QUIET, AFTER, GRAVE, WORTH];
    const TRY: &'static str = "`-I0` (no idle collections) or `-Iw60` (one a minute at most): finalizers run, and deadlocks are detected, later then|`-I0` (no idle collections): finalizers run, and deadlocks are detected, later then";
    const NEEDS_REPLAY: bool = true;
    const EXPLAINS: &'static [&'static str] = &["gc-share", "gc-long-pause"];

    fn judge(of: &Asked<'_>) -> Judgement {
        if of.facts.gc.elapsed.is_none() {
            return Judgement::lacks(of.facts.gc.lacks, "The log has no collections.");
        }
        let Some(account) = of.replayed().map(|replayed| &replayed.account) else {
            return Judgement::not_applicable("The log does not tell when capabilities were idle.");
        };
        let follows_rest = |gc: &&Collection| {
            let begin = gc.requested.map_or(gc.start, Moment::time);
            let before = account.quiet.within(0, begin.since(AFTER.nanos()), begin.plus(Nanos(1)));
            of.is_major(gc) && before.filter(|(_, to)| *to <= begin).count() > 0
        };
        let idle: Vec<Collection> = of.collections().iter().filter(follows_rest).copied().collect();
        let sum = idle.iter().map(Collection::elapsed).fold(Nanos(0), Nanos::plus);
        if (idle.len() as u64) < COUNT.whole() {
            let words = match idle.len() {
                0 => "No major collection follows idle time of all capabilities.",
                1 => "{} major collection follows idle time of all capabilities.",
                _ => "{} major collections follow idle time of all capabilities.",
            };
            let count = Some(idle.len() as u64).filter(|count| *count > 0);
            let mut text = Sentence::new(words, count.map(Value::Count));
            of.add_kept(&mut text);
            return Judgement::Fine(text);
        }
        // As many as are not kept took as long as those that are, as far as anyone knows.
        let (kept, all) = (idle.len() as u64, account.quiet_count);
        let estimate = if account.quiet.lost_some() { Nanos(sum.0 / kept * all.max(kept)) } else { sum };
        let mut text = Sentence::new(
            "After all capabilities had been idle, the runtime collected {} [time|times]: for {} in all. It does that whether there is anything to free or not.",
            [Value::Count(kept), Value::Duration(sum)],
        );
        if account.quiet.lost_some() {
            text.add(" Not all idle times are kept: there are more.", []);
        }
        of.add_kept(&mut text);
        let is_grave = of.share(estimate) > GRAVE.of() && estimate > WORTH.nanos();
        Judgement::found(is_grave, text, of.stop_of_all(sum), idle.iter().take(SHOWN).map(|gc| of.pause(gc)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        findings::{
            Level,
            testing::{MS, Play, finding},
        },
        limits,
    };

    #[test]
    fn collections_after_idle_time_are_found() {
        let level = |times, rest: u64, length| {
            let play = Play::caps(2).each(times, |play| play.run(0, 7, MS).wait(rest).major(0, length).wait(100 * MS));
            finding(GcIdle::ID, play).level
        };
        assert_eq!(level(4, 300 * MS, 20 * MS), Level::Warning);
        assert_eq!(level(4, 300 * MS, MS), Level::Info);
        assert_eq!([level(2, 300 * MS, MS), level(4, 100 * MS, MS)], [Level::Fine; 2]);
    }

    /// There is no room for all idle times, which are equally long.
    #[test]
    fn any_number_of_them_is_found() {
        let turn = |play: Play, _| play.run(0, 7, 1000).wait(300 * MS).major(0, MS).wait(1000);
        let found = finding(GcIdle::ID, Play::caps(1).each_of(limits::MAX_QUIET as u64 + 10, turn));
        let text = found.text.text(Nanos(0));
        assert!(found.level == Level::Info && text.ends_with("Not all idle times are kept: there are more."), "{text}");
    }

    /// Idle times without a collection do not take the place of those with one, however long they are.
    #[test]
    fn longer_idle_times_without_a_collection_hide_none() {
        let turn = |play: Play, _| play.run(0, 7, 1000).wait(300 * MS).major(0, 30 * MS).run(0, 7, 1000).wait(700 * MS);
        for times in [10, 3 * limits::MAX_QUIET as u64] {
            let found = finding(GcIdle::ID, Play::caps(1).each_of(times, turn));
            assert_eq!(found.level, Level::Warning, "{times}: {}", found.text.text(Nanos(0)));
        }
    }

    #[test]
    fn without_collections_it_does_not_apply() {
        assert_eq!(finding(GcIdle::ID, Play::caps(1).args("prog +RTS -l-g").run(0, 7, MS)).level, Level::NotApplicable);
    }
}
