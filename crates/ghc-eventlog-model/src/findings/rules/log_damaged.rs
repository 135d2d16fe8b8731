//! `log-damaged`: parts of the log could not be read.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value};

pub(super) struct LogDamaged;

impl Rule for LogDamaged {
    const ID: &'static str = "log-damaged";
    const TITLE: &'static str = "Damaged log";
    const FINE: &'static str = "Undamaged log";
    const ABOUT: &'static str = "Bytes of the log could not be read: what happened there is missing in all figures.";
    const LIMITS: &'static [Limit] = &[];
    const TRY: &'static str = "record it again; `ghc-eventlog check` lists what is damaged";

    fn judge(of: &Asked<'_>) -> Judgement {
        let log = &of.facts.log;
        if log.lost_bytes == 0 {
            return Judgement::fine("All of the log could be read.", []);
        }
        let text = Sentence::new(
            "{} of {} could not be read: what happened there is missing in all figures.",
            [Value::Bytes(log.lost_bytes), Value::Bytes(log.bytes)],
        );
        Judgement::found(true, text, Stake::None, of.longest_of(&["not_known_ns"]))
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
    fn damage_is_found() {
        assert_eq!(finding(LogDamaged::ID, Play::caps(1).run(0, 7, MS).damaged()).level, Level::Warning);
        assert_eq!(finding(LogDamaged::ID, Play::caps(1).run(0, 7, MS)).level, Level::Fine);
    }
}
