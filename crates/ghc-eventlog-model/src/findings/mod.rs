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

mod asked;
mod markdown;
mod rules;
mod searched;
pub(crate) mod sentence;
#[cfg(test)]
mod testing;

use crate::{
    facts::account::{Account, AccountPart},
    facts::scope::{About, Scope},
    reading::model::Model,
    sorting::by_most_of_two,
    terms::{evidence::Evidence, value::Value},
};
use alloc::vec::Vec;
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

/// What could be gained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stake {
    /// Neither time nor memory, or it is not known how much.
    #[default]
    None,
    /// Time, of one capability after another.
    Time(Nanos),
    /// Memory in bytes.
    Bytes(u64),
}

/// What a rule says of a log.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The rule: never changed.
    pub id: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// How grave it is.
    pub level: Level,
    /// What was seen, with its figures: one sentence or two.
    pub text: Sentence,
    /// Where to look, the most telling first.
    pub evidence: Vec<Evidence>,
    /// What could be gained.
    pub stake: Stake,
    /// What to try, with flags in backticks; empty if there is nothing.
    pub remedy: &'static str,
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
        let gravity = |place: u32| found.get(place as usize).map_or(0, |finding| finding.level as u64);
        let stake = |place: u32| match found.get(place as usize).map(|finding| finding.stake) {
            Some(Stake::Time(time)) => time.0,
            // So many bytes are as grave as a nanosecond each: a gigabyte as a second.
            Some(Stake::Bytes(bytes)) => bytes,
            Some(Stake::None) | None => 0,
        };
        let order = by_most_of_two(found.len(), gravity, stake);
        let list: Vec<Finding> = order.into_iter().filter_map(|place| found.get(place as usize).cloned()).collect();
        let waiting = list.iter().filter(|finding| finding.level == Level::Waiting).count();
        Findings { verdict: verdict(asked.account.as_ref()), account: asked.account, list, waiting }
    }

    /// Where the capabilities' time went, in the whole log or in a range of it that has been [summed up](Model::range); `None` if that
    /// is not known. Of a range, it is not known why capabilities were idle.
    #[must_use]
    pub fn account<'a>(&'a self, about: impl Into<About<'a>>) -> Option<Account> {
        Scope::of(self, about).account()
    }
}

/// How the line names idle time.
const IDLE: &str = "{} idle";

/// The parts that the line above all findings names at most.
const NAMED: usize = 4;

/// Where the time went, in a line.
fn verdict(account: Option<&Account>) -> Sentence {
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
            line.add(why_idle(account), []);
        }
    }
    line.add(".", []);
    line
}

/// Why capabilities were idle most of the time that they were, if that is known.
fn why_idle(account: &Account) -> &'static str {
    let reasons = account.parts.iter().filter(|part| part.is_idle() && part.key != PENDING);
    let most = reasons.max_by_key(|part| part.time);
    most.map_or("", |most| match most.key {
        "idle_ns.runnable here" | "idle_ns.runnable elsewhere" => " (mostly although threads could run)",
        "idle_ns.foreign call" => " (mostly while threads are in foreign calls)",
        "idle_ns.no thread" => " (mostly since there is no other thread)",
        "idle_ns.reason not known" => "",
        "idle_ns.blocked on an MVar" | "idle_ns.blocked reading an MVar" => {
            " (mostly while threads are blocked on MVars)"
        }
        "idle_ns.blocked in STM retry" => " (mostly while threads are blocked in STM)",
        "idle_ns.blocked on black hole" => " (mostly while threads wait for each other's values)",
        _ => " (mostly while threads are blocked)",
    })
}
