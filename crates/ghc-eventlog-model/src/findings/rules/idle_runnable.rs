//! `idle-runnable`: capabilities are idle although threads could run.

use super::{Asked, Judgement, Limit, Rule, Sentence, Stake, Value, WORTH};
use crate::{findings::asked::ratio, limits};

pub(super) struct IdleRunnable;

const SHARE: Limit = Limit::share(
    "idle although threads could run, of all capabilities' time",
    0.15,
    "some of it is usual: to wake up a capability takes time",
);
const GRAVE: Limit = Limit::share(
    "idle although threads could run, of all capabilities' time, warning",
    0.35,
    "more than a third of the machine stands still with work at hand",
);
const SHORT: Limit = Limit::time(
    "a short gap",
    limits::SHORT_GAP,
    "to put a capability to sleep and to wake it up takes less; longer ones are the operating system's",
);
const MOST: Limit = Limit::share("time in short gaps, of that in all gaps, for the first advice", 0.50, "most of it");

const RUNNABLE: [&str; 2] = ["idle_ns.runnable here", "idle_ns.runnable elsewhere"];

impl Rule for IdleRunnable {
    const ID: &'static str = "idle-runnable";
    const TITLE: &'static str = "Idle although threads could run";
    const FINE: &'static str = "Work for idle capabilities";
    const ABOUT: &'static str = "Capabilities are idle for a large part of their time although threads could run; with one capability, too, as where its OS threads take turns. Where these times are short and many, capabilities are put to sleep and woken up again and again, since threads wake up others for a little work each; where they are long, the operating system does not run the capabilities.";
    const LIMITS: &'static [Limit] = &[SHARE, GRAVE, SHORT, MOST, WORTH];
    const TRY: &'static str = "larger pieces of work for each wake-up (batches, chunks); threads that talk to each other on one capability (`forkOn`), and none of them the main thread, to which only its own OS thread can switch (`runInUnboundThread`); fewer capabilities (`-N`)";
    const TRY_ELSE: &'static str =
        "`-N` no larger than the number of cores, perhaps one less; no other busy program on the machine";
    const NEEDS_REPLAY: bool = true;
    const EXPLAINS: &'static [&'static str] = &["no-parallelism", "one-thread"];

    fn judge(of: &Asked<'_>) -> Judgement {
        let threads = &of.facts.threads;
        let Some(replayed) = of.replayed().filter(|_| of.account.is_some()) else {
            return Judgement::lacks(threads.lacks, "The log does not say what threads did.");
        };
        let idle = of.spent(&RUNNABLE);
        let share = of.share_of_all(idle);
        if share <= SHARE.of() || idle < WORTH.nanos() {
            return Judgement::fine(
                "Capabilities are idle for {} although threads could run.",
                [Value::Duration(idle)],
            )
            .within(&[(SHARE, share), (WORTH, idle.0 as f64)]);
        }
        let gaps = &replayed.account.gaps;
        let of_short = ratio(gaps.short.0, gaps.total.0);
        let is_short = of_short > MOST.of();
        let mut text = Sentence::new(
            "Capabilities are idle for {} of their time ({}) although threads could run, {} [time|times]: ",
            [Value::Share(share), Value::Duration(idle), Value::Count(gaps.count)],
        );
        let (words, most) = if is_short {
            (
                "{} of that is in gaps shorter than {}, in which a capability is put to sleep and woken up again, or another OS thread takes it over.",
                of_short,
            )
        } else {
            (
                "{} of that is in gaps of {} and longer, in which the operating system did not run a capability, or the runtime did not share out the threads.",
                1.0 - of_short,
            )
        };
        text.add(words, [Value::Share(most), Value::Duration(SHORT.nanos())]);
        Judgement::found(share > GRAVE.of(), text, Stake::of_caps(idle), of.longest_of(&RUNNABLE)).or_else(!is_short)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        Finding, Level,
        testing::{MS, Play, asked, finding, stop},
    };
    use ghc_eventlog::Nanos;

    /// Thread 7 wakes up thread 8, which runs on the other capability after a while; and so on by turns.
    fn turns(times: u64, run: u64, gap: u64) -> Finding {
        let turn = |play: Play| {
            let play = play.run_with(0, 7, |play| play.wait(run).wake(0, 8).wait(1000), stop::MVAR).wait(gap);
            play.run_with(1, 8, |play| play.wait(run).wake(1, 7).wait(1000), stop::MVAR).wait(gap)
        };
        finding(IdleRunnable::ID, Play::caps(2).run_to(1, 8, 1000, stop::MVAR).each(times, turn))
    }

    #[test]
    fn short_gaps_are_for_sleeping_and_waking() {
        let found = turns(2000, 10_000, 40_000);
        let text = found.text.text(Nanos(0));
        assert_eq!(found.level, Level::Warning, "{text}");
        assert!(text.contains("4,000 times") && text.contains("woken up again"), "{text}");
        assert!(found.remedy.contains("batches"));
    }

    #[test]
    fn long_gaps_are_for_the_operating_system() {
        let found = turns(20, MS, 6 * MS);
        assert!(found.text.text(Nanos(0)).contains("operating system"), "{found:?}");
        assert!(found.remedy.contains("cores"));
    }

    #[test]
    fn wake_ups_that_are_quick_are_fine() {
        assert_eq!(turns(2000, 100_000, 5000).level, Level::Fine);
        let lacks = Play::caps(2).args("prog +RTS -l-s").collect(0, MS);
        assert_eq!(finding(IdleRunnable::ID, lacks).level, Level::NotApplicable);
    }

    /// Seven capabilities that come in the last moment had no time to be idle in.
    #[test]
    fn capabilities_that_come_late_do_not_dilute_it() {
        let create = |play: Play, cap: u64| {
            let play = play.global("CAP_CREATE", &[("cap", cap)]);
            play.event(cap as usize, "CAPSET_ASSIGN_CAP", &[("capset", 0), ("cap", cap)])
        };
        let found = |late: u64| {
            let play = Play::caps_of(8 - late as usize, 8);
            let turn = |play: Play| play.run(0, 7, MS).wait(MS);
            let play = play.each(300, turn);
            let play = (8 - late..8).fold(play, create).wait(MS).run(0, 7, MS);
            asked(play, |of| (of.share_of_all(of.idle()), of.enabled()))
        };
        let (late, all) = (found(7), found(0));
        assert!((0.45..0.55).contains(&late.0) && late.1 == 1, "{late:?}");
        assert!(all.0 > 0.9 && all.1 == 8, "{all:?}");
    }
}
