//! The capabilities: what all of them together did. What each did is a table.

use crate::{
    facts::{
        Section,
        scope::Scope,
        tables::caps::{self, key, name},
        typed::facts,
    },
    terms::absence::Absence,
    tracks::capability::{CENSUS, DISABLED, GC_SYNC, GC_WAIT, GC_WORKING, IDLE, LOST, RUNNING},
};
use ghc_eventlog::Nanos;

facts! {
    /// All capabilities together; times are the sums of all capabilities' times. A capability, also called HEC (Haskell
    /// execution context), runs Haskell threads, one at a time; -N sets how many there are.
    CapsFacts("caps", "Capabilities") {
        /// The flag of the runtime without which the log does not say when they ran. Collections are known without.
        pub lacks: Option<Absence>,
        /// How many capabilities the log has anything of. A capability (HEC) runs Haskell threads, one at a time; -N
        /// sets how many there are.
        pub count: u64 = ("count", "Capabilities", Count, Repeatable),
        /// How many capabilities the log says were created (the runtime calls it n_capabilities). Logs of old GHCs do
        /// not say.
        pub created: Option<u64> = ("created", "Created in the log", Count, Repeatable),
        /// The share of their time in which the capabilities ran Haskell threads. Time that is not known, or in which a
        /// capability was disabled, is left out. A small share means that cores waited, for work or for collections.
        pub utilisation: Option<f64> = ("utilisation", "Utilisation", Share, Timed),
        /// The time in which capabilities ran Haskell threads, summed over all capabilities.
        pub running: Option<Nanos> = (key(RUNNING), name(RUNNING), Duration, Timed),
        /// The time in which capabilities worked in collections, summed over all capabilities.
        pub gc_working: Option<Nanos> = (key(GC_WORKING), name(GC_WORKING), Duration, Timed),
        /// The time in which a collection went on and a capability copied nothing, summed over all capabilities: it
        /// waited for the others, or, if it led the collection, cleaned up at its end. It is large if few of them do most
        /// of the work.
        pub gc_wait: Option<Nanos> = (key(GC_WAIT), name(GC_WAIT), Duration, Timed),
        /// The time in which capabilities waited for a collection to begin, summed over all capabilities: it begins
        /// when all have stopped. It is large if one of them takes long to stop.
        pub gc_sync: Option<Nanos> = (key(GC_SYNC), name(GC_SYNC), Duration, Timed),
        /// The time in which capabilities took censuses of the heap profile, summed over all capabilities. A census is
        /// part of the pause of a collection; a program without a heap profile has none of it.
        pub census: Option<Nanos> = (key(CENSUS), name(CENSUS), Duration, Timed).only_if(|caps| caps.census > Some(Nanos(0))),
        /// The time of which the log does not say what capabilities did, since events are missing. Most logs have none.
        pub not_known: Option<Nanos> = (key(LOST), name(LOST), Duration, Timed).only_if(|caps| caps.not_known > Some(Nanos(0))),
        /// The time in which capabilities could run nothing, since the program had disabled them (setNumCapabilities).
        pub disabled: Option<Nanos> = (key(DISABLED), name(DISABLED), Duration, Timed).only_if(|caps| caps.disabled > Some(Nanos(0))),
        /// The time in which capabilities had no thread to run and took part in no collection, summed over all
        /// capabilities.
        pub idle: Option<Nanos> = (key(IDLE), name(IDLE), Duration, Timed),
        /// The time in which the runtime wrote capabilities' events to the file, summed over all capabilities: an estimate. A
        /// capability stands still meanwhile, which is part of the times above, mostly of the running time. If it is much,
        /// log fewer classes of events: +RTS -l-as logs scheduling only.
        pub log_writing: Option<Nanos> = ("log_writing_ns", "Writing the log", Duration, Timed).only_if(|caps| caps.log_writing > Some(Nanos(0))),
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
            lacks: scope.known().logged_classes().lacks(RUNNING).map(Absence::of_flag),
            count: scope.known().caps.count() as u64,
            created: scope.of_whole(scope.known().stores.lives.created() as u64).filter(|created| *created > 0),
            utilisation: share.filter(|_| could > Nanos(0)),
            running,
            gc_working: of_all(GC_WORKING),
            gc_wait: of_all(GC_WAIT),
            gc_sync: of_all(GC_SYNC),
            census: of_all(CENSUS),
            not_known: of_all(LOST),
            disabled,
            idle: of_all(IDLE),
            log_writing: caps::all_log_writing(scope),
        }
    }

    pub(super) fn section(&self, scope: &Scope<'_>) -> Option<Section> {
        let mut caps = Section::of(self).needs(self.lacks).count(Some(self.count), "capabilities");
        if scope.known().stores.profiles.heap.misses_takings() {
            caps.remark("There are too many censuses to keep the times of all: of some, the time counts as GC wait.");
        }
        if scope.misses_disabled() {
            caps.remark(super::account::DISABLED_AT_LEAST);
        }
        Some(caps)
    }
}
