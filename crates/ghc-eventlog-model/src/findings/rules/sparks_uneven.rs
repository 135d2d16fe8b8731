//! `sparks-uneven`: a few long sparks keep the others waiting.

use super::{Asked, Judgement, Limit, Rule, Sentence, Value, WORTH};
use crate::{findings::asked::ratio, terms::absence::Absence, terms::evidence::Evidence};
use ghc_eventlog::Nanos;

pub(super) struct SparksUneven;

const LONGEST: Limit = Limit::share(
    "longest spark, of the time from the first to the last one",
    0.25,
    "the others are done long before it is",
);
const TIMES: Limit = Limit::number(
    "longest spark, times what each capability would have of all",
    1.5,
    "as many long sparks as capabilities are even",
);

impl Rule for SparksUneven {
    const ID: &'static str = "sparks-uneven";
    const TITLE: &'static str = "Uneven sparks";
    const FINE: &'static str = "Lengths of sparks";
    const ABOUT: &'static str = "The longest spark takes a large part of the time in which sparks run, and more than a capability's share of all: others wait for it.";
    const LIMITS: &'static [Limit] = &[LONGEST, TIMES, WORTH];
    const TRY: &'static str = "split the long sparks";
    const NEEDS_REPLAY: bool = true;
    const EXPLAINS: &'static [&'static str] = &["sparks-few", "black-holes", "no-parallelism", "one-thread"];

    fn judge(of: &Asked<'_>) -> Judgement {
        let sparks = &of.facts.sparks;
        let caps = of.enabled();
        if sparks.created == Some(0) || of.facts.caps.count < 2 {
            return Judgement::not_applicable("The program made no sparks, or has one capability only.");
        }
        let runs = of.replayed().map(|replayed| &replayed.spark_runs);
        let first = runs.and_then(|runs| runs.first_at);
        let (Some(longest), Some(runs), Some(first)) = (sparks.longest_run, runs, first) else {
            return Judgement::lacks(Some(Absence::of_flag("-lf")), "The log does not have each spark.");
        };
        let phase = runs.last_end.since(first);
        let share = ratio(longest.value.0, phase.0);
        let fair = runs.total.0 / caps;
        let is_found =
            share > LONGEST.of() && longest.value.0 as f64 > TIMES.of() * fair as f64 && longest.value > WORTH.nanos();
        if !is_found && share > LONGEST.of() {
            return Judgement::fine(
                "The longest spark takes {}, which is {} of the time in which sparks run; but if all were shared evenly, each capability would work for {}.",
                [Value::Duration(longest.value), Value::Share(share), Value::Duration(Nanos(fair))],
            );
        }
        if !is_found {
            return Judgement::fine(
                "The longest spark takes {}, which is {} of the time in which sparks run.",
                [Value::Duration(longest.value), Value::Share(share)],
            );
        }
        let text = Sentence::new(
            "The longest spark takes {}, which is {} of the time in which sparks run. If all {} sparks were shared evenly, each capability would work for {}.",
            [
                Value::Duration(longest.value),
                Value::Share(share),
                Value::Count(sparks.runs.unwrap_or_default()),
                Value::Duration(Nanos(fair)),
            ],
        );
        let from = longest.at.unwrap_or(first);
        let evidence = Evidence::of(from, from.plus(longest.value), "the longest spark").track(of.spark_track());
        Judgement::found(true, text, of.stop_of_all(longest.value.since(Nanos(fair))), [evidence])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{MS, Play, finding, stop},
    };

    /// Sparks of some lengths, each run by a thread of its own on one of two capabilities.
    fn level(lengths: &[u64]) -> Level {
        let mut play = Play::caps(2);
        for (at, length) in lengths.iter().enumerate() {
            let thread = at as u64 + 1;
            let spark = |play: Play| play.event(at % 2, "SPARK_RUN", &[]).wait(length * MS);
            play = play.at(if at < 2 { 0 } else { 10 * MS }).run_with(at % 2, thread, spark, stop::FINISHED);
        }
        finding(SparksUneven::ID, play).level
    }

    #[test]
    fn one_long_spark_is_found_and_one_for_each_capability_is_not() {
        assert_eq!([level(&[5, 5, 90]), level(&[90, 90])], [Level::Warning, Level::Fine]);
        assert_eq!(finding(SparksUneven::ID, Play::caps(2).run(0, 7, MS)).needs, Some("-lf"));
        assert_eq!(finding(SparksUneven::ID, Play::caps(1).run(0, 7, MS)).level, Level::NotApplicable);
    }
}
