//! `heap-retained`: the runtime holds much more memory than is live.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value};
use crate::{
    terms::{evidence::Evidence, track::TrackId},
    tracks::heap,
};

pub(super) struct HeapRetained;

const FACTOR: Limit = Limit::number(
    "heap, times the live data",
    4.0,
    "2 + F (`-F`, by default 2): copying takes twice the live data, and the old generation may double before the next collection",
);
const WORTH: Limit = Limit::bytes("memory that matters", 64 << 20, "less is not worth a look");

impl Rule for HeapRetained {
    const ID: &'static str = "heap-retained";
    const TITLE: &'static str = "Memory held by the runtime";
    const ABOUT: &'static str =
        "At the end, the heap is much larger than the live data and the allocation areas explain.";
    const LIMITS: &'static [Limit] = &[FACTOR, WORTH];
    const TRY: &'static str =
        "`-Fd4` (give memory back sooner), `--nonmoving-gc`; look for pinned data such as long-lived bytestrings";

    fn judge(of: &Asked<'_>) -> Judgement {
        let heap = &of.facts.heap;
        let (Some(live), Some(size)) = (heap.last_live, of.scope.last::<heap::Size>()) else {
            return Judgement::lacks(
                heap.lacks,
                "The log has no size of the live data: there was no major collection.",
            );
        };
        let areas = of.facts.process.alloc_area.unwrap_or(4 << 20).saturating_mul(of.facts.caps.count);
        let usual = live.value.saturating_mul(FACTOR.whole()).saturating_add(areas);
        let beyond = size.value.saturating_sub(usual);
        if beyond < WORTH.whole() {
            return Judgement::fine(
                "The heap takes {}, of which {} are live.",
                [size.value, live.value].map(Value::Bytes),
            );
        }
        let text = Sentence::new(
            "At the end, the heap takes {} for {} of live data: {} more than is usual.",
            [size.value, live.value, beyond].map(Value::Bytes),
        );
        let since = live.at.unwrap_or_default();
        let evidence =
            Evidence::of(since, of.times().1, "since the last major collection").track(TrackId::of::<heap::Size>(0));
        Judgement::found(false, text, Stake::Bytes(beyond), [evidence])
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
    fn a_heap_much_larger_than_its_data_is_found() {
        let level = |live, size| {
            let play = Play::caps(1).heap_info(1 << 20, 0).run(0, 7, MS).major(0, MS);
            finding(HeapRetained::ID, play.bytes(0, "HEAP_LIVE", live).bytes(0, "HEAP_SIZE", size)).level
        };
        assert_eq!([level(10 << 20, 200 << 20), level(10 << 20, 50 << 20)], [Level::Info, Level::Fine]);
        assert_eq!(finding(HeapRetained::ID, Play::caps(1).run(0, 7, MS).collect(0, MS)).level, Level::NotApplicable);
    }
}
