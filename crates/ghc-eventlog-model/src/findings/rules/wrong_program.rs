//! `wrong-program`: the log is of a program that started another one.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value};
use crate::{keeping::diagnostics::DiagnosticKind, limits};

pub(super) struct WrongProgram;

const EVENTS: Limit =
    Limit::number("events", limits::LAUNCHER_EVENTS as f64, "who works on such a program records longer runs of it");
const TIME: Limit = Limit::time("length of the log", limits::LAUNCHER_TIME, "the same");

impl Rule for WrongProgram {
    const ID: &'static str = "wrong-program";
    const TITLE: &'static str = "Log of another program";
    const FINE: &'static str = "Log of the program itself";
    const ABOUT: &'static str = "The log is of stack, cabal or the like, which was to run a program, or is short: the flags went to it, and not to the program that it started.";
    const LIMITS: &'static [Limit] = &[EVENTS, TIME];
    const TRY: &'static str = "`stack exec prog -- +RTS -l`, or run the program itself";

    fn judge(of: &Asked<'_>) -> Judgement {
        let launcher = of.scope.model.foremost().into_iter().find_map(|said| match said {
            DiagnosticKind::OfLauncher(launcher) => Some(launcher),
            _ => None,
        });
        let Some(launcher) = launcher else {
            return Judgement::fine("The log is of a program that does its own work.", []);
        };
        let text = Sentence::new(
            "This is a log of {}, not of the program that it started. To record the program: {}.",
            [launcher.name, launcher.instead].map(Value::words),
        );
        Judgement::found(true, text, Stake::None, [])
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
    fn a_log_of_a_launcher_is_found() {
        let level = |args: &str| finding(WrongProgram::ID, Play::caps(1).args(args).run(0, 7, MS)).level;
        assert_eq!([level("stack exec prog +RTS -l"), level("prog +RTS -l")], [Level::Warning, Level::Fine]);
    }
}
