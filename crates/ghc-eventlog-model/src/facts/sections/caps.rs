//! The capabilities: what all of them together did. What each did is a table.

use crate::{
    facts::{
        Section,
        scope::Scope,
        tables::caps::{self, key, name},
        typed::facts,
    },
    tracks::capability::{DISABLED, GC_SYNC, GC_WAIT, GC_WORKING, IDLE, LOST, RUNNING},
};
use ghc_eventlog::Nanos;

facts! {
    /// All capabilities together. Times are the sums of all capabilities' times.
    CapsFacts("caps", "Capabilities") {
        /// The flag of the runtime without which the log does not say when they ran. Collections are known without.
        pub lacks: Option<&'static str>,
        /// Capabilities that the log has anything of.
        pub count: u64 = ("count", "Capabilities", Count, Repeatable),
        /// Capabilities that the log says were created, each once, as the runtime counts them (`n_capabilities`); logs of old GHCs do not say.
        pub created: Option<u64> = ("created", "Created in the log", Count, Repeatable),
        /// The time in which they ran threads, as a part of the time that they could have: that is known of them, and not disabled.
        pub utilisation: Option<f64> = ("utilisation", "Utilisation", Share, Timed),
        /// Running a thread.
        pub running: Option<Nanos> = (key(RUNNING), name(RUNNING), Duration, Timed),
        /// Collecting garbage.
        pub gc_working: Option<Nanos> = (key(GC_WORKING), name(GC_WORKING), Duration, Timed),
        /// In a collection, with nothing to do.
        pub gc_wait: Option<Nanos> = (key(GC_WAIT), name(GC_WAIT), Duration, Timed),
        /// Waiting for a collection to begin.
        pub gc_sync: Option<Nanos> = (key(GC_SYNC), name(GC_SYNC), Duration, Timed),
        /// In no known state: events are missing.
        pub not_known: Option<Nanos> = (key(LOST), name(LOST), Duration, Timed).only_if(|caps| caps.not_known > Some(Nanos(0))),
        /// Disabled.
        pub disabled: Option<Nanos> = (key(DISABLED), name(DISABLED), Duration, Timed).only_if(|caps| caps.disabled > Some(Nanos(0))),
        /// Doing none of these.
        pub idle: Option<Nanos> = (key(IDLE), name(IDLE), Duration, Timed),
    }
}

impl CapsFacts {
    pub(super) fn gather(scope: &Scope<'_>) -> Self {
        let of_all = |state| caps::all(scope, state);
        let (running, disabled) = (of_all(RUNNING), of_all(DISABLED));
        // A disabled capability could not have run.
        let could = caps::known_of_all(scope).since(disabled.unwrap_or_default());
        let share = running.map(|running| running.0 as f64 / (could.0 as f64).max(1.0));
        Self {
            lacks: scope.known().told().lacks(RUNNING),
            count: scope.known().caps.count() as u64,
            created: scope.of_whole(scope.known().stores.lives.created() as u64).filter(|created| *created > 0),
            utilisation: share.filter(|_| could > Nanos(0)),
            running,
            gc_working: of_all(GC_WORKING),
            gc_wait: of_all(GC_WAIT),
            gc_sync: of_all(GC_SYNC),
            not_known: of_all(LOST),
            disabled,
            idle: of_all(IDLE),
        }
    }

    pub(super) fn section(&self, _: &Scope<'_>) -> Option<Section> {
        Some(Section::of(self).needs(self.lacks).count(self.count))
    }
}
