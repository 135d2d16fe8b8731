//! The user's spans: by label, and each of them.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    keeping::crossing::{
        marks::NoteKind,
        spans::{OfLabel, UserSpan},
    },
    terms::{
        table::Column,
        track::TrackId,
        value::{Unit, Value},
    },
    tracks::user_spans,
};
use alloc::string::ToString;
use core::ops;
use ghc_eventlog::{Nanos, UserBinaryMsg, UserMarker, UserMsg};

pub(super) struct Spans;

impl Listed for Spans {
    /// A label, and what there is to say of its spans.
    type Row = (u16, OfLabel);
    const SECTION: &'static str = "spans";
    const KEY: &'static str = "spans";
    const NAME: &'static str = "Spans by label";
    const ABOUT: &'static str = "The program's spans by label: how many there are, and how long they took.";
    const PICKS: Option<&'static str> = Some("Show how long its spans are");
    columns! {
        /// The label that the program wrote beside the words that begin and end the span, without the number that may be
        /// before it.
        Cells::new("label", "Label", Unit::Text, |scope, (label, _)| name_of(scope, *label)),
        /// How many spans with this label have both a begin and an end.
        Cells::new("count", "Count", Unit::Count, |_, (_, of)| Value::Count(of.count)),
        /// The time of these spans, summed. It may exceed the length of the log, as spans of several threads overlap.
        Cells::new("total_ns", "Total", Unit::Duration, |_, (_, of)| Value::Duration(of.total)),
        /// The total without the time of spans directly within them on the same thread.
        Cells::new("self_ns", "Self time", Unit::Duration, |_, (_, of)| known(of.own())),
        /// The mean time of a span: the total divided by the count.
        Cells::new("mean_ns", "Mean", Unit::Duration, |_, (_, of)| known(of.total.0.checked_div(of.count).map(Nanos))),
        /// The time of the longest of these spans.
        Cells::new("max_ns", "Longest", Unit::Duration, |_, (_, of)| known((of.count > 0).then_some(of.longest))),
        /// 95 % of these spans took no longer than this, within 0.4 %; one in twenty took longer.
        Cells::new("p95_ns", "95th percentile", Unit::Duration, |scope, (label, _)| {
            known(scope.spans().and_then(|tally| tally.p95(*label)))
        }),
        /// The total without the time in which the program stood still for collections.
        Cells::new("without_gc_ns", "Total without GC", Unit::Duration, |scope, (_, of)| {
            known(scope.knows_pauses().then(|| of.total.since(of.paused)))
        }),
        /// How many spans with this label were begun and never ended. The other columns leave them out. Empty if some were not followed, and
        /// it is not known whether they ended.
        Cells::new("unfinished", "Unfinished", Unit::Count, |_, (_, of)| {
            of.unfinished().map_or(Value::Unknown, Value::Count)
        }),
        /// How many spans ended that were not followed until then, because too many others were open: how long they took is not known.
        /// Those of which it is not known whether they ended are among them.
        Cells::new("not_followed", "Not followed", Unit::Count, |_, (_, of)| Value::Count(of.not_followed.into())),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.span_labels().len()
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Self::Row> {
        let label = *scope.span_labels().get(place)?;
        Some((label, *scope.spans()?.by_label.get(usize::from(label))?))
    }

    /// What of them lies within others is only known of the whole log, and not of spans that are the process's. Few logs have more open
    /// spans than are followed.
    fn shows(scope: &Scope<'_>, column: &Column) -> bool {
        let any = |has: fn(&OfLabel) -> bool| scope.spans().is_some_and(|tally| tally.by_label.iter().any(has));
        match column.key {
            "self_ns" => any(|of| of.count > 0 && of.own().is_some()),
            "not_followed" => any(|of| of.not_followed > 0),
            _ => true,
        }
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        scope.spans().is_some() && scope.known().counts.has_any(&[UserMsg::TAG, UserMarker::TAG, UserBinaryMsg::TAG])
    }
}

pub(super) struct SpanList;

impl Listed for SpanList {
    /// Its place among those that are kept, and the span.
    type Row = (u32, UserSpan);
    const SECTION: &'static str = "spans";
    const KEY: &'static str = "span_list";
    const NAME: &'static str = "Longest spans";
    const ABOUT: &'static str = "The longest spans, and some of the others.";
    const KEPT: &'static str = "the longest ones, and some of the others";
    columns! {
        /// The moment at which the span began.
        Cells::new("from_ns", "From", Unit::Time, |_, (_, span)| Value::Time(span.start)),
        /// How long the span took.
        Cells::new("duration_ns", "Duration", Unit::Duration, |_, (_, span)| Value::Duration(span.length())),
        /// The label that the program wrote beside the words that begin and end the span.
        Cells::new("label", "Label", Unit::Text, |scope, (_, span)| name_of(scope, span.label)),
        /// The number that the program wrote before the label to tell spans apart, if there is one.
        Cells::new("number", "Number", Unit::Count, |_, (_, span)| {
            span.number().map_or(Value::Unknown, Value::Count)
        }),
        /// The thread that the span is of, if a thread ran when it began.
        Cells::new("thread", "Thread", Unit::Thread, |_, (_, span)| {
            if span.thread.0 > 0 { Value::Thread(span.thread) } else { Value::Unknown }
        }),
        /// Whether the span was ended: if not, it says unfinished.
        Cells::new("ended", "Ended", Unit::Text, |_, (_, span)| {
            Value::words(if span.unfinished { "unfinished" } else { "" })
        }),
        /// The tags of the span, as key=value: type one into the filter to see the spans that have it.
        Cells::new("tags", "Tags", Unit::Text, |scope, (_, span)| scope.known().noted(span, NoteKind::Tag)),
        /// What happened within the span, as name=value. Its details say when.
        Cells::new("instants", "Instants", Unit::Text, |scope, (_, span)| scope.known().noted(span, NoteKind::Instant)),
        /// The number of the span that it is a part of, which may be another process's.
        Cells::new("parent", "Parent", Unit::Text, |scope, (_, span)| scope.known().noted(span, NoteKind::Parent)),
        /// The number of the trace that the span belongs to.
        Cells::new("trace", "Trace", Unit::Text, |scope, (_, span)| scope.known().noted(span, NoteKind::Trace)),
        /// The number by which other processes name the span.
        Cells::new("span", "Span number", Unit::Text, |scope, (_, span)| scope.known().noted(span, NoteKind::SpanId)),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        0..scope.longest_spans().len()
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<Self::Row> {
        let place = *scope.longest_spans().get(place)?;
        Some((place, *scope.spans_here().get(place as usize)?))
    }

    fn track(scope: &Scope<'_>, (place, span): &Self::Row) -> Option<TrackId> {
        let lane = scope.arrangement.rows()?.spans.of_span(*place, span.label)?;
        Some(TrackId::of::<user_spans::UserSpanTracks>(lane.number()))
    }

    fn of(scope: &Scope<'_>) -> u64 {
        scope.spans().map_or(0, |tally| tally.sum(OfLabel::spans))
    }

    fn time((_, span): &Self::Row) -> Option<Nanos> {
        Some(span.start)
    }

    fn is_shown(scope: &Scope<'_>) -> bool {
        !scope.longest_spans().is_empty()
    }

    /// Few spans have a number, few are never stopped, and of few is more said.
    fn shows(scope: &Scope<'_>, column: &Column) -> bool {
        let any = |has: fn(&UserSpan) -> bool| scope.spans_here().iter().any(has);
        match column.key {
            "number" => any(|span| span.number().is_some()),
            "thread" => any(|span| span.thread.0 > 0),
            "ended" => any(|span| span.unfinished),
            "tags" => scope.has_notes(NoteKind::Tag),
            "instants" => scope.has_notes(NoteKind::Instant),
            "parent" => scope.has_notes(NoteKind::Parent),
            "trace" => scope.has_notes(NoteKind::Trace),
            "span" => scope.has_notes(NoteKind::SpanId),
            _ => true,
        }
    }
}

fn known(duration: Option<Nanos>) -> Value {
    duration.map_or(Value::Unknown, Value::Duration)
}

fn name_of(scope: &Scope<'_>, label: u16) -> Value {
    Value::words(scope.known().stores.messages.labels.text(label).to_string())
}
