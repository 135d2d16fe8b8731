//! `heap-retained`: the runtime holds much more memory than is live.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, exit};
use crate::{
    keeping::rts_flags::Compacts,
    terms::{evidence::Evidence, track::TrackId},
    tracks::heap,
};

pub(super) struct HeapRetained;

const GROWTH: Limit = Limit::number(
    "heap for growth, times the live data",
    2.0,
    "-F, by default 2: the old generation may double before the next major collection",
);
const COPIES: Limit = Limit::number(
    "heap for copying, times the live data",
    2.0,
    "copying takes twice the live data; compacting (-c) needs it once",
);
const WORTH: Limit = Limit::bytes("memory that matters", 64 << 20, "less is not worth a look");

impl Rule for HeapRetained {
    const ID: &'static str = "heap-retained";
    const TITLE: &'static str = "Memory held by the runtime";
    const FINE: &'static str = "Memory held by the runtime";
    const ABOUT: &'static str = "Near the end, before the runtime's last collection, the heap is much larger than the live data and the allocation areas explain.";
    const LIMITS: &'static [Limit] = &[GROWTH, COPIES, WORTH, exit::SHARE, exit::TIME];
    const TRY: &'static str = "`-Fd1`: give memory back sooner (since GHC 9.2); `--nonmoving-gc`; look for pinned data such as long-lived bytestrings";

    fn judge(of: &Asked<'_>) -> Judgement {
        let heap = &of.facts.heap;
        if heap.max_live.is_none() || of.scope.last::<heap::Size>().is_none() {
            return Judgement::lacks(
                heap.lacks,
                "The log has no size of the live data: there was no major collection.",
            );
        }
        let (Some(live), Some(size)) = (exit::before::<heap::Live>(of).last(), exit::before::<heap::Size>(of).last())
        else {
            return Judgement::not_applicable(exit::NO_OTHER);
        };
        let beyond = size.value.saturating_sub(usual(of, live.value));
        if beyond < WORTH.whole() {
            return Judgement::fine(
                "Near the end, the heap takes {}, of which {} are live.",
                [size.value, live.value].map(Value::Bytes),
            );
        }
        let text = Sentence::new(
            "Near the end, the heap takes {} for {} of live data: {} more than is usual.",
            [size.value, live.value, beyond].map(Value::Bytes),
        );
        let evidence =
            Evidence::of(live.time, size.time.max(live.time), "since the last major collection before the end")
                .track(TrackId::of::<heap::Size>(0));
        Judgement::found(false, text, Stake::Bytes(beyond), [evidence])
    }
}

/// The size of a heap with so much live data, in which there is room for growth, copies and the allocation areas.
pub(super) fn usual(of: &Asked<'_>, live: u64) -> u64 {
    let areas = of.facts.process.alloc_area.unwrap_or(4 << 20).saturating_mul(of.facts.caps.count);
    let flags = of.flags();
    let growth = flags.growth.map_or(GROWTH.of(), |thousandths| thousandths as f64 / 1000.0);
    let copies = if flags.compacts == Some(Compacts::Always) { 1.0 } else { COPIES.of() };
    ((live as f64 * (growth + copies)) as u64).saturating_add(areas)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{MS, Play, finding},
    };
    use ghc_eventlog::Nanos;

    #[test]
    fn a_heap_much_larger_than_its_data_is_found() {
        let level = |live, size| {
            let play = Play::caps(1).heap_info(1 << 20, 0).run(0, 7, MS).major(0, MS);
            finding(HeapRetained::ID, play.bytes(0, "HEAP_LIVE", live).bytes(0, "HEAP_SIZE", size).run(0, 7, 50 * MS))
                .level
        };
        assert_eq!([level(10 << 20, 200 << 20), level(10 << 20, 50 << 20)], [Level::Info, Level::Fine]);
        assert_eq!(finding(HeapRetained::ID, Play::caps(1).run(0, 7, MS).collect(0, MS)).level, Level::NotApplicable);
        // What is usual depends on the flags.
        let level = |args: &str| {
            let play = Play::caps(1).args(args).heap_info(1 << 20, 0).run(0, 7, MS).major(0, MS);
            let play = play.bytes(0, "HEAP_LIVE", 100 << 20).bytes(0, "HEAP_SIZE", 440 << 20);
            finding(HeapRetained::ID, play.run(0, 7, 50 * MS)).level
        };
        let levels = ["prog +RTS -l", "prog +RTS -l -F1.5", "prog +RTS -l -F4", "prog +RTS -l -c"].map(level);
        assert_eq!(levels, [Level::Fine, Level::Info, Level::Fine, Level::Info]);
    }

    /// There, the heap is still as large as before, and nothing is live any more.
    #[test]
    fn the_end_of_the_program_is_not_judged() {
        let sizes = |play: Play, live, size| play.bytes(0, "HEAP_LIVE", live).bytes(0, "HEAP_SIZE", size);
        let play = sizes(Play::caps(1).heap_info(1 << 20, 0).run(0, 7, MS).major(0, MS), 100 << 20, 300 << 20);
        let found = finding(HeapRetained::ID, sizes(play.run(0, 7, 50 * MS).major(0, MS), 1 << 10, 200 << 20));
        let text = "Near the end, the heap takes 300 MiB, of which 100 MiB are live.";
        assert_eq!((found.level, &*found.text.text(Nanos(0))), (Level::Fine, text));
        let play = sizes(Play::caps(1).run(0, 7, 50 * MS).major(0, MS), 1 << 10, 200 << 20);
        assert_eq!(finding(HeapRetained::ID, play).level, Level::NotApplicable);
    }
}
