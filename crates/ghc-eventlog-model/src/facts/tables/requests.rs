//! The instances of the label that was asked for, and the slowest one against those near the median.

use crate::{
    facts::{
        requests::name_of,
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    keeping::crossing::requests::{BLOCKED, COLLECTING, FOREIGN, NOT_KNOWN, PARTS, RUNNABLE, RUNNING, Request},
    terms::{
        table::Column,
        track::TrackId,
        value::{Unit, Value},
    },
    tracks::user_spans,
};
use core::ops;
use ghc_eventlog::Nanos;

pub(super) struct RequestsTable;

/// An instance, and whether it is known how long it waited for collections.
pub(super) struct Row {
    request: Request,
    knows_pauses: bool,
}

impl Row {
    /// What its thread did is only known if it has one.
    fn part(&self, part: usize) -> Value {
        if self.request.thread.0 > 0 { Value::Duration(self.request.parts.get(part)) } else { Value::Unknown }
    }

    fn collecting(&self) -> Value {
        if self.knows_pauses { Value::Duration(self.request.parts.get(COLLECTING)) } else { Value::Unknown }
    }

    fn blocked(&self) -> Value {
        let all = (BLOCKED..PARTS).map(|part| self.request.parts.get(part)).fold(Nanos(0), Nanos::plus);
        if self.request.thread.0 > 0 { Value::Duration(all) } else { Value::Unknown }
    }
}

/// A column of the time that threads were blocked for a reason.
const fn blocked(key: &'static str, name: &'static str, value: fn(&Scope<'_>, &Row) -> Value) -> Cells<Row> {
    Cells::coloured(key, name, Unit::Duration, "blocked", value)
}

impl Listed for RequestsTable {
    type Row = Row;
    const SECTION: &'static str = "requests";
    const KEY: &'static str = "requests";
    const NAME: &'static str = "Spans of the label";
    const ABOUT: &'static str = "Each span of the label or labels that you have chosen, the slowest first. The times of what its thread did add up to its duration.";
    const KEPT: &'static str = "the slowest";
    columns! {
        /// The moment at which the span began.
        Cells::new("from_ns", "From", Unit::Time, |_, row| Value::Time(row.request.start)),
        /// How long the span took, from its begin to its end.
        Cells::new("duration_ns", "Duration", Unit::Duration, |_, row| Value::Duration(row.request.length())),
        /// The label of the span, where those of several labels are shown.
        Cells::new("label", "Label", Unit::Text, |scope, row| {
            Value::words(scope.known().stores.messages.labels.text(row.request.label))
        }),
        /// The number that the program wrote before the label to tell spans apart, if there is one.
        Cells::new("number", "Number", Unit::Count, |_, row| row.request.number().map_or(Value::Unknown, Value::Count)),
        /// The thread that began it.
        Cells::new("thread", "Thread", Unit::Thread, |_, row| {
            if row.request.thread.0 > 0 { Value::Thread(row.request.thread) } else { Value::Unknown }
        }),
        /// The capabilities on which its thread ran meanwhile.
        Cells::new("caps", "Capabilities", Unit::Text, |_, row| Value::words(Scope::caps_text(&row.request))),
        /// The time in which its thread ran on a capability.
        Cells::coloured("running_ns", "Running", Unit::Duration, "running", |_, row| row.part(RUNNING)),
        /// The time in which the program stood still for collections, whatever the thread was doing: this time is not part of the
        /// others.
        Cells::coloured("collecting_ns", "Collecting", Unit::Duration, "gc-working", |_, row| row.collecting()),
        /// The time in which its thread waited, for whatever reason.
        Cells::coloured("blocked_ns", "Blocked", Unit::Duration, "blocked", |_, row| row.blocked()),
        /// The time in which it waited in takeMVar or putMVar until an MVar was filled or emptied.
        blocked("blocked.mvar_ns", "Blocked on an MVar", |_, row| row.part(BLOCKED)),
        /// The time in which it waited in readMVar until an MVar was filled.
        blocked("blocked.mvar_read_ns", "Blocked reading an MVar", |_, row| row.part(BLOCKED + 1)),
        /// The time in which it waited in STM, after retry, until a variable that it had read changed.
        blocked("blocked.stm_ns", "Blocked in STM", |_, row| row.part(BLOCKED + 2)),
        /// The time in which it waited for a black hole, which is a value that another thread was evaluating.
        blocked("blocked.black_hole_ns", "Blocked on a black hole", |_, row| row.part(BLOCKED + 3)),
        /// The time in which it waited in throwTo until the other thread received the exception.
        blocked("blocked.throw_to_ns", "Blocked in throwTo", |_, row| row.part(BLOCKED + 4)),
        /// The time in which it slept in threadDelay. Only programs built without -threaded log it.
        blocked("blocked.delay_ns", "Blocked in threadDelay", |_, row| row.part(BLOCKED + 5)),
        /// The time in which it waited until a file or a socket had something to read.
        blocked("blocked.read_ns", "Blocked on reading", |_, row| row.part(BLOCKED + 6)),
        /// The time in which it waited until a file or a socket could be written to.
        blocked("blocked.write_ns", "Blocked on writing", |_, row| row.part(BLOCKED + 7)),
        /// The time in which it waited for asynchronous input or output (Windows only).
        blocked("blocked.async_io_ns", "Blocked on asynchronous I/O", |_, row| row.part(BLOCKED + 8)),
        /// The time in which it waited for input or output to be completed (Windows only).
        blocked("blocked.io_completion_ns", "Blocked on I/O completion", |_, row| row.part(BLOCKED + 9)),
        /// The time in which it was blocked and the log does not say why.
        blocked("blocked.other_ns", "Blocked, no reason given", |_, row| row.part(BLOCKED + 10)),
        /// The time in which its thread could run but no capability had time for it.
        Cells::coloured("runnable_ns", "Runnable", Unit::Duration, "runnable", |_, row| row.part(RUNNABLE)),
        /// The time in which its thread was in calls of foreign functions.
        Cells::coloured("foreign_ns", "In foreign calls", Unit::Duration, "foreign", |_, row| row.part(FOREIGN)),
        /// The time of which the log does not say what its thread did.
        Cells::new("not_known_ns", "Not known", Unit::Duration, |_, row| {
            Value::Duration(row.request.parts.get(NOT_KNOWN))
        }),
        /// What its thread allocated, as an estimate: what a capability allocates between two collections is shared among the threads
        /// that ran there, by how long they ran. It is not known before the first collection, and after the last one.
        Cells::new("allocated_bytes", "Allocated", Unit::Bytes, |_, row| {
            row.request.allocated.map_or(Value::Unknown, Value::Bytes)
        }),
        /// How often its thread ran on another capability than before.
        Cells::new("capability_changes", "Capability changes", Unit::Count, |_, row| {
            if row.request.thread.0 > 0 { Value::Count(row.request.moves.into()) } else { Value::Unknown }
        }),
        /// Its time without that of the spans directly within it on the same thread.
        Cells::new("self_ns", "Self time", Unit::Duration, |_, row| {
            row.request.own().map_or(Value::Unknown, Value::Duration)
        }),
        /// The spans directly within it on the same thread, with their times by label.
        Cells::new("nested", "Within it", Unit::Text, |scope, row| {
            scope.nested_text(&row.request).map_or(Value::Unknown, Value::words)
        }),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.requests().map_or(0, |requests| requests.rows.len())
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Row> {
        let requests = scope.requests()?;
        Some(Row { request: requests.rows.get(place)?.clone(), knows_pauses: requests.knows_pauses })
    }

    fn of(scope: &Scope<'_>) -> u64 {
        scope.requests().map_or(0, |requests| requests.chosen)
    }

    fn time(row: &Row) -> Option<Nanos> {
        Some(row.request.start)
    }

    /// The row of its span, or if that is not kept, the row of its thread.
    fn track(scope: &Scope<'_>, row: &Row) -> Option<TrackId> {
        let Request { start, end, thread, label, .. } = row.request;
        let spans = scope.all_spans()?.rows.kept();
        let from = spans.partition_point(|span| span.start < start);
        let mut same = spans.iter().zip(0u32..).skip(from).take_while(|(span, _)| span.start == start);
        let span = same.find(|(span, _)| (span.end, span.thread, span.label) == (end, thread, label));
        let lane = span.and_then(|(span, place)| scope.arrangement.rows()?.spans.of_span(place, span.label));
        let lane = lane.map(|lane| TrackId::of::<user_spans::UserSpanTracks>(lane.number()));
        lane.or_else(|| scope.known().track_of_thread(thread))
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.requests().is_some()
    }

    /// Few programs are blocked for more than two or three reasons.
    fn shows(scope: &Scope<'_>, column: &Column) -> bool {
        let rows = || scope.requests().into_iter().flat_map(|requests| &requests.rows);
        let any = |part: usize| rows().any(|row| row.parts.get(part) > Nanos(0));
        match column.key {
            "label" => scope.requests().is_some_and(|requests| requests.wanted.labels > 1),
            "number" => rows().any(|row| row.number().is_some()),
            "thread" | "caps" | "running_ns" | "blocked_ns" | "runnable_ns" | "foreign_ns" | "capability_changes" => {
                rows().any(|row| row.thread.0 > 0)
            }
            "not_known_ns" => any(NOT_KNOWN),
            "nested" => rows().any(|row| row.nested.as_ref().is_some_and(|nested| !nested.is_empty())),
            key => BLOCKED_KEYS.iter().position(|other| *other == key).is_none_or(|reason| any(BLOCKED + reason)),
        }
    }
}

/// The keys of the columns of the reasons to be blocked, in order.
const BLOCKED_KEYS: [&str; PARTS - BLOCKED] = [
    "blocked.mvar_ns",
    "blocked.mvar_read_ns",
    "blocked.stm_ns",
    "blocked.black_hole_ns",
    "blocked.throw_to_ns",
    "blocked.delay_ns",
    "blocked.read_ns",
    "blocked.write_ns",
    "blocked.async_io_ns",
    "blocked.io_completion_ns",
    "blocked.other_ns",
];

pub(super) struct SlowestRequest;

impl Listed for SlowestRequest {
    /// A part of the time, the mean of the instances near the median, and the slowest one's.
    type Row = (Option<usize>, Nanos, Nanos);
    const SECTION: &'static str = "requests";
    const KEY: &'static str = "slowest_request";
    const NAME: &'static str = "Slowest against median";
    const ABOUT: &'static str = "What the slowest span did, and what those near the median did on average.";
    columns! {
        /// What the thread did.
        Cells::new("what", "What", Unit::Text, |_, (part, ..)| Value::words(part.map_or("all of it", name_of))),
        /// The mean time of the spans near the median: those whose durations differ from it by less than an eighth or so.
        Cells::new("median_ns", "Near the median", Unit::Duration, |_, (_, typical, _)| Value::Duration(*typical)),
        /// The time of the slowest span.
        Cells::new("slowest_ns", "Slowest", Unit::Duration, |_, (.., slowest)| Value::Duration(*slowest)),
        /// How much longer the slowest did it.
        Cells::new("more_ns", "Longer by", Unit::Duration, |_, (_, typical, slowest)| {
            if slowest > typical { Value::Duration(slowest.since(*typical)) } else { Value::Unknown }
        }),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.compared_requests().map_or(0, |compared| compared.parts().len() + 1)
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Self::Row> {
        let compared = scope.compared_requests()?;
        let Some(place) = place.checked_sub(1) else {
            return Some((None, compared.typical.mean_length(), compared.slowest.length()));
        };
        compared.parts().get(place).map(|(part, typical, slowest)| (Some(*part), *typical, *slowest))
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.compared_requests().is_some()
    }
}
