//! What the tracks of threads say: the names of states, of stretches, and their tooltips.

use crate::{
    keeping::crossing::{
        doing::{Doing, STATES as ALL},
        rows::label_of,
    },
    known::{
        Known,
        course::{End, Stretch},
    },
    terms::{
        place::SpanInfo,
        span::{Ending, Span},
        track::State,
        value::Value,
    },
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use ghc_eventlog::{StopReason, ThreadId};

/// By the numbers of [`Doing`]; a thread that is gone has none.
pub(super) const STATES: &[State] = &[
    State { name: "running", role: "running" },
    State { name: "runnable", role: "runnable" },
    State { name: "blocked", role: "blocked" },
    State { name: "in a foreign call", role: "foreign" },
    State { name: "not known", role: "hatch" },
];

/// The same of the runtime's own threads: they are in foreign calls nearly all the time, waiting for input, output and timers.
const OF_RUNTIME: &[State] = &[
    STATES[0],
    STATES[1],
    STATES[2],
    State { name: "in a foreign call (the runtime's own)", role: "foreign-of-runtime" },
    STATES[4],
];

const _: () = assert!(STATES.len() == ALL);

/// The states on the row of a thread, or of those with its label.
pub(super) fn states_of(known: &Known, of: u32) -> &'static [State] {
    let threads = &known.stores.threads;
    let row = threads.rows().get(label_of(of).unwrap_or(of) as usize);
    if row.is_some_and(|row| threads.is_of_runtime(row)) { OF_RUNTIME } else { STATES }
}

/// A stretch as a span of the thread's track.
pub(super) fn span(known: &Known, of: u32, stretch: &Stretch) -> Span {
    let ending = match stretch.end {
        End::Stopped(reason) => Ending::Stopped(reason),
        End::Ran | End::Woken(..) => Ending::Next,
        End::Unlogged => Ending::Unlogged,
        End::Open | End::LostSight | End::ProcessOver | End::Unread => Ending::Open,
    };
    let life = known.replayed.as_ref().and_then(|replayed| replayed.lives.get(of as usize));
    let open_start = life.is_some_and(|life| life.created_by.is_none() && life.first == stretch.now.since);
    Span {
        start: stretch.now.since,
        end: stretch.to,
        thread: known.thread_at(of as usize),
        state: stretch.now.doing as u8,
        ending,
        open_start,
    }
}

/// A few words for what it does.
pub(super) fn name(stretch: &Stretch) -> String {
    match stretch.now.doing {
        Doing::Running => format!("cap {}", stretch.now.cap),
        Doing::Blocked => stretch.now.reason.map_or("blocked", StopReason::text).to_string(),
        doing => STATES.get(doing as usize).map_or(String::new(), |state| state.name.to_string()),
    }
}

/// The stretch that a span shows. If several begin at the same time, all but the last have no length.
pub(super) fn stretch_of<'c>(course: &'c [Stretch], span: &Span) -> Option<&'c Stretch> {
    let first = course.partition_point(|stretch| stretch.now.since < span.start);
    let same = course.iter().skip(first).take_while(|stretch| stretch.now.since == span.start);
    same.into_iter().find(|stretch| stretch.to == span.end && stretch.now.doing as u8 == span.state)
}

/// The tooltip of a span that shows one of some stretches.
pub(super) fn info(known: &Known, of: u32, course: &[Stretch], span: &Span) -> SpanInfo {
    let state = states_of(known, of).get(usize::from(span.state)).copied().unwrap_or(State::UNKNOWN);
    let mut fields = Vec::new();
    fields.extend(known.thread_at(of as usize).map(|thread| ("Thread", Value::Thread(thread))));
    fields.push(("Start", Value::Time(span.start)));
    fields.push(("Duration", Value::Duration(span.end.since(span.start))));
    let (mut title, mut cap) = (state.name.to_string(), None);
    if let Some(stretch) = stretch_of(course, span) {
        title = match stretch.now.doing {
            Doing::Running => format!("running on capability {}", stretch.now.cap),
            _ => name(stretch),
        };
        let other = stretch.now.other.thread().map(|thread| named(known, thread));
        match stretch.now.doing {
            Doing::Running => {
                cap = Some(stretch.now.cap);
                fields.push(("On", Value::Capability(stretch.now.cap)));
            }
            Doing::Blocked => fields.extend(other.map(|owner| ("Black hole of thread", owner))),
            Doing::Runnable if stretch.now.is_woken() => {
                fields.push(("Woken up by", other.unwrap_or(Value::words("the runtime".to_string()))));
            }
            _ => {}
        }
        fields.extend(ending(known, stretch));
    }
    if span.open_start {
        fields.push(("Began", Value::words("before the log".to_string())));
    }
    SpanInfo { cap, ..SpanInfo::of(*span, state, title, fields) }
}

/// Another thread, with its label if it has one.
fn named(known: &Known, thread: ThreadId) -> Value {
    match known.stores.threads.label_text(thread) {
        Some(_) => Value::words(known.thread_text(thread)),
        None => Value::Thread(thread),
    }
}

/// How a stretch ended, if the next one does not show it.
fn ending(known: &Known, stretch: &Stretch) -> Option<(&'static str, Value)> {
    match stretch.end {
        End::Stopped(reason) => {
            Some(("Ended", Value::words(reason.map_or("reason not known", StopReason::text).to_string())))
        }
        End::Woken(cap, by) if stretch.now.doing == Doing::Blocked => Some(match by.thread() {
            Some(thread) => ("Woken up by", named(known, thread)),
            None => ("Woken up on", Value::Capability(cap)),
        }),
        End::Unlogged => Some(("Ended", Value::words("not logged".to_string()))),
        End::ProcessOver => Some(("Ended", Value::words("not before its process ends".to_string()))),
        End::Open => Some(("Ended", Value::words("not before the log ends".to_string()))),
        End::LostSight => Some(("Ended", Value::words("not before the events of its capability end".to_string()))),
        End::Ran | End::Woken(..) | End::Unread => None,
    }
}
