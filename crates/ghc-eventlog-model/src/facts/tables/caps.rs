//! The capabilities: how long each was in which state.

use crate::{
    asking::range::Range,
    facts::{
        scope::Scope,
        table::{Cells, Listed},
    },
    keeping::lives::CapLife,
    known::{caps::CapEvents, sums::Sums},
    terms::{
        span::Moment,
        table::Column,
        track::TrackId,
        value::{Unit, Value},
    },
    tracks::{
        allocation,
        capability::{CENSUS, DISABLED, GC_SYNC, GC_WAIT, GC_WORKING, IDLE, LOST, RUNNING, STATES},
        spark_pool::SparkPool,
        spark_rates::{self, CONVERTED, CREATED, DUD, FIZZLED, GCD, OVERFLOWED},
    },
};
use alloc::vec::Vec;
use core::ops;
use ghc_eventlog::{CapNo, Nanos};

pub(super) struct Caps;

/// Some columns of [`Cap`], and after them those of its sparks: `with_sparks! { "sparks.", "Sparks created"; columns }` has the
/// keys of these begin with "sparks.", and names the first one.
macro_rules! with_sparks {
    ($keys:literal, $created:literal; $($before:tt)*) => {
        $crate::facts::table::columns! {
            $($before)*
            /// How many sparks were put into its pool, where they wait to be run.
            Cells::new(concat!($keys, "created"), $created, Unit::Count, |scope, cap| cap.sparks(scope, CREATED)),
            /// How many sparks it ran, those that it took from other pools included.
            Cells::new(concat!($keys, "converted"), "Converted", Unit::Count, |scope, cap| cap.sparks(scope, CONVERTED)),
            /// How many sparks were thrown away since its pool was full.
            Cells::new(concat!($keys, "overflowed"), "Overflowed", Unit::Count, |scope, cap| cap.sparks(scope, OVERFLOWED)),
            /// How many sparks were duds: the value was evaluated already when the spark was to be created.
            Cells::new(concat!($keys, "dud"), "Dud", Unit::Count, |scope, cap| cap.sparks(scope, DUD)),
            /// How many sparks a collection removed from its pool, since nothing needed the value any more.
            Cells::new(concat!($keys, "gcd"), "GC'd", Unit::Count, |scope, cap| cap.sparks(scope, GCD)),
            /// How many sparks fizzled: the value was evaluated by other code before the spark was run.
            Cells::new(concat!($keys, "fizzled"), "Fizzled", Unit::Count, |scope, cap| cap.sparks(scope, FIZZLED)),
            /// How many sparks still waited in its pool at the end.
            Cells::new(concat!($keys, "remaining"), "Still in the pool", Unit::Count, |scope, cap| cap.in_pool(scope)),
        }
    };
}

pub(super) use with_sparks;

/// What one did.
pub(crate) struct Cap {
    cap: CapNo,
    /// The time in each state; none if that is not known, or not yet.
    states: Vec<Nanos>,
    /// The time that is known of it.
    known: Nanos,
    /// Its stream.
    stream: usize,
    /// What was found of it; `None` if that is not known yet.
    sums: Option<Sums>,
}

impl Listed for Caps {
    type Row = Cap;
    const SECTION: &'static str = "caps";
    const KEY: &'static str = "caps";
    const NAME: &'static str = "Capabilities";
    const ABOUT: &'static str = "Each capability, and how long it was in which state.";
    with_sparks! {
        "sparks.", "Sparks created";
        /// The number of the capability, from 0 on. ThreadScope calls a capability HEC (Haskell execution context).
        Cells::new("cap", "Capability", Unit::Capability, |_, cap| cap.number()),
        /// The time in which it ran Haskell threads.
        state(RUNNING, |scope, cap| cap.state(scope, RUNNING)),
        /// The time in which it worked in collections.
        state(GC_WORKING, |scope, cap| cap.state(scope, GC_WORKING)),
        /// The time in which a collection went on and it copied nothing: it waited for the others, or, if it led the
        /// collection, cleaned up at its end.
        state(GC_WAIT, |scope, cap| cap.state(scope, GC_WAIT)),
        /// The time in which it waited for a collection to begin, which is when all others have stopped, too.
        state(GC_SYNC, |scope, cap| cap.state(scope, GC_SYNC)),
        /// The time in which it took censuses of the heap profile: a program without one has none of it. A census is
        /// part of the pause of a collection.
        state(CENSUS, |scope, cap| cap.state(scope, CENSUS)),
        /// The time of which the log does not say what it did, since events are missing.
        state(LOST, |scope, cap| cap.state(scope, LOST)),
        /// The time in which it could run nothing, since the program had disabled it (setNumCapabilities).
        state(DISABLED, |scope, cap| cap.state(scope, DISABLED)),
        /// The time in which it had no thread to run and took part in no collection.
        state(IDLE, |scope, cap| cap.state(scope, IDLE)),
        /// The time in which the runtime wrote its events to the file, as an estimate: it stood still meanwhile, which is part
        /// of the times in the states. Programs that log less have less of it.
        Cells::new("log_writing_ns", "Writing the log", Unit::Duration, |scope, cap| {
            log_writing(scope, cap.stream).map_or(Value::Unknown, Value::Duration)
        }),
        /// The time of which the log says what it did. The percentages beside the times in each state are shares of it.
        Cells::new("known_ns", "Known time", Unit::Duration, |_, cap| Value::Duration(cap.known)),
        /// How many bytes were allocated by the threads that ran on it.
        Cells::new("allocated_bytes", "Allocated", Unit::Bytes, |scope, cap| allocated(scope, cap.stream)),
        /// When it was created. Most programs have the same capabilities from their begin to their end.
        Cells::new("created_ns", "Created", Unit::Time, |scope, cap| cap.moment(scope, |life| life.created)),
        /// When it was deleted, if the log says so.
        Cells::new("deleted_ns", "Deleted", Unit::Time, |scope, cap| cap.moment(scope, |life| life.deleted)),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.known().caps.count()
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Cap> {
        Cap::at(scope, place)
    }

    fn shows(scope: &Scope<'_>, column: &Column) -> bool {
        if ["created_ns", "deleted_ns"].contains(&column.key) {
            return scope.known().stores.lives.came_and_went();
        }
        if column.key == "log_writing_ns" {
            return all_log_writing(scope).is_none_or(|time| time > Nanos(0));
        }
        // Most programs have no sparks.
        let sparks = || !column.key.starts_with("sparks.") || has_sparks(scope);
        let rare = RARE.into_iter().find(|state| column.key == key(*state));
        rare.map_or_else(sparks, |state| is_shown(scope, state))
    }
}

impl Cap {
    /// The one at a place.
    pub(super) fn at(scope: &Scope<'_>, place: usize) -> Option<Self> {
        let caps = &scope.known().caps;
        let (cap, events) = caps.lanes().nth(place)?;
        let stream = caps.stream(Some(cap))?;
        let states = scope.states(TrackId::capability(cap));
        // A log that has no event may name a capability.
        let (from, to) = scope.times().unwrap_or_default();
        let lost = states.get(usize::from(LOST)).copied().unwrap_or_default();
        let known = scope.known().lane_lasts(events, from, to).since(lost);
        Some(Self { cap, known, states, stream, sums: scope.sums_of(stream) })
    }

    /// Which one it is.
    pub(super) fn number(&self) -> Value {
        Value::Capability(self.cap)
    }

    /// How many sparks there were of some sort, by its number; unknown if the log does not tell.
    pub(super) fn sparks(&self, scope: &Scope<'_>, number: usize) -> Value {
        sparks(scope, self.sums.as_ref(), self.stream..self.stream + 1, number).map_or(Value::Unknown, Value::Count)
    }

    /// How many are left in its pool at the end.
    pub(super) fn in_pool(&self, scope: &Scope<'_>) -> Value {
        scope.value_at_end::<SparkPool>(self.stream).map_or(Value::Unknown, Value::Count)
    }

    /// When its life began, or ended, if the log tells.
    fn moment(&self, scope: &Scope<'_>, of: impl Fn(&CapLife) -> Option<Moment>) -> Value {
        let moment = scope.known().stores.lives.of(self.cap).and_then(of);
        moment.map_or(Value::Unknown, |moment| Value::Time(moment.time()))
    }

    fn state(&self, scope: &Scope<'_>, state: u8) -> Value {
        let is_logged = scope.known().logged_classes().lacks(state).is_none();
        let time = self.states.get(usize::from(state)).filter(|_| is_logged);
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
    ("census_ns", "Census"),
    ("disabled_ns", "Disabled"),
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

/// The states that most logs have nothing of.
const RARE: [u8; 3] = [LOST, CENSUS, DISABLED];

/// Whether a state has a figure and a column: what is not known, disabled or a census has them if there is any.
pub(crate) fn is_shown(scope: &Scope<'_>, state: u8) -> bool {
    !RARE.contains(&state) || all(scope, state).is_some_and(|time| time > Nanos(0))
}

/// The time that all of them together were in a state; `None` if the log does not tell.
pub(crate) fn all(scope: &Scope<'_>, state: u8) -> Option<Nanos> {
    let known = scope.known();
    if known.logged_classes().lacks(state).is_some() {
        return None;
    }
    let of_each = known.caps.lanes().map(|(cap, _)| scope.states(TrackId::capability(cap)));
    let mut times = of_each.map(|states| states.get(usize::from(state)).copied());
    times.try_fold(Nanos(0), |sum, time| Some(sum.plus(time?)))
}

/// How long the runtime wrote a stream's events to the file; `None` if that is not known of a range.
fn log_writing(scope: &Scope<'_>, stream: usize) -> Option<Nanos> {
    let writes = &scope.known().stores.log_writes;
    let within = |range: &Range| writes.total_within(stream, range.times().0, range.times().1);
    scope.range.map_or_else(|| Some(writes.total(stream)), within)
}

/// The same of all capabilities together.
pub(crate) fn all_log_writing(scope: &Scope<'_>) -> Option<Nanos> {
    let streams = 0..scope.known().caps.streams.len();
    streams.map(|stream| log_writing(scope, stream)).try_fold(Nanos(0), |sum, time| Some(sum.plus(time?)))
}

/// Whether the log tells of a stream's sparks.
fn has_counters(scope: &Scope<'_>, stream: usize) -> bool {
    let series = scope.known().stores.samples.series::<SparkPool>(stream, 0);
    series.is_some_and(|series| series.last.is_some())
}

/// Whether there ever was a spark.
pub(super) fn has_sparks(scope: &Scope<'_>) -> bool {
    let streams = &scope.known().caps.streams;
    streams
        .iter()
        .any(|stream| [CREATED, DUD, OVERFLOWED].iter().any(|sort| spark_rates::counted(&stream.sums, *sort) > 0))
}

/// How many sparks of some sort, by its number, all of them together had; `None` if the log does not tell.
pub(crate) fn all_sparks(scope: &Scope<'_>, number: usize) -> Option<u64> {
    sparks(scope, scope.sums().as_ref(), 0..scope.known().caps.streams.len(), number)
}

/// The same of some streams, according to their sums. Sparks are counted at collections: a range without any does not tell, unless
/// the log has none up to a later one.
fn sparks(scope: &Scope<'_>, sums: Option<&Sums>, streams: ops::Range<usize>, number: usize) -> Option<u64> {
    let sums = sums?;
    if spark_rates::is_logged(sums) {
        return Some(spark_rates::counted(sums, number));
    }
    let (_, to) = scope.times()?;
    let all = scope.known().caps.streams.get(streams)?.iter();
    let mut logged = all.filter(|events| spark_rates::is_logged(&events.sums)).peekable();
    logged.peek()?;
    let has_none = |events: &CapEvents| {
        spark_rates::counted(&events.sums, number) == 0 && events.machines.spark_rates.until() >= Some(to)
    };
    logged.all(has_none).then_some(0)
}

/// How much a stream's capability allocated. The log tells that at collections: of a range without any, the next one bounds it.
fn allocated(scope: &Scope<'_>, stream: usize) -> Value {
    let Some(sums) = scope.sums_of(stream) else { return Value::Unknown };
    if allocation::is_logged(&sums) {
        return Value::Bytes(allocation::allocated(&sums));
    }
    let next = scope.range.and_then(|range| *range.summed.next_growth.get(stream)?);
    next.map_or(Value::Unknown, |next| between(0, next.more))
}

/// The same of all capabilities together, each of which may have allocated in the range.
pub(crate) fn all_allocated(scope: &Scope<'_>) -> Value {
    let Some(sums) = scope.sums() else { return Value::Unknown };
    if allocation::is_logged(&sums) {
        return Value::Bytes(allocation::allocated(&sums));
    }
    let Some((from, _)) = scope.times().filter(|_| !scope.is_whole()) else { return Value::Unknown };
    let streams = scope.known().caps.streams.iter().enumerate();
    // A capability that never tells, or whose events have ended, takes no part.
    let others = streams.filter(|(_, events)| allocation::is_logged(&events.sums) && events.last >= from);
    let sum = others.map(|(stream, _)| allocated(scope, stream)).try_fold((false, 0u64), |(_, most), one| match one {
        Value::Bytes(bytes) | Value::Between(_, bytes) => Some((true, most.saturating_add(bytes))),
        _ => None,
    });
    sum.filter(|(any, _)| *any).map_or(Value::Unknown, |(_, most)| between(0, most))
}

/// Bytes of which the least and the most is known.
fn between(least: u64, most: u64) -> Value {
    if least == most { Value::Bytes(most) } else { Value::Between(least, most) }
}

/// How many are left in all pools at the end, of the capabilities that tell.
pub(crate) fn all_in_pools(scope: &Scope<'_>) -> Option<u64> {
    let streams = 0..scope.known().caps.streams.len();
    let mut pools = streams.filter(|stream| has_counters(scope, *stream)).peekable();
    pools.peek()?;
    pools.try_fold(0u64, |sum, stream| Some(sum.saturating_add(scope.value_at_end::<SparkPool>(stream)?)))
}

/// The time that is known of all of them together.
pub(crate) fn known_of_all(scope: &Scope<'_>) -> Nanos {
    let Some((from, to)) = scope.times() else { return Nanos(0) };
    let known = scope.known();
    let lasting = known.caps.lanes().map(|(_, events)| known.lane_lasts(events, from, to));
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
