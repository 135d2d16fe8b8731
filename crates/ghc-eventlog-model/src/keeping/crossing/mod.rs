//! What crosses capabilities: what threads did, user spans, and who stopped last before each collection.

pub(crate) mod cells;
pub(crate) mod doing;
pub(crate) mod rows;
pub(crate) mod spans;
pub(crate) mod stops;
pub(crate) mod threads;

use crate::keeping::diagnostics::DiagnosticKind;
use ghc_eventlog::Nanos;
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
        self.lives.bytes_held() + self.spans.bytes_held() + self.stops.bytes_held()
    }
}
