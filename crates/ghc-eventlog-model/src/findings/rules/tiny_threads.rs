//! `tiny-threads`: many threads that hardly do anything.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value};
use crate::{findings::asked::ratio, keeping::quantiles::Quantiles};
use ghc_eventlog::Nanos;

pub(super) struct TinyThreads;

const COUNT: Limit = Limit::number("threads created", 1000.0, "fewer cost nothing that is noticed");
const RATE: Limit = Limit::number("threads created a second", 5000.0, "fewer cost some milliseconds of each second");
const GRAVE: Limit =
    Limit::number("threads created a second, warning", 20_000.0, "what is around each costs more than what it does");
const RUN: Limit = Limit::time(
    "half of them run no longer than",
    Nanos(10_000),
    "to create a thread, to start it and to collect it takes some microseconds",
);

/// How long a thread runs that has not finished: it may still run, so it is none of the tiny ones.
const LIVING: u64 = u64::MAX;

impl Rule for TinyThreads {
    const ID: &'static str = "tiny-threads";
    const TITLE: &'static str = "Many tiny threads";
    const FINE: &'static str = "Lengths of threads' lives";
    const ABOUT: &'static str =
        "The program creates many threads, half of which run for a few microseconds only in their whole lives.";
    const LIMITS: &'static [Limit] = &[COUNT, RATE, GRAVE, RUN];
    const TRY: &'static str =
        "fewer threads with more work each: one for each capability, or for each chunk of the work";
    const NEEDS_REPLAY: bool = true;

    fn judge(of: &Asked<'_>) -> Judgement {
        let threads = &of.facts.threads;
        let (Some(created), Some(replayed), Some(_)) = (threads.created, of.replayed(), threads.running) else {
            return Judgement::lacks(threads.lacks, "The log does not say what threads did.");
        };
        if created == 0 {
            return Judgement::not_applicable("No thread was created while the log was written.");
        }
        let rate = ratio(created, of.extent().0) * 1e9;
        let mut runs = Quantiles::default();
        if created as f64 > COUNT.of() && rate > RATE.of() {
            let threads = of.scope.model.threads();
            runs.add_all(threads.runs_without_row());
            for (place, life) in replayed.lives.all().filter(|(_, life)| life.created_by.is_some()) {
                // As of those without a row: what their capabilities say.
                let ran = threads.rows().get(place).map_or(0, |thread| thread.ran.0);
                runs.add(life.finished().map_or(LIVING, |_| ran));
            }
            (0..threads.without_row().map_or(0, |without| without.open)).for_each(|_| runs.add(LIVING));
        }
        let values = [Value::Count(created), Value::Count(rate as u64)];
        let few = || Judgement::fine("{} [thread was|threads were] created, {} a second.", values.clone());
        let Some(median) = runs.at(50) else {
            return few().within(&[(COUNT, created as f64), (RATE, rate)]);
        };
        if median as f64 > RUN.of() {
            return few();
        }
        let text = Sentence::new(
            "{} [thread was|threads were] created, {} a second. Half of them run no longer than {} in their whole lives: to create them and to switch to them takes longer.",
            values.into_iter().chain([Value::Duration(Nanos(median))]),
        );
        Judgement::found(rate > GRAVE.of(), text, Stake::None, of.longest_of(&["running_ns"]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Level,
        testing::{MS, Play, finding, stop},
    };

    const FINISHED: u64 = 5;

    fn level(times: u64, run: u64, wait: u64) -> Level {
        let of_thread = |play: Play, at: u64| {
            let play = play.event(0, "CREATE_THREAD", &[("thread", 10 + at)]);
            play.run_to(0, 10 + at, run, FINISHED).wait(wait)
        };
        finding(TinyThreads::ID, Play::caps(1).each_of(times, of_thread)).level
    }

    #[test]
    fn many_threads_that_hardly_run_are_found() {
        assert_eq!([level(3000, 1000, 1000), level(3000, 1000, MS / 10)], [Level::Warning, Level::Info]);
    }

    /// A few that are done at once among many that live on say nothing of these.
    #[test]
    fn threads_that_live_on_are_not_tiny() {
        let level = |living: u64, done: u64| {
            let create = |play: Play, at: u64| play.event(0, "CREATE_THREAD", &[("thread", at)]);
            let play =
                Play::caps(1).each_of(living, |play, at| create(play, 10 + at).run_to(0, 10 + at, 80_000, stop::MVAR));
            let of_thread = |play: Play, at: u64| create(play, 50_000 + at).run_to(0, 50_000 + at, 70, FINISHED);
            finding(TinyThreads::ID, play.each_of(done, of_thread)).level
        };
        assert_eq!([level(2000, 200), level(200, 2000)], [Level::Fine, Level::Warning]);
    }

    #[test]
    fn few_threads_and_those_that_work_are_fine() {
        assert_eq!([level(3000, MS / 10, 0), level(3000, 1000, MS), level(100, 1000, 0)], [Level::Fine; 3]);
    }

    #[test]
    fn without_threads_it_does_not_apply() {
        let lacks = Play::caps(1).args("prog +RTS -l-s").collect(0, MS);
        assert_eq!(finding(TinyThreads::ID, lacks).level, Level::NotApplicable);
        assert_eq!(finding(TinyThreads::ID, Play::caps(1).run(0, 7, MS)).level, Level::NotApplicable);
    }
}
