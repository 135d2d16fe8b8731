//! The log itself: how long it is, and whether it is whole.

use crate::{
    facts::{Section, scope::Scope, value::Unit},
    reading::{diagnostics::DiagnosticKind, session::lost_up_to},
};
use alloc::string::ToString;

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let model = scope.model;
    let whole = if scope.session().is_whole() { "yes" } else { "no" };
    let (first, last) = model.extent().unzip();
    let log = Section::new("log", "Log")
        .figure("bytes", "Size", Unit::Bytes, Some(model.offset()))
        .figure("events", "Events", Unit::Count, Some(model.events()))
        .duration("extent_ns", "Length", last.map(|last| last.since(first.unwrap_or(last))))
        .text("complete", "Complete", model.is_finished().then(|| whole.to_string()))
        .figure("lost_bytes", "Could not be read", Unit::Bytes, lost_bytes(scope));
    scope.of_whole(log)
}

/// The bytes that belong to nothing that could be read; `None` if there are too many places to know them all.
fn lost_bytes(scope: &Scope<'_>) -> Option<u64> {
    let diagnostics = scope.model.diagnostics();
    let all = diagnostics.list();
    let lost = all.iter().filter_map(|diagnostic| match diagnostic.kind {
        DiagnosticKind::Decoder(notice) => Some(lost_up_to(notice)?.saturating_sub(notice.offset)),
        _ => None,
    });
    (diagnostics.count() == all.len() as u64).then(|| lost.sum())
}
