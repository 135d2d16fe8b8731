//! An event that is read again by its offset, to show what it says.

use super::{fields::hexadecimal, part::EventsPart};
use crate::{
    keeping::{crossing::marks::NoteKind, messages::noted_text},
    known::Known,
    limits,
    reading::{job::Changed, model::Model},
    terms::{
        messages::{Message, Noted},
        value::Value,
    },
};
use alloc::{string::String, vec::Vec};
use ghc_eventlog::{Chunk, Event, Header, Record, Text};

/// An event to be read again.
#[derive(Debug, Clone)]
pub(crate) struct EventAt {
    /// Where it begins.
    offset: u64,
    /// The segment that it is in.
    part: EventsPart,
}

/// How far an event has been read.
pub(crate) enum Read {
    /// More of the file must be read.
    Wanted,
    /// What the event says, as names and values; empty if it is not there.
    Done(Vec<(&'static str, Value)>),
}

impl EventAt {
    /// The event at an offset; `None` if that part of the file is not indexed yet.
    pub(crate) fn new(known: &Known, offset: u64) -> Option<Self> {
        let (_, segment) = known.segment_from(offset).filter(|(_, segment)| offset < segment.end)?;
        Some(Self { offset, part: EventsPart::of(segment) })
    }

    pub(crate) fn read_of(&self, model: &Model) -> (u64, u64) {
        self.part.read_of(model)
    }

    /// Takes what it wanted to be read.
    pub(crate) fn take(&mut self, model: &Model, offset: u64, bytes: &[u8]) -> Result<Read, Changed> {
        let end = offset + bytes.len() as u64;
        if !self.part.is_within(offset, end) {
            return Ok(Read::Wanted);
        }
        let chunk = Chunk { bytes, offset, last: end >= model.known.fed }.from(self.part.at.offset);
        let mut found = Vec::new();
        let read = self.part.events(chunk, model, |_, record, header| {
            if record.offset == self.offset {
                found = said(record, header);
                found.extend(noted(record, &model.known));
            }
        });
        match read {
            Ok(()) => Ok(Read::Done(found)),
            Err(failure) => self.part.look_further(failure).map(|()| Read::Wanted),
        }
    }
}

/// The event's capability, and what it says; for an event with unknown fields, its bytes.
fn said(record: &Record<'_>, header: &Header) -> Vec<(&'static str, Value)> {
    let cap = record.cap.map(|cap| ("Capability", Value::Capability(cap)));
    let mut said: Vec<(&str, Value)> = cap.into_iter().collect();
    said.push(("Event", Value::words(ghc_eventlog_text::fields(record, header))));
    if matches!(record.event(), Event::Unknown([_, ..])) {
        said.push(("Bytes", Value::words(hexadecimal(record.payload, limits::MAX_BYTES_SHOWN))));
    }
    said
}

/// What a message says of a span.
fn noted(record: &Record<'_>, known: &Known) -> Option<(&'static str, Value)> {
    let Message::Note { noted, .. } = known.stores.messages.read(record.tag, record.payload) else { return None };
    let mut shown = String::new();
    let text = noted_text(&noted).filter(|_| record.known)?;
    // Writing into a string cannot fail.
    let _ = Text(&text).write_lossy(&mut shown);
    match noted {
        Noted::Instant(..) => Some(known.instant(&shown, record.time)),
        _ => Some((NoteKind::Tag.name(), Value::words(shown))),
    }
}
