//! What the program said of its spans, in words.

use super::Known;
use crate::{
    keeping::crossing::{
        marks::NoteKind,
        notes::{NoteChain, SpanNote},
        spans::UserSpan,
    },
    limits,
    terms::value::Value,
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use ghc_eventlog::Nanos;

/// Fields of a span, and the offsets of the messages whose texts must be read from the file for the others.
pub(crate) type NotedFields = (Vec<(&'static str, Value)>, Vec<u64>);

impl NoteKind {
    /// What people call it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Tag => "Tag",
            Self::Instant => "Instant",
            Self::Parent => "Parent",
            Self::Trace => "Trace",
            Self::SpanId => "Span number",
        }
    }
}

impl Known {
    /// What was said of a span, in order of time.
    fn notes_of(&self, span: &UserSpan) -> Vec<SpanNote> {
        let notes = self.replayed.as_ref().map(|replayed| replayed.spans.notes.of(span));
        let mut notes: Vec<SpanNote> = notes.into_iter().flatten().copied().collect();
        notes.reverse();
        notes
    }

    /// The text of a note, as far as it is kept.
    fn text_of(&self, note: &SpanNote) -> Option<String> {
        match note.kind {
            NoteKind::Tag | NoteKind::Instant => self.stores.messages.noted.get(note.text).map(ToString::to_string),
            NoteKind::Parent | NoteKind::Trace | NoteKind::SpanId => Some(format!("{:016x}", note.at)),
        }
    }

    /// What was said of a span: its fields, and what must be read for the rest. At most
    /// [`limits::MAX_NOTES_SHOWN`] of both.
    pub(crate) fn noted_fields(&self, span: &UserSpan) -> NotedFields {
        let (mut fields, mut missing) = (Vec::new(), Vec::new());
        if span.notes == NoteChain::LOST {
            fields.push(("Tags", Value::words("not kept: there are too many in this log")));
        }
        let notes = self.notes_of(span);
        for note in notes.iter().take(limits::MAX_NOTES_SHOWN) {
            let is_number = !matches!(note.kind, NoteKind::Tag | NoteKind::Instant);
            let text = self.text_of(note).filter(|_| is_number || self.stores.messages.noted.is_whole(note.text));
            match text {
                Some(text) if note.kind == NoteKind::Instant => fields.push(self.instant(&text, note.time)),
                Some(text) if note.kind == NoteKind::Parent => {
                    let name = self.label_with_number(note.at).map(|name| format!("{name}, {text}"));
                    fields.push((note.kind.name(), Value::words(name.unwrap_or(text))));
                }
                Some(text) => fields.push((note.kind.name(), Value::words(text))),
                None => missing.push(note.at),
            }
        }
        let more = notes.len().saturating_sub(limits::MAX_NOTES_SHOWN);
        if more > 0 {
            fields.push(("More tags and instants", Value::Count(more as u64)));
        }
        (fields, missing)
    }

    /// An instant as a field.
    pub(crate) fn instant(&self, text: &str, time: Nanos) -> (&'static str, Value) {
        let origin = self.extent().map_or(Nanos(0), |(first, _)| first);
        (NoteKind::Instant.name(), Value::words(format!("{text} at {}", Value::Time(time).text(origin))))
    }

    /// The label of the span that has a number for other processes, if it is in this log.
    fn label_with_number(&self, number: u64) -> Option<&str> {
        let spans = &self.replayed.as_ref()?.spans;
        let has_it = |note: &SpanNote| note.kind == NoteKind::SpanId && note.at == number;
        let span = spans.rows.kept().iter().find(|span| spans.notes.of(span).any(has_it))?;
        Some(self.stores.messages.labels.text(span.label))
    }

    /// What was said of a span in one kind of notes, for a cell of a table; unknown if nothing was.
    pub(crate) fn noted(&self, span: &UserSpan, kind: NoteKind) -> Value {
        let notes = self.notes_of(span);
        let texts = notes.iter().filter(|note| note.kind == kind);
        let texts: Vec<String> = texts.map(|note| self.text_of(note).unwrap_or_else(|| "…".into())).collect();
        if texts.is_empty() { Value::Unknown } else { Value::words(texts.join(", ")) }
    }
}
