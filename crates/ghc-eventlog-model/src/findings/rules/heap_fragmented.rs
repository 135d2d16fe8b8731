//! `heap-fragmented`: few live objects hold many blocks.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, exit, heap_retained};
use crate::{
    findings::asked::ratio,
    terms::{span::Collection, track::TrackId},
    tracks::heap,
};

pub(super) struct HeapFragmented;

const SHARE: Limit = Limit::share("fragmentation, of the heap", 0.25, "some is usual, since memory is given back late");
const FALL: Limit =
    Limit::share("live data, of the most before", 0.75, "only after it fell can blocks be held by what is left");
const WORTH: Limit = Limit::bytes("held beyond room for growth and copies", 32 << 20, "less is not worth a look");

impl Rule for HeapFragmented {
    const ID: &'static str = "heap-fragmented";
    const TITLE: &'static str = "Fragmented heap";
    const FINE: &'static str = "Fragmentation of the heap";
    const ABOUT: &'static str = "After live data fell, a large part of the heap is held but not used, beyond the room that is usual for growth and copies. The last major collection says so, except for one at the end of the program.";
    const LIMITS: &'static [Limit] = &[SHARE, FALL, WORTH, exit::SHARE, exit::TIME];
    const TRY: &'static str = "copy small slices of pinned data such as bytestrings (`Data.ByteString.copy`)";

    fn judge(of: &Asked<'_>) -> Judgement {
        if of.facts.heap.max_live.is_none() {
            return Judgement::lacks(
                of.facts.heap.lacks,
                "The log has no size of the live data: there was no major collection.",
            );
        }
        let sizes = exit::before::<heap::Live>(of);
        // If not all collections are kept, this may be one before the last. What it found is then said of its time.
        let is_before = |gc: &&Collection| of.is_major(gc) && sizes.last().is_some_and(|last| gc.end <= last.time);
        let Some(gc) = of.collections().iter().rev().find(is_before) else {
            return Judgement::not_applicable(exit::NO_OTHER);
        };
        let so_far = sizes.split_inclusive(|live| live.time >= gc.end).next().unwrap_or_default();
        let of_heap = of.samples::<heap::Size>();
        let size = of_heap.get(of_heap.partition_point(|size| size.time < gc.end)).or(of_heap.last());
        let (Some(most), Some(live), Some(size)) =
            (so_far.iter().map(|live| live.value).max(), so_far.last().map(|live| live.value), size)
        else {
            return Judgement::not_applicable("The log has no size of the heap.");
        };
        if live as f64 > FALL.of() * most as f64 {
            return Judgement::not_applicable("Live data did not fall.");
        }
        let share = ratio(gc.fragmentation_bytes, size.value);
        // Room for the live data to grow, and to be copied, is not used either.
        let beyond = size.value.saturating_sub(heap_retained::usual(of, live)).min(gc.fragmentation_bytes);
        if share < SHARE.of() || beyond < WORTH.whole() {
            let held = [Value::Bytes(gc.fragmentation_bytes)];
            let mut text = Sentence::new("{} of the heap is held but not used.", held);
            of.add_kept(&mut text);
            return Judgement::Fine(text);
        }
        let mut text = Sentence::new(
            "After live data fell from {} to {}, {} of the heap ({}) is held but not used.",
            [
                Value::Bytes(most),
                Value::Bytes(live),
                Value::Bytes(gc.fragmentation_bytes),
                Value::Share(share.min(1.0)),
            ],
        );
        of.add_kept(&mut text);
        let evidence = of.pause(gc).track(TrackId::of::<heap::Size>(0));
        Judgement::found(false, text, Stake::Bytes(beyond), [evidence])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Finding, Level,
        testing::{MS, Play, finding},
    };
    use ghc_eventlog::Nanos;

    /// After the last collection, the program runs on for a time.
    fn finding_of(first: u64, last: u64, fragmentation: u64, on: u64) -> Finding {
        let stats = [("capset", 0), ("generation", 1), ("fragmentation_bytes", fragmentation), ("par_threads", 1)];
        let all =
            ["copied_bytes", "slop_bytes", "par_max_copied_bytes", "par_total_copied_bytes"].map(|name| (name, 0));
        let stats: alloc::vec::Vec<_> = stats.into_iter().chain(all).collect();
        let play = Play::caps(1).run(0, 7, MS).major(0, MS).bytes(0, "HEAP_LIVE", first).wait(MS);
        let play =
            play.event(0, "GC_START", &[]).event(0, "GC_GLOBAL_SYNC", &[]).wait(MS).event(0, "GC_STATS_GHC", &stats);
        let play = play.event(0, "GC_END", &[]).bytes(0, "HEAP_LIVE", last).bytes(0, "HEAP_SIZE", 200 << 20);
        finding(HeapFragmented::ID, play.run(0, 7, on))
    }

    fn level(first: u64, last: u64, fragmentation: u64) -> Level {
        finding_of(first, last, fragmentation, 50 * MS).level
    }

    #[test]
    fn memory_that_is_held_by_little_is_found() {
        assert_eq!(level(100 << 20, 10 << 20, 100 << 20), Level::Info);
        assert_eq!(level(100 << 20, 10 << 20, 20 << 20), Level::Fine);
        assert_eq!(level(100 << 20, 90 << 20, 100 << 20), Level::NotApplicable);
        assert_eq!(
            level(100 << 20, 50 << 20, 150 << 20),
            Level::Fine,
            "the heap is four times as large as what is live"
        );
    }

    /// What it has let go of as it ends was in use before.
    #[test]
    fn the_end_of_the_program_is_not_judged() {
        let found = finding_of(100 << 20, 10 << 20, 100 << 20, 10 * MS);
        assert_eq!((found.level, found.text.text(Nanos(0))), (Level::NotApplicable, exit::NO_OTHER.into()));
    }
}
