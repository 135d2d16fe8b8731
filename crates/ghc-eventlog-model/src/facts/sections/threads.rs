//! The program's threads.

use crate::{
    facts::{Section, scope::Scope, tables::caps},
    tracks::capability::RUNNING,
};
use ghc_eventlog::CreateThread;

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let threads = scope.model.threads();
    let lacks = scope.session().told().lacks(RUNNING);
    let logged = |number| scope.of_whole(number).filter(|_| lacks.is_none());
    let count = logged(threads.rows().len() as u64).filter(|_| !threads.is_capped());
    let mut section = Section::new("threads", "Threads").needs(lacks).count(count);
    section.number("count", "Threads", count);
    section.number("created", "Created in the log", logged(scope.events(&[CreateThread::TAG])));
    section.duration("states_ns.running", "Running", caps::all(scope, RUNNING));
    if threads.is_capped() {
        section.remark("There are more threads than the table has room for: the later ones have no row.");
    }
    Some(section)
}
