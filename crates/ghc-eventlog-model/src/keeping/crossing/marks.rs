//! What messages of the program mean for spans and values, as the replay takes it in order of time.

use super::repeats::MarkFlags;
use crate::{
    keeping::{
        messages::{Messages, OTHERS, label_of_mark, noted_text},
        places::hash,
    },
    terms::messages::{Message, NO_NUMBER, Noted},
};

/// Where a span begins or ends, what is said of one, or a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(Default))]
pub(crate) struct Mark {
    /// For spans: the hash of the label; 0 if the number alone identifies the span. For what is said of a span: where the
    /// message is in the file, or a number. For values: the value.
    pub(crate) key: u64,
    /// The span's number.
    pub(crate) number: u64,
    /// The span's label as [`crate::keeping::messages::Labels::mark`] has it, the place of a text that is said of it, or what a value is of.
    pub(crate) place: u32,
    pub(crate) what: MarkKind,
    /// Whether the message was a marker, and whether it says the same as the one before it.
    pub(crate) flags: MarkFlags,
    /// The number of the process that wrote it, among those of the file.
    pub(crate) process: u8,
    /// The number of the label's family, if the label is not kept.
    pub(crate) family: u8,
}

/// What a mark is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(Default))]
pub(crate) enum MarkKind {
    #[cfg_attr(test, default)]
    Begin,
    End,
    /// A span that any thread may end.
    BeginOfProcess,
    EndOfProcess,
    Note(NoteKind),
    Value,
    /// The bytes that its capability has allocated so far are the key: no message, and only read for requests.
    Allocated,
}

/// What is said of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoteKind {
    Tag,
    Instant,
    /// The number of the span that it is a part of.
    Parent,
    /// The number of its trace.
    Trace,
    /// Its number for other processes.
    SpanId,
}

/// No text, or no instrument.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// What a value is of: an instrument, or a word before numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CounterId {
    Instrument(u16),
    Number(u16),
}

impl CounterId {
    /// It as one number.
    pub(crate) fn number(self) -> u32 {
        match self {
            Self::Instrument(place) => place.into(),
            Self::Number(place) => 1 << 16 | u32::from(place),
        }
    }

    /// The reverse of `number`.
    pub(crate) fn numbered(number: u32) -> Self {
        if number >> 16 == 0 { Self::Instrument(number as u16) } else { Self::Number(number as u16) }
    }
}

impl Mark {
    fn of(what: MarkKind, key: u64, number: u64, place: u32) -> Self {
        Self { key, number, place, what, flags: MarkFlags::default(), process: 0, family: 0 }
    }

    /// Of a span with a label.
    fn labelled(what: MarkKind, key: u64, number: u64, (place, family): (u32, u8)) -> Self {
        Self { family, ..Self::of(what, key, number, place) }
    }

    /// The label of the span that it begins.
    pub(crate) fn label(&self) -> u16 {
        label_of_mark((self.place, self.family))
    }

    /// The total that a capability has allocated.
    pub(crate) fn allocated(bytes: u64) -> Self {
        Self::of(MarkKind::Allocated, bytes, 0, NOWHERE)
    }

    /// Reads a message at an offset: none, one or two marks.
    pub(crate) fn read(tag: u16, payload: &[u8], offset: u64, messages: &Messages) -> [Option<Self>; 2] {
        if !messages.may_tell {
            return [None; 2];
        }
        let labels = &messages.labels;
        let one = match messages.read(tag, payload) {
            Message::OfThread { needs_both: true, label, .. } if !messages.has_both(label) => return [None; 2],
            Message::OfThread { begins, number, label, .. } => {
                let what = if begins { MarkKind::Begin } else { MarkKind::End };
                Self::labelled(what, hash(label), number.unwrap_or(NO_NUMBER), labels.mark(label))
            }
            Message::Begin { number, label } => Self::labelled(MarkKind::BeginOfProcess, 0, number, labels.mark(label)),
            Message::End { number } => Self::of(MarkKind::EndOfProcess, 0, number, OTHERS.into()),
            Message::Note { number, noted } => {
                let of = |kind, key| Some(Self::of(MarkKind::Note(kind), key, number, NOWHERE));
                let text = |kind| {
                    let place = noted_text(&noted).and_then(|text| messages.noted.find(hash(&text), &text));
                    Self::of(MarkKind::Note(kind), offset, number, place.unwrap_or(NOWHERE))
                };
                match noted {
                    Noted::Tag(..) => text(NoteKind::Tag),
                    Noted::Instant(..) => text(NoteKind::Instant),
                    Noted::Parent { span, trace } => return [of(NoteKind::Parent, span), of(NoteKind::Trace, trace)],
                    Noted::Trace(trace) => return [of(NoteKind::Trace, trace), None],
                    Noted::SpanId(span) => return [of(NoteKind::SpanId, span), None],
                }
            }
            Message::Value { instrument, value } => {
                let of =
                    messages.instruments.place(instrument).map_or(NOWHERE, |at| CounterId::Instrument(at).number());
                Self::of(MarkKind::Value, value.cast_unsigned(), 0, of)
            }
            Message::Number { word, value } => {
                let Some(at) = messages.numbers.place(word) else { return [None; 2] };
                Self::of(MarkKind::Value, value.cast_unsigned(), 0, CounterId::Number(at).number())
            }
            Message::Other | Message::Malformed | Message::Unknown | Message::Declare { .. } => return [None; 2],
        };
        let flags = if tag == ghc_eventlog::UserMarker::TAG { MarkFlags::MARKER } else { MarkFlags::default() };
        [Some(Self { flags, ..one }), None]
    }
}
