//! Memory that major collections gave back to the system, and what was left.

use crate::{
    facts::{
        scope::Scope,
        table::{Cells, Listed, columns},
    },
    terms::{
        sample::NumbersAt,
        track::TrackId,
        value::{Unit, Value},
    },
    tracks::mem_return,
};
use core::ops;
use ghc_eventlog::{MemReturn, Nanos};

pub(super) struct Returned;

impl Listed for Returned {
    type Row = NumbersAt;
    const SECTION: &'static str = "heap";
    const KEY: &'static str = "returned";
    const NAME: &'static str = "Memory returned, in megablocks";
    const ABOUT: &'static str = "Each time that the runtime looked for memory to give back to the system, in megablocks: pieces that are \
        usually of 1 MiB.";
    const TRACK: Option<TrackId> = Some(TrackId::RETURNED);
    columns! {
        /// The moment at which the runtime looked for memory to give back.
        Cells::new("time_ns", "Time", Unit::Time, |_, moment| Value::Time(moment.time)),
        /// How many megablocks the heap had before that.
        Cells::new("current_mblocks", "Had", Unit::Count, |_, moment| mblocks(moment, 0)),
        /// How many megablocks the runtime wanted to keep.
        Cells::new("needed_mblocks", "Needed", Unit::Count, |_, moment| mblocks(moment, 1)),
        /// How many megablocks were given back. It is less than what was not needed if data was scattered over many.
        Cells::new("returned_mblocks", "Returned", Unit::Count, |_, moment| mblocks(moment, 2)),
    }

    fn places(scope: &Scope<'_>) -> ops::Range<usize> {
        scope.within(mem_return::moments(scope.known()), |moment| moment.time)
    }

    fn row(scope: &Scope<'_>, place: usize) -> Option<NumbersAt> {
        mem_return::moments(scope.known()).get(place).copied()
    }

    /// How many there were in a range is not known where some are not kept.
    fn of(scope: &Scope<'_>) -> u64 {
        if scope.is_whole() { scope.events(&[MemReturn::TAG]) } else { Self::places(scope).len() as u64 }
    }

    fn time(moment: &NumbersAt) -> Option<Nanos> {
        Some(moment.time)
    }
}

fn mblocks(moment: &NumbersAt, number: usize) -> Value {
    moment.numbers.get(number).map_or(Value::Unknown, |mblocks| Value::Count(*mblocks))
}
