//! `gc-unbalanced`: the threads of parallel collections do not share the work.

use super::{Asked, Judgement, Limit, Rule, Sentence, Usual, Value, WORTH};

pub(super) struct GcUnbalanced;

const BALANCE: Limit =
    Limit::share("balance", 0.20, "one thread copies nearly all, and the others only cost time to start and stop");
const SHARE: Limit = Limit::share("share of the time in collections", 0.10, "below it, there is little to gain");

impl Rule for GcUnbalanced {
    const ID: &'static str = "gc-unbalanced";
    const TITLE: &'static str = "Unbalanced parallel collections";
    const FINE: &'static str = "Balance of parallel collections";
    const ABOUT: &'static str = "Of all that parallel collections copy, little is evenly shared between their threads, and collections take a large share of the time.";
    const LIMITS: &'static [Limit] = &[BALANCE, SHARE, WORTH];
    const USUAL: Option<Usual> =
        Some(Usual { figures: &["gc.balance"], words: "Less than {} is little.", limits: &[BALANCE] });
    const TRY: &'static str =
        "`-qg`: no parallel collections; `-qn2`: fewer threads for them; `-A64m`: fewer collections";
    const EXPLAINS: &'static [&'static str] = &["gc-share"];

    fn judge(of: &Asked<'_>) -> Judgement {
        let gc = &of.facts.gc;
        let (Some(share), Some(elapsed)) = (gc.share, gc.elapsed) else {
            return Judgement::lacks(gc.lacks, "The log has no collections.");
        };
        let Some(balance) = gc.balance.filter(|_| gc.parallel > Some(0) && of.facts.caps.count > 1) else {
            return Judgement::not_applicable(
                "No collection was parallel, or the runtime does not tell how the work was shared (before GHC 8.4).",
            );
        };
        if balance >= BALANCE.of() || share <= SHARE.of() || elapsed < WORTH.nanos() {
            return Judgement::fine("Parallel collections share {} of the copying evenly.", [Value::Share(balance)]);
        }
        let text = Sentence::new(
            "Parallel collections share only {} of the copying evenly: one thread does nearly all of it. Collections take {} of the time.",
            [Value::Share(balance), Value::Share(share)],
        );
        let parallel = of.collections().iter().filter(|gc| gc.is_parallel());
        let worst = parallel.max_by_key(|gc| {
            u64::from(10_000 - gc.balance.unwrap_or(10_000).min(10_000)).saturating_mul(gc.elapsed().0)
        });
        Judgement::found(true, text, of.stop_of_all(elapsed), worst.map(|gc| of.pause(gc)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{Gc, MS, Play, finding},
    };

    fn level(gc: Gc, run: u64) -> Level {
        finding(GcUnbalanced::ID, Play::caps(2).each(30, |play| play.run(0, 7, run).gc(0, gc))).level
    }

    #[test]
    fn threads_that_share_little_are_found() {
        let gc = Gc { threads: 2, balanced: 100, ..Gc::MINOR };
        assert_eq!(level(gc, 3 * MS), Level::Warning);
        assert_eq!(level(gc, 90 * MS), Level::Fine, "little time in collections");
        assert_eq!(level(Gc { balanced: 700, ..gc }, 3 * MS), Level::Fine);
        assert_eq!(level(Gc { threads: 1, ..gc }, 3 * MS), Level::NotApplicable);
    }
}
