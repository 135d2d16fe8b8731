//! `sparks-few`: capabilities are idle, and there is no spark for them.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, WORTH, no_sparks, one_cap};
use crate::{findings::asked::ratio, tracks::spark_pool::SparkPool};
use ghc_eventlog::Nanos;

pub(super) struct SparksFew;

const IDLE: Limit =
    Limit::share("idle, of all capabilities' time", 0.20, "the start, the end and sequential parts take some");
const GRAVE: Limit =
    Limit::share("idle, of all capabilities' time, warning", 0.50, "more than half of the machine stands still");
const EMPTY: Limit = Limit::share(
    "times at which a pool is empty",
    0.50,
    "else there is work, and something else keeps capabilities from it",
);
const NO_WORK: Limit = Limit::share(
    "what sparks could have done at most, of the time that threads run, for the other advice",
    0.05,
    "then sparks do not do the program's work: more of them would not, either",
);
const LOST: Limit = Limit::share(
    "sparks that overflow, fizzle, or are collected, of all",
    0.50,
    "of so many, most came to nothing: more of them would, too",
);
const MANY: Limit = Limit::number("sparks for that", 1000.0, "of fewer, too few may be left");
const CREATED: Limit = Limit::number("sparks", 2.0, "one spark is no parallelism");

impl Rule for SparksFew {
    const ID: &'static str = "sparks-few";
    const TITLE: &'static str = "Too few sparks";
    const FINE: &'static str = "Number of sparks";
    const ABOUT: &'static str =
        "A program that uses sparks leaves capabilities idle, since there is no spark for them.";
    const LIMITS: &'static [Limit] = &[IDLE, GRAVE, EMPTY, CREATED, NO_WORK, LOST, MANY, WORTH];
    const TRY: &'static str = "more and smaller sparks, made earlier; sparks that evaluate all of their value and not only its outermost constructor (`rdeepseq`, `force`)";
    const TRY_ELSE: &'static str =
        "sparks that evaluate all of their value and not only its outermost constructor (`rdeepseq`, `force`)";
    const NEEDS_REPLAY: bool = true;
    const EXPLAINS: &'static [&'static str] = &["no-parallelism", "one-thread"];

    fn judge(of: &Asked<'_>) -> Judgement {
        let sparks = &of.facts.sparks;
        if sparks.count.unwrap_or_default() == 0 {
            return no_sparks(of);
        }
        if sparks.created.unwrap_or_default() < CREATED.whole() {
            return Judgement::not_applicable("Hardly any spark was put into a pool.");
        }
        if let Some(one) = one_cap(of) {
            return one;
        }
        if of.account.is_none() {
            return Judgement::lacks(of.facts.caps.lacks, "The log does not tell when capabilities ran.");
        }
        let idle = of.idle();
        let share = of.share_of_all(idle);
        let empty = empty(of);
        if share <= IDLE.of() || empty < EMPTY.of() || idle < WORTH.nanos() {
            return Judgement::fine("Capabilities are idle for {} of their time.", [Value::Share(share)])
                .within(&[(IDLE, share), (WORTH, idle.0 as f64)]);
        }
        let all = sparks.count.unwrap_or_default();
        let lost = [sparks.overflowed, sparks.fizzled, sparks.gcd].into_iter().flatten().fold(0, u64::saturating_add);
        if all >= MANY.whole() && ratio(lost, all) > LOST.of() {
            return Judgement::fine(
                "There are {} sparks, more than enough: {} of them overflow, fizzle, or are collected.",
                [Value::Count(all), Value::Share(ratio(lost, all))],
            );
        }
        let mut text = Sentence::new(
            "Capabilities are idle for {} of their time ({}), and usually there is no spark for them: at {} of the times at which sparks are counted, a pool is empty.",
            [Value::Share(share), Value::Duration(idle), Value::Share(empty)],
        );
        // Each ran no longer than the longest.
        let runs = sparks.runs.zip(sparks.longest_run.as_ref()).filter(|(runs, _)| *runs > 0);
        let most = runs.map(|(runs, longest)| (runs, Nanos(longest.value.0.saturating_mul(runs))));
        let running = of.facts.threads.running.unwrap_or_default();
        let few = most.filter(|(_, most)| ratio(most.0, running.0) < NO_WORK.of());
        if let Some((runs, most)) = few {
            text.add(
                " {} [spark|sparks] ran, for no longer than {} in all: what they are to compute is computed elsewhere. Do they evaluate only the outermost constructor of their value?",
                [Value::Count(runs), Value::Duration(most)],
            );
        }
        Judgement::found(share > GRAVE.of(), text, Stake::of_caps(idle), of.longest_idle()).or_else(few.is_some())
    }
}

/// At how many of the times at which sparks are counted a pool is empty, on average of all pools.
fn empty(of: &Asked<'_>) -> f64 {
    let samples = &of.known().stores.samples;
    let pools = (0..of.known().caps.streams.len()).filter_map(|stream| samples.series::<SparkPool>(stream, 0));
    let told = pools.filter(|series| series.last.is_some());
    let (all, sum) = told.fold((0.0, 0.0), |(all, sum), series| {
        let rows = series.rows.kept();
        let empty = rows.iter().filter(|sample| sample.value == 0).count() as u64;
        // Of a pool that was never used no rows are kept.
        (all + 1.0, sum + if series.most == 0 { 1.0 } else { ratio(empty, rows.len() as u64) })
    });
    if all > 0.0 { sum / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{MS, Play, finding, stop},
    };

    fn sparks(play: Play, created: u64, dud: u64, overflowed: u64, converted: u64, lost: u64) -> Play {
        let counters = [("created", created), ("dud", dud), ("overflowed", overflowed), ("converted", converted)];
        let rest = [("gcd", 0), ("fizzled", 0), ("remaining", lost)];
        play.event(0, "SPARK_COUNTERS", &counters.into_iter().chain(rest).collect::<alloc::vec::Vec<_>>())
    }

    /// Most of them come to nothing, so that the pools are empty.
    #[test]
    fn where_there_are_far_too_many_they_are_not_too_few() {
        let level = |fizzled: u64| {
            let counters = [("created", 1000), ("dud", 0), ("overflowed", 0), ("converted", 1000 - fizzled)];
            let rest = [("gcd", 0), ("fizzled", fizzled), ("remaining", 0)];
            let counters: alloc::vec::Vec<_> = counters.into_iter().chain(rest).collect();
            let play = Play::caps(2).args("prog +RTS -lf");
            finding(SparksFew::ID, play.each(20, |play| play.run(0, 7, 5 * MS).event(0, "SPARK_COUNTERS", &counters)))
                .level
        };
        assert_eq!([level(600), level(100)], [Level::Fine, Level::Info]);
    }

    /// Each spark runs for 1 µs, or for all of the work.
    #[test]
    fn sparks_that_do_no_work_get_another_advice() {
        let found = |length: u64| {
            let play = Play::caps(2).args("prog +RTS -lf").each(20, |play| {
                let play = play.run_with(1, 8, |play| play.event(1, "SPARK_RUN", &[]).wait(length), stop::FINISHED);
                sparks(play.run(0, 7, 5 * MS), 10, 0, 0, 10, 0)
            });
            finding(SparksFew::ID, play)
        };
        let (none, some) = (found(1000), found(2 * MS));
        let [none_text, some_text] = [&none, &some].map(|found| found.text.text(Nanos(0)));
        assert!(none_text.contains("20 sparks ran") && !none.remedy.contains("more and smaller"), "{none_text}");
        assert!(!some_text.contains("sparks ran") && some.remedy.contains("more and smaller"), "{some_text}");
    }

    #[test]
    fn capabilities_without_sparks_are_found() {
        let level = |caps, created, left, both: bool| {
            let play = Play::caps(caps).each(20, |play| {
                let play = if both { play.run_all(&[7, 8], 5 * MS) } else { play.run(0, 7, 5 * MS).run(1, 8, MS / 10) };
                sparks(play, created, 0, 0, created, left)
            });
            finding(SparksFew::ID, play).level
        };
        assert_eq!([level(2, 10, 0, false), level(4, 10, 0, false)], [Level::Info, Level::Warning]);
        assert_eq!([level(2, 10, 5, false), level(2, 10, 0, true)], [Level::Fine; 2]);
        assert_eq!(level(2, 0, 0, false), Level::NotApplicable);
    }
}
