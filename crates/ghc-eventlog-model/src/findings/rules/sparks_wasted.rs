//! `sparks-wasted`: most sparks did nothing.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Usual, Value, no_sparks};
use crate::{findings::asked::ratio, terms::evidence::Evidence};

pub(super) struct SparksWasted;

const SHARE: Limit = Limit::share("duds, fizzled and collected ones, of all sparks", 0.50, "some always come too late");
const COUNT: Limit = Limit::number("sparks, warning", 100.0, "few sparks cost nothing");

impl Rule for SparksWasted {
    const ID: &'static str = "sparks-wasted";
    const TITLE: &'static str = "Wasted sparks";
    const FINE: &'static str = "Use of sparks";
    const ABOUT: &'static str = "Most sparks did no work: their value was evaluated already, evaluated by others first, or not needed any more.";
    const LIMITS: &'static [Limit] = &[SHARE, COUNT];
    const USUAL: Option<Usual> = Some(Usual {
        figures: &["sparks.fizzled", "sparks.dud", "sparks.gcd"],
        words: "Some sparks always come too late; more than {} of all is too many.",
        limits: &[SHARE],
    });
    const TRY: &'static str =
        "fewer and larger sparks; keep a reference to what is sparked, and do not need it before the others had time";
    const EXPLAINS: &'static [&'static str] = &["sparks-few", "no-parallelism", "one-thread"];

    fn judge(of: &Asked<'_>) -> Judgement {
        let sparks = &of.facts.sparks;
        let numbers = [sparks.created, sparks.dud, sparks.fizzled, sparks.gcd].map(|number| number.unwrap_or_default());
        let [created, dud, fizzled, gcd] = numbers;
        let all = created.saturating_add(dud);
        if sparks.created.is_none() || all == 0 {
            return no_sparks(of);
        }
        let share = ratio(dud.saturating_add(fizzled).saturating_add(gcd), all);
        if share <= SHARE.of() {
            return Judgement::fine("{} of {} sparks did no work.", [Value::Share(share), Value::Count(all)])
                .within(&[(SHARE, share)]);
        }
        let text = Sentence::new(
            "{} of {} sparks did no work: {} fizzled, {} [was a dud|were duds], {} [was|were] collected.",
            [
                Value::Share(share.min(1.0)),
                Value::Count(all),
                Value::Count(fizzled),
                Value::Count(dud),
                Value::Count(gcd),
            ],
        );
        let (from, to) = of.times();
        let evidence = Evidence::of(from, to, "sparks").track(of.spark_track());
        Judgement::found(all >= COUNT.whole(), text, Stake::of_caps(of.idle()), [evidence])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{MS, Play, finding},
    };

    fn sparks(play: Play, created: u64, dud: u64, overflowed: u64, converted: u64, lost: u64) -> Play {
        let counters = [("created", created), ("dud", dud), ("overflowed", overflowed), ("converted", converted)];
        let rest = [("gcd", 0), ("fizzled", lost), ("remaining", 0)];
        play.event(0, "SPARK_COUNTERS", &counters.into_iter().chain(rest).collect::<alloc::vec::Vec<_>>())
    }

    #[test]
    fn sparks_that_do_nothing_are_found() {
        let level = |created, dud, lost| {
            finding(SparksWasted::ID, sparks(Play::caps(2).run(0, 7, MS), created, dud, 0, 0, lost)).level
        };
        assert_eq!(
            [level(1000, 0, 900), level(10, 90, 0), level(20, 0, 15)],
            [Level::Warning, Level::Warning, Level::Info]
        );
        assert_eq!([level(1000, 0, 100), level(0, 0, 0)], [Level::Fine, Level::NotApplicable]);
    }
}
