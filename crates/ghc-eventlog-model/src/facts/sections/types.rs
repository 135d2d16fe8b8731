//! The log's events, by type.

use crate::{
    asking::events::Listing,
    facts::{Section, scope::Scope, typed::facts},
};

facts! {
    /// The log's events. They are counted for the whole log only.
    EventsFacts("events", "Events") {
        /// How many events the log has, of all types together.
        pub count: Option<u64> = ("count", "Events", Count, Repeatable),
        /// How many different types of events occur in the log.
        pub types: Option<u64> = ("types", "Types of events", Count, Repeatable),
    }
}

impl EventsFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        Self { count: scope.of_whole(scope.model.events()), types: scope.of_whole(scope.model.counts().count() as u64) }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        let mut section = Section::of(self).count(self.count, "events");
        if scope.known().counts.others() > 0 {
            section.remark("There are too many types of events to count each: those that came last are together, as (all others), and the number of types lacks them.");
        }
        scope.of_whole(Section { listing: Some(Listing::events(scope.model)), ..section })
    }
}
