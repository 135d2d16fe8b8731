//! What the program and the runtime wrote into the log.

use crate::facts::{Section, scope::Scope, value::Unit};
use ghc_eventlog::{LogMsg, UserBinaryMsg, UserMarker, UserMsg};

const TAGS: &[u16] = &[LogMsg::TAG, UserMsg::TAG, UserMarker::TAG, UserBinaryMsg::TAG];

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let events = |tag| Some(scope.events(&[tag]));
    let messages = Section::new("messages", "Messages")
        .count(Some(scope.events(TAGS)))
        .lacks(scope.lacks(TAGS, "-lu"))
        .figure("user", "Of the program (traceEvent)", Unit::Count, events(UserMsg::TAG))
        .figure("markers", "Markers (traceMarker)", Unit::Count, events(UserMarker::TAG))
        .figure("binary", "In bytes (traceBinaryEvent)", Unit::Count, events(UserBinaryMsg::TAG))
        .figure("log", "Of the runtime", Unit::Count, events(LogMsg::TAG));
    scope.of_whole(messages)
}
