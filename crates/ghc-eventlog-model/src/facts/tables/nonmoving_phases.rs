//! The phases of the non-moving collector, one by one.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    terms::{
        nonmoving::Phase,
        track::TrackId,
        value::{Unit, Value},
    },
    tracks::nonmoving::{COUNTS, PHASES, STATES},
};
use alloc::string::ToString;
use core::ops;
use ghc_eventlog::Nanos;

pub(super) struct Phases;

impl Listed for Phases {
    type Row = Phase;
    const SECTION: &'static str = "nonmoving";
    const KEY: &'static str = "nonmoving_phases";
    const NAME: &'static str = "Phases of the non-moving collector";
    const ABOUT: &'static str =
        "Each phase of the non-moving collector: marking, the short stop after it (sync), and sweeping.";
    const TRACK: Option<TrackId> = Some(TrackId::NONMOVING);
    columns! {
        /// The moment at which the phase began.
        Cells::new("start_ns", "Start", Unit::Time, |_, phase| Value::Time(phase.start)),
        /// How long the phase took. Only a sync phase is a pause of the program.
        Cells::new("duration_ns", "Duration", Unit::Duration, |_, phase| Value::Duration(phase.end.since(phase.start))),
        /// What was done: data in use is marked, the program is stopped to finish that (sync), or the rest is given
        /// back (sweep).
        Cells::new("phase", "Phase", Unit::Text, |_, phase| {
            STATES.get(usize::from(phase.state)).map_or(Value::Unknown, |state| Value::words(state.name.to_string()))
        }),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        scope.within(scope.known().stores.nonmoving.phases(), |phase| phase.start)
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Phase> {
        scope.known().stores.nonmoving.phases().get(place).copied()
    }

    fn of(scope: &Scope<'_>) -> u64 {
        scope.sums().map_or(0, |sums| sums.of(COUNTS, PHASES).iter().sum())
    }

    fn time(phase: &Phase) -> Option<Nanos> {
        Some(phase.start)
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.known().stores.nonmoving.series.is_some()
    }
}
