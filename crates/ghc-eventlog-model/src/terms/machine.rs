//! What follows a stream of events, and what it finds: the words that kinds of tracks and those who read a log share.

use crate::terms::{
    nonmoving::{Census, Phase},
    sample::{NumbersAt, Sample},
    span::{Collection, Span},
};
use ghc_eventlog::{GcGlobalSync, Header, Nanos, Record, StatusNumbering, ThreadId};

/// A state machine that follows one stream of events: one capability's, or the global one. Small, since the index keeps a
/// copy for every segment.
pub(crate) trait Machine: core::fmt::Debug + Copy + PartialEq {
    /// The numbers of the events that it is called for, below 256.
    const TAGS: &'static [u16];
    /// How many sums it has: see [`crate::known::sums::Sums`].
    const SUMS: usize = 0;
    /// Whether its samples are things that happen, and not values.
    const POINTS: bool = false;
    /// Whether its samples are of the whole log, and not of the stream that they stand in.
    const OF_LOG: bool = false;
    /// How many lines its samples are of, for each stream.
    const LINES: usize = 1;
    /// Whether its lines are rates whose sum over all streams is kept, too.
    const IN_ALL: bool = false;
    /// The machine of a stream whose first event has this time.
    fn starting(at: Nanos) -> Self;
    /// Follows a record of a known form. In line: each number of events then has code of its own, with what is for it alone. Not of
    /// its offset, which is not handed on and says 0.
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

/// For kinds that need none.
impl Machine for () {
    const TAGS: &'static [u16] = &[];

    fn starting(_: Nanos) -> Self {}

    fn step(&mut self, _: Record<'_>, _: Dialect, _: &mut impl Sink) {}
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

/// Where the machines put what they find: by its shape, so that a new kind of track adds no method.
pub(crate) trait Sink {
    /// A span of the stream's lane is over.
    fn span(&mut self, span: Span);
    /// A counter of a kind of tracks has another value from now on; or something happened, of a kind of
    /// [points](Machine::POINTS).
    fn sample<K: Placed>(&mut self, sample: Sample);
    /// One of a kind's sums grows by so much: `sum` is its place among those of the kind.
    fn add<K: Placed>(&mut self, sum: usize, more: u64, time: Nanos);
    /// A running total that the runtime keeps has come to this, and so has one of a kind's sums: it never goes back.
    fn reach<K: Placed>(&mut self, sum: usize, total: u64, time: Nanos);
    /// The same for all of a kind's sums at once, one after the other, and a line for each tells how fast: what is more has come
    /// evenly since some time, which is before `time`; if it is not, the lines tell nothing of it.
    fn grow<K: Placed>(&mut self, totals: &[u64], _since: Nanos, time: Nanos) {
        totals.iter().enumerate().for_each(|(line, total)| self.reach::<K>(line, *total, time));
    }
    /// A thread takes up something new, a spark: what it had taken up before is over.
    fn take_up(&mut self, _thread: ThreadId, _time: Nanos) {}
    /// A thread that has taken up such things is over.
    fn give_up(&mut self, _thread: ThreadId, _time: Nanos) {}
    /// The stream's lane has done nothing from one time to another: long enough to be worth a word.
    fn rest(&mut self, _from: Nanos, _to: Nanos) {}
    /// Something happened that a few numbers tell of.
    fn moment<K: Placed>(&mut self, _moment: NumbersAt) {}
    /// Something is over that has a row of its own.
    fn row(&mut self, row: KeptRow);
    /// Something is missing.
    fn lost(&mut self, what: Lost);
}

/// What has a row of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeptRow {
    Collection(Collection),
    Phase(Phase),
    Census(Census),
}

/// What is missing of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lost {
    Begin,
    End,
}

/// Where a kind stands in the list of kinds.
pub(crate) trait Placed {
    /// Its number.
    const NUMBER: u8;
    /// Whether its samples are things that happen, and not values.
    const POINTS: bool;
    /// Whether its samples are of the whole log, and not of the stream that they stand in.
    const OF_LOG: bool;
    /// How many lines its samples are of, for each stream.
    const LINES: usize;
    /// Whether its lines are rates whose sum over all streams is kept, too.
    const IN_ALL: bool;
    /// The place of the first of its sums among them all.
    const SUMS_FROM: usize;
}

/// Where a kind stands, as values: what is made for a shape is made once for all kinds of that shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedKind {
    pub(crate) number: u8,
    pub(crate) of_log: bool,
    pub(crate) lines: usize,
    pub(crate) sums_from: usize,
    /// The numbers of the events that its machine is called for.
    pub(crate) tags: &'static [u16],
}
