//! Tracks: what is drawn in a row of its own. Each kind is one file, with its state machine, its states and its tests.
//!
//! A new kind is that file and two lines here: one in [`Machines`], one in [`Machines::step`].

pub(crate) mod capability;
pub(crate) mod collections;
pub(crate) mod span;

pub(crate) use capability::Lane;
use collections::Collector;
use ghc_eventlog::{CapNo, GcGlobalSync, Header, Nanos, Record, StatusNumbering};
use span::{Collection, Span};

/// A state of a track, as the page shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// Its name, for people.
    pub name: &'static str,
    /// Its role in the palette.
    pub role: &'static str,
}

impl State {
    /// A number that no state has.
    pub(crate) const UNKNOWN: Self = Self { name: "unknown", role: "muted" };
}

/// What a track looks like on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A lane: at any time in one state, or nothing is known; spans with text where they are wide enough.
    States,
    /// A level between 0 and 1, filled from below.
    Level,
}

/// A track, describing itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// Which track, for the queries.
    pub id: TrackId,
    /// Its name.
    pub name: alloc::string::String,
    /// The heading that it stands under.
    pub group: &'static str,
    /// What it looks like.
    pub shape: Shape,
    /// Its states, by number.
    pub states: &'static [State],
    /// For each state, the flag of the runtime without which the log cannot tell it; `None` where it does.
    pub lacks: alloc::vec::Vec<Option<&'static str>>,
    /// A figure that sums it up.
    pub note: Note,
    /// From when to when the log tells of it: outside, nothing is known. `None` for all of the log.
    pub known: Option<(Nanos, Nanos)>,
}

/// A figure that sums a track up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Note {
    /// A share between 0 and 1.
    Share(f64),
    /// A number of things, and the time that the longest took.
    Count(u64, Nanos),
    /// The log does not tell, for want of this flag of the runtime.
    Lacks(&'static str),
}

/// Which track.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrackId {
    /// Mean utilisation of all capabilities.
    Activity,
    /// Collections of all capabilities.
    Collections,
    /// One capability's lane.
    Capability(CapNo),
}

/// The state machines that follow one stream of events: one capability's, or the global one. Small, since the index
/// keeps a copy for every segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Machines {
    pub(crate) lane: Lane,
    pub(crate) collector: Collector,
}

/// What the machines must know of the whole log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub(crate) numbering: StatusNumbering,
    /// Whether GC_GLOBAL_SYNC tells which capability collects (since GHC 7.6).
    pub(crate) has_global_sync: bool,
    /// Whether no more than one capability has been met.
    pub(crate) one_capability: bool,
}

impl Dialect {
    pub(crate) fn of(header: &Header, one_capability: bool) -> Self {
        Self { numbering: header.status_numbering(), has_global_sync: header.has(GcGlobalSync::TAG), one_capability }
    }
}

/// Where the machines put what they find.
pub(crate) trait Sink {
    /// A span of the stream's lane is over.
    fn span(&mut self, span: Span);
    /// A collection is over that this stream's capability did.
    fn collection(&mut self, collection: Collection);
    /// A thread stopped that did not run.
    fn stray_stop(&mut self) {}
}

/// What a machine wants to be called for: bit n for event n, since none of those has a number over 63.
pub(crate) const fn wanted(tags: &[u16]) -> u64 {
    let mut bits = 0;
    let mut rest = tags;
    while let [tag, more @ ..] = rest {
        bits |= 1 << *tag;
        rest = more;
    }
    bits
}

const LANE: u64 = wanted(Lane::WANTS);
const COLLECTOR: u64 = wanted(Collector::WANTS);

impl Machines {
    /// What any of them wants to be called for.
    pub(crate) const WANTS: u64 = LANE | COLLECTOR;

    /// Machines of a stream whose first event has this time.
    pub(crate) fn starting(at: Nanos) -> Self {
        Self { lane: Lane::starting(at), collector: Collector::starting(at) }
    }

    /// Whether the stream is within a collection, so that it is no place to cut.
    pub(crate) fn in_collection(&self) -> bool {
        self.collector.is_open()
    }

    /// Follows a record of a known form.
    #[inline(always)]
    pub(crate) fn step(&mut self, record: Record<'_>, dialect: Dialect, sink: &mut impl Sink) {
        let bit = 1u64.checked_shl(record.tag.into()).unwrap_or(0);
        if bit & LANE != 0 {
            self.lane.step(record, dialect.numbering, sink);
        }
        if bit & COLLECTOR != 0 {
            self.collect(record.tag, record.time, record.cap, record.payload, dialect, sink);
        }
    }

    #[inline(never)]
    fn collect(
        &mut self,
        tag: u16,
        time: Nanos,
        cap: Option<CapNo>,
        payload: &[u8],
        dialect: Dialect,
        sink: &mut impl Sink,
    ) {
        if let Some(collection) = self.collector.step(tag, time, payload, dialect) {
            sink.collection(Collection { cap, ..collection });
        }
    }
}
