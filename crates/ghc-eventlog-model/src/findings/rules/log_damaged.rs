//! `log-damaged`: parts of the log could not be read, are missing, or are not where or when they belong.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value};
use crate::keeping::diagnostics::Diagnostics;
use alloc::vec::Vec;

pub(super) struct LogDamaged;

const LOST: &str = "{} of {} could not be read: what happened there is missing in all figures.";
const LACKING: &str = "{} are missing from blocks, by the sizes that these have: what happened there is missing in all figures, and a run or collection around it may be two.";
const BACK: &str = "The [time|times] of {} [event|events] [goes|go] back, by up to {}: events are out of order or have false times, and so the times of runs, collections, threads and spans are wrong.";
const UNENDED: &str =
    "The end of {} [run or collection|runs or collections] is missing: [its time is|their times are] wrong.";
const UNBEGUN: &str = "The begin of {} [run|runs] is missing: [its time is|their times are] not counted.";
const OTHER_CLOCK: &str = "The log of another process follows, whose clock begins anew: both count, but what capabilities and threads did at the same times is only that of the first.";

impl Rule for LogDamaged {
    const ID: &'static str = "log-damaged";
    const TITLE: &'static str = "Damaged log";
    const FINE: &'static str = "Undamaged log";
    const ABOUT: &'static str = "Bytes of the log could not be read, or events are missing, out of order, or have false times: it says which figures are wrong for that.";
    const LIMITS: &'static [Limit] = &[];
    const TRY: &'static str = "record it again; `ghc-eventlog check` lists what is damaged";

    fn judge(of: &Asked<'_>) -> Judgement {
        let log = &of.facts.log;
        let &Diagnostics { lacking, back: (back, most), unended, unbegun, has_other_clock, .. } =
            &of.known().stores.diagnostics;
        let all = [
            (log.lost_bytes, LOST, Vec::from([Value::Bytes(log.lost_bytes), Value::Bytes(log.bytes)])),
            (lacking, LACKING, Vec::from([Value::Bytes(lacking)])),
            (back, BACK, Vec::from([Value::Count(back), Value::Duration(most)])),
            (unended, UNENDED, Vec::from([Value::Count(unended)])),
            (unbegun, UNBEGUN, Vec::from([Value::Count(unbegun)])),
            (has_other_clock.into(), OTHER_CLOCK, Vec::new()),
        ];
        let mut text = Sentence::default();
        for (_, words, values) in all.into_iter().filter(|(count, ..)| *count > 0) {
            text.add(if text == Sentence::default() { "" } else { " " }, []);
            text.add(words, values);
        }
        if text == Sentence::default() {
            return Judgement::fine("All of the log could be read.", []);
        }
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
