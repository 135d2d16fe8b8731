//! The time that the other sections are about: it has a section if it is not all of the log.

use crate::facts::{Section, scope::Scope, typed::facts};
use ghc_eventlog::Nanos;

facts! {
    /// The time that all figures are about: the selected range of the log.
    RangeFacts("range", "Range") {
        /// The moment at which the range begins.
        pub from: Option<Nanos> = ("from_ns", "From", Time, Timed),
        /// The moment at which the range ends.
        pub to: Option<Nanos> = ("to_ns", "To", Time, Timed),
        /// How long the range is, from its begin to its end.
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
