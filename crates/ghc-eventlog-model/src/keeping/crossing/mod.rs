//! What crosses capabilities: what threads did, and spans of the program's own.

pub(crate) mod cells;
pub(crate) mod doing;
pub(crate) mod rows;
pub(crate) mod spans;
pub(crate) mod threads;

use crate::keeping::diagnostics::DiagnosticKind;
use ghc_eventlog::Nanos;
use spans::UserSpans;
use threads::ThreadLives;

/// What was found by going through the log in order of time.
#[derive(Debug)]
pub(crate) struct Replayed {
    pub(crate) lives: ThreadLives,
    /// What lies between two messages of the program.
    pub(crate) spans: UserSpans,
    /// Everything before this time has been gone through.
    pub(crate) until: Nanos,
    /// When the log begins, and ends.
    pub(crate) begin: Nanos,
    pub(crate) end: Nanos,
    /// Whether all of the log has.
    pub(crate) is_done: bool,
    /// Bytes of what is held while segments are put in order of time.
    pub(crate) waiting_bytes: usize,
}

impl Replayed {
    /// What its reader should know.
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
        self.lives.bytes_held() + self.spans.bytes_held()
    }
}
