//! `gc-share`: too much of the time goes to collections.

use super::{Asked, Judgement, Limit, Rule, Sentence, Usual, Value, WORTH};
use crate::{
    findings::asked::ratio,
    keeping::rts_flags::Compacts,
    terms::{evidence::Evidence, track::TrackId},
};
use ghc_eventlog::Nanos;

pub(super) struct GcShare;

const WARNING: Limit = Limit::share("share of the time, warning", 0.10, "JDK Mission Control warns from there on");
const INFO: Limit = Limit::share("share of the time, info", 0.05, "a few percent are usual");
const WINDOW: Limit = Limit::time(
    "the worst stretch of this length counts",
    Nanos(60_000_000_000),
    "a short bad phase must not vanish in a long log; a shorter log counts as a whole",
);

/// What `-F` is by default, in thousandths.
const USUAL_GROWTH: u64 = 2000;

impl Rule for GcShare {
    const ID: &'static str = "gc-share";
    const TITLE: &'static str = "Time in garbage collection";
    const FINE: &'static str = "Time in garbage collection";
    const ABOUT: &'static str = "Collections take a large share of the time in the worst minute, or in the whole log if it is shorter. It is no warning for a log with a heap profile, whose censuses are collections.";
    const LIMITS: &'static [Limit] = &[WARNING, INFO, WINDOW, WORTH];
    const USUAL: Option<Usual> = Some(Usual {
        figures: &["gc.share", "gc.elapsed_ns", "gc.productivity"],
        words: "Collections usually take up to {} of the time; more than {} is a warning.",
        limits: &[INFO, WARNING],
    });
    const TRY: &'static str = "`-A64m`: a larger allocation area; fewer allocations: a heap profile by cost centre (`-hc`) or type (`-hT`) shows what is kept|fewer allocations: the heap profile shows what is kept";

    fn judge(of: &Asked<'_>) -> Judgement {
        let gc = &of.facts.gc;
        let (Some(elapsed), Some(share)) = (gc.elapsed, gc.share) else {
            return Judgement::lacks(gc.lacks, "The log has no collections.");
        };
        let (worst, share_there) = worst_share(of, share);
        let is_all = of.extent() <= WINDOW.nanos() || share_there <= share;
        let productivity = Value::Share((1.0 - share_there).max(0.0));
        let length = if worst.length > WINDOW.nanos() { Value::Duration(worst.length) } else { Value::words("minute") };
        if share_there <= INFO.of() || elapsed < WORTH.nanos() {
            let mut text = Sentence::new("Collections take {} of the time.", [Value::Share(share)]);
            if worst.slice.is_some() && !is_all {
                text.add(" In the worst {}, they take {} at least.", [length, Value::Share(share_there)]);
            }
            return Judgement::Fine(text);
        }
        let mut text = if is_all {
            Sentence::new(
                "Collections take {} of the time ({} in all). In the other {}, the program ran or waited.",
                [Value::Share(share), Value::Duration(elapsed), productivity],
            )
        } else {
            Sentence::new(
                "In the worst {}, collections take {} of the time; in the other {}, the program ran or waited. In the whole log they take {}.",
                [length, Value::Share(share_there), productivity, Value::Share(share)],
            )
        };
        let (from, to) = if is_all { of.times() } else { (worst.from, worst.to) };
        let label = match is_all {
            true => "the whole log",
            false if worst.length > WINDOW.nanos() => "the worst stretch",
            false => "the worst minute",
        };
        let longest = of.collections().iter().max_by_key(|gc| gc.elapsed()).map(|gc| of.pause(gc));
        let evidence = [Evidence::of(from, to, label).track(TrackId::COLLECTIONS)].into_iter().chain(longest);
        if let Some(slice) = worst.slice.filter(|_| !is_all) {
            text.add(
                " There are too many collections to keep all: when that was is known to within {}, and they may take more of it.",
                [Value::Duration(slice)],
            );
        }
        if has_censuses(of) {
            text.add(" Without the heap profile, collections would take less.", []);
        }
        let flags = of.flags();
        if flags.compacts == Some(Compacts::Always) {
            text.add(" The program asks for compacting (-c), which takes longer than copying.", []);
        }
        if let Some(growth) = flags.growth.filter(|growth| *growth < USUAL_GROWTH) {
            let factor = Value::words(alloc::format!("{}.{:03}", growth / 1000, growth % 1000));
            text.add(" Major collections come more often than by default, since -F is {} (by default 2).", [factor]);
        }
        Judgement::found(Self::is_grave(of), text, of.stop_of_all(elapsed), evidence)
    }
}

impl GcShare {
    /// Whether so much of the time goes to collections that it is a warning.
    pub(super) fn is_grave(of: &Asked<'_>) -> bool {
        let gc = &of.facts.gc;
        let is_much = gc.share.is_some_and(|share| worst_share(of, share).1 > WARNING.of());
        is_much && gc.elapsed >= Some(WORTH.nanos()) && !has_censuses(of)
    }
}

/// The worst stretch, and the share of collections there; `share` is that of the whole log.
fn worst_share(of: &Asked<'_>, share: f64) -> (Worst, f64) {
    let (begin, end) = of.times();
    let worst = if of.known().stores.collections.is_capped() {
        let (view, each) = of.known().stores.collections.in_slices();
        let slice = Nanos(view.pixel() as u64);
        let of_slice = |at: usize| {
            let start = view.from.plus(Nanos(slice.0.saturating_mul(at as u64)));
            Some((start, start.plus(slice).min(end), Nanos(*each.get(at)? as u64)))
        };
        Worst { slice: Some(slice), ..worst(&of_slice, WINDOW.nanos().max(slice), (begin, end)) }
    } else {
        let all = of.collections();
        worst(&|at| all.get(at).map(|gc| (gc.start, gc.end, gc.elapsed())), WINDOW.nanos(), (begin, end))
    };
    let there = ratio(worst.pauses.0, worst.to.since(worst.from).0).max(share).min(1.0);
    (worst, there)
}

/// Whether collections take censuses, too.
fn has_censuses(of: &Asked<'_>) -> bool {
    of.facts.heap_profile.censuses > Some(0)
}

/// The stretch of a length with most pauses.
struct Worst {
    from: Nanos,
    to: Nanos,
    pauses: Nanos,
    length: Nanos,
    /// If not all collections are kept: how long the slices of the log are of which their time is known.
    slice: Option<Nanos>,
}

/// `of` has the begins, the ends and the times of all collections, or of slices. The stretch ends with one, and has all that begin in it.
fn worst(of: &dyn Fn(usize) -> Option<(Nanos, Nanos, Nanos)>, length: Nanos, (begin, end): (Nanos, Nanos)) -> Worst {
    let mut worst = Worst { from: begin, to: begin.plus(length).min(end), pauses: Nanos(0), length, slice: None };
    let (mut first, mut sum, mut at) = (0, Nanos(0), 0);
    while let Some((_, until, time)) = of(at) {
        at += 1;
        sum = sum.plus(time);
        while let Some((.., gone)) = of(first).filter(|(start, ..)| start.plus(length) < until) {
            sum = sum.since(gone);
            first += 1;
        }
        if sum > worst.pauses {
            let from = begin.max(until.since(length));
            worst = Worst { from, to: from.plus(length).min(end), pauses: sum, ..worst };
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level, Stake,
        testing::{MS, Play, finding},
    };

    #[test]
    fn a_large_share_is_found() {
        let found = finding(GcShare::ID, Play::caps(1).each(20, |play| play.run(0, 7, 3 * MS).collect(0, 2 * MS)));
        assert_eq!(found.level, Level::Warning);
        assert!(found.text.text(Nanos(0)).contains("40."), "{found:?}");
        assert_eq!(found.stake, Stake::Time(Nanos(40 * MS)));
    }

    #[test]
    fn a_small_share_is_fine_and_so_is_a_large_one_of_next_to_nothing() {
        let level = |play: Play| finding(GcShare::ID, play).level;
        assert_eq!(level(Play::caps(1).each(20, |play| play.run(0, 7, 99 * MS).collect(0, MS))), Level::Fine);
        assert_eq!(level(Play::caps(1).each(2, |play| play.run(0, 7, 3 * MS).collect(0, 2 * MS))), Level::Fine);
    }

    #[test]
    fn it_names_flags_that_make_collections_slow_or_frequent() {
        let text = |args: &str| {
            let play = Play::caps(1).args(args).each(20, |play| play.run(0, 7, 3 * MS).collect(0, 2 * MS));
            finding(GcShare::ID, play).text.text(Nanos(0))
        };
        assert!(text("prog +RTS -l -c").contains("(-c)"));
        assert!(text("prog +RTS -l -F1.2").contains("-F is 1.200"), "{}", text("prog +RTS -l -F1.2"));
        assert!(!text("prog +RTS -l -F4 -c30").contains("-c") && !text("prog +RTS -l -F4").contains("-F"));
    }

    #[test]
    fn a_log_without_collections_does_not_tell() {
        let found = finding(GcShare::ID, Play::caps(1).args("prog +RTS -l-g").run(0, 7, MS));
        assert_eq!((found.level, found.needs), (Level::NotApplicable, Some("-lg")));
    }

    /// Only the worst minute counts.
    #[test]
    fn a_bad_minute_does_not_vanish_in_a_long_log() {
        let calm = |play: Play| play.run(0, 7, 1000 * MS).collect(0, MS);
        let busy = |play: Play| play.run(0, 7, 800 * MS).collect(0, 200 * MS);
        let found = finding(GcShare::ID, Play::caps(1).each(1000, calm).each(60, busy).each(1000, calm));
        assert_eq!(found.level, Level::Warning);
        assert_eq!(found.evidence[0].label, "the worst minute");
        assert!(found.evidence[0].length() <= WINDOW.nanos());
        assert!(found.text.text(Nanos(0)).contains("take 20.0 % of the time"), "{}", found.text.text(Nanos(0)));
    }

    /// Most collections are in one minute, and few of them are kept.
    #[test]
    fn the_worst_minute_is_found_among_more_collections_than_are_kept() {
        let many = 2 * crate::limits::MAX_COLLECTIONS as u64;
        let (in_minute, calm) = (60_000 * MS / many, 10 * MS);
        let found = |share: u64| {
            let (few, pause) = (many / 6, in_minute * share / 100);
            let calm = |play: Play| play.run(0, 7, calm).collect(0, 1000);
            let busy = |play: Play| play.run(0, 7, in_minute - pause).collect(0, pause);
            finding(GcShare::ID, Play::caps(1).each(few, calm).each(many, busy).each(few, calm))
        };
        let bad = found(25);
        let (text, (from, to)) = (bad.text.text(Nanos(0)), (bad.evidence[0].from, bad.evidence[0].to));
        assert_eq!(bad.level, Level::Warning, "{text}");
        assert_eq!(bad.evidence[0].label, "the worst minute");
        assert!(
            text.starts_with("In the worst minute, collections take 25.0 %") && text.contains("known to within 1"),
            "{text}"
        );
        let begin = many / 6 * calm;
        assert!(
            from.0.abs_diff(begin) < 3000 * MS && to.0.abs_diff(begin + 60_000 * MS) < 3000 * MS,
            "{from:?} {to:?}"
        );
        let fine = found(4);
        let text = fine.text.text(Nanos(0));
        assert!(fine.level == Level::Fine && text.contains(" In the worst minute, they take "), "{text}");
    }
}
