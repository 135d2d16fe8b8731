//! `gc-nursery-unused`: one capability fills its allocation area while others' are empty.

use super::{Asked, Judgement, Limit, Rule, Sentence, Value, WORTH, one_cap};
use crate::{
    findings::asked::ratio,
    terms::{evidence::Evidence, track::TrackId},
};

pub(super) struct GcNurseryUnused;

const USED: Limit =
    Limit::share("of all allocation areas", 0.70, "chunks (-n) and large objects keep it from being all");
const COUNT: Limit =
    Limit::number("collections", 50.0, "of fewer, the last ones and those that were asked for count too much");
const SHARE: Limit = Limit::share("share of the time in collections", 0.05, "below it, there is little to gain");

impl Rule for GcNurseryUnused {
    const ID: &'static str = "gc-nursery-unused";
    const TITLE: &'static str = "Unused allocation areas";
    const FINE: &'static str = "Use of allocation areas";
    const ABOUT: &'static str = "Collections come when little of all allocation areas is used: one capability has filled its own, and the others' are empty.";
    const LIMITS: &'static [Limit] = &[USED, COUNT, SHARE, WORTH];
    const TRY: &'static str = "`-A64m -n4m`: chunks of a larger allocation area|`-n4m`: chunks of the allocation area|`-A64m`: a larger allocation area; more room for large objects (`-AL`)";
    const EXPLAINS: &'static [&'static str] = &["gc-share"];

    fn judge(of: &Asked<'_>) -> Judgement {
        let (gc, process) = (&of.facts.gc, &of.facts.process);
        let caps = of.enabled();
        let (Some(count), Some(area), Some(allocated)) = (gc.count, process.alloc_area, of.facts.heap.allocated) else {
            return Judgement::lacks(gc.lacks, "The log does not say how large the allocation area is.");
        };
        if let Some(one) = one_cap(of) {
            return one;
        }
        let between = allocated.checked_div(count).unwrap_or_default();
        let used = ratio(between, area.saturating_mul(caps));
        let matters = count >= COUNT.whole() && gc.share > Some(SHARE.of()) && gc.elapsed > Some(WORTH.nanos());
        if used >= USED.of() || !matters {
            return Judgement::fine(
                "Between two collections, {} of all allocation areas is used.",
                [Value::Share(used.min(1.0))],
            );
        }
        let text = Sentence::new(
            "Between two collections, only {} is allocated: {} of the allocation areas of {} capabilities.",
            [Value::Bytes(between), Value::Share(used), Value::Count(caps)],
        );
        let (from, to) = of.times();
        let evidence = Evidence::of(from, to, "the whole log").track(TrackId::COLLECTIONS);
        Judgement::found(false, text, of.stop_of_all(gc.minor_elapsed.unwrap_or_default()), [evidence])
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
    fn empty_areas_are_found() {
        let level = |caps: usize, each: u64| {
            let of_time =
                |play: Play, at: u64| play.run(0, 7, 5 * MS).collect(0, MS).bytes(0, "HEAP_ALLOCATED", at * each);
            finding(GcNurseryUnused::ID, Play::caps(caps).heap_info(1 << 20, 0).each_of(60, of_time)).level
        };
        assert_eq!(
            [level(4, 1 << 20), level(4, 4 << 20), level(1, 1 << 20)],
            [Level::Info, Level::Fine, Level::NotApplicable]
        );
    }
}
