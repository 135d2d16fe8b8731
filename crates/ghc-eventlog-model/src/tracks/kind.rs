//! What a kind of tracks is: how its tracks describe themselves, and how questions about them are answered.

use super::groups::Heading;
use crate::{
    known::arrangement::Arranged,
    known::summed::Summed,
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

/// A kind of tracks. One file has all of it: machine, description, answers, tests as drawings. It is named once, in the list
/// of kinds in `tracks/mod.rs`.
pub(crate) trait Kind: Sized {
    /// What people call its tracks; a track that is one of many has a name of its own.
    const NAME: &'static str;
    /// What its tracks show, in a sentence for people. Nothing in the binding may use it, so that the page has it from elsewhere.
    const ABOUT: &'static str;
    /// What follows a stream's events for it; `()` if nothing needs to.
    type Machine: Machine;
    /// What answers questions about its tracks: itself, or what is made for its shape, as [`super::line::Line`] is.
    type Tracks: Tracks;
    /// That, made for it.
    const TRACKS: Self::Tracks;
}

impl PlacedKind {
    pub(crate) const fn of<K: Kind + Placed>() -> Self {
        let tags = <K::Machine as Machine>::TAGS;
        Self { number: K::NUMBER, of_log: K::OF_LOG, lines: K::LINES, sums_from: K::SUMS_FROM, tags }
    }
}

/// The tracks of one kind, each by a number of its own: `of`.
pub(crate) trait Tracks: Sync {
    /// What they stand under.
    fn heading(&self) -> &'static Heading;

    /// How many there are so far.
    fn count(&self, known: &Arranged<'_>) -> usize;

    /// Which one stands at a place among them, in the order of the page. There may be very many: it takes no walk over them.
    fn nth(&self, known: &Arranged<'_>, place: usize) -> Option<u32>;

    /// The place of one; `None` if there is no such one so far.
    fn place(&self, known: &Arranged<'_>, of: u32) -> Option<usize>;

    /// Whether there is one, though perhaps its reader has chosen not to see it.
    fn exists(&self, known: &Arranged<'_>, of: u32) -> bool {
        self.place(known, of).is_some()
    }

    /// A figure that sums all of them up.
    fn figure(&self, _known: &Arranged<'_>) -> Option<Note> {
        None
    }

    /// How many of those that there are have tracks, or share one, if the reader can choose; and how many there are.
    fn shown(&self, _known: &Arranged<'_>) -> Option<(usize, usize)> {
        None
    }

    /// The flag of the runtime without which the log has none of their events, if it has none.
    fn lacks(&self, _known: &Arranged<'_>) -> Option<&'static str> {
        None
    }

    /// What one looks like.
    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track;

    /// What a planned window shows of one, exactly if `exact`: then all that must be read for it has been.
    fn window(&self, known: &Arranged<'_>, of: u32, plan: &Plan, exact: bool) -> Window;

    /// The time in each of its states, over the whole log; none for a track without states.
    fn totals(&self, _known: &Arranged<'_>, _of: u32) -> Vec<Nanos> {
        Vec::new()
    }

    /// What one did in a range of time that has been summed up.
    fn in_range(&self, _known: &Arranged<'_>, _of: u32, _range: &Summed) -> RangeTotals {
        RangeTotals::default()
    }

    /// What is drawn in a pixel, or where to look for it.
    fn at(&self, known: &Arranged<'_>, of: u32, pixel: Pixel) -> Found;

    /// What begins next after a time, or before it, or where to look for it.
    fn beside(&self, _known: &Arranged<'_>, _of: u32, _time: Nanos, _direction: Direction) -> Found {
        Found::Place(Place::Empty)
    }

    /// Spans of one that are in no [`Source`](crate::terms::place::Source): few, and kept.
    fn beside_source(&self, _known: &Arranged<'_>, _of: u32) -> Vec<Span> {
        Vec::new()
    }

    /// What is in a pixel in which nothing was found, from the end of the last span to the begin of the next one.
    fn between(&self, _known: &Arranged<'_>, _of: u32, _pixel: Pixel, _since: Nanos, _until: Option<Nanos>) -> Place {
        Place::Empty
    }

    /// What is known of something that was found in a [`Source`](crate::terms::place::Source); to be told by kinds that
    /// have such.
    fn info(&self, _known: &Arranged<'_>, item: &Item) -> SpanInfo {
        SpanInfo::of(item.span, State::UNKNOWN, State::UNKNOWN.name, Vec::new())
    }

    /// The track of the thread that a span of one is of, and that of the capability on which it was; as far as there are such.
    fn of_span(&self, _known: &Arranged<'_>, _of: u32, _info: &SpanInfo) -> (Option<TrackId>, Option<TrackId>) {
        (None, None)
    }

    /// Where a wake-up leads from what one did at a time: to who woke it up, or to whom it woke up.
    ///
    /// # Errors
    /// What happens to threads in some segments that must be at hand first.
    fn woken(
        &self,
        _known: &Arranged<'_>,
        _of: u32,
        _time: Nanos,
        _direction: Direction,
    ) -> Result<Option<WakeUp>, Needed> {
        Ok(None)
    }

    /// What must have been done before they show anything, or all.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// What the spans on its tracks are called, in the plural: those of a
    /// [`Source`](crate::terms::place::Source).
    fn what(&self) -> &'static str {
        "spans"
    }
}
