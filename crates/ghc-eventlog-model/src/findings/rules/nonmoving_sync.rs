//! `nonmoving-sync`: the non-moving collector stops the program for long.

use super::{Asked, Judgement, Limit, Rule, Sentence, Usual, Value};
use crate::{
    limits,
    terms::{absence::Absence, evidence::Evidence, nonmoving::Phase, track::TrackId},
    tracks::nonmoving::{NonMovingTrack, SYNC},
};
use ghc_eventlog::Nanos;

pub(super) struct NonMovingSync;

const PAUSE: Limit = Limit::time("a stop after marking", limits::LONG_STOP, "usually it takes a millisecond or two");
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
        // Of all stops, also those without a row.
        let long = of.known().stores.nonmoving.long_stops;
        if long.count == 0 {
            return Judgement::fine(
                "The non-moving collector stops the program for {} at most.",
                [Value::Duration(long.longest)],
            );
        }
        let text = Sentence::new(
            "The non-moving collector stops the program for up to {} to finish its marking. Stops longer than {}: {}.",
            [Value::Duration(long.longest), Value::Duration(PAUSE.nanos()), Value::Count(long.count)],
        );
        let evidence = stops().max_by_key(|phase| length(phase)).map(|longest| {
            Evidence::of(longest.start, longest.end, "the longest stop").track(TrackId::of::<NonMovingTrack>(0))
        });
        Judgement::found(long.longest > GRAVE.nanos(), text, of.stop_of_all(long.sum), evidence)
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

    #[test]
    fn stops_without_a_row_count() {
        let times = limits::MAX_PHASES as u64 + 10;
        let stop = |play: Play| play.global("CONC_SYNC_BEGIN", &[]).wait(20 * MS).global("CONC_SYNC_END", &[]).wait(MS);
        let text = finding(NonMovingSync::ID, Play::caps(1).run(0, 7, MS).each(times, stop)).text.text(Nanos(0));
        assert!(text.ends_with("Stops longer than 10.00 ms: 16,394."), "{text}");
    }
}
