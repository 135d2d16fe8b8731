//! A kind of tracks: how its tracks describe themselves, and how they answer questions.

use super::groups::Heading;
use crate::{
    keeping::crossing::waited::MostlyWaited,
    known::arrangement::Arranged,
    known::summed::SummedRange,
    terms::absence::Absence,
    terms::{
        machine::{Machine, Placed, PlacedKind},
        place::{Direction, Found, Item, Needed, Pixel, Place, SpanInfo, WakeUp},
        range::RangeTotals,
        span::Span,
        track::{Needs, Note, State, Track, TrackId},
        window::{Plan, Window},
    },
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// A kind of tracks. All of it is in one file: machine, description, answers, and tests drawn in characters. Its only other
/// mention is in the list of kinds in `tracks/mod.rs`.
pub(crate) trait Kind: Sized {
    /// What people call its tracks; a track that is one of many has a name of its own.
    const NAME: &'static str;
    /// What its tracks show, in a sentence for people. Nothing in the binding may use it, so that the page has it from elsewhere.
    const ABOUT: &'static str;
    /// What follows a stream's events for it; `()` if it follows none.
    type Machine: Machine;
    /// What answers questions about its tracks: the kind itself, or an implementation for its shape, such as
    /// [`super::line::Line`].
    type Tracks: Tracks;
    /// The value that answers questions for this kind.
    const TRACKS: Self::Tracks;
}

impl PlacedKind {
    pub(crate) const fn of<K: Kind + Placed>() -> Self {
        let tags = <K::Machine as Machine>::TAGS;
        Self { number: K::NUMBER, of_log: K::OF_LOG, lines: K::LINES, sums_from: K::SUMS_FROM, tags }
    }
}

/// The tracks of one kind. Each is identified by a number within the kind, `of`. They are called to list a page of tracks, to
/// draw them, and to answer questions about them.
pub(crate) trait Tracks: Sync {
    /// The heading of their group.
    fn heading(&self) -> &'static Heading;

    /// How many there are so far.
    fn count(&self, known: &Arranged<'_>) -> usize;

    /// The number of the track at a place, in the order of the page. There may be very many tracks, so this must not iterate
    /// over them.
    fn nth(&self, known: &Arranged<'_>, place: usize) -> Option<u32>;

    /// The place of a track; `None` if it does not exist so far.
    fn place(&self, known: &Arranged<'_>, of: u32) -> Option<usize>;

    /// Whether a track exists, even if the user has chosen not to show it.
    fn exists(&self, known: &Arranged<'_>, of: u32) -> bool {
        self.place(known, of).is_some()
    }

    /// A figure that summarizes all of them.
    fn figure(&self, _known: &Arranged<'_>) -> Option<Note> {
        None
    }

    /// The largest value of all tracks that have one scale with this one: those of the other capabilities, so that their
    /// heights can be compared.
    fn alike(&self, _known: &Arranged<'_>, _of: u32) -> Option<u64> {
        None
    }

    /// If the user can choose what has tracks: how many things have a track or share one, and how many there are.
    fn shown(&self, _known: &Arranged<'_>) -> Option<(usize, usize)> {
        None
    }

    /// Why the log has none of their events, if it has none.
    fn lacks(&self, _known: &Arranged<'_>) -> Option<Absence> {
        None
    }

    /// A description of a track.
    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track;

    /// What a planned window shows of a track. If `exact`, all that must be read for an exact picture has been read.
    fn window(&self, known: &Arranged<'_>, of: u32, plan: &Plan, exact: bool) -> Window;

    /// The time in each of its states, over the whole log; none for a track without states.
    fn totals(&self, _known: &Arranged<'_>, _of: u32) -> Vec<Nanos> {
        Vec::new()
    }

    /// What a thread waited for most, over the whole log: see [`Model::mostly_waited`](crate::Model::mostly_waited).
    fn mostly_waited(&self, _known: &Arranged<'_>, _of: u32) -> Option<MostlyWaited> {
        None
    }

    /// What a track did in a range of time that has been summed up.
    fn in_range(&self, _known: &Arranged<'_>, _of: u32, _range: &SummedRange) -> RangeTotals {
        RangeTotals::default()
    }

    /// What is drawn in a pixel, or where to look for it.
    fn at(&self, known: &Arranged<'_>, of: u32, pixel: Pixel) -> Found;

    /// What begins next after a time, or last before it, or where to look for it.
    fn beside(&self, _known: &Arranged<'_>, _of: u32, _time: Nanos, _direction: Direction) -> Found {
        Found::Place(Place::Empty)
    }

    /// The spans of a track that are in no [`Source`](crate::terms::place::Source): they are few, and kept.
    fn beside_source(&self, _known: &Arranged<'_>, _of: u32) -> Vec<Span> {
        Vec::new()
    }

    /// What is in a pixel where nothing was found, between the end of the last span and the begin of the next one.
    fn between(&self, _known: &Arranged<'_>, _of: u32, _pixel: Pixel, _since: Nanos, _until: Option<Nanos>) -> Place {
        Place::Empty
    }

    /// What is known of something that was found in a [`Source`](crate::terms::place::Source); for kinds that have one.
    fn info(&self, _known: &Arranged<'_>, item: &Item) -> SpanInfo {
        SpanInfo::of(item.span, State::UNKNOWN, State::UNKNOWN.name, Vec::new())
    }

    /// The track of the thread that a span is about, and the track of the capability on which it was; `None` where there is
    /// none.
    fn of_span(&self, _known: &Arranged<'_>, _of: u32, _info: &SpanInfo) -> (Option<TrackId>, Option<TrackId>) {
        (None, None)
    }

    /// Follows a wake-up from what a thread did at a time: to the thread that woke it up, or to one that it woke up.
    ///
    /// # Errors
    /// An error names the segments whose thread events must be at hand first.
    fn woken(
        &self,
        _known: &Arranged<'_>,
        _of: u32,
        _time: Nanos,
        _direction: Direction,
    ) -> Result<Option<WakeUp>, Needed> {
        Ok(None)
    }

    /// What must have been done before they show anything, or everything.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// The name of their spans in a [`Source`](crate::terms::place::Source), in the plural.
    fn what(&self) -> &'static str {
        "spans"
    }
}
