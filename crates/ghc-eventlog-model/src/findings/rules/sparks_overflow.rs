//! `sparks-overflow`: sparks were thrown away since the pool was full.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Usual, Value, no_sparks};
use crate::{findings::asked::ratio, terms::evidence::Evidence};

pub(super) struct SparksOverflow;

const POOL: Limit =
    Limit::number("sparks in a pool", 4096.0, "the runtime's pools have room for so many, unless -e says otherwise");
const GRAVE: Limit =
    Limit::share("overflowed, of all sparks, warning", 0.05, "a few at the start are made up for later");

impl Rule for SparksOverflow {
    const ID: &'static str = "sparks-overflow";
    const TITLE: &'static str = "Sparks overflow";
    const FINE: &'static str = "Room for sparks";
    const ABOUT: &'static str = "The pool of a capability was full when a spark was made: the spark was thrown away, and its work was not done in parallel.";
    const LIMITS: &'static [Limit] = &[POOL, GRAVE];
    const USUAL: Option<Usual> = Some(Usual {
        figures: &["sparks.overflowed"],
        words: "There should be none: a pool has room for {} sparks.",
        limits: &[POOL],
    });
    const TRY: &'static str =
        "larger chunks of work for each spark (`parListChunk`, `parBuffer`); a larger pool (`-e`)";
    const EXPLAINS: &'static [&'static str] = &["sparks-few", "no-parallelism", "one-thread"];

    fn judge(of: &Asked<'_>) -> Judgement {
        let sparks = &of.facts.sparks;
        let (Some(count), Some(overflowed)) = (sparks.count.filter(|count| *count > 0), sparks.overflowed) else {
            return no_sparks(of);
        };
        let share = ratio(overflowed, count);
        // Its room is a power of two.
        let room = of.flags().spark_pool.and_then(u64::checked_next_power_of_two).unwrap_or(POOL.whole());
        if overflowed == 0 {
            return Judgement::fine("None of {} sparks overflowed.", [Value::Count(count)]);
        }
        let text = Sentence::new(
            "{} of {} sparks ({}) were thrown away since the pool of a capability, which has room for {}, was full.",
            [Value::Count(overflowed), Value::Count(count), Value::Share(share), Value::Count(room)],
        );
        let (from, to) = of.times();
        Judgement::found(
            share > GRAVE.of(),
            text,
            Stake::of_caps(of.idle()),
            [Evidence::of(from, to, "sparks").track(of.spark_track())],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{MS, Play, finding},
    };

    fn sparks(play: Play, created: u64, dud: u64, overflowed: u64, converted: u64, lost: u64) -> Play {
        let counters = [("created", created), ("dud", dud), ("overflowed", overflowed), ("converted", converted)];
        let rest = [("gcd", 0), ("fizzled", lost), ("remaining", 0)];
        play.event(0, "SPARK_COUNTERS", &counters.into_iter().chain(rest).collect::<alloc::vec::Vec<_>>())
    }

    #[test]
    fn sparks_that_overflow_are_found() {
        let level = |overflowed| {
            finding(SparksOverflow::ID, sparks(Play::caps(2).run(0, 7, MS), 1000, 0, overflowed, 900, 0)).level
        };
        assert_eq!([level(500), level(9), level(0)], [Level::Warning, Level::Info, Level::Fine]);
        assert_eq!(
            finding(SparksOverflow::ID, sparks(Play::caps(2).run(0, 7, MS), 0, 0, 0, 0, 0)).level,
            Level::NotApplicable
        );
    }

    /// With -lf, each run of a spark is logged, but no counter.
    #[test]
    fn without_counters_it_is_not_said_that_there_are_no_sparks() {
        let run = |play: Play| play.event(0, "SPARK_RUN", &[]).run(0, 7, MS);
        let args = ["prog +RTS -lf", "prog +RTS -lf-p", "prog +RTS -l"];
        let found = args.map(|args| crate::findings::testing::findings(run(Play::caps(2).args(args))));
        for id in [SparksOverflow::ID, "sparks-wasted", "sparks-few"] {
            let of = found.each_ref().map(|found| found.get(id).unwrap());
            let texts = of.map(|found| found.text.text(ghc_eventlog::Nanos(0)));
            assert!(texts.iter().all(|text| text.ends_with("no counters of them.")), "{texts:?}");
            assert_eq!(of.map(|found| found.needs), [None, Some("-lp"), None], "{texts:?}");
        }
    }
}
