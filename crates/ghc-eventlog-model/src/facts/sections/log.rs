//! The log itself: how long it is, and whether it is whole.

use crate::facts::{Section, scope::Scope};
use alloc::string::ToString;

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let model = scope.model;
    let diagnostics = model.diagnostics();
    let complete = if scope.known().is_whole() && diagnostics.is_all_read() { "yes" } else { "no" };
    let (first, last) = model.extent().unzip();
    let mut log = Section::new("log", "Log");
    log.bytes("bytes", "Size", model.offset());
    log.number("events", "Events", model.events());
    log.duration("extent_ns", "Length", last.map(|last| last.since(first.unwrap_or(last))));
    log.text("complete", "Complete", model.is_finished().then(|| complete.to_string()));
    log.bytes("lost_bytes", "Could not be read", diagnostics.lost_bytes());
    scope.of_whole(log)
}
