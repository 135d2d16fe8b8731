//! The log's events, by type.

use crate::{
    asking::events::Listing,
    facts::{Section, scope::Scope},
};

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let events = scope.model.events();
    let mut section = Section::new("events", "Events").count(events);
    section.number("count", "Events", events);
    section.number("types", "Types of events", scope.model.counts().count() as u64);
    section.listing = Some(Listing::events(scope.model));
    scope.of_whole(section)
}
