//! `class-paused`: a class of events stops while others go on.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, WORTH};
use crate::{
    sorting::sort_by_number,
    terms::{evidence::Evidence, machine::Watched},
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

pub(super) struct ClassPaused;

const GAP: Limit = Limit::share(
    "time without the class, all pauses together, of the log",
    0.10,
    "a program may do without for a while",
);
/// How many pauses are shown, the longest first.
const SHOWN: usize = 3;
const NONE: &str = "No class of events stops while others go on.";
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
        if pauses.count() == 0 && pauses.has_evidence() {
            return Judgement::not_applicable(
                "Something has no end or no begin, so that a class of events may have been off: when, the log does not tell.",
            );
        }
        // The page knows them, too: it draws nothing there.
        let (_, end) = of.times();
        let of_class = |(name, class)| {
            let all: Vec<Evidence> =
                pauses.of_class(class).map(|(from, to)| Evidence::of(from, to.min(end), name)).collect();
            (name, all.iter().fold(Nanos(0), |sum, pause| sum.plus(pause.length())), all)
        };
        let Some((name, time, mut all)) = WATCHED.map(of_class).into_iter().max_by_key(|(_, time, _)| *time) else {
            return Judgement::fine(NONE, []);
        };
        let values = [Value::words(name), Value::Duration(time), Value::Count(all.len() as u64)];
        let (words, values) = match all.len() {
            0 => return Judgement::fine(NONE, []),
            1 => ("{} are missing for {} while others go on", &values[..2]),
            _ => ("{} are missing for {} at least, at {} times, while others go on", &values[..]),
        };
        let mut text = Sentence::new(words, values.iter().cloned());
        let share = of.share(time);
        // If there are more than are kept, the time is longer.
        if time <= WORTH.nanos() || share <= GAP.of() && !pauses.is_full() {
            text.add(".", []);
            return Judgement::Fine(text).within(&[(GAP, share), (WORTH, time.0 as f64)]);
        }
        text.add(": what they would say of that time is not known.", []);
        sort_by_number(&mut all, |pause| !pause.length().0);
        all.truncate(SHOWN);
        Judgement::found(false, text, Stake::None, all)
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

    /// Ten pauses of less than 5 % each are a large part of the log; one of them is not.
    #[test]
    fn short_pauses_are_summed_up() {
        let of = |pauses: u64| {
            let of_time = |play: Play, at: u64| {
                let play = if at.is_multiple_of(10) { play.collect(0, 1000) } else { play };
                match at % 200 {
                    100 if at < 200 * pauses => play.event(0, "RUN_THREAD", &[("thread", 7)]).wait(MS / 10),
                    101.. if at < 200 * pauses => play.wait(MS / 10),
                    _ => play.run(0, 7, MS / 10),
                }
            };
            let found = finding(ClassPaused::ID, Play::caps(1).runtime(GHC_10).each_of(2000, of_time));
            (found.level, found.text.text(Nanos(0)), found.evidence.len())
        };
        let (level, text, shown) = of(10);
        assert!(level == Level::Info && text.contains(" at least, at "), "{text}");
        assert_eq!(shown, SHOWN);
        let (level, text, _) = of(1);
        assert!(level == Level::Fine && text.starts_with("Events of threads are missing for "), "{text}");
    }

    /// Of more pauses than are kept it is not known that they are few.
    #[test]
    fn more_pauses_than_are_kept_are_not_fine() {
        let of_time = |play: Play, at: u64| {
            let play = if at % 80 == 10 { play.collect(0, 1000) } else { play };
            match at % 80 {
                59 => play.event(0, "RUN_THREAD", &[("thread", 7)]).wait(MS),
                60..75 => play.wait(MS),
                _ => play.run(0, 7, MS),
            }
        };
        let found = finding(ClassPaused::ID, Play::caps(1).runtime(GHC_10).each_of(12_000, of_time));
        assert_eq!(found.level, Level::Info, "{}", found.text.text(Nanos(0)));
    }

    /// A collection comes so soon after the last event of threads that no time without any is seen in between.
    #[test]
    fn of_what_is_off_at_times_that_are_not_known_it_is_not_said_that_there_is_none() {
        let of_time = |play: Play, at: u64| match at % 200 {
            99 => play.event(0, "RUN_THREAD", &[("thread", 7)]).wait(100).collect(0, 1000).wait(MS / 10),
            100.. => play.wait(MS / 10),
            _ => play.run(0, 7, MS / 10),
        };
        let found = finding(ClassPaused::ID, Play::caps(1).runtime(GHC_10).each_of(2000, of_time));
        assert_eq!(found.level, Level::NotApplicable, "{}", found.text.text(Nanos(0)));
    }

    #[test]
    fn no_program_turned_classes_off_before_ghc_10() {
        assert_eq!(level("GHC-9.0.2 rts_thr_l", true, |_| true), Level::NotApplicable);
        assert_eq!(finding(ClassPaused::ID, Play::caps(1).run(0, 7, MS)).level, Level::NotApplicable);
    }
}
