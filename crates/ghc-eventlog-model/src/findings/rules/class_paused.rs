//! `class-paused`: a class of events stops while others go on.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, WORTH};
use crate::{
    findings::asked::ratio,
    keeping::occurring::Chosen,
    terms::{evidence::Evidence, machine::Watched},
};
use alloc::vec::Vec;
use ghc_eventlog::{GcEnd, GcStart, Nanos, RunThread, StopThread};

pub(super) struct ClassPaused;

const GAP: Limit = Limit::share("time without the class, of the log", 0.10, "a program may do without for a while");
const EXPECTED: Limit = Limit::number(
    "events of the class that the others make likely in that time",
    100.0,
    "fewer may be missing by chance",
);

/// Two classes that come together: what both are called, and their events.
const CLASSES: [(&str, [u16; 2]); 2] =
    [("Events of threads", [RunThread::TAG, StopThread::TAG]), ("Events of collections", [GcStart::TAG, GcEnd::TAG])];

/// The classes that a program may switch off, since GHC 10.
const WATCHED: [(&str, Watched); 3] = [
    ("Events of threads", Watched::Threads),
    ("Events of collections", Watched::Collections),
    ("Counts of sparks", Watched::Sparks),
];

impl Rule for ClassPaused {
    const ID: &'static str = "class-paused";
    const TITLE: &'static str = "Events of a class stop";
    const ABOUT: &'static str = "Events of threads or of collections are missing for a part of the log while the others go on, as where a program turned them off.";
    const LIMITS: &'static [Limit] = &[GAP, EXPECTED, WORTH];
    const TRY: &'static str = "";

    fn judge(of: &Asked<'_>) -> Judgement {
        let pauses = &of.known().stores.pauses;
        let found = if pauses.can_be {
            // The page knows them, too: it draws nothing there.
            let all =
                WATCHED.into_iter().flat_map(|(name, class)| pauses.of_class(class).map(move |times| (name, times)));
            let (_, end) = of.times();
            all.map(|(name, (from, to))| (name, from, to.min(end))).max_by_key(|(_, from, to)| to.since(*from))
        } else {
            match Self::guess(of) {
                Ok(found) => found,
                Err(why) => return Judgement::not_applicable(why),
            }
        };
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

impl ClassPaused {
    /// Before GHC 10, no class could be switched off; but a log may lack parts. The longest time without events of a class: its name, and
    /// from when to when.
    fn guess(of: &Asked<'_>) -> Result<Option<(&'static str, Nanos, Nanos)>, &'static str> {
        let index = &of.known().index;
        // Of each segment: when it is, and how many events of either class it has.
        let mut segments: Vec<(Nanos, Nanos, [u64; 2])> = (0..index.segments().len())
            .filter_map(|at| {
                let segment = index.segment(at as u32)?;
                let counts = CLASSES.map(|(_, tags)| index.count_of(at, &tags.into_iter().collect::<Chosen>()));
                Some((segment.first, segment.latest, counts))
            })
            .collect();
        crate::sorting::sort_by_number(&mut segments, |(first, ..)| first.0);
        if segments.len() < 3 || of.facts.caps.lacks.is_some() || of.facts.gc.lacks.is_some() {
            return Err("The log is too short, or has not both threads and collections.");
        }
        let total = segments.iter().fold([0; 2], |[one, other], (.., counts)| [one + counts[0], other + counts[1]]);
        let gaps = (0..2).filter_map(|class| Some((class, gap(&segments, class, total)?)));
        let longest = gaps.max_by_key(|(_, (from, to))| to.since(*from));
        Ok(longest.and_then(|(class, (from, to))| Some((CLASSES.get(class)?.0, from, to))))
    }
}

/// The longest time without events of a class, in which so many of the other came that some would be likely.
fn gap(segments: &[(Nanos, Nanos, [u64; 2])], class: usize, total: [u64; 2]) -> Option<(Nanos, Nanos)> {
    let of = |counts: [u64; 2], class: usize| counts.get(class).copied().unwrap_or_default();
    let last = segments.iter().map(|(_, latest, _)| *latest).max()?;
    let (mut longest, mut since, mut others) = (None, segments.first()?.0, 0u64);
    for (first, latest, counts) in segments.iter().copied().chain([(Nanos::MAX, Nanos::MAX, [1; 2])]) {
        if of(counts, class) == 0 {
            others += of(counts, 1 - class);
            continue;
        }
        let end = first.min(last);
        let elsewhere = of(total, 1 - class).saturating_sub(others);
        let expected = others as f64 * ratio(of(total, class), elsewhere);
        let length = |(from, to): (Nanos, Nanos)| to.since(from);
        if expected >= EXPECTED.of() && longest.is_none_or(|longest| length(longest) < end.since(since)) {
            longest = Some((since, end));
        }
        (since, others) = (since.max(latest), 0);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{MS, Play, finding},
    };

    fn level(collects: fn(u64) -> bool) -> Level {
        let of_time = |play: Play, at: u64| {
            let play = play.run(0, 7, MS / 10);
            if collects(at) { play.collect(0, 1000) } else { play }
        };
        finding(ClassPaused::ID, Play::caps(1).each_of(20_000, of_time)).level
    }

    #[test]
    fn a_class_that_stops_is_found() {
        assert_eq!(level(|at| at % 10 == 0 && !(6000..16_000).contains(&at)), Level::Info);
        assert_eq!(level(|at| at % 10 == 0), Level::Fine);
        assert_eq!(finding(ClassPaused::ID, Play::caps(1).run(0, 7, MS)).level, Level::NotApplicable);
    }
}
