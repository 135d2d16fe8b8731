//! All of one event: its whole text, its fields and its bytes.

use super::{
    fields, listing,
    part::{EventsPart, each_event, each_segment},
};
use crate::{
    asking::find::finder::names_thread,
    limits,
    reading::{
        job::{Changed, Job},
        model::Model,
    },
    terms::{progress::Progress, value::Value},
};
use alloc::{string::String, vec::Vec};
use ghc_eventlog::{CapNo, Nanos, ThreadId, info};
use ghc_eventlog_text::LogText;

/// An event with everything that is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadEvent {
    /// Its place among all events of the log, in the order of the file, from 1 on.
    pub number: u64,
    /// When it happened.
    pub time: Nanos,
    /// The capability that logged it.
    pub cap: Option<CapNo>,
    /// The thread that ran there; for the begin of a run, the one that it runs.
    pub ran: Option<ThreadId>,
    /// The label of that thread.
    pub label: Option<LogText<'static>>,
    /// The thread that it is about, or else the one that ran.
    pub thread: Option<ThreadId>,
    /// The number of its type.
    pub tag: u16,
    /// The name of its type.
    pub name: LogText<'static>,
    /// What such an event means, in a sentence; empty if that is not known.
    pub about: &'static str,
    /// What it says, as `show` prints it, however long that is.
    pub text: LogText<'static>,
    /// Its fields, if they are known.
    pub fields: Vec<(&'static str, Value)>,
    /// Where it begins in the file, in bytes.
    pub offset: u64,
    /// Its bytes in the file, with its type and its time.
    pub bytes: Vec<u8>,
    /// The event as a [line](Model::event_lines) of JSON.
    pub line: String,
}

/// Reads one event: see [`Model::event_details`].
#[derive(Debug, Clone)]
pub struct EventDetails {
    offset: u64,
    segment: Option<u32>,
    found: Option<ReadEvent>,
}

impl Model {
    /// Begins to read the event at an offset of the file: a [`Job`].
    #[must_use]
    pub fn event_details(&self, offset: u64) -> EventDetails {
        let known = self.known.segment_from(offset).filter(|(_, segment)| offset < segment.end);
        EventDetails { offset, segment: known.map(|(number, _)| number), found: None }
    }
}

impl EventDetails {
    /// The event; `None` if there is none at that offset, and as long as the job is not done.
    #[must_use]
    pub fn event(&self) -> Option<&ReadEvent> {
        self.found.as_ref()
    }
}

impl Job for EventDetails {
    fn reads(&mut self, model: &mut Model) -> Vec<(u64, u64)> {
        model.known.reads_of(self.segment.into_iter(), limits::FIND_AHEAD)
    }

    fn give(&mut self, model: &mut Model, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        let Self { offset: at, segment: wanted, found } = self;
        let is_wanted = *wanted;
        each_segment(
            model,
            (offset, bytes),
            |segment| is_wanted == Some(segment),
            |model, segment, chunk| {
                let mut read = None;
                let known = &model.known;
                each_event(known, &model.decoder, segment, chunk, &mut |event| {
                    let record = event.seen.record;
                    if record.offset != *at {
                        return;
                    }
                    let label = event.ran.and_then(|thread| known.stores.threads.label_text(thread));
                    let has_others = event.seen.header.has_other_fields(record.tag);
                    read = Some(ReadEvent {
                        number: event.number,
                        time: record.time,
                        cap: record.cap,
                        ran: event.ran,
                        label: label.map(|label| LogText::from(label).into_owned()),
                        thread: event.seen.thread(names_thread(record.tag)),
                        tag: record.tag,
                        name: known.type_name(record.tag),
                        about: info(record.tag).filter(|_| !has_others).map_or("", |info| info.doc),
                        text: ghc_eventlog_text::fields(record, event.seen.header),
                        fields: fields::all(event.seen),
                        offset: record.offset,
                        bytes: Vec::new(),
                        line: listing::line(event, known),
                    });
                })?;
                if let (Some(read), Some(segment)) = (&mut read, known.index.segment(segment)) {
                    EventsPart::of(segment).events(chunk, model, |end, record, _| {
                        if record.offset == *at {
                            let place = |offset: u64| (offset - chunk.offset) as usize;
                            let bytes = chunk.bytes.get(place(record.offset)..place(end));
                            read.bytes = bytes.unwrap_or_default().to_vec();
                        }
                    })?;
                }
                (*wanted, *found) = (None, read);
                Ok(())
            },
        )
    }

    /// Everything that it needs was passed to `give`.
    fn take(&mut self, _: &Model) {}

    fn progress(&self) -> Progress {
        let left = usize::from(self.segment.is_some());
        Progress { done: 1 - left, of: 1 }
    }
}
