//! The log itself: how long it is, and whether it is whole.

use crate::facts::{Section, scope::Scope, typed::facts};
use ghc_eventlog::Nanos;

facts! {
    /// The log itself, as far as it has been read.
    WholeLogFacts("log", "Log") {
        /// Bytes that have been read, unpacked.
        pub bytes: u64 = ("bytes", "Size", Bytes, Repeatable),
        /// Events.
        pub events: u64 = ("events", "Events", Count, Repeatable),
        /// From the smallest time of an event to the largest one.
        pub extent: Option<Nanos> = ("extent_ns", "Length", Duration, Timed),
        /// Whether it has its end mark, and nothing in it was lost; `None` before it has been read.
        pub complete: Option<bool> = ("complete", "Complete", Text, Repeatable),
        /// Bytes that could not be read.
        pub lost_bytes: u64 = ("lost_bytes", "Could not be read", Bytes, Repeatable),
    }
}

impl WholeLogFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let model = scope.model;
        let diagnostics = model.diagnostics();
        let complete = scope.known().is_whole() && diagnostics.is_all_read();
        Self {
            bytes: model.offset(),
            events: model.events(),
            extent: model.extent().map(|(first, last)| last.since(first)),
            complete: model.is_finished().then_some(complete),
            lost_bytes: diagnostics.lost_bytes(),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        scope.of_whole(Section::of(self))
    }
}
