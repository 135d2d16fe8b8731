//! `gc-slow-sync`: capabilities take long to stop for collections.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Usual, Value, WORTH};
use crate::{sorting::sort_by_number, terms::span::Collection};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

pub(super) struct GcSlowSync;

const SLOW: Limit = Limit::time(
    "from the request to the begin",
    Nanos(1_000_000),
    "usually it takes some ten microseconds; `--long-gc-sync` tells of the same",
);
const SUM: Limit = Limit::share("all slow waits, of the time", 0.01, "less is not worth a change");
const GRAVE: Limit =
    Limit::share("all slow waits, of the time, warning", 0.03, "all capabilities stand still meanwhile");
const LONGEST: Limit = Limit::time(
    "the longest wait, warning",
    Nanos(30_000_000),
    "longer than what the operating system's scheduler explains",
);
const COUNT: Limit = Limit::number("slow waits, warning", 2.0, "a single one may have many causes");
const SHOWN: usize = 5;

impl Rule for GcSlowSync {
    const ID: &'static str = "gc-slow-sync";
    const TITLE: &'static str = "Slow to stop for collections";
    const ABOUT: &'static str = "It takes long from the request for a collection until all capabilities have stopped and it begins: one of them runs on, and the others wait.";
    const LIMITS: &'static [Limit] = &[SLOW, SUM, GRAVE, LONGEST, COUNT, WORTH];
    const USUAL: Option<Usual> = Some(Usual {
        figures: &["gc.wait_ns", "caps.gc_sync_ns"],
        words: "Before a collection, capabilities usually stop within {}.",
        limits: &[SLOW],
    });
    const TRY: &'static str = "a `safe` foreign call in place of an `unsafe` one that takes long; `-fno-omit-yields` for a loop that does not allocate";
    const EXPLAINS: &'static [&'static str] = &["gc-share", "no-parallelism"];

    fn judge(of: &Asked<'_>) -> Judgement {
        if of.facts.gc.elapsed.is_none() {
            return Judgement::lacks(of.facts.gc.lacks, "The log has no collections.");
        }
        if of.facts.gc.waited.is_none() || of.facts.caps.count < 2 {
            return Judgement::not_applicable(
                "There is one capability only, or the runtime does not tell when collections are requested.",
            );
        }
        let waited = |gc: &Collection| gc.waited().unwrap_or_default();
        let mut slow: Vec<Collection> =
            of.collections().iter().filter(|gc| waited(gc) > SLOW.nanos()).copied().collect();
        sort_by_number(&mut slow, |gc| !waited(gc).0);
        let sum = slow.iter().map(waited).fold(Nanos(0), Nanos::plus);
        let longest = slow.first().map(waited).unwrap_or_default();
        let is_long = of.share(sum) > GRAVE.of() && sum > WORTH.nanos() || longest > LONGEST.nanos();
        if !is_long && (of.share(sum) <= SUM.of() || sum < WORTH.nanos()) {
            let most = of.collections().iter().map(waited).max().unwrap_or_default();
            return Judgement::fine("All capabilities stop for a collection within {}.", [Value::Duration(most)]);
        }
        let all = of.collections().len() as u64;
        let counts = [slow.len() as u64, all].map(Value::Count);
        let values = counts.into_iter().chain([SLOW.nanos(), longest, sum].map(Value::Duration));
        let mut text = Sentence::new(
            "Before {} of {} collections, it took longer than {} until all capabilities had stopped: {} at most, {} in all.",
            values,
        );
        // Whoever stopped last before the slow ones.
        let known = of.known();
        let mut last: Vec<_> = slow
            .iter()
            .filter_map(|gc| known.last_to_stop(gc).map(|stop| (stop.thread, stop.cap, waited(gc))))
            .collect();
        sort_by_number(&mut last, |(thread, ..)| thread.0.into());
        let of_one = last.chunk_by(|one, other| one.0 == other.0);
        let most = of_one.max_by_key(|of_one| of_one.iter().map(|(.., time)| time.0).sum::<u64>());
        if let Some([(thread, ..), ..]) = most {
            let times = most.map_or(0, <[_]>::len) as u64;
            match times {
                1 => text.add(" Longest of all they waited for {} (once).", [of.thread(*thread)]),
                _ => text
                    .add(" Longest of all they waited for {} ({} times).", [of.thread(*thread), Value::Count(times)]),
            }
        }
        let evidence = slow.iter().take(SHOWN).filter_map(|gc| {
            let stop = known.last_to_stop(gc);
            let from = gc.requested?.time();
            let cap = stop.map(|stop| stop.cap).or(gc.cap)?;
            Some(of.on_cap(cap, from, gc.start, "waiting for this capability to stop").by(stop.map(|stop| stop.thread)))
        });
        let evidence: Vec<_> = evidence.collect();
        // All wait but the one that runs on.
        let stake = Stake::of_caps(Nanos(sum.0.saturating_mul(of.facts.caps.count - 1)));
        Judgement::found(is_long && slow.len() as u64 >= COUNT.whole(), text, stake, evidence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{Gc, MS, Play, finding},
    };
    use ghc_eventlog::ThreadId;

    /// Capability 1 runs on while capability 0 waits for it.
    fn one(play: Play, wait: u64) -> Play {
        let play = play.run(0, 7, 5 * MS);
        let from = play.now();
        let play = play.at(from - 2 * MS).run(1, 8, 2 * MS + wait).at(from);
        play.gc(0, Gc { wait: wait + 1000, ..Gc::MINOR })
    }

    #[test]
    fn slow_stops_are_found_with_who_stopped_last() {
        let found = finding(GcSlowSync::ID, Play::caps(2).each(20, |play| one(play, 4 * MS)));
        assert_eq!(found.level, Level::Warning);
        assert!(found.text.text(Nanos(0)).contains("waited for thread 8 (20 times)"), "{}", found.text.text(Nanos(0)));
        assert_eq!((found.evidence.len(), found.evidence[0].thread), (SHOWN, Some(ThreadId(8))));
        let long =
            |times| finding(GcSlowSync::ID, Play::caps(2).each(times, |play| one(play, 50 * MS)).run(0, 7, 9000 * MS));
        assert_eq!([long(2).level, long(1).level], [Level::Warning, Level::Info]);
    }

    #[test]
    fn quick_stops_are_fine() {
        assert_eq!(finding(GcSlowSync::ID, Play::caps(2).each(20, |play| one(play, MS / 2))).level, Level::Fine);
    }

    #[test]
    fn one_capability_waits_for_none() {
        assert_eq!(finding(GcSlowSync::ID, Play::caps(1).run(0, 7, MS).collect(0, MS)).level, Level::NotApplicable);
    }
}
