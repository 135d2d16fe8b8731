//! A hit of a search.

use ghc_eventlog::{CapNo, LogMsg, Nanos, ThreadId, UserBinaryMsg, UserMarker, UserMsg};
use ghc_eventlog_text::LogText;

/// What a hit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HitKind {
    /// A message of the program or the runtime.
    Message,
    /// A marker of the program.
    Marker,
    /// A span of the program.
    Span,
    /// A collection.
    Collection,
    /// A stretch of time in which a capability ran a thread.
    Run,
    /// Any other event.
    Event,
}

impl HitKind {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 6] = [Self::Message, Self::Marker, Self::Span, Self::Collection, Self::Run, Self::Event];

    /// What programs call it: never changed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Marker => "marker",
            Self::Span => "span",
            Self::Collection => "gc",
            Self::Run => "run",
            Self::Event => "event",
        }
    }

    /// The heading of such hits.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Message => "Messages",
            Self::Marker => "Markers",
            Self::Span => "Spans of the program",
            Self::Collection => "Collections",
            Self::Run => "Runs of threads",
            Self::Event => "Other events",
        }
    }

    /// The word after `type:` that names it; events are named by their types.
    pub(crate) const fn query_word(self) -> Option<&'static str> {
        match self {
            Self::Span => Some("span"),
            Self::Collection => Some("GC"),
            Self::Run => Some("run"),
            Self::Message | Self::Marker | Self::Event => None,
        }
    }

    /// Whether it has a begin and an end.
    #[must_use]
    pub const fn is_span(self) -> bool {
        self.query_word().is_some()
    }

    /// The kind of an event of this type.
    pub(crate) const fn of_event(tag: u16) -> Self {
        match tag {
            LogMsg::TAG | UserMsg::TAG | UserBinaryMsg::TAG => Self::Message,
            UserMarker::TAG => Self::Marker,
            _ => Self::Event,
        }
    }

    /// Its place in [`Self::ALL`].
    pub(crate) const fn place(self) -> usize {
        self as usize
    }
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// What it is.
    pub kind: HitKind,
    /// When it happened, or began.
    pub time: Nanos,
    /// How long it took; `None` for an event.
    pub length: Option<Nanos>,
    /// Whether it is a span of the program that did not end: its length is that until its thread or the log ended.
    pub unfinished: bool,
    /// The capability that logged it, or on which it happened.
    pub cap: Option<CapNo>,
    /// The thread that it is about, or else the one that ran on the capability.
    pub thread: Option<ThreadId>,
    /// For an event: its type.
    pub tag: Option<u16>,
    /// For a span of the program: the number of its label.
    pub(crate) label: Option<u16>,
    /// Distinguishes hits of one kind and time. For an event: its offset in the file, in bytes; for a collection, that of the event
    /// that ends it. For a span of the program: its place among those that were searched. For a run: the number of its capability.
    pub place: u64,
    /// What it says.
    pub text: LogText<'static>,
}

impl Hit {
    /// The sort key of hits: by time, and events of one time by their order in the file.
    pub(crate) fn key(&self) -> HitKey {
        (self.time, !self.kind.is_span(), self.kind, self.place)
    }
}

/// See [`Hit::key`].
pub(crate) type HitKey = (Nanos, bool, HitKind, u64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_in_the_list() {
        assert!(HitKind::ALL.iter().enumerate().all(|(place, kind)| kind.place() == place));
    }
}
