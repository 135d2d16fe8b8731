//! Where to look for something that is said of a log.

use crate::terms::track::TrackId;
use ghc_eventlog::{CapNo, Nanos, ThreadId};
use ghc_eventlog_text::LogText;

/// A stretch of time, and whose it is, as far as that is known.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Evidence {
    /// When it begins.
    pub from: Nanos,
    /// When it ends.
    pub to: Nanos,
    /// The capability.
    pub cap: Option<CapNo>,
    /// The thread.
    pub thread: Option<ThreadId>,
    /// What is there, in a few words.
    pub label: LogText<'static>,
    /// The track that shows it.
    pub track: Option<TrackId>,
}

impl Evidence {
    /// A stretch of time.
    pub(crate) fn of(from: Nanos, to: Nanos, label: impl Into<LogText<'static>>) -> Self {
        Self { from, to, label: label.into(), ..Self::default() }
    }

    /// On a capability.
    pub(crate) fn on(self, cap: impl Into<Option<CapNo>>) -> Self {
        Self { cap: cap.into(), ..self }
    }

    /// By a thread.
    pub(crate) fn by(self, thread: impl Into<Option<ThreadId>>) -> Self {
        Self { thread: thread.into(), ..self }
    }

    /// Shown by a track.
    pub(crate) fn track(self, track: impl Into<Option<TrackId>>) -> Self {
        Self { track: track.into().or(self.track), ..self }
    }

    /// How long it is.
    #[must_use]
    pub fn length(&self) -> Nanos {
        self.to.since(self.from)
    }
}
