//! `one-thread`: one thread does nearly all of the work.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, one_cap};
use crate::findings::asked::ratio;
use ghc_eventlog::Nanos;

pub(super) struct OneThread;

const SHARE: Limit = Limit::share(
    "one thread, of the time that all threads run",
    0.90,
    "what is left is not worth several capabilities",
);
const LEAST: Limit =
    Limit::time("time that threads run, at least", Nanos(100_000_000), "a short program has little to share");
const BUSY: Limit =
    Limit::share("time that it runs, of the log", 0.25, "a program that mostly waits has nothing to share");

impl Rule for OneThread {
    const ID: &'static str = "one-thread";
    const TITLE: &'static str = "One thread does the work";
    const FINE: &'static str = "Share of work between threads";
    const ABOUT: &'static str = "There are several capabilities, but one thread has nearly all of the time that threads run: the program is sequential there.";
    const LIMITS: &'static [Limit] = &[SHARE, LEAST, BUSY];
    const TRY: &'static str = "share its work between threads; `-N1`";
    const NEEDS_REPLAY: bool = true;
    const EXPLAINS: &'static [&'static str] = &["no-parallelism"];

    fn judge(of: &Asked<'_>) -> Judgement {
        let threads = &of.facts.threads;
        let (Some(running), Some(replayed)) = (threads.running.filter(|running| *running > Nanos(0)), of.replayed())
        else {
            let is_told = threads.running.is_some();
            return Judgement::lacks(
                threads.lacks,
                if is_told { "No thread ran." } else { "The log does not say what threads did." },
            );
        };
        if let Some(one) = one_cap(of) {
            return one;
        }
        let ran = |place: usize| of.scope.ran(place).unwrap_or_default();
        let busiest =
            replayed.lives.all().map(|(place, life)| (place, life, ran(place))).max_by_key(|(.., time)| *time);
        let Some((place, life, time)) = busiest else { return Judgement::not_applicable("No thread ran.") };
        let share = ratio(time.0, running.0);
        let Some(thread) = of.scope.model.threads().rows().get(place).map(|thread| thread.id) else {
            return Judgement::not_applicable("There are too many threads to know each.");
        };
        if share <= SHARE.of() || running < LEAST.nanos() || of.share(time) < BUSY.of() {
            return Judgement::fine(
                "The busiest thread, {}, has {} of the time that threads run.",
                [of.thread(thread), Value::Share(share)],
            );
        }
        let text = Sentence::new(
            "One thread does nearly all of the work: {} has {} of the time that threads run. So {} capabilities bring little.",
            [of.thread(thread), Value::Share(share), Value::Count(of.enabled())],
        );
        let to = life.finished().unwrap_or(of.times().1);
        Judgement::found(false, text, Stake::None, [of.by_thread(thread, life.first, to, "the busiest thread")])
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
    fn a_thread_that_does_nearly_all_is_found() {
        let level = |caps, other| finding(OneThread::ID, Play::caps(caps).run(0, 7, 200 * MS).run(0, 8, other)).level;
        assert_eq!(
            [level(2, 10 * MS), level(2, 90 * MS), level(1, MS)],
            [Level::Info, Level::Fine, Level::NotApplicable]
        );
    }
}
