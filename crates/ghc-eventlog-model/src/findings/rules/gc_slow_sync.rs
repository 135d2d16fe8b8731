//! `gc-slow-sync`: capabilities take long to stop for collections.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Usual, Value, WORTH};
use crate::{
    findings::asked::ratio,
    keeping::{
        crossing::stops::{LastStop, LateFor},
        long_ones::LongOnes,
    },
    limits,
    sorting::sort_by_number,
    terms::span::Collection,
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos};

pub(super) struct GcSlowSync;

const SLOW: Limit = Limit::time(
    "from the request to the begin",
    limits::SLOW_SYNC,
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
const NO_THREAD: Limit = Limit::share(
    "slow waits for which no thread is to blame, of all of them, for the other advice",
    0.50,
    "then most of the time, the operating system did not run a capability",
);
const SHOWN: usize = 5;

impl Rule for GcSlowSync {
    const ID: &'static str = "gc-slow-sync";
    const TITLE: &'static str = "Slow to stop for collections";
    const FINE: &'static str = "Stopping for collections";
    const ABOUT: &'static str = "It takes long from the request for a collection until all capabilities have stopped and it begins: one of them runs on, and the others wait; or the operating system does not run one of them, perhaps the very one that has asked for the collection.";
    const LIMITS: &'static [Limit] = &[SLOW, SUM, GRAVE, LONGEST, COUNT, NO_THREAD, WORTH];
    const USUAL: Option<Usual> = Some(Usual {
        figures: &["gc.wait_ns", "caps.gc_sync_ns"],
        words: "Before a collection, capabilities usually stop within {}.",
        limits: &[SLOW],
    });
    const TRY: &'static str = "a `safe` foreign call in place of an `unsafe` one that takes long; `-fno-omit-yields` for a loop that does not allocate";
    const TRY_ELSE: &'static str = "`-N` no larger than the number of cores; `-qg` or a smaller `-qn`: fewer capabilities take part; no other busy program on the machine";
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
        // Of all collections, also those without a row.
        let LongOnes { count, sum, longest } = of.known().stores.collections.slow_syncs();
        let is_long = of.share(sum) > GRAVE.of() && sum > WORTH.nanos() || longest > LONGEST.nanos();
        if !is_long && (of.share(sum) <= SUM.of() || sum < WORTH.nanos()) {
            return Judgement::fine("All capabilities stop for a collection within {}.", [Value::Duration(longest)])
                .within(&[(SUM, of.share(sum)), (WORTH, sum.0 as f64)]);
        }
        let all = of.facts.gc.count.unwrap_or_default();
        let counts = [count, all].map(Value::Count);
        let values = counts.into_iter().chain([SLOW.nanos(), longest, sum].map(Value::Duration));
        let mut text = Sentence::new(
            "Before {} of {} [collection|collections], it took longer than {} until all capabilities had stopped: {} at most, {} in all.",
            values,
        );
        let no_thread = add_last_to_stop(&mut text, of, &slow);
        let kept = slow.len() as u64;
        if kept < count {
            text.add(
                " For whom they waited is known of {} of them: there are too many collections to keep all.",
                [Value::Count(kept)],
            );
        }
        let evidence = slow.iter().take(SHOWN).filter_map(|gc| {
            let stop = of.known().last_to_stop(gc);
            let from = gc.requested?.time();
            let (cap, label) = match (stop, gc.cap) {
                (Some(stop), requester) => (stop.cap, waited_for(stop, requester)),
                (None, cap) => (cap?, "waiting for all capabilities to stop"),
            };
            let thread = stop.filter(|stop| stop.why.is_thread()).map(|stop| stop.thread);
            Some(of.on_cap(cap, from, gc.start, label).by(thread))
        });
        let evidence: Vec<_> = evidence.collect();
        // All wait but the one that runs on.
        let stake = Stake::of_caps(Nanos(sum.0.saturating_mul(of.facts.caps.count - 1)));
        Judgement::found(is_long && count >= COUNT.whole(), text, stake, evidence).or_else(no_thread)
    }
}

/// Says who stopped last before the slow collections, which waited for `sum` in all. Returns whether most of that was for no thread.
fn add_last_to_stop(text: &mut Sentence, of: &Asked<'_>, slow: &[Collection]) -> bool {
    let stops: Vec<LastStop> = slow.iter().filter_map(|gc| of.known().last_to_stop(gc)).collect();
    let (threads, others): (Vec<LastStop>, Vec<LastStop>) = stops.into_iter().partition(|stop| stop.why.is_thread());
    let time = |stops: &[LastStop]| stops.iter().map(|stop| stop.after()).fold(Nanos(0), Nanos::plus);
    let waited = slow.iter().filter_map(Collection::waited).fold(Nanos(0), Nanos::plus);
    let no_thread = ratio(time(&others).0, waited.0) > NO_THREAD.of();
    if no_thread {
        text.add(
            " {} of them waited for no thread, but for a capability that the operating system did not run",
            [Value::Count(others.len() as u64)],
        );
        let back = others.iter().filter(|stop| stop.why == LateFor::NotBack).count() as u64;
        if back > 0 {
            text.add(" ({} [time|times] one that was not back from the collection before)", [Value::Count(back)]);
        }
        text.add(". Are there more capabilities than cores?", []);
    } else if let Some((stop, times)) = most(threads) {
        text.add(
            " Longest of all they waited for {} ({} [time|times]).",
            [of.thread(stop.thread), Value::Count(times)],
        );
    }
    no_thread
}

/// The stop of the thread for which was waited longest, all its stops together; and how many there are.
fn most(mut stops: Vec<LastStop>) -> Option<(LastStop, u64)> {
    sort_by_number(&mut stops, |stop| stop.thread.0.into());
    let of_one = stops.chunk_by(|one, other| one.thread == other.thread);
    let most = of_one.max_by_key(|of_one| of_one.iter().map(|stop| stop.after().0).sum::<u64>())?;
    most.first().map(|stop| (*stop, most.len() as u64))
}

/// What a collection that a capability has requested waited for, in words.
fn waited_for(stop: LastStop, requester: Option<CapNo>) -> &'static str {
    match stop.why {
        LateFor::RanOn | LateFor::BeganLater => "waiting for this capability to stop",
        LateFor::NotBack => "waiting for this capability to be back from the collection before",
        LateFor::NotRun if requester == Some(stop.cap) => {
            "this capability asked for the collection, and was not run itself"
        }
        LateFor::NotRun => "waiting for this capability, which was not run",
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

    /// The capability that asks for a collection is not run for a while, although the other one stops at once.
    #[test]
    fn a_capability_that_is_late_itself_is_named_and_no_thread() {
        let late = |play: Play| {
            let play = play.run(0, 7, 5 * MS);
            let from = play.now();
            let play = play.at(from - 2 * MS).run(1, 8, 2 * MS + MS / 10).at(from);
            play.gc(0, Gc { wait: 6 * MS, ..Gc::MINOR })
        };
        let found = finding(GcSlowSync::ID, Play::caps(2).each(20, late));
        let text = found.text.text(Nanos(0));
        assert!(text.contains("20 of them waited for no thread") && !text.contains("thread 8"), "{text}");
        assert_eq!(
            (found.level, found.evidence[0].cap, found.evidence[0].thread),
            (Level::Warning, Some(CapNo(0)), None)
        );
        assert!(found.remedy.contains("cores"), "{}", found.remedy);
    }

    /// It has helped with one collection, and comes back from it long after the next one was requested.
    #[test]
    fn a_capability_that_is_not_back_from_the_collection_before_is_named() {
        let twice = |play: Play| {
            let play = play.run(0, 7, MS).gc(0, Gc { threads: 2, late: 6 * MS, ..Gc::MINOR });
            play.run(0, 7, MS / 2).gc(0, Gc { wait: 6 * MS, ..Gc::MINOR }).run(0, 7, 4 * MS)
        };
        let found = finding(GcSlowSync::ID, Play::caps(2).each(20, twice));
        assert!(found.text.text(Nanos(0)).contains("20 times one that was not back"), "{}", found.text.text(Nanos(0)));
        assert_eq!(found.evidence[0].cap, Some(CapNo(1)));
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
