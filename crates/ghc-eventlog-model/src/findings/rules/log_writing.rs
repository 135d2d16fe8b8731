//! `log-writing`: the program waits while its log is written.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, WORTH};
use crate::findings::asked::ratio;
use ghc_eventlog::Nanos;

pub(super) struct LogWriting;

const GAP: Limit = Limit::time("a write", Nanos(1_000_000), "the others take microseconds");
const SHARE: Limit =
    Limit::share("all writes, of the time that capabilities run", 0.01, "less does not change what is seen");
const GRAVE: Limit = Limit::share(
    "all writes, of the time that capabilities run, warning",
    0.05,
    "the log is of a program that waits for its log",
);

impl Rule for LogWriting {
    const ID: &'static str = "log-writing";
    const TITLE: &'static str = "The log disturbs the program";
    const FINE: &'static str = "Writing the log";
    const ABOUT: &'static str =
        "Capabilities stand still while the runtime writes their events to the file (an estimate).";
    const LIMITS: &'static [Limit] = &[GAP, SHARE, GRAVE, WORTH];
    const TRY: &'static str = "fewer classes of events (`-l-asu` logs only threads and what the program writes, `-l-p` no sparks), fewer `traceEvent`s, or a faster disk|fewer classes of events (`-l-asu` logs only threads and what the program writes), fewer `traceEvent`s, or a faster disk|fewer `traceEvent`s, or a faster disk";

    fn judge(of: &Asked<'_>) -> Judgement {
        let (Some(all), Some(running)) = (of.facts.caps.log_writing, of.facts.caps.running) else {
            return Judgement::lacks(of.facts.caps.lacks, "The log does not tell when capabilities ran.");
        };
        let share = ratio(all.0, running.0);
        let longest = of.scope.longest_write();
        let length = longest.as_ref().map_or(Nanos(0), |longest| longest.length());
        if length < GAP.nanos() || share <= SHARE.of() || all < WORTH.nanos() {
            return Judgement::fine(
                "Capabilities stand still for {} while the log is written (an estimate).",
                [Value::Duration(all)],
            )
            .within(&[(GAP, length.0 as f64), (SHARE, share), (WORTH, all.0 as f64)]);
        }
        let text = Sentence::new(
            "Capabilities stand still for {} while the runtime writes the log: {} of the time that they run, {} at most at once. This is an estimate.",
            [Value::Duration(all), Value::Share(share), Value::Duration(length)],
        );
        Judgement::found(share > GRAVE.of(), text, Stake::of_caps(all), longest)
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
    fn long_writes_are_found() {
        let level = |gap: u64| {
            finding(LogWriting::ID, Play::caps(1).each(20, |play| play.run(0, 7, 20 * MS).written(gap))).level
        };
        assert_eq!([level(5 * MS), level(1000)], [Level::Warning, Level::Fine]);
        assert_eq!(
            finding(LogWriting::ID, Play::caps(1).args("prog +RTS -l-s").collect(0, MS)).level,
            Level::NotApplicable
        );
    }
}
