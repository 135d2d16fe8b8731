//! `environment`: the log has the program's environment.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value};

pub(super) struct EnvironmentRule;

impl Rule for EnvironmentRule {
    const ID: &'static str = "environment";
    const TITLE: &'static str = "Environment variables in the log";
    const FINE: &'static str = "No environment variables in the log";
    const ABOUT: &'static str =
        "The log has the program's environment variables, as GHC wrote them until 8.6. They may hold secrets.";
    const LIMITS: &'static [Limit] = &[];
    const TRY: &'static str = "pass on what `ghc-eventlog report` writes: it leaves them out";

    fn judge(of: &Asked<'_>) -> Judgement {
        match of.scope.model.process().environment().len() as u64 {
            0 => Judgement::fine("The log has no environment variables.", []),
            count => {
                let text = Sentence::new(
                    "Environment variables are in the log, which may hold secrets: {} of them.",
                    [Value::Count(count)],
                );
                Judgement::found(false, text, Stake::None, [])
            }
        }
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
    fn variables_are_found() {
        assert_eq!(finding(EnvironmentRule::ID, Play::caps(1).env("A=b").run(0, 7, MS)).level, Level::Info);
        assert_eq!(finding(EnvironmentRule::ID, Play::caps(1).run(0, 7, MS)).level, Level::Fine);
    }
}
