//! Other events: those that no kind of track is about, so that nothing in a log is invisible. One row for each type that occurs,
//! by its number.
//!
//! ```text
//! ▾ Other events         1 204
//!   MIGRATE_THREAD  12   x   x      x
//!   CAP_CREATE       3   x
//!   type 300         2         x    x       its record, looked up in the file, tells what it said
//! ```

use super::{
    KINDS, Machines, Note, Shape, TAGS_OF_KINDS, Track, TrackId,
    groups::{self, Heading},
    kind::{Kind, Tracks},
    machines::{Sample, Tags},
    points::{count_into, span_at, within},
};
use crate::{
    asking::{
        events::type_name,
        lookup::{Direction, Found, Pixel, Place, SpanInfo},
        range::{Range, RangeTotals},
        window::{Plan, Window},
    },
    facts::value::Value,
    keeping::others::OtherType,
    reading::session::Session,
};
use alloc::{string::ToString, vec, vec::Vec};
use ghc_eventlog::{
    BlockMarker, CapCreate, CapDelete, CapDisable, CapEnable, CreateThread, HackBugT9003, Nanos, ProgramArgs,
    RtsIdentifier, ThreadLabel, WallClockTime, info,
};

/// The tracks of the types.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Other;

impl Kind for Other {
    type Machine = ();
    type Tracks = Self;
    const TRACKS: Self = Self;
}

/// What no kind of track is about, and is seen elsewhere: numbers of events, and where.
const ELSEWHERE: &[(u16, &str)] = &[
    (CreateThread::TAG, "the tab Threads: when each was created"),
    (ThreadLabel::TAG, "the lanes of capabilities and the tab Threads: the threads' labels"),
    (ProgramArgs::TAG, "the bar and the tab Process: program and arguments"),
    (RtsIdentifier::TAG, "the bar and the tab Process: the runtime"),
    (WallClockTime::TAG, "the bar and the tab Process: when the log begins"),
    (
        BlockMarker::TAG,
        "the lanes of capabilities: until when each is known; it is a mark in the file, and is not counted as an event",
    ),
    (HackBugT9003::TAG, "nowhere: a log declares it, and never has one"),
];

/// What is seen in a second place.
const ALSO: &[(u16, &str)] = &[
    (CapCreate::TAG, "the tab Summary: when each capability was created"),
    (CapDelete::TAG, "the tab Summary: when each capability was deleted"),
    (CapDisable::TAG, "Capabilities: from when on each was disabled"),
    (CapEnable::TAG, "Capabilities: until when each was disabled"),
];

/// The numbers below 256 of which no kind of track is, and that are not seen elsewhere.
const OTHERS: Tags = {
    let (mut elsewhere, mut at) = ([0; ELSEWHERE.len()], 0);
    while at < elsewhere.len() {
        (elsewhere[at], _) = ELSEWHERE[at];
        at += 1;
    }
    Tags::of_just(&Machines::WANTED, 0).without(Tags::of(&elsewhere))
};

/// Whether events of a number, if their form is a known one, are other events.
pub(crate) const fn is_other(tag: u16) -> bool {
    tag >= 256 || OTHERS.has(tag)
}

/// Where a person sees the events of a number.
pub(crate) fn seen(tag: u16) -> Vec<&'static str> {
    let of_kind = |(number, tags): &(u8, &[u16])| {
        let (_, tracks) = KINDS.iter().find(|(other, _)| other == number)?;
        tags.contains(&tag).then(|| tracks.heading().name())
    };
    let mut places: Vec<&str> = TAGS_OF_KINDS.iter().filter_map(of_kind).collect();
    places.dedup();
    places.extend(ELSEWHERE.iter().filter(|(of, _)| *of == tag).map(|(_, place)| *place));
    if places.is_empty() {
        places.push(groups::OTHER.name());
    }
    places.extend(ALSO.iter().filter(|(of, _)| *of == tag).map(|(_, place)| *place));
    places
}

impl Other {
    fn of(session: &Session, tag: u32) -> Option<&OtherType> {
        session.others.find(tag).map(|(_, of)| of)
    }

    fn point_info(session: &Session, tag: u16, sample: Sample) -> SpanInfo {
        let mut fields = vec![("Time", Value::Time(sample.time))];
        // What it says, as far as its record can be read.
        fields.extend(info(tag).map(|info| ("About", Value::Text(info.doc.to_string()))));
        let title = type_name(tag, session.described(tag));
        SpanInfo { span: span_at(sample.time), state: "event", role: ROLE, title, fields }
    }
}

/// Their role in the palette.
const ROLE: &str = "muted";

impl Tracks for Other {
    fn heading(&self) -> &'static Heading {
        &groups::OTHER
    }

    fn count(&self, session: &Session) -> usize {
        session.others.len()
    }

    fn nth(&self, session: &Session, place: usize) -> Option<u32> {
        session.others.nth(place).map(|of| of.tag.into())
    }

    fn place(&self, session: &Session, of: u32) -> Option<usize> {
        session.others.find(of).map(|(place, _)| place)
    }

    fn figure(&self, session: &Session) -> Option<Note> {
        Some(Note::Number(session.others.count()))
    }

    fn describe(&self, session: &Session, of: u32) -> Track {
        let tag = of as u16;
        Track {
            id: TrackId::of::<Self>(of),
            name: type_name(tag, session.described(tag)),
            group: groups::OTHER.name(),
            shape: Shape::Points { role: ROLE },
            states: &[],
            lacks: Vec::new(),
            note: Note::Number(Self::of(session, of).map_or(0, |of| of.count)),
            known: None,
        }
    }

    fn window(&self, session: &Session, of: u32, plan: &Plan, _: bool) -> Window {
        let Some(OtherType { rows, ring, .. }) = Self::of(session, of) else { return Window::default() };
        let mut counts = vec![0u32; plan.view.width];
        count_into(&mut counts, rows, *ring, &session.others.points, plan.view);
        Window { exact: rows.stride() == 1, counts, ..Window::default() }
    }

    fn in_range(&self, session: &Session, of: u32, range: &Range) -> RangeTotals {
        let of = Self::of(session, of).filter(|of| of.rows.stride() == 1);
        let count = of.map(|of| within(of.rows.kept(), range.from, range.to).len() as u64);
        RangeTotals { states: Vec::new(), count }
    }

    fn at(&self, session: &Session, of: u32, pixel: Pixel) -> Found {
        // Points are hard to hit: those half a pixel beside count, too.
        let Pixel { from, to, .. } = pixel.wider();
        let Some(OtherType { tag, rows, .. }) = Self::of(session, of) else { return Found::Place(Place::Empty) };
        let more = rows.stride() > 1;
        let kept = within(rows.kept(), from, to);
        let Some(first) = kept.first() else { return Found::Place(Place::Empty) };
        let info = Self::point_info(session, *tag, *first);
        let place = match kept.len() {
            1 if !more => Place::Span(info),
            count => Place::Many { count: count as u64, more, what: self.what(), longest: info },
        };
        Found::Event(place, first.value)
    }

    fn beside(&self, session: &Session, of: u32, time: Nanos, direction: Direction) -> Found {
        let Some(OtherType { tag, rows, .. }) = Self::of(session, of) else { return Found::Place(Place::Empty) };
        let next = rows.beside(time, direction).and_then(|at| rows.kept().get(at));
        let found = |sample: &Sample| Found::Event(Place::Span(Self::point_info(session, *tag, *sample)), sample.value);
        next.map_or(Found::Place(Place::Empty), found)
    }

    fn what(&self) -> &'static str {
        "events"
    }
}
