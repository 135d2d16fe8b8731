//! Other events: those that no kind of track shows, so that nothing in a log is invisible. Each type that occurs has a row,
//! by its number.
//!
//! ```text
//! ▾ Other events         1 204
//!   MIGRATE_THREAD  12   x   x      x
//!   CAP_CREATE       3   x
//!   type 300         2         x    x       its record, read again from the file, shows what it says
//! ```

use super::{
    KINDS, Machines, TAGS_OF_KINDS,
    groups::{self, Heading},
    kind::{Kind, Tracks},
    points::{count_into, span_at, within},
    spark_events::SPARK_EVENTS,
};
use crate::{
    keeping::others::OtherType,
    known::arrangement::Arranged,
    known::{Known, summed::SummedRange},
    terms::{
        machine::Placed,
        place::{Direction, Found, Pixel, Place, SpanInfo},
        range::RangeTotals,
        sample::Sample,
        tags::Tags,
        track::{Note, Shape, State, Track, TrackId},
        value::Value,
        window::{Plan, Window},
    },
};
use alloc::{string::ToString, vec, vec::Vec};
use core::marker::PhantomData;
use ghc_eventlog::{
    BlockMarker, CapCreate, CapDelete, CapDisable, CapEnable, CapsetAssignCap, CapsetCreate, CostCentre, CreateThread,
    HackBugT9003, HeapBioProfSampleBegin, HeapInfo, HeapProfBegin, HeapProfSampleBegin, HeapProfSampleCostCentre,
    HeapProfSampleEnd, HeapProfSampleString, Ipe, Nanos, OsProcessPid, OsProcessPpid, ProfBegin, ProfSampleCostCentre,
    ProgramArgs, ProgramEnv, RtsIdentifier, TaskCreate, TaskDelete, TaskMigrate, ThreadLabel, TickyCounterBeginSample,
    TickyCounterDef, TickyCounterSample, UserBinaryMsg, UserMarker, UserMsg, WallClockTime, info,
};

/// The tracks of the types.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Other;

impl Kind for Other {
    const NAME: &'static str = "Other events";
    const ABOUT: &'static str = "Every event that no other track is about, as points: hover over one to read it.";
    type Machine = ();
    type Tracks = OfTypes<Self>;
    const TRACKS: OfTypes<Self> = OfTypes {
        heading: &groups::OTHER,
        role: "muted",
        has: |tag| !SPARK_EVENTS.has(tag),
        summed_up: true,
        of: PhantomData,
    };
}

/// The tracks of some event types. Each type has a row of points for its events, which are kept one by one; the look-up shows
/// what an event says.
pub(crate) struct OfTypes<K> {
    pub(crate) heading: &'static Heading,
    /// Their role in the palette.
    pub(crate) role: &'static str,
    /// Whether a type that is kept one by one belongs to this kind.
    pub(crate) has: fn(u16) -> bool,
    /// Whether their heading shows the total number of events.
    pub(crate) summed_up: bool,
    pub(crate) of: PhantomData<K>,
}

/// Events that no kind of track shows, and where else the user sees them.
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
    (HeapProfBegin::TAG, "the tab Profile: what the heap profile is broken down by"),
    (CostCentre::TAG, DEFINITIONS),
    (HeapProfSampleBegin::TAG, TAKEN),
    (HeapProfSampleCostCentre::TAG, CENSUSES),
    (HeapProfSampleString::TAG, CENSUSES),
    (HeapProfSampleEnd::TAG, TAKEN),
    (HeapBioProfSampleBegin::TAG, TAKEN),
    (
        ProfSampleCostCentre::TAG,
        "Time profile; the tab Profile: the time profile's samples, by cost centre and by stack",
    ),
    (ProfBegin::TAG, "the tab Profile: how long each tick of the time profile takes"),
    (Ipe::TAG, DEFINITIONS),
    (TickyCounterDef::TAG, "the tab Ticky: the counters' names and what is said of them"),
    (TickyCounterSample::TAG, "the tab Ticky: what each counter counted"),
    (TickyCounterBeginSample::TAG, "the tab Ticky: the counters' samples, which follow it"),
];

const CENSUSES: &str = "the tab Profile: the heap profile's censuses and bands";
const TAKEN: &str =
    "the lanes of capabilities: when each census was taken; the tab Profile: the heap profile's censuses";
const DEFINITIONS: &str = "the tab Profile: definitions, and the names in bands and stacks";

/// Events that are also seen in a second place.
const ALSO: &[(u16, &str)] = &[
    (CapsetCreate::TAG, PROCESS_CAPSETS),
    (CapsetAssignCap::TAG, PROCESS_CAPSETS),
    (ProgramEnv::TAG, "the tab Process: the environment, if asked for"),
    (OsProcessPid::TAG, "the tab Process: the process's number"),
    (OsProcessPpid::TAG, "the tab Process: the parent's number"),
    (CapCreate::TAG, "the tab Summary: when each capability was created, if some come or go while the program runs"),
    (CapDelete::TAG, "the tab Summary: when each capability was deleted, if some come or go while the program runs"),
    (CapDisable::TAG, "Capabilities: from when on each was disabled"),
    (CapEnable::TAG, "Capabilities: until when each was disabled"),
    (HeapInfo::TAG, "the tab Process: the heap's parameters"),
    (TaskCreate::TAG, TASKS),
    (TaskMigrate::TAG, TASKS),
    (TaskDelete::TAG, TASKS),
    (UserMsg::TAG, SPANS),
    (UserBinaryMsg::TAG, SPANS),
    (UserMarker::TAG, SPANS),
    (UserMsg::TAG, COUNTERS),
    (UserBinaryMsg::TAG, COUNTERS),
    (UserMarker::TAG, COUNTERS),
    (
        UserMarker::TAG,
        "lines through all tracks, and the tab Messages: each marker, and how often each text was marked",
    ),
    (UserBinaryMsg::TAG, "the tab Profile: stacks of threads, if a message is one of ghc-stack-profiler's"),
];

const SPANS: &str = "Spans, and the tab Messages: what lies between two of them, if they begin and end spans";
const COUNTERS: &str = "Counters, and the tab Messages: values of instruments, and numbers after a word";
const PROCESS_CAPSETS: &str = "the tab Process: the sets of capabilities";
const TASKS: &str = "Tasks, and the tab Process: where each was, and when";

/// The numbers below 256 that no kind of track shows, and that are not seen elsewhere.
const OTHERS: Tags = {
    let (mut elsewhere, mut at) = ([0; ELSEWHERE.len()], 0);
    while at < elsewhere.len() {
        (elsewhere[at], _) = ELSEWHERE[at];
        at += 1;
    }
    Tags::ALL.without(Machines::WANTED).without(Tags::of(&elsewhere))
};

/// Whether events of a number are kept one by one if their form is known; those of unknown form always are.
pub(crate) const fn is_kept(tag: u16) -> bool {
    tag >= 256 || OTHERS.has(tag) || SPARK_EVENTS.has(tag)
}

/// Where the user sees the events of a number.
pub(crate) fn seen(tag: u16) -> Vec<&'static str> {
    if SPARK_EVENTS.has(tag) {
        // Lanes have machines that follow some of these events, but do not draw them.
        return vec![groups::SPARKS.name()];
    }
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

impl<K: Placed> OfTypes<K> {
    /// All types that occur, in order of their numbers.
    fn types<'s>(&self, known: &'s Known) -> impl Iterator<Item = &'s OtherType> {
        let has = self.has;
        known.stores.others.types().filter(move |of| has(of.tag))
    }

    fn of<'s>(&self, known: &'s Known, tag: u32) -> Option<&'s OtherType> {
        known.stores.others.find(tag).filter(|of| (self.has)(of.tag))
    }

    fn point_info(&self, known: &Known, tag: u16, sample: Sample) -> SpanInfo {
        let mut fields = vec![("Time", Value::Time(sample.time))];
        // What the event says, as far as its record can be read.
        fields.extend(info(tag).map(|info| ("About", Value::words(info.doc.to_string()))));
        let title = known.type_name(tag);
        SpanInfo::of(span_at(sample.time), State { name: "event", role: self.role }, title, fields)
    }
}

/// There are at most [`crate::limits::MAX_OTHER_TYPES`] types: iterating over them is cheap.
impl<K: Placed + Sync> Tracks for OfTypes<K> {
    fn heading(&self) -> &'static Heading {
        self.heading
    }

    fn count(&self, known: &Arranged<'_>) -> usize {
        self.types(known).count()
    }

    fn nth(&self, known: &Arranged<'_>, place: usize) -> Option<u32> {
        self.types(known).nth(place).map(|of| of.tag.into())
    }

    fn place(&self, known: &Arranged<'_>, of: u32) -> Option<usize> {
        self.types(known).position(|other| u32::from(other.tag) == of)
    }

    fn figure(&self, known: &Arranged<'_>) -> Option<Note> {
        self.summed_up.then(|| Note::Number(self.types(known).map(|of| of.count).sum()))
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let tag = of as u16;
        Track {
            id: TrackId::of::<K>(of),
            name: known.type_name(tag),
            group: self.heading.name(),
            shape: Shape::Points { role: self.role },
            states: &[],
            lacks: Vec::new(),
            note: Note::Number(self.of(known, of).map_or(0, |of| of.count)),
            known: None,
        }
    }

    fn window(&self, known: &Arranged<'_>, of: u32, plan: &Plan, _: bool) -> Window {
        let Some(OtherType { rows, ring, .. }) = self.of(known, of) else { return Window::default() };
        let mut counts = vec![0u32; plan.view.width];
        count_into(&mut counts, rows, *ring, &known.stores.others.points, plan.view);
        Window { exact: rows.stride() == 1, counts, ..Window::default() }
    }

    fn in_range(&self, known: &Arranged<'_>, of: u32, range: &SummedRange) -> RangeTotals {
        let of = self.of(known, of).filter(|of| of.rows.stride() == 1);
        let count = of.map(|of| within(of.rows.kept(), range.from, range.to).len() as u64);
        RangeTotals { states: Vec::new(), count }
    }

    fn at(&self, known: &Arranged<'_>, of: u32, pixel: Pixel) -> Found {
        let Some(OtherType { tag, rows, .. }) = self.of(known, of) else { return Found::Place(Place::Empty) };
        let more = rows.stride() > 1;
        // Points are hard to hit: if the pixel has none, those within half a pixel of it count.
        let kept = [pixel, pixel.wider()].map(|Pixel { from, to, .. }| within(rows.kept(), from, to));
        let kept = kept.into_iter().find(|kept| !kept.is_empty()).unwrap_or_default();
        let Some(first) = kept.first() else { return Found::Place(Place::Empty) };
        let info = self.point_info(known, *tag, *first);
        let place = match kept.len() {
            1 if !more => Place::Span(info),
            count => Place::Many { count: count as u64, more, what: "events", longest: info },
        };
        Found::Event(place, first.value)
    }

    fn beside(&self, known: &Arranged<'_>, of: u32, time: Nanos, direction: Direction) -> Found {
        let Some(OtherType { tag, rows, .. }) = self.of(known, of) else { return Found::Place(Place::Empty) };
        let next = rows.beside(time, direction).and_then(|at| rows.kept().get(at));
        let found = |sample: &Sample| Found::Event(Place::Span(self.point_info(known, *tag, *sample)), sample.value);
        next.map_or(Found::Place(Place::Empty), found)
    }
}
