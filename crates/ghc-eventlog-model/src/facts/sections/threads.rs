//! The program's threads.

use crate::{
    facts::{Section, scope::Scope, tables::caps, value::Unit},
    tracks::capability::RUNNING,
};
use ghc_eventlog::CreateThread;

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let threads = scope.model.threads();
    let lacks = scope.session().told().lacks(RUNNING);
    let logged = |number| scope.of_whole(number).filter(|_| lacks.is_none());
    let count = logged(threads.rows().len() as u64).filter(|_| !threads.is_capped());
    let section = Section::new("threads", "Threads")
        .count(count)
        .lacks(lacks)
        .figure("count", "Threads", Unit::Count, count)
        .figure("created", "Created in the log", Unit::Count, logged(scope.events(&[CreateThread::TAG])))
        .duration("states_ns.running", "Running", caps::all(scope, RUNNING));
    Some(section)
}
