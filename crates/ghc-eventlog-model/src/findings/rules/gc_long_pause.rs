//! `gc-long-pause`: a major collection stops the program for long.

use super::gc_share::GcShare;
use super::{Asked, Judgement, Limit, Rule, Sentence, Usual, Value};
use crate::{findings::asked::ratio, keeping::rts_flags::Compacts, limits};
use ghc_eventlog::Nanos;

pub(super) struct GcLongPause;

const PAUSE: Limit = Limit::time("a major pause", limits::LONG_PAUSE, "people and deadlines notice such a pause");
const GRAVE: Limit =
    Limit::time("a major pause, warning", Nanos(200_000_000), "a request that waits for it is late by most standards");
const SPEED: Limit = Limit::bytes(
    "copied in a second, live data included, for the other advice",
    20_000_000,
    "collections handle some hundred megabytes a second: if they come to less, they were kept from working",
);
const SHARE: Limit = Limit::share(
    "all such pauses, of the time in collections, warning",
    0.50,
    "if collections take so much of the time that this is a warning, these pauses are why",
);
const SHOWN: usize = 5;

impl Rule for GcLongPause {
    const ID: &'static str = "gc-long-pause";
    const TITLE: &'static str = "Long pauses";
    const FINE: &'static str = "Length of pauses";
    const ABOUT: &'static str = "A major collection stops the program for long. It is a warning, too, if such pauses are most of what gc-share warns of.";
    const LIMITS: &'static [Limit] = &[PAUSE, GRAVE, SHARE, SPEED];
    const USUAL: Option<Usual> = Some(Usual {
        figures: &["gc.pause_ns.max", "gc.major_ns"],
        words: "A pause longer than {} is noticed.",
        limits: &[PAUSE],
    });
    const TRY: &'static str = "`--nonmoving-gc`; less live data; compact regions for data that stays";
    const TRY_ELSE: &'static str = "no more capabilities than cores (`-N`); no other busy program on the machine; enough memory, so that none is paged";
    const EXPLAINS: &'static [&'static str] = &["gc-share"];

    fn judge(of: &Asked<'_>) -> Judgement {
        if of.facts.gc.elapsed.is_none() {
            return Judgement::lacks(of.facts.gc.lacks, "The log has no collections.");
        }
        let mut majors: alloc::vec::Vec<_> = of.collections().iter().filter(|gc| of.is_major(gc)).copied().collect();
        crate::sorting::sort_by_number(&mut majors, |gc| !gc.elapsed().0);
        // Of all of them, also those without a row.
        let long = of.known().stores.collections.long_majors();
        let Some(longest) = majors.first().filter(|_| long.count > 0) else {
            return match long.longest {
                Nanos(0) => Judgement::not_applicable("There was no major collection."),
                longest => Judgement::fine("The longest major pause is {}.", [Value::Duration(longest)]),
            };
        };
        let compacts = of.flags().compacts == Some(Compacts::Always);
        let mut text = Sentence::new(
            "The longest major pause is {}, in which {} were copied.",
            [Value::Duration(long.longest), Value::Bytes(longest.copied_bytes)],
        );
        let limit = Value::Duration(PAUSE.nanos());
        match long.count {
            1 => text.add(" No other one is longer than {}.", [limit]),
            _ => text.add(" {} major pauses are longer than {}.", [Value::Count(long.count), limit]),
        }
        // Data that is not copied, such as large arrays, is gone through all the same.
        let handled = longest.copied_bytes.saturating_add(of.facts.heap.max_live.map_or(0, |live| live.value));
        let is_held_up = handled as f64 * 1e9 < SPEED.of() * longest.elapsed().0 as f64 && !compacts;
        if is_held_up {
            text.add(" That is no work for so long: the operating system probably took the core away meanwhile, or memory was paged.", []);
        }
        if compacts {
            text.add(" The program asks for compacting (-c), which takes longer than copying.", []);
        }
        let evidence = majors.iter().take(SHOWN.min(long.count as usize)).map(|gc| of.pause(gc));
        let is_most = ratio(long.sum.0, of.facts.gc.elapsed.unwrap_or_default().0) > SHARE.of();
        let is_grave = long.longest > GRAVE.nanos() || is_most && GcShare::is_grave(of);
        Judgement::found(is_grave, text, of.stop_of_all(long.sum), evidence).or_else(is_held_up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{Gc, MS, Play, finding},
    };

    #[test]
    fn a_long_major_pause_is_found() {
        let found =
            finding(GcLongPause::ID, Play::caps(1).run(0, 7, MS).major(0, 300 * MS).run(0, 7, MS).major(0, 60 * MS));
        assert_eq!(found.level, Level::Warning);
        let pauses: Vec<u64> = found.evidence.iter().map(|pause| pause.length().0).collect();
        assert_eq!(pauses, [300 * MS, 60 * MS]);
        assert_eq!(finding(GcLongPause::ID, Play::caps(1).run(0, 7, 2000 * MS).major(0, 60 * MS)).level, Level::Info);
    }

    #[test]
    fn pauses_that_are_most_of_a_large_share_are_grave() {
        let level = |run: u64, pause: u64| {
            let play =
                Play::caps(1).each(5, |play| play.run(0, 7, run).major(0, pause).run(0, 7, MS).collect(0, 20 * MS));
            finding(GcLongPause::ID, play).level
        };
        assert_eq!([level(400 * MS, 90 * MS), level(2000 * MS, 90 * MS)], [Level::Warning, Level::Info]);
    }

    /// The same pause, copying little and much.
    #[test]
    fn a_pause_in_which_little_was_copied_is_not_for_copying() {
        let found = |copied| {
            let gc = Gc { generation: 1, length: 60 * MS, copied, ..Gc::MINOR };
            finding(GcLongPause::ID, Play::caps(1).run(0, 7, MS).gc(0, gc))
        };
        let (little, much) = (found(16 << 10), found(20 << 20));
        assert!(little.text.text(Nanos(0)).contains("took the core") && little.remedy.contains("cores"), "{little:?}");
        assert!(!much.text.text(Nanos(0)).contains("took the core") && much.remedy.contains("nonmoving"), "{much:?}");
    }

    #[test]
    fn short_pauses_and_long_minor_ones_are_not() {
        assert_eq!(
            finding(GcLongPause::ID, Play::caps(1).run(0, 7, MS).major(0, MS).collect(0, 90 * MS)).level,
            Level::Fine
        );
    }

    #[test]
    fn without_a_major_collection_it_does_not_apply() {
        assert_eq!(finding(GcLongPause::ID, Play::caps(1).run(0, 7, MS).collect(0, MS)).level, Level::NotApplicable);
    }

    use alloc::vec::Vec;
}
