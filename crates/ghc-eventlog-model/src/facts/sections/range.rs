//! The time that the other sections are about: it has a section if it is not all of the log.

use crate::facts::{Section, scope::Scope, typed::facts};
use ghc_eventlog::Nanos;

facts! {
    /// The time that the facts are about: a range of the log, no longer than the log, or all of it. `None` if the log has no events.
    RangeFacts("range", "Range") {
        /// Its first moment.
        pub from: Option<Nanos> = ("from_ns", "From", Time, Timed),
        /// Its last moment.
        pub to: Option<Nanos> = ("to_ns", "To", Time, Timed),
        /// How long it is.
        pub length: Option<Nanos> = ("length_ns", "Length", Duration, Timed),
    }
}

impl RangeFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let (from, to) = scope.times().unzip();
        Self { from, to, length: scope.length() }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        self.from.filter(|_| !scope.is_whole()).map(|_| Section::of(self))
    }
}
