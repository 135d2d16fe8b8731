//! The log's events, by type.

use crate::facts::{Section, scope::Scope, value::Unit};

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let events = Some(scope.model.events());
    let section = Section::new("events", "Events").count(events).figure("count", "Events", Unit::Count, events).figure(
        "types",
        "Types of events",
        Unit::Count,
        Some(scope.model.counts().count() as u64),
    );
    scope.of_whole(section)
}
