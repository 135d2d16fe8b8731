//! What the program and the runtime wrote into the log.

use crate::facts::{Section, scope::Scope};
use ghc_eventlog::{LogMsg, UserBinaryMsg, UserMarker, UserMsg};

const TAGS: &[u16] = &[LogMsg::TAG, UserMsg::TAG, UserMarker::TAG, UserBinaryMsg::TAG];

impl Scope<'_> {
    /// The flag that the log lacks, if it has no message.
    pub(crate) fn lacks_messages(&self) -> Option<&'static str> {
        self.lacks(TAGS, "-lu")
    }
}

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let events = |tag| scope.events(&[tag]);
    let mut messages = Section::new("messages", "Messages").needs(scope.lacks_messages()).count(scope.events(TAGS));
    messages.number("user", "Of the program (traceEvent)", events(UserMsg::TAG));
    messages.number("marker_events", "Markers (traceMarker)", events(UserMarker::TAG));
    messages.number("binary", "In bytes (traceBinaryEvent)", events(UserBinaryMsg::TAG));
    if scope.known().stores.markers.beyond > 0 {
        messages.number("markers_beyond", "Markers of texts that are not kept", scope.known().stores.markers.beyond);
        messages.remark(
            "There are too many different markers to keep them all: those whose text came late are only counted.",
        );
    }
    messages.number("log", "Of the runtime", events(LogMsg::TAG));
    scope.of_whole(messages)
}
