//! The log itself: how long it is, and whether it is whole.

use crate::facts::{Section, scope::Scope, typed::facts};
use ghc_eventlog::Nanos;

facts! {
    /// The log itself: how long it is, and whether all of it could be read.
    WholeLogFacts("log", "Log") {
        /// How many bytes have been read; of a compressed log, after unpacking.
        pub bytes: u64 = ("bytes", "Size", Bytes, Repeatable),
        /// How many events the log has. An event is one thing that the runtime or the program wrote down, with its
        /// time.
        pub events: u64 = ("events", "Events", Count, Repeatable),
        /// The time from the earliest event to the latest one. It is about as long as the program ran.
        pub extent: Option<Nanos> = ("extent_ns", "Length", Duration, Timed),
        /// When the earliest event was on the runtime's own clock, which the command show prints. All other times here
        /// count from that event.
        pub first: Option<Nanos> = ("first_event_ns", "First event on the runtime's clock", Duration, Timed),
        /// Whether the log has its end mark, nothing in it was lost, and its events are in order. The log of a program
        /// that was killed is usually not complete.
        pub complete: Option<bool> = ("complete", "Complete", Text, Repeatable),
        /// How many bytes could not be read, since they are damaged or in an unknown form. A sound log has none.
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
            first: model.extent().map(|(first, _)| first),
            complete: model.is_finished().then_some(complete),
            lost_bytes: diagnostics.lost_bytes(),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        scope.of_whole(Section::of(self))
    }
}
