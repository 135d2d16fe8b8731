//! `heap-limit`: live data comes near the limit of the heap.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value};
use crate::{
    findings::asked::ratio,
    keeping::rts_flags::Compacts,
    terms::{evidence::Evidence, track::TrackId},
    tracks::heap,
};

pub(super) struct HeapLimit;

const SHARE: Limit = Limit::share(
    "live data, of -M",
    0.30,
    "from there on the runtime compacts in place of copying (-c, by default 30 %), which is slower",
);

impl Rule for HeapLimit {
    const ID: &'static str = "heap-limit";
    const TITLE: &'static str = "Near the limit of the heap";
    const FINE: &'static str = "Distance to the limit of the heap";
    const ABOUT: &'static str = "Live data takes a large part of the most that the heap may have: the runtime begins to compact, and collections become slow.";
    const LIMITS: &'static [Limit] = &[SHARE];
    const TRY: &'static str = "a larger `-M`; less live data";
    const EXPLAINS: &'static [&'static str] = &["gc-share", "gc-long-pause"];

    fn judge(of: &Asked<'_>) -> Judgement {
        let Some(most) = of.facts.process.max_heap else {
            return Judgement::not_applicable("The heap has no limit (-M), or the log does not say.");
        };
        let Some(live) = of.facts.heap.max_live else {
            return Judgement::lacks(
                of.facts.heap.lacks,
                "The log has no size of the live data: there was no major collection.",
            );
        };
        let least = match of.flags().compacts {
            Some(Compacts::Always) => {
                return Judgement::not_applicable("The runtime compacts in any case (-c), whatever the limit is.");
            }
            Some(Compacts::From(thousandths)) => thousandths as f64 / 1000.0,
            None => SHARE.of(),
        };
        let share = ratio(live.value, most);
        if share <= least {
            return Judgement::fine("Live data takes {} of the heap's limit at most.", [Value::Share(share)]);
        }
        let text = Sentence::new(
            "Live data takes up to {}, which is {} of the limit ({}): the runtime compacts in place of copying, and collections become slow.",
            [Value::Bytes(live.value), Value::Share(share), Value::Bytes(most)],
        );
        let at = live.at.unwrap_or_default();
        let evidence = Evidence::of(at, at, "most live data").track(TrackId::of::<heap::Live>(0));
        Judgement::found(true, text, Stake::Bytes(live.value), [evidence])
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
    fn much_live_data_under_a_limit_is_found() {
        let level = |most, live| {
            let play = Play::caps(1).heap_info(1 << 20, most).run(0, 7, MS).major(0, MS).bytes(0, "HEAP_LIVE", live);
            finding(HeapLimit::ID, play).level
        };
        assert_eq!([level(100, 40), level(100, 20), level(0, 40)], [Level::Warning, Level::Fine, Level::NotApplicable]);
        // The runtime compacts from elsewhere on, or always.
        let level = |args: &str, live| {
            let play = Play::caps(1).args(args).heap_info(1 << 20, 100).run(0, 7, MS).major(0, MS);
            finding(HeapLimit::ID, play.bytes(0, "HEAP_LIVE", live)).level
        };
        let levels = [level("p +RTS -c50", 40), level("p +RTS -c50", 60), level("p +RTS -c", 60)];
        assert_eq!(levels, [Level::Fine, Level::Warning, Level::NotApplicable]);
    }
}
