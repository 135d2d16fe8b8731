//! `class-paused`: a class of events stops while others go on.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, WORTH};
use crate::terms::{evidence::Evidence, machine::Watched};

pub(super) struct ClassPaused;

const GAP: Limit = Limit::share("time without the class, of the log", 0.10, "a program may do without for a while");
/// The classes that a program may switch off, since GHC 10.
const WATCHED: [(&str, Watched); 3] = [
    ("Events of threads", Watched::Threads),
    ("Events of collections", Watched::Collections),
    ("Counts of sparks", Watched::Sparks),
];

impl Rule for ClassPaused {
    const ID: &'static str = "class-paused";
    const TITLE: &'static str = "Events of a class stop";
    const FINE: &'static str = "Classes of events in the log";
    const ABOUT: &'static str = "Events of threads or of collections are missing for a part of the log while the others go on, as where a program turned them off: something has no end or no begin, although nothing is lost. That there are none shows nothing.";
    const LIMITS: &'static [Limit] = &[GAP, WORTH];
    const TRY: &'static str = "";

    fn judge(of: &Asked<'_>) -> Judgement {
        let pauses = &of.known().stores.pauses;
        if !pauses.can_be {
            return Judgement::not_applicable(
                "Before GHC 10, no program can turn classes of events off while it runs.",
            );
        }
        // The page knows them, too: it draws nothing there.
        let all = WATCHED.into_iter().flat_map(|(name, class)| pauses.of_class(class).map(move |times| (name, times)));
        let (_, end) = of.times();
        let found = all.map(|(name, (from, to))| (name, from, to.min(end))).max_by_key(|(_, from, to)| to.since(*from));
        let Some((name, from, to)) =
            found.filter(|(_, from, to)| of.share(to.since(*from)) > GAP.of() && to.since(*from) > WORTH.nanos())
        else {
            return Judgement::fine("No class of events stops while others go on.", []);
        };
        let text = Sentence::new(
            "{} are missing for {} while others go on: what they would say of that time is not known.",
            [Value::words(name), Value::Duration(to.since(from))],
        );
        Judgement::found(false, text, Stake::None, [Evidence::of(from, to, name)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{MS, Play, finding},
    };

    const GHC_10: &str = "GHC-10.0.1 rts_thr_l";

    /// A thread runs and collections come; if threads are turned off, the last run before has no end.
    fn level(runtime: &str, are_off: bool, is_busy: fn(u64) -> bool) -> Level {
        let of_time = |play: Play, at: u64| {
            let play = if at.is_multiple_of(10) && is_busy(at) { play.collect(0, 1000) } else { play };
            match at {
                700 if are_off => play.event(0, "RUN_THREAD", &[("thread", 7)]).wait(MS / 10),
                701..1400 if are_off => play.wait(MS / 10),
                _ => play.run(0, 7, MS / 10),
            }
        };
        finding(ClassPaused::ID, Play::caps(1).runtime(runtime).each_of(2000, of_time)).level
    }

    #[test]
    fn a_class_that_is_turned_off_is_found() {
        assert_eq!(level(GHC_10, true, |_| true), Level::Info);
        assert_eq!(level(GHC_10, false, |_| true), Level::Fine);
    }

    /// With a large allocation area there may be no collection for most of the log.
    #[test]
    fn that_there_are_no_events_shows_nothing() {
        assert_eq!(level(GHC_10, false, |at| !(600..1600).contains(&at)), Level::Fine);
    }

    #[test]
    fn no_program_turned_classes_off_before_ghc_10() {
        assert_eq!(level("GHC-9.0.2 rts_thr_l", true, |_| true), Level::NotApplicable);
        assert_eq!(finding(ClassPaused::ID, Play::caps(1).run(0, 7, MS)).level, Level::NotApplicable);
    }
}
