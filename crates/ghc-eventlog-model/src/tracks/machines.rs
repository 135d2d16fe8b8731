//! The machines that follow a stream of events, one for each kind of track that has one. They are called by the event's
//! number, and pass what they find to a [`Sink`], by its shape.

use super::{Machines, capability::CapabilityTracks, kind::Kind};
use crate::terms::{
    machine::{Dialect, Placed, Sink},
    tags::{Tags, each_tag},
};
use core::marker::PhantomData;
use ghc_eventlog::{CapNo, Nanos};

/// How many sums come before those of a kind; `kinds` has each kind's number and how many sums it has.
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

/// Whether no number occurs twice.
pub(crate) const fn are_distinct(numbers: &[u8]) -> bool {
    let (mut seen, mut rest) = ([false; 256], numbers);
    while let [number, more @ ..] = rest {
        if seen[*number as usize] {
            return false;
        }
        seen[*number as usize] = true;
        rest = more;
    }
    true
}

/// The machine of a kind.
pub(crate) type MachineOf<K> = <K as Kind>::Machine;

/// Makes [`Machines`] from the list of kinds, and the names of the kinds for JS, and what the model asks each kind by its
/// number.
///
/// The first word is the kind's number. Links to a view contain it, so it never changes, and none is used twice. The list is
/// in the order of the page.
macro_rules! kinds {
    (machines of at most $most:literal bytes: $($number:literal $name:ident: $kind:ty),* $(,)?) => {
        $(impl Placed for $kind {
            const NUMBER: u8 = $number;
            const POINTS: bool = <MachineOf<$kind> as Machine>::POINTS;
            const OF_LOG: bool = <MachineOf<$kind> as Machine>::OF_LOG;
            const LINES: usize = <MachineOf<$kind> as Machine>::LINES;
            const IN_ALL: bool = <MachineOf<$kind> as Machine>::IN_ALL;
            const PARTS: u64 = <MachineOf<$kind> as Machine>::PARTS;
            const SUMS_FROM: usize = sums_before($number, SUMS_OF_KINDS);
        })*

        /// All kinds, in the order of the page.
        pub(crate) static KINDS: &[(u8, &dyn Tracks)] = &[$(($number, &<$kind as Kind>::TRACKS)),*];

        /// What each kind is called in [`explanations`](crate::explanations), by its number.
        const NAMES_OF_KINDS: &[(u8, &str)] = &[$(($number, stringify!($name))),*];

        /// Each kind, explained.
        pub(crate) fn explained() -> Vec<Explained> {
            vec![$(explain::<$kind>(stringify!($name))),*]
        }

        /// The numbers of the events that each kind's machine is called for.
        pub(crate) static TAGS_OF_KINDS: &[(u8, &[u16])] =
            &[$(($number, <MachineOf<$kind> as Machine>::TAGS)),*];

        /// How many sums each kind has.
        const SUMS_OF_KINDS: &[(u8, usize)] = &[$(($number, <MachineOf<$kind> as Machine>::SUMS)),*];

        /// How many sums a stream has.
        pub(crate) const ALL_SUMS: usize = 0 $(+ <MachineOf<$kind> as Machine>::SUMS)*;

        /// The machines that follow one stream.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub(crate) struct Machines { $(pub(crate) $name: MachineOf<$kind>,)* }

        const _: () = assert!(are_distinct(&[$($number),*]), "two kinds have the same number");
        const _: () = assert!(size_of::<Machines>() <= $most, "the index keeps a copy for each segment: see limits");

        impl Machines {
            /// The events that any machine is called for.
            pub(crate) const WANTED: Tags = Tags::of(&[])$(.with(Tags::of(<MachineOf<$kind> as Machine>::TAGS)))*;

            /// The events that only the lane's machine is called for.
            pub(crate) const OF_LANE: Tags = Tags::of(<MachineOf<CapabilityTracks> as Machine>::TAGS)
                $(.without(tags_but_of_lane($number, <MachineOf<$kind> as Machine>::TAGS)))*;

            /// Machines of a stream whose first event has this time.
            pub(crate) fn starting(at: Nanos) -> Self {
                Self { $($name: <MachineOf<$kind> as Machine>::starting(at),)* }
            }

            /// Follows a record of a known form with all machines that are called for it: the lane's machine is inlined, the
            /// others are not.
            #[inline(always)]
            pub(crate) fn step(&mut self, record: Record<'_>, dialect: Dialect, sink: &mut impl Sink) {
                if Self::OF_LANE.has(record.tag) {
                    self.step_lane(record, dialect, sink);
                } else {
                    let Record { time, tag, cap, payload, .. } = record;
                    self.step_any(tag, time, cap, payload, dialect, sink);
                }
            }

            /// The same for events that only the lane follows, as nearly all are.
            #[inline(always)]
            pub(crate) fn step_lane(&mut self, record: Record<'_>, dialect: Dialect, sink: &mut impl Sink) {
                self.lane.step(record, dialect, sink);
            }

            /// The same for all other events. The record is passed as separate values: as a whole it would be written to
            /// memory field by field, and read back from there.
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

            /// Calls the machines for the events of one number; the other machines are not even checked.
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

            /// Whether a machine is in the middle of something, so that the stream should not be cut here.
            pub(crate) fn is_busy(&self) -> bool {
                false $(|| self.$name.is_busy())*
            }

            /// When the earliest of these began.
            pub(crate) fn busy_since(&self) -> Option<Nanos> {
                [$(self.$name.busy_since(),)*].into_iter().flatten().min()
            }
        }
    };
}

pub(crate) use kinds;

/// [`Machines::step_of`] for each number below 256, for a type of sink.
pub(crate) struct Steps<S>(PhantomData<S>);

pub(crate) type Step<S> = fn(&mut Machines, Nanos, Option<CapNo>, &[u8], Dialect, &mut S);

impl<S: Sink> Steps<S> {
    const SIXTEENS: [[Step<S>; 16]; 16] = each_tag!(|TAG| Machines::step_of::<TAG, S>);

    #[inline(always)]
    pub(crate) fn of(tag: u16) -> Option<Step<S>> {
        Some(*Self::SIXTEENS.as_flattened().get(usize::from(tag))?)
    }
}

/// Whether a number is among some numbers.
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

/// The events of a kind; none for the lane, whose machine is called for nearly all events.
pub(crate) const fn tags_but_of_lane(number: u8, tags: &[u16]) -> Tags {
    if number == <CapabilityTracks as Placed>::NUMBER { Tags::of(&[]) } else { Tags::of(tags) }
}
