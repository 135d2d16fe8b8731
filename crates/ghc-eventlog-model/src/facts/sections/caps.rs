//! The capabilities: what all of them together did. What each did is a table.

use crate::{
    facts::{Section, scope::Scope, tables::caps},
    tracks::capability::{DISABLED, RUNNING, STATES},
};
use ghc_eventlog::Nanos;

pub(super) fn section(scope: &Scope<'_>) -> Option<Section> {
    let known = scope.known();
    let count = known.caps.count() as u64;
    let time = caps::known_of_all(scope);
    // A disabled capability could not have run.
    let could = time.since(caps::all(scope, DISABLED).unwrap_or_default());
    let running = caps::all(scope, RUNNING).map(|running| running.0 as f64 / (could.0 as f64).max(1.0));
    let mut together = Section::new("caps", "Capabilities").count(count);
    together.number("count", "Capabilities", count);
    together.number("created", "Created in the log", created(scope));
    together.share("utilisation", "Utilisation", running.filter(|_| could > Nanos(0)));
    for state in (0..STATES.len() as u8).filter(|state| caps::is_shown(scope, *state)) {
        together.duration(caps::key(state), caps::name(state), caps::all(scope, state));
    }
    // Each figure knows what it lacks: the capabilities and their collections are known without runs.
    together.flag = known.told().lacks(RUNNING);
    Some(together)
}

/// How many the log says were created, each once, as the runtime counts them; logs of old GHCs do not say.
fn created(scope: &Scope<'_>) -> Option<u64> {
    let created = scope.known().stores.lives.created() as u64;
    scope.of_whole(created).filter(|created| *created > 0)
}
