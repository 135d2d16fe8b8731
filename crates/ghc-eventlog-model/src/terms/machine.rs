//! What follows a stream of events, and what it finds: the words that the kinds of tracks share with the readers of a log.

use crate::terms::{
    nonmoving::{Census, Phase},
    numbering::Numbering,
    sample::{NumbersAt, Sample},
    span::{Collection, Span},
};
use ghc_eventlog::{GcGlobalSync, Header, Nanos, Record, StatusNumbering};

/// A state machine that follows one stream of events: one capability's, or the global one. Small, since the index keeps a
/// copy for every segment.
pub(crate) trait Machine: core::fmt::Debug + Copy + PartialEq {
    /// The numbers of the events that it is called for, below 256.
    const TAGS: &'static [u16];
    /// How many sums it has: see [`crate::known::sums::Sums`].
    const SUMS: usize = 0;
    /// Whether its samples are events at a moment, not values.
    const POINTS: bool = false;
    /// Whether its samples are about the whole log, not about the stream in which they are found.
    const OF_LOG: bool = false;
    /// How many lines its samples have in each stream.
    const LINES: usize = 1;
    /// Whether its lines are rates whose sum over all streams is kept as well.
    const IN_ALL: bool = false;
    /// In how many parts of one the values of its lines are kept.
    const PARTS: u64 = 1;
    /// The machine of a stream whose first event has this time.
    fn starting(at: Nanos) -> Self;
    /// Follows a record of a known form. Inlined, so that each event number gets code of its own with only what that event
    /// needs. The record's offset is not passed on: it is 0 here.
    fn step(&mut self, record: Record<'_>, dialect: Dialect, sink: &mut impl Sink);
    /// Whether it is in the middle of something, so that the stream is better not cut here.
    fn is_busy(&self) -> bool {
        false
    }
    /// When that began.
    fn busy_since(&self) -> Option<Nanos> {
        None
    }
}

/// For kinds that need no machine.
impl Machine for () {
    const TAGS: &'static [u16] = &[];

    fn starting(_: Nanos) -> Self {}

    fn step(&mut self, _: Record<'_>, _: Dialect, _: &mut impl Sink) {}
}

/// What the machines must know of the whole log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub(crate) numbering: StatusNumbering,
    /// Whether GC_GLOBAL_SYNC says which capability collects (since GHC 7.6).
    pub(crate) has_global_sync: bool,
    /// Whether at most one capability has been seen.
    pub(crate) one_capability: bool,
    /// How the process numbers its threads.
    pub(crate) threads: Numbering,
    /// Whether the program can switch classes of events off and on while it runs (since GHC 10).
    pub(crate) can_pause: bool,
}

impl Dialect {
    pub(crate) fn of(header: &Header, one_capability: bool, threads: Numbering) -> Self {
        let (numbering, has_global_sync) = (header.status_numbering(), header.has(GcGlobalSync::TAG));
        Self { numbering, has_global_sync, one_capability, threads, can_pause: false }
    }
}

/// Where the machines put what they find. There is a method for each shape of result, so that a new kind of track adds none.
pub(crate) trait Sink {
    /// A span of the stream's lane is over.
    fn span(&mut self, span: Span);
    /// The counter of a kind of tracks has a new value from now on. For a kind of [points](Machine::POINTS): something
    /// happened.
    fn sample<K: Placed>(&mut self, sample: Sample);
    /// Adds `more` to one of a kind's sums: `sum` is its place among the sums of the kind.
    fn add<K: Placed>(&mut self, sum: usize, more: u64, time: Nanos);
    /// Sets one of a kind's sums to a running total that the runtime keeps: the sum never goes back.
    fn reach<K: Placed>(&mut self, sum: usize, total: u64, time: Nanos);
    /// Sets all of a kind's sums, in order, and adds a value to the line of each: its rate. The growth is spread evenly over
    /// the time since `_since`. If `_since` is not before `time`, the lines get no value.
    fn grow<K: Placed>(&mut self, totals: &[u64], _since: Nanos, time: Nanos) {
        totals.iter().enumerate().for_each(|(line, total)| self.reach::<K>(line, *total, time));
    }
    /// The stream's lane has been idle from one time to another, for long enough to be mentioned.
    fn rest(&mut self, _from: Nanos, _to: Nanos) {}
    /// The stream's lane has led a collection: its collecting was done at one time, and the collection was over at the other.
    /// In between it cleaned up, and took a census if one was due.
    fn tail(&mut self, _from: Nanos, _to: Nanos) {}
    /// Something happened that a few numbers describe.
    fn moment<K: Placed>(&mut self, _moment: NumbersAt) {}
    /// Something that gets a row of its own is over.
    fn row(&mut self, row: KeptRow);
    /// Something is missing.
    fn lost(&mut self, what: Lost);
    /// It is missing although nothing was lost: a class of events was switched off for some time in between.
    fn unlogged(&mut self, _class: Watched, _from: Nanos, _to: Nanos) {}
}

/// A class of events of which it may be noticed that it was switched off for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Watched {
    /// What threads do.
    Threads,
    /// Collections, and the heap's sizes.
    Collections,
    /// Counters of sparks.
    Sparks,
}

/// What gets a row of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeptRow {
    Collection(Collection),
    Phase(Phase),
    Census(Census),
}

/// What is missing from a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lost {
    Begin,
    End,
    /// The same as one of these, although nothing was lost: see [`Sink::unlogged`].
    UnloggedBegin,
    UnloggedEnd,
    /// Whatever came before the end of a run, in a time of which nothing is known.
    Sight,
}

/// The place of a kind in the list of kinds.
pub(crate) trait Placed {
    /// Its number.
    const NUMBER: u8;
    /// Whether its samples are events at a moment, not values.
    const POINTS: bool;
    /// Whether its samples are about the whole log, not about the stream in which they are found.
    const OF_LOG: bool;
    /// How many lines its samples have in each stream.
    const LINES: usize;
    /// Whether its lines are rates whose sum over all streams is kept as well.
    const IN_ALL: bool;
    /// In how many parts of one the values of its lines are kept.
    const PARTS: u64;
    /// The place of its first sum among the sums of all kinds.
    const SUMS_FROM: usize;
}

/// The place of a kind as values, so that code for a shape is compiled once for all kinds of that shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedKind {
    pub(crate) number: u8,
    pub(crate) of_log: bool,
    pub(crate) lines: usize,
    pub(crate) sums_from: usize,
    /// The numbers of the events that its machine is called for.
    pub(crate) tags: &'static [u16],
}
