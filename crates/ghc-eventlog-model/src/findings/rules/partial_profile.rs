//! `partial-profile`: the heap profile is of a part of the heap.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value};

pub(super) struct PartialProfile;

impl Rule for PartialProfile {
    const ID: &'static str = "partial-profile";
    const TITLE: &'static str = "Heap profile of a part";
    const FINE: &'static str = "Heap profile of all data";
    const ABOUT: &'static str =
        "A flag restricts the heap profile to a part of the data: all of its sizes are of that part.";
    const LIMITS: &'static [Limit] = &[];
    const TRY: &'static str = "a profile without the filter";

    fn judge(of: &Asked<'_>) -> Judgement {
        let profile = &of.facts.heap_profile;
        if profile.censuses.is_none_or(|count| count == 0) {
            return Judgement::lacks(profile.lacks, "The log has no heap profile.");
        }
        match &profile.filters {
            None => Judgement::fine("No flag restricts the heap profile to a part of the data.", []),
            Some(filters) => {
                let text = Sentence::new(
                    "The heap profile is only of a part of the data: {}.",
                    [Value::Text(filters.clone())],
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
    fn a_filter_is_found() {
        let level = |args: &str| {
            let play = Play::caps(1).args(args).run(0, 7, MS).event(0, "HEAP_PROF_SAMPLE_BEGIN", &[("number", 0)]);
            finding(PartialProfile::ID, play.wait(MS).event(0, "HEAP_PROF_SAMPLE_END", &[("number", 0)])).level
        };
        assert_eq!([level("prog +RTS -l -hTARR_WORDS"), level("prog +RTS -l -hT")], [Level::Info, Level::Fine]);
        assert_eq!(finding(PartialProfile::ID, Play::caps(1).run(0, 7, MS)).level, Level::NotApplicable);
    }
}
