//! What a log's reader should know about how well it could be read.

use crate::limits;
use alloc::vec::Vec;
use core::fmt;
use ghc_eventlog::{CapNo, Nanos, Notice, NoticeKind};

/// One thing to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Diagnostic {
    /// What.
    pub kind: DiagnosticKind,
    /// The time of the last event before it, if there was one.
    pub time: Option<Nanos>,
}

/// What a [`Diagnostic`] is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiagnosticKind {
    /// The decoder's.
    Decoder(Notice),
    /// There are no events.
    NoEvents,
    /// Times go back within one capability's events by more than clocks explain; said once for each.
    TimeBack {
        /// Whose events; `None` for the global ones.
        cap: Option<CapNo>,
        /// Where it was first seen.
        offset: u64,
        /// How far back.
        by: Nanos,
    },
    /// What cannot be in an undamaged log: ends or beginnings are missing.
    Unpaired {
        /// Runs and phases of collections that something else followed before they had ended.
        unended: u64,
        /// Stops of threads that did not run.
        unbegun: u64,
    },
    /// More threads than rows are kept for: some have no row, no label and no times of their own.
    TooManyThreads,
    /// Labels need more room than there is.
    TooManyLabels(u64),
    /// More collections than rows are kept for; totals count all.
    TooManyCollections,
    /// More capabilities than lanes.
    TooManyCaps,
    /// Reading was stopped here by its user.
    Stopped {
        /// How far it was read.
        offset: u64,
    },
}

impl DiagnosticKind {
    /// Whether something of the log is missing or could not be understood.
    #[must_use]
    pub fn is_loss(&self) -> bool {
        match self {
            Self::Decoder(notice) => notice.kind.is_loss() || notice.kind == NoticeKind::NoEndMark,
            Self::NoEvents | Self::TimeBack { .. } | Self::Unpaired { .. } => true,
            Self::TooManyThreads | Self::TooManyLabels(_) | Self::TooManyCollections | Self::TooManyCaps => true,
            Self::Stopped { .. } => true,
        }
    }
}

impl fmt::Display for DiagnosticKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decoder(notice) => notice.fmt(f),
            Self::NoEvents => write!(f, "no events: the program was killed before its first flush, or logged nothing"),
            Self::TimeBack { cap: Some(cap), offset, by } => {
                write!(f, "times of capability {cap} go back by {by} at offset {offset}")
            }
            Self::TimeBack { cap: None, offset, by } => {
                write!(f, "times of the global events go back by {by} at offset {offset}")
            }
            Self::Unpaired { unended, unbegun } => {
                write!(
                    f,
                    "{unended} runs or collections whose end is missing, {unbegun} stops of threads that did not run"
                )
            }
            Self::TooManyThreads => {
                write!(f, "more than {} threads: the others have no label and no row", limits::MAX_THREADS)
            }
            Self::TooManyLabels(count) => write!(f, "{count} thread labels not kept: they need too much memory"),
            Self::TooManyCollections => {
                write!(f, "more than {} collections: the others are in the totals only", limits::MAX_COLLECTIONS)
            }
            Self::TooManyCaps => write!(f, "more than {} capabilities: the others are not drawn", limits::MAX_CAPS),
            Self::Stopped { offset } => write!(f, "reading was stopped at offset {offset}"),
        }
    }
}

/// The first of them in full, and how many there are.
#[derive(Debug, Default)]
pub struct Diagnostics {
    kept: Vec<Diagnostic>,
    count: u64,
    /// Counted while reading, told at the end.
    pub(crate) unended: u64,
    pub(crate) unbegun: u64,
}

impl Diagnostics {
    /// Those kept in full: the first [`limits::MAX_DIAGNOSTICS`].
    #[must_use]
    pub fn list(&self) -> &[Diagnostic] {
        &self.kept
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether no more are kept.
    pub(crate) fn is_full(&self) -> bool {
        self.kept.len() >= limits::MAX_DIAGNOSTICS
    }

    pub(crate) fn add(&mut self, kind: DiagnosticKind, time: Option<Nanos>) {
        self.count += 1;
        if !self.is_full() {
            self.kept.push(Diagnostic { kind, time });
        }
    }
}
