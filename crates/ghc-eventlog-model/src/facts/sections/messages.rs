//! What the program and the runtime wrote into the log.

use crate::facts::{Section, scope::Scope};
use ghc_eventlog::{LogMsg, UserBinaryMsg, UserMarker, UserMsg};

const TAGS: &[u16] = &[LogMsg::TAG, UserMsg::TAG, UserMarker::TAG, UserBinaryMsg::TAG];

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let events = |tag| scope.events(&[tag]);
    let mut messages = Section::new("messages", "Messages").needs(scope.lacks(TAGS, "-lu")).count(scope.events(TAGS));
    messages.number("user", "Of the program (traceEvent)", events(UserMsg::TAG));
    messages.number("marker_events", "Markers (traceMarker)", events(UserMarker::TAG));
    messages.number("binary", "In bytes (traceBinaryEvent)", events(UserBinaryMsg::TAG));
    messages.number("log", "Of the runtime", events(LogMsg::TAG));
    scope.of_whole(messages)
}
