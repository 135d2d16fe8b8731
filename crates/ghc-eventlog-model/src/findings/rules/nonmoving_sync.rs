//! `nonmoving-sync`: the non-moving collector stops the program for long.

use super::{Asked, Judgement, Limit, Rule, Sentence, Usual, Value};
use crate::{
    terms::{absence::Absence, evidence::Evidence, nonmoving::Phase, track::TrackId},
    tracks::nonmoving::{NonMovingTrack, SYNC},
};
use ghc_eventlog::Nanos;

pub(super) struct NonMovingSync;

const PAUSE: Limit = Limit::time("a stop after marking", Nanos(10_000_000), "usually it takes a millisecond or two");
const GRAVE: Limit =
    Limit::time("a stop after marking, warning", Nanos(50_000_000), "as long as what the collector is to avoid");

impl Rule for NonMovingSync {
    const ID: &'static str = "nonmoving-sync";
    const TITLE: &'static str = "Stops of the non-moving collector";
    const FINE: &'static str = "Stops of the non-moving collector";
    const ABOUT: &'static str = "The non-moving collector stops the program for long, to finish its marking.";
    const LIMITS: &'static [Limit] = &[PAUSE, GRAVE];
    const USUAL: Option<Usual> = Some(Usual {
        figures: &["nonmoving.sync_ns"],
        words: "A single stop of more than {} is long.",
        limits: &[PAUSE],
    });
    const TRY: &'static str = "fewer changes of old data while it marks (mutable arrays, large `IORef`s)";

    fn judge(of: &Asked<'_>) -> Judgement {
        let collector = &of.facts.nonmoving;
        if collector.syncs.is_none_or(|syncs| syncs == 0) {
            let absence = collector
                .lacks
                .map(|_| Absence { flag: None, none: Some("The program does not use the non-moving collector.") });
            return Judgement::lacks(absence, "The non-moving collector did not stop the program.");
        }
        let stops = || of.known().stores.nonmoving.phases().iter().filter(|phase| usize::from(phase.state) == SYNC);
        let length = |phase: &Phase| phase.end.since(phase.start);
        let Some(longest) = stops().max_by_key(|phase| length(phase)) else {
            return Judgement::not_applicable("The non-moving collector did not stop the program.");
        };
        if length(longest) <= PAUSE.nanos() {
            return Judgement::fine(
                "The non-moving collector stops the program for {} at most.",
                [Value::Duration(length(longest))],
            );
        }
        let long = stops().filter(|phase| length(phase) > PAUSE.nanos());
        let (count, sum) = long.fold((0, Nanos(0)), |(count, sum), phase| (count + 1, sum.plus(length(phase))));
        let text = Sentence::new(
            "The non-moving collector stops the program for up to {} to finish its marking. Stops longer than {}: {}.",
            [Value::Duration(length(longest)), Value::Duration(PAUSE.nanos()), Value::Count(count)],
        );
        let evidence =
            Evidence::of(longest.start, longest.end, "the longest stop").track(TrackId::of::<NonMovingTrack>(0));
        Judgement::found(length(longest) > GRAVE.nanos(), text, of.stop_of_all(sum), [evidence])
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
    fn long_stops_are_found() {
        let level = |length: u64| {
            let play = Play::caps(1)
                .run(0, 7, MS)
                .global("CONC_MARK_BEGIN", &[])
                .wait(MS)
                .global("CONC_MARK_END", &[("marked", 9)]);
            finding(NonMovingSync::ID, play.global("CONC_SYNC_BEGIN", &[]).wait(length).global("CONC_SYNC_END", &[]))
                .level
        };
        assert_eq!([level(60 * MS), level(20 * MS), level(MS)], [Level::Warning, Level::Info, Level::Fine]);
        assert_eq!(finding(NonMovingSync::ID, Play::caps(1).run(0, 7, MS)).level, Level::NotApplicable);
    }
}
