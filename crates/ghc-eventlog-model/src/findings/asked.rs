//! What rules ask: the facts of a log, the account, and what the replay has found.

use super::{Sentence, Stake};
use crate::{
    facts::{
        account::{Account, AccountPart},
        scope::Scope,
        sections::TypedFacts,
    },
    keeping::{crossing::Replayed, rts_flags::RtsFlags},
    known::Known,
    reading::model::Model,
    terms::{evidence::Evidence, machine::Placed, sample::Sample, span::Collection, track::TrackId, value::Value},
    tracks::spark_pool::SparkPool,
};
use alloc::{format, string::String};
use ghc_eventlog::{CapNo, Nanos, ThreadId};
use ghc_eventlog_text::LogText;

/// The part of idle time in which collections were pending.
pub(super) const PENDING: &str = "idle_ns.collection pending";

/// A log, as rules see it.
pub(super) struct Asked<'m> {
    pub(super) scope: Scope<'m>,
    pub(super) facts: TypedFacts,
    /// Where the time went; `None` if the log does not tell.
    pub(super) account: Option<Account>,
}

impl<'m> Asked<'m> {
    pub(super) fn of(model: &'m Model) -> Self {
        let scope = Scope::of(model, None);
        Self { facts: model.typed_facts(None), account: scope.account(), scope }
    }

    pub(super) fn known(&self) -> &Known {
        self.scope.known()
    }

    /// Whether all of the log has been read, and it has not one event.
    pub(super) fn has_no_events(&self) -> bool {
        self.facts.log.events == 0 && self.known().is_finished()
    }

    /// What the program's arguments say of its runtime.
    pub(super) fn flags(&self) -> RtsFlags {
        self.known().stores.process.flags().cloned().unwrap_or_default()
    }

    /// When the log begins and ends.
    pub(super) fn times(&self) -> (Nanos, Nanos) {
        self.scope.times().unwrap_or_default()
    }

    /// How long the log is.
    pub(super) fn extent(&self) -> Nanos {
        self.facts.log.extent.unwrap_or_default()
    }

    /// A time as a share of the log's length.
    pub(super) fn share(&self, time: Nanos) -> f64 {
        ratio(time.0, self.extent().0)
    }

    /// A time of all capabilities together as a share of that in which they are there, enabled and known.
    pub(super) fn share_of_all(&self, time: Nanos) -> f64 {
        let all = self.account.as_ref().map_or(Nanos(0), |account| account.all);
        ratio(time.0, all.since(self.spent(&["disabled_ns", "not_known_ns"])).0)
    }

    /// How many capabilities are there and enabled, on average of the log, and at least one.
    pub(super) fn enabled(&self) -> u64 {
        let Some(account) = self.account.as_ref().filter(|account| account.time > Nanos(0)) else {
            return self.facts.caps.count.max(1);
        };
        let enabled = account.all.since(self.spent(&["disabled_ns"]));
        (enabled.plus(Nanos(account.time.0 / 2)).0 / account.time.0).max(1)
    }

    /// The time of the account's parts with these keys together.
    pub(super) fn spent(&self, keys: &[&str]) -> Nanos {
        let parts = self.account.iter().flat_map(|account| &account.parts);
        parts.filter(|part| keys.contains(&part.key)).fold(Nanos(0), |sum, part| sum.plus(part.time))
    }

    /// The longest stretch of any of them.
    pub(super) fn longest_of(&self, keys: &[&str]) -> Option<Evidence> {
        let parts = self.account.iter().flat_map(|account| &account.parts);
        let longest = parts.filter(|part| keys.contains(&part.key)).filter_map(|part| part.longest.as_ref());
        longest.max_by_key(|evidence| evidence.length()).cloned()
    }

    /// The time in which capabilities were idle, and no collection was pending.
    pub(super) fn idle(&self) -> Nanos {
        self.idle_parts().fold(Nanos(0), |sum, part| sum.plus(part.time))
    }

    /// The same while threads were blocked.
    pub(super) fn idle_while_blocked(&self) -> Nanos {
        let parts = self.idle_parts().filter(|part| part.key.starts_with("idle_ns.blocked"));
        parts.fold(Nanos(0), |sum, part| sum.plus(part.time))
    }

    /// What is at stake where all capabilities stand still for a time.
    pub(super) fn stop_of_all(&self, time: Nanos) -> Stake {
        Stake::of_caps(Nanos(time.0.saturating_mul(self.enabled())))
    }

    /// The longest stretch in which a capability was [idle](Self::idle).
    pub(super) fn longest_idle(&self) -> Option<Evidence> {
        self.idle_parts().filter_map(|part| part.longest.as_ref()).max_by_key(|longest| longest.length()).cloned()
    }

    fn idle_parts(&self) -> impl Iterator<Item = &AccountPart> {
        let parts = self.account.iter().flat_map(|account| &account.parts);
        parts.filter(|part| part.is_idle() && part.key != PENDING)
    }

    /// The track of the first pool of sparks.
    pub(super) fn spark_track(&self) -> Option<TrackId> {
        let first = self.known().stores.samples.lines_of(TrackId::of::<SparkPool>(0).kind).first()?;
        Some(TrackId::of::<SparkPool>(first.number()))
    }

    /// Passes when each process of the file begins and ends.
    pub(super) fn each_process(&self, mut take: impl FnMut(Nanos, Nanos)) {
        let (mut from, to) = self.times();
        for (over, _) in self.known().index.processes.over() {
            take(from, over);
            from = over;
        }
        take(from, to);
    }

    /// Whether the replay would find anything.
    pub(super) fn can_be_replayed(&self) -> bool {
        self.known().crosses_capabilities()
    }

    /// What the replay has found, once it is complete.
    pub(super) fn replayed(&self) -> Option<&Replayed> {
        self.scope.replayed()
    }

    /// The collections that are kept, in order of time.
    pub(super) fn collections(&self) -> &[Collection] {
        self.known().stores.collections.rows()
    }

    /// The values of a line of the whole log that are kept, in order of time.
    pub(super) fn samples<K: Placed>(&self) -> &[Sample] {
        self.known().stores.samples.series::<K>(0, 0).map_or(&[], |series| series.rows.kept())
    }

    /// Says it if not all collections are kept.
    pub(super) fn add_kept(&self, text: &mut Sentence) {
        let (kept, all) = (self.collections().len() as u64, self.facts.gc.count.unwrap_or_default());
        if kept < all {
            text.add(
                " That is of {} of {} collections: there are too many to keep all.",
                [kept, all].map(Value::Count),
            );
        }
    }

    /// Whether a collection is a major one.
    pub(super) fn is_major(&self, gc: &Collection) -> bool {
        self.known().stores.collections.is_major(gc)
    }

    /// A collection as evidence.
    pub(super) fn pause(&self, gc: &Collection) -> Evidence {
        let label = if self.is_major(gc) { "a major collection" } else { "a minor collection" };
        Evidence::of(gc.start, gc.end, label).on(gc.cap).track(TrackId::COLLECTIONS)
    }

    /// Whether the log has threads of the base library's that wait for timers, files and sockets, as a program linked with -threaded has.
    /// There, a thread that sleeps or waits for a socket is blocked on an MVar until one of them wakes it up.
    pub(super) fn has_managers(&self) -> bool {
        self.scope.model.threads().of_runtime().next().is_some()
    }

    /// A thread in words: "thread 7 writer".
    pub(super) fn thread(&self, thread: ThreadId) -> Value {
        let words: LogText<'_> = format!("thread {thread}").into();
        match self.scope.model.threads().label(thread) {
            Some(label) => Value::Text(LogText::joined(&[words, label], " ")),
            None => Value::words(words),
        }
    }

    /// What a thread did, as evidence.
    pub(super) fn by_thread(
        &self,
        thread: ThreadId,
        from: Nanos,
        to: Nanos,
        label: impl Into<LogText<'static>>,
    ) -> Evidence {
        Evidence::of(from, to, label).by(thread).track(self.known().track_of_thread(thread))
    }

    /// What a capability did, as evidence.
    pub(super) fn on_cap(&self, cap: CapNo, from: Nanos, to: Nanos, label: &'static str) -> Evidence {
        Evidence::of(from, to, label).on(cap).track(TrackId::capability(cap))
    }
}

/// A part of a whole, as a share: 0 if there is no whole.
pub(super) fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A number with one decimal, as a value; negative ones are 0.
pub(super) fn decimal(number: f64) -> Value {
    let tenths = (number.max(0.0) * 10.0 + 0.5) as u64;
    let text: String = format!("{}.{}", tenths / 10, tenths % 10);
    Value::words(text)
}
