//! The capabilities: how long each was in which state.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Column, Listed},
        value::{Unit, Value},
    },
    tracks::{
        TrackId,
        capability::{GC_SYNC, GC_WAIT, GC_WORKING, IDLE, LOST, RUNNING, STATES},
    },
};
use alloc::vec::Vec;
use core::ops;
use ghc_eventlog::{CapNo, Nanos};

pub(super) struct Caps;

/// What one did.
pub(crate) struct Cap {
    cap: CapNo,
    /// The time in each state; none if that is not known, or not yet.
    states: Vec<Nanos>,
    /// The time that is known of it.
    known: Nanos,
}

impl Listed for Caps {
    type Row = Cap;
    const SECTION: &'static str = "caps";
    const KEY: &'static str = "caps";
    const NAME: &'static str = "Capabilities";
    const COLUMNS: &'static [Cells<Cap>] = &[
        Cells::new("cap", "Capability", Unit::Capability, |_, cap| Value::Capability(cap.cap)),
        state(RUNNING, |scope, cap| cap.state(scope, RUNNING)),
        state(GC_WORKING, |scope, cap| cap.state(scope, GC_WORKING)),
        state(GC_WAIT, |scope, cap| cap.state(scope, GC_WAIT)),
        state(GC_SYNC, |scope, cap| cap.state(scope, GC_SYNC)),
        state(LOST, |scope, cap| cap.state(scope, LOST)),
        state(IDLE, |scope, cap| cap.state(scope, IDLE)),
        Cells::new("known_ns", "Known time", Unit::Duration, |_, cap| Value::Duration(cap.known)),
    ];

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.session().caps.count()
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Cap> {
        let (cap, events) = scope.session().caps.lanes().nth(place)?;
        let states = scope.states(TrackId::capability(cap));
        let (from, to) = scope.times()?;
        let lost = states.get(usize::from(LOST)).copied().unwrap_or_default();
        Some(Cap { cap, known: events.lasts(from, to).since(lost), states })
    }

    fn shows(scope: &Scope<'_>, column: &Column) -> bool {
        column.key != key(LOST) || is_shown(scope, LOST)
    }
}

impl Cap {
    fn state(&self, scope: &Scope<'_>, state: u8) -> Value {
        let told = scope.session().told().lacks(state).is_none();
        let time = self.states.get(usize::from(state)).filter(|_| told);
        time.map_or(Value::Unknown, |time| Value::Duration(*time))
    }
}

/// What the time in each state is called among the facts, by the state's number: by programs, and by people, for whom it stands
/// between names that begin with a capital, too.
const NAMES: [(&str, &str); STATES.len()] = [
    ("running_ns", "Running"),
    ("gc_working_ns", "GC working"),
    ("gc_wait_ns", "GC wait"),
    ("gc_sync_ns", "GC sync"),
    ("not_known_ns", "Not known"),
    ("idle_ns", "Idle"),
];

/// What programs call the time in a state.
pub(crate) const fn key(state: u8) -> &'static str {
    NAMES[state as usize].0
}

/// What people call the time in a state.
pub(crate) const fn name(state: u8) -> &'static str {
    NAMES[state as usize].1
}

/// The column of a state. What is not known is no part of the known time.
const fn state(state: u8, value: fn(&Scope<'_>, &Cap) -> Value) -> Cells<Cap> {
    let role = STATES[state as usize].role;
    if state == LOST {
        return Cells::coloured(key(state), name(state), Unit::Duration, role, value);
    }
    Cells::part(key(state), name(state), role, value)
}

/// Whether a state has a figure and a column: what is not known has them if there is any.
pub(crate) fn is_shown(scope: &Scope<'_>, state: u8) -> bool {
    state != LOST || all(scope, LOST).is_some_and(|lost| lost > Nanos(0))
}

/// The time that all of them together were in a state; `None` if the log does not tell.
pub(crate) fn all(scope: &Scope<'_>, state: u8) -> Option<Nanos> {
    let session = scope.session();
    if session.told().lacks(state).is_some() {
        return None;
    }
    let of_each = session.caps.lanes().map(|(cap, _)| scope.states(TrackId::capability(cap)));
    let mut times = of_each.map(|states| states.get(usize::from(state)).copied());
    times.try_fold(Nanos(0), |sum, time| Some(sum.plus(time?)))
}

/// The time that is known of all of them together.
pub(crate) fn known_of_all(scope: &Scope<'_>) -> Nanos {
    let Some((from, to)) = scope.times() else { return Nanos(0) };
    let lasting = scope.session().caps.lanes().map(|(_, events)| events.lasts(from, to));
    lasting.fold(Nanos(0), Nanos::plus).since(all(scope, LOST).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_called_as_on_the_track() {
        for (at, state) in STATES.iter().enumerate() {
            let (key, name) = NAMES[at];
            assert_eq!(name.to_lowercase(), state.name.to_lowercase());
            assert_eq!(key, name.to_lowercase().replace(' ', "_") + "_ns");
        }
    }
}
