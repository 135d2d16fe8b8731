//! The rules. Each is a file, and a line in the list below.

mod awaited;
mod black_holes;
mod class_paused;
mod environment;
mod exit;
mod gc_idle;
mod gc_late_return;
mod gc_long_pause;
mod gc_nursery_unused;
mod gc_share;
mod gc_slow_sync;
mod gc_small_nursery;
mod gc_threads;
mod gc_unbalanced;
mod heap_fragmented;
mod heap_grows;
mod heap_limit;
mod heap_retained;
mod idle_runnable;
mod lock_chains;
mod log_damaged;
mod log_partial;
mod log_writing;
mod no_parallelism;
mod nonmoving_sync;
mod one_thread;
mod oversubscribed;
mod partial_profile;
mod profiled;
mod slow_requests;
mod sparks_few;
mod sparks_overflow;
mod sparks_uneven;
mod sparks_wasted;
mod stm_retries;
mod tiny_threads;
mod wake_latency;
mod wrong_program;

use super::{
    Evidence, Finding, Level, Sentence, Stake, Value,
    advice::{first_wordings, new_to},
    asked::{Asked, decimal},
};
use crate::{facts::text::rounded, keeping::rts_flags::TraceClass, terms::absence::Absence};
use alloc::{string::String, vec, vec::Vec};
use ghc_eventlog::{Nanos, SparkCounters};

/// What one file in `rules/` says of its rule.
trait Rule {
    /// What programs call it, as in `summary --json`: never changed.
    const ID: &'static str;
    /// What people call it.
    const TITLE: &'static str;
    /// What people call it where all is well: it names the subject, and no fault.
    const FINE: &'static str;
    /// When it finds something, in a sentence for the docs. Nothing in the binding may use it, nor the limits' texts.
    const ABOUT: &'static str;
    /// Its limits.
    const LIMITS: &'static [Limit];
    /// What is usual of the figures that it judges, for their explanations. Nothing in the binding may use it.
    const USUAL: Option<Usual> = None;
    /// What to try, with flags in backticks; empty if there is nothing. Semicolons are between parts that may be tried by themselves. A
    /// part may have several wordings, with bars between them: the first one is taken that names no flag that the program was run with.
    /// If there is none, the part is left out.
    const TRY: &'static str;
    /// The same where the rule finds another cause.
    const TRY_ELSE: &'static str = "";
    /// Whether it takes the replay to tell.
    const NEEDS_REPLAY: bool = false;
    /// Whether it is about what threads waited for: then it says how many threads could not be followed.
    const OF_WAITS: bool = false;
    /// More general rules, by their ids: if this one finds something, it is why they do, so it comes before them.
    const EXPLAINS: &'static [&'static str] = &[];

    fn judge(of: &Asked<'_>) -> Judgement;
}

/// What is usual of some figures.
struct Usual {
    /// Section and key of each.
    figures: &'static [&'static str],
    /// A sentence, with the limits at its braces.
    words: &'static str,
    limits: &'static [Limit],
}

/// A limit of a rule, with its reason.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit {
    name: &'static str,
    value: LimitValue,
    why: &'static str,
}

#[derive(Debug, Clone, Copy)]
enum LimitValue {
    Share(f64),
    Time(Nanos),
    Bytes(u64),
    Number(f64),
}

impl LimitValue {
    fn value(self) -> Value {
        match self {
            Self::Share(share) => Value::Share(share),
            Self::Time(time) => Value::Duration(time),
            Self::Bytes(bytes) => Value::Bytes(bytes),
            Self::Number(number) if number.fract_is_zero() => Value::Count(number as u64),
            // As it is written here, without what the library has for all numbers: that is large, and the page would have to load it.
            Self::Number(number) => match rounded(number, 100) {
                tenths if tenths % 10 == 0 => decimal(number),
                hundredths => Value::words(alloc::format!("{}.{:02}", hundredths / 100, hundredths % 100)),
            },
        }
    }

    /// A number of the same unit.
    fn like(self, number: f64) -> Value {
        match self {
            Self::Share(_) => Value::Share(number),
            Self::Time(_) => Value::Duration(Nanos(number as u64)),
            Self::Bytes(_) => Value::Bytes(number as u64),
            Self::Number(_) if number.fract_is_zero() => Value::Count(number as u64),
            Self::Number(_) => decimal(number),
        }
    }
}

impl Limit {
    const fn share(name: &'static str, share: f64, why: &'static str) -> Self {
        Self { name, value: LimitValue::Share(share), why }
    }

    const fn time(name: &'static str, time: Nanos, why: &'static str) -> Self {
        Self { name, value: LimitValue::Time(time), why }
    }

    const fn bytes(name: &'static str, bytes: u64, why: &'static str) -> Self {
        Self { name, value: LimitValue::Bytes(bytes), why }
    }

    const fn number(name: &'static str, number: f64, why: &'static str) -> Self {
        Self { name, value: LimitValue::Number(number), why }
    }

    /// As a number: a share, or any other number without a unit.
    const fn of(self) -> f64 {
        match self.value {
            LimitValue::Share(number) | LimitValue::Number(number) => number,
            LimitValue::Time(time) => time.0 as f64,
            LimitValue::Bytes(bytes) => bytes as f64,
        }
    }

    /// As a time.
    const fn nanos(self) -> Nanos {
        match self.value {
            LimitValue::Time(time) => time,
            _ => Nanos(self.of() as u64),
        }
    }

    /// As a number of bytes or of things.
    const fn whole(self) -> u64 {
        match self.value {
            LimitValue::Bytes(bytes) => bytes,
            _ => self.of() as u64,
        }
    }
}

/// What is less than this matters to nobody, whatever share of a short log it is.
pub(crate) const WORTH: Limit = Limit::time(
    "time that matters",
    Nanos(20_000_000),
    "less is not noticed: a short program spends a large share of its time on its start and end",
);

/// What a rule comes to.
enum Judgement {
    /// It is not about this program, or the log lacks what it needs.
    NotApplicable { why: Sentence, needs: Option<&'static str> },
    /// All is well.
    Fine(Sentence),
    /// Something is to be said.
    Found(FoundParts),
}

/// What was found.
struct FoundParts {
    level: Level,
    text: Sentence,
    evidence: Vec<Evidence>,
    stake: Stake,
    /// Whether [`Rule::TRY_ELSE`] is the advice.
    is_else: bool,
}

impl Judgement {
    fn not_applicable(why: &'static str) -> Self {
        Self::not_applicable_with(why, [])
    }

    fn not_applicable_with(why: &'static str, values: impl IntoIterator<Item = Value>) -> Self {
        Self::NotApplicable { why: Sentence::new(why, values), needs: None }
    }

    /// What it needs was not logged, or there was none.
    fn lacks(absence: Option<Absence>, why: &'static str) -> Self {
        let Absence { flag, none } = absence.unwrap_or_default();
        Self::NotApplicable { why: Sentence::new(none.filter(|_| flag.is_none()).unwrap_or(why), []), needs: flag }
    }

    fn fine(words: &'static str, values: impl IntoIterator<Item = Value>) -> Self {
        Self::Fine(Sentence::new(words, values))
    }

    /// A warning if it is grave, else something to know.
    fn found(is_grave: bool, text: Sentence, stake: Stake, evidence: impl IntoIterator<Item = Evidence>) -> Self {
        let level = if is_grave { Level::Warning } else { Level::Info };
        Self::Found(FoundParts { level, text, stake, evidence: evidence.into_iter().collect(), is_else: false })
    }

    /// With the advice for the other cause, if it is that one.
    fn or_else(mut self, is_else: bool) -> Self {
        if let Self::Found(found) = &mut self {
            found.is_else = is_else;
        }
        self
    }

    /// All is well: says of the first of these numbers that is within its limit that it is.
    fn within(mut self, measured: &[(Limit, f64)]) -> Self {
        let within = measured.iter().find(|(limit, number)| *number <= limit.of());
        if let (Self::Fine(text), Some((limit, number))) = (&mut self, within) {
            let values = [limit.value.value(), limit.value.like(*number)];
            text.add(" Limit (", []);
            text.add(limit.name, []);
            text.add("): {}; here {}.", values);
        }
        self
    }
}

/// Why a rule about sparks does not apply: there are none, or nothing counts them.
fn no_sparks(of: &Asked<'_>) -> Judgement {
    let sparks = &of.facts.sparks;
    let absence = of.scope.lacks_class(&[SparkCounters::TAG], TraceClass::Sparks);
    match sparks.created {
        Some(_) => Judgement::lacks(absence, "The program made no sparks."),
        None if sparks.has_runs => Judgement::NotApplicable {
            why: Sentence::new("The log has each spark, but no counters of them.", []),
            needs: absence.and_then(|absence| absence.flag),
        },
        None => Judgement::lacks(absence, "The log has no counters of sparks."),
    }
}

/// Why a rule about several capabilities does not apply, if it does not.
fn one_cap(of: &Asked<'_>) -> Option<Judgement> {
    match (of.facts.caps.count, of.enabled()) {
        (0 | 1, _) => Some(Judgement::not_applicable("There is one capability only.")),
        (_, 1) => Some(Judgement::not_applicable("For most of the time, one capability only is there and enabled.")),
        _ => None,
    }
}

/// A rule in the list.
struct ListedRule {
    id: &'static str,
    title: &'static str,
    fine: &'static str,
    remedy: &'static str,
    other_remedy: &'static str,
    needs_replay: bool,
    of_waits: bool,
    explains: &'static [&'static str],
    judge: fn(&Asked<'_>) -> Judgement,
}

/// A rule for the docs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedRule {
    /// What programs call it.
    pub id: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// When it finds something, in a sentence.
    pub about: &'static str,
    /// Its limits: what each is of, the limit in words, and the reason.
    pub limits: Vec<(&'static str, alloc::string::String, &'static str)>,
    /// What is usual of figures that it judges: the section and key of each, and a sentence.
    pub usual: Vec<(&'static str, alloc::string::String)>,
    /// What to try.
    pub remedy: String,
    /// What to try instead where the rule finds its other cause.
    pub other_remedy: String,
    /// Whether it takes the replay to tell.
    pub needs_replay: bool,
    /// More general rules, by their ids. Where both find something of one level, this one comes before them: it says why.
    pub explains: &'static [&'static str],
}

impl ExplainedRule {
    fn of<R: Rule>() -> Self {
        let words = LimitValue::value;
        let limits = R::LIMITS.iter().map(|limit| (limit.name, words(limit.value).text(Nanos(0)), limit.why));
        let usual = R::USUAL.into_iter().flat_map(|usual| {
            let sentence = Sentence::new(usual.words, usual.limits.iter().map(|limit| words(limit.value)));
            usual.figures.iter().map(move |figure| (*figure, sentence.for_page(Nanos(0))))
        });
        Self {
            id: R::ID,
            title: R::TITLE,
            about: R::ABOUT,
            limits: limits.collect(),
            usual: usual.collect(),
            remedy: first_wordings(R::TRY),
            other_remedy: first_wordings(R::TRY_ELSE),
            needs_replay: R::NEEDS_REPLAY,
            explains: R::EXPLAINS,
        }
    }
}

/// What `f64::fract` is for, which needs the standard library.
trait FractIsZero {
    fn fract_is_zero(self) -> bool;
}

impl FractIsZero for f64 {
    fn fract_is_zero(self) -> bool {
        self == (self as u64) as f64
    }
}

macro_rules! rules {
    ($($Rule:path),* $(,)?) => {
        static RULES: &[ListedRule] = &[$(ListedRule {
            id: <$Rule>::ID,
            title: <$Rule>::TITLE,
            fine: <$Rule>::FINE,
            remedy: <$Rule>::TRY,
            other_remedy: <$Rule>::TRY_ELSE,
            needs_replay: <$Rule>::NEEDS_REPLAY,
            of_waits: <$Rule>::OF_WAITS,
            explains: <$Rule>::EXPLAINS,
            judge: <$Rule>::judge,
        }),*];

        /// Every rule with its limits, for the docs.
        #[must_use]
        pub fn explained() -> Vec<ExplainedRule> {
            vec![$(ExplainedRule::of::<$Rule>()),*]
        }
    };
}

rules! {
    gc_share::GcShare,
    gc_unbalanced::GcUnbalanced,
    gc_threads::GcThreads,
    gc_small_nursery::GcSmallNursery,
    gc_nursery_unused::GcNurseryUnused,
    gc_slow_sync::GcSlowSync,
    gc_late_return::GcLateReturn,
    gc_long_pause::GcLongPause,
    gc_idle::GcIdle,
    heap_grows::HeapGrows,
    heap_retained::HeapRetained,
    heap_fragmented::HeapFragmented,
    heap_limit::HeapLimit,
    sparks_overflow::SparksOverflow,
    sparks_wasted::SparksWasted,
    sparks_few::SparksFew,
    sparks_uneven::SparksUneven,
    no_parallelism::NoParallelism,
    black_holes::BlackHolesRule,
    lock_chains::LockChains,
    awaited::Awaited,
    wake_latency::WakeLatency,
    nonmoving_sync::NonMovingSync,
    profiled::ProfiledRule,
    log_writing::LogWriting,
    log_damaged::LogDamaged,
    log_partial::LogPartial,
    environment::EnvironmentRule,
    wrong_program::WrongProgram,
    partial_profile::PartialProfile,
    class_paused::ClassPaused,
    slow_requests::SlowRequests,
    one_thread::OneThread,
    oversubscribed::Oversubscribed,
    idle_runnable::IdleRunnable,
    tiny_threads::TinyThreads,
    stm_retries::StmRetries,
}

/// What the verdict and all rules say of a log that has only a header.
pub(super) const NO_EVENTS: &str = "The log has no events.";

/// All that rules advise, with all wordings.
#[cfg(test)]
pub(super) fn advices() -> impl Iterator<Item = &'static str> {
    RULES.iter().flat_map(|rule| [rule.remedy, rule.other_remedy])
}

/// Whether a more special rule says why a finding is: one that has found something as grave, or graver.
pub(super) fn is_explained(finding: &Finding, all: &[Finding]) -> bool {
    let explain = |id: &str| RULES.iter().any(|rule| rule.id == id && rule.explains.contains(&finding.id));
    finding.level.is_found() && all.iter().any(|other| other.level >= finding.level && explain(other.id))
}

/// What each rule says of a log.
pub(super) fn judge(asked: &Asked<'_>) -> Vec<Finding> {
    RULES.iter().map(|rule| rule.finding(asked)).collect()
}

impl ListedRule {
    fn finding(&self, asked: &Asked<'_>) -> Finding {
        let Self { id, title, fine, remedy, other_remedy, needs_replay, of_waits, judge, .. } = *self;
        let mut finding = Finding {
            id,
            title,
            level: Level::NotApplicable,
            text: Sentence::default(),
            evidence: Vec::new(),
            stake: Stake::None,
            remedy: String::new(),
            needs: None,
        };
        if needs_replay && asked.replayed().is_none() && asked.can_be_replayed() {
            finding.level = Level::Waiting;
            finding.text = Sentence::new("It is known once threads have been followed.", []);
            return finding;
        }
        match judge(asked) {
            Judgement::NotApplicable { why, needs } => (finding.text, finding.needs) = (why, needs),
            Judgement::Fine(text) => (finding.level, finding.title, finding.text) = (Level::Fine, fine, text),
            Judgement::Found(FoundParts { level, text, evidence, stake, is_else }) => {
                let remedy = new_to(if is_else { other_remedy } else { remedy }, asked);
                finding = Finding { level, text, evidence, stake, remedy, ..finding };
            }
        }
        let missing = asked.facts.threads.not_followed.unwrap_or_default();
        if of_waits && missing > 0 && finding.level != Level::NotApplicable {
            let words = " {} [thread was|threads were] not followed: there are too many to know what they waited for.";
            finding.text.add(words, [Value::Count(missing)]);
        }
        // Nothing is as it should be of which there is nothing.
        if asked.has_no_events() && !finding.level.is_found() {
            let (level, text) = (Level::NotApplicable, Sentence::new(NO_EVENTS, []));
            return Finding { level, title, text, needs: None, ..finding };
        }
        finding
    }
}
