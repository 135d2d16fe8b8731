//! `profiled`: the pauses have censuses in them.

use super::{Asked, Judgement, Limit, Rule, Sentence, Value};

pub(super) struct ProfiledRule;

impl Rule for ProfiledRule {
    const ID: &'static str = "profiled";
    const TITLE: &'static str = "Recorded with a heap profile";
    const FINE: &'static str = "Recorded without a heap profile";
    const ABOUT: &'static str = "The log has a heap profile: each census is a major collection, so that pauses and their number are not what they are otherwise.";
    const LIMITS: &'static [Limit] = &[];
    const TRY: &'static str = "for times, a log without `-h`";
    const EXPLAINS: &'static [&'static str] = &["gc-share", "gc-long-pause"];

    fn judge(of: &Asked<'_>) -> Judgement {
        match of.facts.heap_profile.censuses {
            Some(count) if count > 0 => {
                let text = Sentence::new(
                    "The log has a heap profile of {} [census|censuses]. Each of them is a major collection, so there are more pauses than without the profile, and they are longer.",
                    [Value::Count(count)],
                );
                // Each is taken by one capability, and the others wait.
                let taken = of.longest_of(&["census_ns"]);
                Judgement::found(false, text, of.stop_of_all(of.spent(&["census_ns"])), taken)
            }
            _ => Judgement::fine("The log has no heap profile, which would add long pauses.", []),
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
    fn censuses_are_found() {
        let play = Play::caps(1).run(0, 7, MS).event(0, "HEAP_PROF_SAMPLE_BEGIN", &[("number", 0)]);
        let play = play.wait(MS).event(0, "HEAP_PROF_SAMPLE_END", &[("number", 0)]).run(0, 7, MS);
        assert_eq!(finding(ProfiledRule::ID, play).level, Level::Info);
        assert_eq!(finding(ProfiledRule::ID, Play::caps(1).run(0, 7, MS)).level, Level::Fine);
    }
}
