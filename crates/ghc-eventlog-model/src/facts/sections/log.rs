//! The log itself: how long it is, and whether it is whole.

use crate::facts::{Section, scope::Scope};
use alloc::string::ToString;

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let model = scope.model;
    let lost = lost_bytes(scope);
    let complete = if scope.session().is_whole() && lost == Some(0) { "yes" } else { "no" };
    let (first, last) = model.extent().unzip();
    let mut log = Section::new("log", "Log");
    log.bytes("bytes", "Size", model.offset());
    log.number("events", "Events", model.events());
    log.duration("extent_ns", "Length", last.map(|last| last.since(first.unwrap_or(last))));
    log.text("complete", "Complete", model.is_finished().then(|| complete.to_string()));
    log.bytes("lost_bytes", "Could not be read", lost);
    scope.of_whole(log)
}

/// The bytes that belong to nothing that could be read; `None` if there are too many places to know them all.
fn lost_bytes(scope: &Scope<'_>) -> Option<u64> {
    let diagnostics = scope.model.diagnostics();
    let all = diagnostics.list();
    let lost = all.iter().filter_map(|diagnostic| diagnostic.kind.lost_bytes());
    (diagnostics.count() == all.len() as u64).then(|| lost.sum())
}
