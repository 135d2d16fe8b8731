//! Findings: what is worth knowing of a program, and what to try. Each rule is a file in `rules/` and a line in the list there. It
//! reads typed facts, the account and the results of the replay, and comes to a judgement:
//!
//! ```text
//! facts ─┬─▶ rule ─┬─ it does not apply      why, and which flag would supply what it needs
//! account┤         ├─ it waits               for the replay
//! replay ┘         ├─ fine                   a sentence
//!                  └─ found                  how grave, a sentence, where to look, what is at stake
//! ```
//!
//! A finding can be wrong for a given program: it says what was seen, and offers.

mod advice;
mod asked;
mod markdown;
mod rules;
mod searched;
pub(crate) mod sentence;
#[cfg(test)]
mod testing;

use crate::{
    facts::account::{Account, AccountPart, REASON_NOT_KNOWN},
    facts::scope::{About, Scope},
    reading::model::Model,
    sorting::by_most_of_two,
    terms::{evidence::Evidence, value::Value},
};
use alloc::{string::String, vec::Vec};
use asked::{Asked, PENDING};
use ghc_eventlog::Nanos;
pub use rules::{ExplainedRule, explained as rules_explained};
pub use sentence::Sentence;

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What the rule is about is not in the log, or not in this program.
    NotApplicable,
    /// It takes the [replay](Model::replay) to tell, which is not complete.
    Waiting,
    /// It is as it should be.
    Fine,
    /// Worth knowing.
    Info,
    /// It probably costs time or memory.
    Warning,
}

impl Level {
    /// What programs call it: never changed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotApplicable => "not_applicable",
            Self::Waiting => "waiting",
            Self::Fine => "fine",
            Self::Info => "info",
            Self::Warning => "warning",
        }
    }

    /// Whether anything was found.
    #[must_use]
    pub fn is_found(self) -> bool {
        self >= Self::Info
    }
}

/// What could be gained at most. Times are of capabilities, as in the [account](Model::account), so that they compare: a pause that stops
/// `n` capabilities counts `n` times its length, and what holds up one thread counts once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stake {
    /// Neither time nor memory, or it is not known how much.
    #[default]
    None,
    /// Time of all capabilities together.
    Time(Nanos),
    /// Memory in bytes.
    Bytes(u64),
}

impl Stake {
    /// Time of all capabilities together; none if it is no time.
    fn of_caps(time: Nanos) -> Self {
        if time > Nanos(0) { Self::Time(time) } else { Self::None }
    }

    /// It with what it is of, as part of a sentence; `None` if nothing is known to be at stake.
    #[must_use]
    pub fn sentence(self) -> Option<Sentence> {
        match self {
            Self::None => None,
            // Else it would be compared with the length of the log, which it may exceed.
            Self::Time(time) => Some(Sentence::new("{} of the capabilities' time", [Value::Duration(time)])),
            Self::Bytes(bytes) => Some(Sentence::new("{}", [Value::Bytes(bytes)])),
        }
    }
}

/// What a rule says of a log.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The rule: never changed.
    pub id: &'static str,
    /// What people call it: a fault, or only the subject where all is well.
    pub title: &'static str,
    /// How grave it is.
    pub level: Level,
    /// What was seen, with its figures: one sentence or two.
    pub text: Sentence,
    /// Where to look, the most telling first.
    pub evidence: Vec<Evidence>,
    /// What could be gained.
    pub stake: Stake,
    /// What to try, with flags in backticks; empty if there is nothing. What the program was run with is left out.
    pub remedy: String,
    /// The flag that would supply what the rule needs.
    pub needs: Option<&'static str>,
}

/// All findings, the gravest first, and where the time went.
#[derive(Debug, Clone, PartialEq)]
pub struct Findings {
    /// Where the time went, in a line.
    pub verdict: Sentence,
    /// The same in parts; `None` if the log does not tell.
    pub account: Option<Account>,
    /// One for each rule.
    pub list: Vec<Finding>,
    /// How many of them wait for the [replay](Model::replay).
    pub waiting: usize,
}

impl Findings {
    /// A finding by the id of its rule.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Finding> {
        self.list.iter().find(|finding| finding.id == id)
    }
}

impl Model {
    /// What is worth knowing of the program, as far as the log has been read: one finding for each rule, those of most gravity first.
    /// Of one level, a special finding comes before a general one that it explains, else the one that more is at stake for.
    /// Rules that need the order of time over all capabilities wait for the [replay](Model::replay).
    ///
    /// ```
    /// use ghc_eventlog_model::{Level, Model};
    ///
    /// let mut model = Model::of_figures();
    /// # let log: &[u8] = &[];
    /// model.feed(log);
    /// model.finish();
    /// let findings = model.findings();
    /// for finding in findings.list.iter().filter(|finding| finding.level == Level::Warning) {
    ///     println!("{}: {}", finding.title, finding.text.text(ghc_eventlog::Nanos(0)));
    /// }
    /// ```
    #[must_use]
    pub fn findings(&self) -> Findings {
        let asked = Asked::of(self);
        let found = rules::judge(&asked);
        // Of one level, those first that no other explains.
        let gravity = |place: u32| {
            let of = |finding: &Finding| 2 * finding.level as u64 + u64::from(!rules::is_explained(finding, &found));
            found.get(place as usize).map_or(0, of)
        };
        let stake = |place: u32| match found.get(place as usize).map(|finding| finding.stake) {
            Some(Stake::Time(time)) => time.0,
            // So many bytes are as grave as a nanosecond each: a gigabyte as a second.
            Some(Stake::Bytes(bytes)) => bytes,
            Some(Stake::None) | None => 0,
        };
        let order = by_most_of_two(found.len(), gravity, stake);
        let list: Vec<Finding> = order.into_iter().filter_map(|place| found.get(place as usize).cloned()).collect();
        let waiting = list.iter().filter(|finding| finding.level == Level::Waiting).count();
        let mut verdict = if asked.has_no_events() {
            Sentence::new(rules::NO_EVENTS, [])
        } else {
            verdict(asked.account.as_ref(), asked.has_managers())
        };
        if waiting == 0 && is_busy(&asked, &list) {
            add_busy_with(&mut verdict, &asked);
        }
        Findings { verdict, account: asked.account, list, waiting }
    }

    /// Where the capabilities' time went, in the whole log or in a range of it that has been [summed up](Model::range); `None` if that
    /// is not known. Of a range, it is not known why capabilities were idle.
    #[must_use]
    pub fn account<'a>(&'a self, about: impl Into<About<'a>>) -> Option<Account> {
        Scope::of(self, about).account()
    }
}

/// Of a program that mostly runs Haskell, while little is wrong.
const BUSY_WITH: &str =
    " What it computes in that time, this log does not say: a time profile does (build with `-prof`, run with `-p -l`)";
/// The same, if the log has no heap profile.
const FOR_HEAP: &str = ", and for what it allocates a heap profile (`-hT`).";

/// The share of its time for which a program runs Haskell if that is all that it does, and if a warning says what it does else.
const BUSY: f64 = 0.9;
const BUSY_BUT: f64 = 0.8;

/// Whether a program mostly runs Haskell, and warnings say of little of its time what is wrong.
fn is_busy(asked: &Asked<'_>, list: &[Finding]) -> bool {
    let stakes: Vec<Stake> = list.iter().filter(|of| of.level == Level::Warning).map(|of| of.stake).collect();
    let least = if stakes.is_empty() { BUSY } else { BUSY_BUT };
    let is_little = |stake: &Stake| matches!(*stake, Stake::Time(time) if asked.share_of_all(time) <= 1.0 - BUSY_BUT);
    asked.share_of_all(asked.spent(&["running_ns"])) >= least && stakes.iter().all(is_little)
}

/// Says what it computes: where most samples of a time profile are, or that it takes one to tell.
fn add_busy_with(verdict: &mut Sentence, asked: &Asked<'_>) {
    let names = &asked.known().stores.profiles.names;
    let most = asked.scope.samples().and_then(|samples| {
        let (place, own, _) = samples.frames.get(0)?;
        let frame = *asked.known().stores.profiles.time.tree.met().get(place as usize)?;
        Some((frame, asked::ratio(own, samples.count)))
    });
    let Some((frame, share)) = most else {
        verdict.add(BUSY_WITH, []);
        return verdict.add(if asked.facts.heap_profile.censuses > Some(0) { "." } else { FOR_HEAP }, []);
    };
    verdict.add(" {}", [Value::words(names.of_frame(frame))]);
    if let Some(source) = names.source_of(frame) {
        verdict.add(" ({})", [Value::words(source)]);
    }
    verdict.add(" has {} of the samples: see Profile.", [Value::Share(share)]);
}

/// How the line names idle time.
const IDLE: &str = "{} idle";

/// The parts that the line above all findings names at most.
const NAMED: usize = 4;

/// Where the time went, in a line; `has_managers` as in [`Asked::has_managers`].
fn verdict(account: Option<&Account>, has_managers: bool) -> Sentence {
    let Some(account) = account.filter(|account| account.all > Nanos(0)) else {
        return Sentence::new("The log does not say where the time went.", []);
    };
    let names = if account.caps == 1 { "Of {} of one capability: " } else { "Of {} capabilities × {}: " };
    let time = Value::Duration(account.time);
    let mut line = match account.caps {
        1 => Sentence::new(names, [time]),
        caps => Sentence::new(names, [Value::Count(caps), time]),
    };
    let idle = |part: &&AccountPart| part.is_idle();
    let sum = |parts: &mut dyn Iterator<Item = &AccountPart>| parts.map(|part| part.time).fold(Nanos(0), Nanos::plus);
    let of = |keys: &[&str]| sum(&mut account.parts.iter().filter(|part| keys.contains(&part.key)));
    let parts = [
        ("{} running Haskell", of(&["running_ns"])),
        ("{} collecting", of(&["gc_ns"])),
        ("{} waiting for collections", of(&["gc_sync_ns", "gc_wait_ns", PENDING])),
        ("{} taking censuses", of(&["census_ns"])),
        ("{} writing the log", of(&["log_writing_ns"])),
        ("{} disabled or not there", of(&["disabled_ns"])),
        ("{} not in the log", of(&["not_known_ns"])),
        (IDLE, sum(&mut account.parts.iter().filter(idle).filter(|part| part.key != PENDING))),
    ];
    // Running Haskell comes first, whatever its share.
    let order = by_most_of_two(
        parts.len(),
        |place| u64::from(place == 0),
        |place| parts.get(place as usize).map_or(0, |(_, time)| time.0),
    );
    let worth = account.all.0 / 200;
    let named = order.into_iter().filter_map(|place| parts.get(place as usize));
    for (at, (words, time)) in named.filter(|(_, time)| time.0 >= worth).take(NAMED).enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        line.add(comma, []);
        line.add(words, [Value::Share(time.0 as f64 / account.all.0 as f64)]);
        if *words == IDLE {
            let reasons = account.parts.iter().filter(|part| part.is_idle() && part.key != PENDING);
            let reasons: Vec<(&str, Nanos)> = reasons.map(|part| (part.key, part.time)).collect();
            line.add(why_idle(&reasons, has_managers), []);
        }
    }
    line.add(".", []);
    line
}

/// What at least half of the time was that capabilities were idle, if that is known. Several reasons may be one in words.
fn why_idle(reasons: &[(&str, Nanos)], has_managers: bool) -> &'static str {
    let sum =
        |reasons: &mut dyn Iterator<Item = &(&str, Nanos)>| reasons.fold(Nanos(0), |sum, (_, time)| sum.plus(*time));
    let time = |words: &str| sum(&mut reasons.iter().filter(|(key, _)| words_of(key, has_managers) == words));
    let half = sum(&mut reasons.iter()).0 / 2;
    let words = reasons.iter().map(|(key, _)| words_of(key, has_managers));
    words.max_by_key(|words| time(words)).filter(|words| time(words).0 >= half).unwrap_or("")
}

/// A reason for which a capability was idle, in words of the account's sentence.
fn words_of(key: &str, has_managers: bool) -> &'static str {
    match key {
        "idle_ns.runnable here" | "idle_ns.runnable elsewhere" => " (mostly while threads wait to run)",
        "idle_ns.foreign call" => " (mostly while threads are in foreign calls)",
        "idle_ns.no thread" => " (mostly with no other thread to run)",
        REASON_NOT_KNOWN => "",
        "idle_ns.blocked on an MVar" | "idle_ns.blocked reading an MVar" if has_managers => {
            " (mostly while threads are blocked on MVars, or sleep)"
        }
        "idle_ns.blocked on an MVar" | "idle_ns.blocked reading an MVar" => {
            " (mostly while threads are blocked on MVars)"
        }
        "idle_ns.blocked in STM retry" => " (mostly while threads are blocked in STM)",
        "idle_ns.blocked on black hole" => " (mostly while threads wait for each other's values)",
        _ => " (mostly while threads are blocked)",
    }
}

#[cfg(test)]
mod tests {
    use super::{
        testing::{Gc, MS, Play, findings, stop},
        *,
    };

    #[test]
    fn rules_explain_others_that_are_there() {
        let rules = rules_explained();
        let explains =
            |one: &str, other: &str| rules.iter().any(|rule| rule.id == one && rule.explains.contains(&other));
        let pairs = rules.iter().flat_map(|rule| rule.explains.iter().map(|other| (rule.id, *other)));
        for (rule, other) in pairs {
            assert!(rules.iter().any(|rule| rule.id == other), "{rule} explains {other}, which is no rule");
            assert!(!explains(other, rule), "{rule} and {other} explain each other");
        }
    }

    /// Two long pauses among many short ones: all together take more than the long ones.
    #[test]
    fn a_finding_comes_after_a_more_special_one_of_its_level() {
        let short = |play: Play| play.run(0, 7, 3 * MS).collect(0, 10 * MS);
        let long = |length: u64| Play::caps(1).each(30, short).run(0, 7, MS).major(0, length);
        let order = |length: u64| -> Vec<&str> {
            let found = findings(long(length)).list.into_iter().filter(|finding| finding.level.is_found());
            found.map(|finding| finding.id).collect()
        };
        assert_eq!(order(250 * MS), ["gc-long-pause", "gc-share"]);
        assert_eq!(order(100 * MS), ["gc-share", "gc-long-pause"], "a graver one comes first all the same");
        assert_eq!(order(MS), ["gc-share"]);
    }

    /// With -threaded, the log does not tell a thread that sleeps from one that waits for another thread.
    #[test]
    fn who_may_sleep_is_said_to_be_blocked_or_asleep() {
        let verdict = |managers: u64| {
            let label = |play: Play, at: u64| play.text(0, "THREAD_LABEL", Some(90 + at), "TimerManager");
            let play = Play::caps(1).each_of(managers, label);
            let text = findings(play.run_to(0, 1, MS, stop::MVAR).wait(50 * MS).run(0, 1, MS)).verdict;
            text.text(Nanos(0))
        };
        let [with, without] = [verdict(1), verdict(0)];
        assert!(with.contains("blocked on MVars, or sleep)"), "{with}");
        assert!(without.contains("(mostly while threads are blocked on MVars)"), "{without}");
    }

    #[test]
    fn reasons_to_be_idle_are_summed_up_by_what_they_are_called() {
        let [here, elsewhere, mvar] =
            ["idle_ns.runnable here", "idle_ns.runnable elsewhere", "idle_ns.blocked on an MVar"];
        let why = |reasons: &[(&str, u64)]| {
            let reasons: Vec<_> = reasons.iter().map(|(key, time)| (*key, Nanos(*time))).collect();
            why_idle(&reasons, false)
        };
        assert_eq!(why(&[(mvar, 40), (here, 30), (elsewhere, 30)]), " (mostly while threads wait to run)");
        assert_eq!(why(&[(mvar, 60), (here, 30), (elsewhere, 10)]), " (mostly while threads are blocked on MVars)");
        // A third is not most of it.
        assert_eq!(why(&[(mvar, 35), (here, 34), ("idle_ns.foreign call", 31)]), "");
        assert_eq!(why(&[]), "");
    }

    #[test]
    fn where_all_is_well_no_title_names_a_fault() {
        let title = |play: Play| findings(play).get("no-parallelism").map(|finding| (finding.level, finding.title));
        let busy = Play::caps(2).each(20, |play| play.run_all(&[7, 8], 9 * MS));
        assert_eq!(title(busy), Some((Level::Fine, "Parallelism")));
        let idle = Play::caps(2).each(20, |play| play.run(0, 7, 9 * MS).run(1, 8, MS));
        assert_eq!(title(idle).map(|(level, title)| (level.is_found(), title)), Some((true, "No parallelism")));
    }

    /// What a busy program does, a profile says; none is advised that is there.
    #[test]
    fn a_busy_program_is_told_of_profiles_that_the_log_lacks() {
        let verdict = |play: Play| findings(play.run(0, 7, 900 * MS)).verdict.text(Nanos(0));
        let without = verdict(Play::caps(1));
        assert!(without.ends_with("run with `-p -l`), and for what it allocates a heap profile (`-hT`)."), "{without}");
        let census = Play::caps(1).event(0, "HEAP_PROF_SAMPLE_BEGIN", &[("number", 0)]);
        let with = verdict(census.event(0, "HEAP_PROF_SAMPLE_END", &[("number", 0)]));
        assert!(with.ends_with("run with `-p -l`)."), "{with}");
    }

    /// A time profile says itself where the time went. A warning that explains little of it changes nothing.
    #[test]
    fn of_a_busy_program_the_cost_centre_with_most_samples_is_named() {
        let samples = |play: Play| {
            [(7, 3u64), (8, 1)].into_iter().fold(play, |play, (centre, count)| {
                let label = if centre == 7 { "slow" } else { "fast" };
                play.cost_centre(u64::from(centre), label, "Main.hs:9:1-5").each(count, |play| play.sample(centre))
            })
        };
        let verdict = |play: Play| findings(play).verdict.text(Nanos(0));
        let text = verdict(samples(Play::caps(1)).run(0, 7, 900 * MS));
        assert!(text.ends_with(" slow (Main.hs:9:1-5) has 75.0 % of the samples: see Profile."), "{text}");
        let collecting = |length: u64| {
            let play = Play::caps(1).each(20, |play| play.run(0, 7, 1000 * MS - length).collect(0, length));
            let all = findings(play);
            assert!(all.list.iter().any(|finding| finding.level == Level::Warning));
            all.verdict.text(Nanos(0)).contains("a time profile does")
        };
        assert_eq!([110, 190, 210].map(|share| collecting(share * MS)), [true, true, false]);
    }

    #[test]
    fn a_pause_of_all_capabilities_is_at_stake_for_each() {
        let stake = |caps: usize| {
            let gc = Gc { generation: 1, length: 300 * MS, ..Gc::MINOR };
            findings(Play::caps(caps).run(0, 7, MS).gc(0, gc)).get("gc-long-pause").map(|finding| finding.stake)
        };
        assert_eq!([1, 4].map(stake), [1, 4].map(|caps| Some(Stake::Time(Nanos(caps * 300 * MS)))));
    }

    /// The runtime had not written its first buffer: there is nothing that could be as it should be.
    #[test]
    fn of_a_log_without_events_one_thing_is_said() {
        let of = |bytes: &[u8]| {
            let mut model = Model::of_figures();
            model.feed(bytes);
            model.finish();
            let Findings { verdict, list, .. } = model.findings();
            assert_eq!(verdict.text(Nanos(0)), "The log has no events.");
            let (found, others): (Vec<_>, Vec<_>) = list.into_iter().partition(|finding| finding.level.is_found());
            for Finding { level, text, .. } in others {
                assert_eq!((level, &*text.text(Nanos(0))), (Level::NotApplicable, "The log has no events."));
            }
            found
                .into_iter()
                .map(|finding| (finding.id, finding.text.text(Nanos(0)), finding.remedy))
                .collect::<Vec<_>>()
        };
        let log = |ends: bool, bytes: &[u8]| {
            let mut log = ghc_eventlog::LogWriter::new();
            log.bytes(bytes);
            if ends {
                log.end();
            }
            log.finish()
        };
        let found = of(&log(false, &[]));
        let [("log-partial", text, remedy)] = &found[..] else { panic!("{found:?}") };
        assert!(text.contains("before the runtime wrote its first buffer"), "{text}");
        assert!(remedy.contains("--eventlog-flush-interval"), "{remedy}");
        assert_eq!(of(&log(true, &[])), []);
        // What could not be read may have been events.
        let damaged = of(&log(false, &[0xee; 100]));
        assert!(damaged.iter().any(|(id, ..)| *id == "log-damaged"), "{damaged:?}");
        assert!(damaged.iter().all(|(_, text, _)| !text.contains("first buffer")), "{damaged:?}");
    }

    /// What a rule is about may always be there, or not: then it says that nothing is wrong. The other rules say that they do not apply,
    /// or that all is well, but for the one that says what was not logged.
    #[test]
    fn of_a_log_of_next_to_nothing_no_rule_finds_anything_else() {
        let all = findings(Play::caps(1).args("prog +RTS -l-a")).list;
        let fine = ["environment", "log-damaged", "profiled", "wrong-program"];
        for finding in &all {
            let level = match finding.id {
                "log-partial" => Level::Info,
                id if fine.contains(&id) => Level::Fine,
                _ => Level::NotApplicable,
            };
            assert_eq!(finding.level, level, "{finding:?}");
        }
    }
}
