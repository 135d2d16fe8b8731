//! A span of the program that has ended, or was open when its thread was over.

use crate::{
    keeping::{
        crossing::{notes::NoteChain, pairing::SpanKey},
        rows::Kept,
    },
    terms::messages::NO_NUMBER,
};
use ghc_eventlog::{Nanos, ThreadId};

/// A span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UserSpan {
    pub(crate) start: Nanos,
    /// For an unfinished span: the end of its thread or of the log.
    pub(crate) end: Nanos,
    pub(super) number: u64,
    /// The thread that began it; 0 if none did.
    pub(crate) thread: ThreadId,
    pub(crate) label: u16,
    pub(crate) unfinished: bool,
    /// What has been said of it.
    pub(crate) notes: NoteChain,
}

impl UserSpan {
    pub(crate) fn length(&self) -> Nanos {
        self.end.since(self.start)
    }

    /// A span that has ended.
    pub(crate) fn ended(key: SpanKey, thread: ThreadId, label: u16, start: Nanos, end: Nanos) -> Self {
        Self { start, end: end.max(start), number: key.2, thread, label, unfinished: false, notes: NoteChain::NONE }
    }

    #[cfg(test)]
    pub(crate) fn of(thread: ThreadId, start: u64, end: u64) -> Self {
        let (start, end) = (Nanos(start), Nanos(end));
        Self { start, end, number: NO_NUMBER, thread, label: 0, unfinished: false, notes: NoteChain::NONE }
    }

    /// The number that distinguishes it from others with its label.
    pub(crate) fn number(&self) -> Option<u64> {
        Some(self.number).filter(|number| *number != NO_NUMBER)
    }
}

impl Kept for UserSpan {
    fn time(&self) -> Nanos {
        self.start
    }

    fn weight(&self) -> u64 {
        self.length().0
    }
}
