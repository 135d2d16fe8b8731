//! What crosses capabilities: what threads did, user spans, values, who stopped last before each collection, and why capabilities
//! were idle.

pub(crate) mod account;
pub(crate) mod cells;
pub(crate) mod chains;
pub(crate) mod counters;
pub(crate) mod doing;
pub(crate) mod marks;
pub(crate) mod notes;
mod repeats;
pub(crate) mod rows;
pub(crate) mod spans;
pub(crate) mod stops;
pub(crate) mod threads;

use crate::{
    keeping::{collections::Collections, diagnostics::DiagnosticKind, messages::Messages},
    terms::op::Op,
};
use account::IdleAccount;
use counters::CounterStore;
use ghc_eventlog::Nanos;
use marks::{Mark, MarkKind};
use repeats::Repeats;
use spans::UserSpans;
use stops::AllStops;
use threads::ThreadLives;

/// What the replay, in order of time, has found.
#[derive(Debug)]
pub(crate) struct Replayed {
    pub(crate) lives: ThreadLives,
    /// The user spans, between two messages of the program each.
    pub(crate) spans: UserSpans,
    /// Who stopped last before each collection.
    pub(crate) stops: AllStops,
    /// Why capabilities were idle.
    pub(crate) account: IdleAccount,
    /// Values in messages.
    pub(crate) counters: CounterStore,
    repeats: Repeats,
    /// The replay is complete up to this time.
    pub(crate) until: Nanos,
    /// When the log begins and ends.
    pub(crate) begin: Nanos,
    pub(crate) end: Nanos,
    /// Whether the whole log has been replayed.
    pub(crate) is_done: bool,
    /// Bytes held while segments are put in order of time.
    pub(crate) waiting_bytes: usize,
}

impl Replayed {
    /// Nothing, for a log from `begin` to `end`.
    pub(crate) fn new(begin: Nanos, end: Nanos, collections: &Collections, account: IdleAccount) -> Self {
        Self {
            lives: ThreadLives::new(begin, end),
            spans: UserSpans::new(collections),
            counters: CounterStore::default(),
            repeats: Repeats::default(),
            stops: AllStops::default(),
            account,
            until: begin,
            begin,
            end,
            is_done: false,
            waiting_bytes: 0,
        }
    }

    /// Takes what a message says, in order of time.
    pub(crate) fn mark(&mut self, op: &Op, mark: &Mark, collections: &Collections, messages: &Messages) {
        if self.repeats.is_repeated(op.cap, mark) {
            return;
        }
        match mark.what {
            MarkKind::Value => self.counters.add(mark, op.time, messages),
            _ => self.spans.step(op, *mark, collections),
        }
    }

    /// What the user should know about it.
    pub(crate) fn diagnostics(&self) -> impl Iterator<Item = DiagnosticKind> {
        let Self { lives: ThreadLives { impossible, twice, contention_beyond, .. }, spans, .. } = self;
        let all = [
            (*impossible > 0 || *twice > Nanos(0), DiagnosticKind::Impossible { runs: *impossible, twice: *twice }),
            (spans.unmatched > 0, DiagnosticKind::UnbegunSpans(spans.unmatched)),
            (spans.beyond > 0, DiagnosticKind::TooManySpans(spans.beyond)),
            (*contention_beyond > 0, DiagnosticKind::TooManyOwners(*contention_beyond)),
        ];
        all.into_iter().filter_map(|(is_so, kind)| is_so.then_some(kind))
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.lives.bytes_held()
            + self.spans.bytes_held()
            + self.counters.bytes_held()
            + self.repeats.bytes_held()
            + self.stops.bytes_held()
            + self.account.bytes_held()
    }
}
