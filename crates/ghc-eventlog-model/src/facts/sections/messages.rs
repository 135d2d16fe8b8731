//! What the program and the runtime wrote into the log.

use crate::{
    facts::{Section, scope::Scope, typed::facts},
    keeping::rts_flags::TraceClass,
    known::Known,
    terms::absence::Absence,
};
use ghc_eventlog::{LogMsg, UserBinaryMsg, UserMarker, UserMsg};

const OF_PROGRAM: &[u16] = &[UserMsg::TAG, UserMarker::TAG, UserBinaryMsg::TAG];

impl Scope<'_> {
    /// Why the log has no message of the program: the runtime's own are logged in any case.
    pub(crate) fn lacks_messages(&self) -> Option<Absence> {
        self.lacks_class(OF_PROGRAM, TraceClass::User)
    }
}

facts! {
    /// Messages that the program and the runtime wrote into the log. They are counted for the whole log only.
    MessagesFacts("messages", "Messages") {
        /// Why the log has none; if a flag is missing, nothing else is known.
        pub lacks: Option<Absence>,
        /// All of the following.
        pub count: Option<u64>,
        /// How many texts the program wrote by traceEvent, those that begin and end spans included.
        pub user: Option<u64> = ("user", "Of the program (traceEvent)", Count, Repeatable),
        /// How many markers the program wrote by traceMarker. They are dashed lines on the timeline.
        pub marker_events: Option<u64> = ("marker_events", "Markers (traceMarker)", Count, Repeatable),
        /// How many messages of bytes, not of text, the program wrote by traceBinaryEvent.
        pub binary: Option<u64> = ("binary", "In bytes (traceBinaryEvent)", Count, Repeatable),
        /// How many markers have no row in the table, since it has no room for so many different texts.
        pub markers_beyond: Option<u64> = ("markers_beyond", "Markers of texts that are not kept", Count, Repeatable)
            .only_if(|messages| messages.markers_beyond > Some(0)),
        /// How many values are of an instrument of opentelemetry that the log does not declare. Known once threads have been
        /// followed; not known if there are more instruments than are kept.
        pub undeclared: Option<u64> = ("undeclared", "Values of undeclared instruments", Count, Repeatable)
            .only_if(|messages| messages.undeclared > Some(0)),
        /// How many values are of instruments that have no line, since there are too many of them; those of instruments that the log does
        /// not declare are among them. Known once threads have been followed.
        pub values_beyond: Option<u64> = ("values_beyond", "Values of instruments without a line", Count, Repeatable)
            .only_if(|messages| messages.values_beyond > Some(0)),
        /// How many texts the runtime itself wrote into the log.
        pub log: Option<u64> = ("log", "Of the runtime", Count, Repeatable),
    }
}

/// How many values are of an instrument that has no line: first if all others have one, so that it is not declared; second if these
/// cannot be told from those that are not kept.
fn without_line(known: &Known) -> (Option<u64>, Option<u64>) {
    let values = known.replayed.as_ref().map(|replayed| replayed.counters.undeclared);
    if known.stores.messages.instruments.beyond == 0 { (values, None) } else { (None, values) }
}

impl MessagesFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let lacks = scope.lacks_messages();
        if !scope.is_whole() {
            return Self { lacks, ..Self::default() };
        }
        let log = scope.events(&[LogMsg::TAG]);
        if lacks.is_some_and(Absence::is_unlogged) {
            return Self {
                lacks,
                count: Some(log).filter(|log| *log > 0),
                log: Some(log).filter(|log| *log > 0),
                ..Self::default()
            };
        }
        let (undeclared, values_beyond) = without_line(scope.known());
        let events = |tag| Some(scope.events(&[tag])).filter(|_| scope.can_tell(tag));
        Self {
            lacks,
            count: Some(scope.events(OF_PROGRAM) + log),
            user: events(UserMsg::TAG),
            marker_events: events(UserMarker::TAG),
            binary: events(UserBinaryMsg::TAG),
            markers_beyond: Some(scope.known().stores.markers.beyond),
            undeclared,
            values_beyond,
            log: Some(log),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        let mut messages = Section::of(self).needs(self.lacks).count(self.count, "messages");
        if self.markers_beyond > Some(0) {
            messages.remark(
                "There are too many different markers to keep them all: those whose text came rarely are only counted, and texts that came again later are counted from then on.",
            );
        }
        let kept = &scope.known().stores.messages;
        if kept.instruments.beyond + kept.numbers.beyond > 0 {
            messages.remark("There are too many instruments, or numbers after different words: those with the most values have a line.");
        }
        if kept.instruments.may_lack_heavier {
            messages.remark("There are too many instruments to count the values of all of them: some without a line may have more values than those that have one.");
        }
        scope.of_whole(messages)
    }
}
