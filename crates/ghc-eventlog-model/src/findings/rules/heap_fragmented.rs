//! `heap-fragmented`: few live objects hold many blocks.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value};
use crate::{findings::asked::ratio, terms::track::TrackId, tracks::heap};

pub(super) struct HeapFragmented;

const SHARE: Limit = Limit::share("fragmentation, of the heap", 0.25, "some is usual, since memory is given back late");
const FALL: Limit =
    Limit::share("live data, of the most before", 0.75, "only after it fell can blocks be held by what is left");
const WORTH: Limit = Limit::bytes("memory that matters", 32 << 20, "less is not worth a look");

impl Rule for HeapFragmented {
    const ID: &'static str = "heap-fragmented";
    const TITLE: &'static str = "Fragmented heap";
    const FINE: &'static str = "Fragmentation of the heap";
    const ABOUT: &'static str =
        "After live data fell, a large part of the heap is held but not used, as the last major collection says.";
    const LIMITS: &'static [Limit] = &[SHARE, FALL, WORTH];
    const TRY: &'static str = "copy small slices of pinned data such as bytestrings (`Data.ByteString.copy`)";

    fn judge(of: &Asked<'_>) -> Judgement {
        let heap = &of.facts.heap;
        let last = of.collections().iter().rev().find(|gc| of.is_major(gc));
        let (Some(gc), Some(most), Some(live), Some(size)) =
            (last, heap.max_live, heap.last_live, of.scope.last::<heap::Size>())
        else {
            return Judgement::lacks(
                heap.lacks,
                "The log has no size of the live data: there was no major collection.",
            );
        };
        if live.value as f64 > FALL.of() * most.value as f64 {
            return Judgement::not_applicable("Live data did not fall.");
        }
        let share = ratio(gc.fragmentation_bytes, size.value);
        if share < SHARE.of() || gc.fragmentation_bytes < WORTH.whole() {
            return Judgement::fine("{} of the heap is held but not used.", [Value::Bytes(gc.fragmentation_bytes)]);
        }
        let text = Sentence::new(
            "After live data fell from {} to {}, {} of the heap ({}) is held but not used.",
            [
                Value::Bytes(most.value),
                Value::Bytes(live.value),
                Value::Bytes(gc.fragmentation_bytes),
                Value::Share(share.min(1.0)),
            ],
        );
        let evidence = of.pause(gc).track(TrackId::of::<heap::Size>(0));
        Judgement::found(false, text, Stake::Bytes(gc.fragmentation_bytes), [evidence])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{MS, Play, finding},
    };

    fn level(first: u64, last: u64, fragmentation: u64) -> Level {
        let stats = [("capset", 0), ("generation", 1), ("fragmentation_bytes", fragmentation), ("par_threads", 1)];
        let all =
            ["copied_bytes", "slop_bytes", "par_max_copied_bytes", "par_total_copied_bytes"].map(|name| (name, 0));
        let stats: alloc::vec::Vec<_> = stats.into_iter().chain(all).collect();
        let play = Play::caps(1).run(0, 7, MS).major(0, MS).bytes(0, "HEAP_LIVE", first).wait(MS);
        let play =
            play.event(0, "GC_START", &[]).event(0, "GC_GLOBAL_SYNC", &[]).wait(MS).event(0, "GC_STATS_GHC", &stats);
        let play = play.event(0, "GC_END", &[]).bytes(0, "HEAP_LIVE", last).bytes(0, "HEAP_SIZE", 200 << 20);
        finding(HeapFragmented::ID, play).level
    }

    #[test]
    fn memory_that_is_held_by_little_is_found() {
        assert_eq!(level(100 << 20, 10 << 20, 100 << 20), Level::Info);
        assert_eq!(level(100 << 20, 10 << 20, 20 << 20), Level::Fine);
        assert_eq!(level(100 << 20, 90 << 20, 100 << 20), Level::NotApplicable);
    }
}
