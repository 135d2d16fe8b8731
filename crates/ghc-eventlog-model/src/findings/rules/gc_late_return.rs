//! `gc-late-return`: capabilities are held up after collections.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, WORTH};

pub(super) struct GcLateReturn;

const LATE: Limit = Limit::share(
    "wait after the collections, of the capabilities' time",
    0.05,
    "usually a capability returns within microseconds; 20 % were seen with `-N3` on two cores",
);

impl Rule for GcLateReturn {
    const ID: &'static str = "gc-late-return";
    const TITLE: &'static str = "Late return from collections";
    const FINE: &'static str = "Return from collections";
    const ABOUT: &'static str = "Capabilities that helped with a collection wait on after it is over: the operating system does not run their threads. There may be more capabilities than cores.";
    const LIMITS: &'static [Limit] = &[LATE, WORTH];
    const TRY: &'static str = "`-N` no larger than the number of cores; `-qg` or a smaller `-qn`: fewer threads in collections; no other busy program on the machine";
    const NEEDS_REPLAY: bool = true;
    const EXPLAINS: &'static [&'static str] = &["gc-share", "gc-slow-sync", "idle-runnable"];

    fn judge(of: &Asked<'_>) -> Judgement {
        let gc = &of.facts.gc;
        if gc.elapsed.is_none() {
            return Judgement::lacks(gc.lacks, "The log has no collections.");
        }
        let Some(account) = of
            .replayed()
            .map(|replayed| &replayed.account)
            .filter(|_| gc.parallel > Some(0) && of.facts.caps.count > 1)
        else {
            return Judgement::not_applicable("No collection was parallel.");
        };
        let share = of.share_of_all(account.late);
        if share <= LATE.of() || account.late < WORTH.nanos() {
            return Judgement::fine(
                "Capabilities wait for {} after collections are over.",
                [Value::Duration(account.late)],
            )
            .within(&[(LATE, share), (WORTH, account.late.0 as f64)]);
        }
        let text = Sentence::new(
            "Capabilities wait for {} after collections are over ({} of their time, up to {} at once): the operating system does not run their threads. Are there more capabilities than cores?",
            [Value::Duration(account.late), Value::Share(share), Value::Duration(account.longest_late.length())],
        );
        let evidence =
            of.scope.evidence(account.longest_late, "the collection is over, but this capability is not back");
        Judgement::found(true, text, Stake::of_caps(account.late), [evidence])
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
    fn a_capability_that_comes_back_late_is_found() {
        let of_late = |late, threads| {
            let gc = Gc { threads, late, ..Gc::MINOR };
            finding(GcLateReturn::ID, Play::caps(2).each(20, |play| play.run(0, 7, 5 * MS).gc(0, gc).run(0, 7, 5 * MS)))
        };
        let found = of_late(3 * MS, 2);
        assert_eq!((found.level, found.evidence[0].cap.map(|cap| cap.0)), (Level::Warning, Some(1)));
        assert_eq!([of_late(1000, 2).level, of_late(0, 1).level], [Level::Fine, Level::NotApplicable]);
    }
}
