//! `log-partial`: the log's end is missing, or whole classes of events.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value};

pub(super) struct LogPartial;

impl Rule for LogPartial {
    const ID: &'static str = "log-partial";
    const TITLE: &'static str = "Incomplete log";
    const ABOUT: &'static str =
        "The log has no end mark, or threads or collections were not logged: what cannot be told for that.";
    const LIMITS: &'static [Limit] = &[];
    const TRY: &'static str = "`--eventlog-flush-interval=1` for a program that is killed; `-l` without a minus";

    fn judge(of: &Asked<'_>) -> Judgement {
        let (caps, gc) = (of.facts.caps.lacks, of.facts.gc.lacks);
        let lacks = |absence: Option<crate::terms::absence::Absence>| absence.and_then(|absence| absence.flag);
        // A log that was stopped may have ended so.
        let is_cut = of.known().is_finished() && !of.known().is_whole();
        let text = match (lacks(caps), lacks(gc)) {
            (Some(flag), None) => Sentence::new(
                "Threads were not logged ({}): when capabilities ran, and what threads waited for, is not known.",
                [Value::words(flag)],
            ),
            (None, Some(flag)) => Sentence::new(
                "Collections were not logged ({}): neither pauses nor the heap are known.",
                [Value::words(flag)],
            ),
            (Some(_), Some(_)) => Sentence::new("Neither threads nor collections were logged (-ls, -lg).", []),
            (None, None) if is_cut => {
                Sentence::new("The end of the log is missing: the program was killed, or was still running.", [])
            }
            (None, None) => return Judgement::fine("The log is complete, with threads and collections.", []),
        };
        Judgement::found(false, text, Stake::None, [])
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
    fn what_is_missing_is_found() {
        assert_eq!(finding(LogPartial::ID, Play::caps(1).run(0, 7, MS).collect(0, MS).cut_off()).level, Level::Info);
        let text = |args: &str, play: fn(Play) -> Play| {
            finding(LogPartial::ID, play(Play::caps(1).args(args))).text.text(ghc_eventlog::Nanos(0))
        };
        assert!(text("prog +RTS -l-s", |play| play.collect(0, MS)).contains("Threads were not logged (-ls)"));
        assert!(text("prog +RTS -l-g", |play| play.run(0, 7, MS)).contains("Collections were not logged (-lg)"));
    }

    #[test]
    fn a_complete_log_is_fine() {
        assert_eq!(finding(LogPartial::ID, Play::caps(1).run(0, 7, MS).collect(0, MS)).level, Level::Fine);
    }
}
