//! `gc-small-nursery`: with many capabilities, collections come too often.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, WORTH};
use crate::{
    findings::asked::PENDING,
    terms::{evidence::Evidence, track::TrackId},
};

pub(super) struct GcSmallNursery;

const CAPS: Limit = Limit::number("capabilities", 8.0, "with few of them, stopping all is cheap");
const AREA: Limit = Limit::bytes("allocation area", 4 << 20, "the default, which is meant for one capability");
const RATE: Limit = Limit::number("minor collections a second", 100.0, "each stops all capabilities");
const SHARE: Limit =
    Limit::share("share of the time in collections, warning", 0.10, "below it, there is little to gain");

impl Rule for GcSmallNursery {
    const ID: &'static str = "gc-small-nursery";
    const TITLE: &'static str = "Small allocation area";
    const FINE: &'static str = "Size of the allocation area";
    const ABOUT: &'static str = "Many capabilities have a small allocation area each, and minor collections come often: each stops all of them.";
    const LIMITS: &'static [Limit] = &[CAPS, AREA, RATE, SHARE, WORTH];
    const TRY: &'static str = "`-A64m -n4m`|`-A64m`";
    const EXPLAINS: &'static [&'static str] = &["gc-share", "gc-unbalanced", "gc-nursery-unused"];

    fn judge(of: &Asked<'_>) -> Judgement {
        let (gc, process) = (&of.facts.gc, &of.facts.process);
        let caps = of.enabled();
        let (Some(count), Some(share), Some(area)) = (gc.count, gc.share, process.alloc_area) else {
            return Judgement::lacks(gc.lacks, "The log does not say how large the allocation area is.");
        };
        if caps < CAPS.whole() {
            let are_there = of.facts.caps.count >= CAPS.whole();
            let words = if are_there {
                "For most of the time, fewer than {} capabilities are there and enabled."
            } else {
                "There are fewer than {} capabilities."
            };
            return Judgement::not_applicable_with(words, [Value::Count(CAPS.whole())]);
        }
        let minors = count.saturating_sub(gc.major.unwrap_or_default());
        let rate = minors as f64 * 1e9 / (of.extent().0 as f64).max(1.0);
        if area > AREA.whole() || rate <= RATE.of() || gc.elapsed < Some(WORTH.nanos()) {
            let values = [Value::Bytes(area), Value::Count(rate as u64)];
            return Judgement::fine(
                "The allocation area is {} for each capability, and there are {} minor collections a second.",
                values,
            );
        }
        let text = Sentence::new(
            "There are {} minor collections a second, each of which stops {} capabilities: their allocation areas are only {} each.",
            [Value::Count(rate as u64), Value::Count(caps), Value::Bytes(area)],
        );
        let spent = of.spent(&["gc_sync_ns", "gc_wait_ns", "gc_ns", PENDING]);
        let is_grave = share > SHARE.of() || of.share_of_all(spent) > SHARE.of();
        let (from, to) = of.times();
        let evidence = Evidence::of(from, to, "the whole log").track(TrackId::COLLECTIONS);
        Judgement::found(is_grave, text, Stake::of_caps(spent), [evidence])
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
    fn many_collections_of_many_capabilities_are_found() {
        let level = |caps, area, run| {
            let play = Play::caps(caps).heap_info(area, 0).each(50, |play| play.run(0, 7, run).collect(0, MS));
            finding(GcSmallNursery::ID, play).level
        };
        assert_eq!(level(8, 1 << 20, 3 * MS), Level::Warning);
        assert_eq!(level(8, 64 << 20, 3 * MS), Level::Fine);
        assert_eq!(level(8, 1 << 20, 30 * MS), Level::Fine);
        assert_eq!(level(4, 1 << 20, 3 * MS), Level::NotApplicable);
    }
}
