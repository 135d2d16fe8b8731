//! What all stores have in common: see [`Store`].

use crate::{keeping::diagnostics::DiagnosticKind, terms::tags::Tags};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Nanos};

/// An event of a known form.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Event<'a> {
    /// Its offset in the log.
    pub(crate) offset: u64,
    pub(crate) time: Nanos,
    pub(crate) tag: u16,
    pub(crate) cap: Option<CapNo>,
    pub(crate) payload: &'a [u8],
}

#[cfg(test)]
impl<'a> Event<'a> {
    /// An event at no particular offset.
    pub(crate) fn of(tag: u16, time: Nanos, payload: &'a [u8]) -> Self {
        Self { offset: 0, time, tag, cap: None, payload }
    }
}

/// What stores are made for: some keep less if nothing is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Purpose {
    /// The length of the log in bytes, if known.
    pub(crate) log_bytes: Option<u64>,
    /// Whether anything is drawn, and not just counted.
    pub(crate) is_drawn: bool,
}

/// The capabilities in order, each with its stream.
pub(crate) type Streams<'a> = &'a [(CapNo, u32)];

/// What is kept of a log about one subject, within a bound. A store is a file, and a line in the list of stores
/// (`known/stores.rs`). The first pass calls its methods:
///
/// ```text
/// step step step settle  step step end_stream step settle  finish, then remarks
/// |--- a piece of the log ---|------- another -----------|
/// ```
///
/// Results of the tracks' machines are handed to stores by `reading/first_pass.rs`.
pub(crate) trait Store: Sized {
    /// The numbers of the events that it follows, on any stream.
    const TAGS: Tags = Tags::NONE;

    /// An empty store, before any of the log has been read.
    fn of(purpose: Purpose) -> Self;

    /// Follows an event, one of [`Self::TAGS`].
    fn step(&mut self, _event: Event<'_>) {}

    /// Sorts what has come. A piece of the log has been read, and questions may follow.
    fn settle(&mut self, _streams: Streams<'_>) {}

    /// Another stream of the file begins; `last` is the latest time so far.
    fn end_stream(&mut self, _last: Nanos) {}

    /// The log is over: no more events will come.
    fn finish(&mut self, _streams: Streams<'_>) {}

    /// The bytes that it holds, without the struct itself.
    fn bytes_held(&self) -> usize;

    /// What the user should know about it, once all has been read.
    fn remarks(&self) -> Vec<DiagnosticKind> {
        Vec::new()
    }
}
