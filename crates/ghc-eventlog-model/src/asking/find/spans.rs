//! Whether a span is a hit: collections and runs as they are read again, and the program's own spans, which are kept, or read again if there
//! are too many.

use super::{
    event::is_among,
    finder::{Finder, Prepared},
    hit::{Hit, HitKind},
};
use crate::{
    asking::query::pattern::Pattern,
    keeping::crossing::{Replayed, marks::NoteKind, spans::UserSpan},
    keeping::threads::Threads,
    known::{Known, spans_read::SpanReading},
    limits,
    sorting::sort_by_number,
    terms::messages::{Message, Noted},
};
use alloc::{format, vec::Vec};
use ghc_eventlog::{CapNo, Nanos, Record, ThreadId};
use ghc_eventlog_text::LogText;

/// A span that may be searched for.
#[derive(Clone, Copy)]
pub(super) struct SeenSpan<'a> {
    pub(super) kind: HitKind,
    pub(super) start: Nanos,
    pub(super) end: Nanos,
    pub(super) cap: Option<CapNo>,
    pub(super) thread: Option<ThreadId>,
    /// Its label, if it has one.
    pub(super) label: Option<&'a str>,
}

impl Finder {
    /// Whether it finds a span. `has_tag` says whether the test at a place succeeds for one of its tags.
    pub(super) fn finds_span(&self, span: SeenSpan<'_>, threads: &Threads, has_tag: impl Fn(usize) -> bool) -> bool {
        let length = span.end.since(span.start);
        let tests = self.tests.iter().enumerate();
        let mut tests = tests.map(|(place, (holds, test))| {
            let is_label = |pattern: &Pattern| span.label.is_some_and(|label| pattern.matches(label.as_bytes()));
            let of_thread = || threads.label_text(span.thread?);
            let succeeds = match test {
                Prepared::Types(types) => types.kinds.contains(&span.kind),
                Prepared::Cap(cap) => span.cap == Some(*cap),
                // A span without a length counts at its begin.
                Prepared::From(time) => *time < span.end || *time <= span.start,
                Prepared::To(time) => span.start < *time,
                Prepared::Longer(least) => *least <= length,
                Prepared::Shorter(most) => length < *most,
                Prepared::Thread(thread) => span.thread == Some(*thread),
                Prepared::Threads(places) => is_among(places, span.thread, threads),
                Prepared::Label(pattern) if span.kind == HitKind::Span => is_label(pattern),
                Prepared::Label(pattern) => of_thread().is_some_and(|label| pattern.matches(label.as_bytes())),
                Prepared::Field(..) => has_tag(place),
                Prepared::Said(_) => false,
                Prepared::Text(pattern) => is_label(pattern) || has_tag(place),
            };
            succeeds == *holds
        });
        tests.all(|holds| holds)
    }
}

/// The tags of the program's spans for which a test succeeds: for each test, the offsets of their messages in the file, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct TagPlaces {
    of_tests: Vec<Vec<u64>>,
}

impl TagPlaces {
    /// Tries the tests on a message, if it is a tag of a span.
    pub(super) fn take(&mut self, record: &Record<'_>, finder: &Finder, known: &Known) {
        let Message::Note { noted: Noted::Tag(name, value), .. } =
            known.stores.messages.read(record.tag, record.payload)
        else {
            return;
        };
        self.of_tests.resize(finder.tests.len(), Vec::new());
        for (places, (_, test)) in self.of_tests.iter_mut().zip(&finder.tests) {
            if is_tag(test, name, value) {
                places.push(record.offset);
            }
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.of_tests.resize(self.of_tests.len().max(other.of_tests.len()), Vec::new());
        self.of_tests.iter_mut().zip(other.of_tests).for_each(|(places, more)| places.extend(more));
    }

    pub(super) fn sort(&mut self) {
        self.of_tests.iter_mut().for_each(|places| sort_by_number(places, |place| *place));
    }

    fn has(&self, test: usize, place: u64) -> bool {
        self.of_tests.get(test).is_some_and(|places| places.binary_search(&place).is_ok())
    }
}

/// Whether a test succeeds for a tag.
fn is_tag(test: &Prepared, name: &[u8], value: &[u8]) -> bool {
    match test {
        Prepared::Field(wanted, pattern) => wanted.as_bytes() == name && pattern.matches(value),
        Prepared::Text(pattern) => pattern.matches(&[name, b"=", value].concat()),
        _ => false,
    }
}

impl Known {
    /// The results of the replay, if it is complete.
    pub(super) fn spans(&self) -> Option<&Replayed> {
        self.replayed.as_ref().filter(|replayed| replayed.is_done)
    }

    /// Whether the program may have spans of its own: a message that begins one has been read.
    pub(super) fn may_have_spans(&self) -> bool {
        let messages = &self.stores.messages;
        self.crosses_capabilities() && (messages.labels.count() > 0 || messages.lacks_labels)
    }

    /// Whether messages must be read again for the tags of spans.
    pub(super) fn tags_must_be_read(&self) -> bool {
        self.spans().is_some_and(|replayed| replayed.spans.notes.has(NoteKind::Tag))
    }

    /// Whether some tags of spans are not kept, and so not searched.
    pub(super) fn lacks_notes(&self) -> bool {
        self.tags_must_be_read() && self.spans().is_some_and(|replayed| replayed.spans.notes.are_too_many())
    }

    /// A reading of all spans that a query may find. `None` if all are kept, or if that would be too much.
    pub(super) fn spans_to_read(&self, finder: &Finder) -> Option<SpanReading> {
        let ((first, last), (from, to)) = (self.extent()?, finder.times());
        SpanReading::new(self, from.max(first), to.min(last.plus(Nanos(1))), limits::THREADS_READ)
    }

    /// The spans of the program that a query finds, in order: of those that have been read, or else of those that are kept.
    pub(super) fn found_spans(&self, finder: &Finder, tags: &TagPlaces, read: Option<&[UserSpan]>) -> Vec<Hit> {
        let Some(Replayed { spans, .. }) = self.spans() else { return Vec::new() };
        let hit = |(place, span): (u64, &UserSpan)| {
            let label = self.stores.messages.labels.text(span.label);
            let thread = Some(span.thread).filter(|thread| thread.0 > 0);
            let seen = SeenSpan {
                kind: HitKind::Span,
                start: span.start,
                end: span.end,
                cap: None,
                thread,
                label: Some(label),
            };
            let said =
                |test: usize| spans.notes.of(span).any(|note| note.kind == NoteKind::Tag && tags.has(test, note.at));
            finder.finds_span(seen, &self.stores.threads, said).then(|| {
                let text: LogText<'static> = match span.number() {
                    Some(number) => format!("{label} {number}").into(),
                    None => LogText::from(label).into_owned(),
                };
                let (time, length) = (span.start, Some(span.length()));
                let unfinished = span.unfinished;
                Hit {
                    kind: HitKind::Span,
                    time,
                    length,
                    unfinished,
                    cap: None,
                    thread,
                    tag: None,
                    label: Some(span.label),
                    place,
                    text,
                }
            })
        };
        (0..).zip(read.unwrap_or(spans.rows.kept())).filter_map(hit).collect()
    }

    /// n if only one out of n spans of the program is kept; 1 if all are.
    pub(super) fn spans_for_each_kept(&self) -> u64 {
        self.spans().map_or(1, |replayed| replayed.spans.rows.stride())
    }
}
