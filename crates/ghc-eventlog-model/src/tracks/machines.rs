//! The machines that follow a stream of events: what each kind of track has one for, they are called for by the event's
//! number, and what they find goes to a [`Sink`], by its shape.

use super::{
    Machines,
    kind::{Kind, Placed},
    span::{Collection, Span},
};
use crate::keeping::nonmoving::{Census, Phase};
use core::marker::PhantomData;
use ghc_eventlog::{CapNo, GcGlobalSync, Header, Nanos, Record, StatusNumbering, ThreadId};

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
    fn row(&mut self, row: Row);
    /// Something is missing.
    fn lost(&mut self, what: Lost);
}

/// A value at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) time: Nanos,
    pub(crate) value: u64,
}

/// What happened, in a few numbers; what they are, its kind says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumbersAt {
    pub(crate) time: Nanos,
    pub(crate) numbers: [u64; 3],
}

/// What has a row of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Row {
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

/// A state machine that follows one stream of events: one capability's, or the global one. Small, since the index keeps a
/// copy for every segment.
pub(crate) trait Machine: core::fmt::Debug + Copy + PartialEq {
    /// The numbers of the events that it is called for, below 256.
    const TAGS: &'static [u16];
    /// How many sums it has: see [`crate::keeping::sums::Sums`].
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

/// What a kind's machine wants to be called for: its bit is set for the numbers of those events.
pub(crate) const fn with_bit(mut table: [u32; 256], bit: u32, tags: &[u16]) -> [u32; 256] {
    let mut rest = tags;
    while let [tag, more @ ..] = rest {
        table[*tag as usize] |= 1 << bit;
        rest = more;
    }
    table
}

/// Numbers of events, below 256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tags([u64; 4]);

impl Tags {
    pub(crate) const fn of(tags: &[u16]) -> Self {
        let (mut all, mut rest) = (Self([0; 4]), tags);
        while let [tag, more @ ..] = rest {
            all.insert(*tag);
            rest = more;
        }
        all
    }

    /// The numbers of the events for which these kinds are called, and no others.
    pub(crate) const fn of_just(table: &[u32; 256], kinds: u32) -> Self {
        let (mut all, mut tag) = (Self([0; 4]), 0);
        while tag < table.len() {
            if table[tag] == kinds {
                all.insert(tag as u16);
            }
            tag += 1;
        }
        all
    }

    /// With those that are among some others, too.
    pub(crate) const fn with(self, others: Self) -> Self {
        let (Self([a, b, c, d]), Self([e, f, g, h])) = (self, others);
        Self([a | e, b | f, c | g, d | h])
    }

    /// Adds a number, if it is below 256.
    pub(crate) const fn insert(&mut self, tag: u16) {
        if tag < 256 {
            self.0[tag as usize / 64] |= 1 << (tag % 64);
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(bits, more)| *bits |= more);
    }

    /// Whether any number is in both.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.0.iter().zip(other.0).any(|(bits, others)| bits & others != 0)
    }

    /// Those that are not among some others.
    pub(crate) const fn without(self, others: Self) -> Self {
        let (Self([a, b, c, d]), Self([e, f, g, h])) = (self, others);
        Self([a & !e, b & !f, c & !g, d & !h])
    }

    pub(crate) const fn has(self, tag: u16) -> bool {
        tag < 256 && self.0[tag as usize / 64] & 1 << (tag % 64) != 0
    }
}

/// How many sums there are before those of a kind: `kinds` has each kind's number and how many it has.
pub(crate) const fn sums_before(number: u8, kinds: &[(u8, usize)]) -> usize {
    let (mut before, mut rest) = (0, kinds);
    while let [(other, sums), more @ ..] = rest {
        if *other < number {
            before += *sums;
        }
        rest = more;
    }
    before
}

/// The machine of a kind.
pub(crate) type MachineOf<K> = <K as Kind>::Machine;

/// Makes of the list of kinds the [`Machines`], what JS calls the kinds, and what the model asks of each by its number.
///
/// The first word is the kind's number: it is part of what a link to a view holds, so it never changes, and none is used
/// twice. The list's order is that of the page.
macro_rules! kinds {
    (machines of at most $most:literal bytes: $($number:literal $name:ident: $kind:ty),* $(,)?) => {
        $(impl Placed for $kind {
            const NUMBER: u8 = $number;
            const POINTS: bool = <MachineOf<$kind> as Machine>::POINTS;
            const OF_LOG: bool = <MachineOf<$kind> as Machine>::OF_LOG;
            const LINES: usize = <MachineOf<$kind> as Machine>::LINES;
            const IN_ALL: bool = <MachineOf<$kind> as Machine>::IN_ALL;
            const SUMS_FROM: usize = sums_before($number, SUMS_OF_KINDS);
        })*

        /// All kinds, in the order of the page.
        pub(crate) static KINDS: &[(u8, &dyn Tracks)] = &[$(($number, &<$kind as Kind>::TRACKS)),*];

        /// The numbers of the events that each kind's machine is called for.
        pub(crate) static TAGS_OF_KINDS: &[(u8, &[u16])] =
            &[$(($number, <MachineOf<$kind> as Machine>::TAGS)),*];

        /// How many sums each kind has.
        const SUMS_OF_KINDS: &[(u8, usize)] = &[$(($number, <MachineOf<$kind> as Machine>::SUMS)),*];

        /// How many sums there are for a stream.
        pub(crate) const ALL_SUMS: usize = 0 $(+ <MachineOf<$kind> as Machine>::SUMS)*;

        /// The machines that follow one stream.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub(crate) struct Machines { $(pub(crate) $name: MachineOf<$kind>,)* }

        const _: () = assert!(size_of::<Machines>() <= $most, "the index keeps a copy for each segment: see limits");

        impl Machines {
            /// For each event's number, the kinds whose machines are called for it.
            pub(crate) const WANTED: [u32; 256] = {
                let mut table = [0; 256];
                $(table = with_bit(table, $number, <MachineOf<$kind> as Machine>::TAGS);)*
                table
            };

            /// The events that the lane's machine is called for, and no other.
            pub(crate) const OF_LANE: Tags = Tags::of_just(&Self::WANTED, LANE_BIT);

            /// Machines of a stream whose first event has this time.
            pub(crate) fn starting(at: Nanos) -> Self {
                Self { $($name: <MachineOf<$kind> as Machine>::starting(at),)* }
            }

            /// Follows a record of a known form, with all machines that are called for it: the lane's in line, the others not.
            #[inline(always)]
            pub(crate) fn step(&mut self, record: Record<'_>, dialect: Dialect, sink: &mut impl Sink) {
                if Self::OF_LANE.has(record.tag) {
                    self.step_lane(record, dialect, sink);
                } else {
                    let Record { time, tag, cap, payload, .. } = record;
                    self.step_any(tag, time, cap, payload, dialect, sink);
                }
            }

            /// The same for those that are the lane's alone, as nearly all are.
            #[inline(always)]
            pub(crate) fn step_lane(&mut self, record: Record<'_>, dialect: Dialect, sink: &mut impl Sink) {
                self.lane.step(record, dialect, sink);
            }

            /// The same for all others. The record comes in pieces: as a whole it would be written to memory, piece by piece,
            /// and waited for there.
            #[inline(always)]
            pub(crate) fn step_any<S: Sink>(
                &mut self,
                tag: u16,
                time: Nanos,
                cap: Option<CapNo>,
                payload: &[u8],
                dialect: Dialect,
                sink: &mut S,
            ) {
                if let Some(step) = Steps::<S>::of(tag) {
                    step(self, time, cap, payload, dialect, sink);
                }
            }

            /// With all machines that are called for the events of one number, and no look at any other.
            fn step_of<const TAG: u16, S: Sink>(
                &mut self,
                time: Nanos,
                cap: Option<CapNo>,
                payload: &[u8],
                dialect: Dialect,
                sink: &mut S,
            ) {
                let record = Record { offset: 0, time, tag: TAG, cap, known: true, payload };
                $(if const { is_among(TAG, <MachineOf<$kind> as Machine>::TAGS) } {
                    self.$name.step(record, dialect, sink);
                })*
            }

            /// Whether the stream is in the middle of something, so that it is no place to cut.
            pub(crate) fn is_busy(&self) -> bool {
                false $(|| self.$name.is_busy())*
            }

            /// When the earliest of that began.
            pub(crate) fn busy_since(&self) -> Option<Nanos> {
                [$(self.$name.busy_since(),)*].into_iter().flatten().min()
            }
        }
    };
}

pub(crate) use kinds;

/// [`Machines::step_of`] for each number below 256, for some sink.
pub(crate) struct Steps<S>(PhantomData<S>);

pub(crate) type Step<S> = fn(&mut Machines, Nanos, Option<CapNo>, &[u8], Dialect, &mut S);

macro_rules! sixteen {
    ($($from:literal)*) => { [$(sixteen!($from: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)),*] };
    ($from:literal: $($more:literal)*) => { [$(Machines::step_of::<{ $from + $more }, S>),*] };
}

impl<S: Sink> Steps<S> {
    const SIXTEENS: [[Step<S>; 16]; 16] = sixteen!(0 16 32 48 64 80 96 112 128 144 160 176 192 208 224 240);

    #[inline(always)]
    pub(crate) fn of(tag: u16) -> Option<Step<S>> {
        Some(*Self::SIXTEENS.as_flattened().get(usize::from(tag))?)
    }
}

/// Whether a number is among some.
pub(crate) const fn is_among(tag: u16, tags: &[u16]) -> bool {
    let mut rest = tags;
    while let [one, more @ ..] = rest {
        if *one == tag {
            return true;
        }
        rest = more;
    }
    false
}

/// The bit of the lane, whose machine is called for nearly all events.
pub(crate) const LANE_BIT: u32 = 1 << <super::capability::Lanes as Placed>::NUMBER;
