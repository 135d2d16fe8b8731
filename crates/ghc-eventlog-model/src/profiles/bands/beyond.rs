//! What cost centres hold in stacks that have no band: those are one, and without this it would not be known that most of it is of one cost
//! centre, which many places call.
//!
//! ```text
//! leaky ← a ← MAIN 9 KB · leaky ← b ← MAIN 9 KB · … · other ← z ← MAIN 10 KB       no stack is heavy, leaky is
//! ```

use super::Times;
use crate::{
    keeping::{heaviest::Heaviest, places::Places},
    limits,
    profiles::totals::Held,
    terms::frame::Frame,
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// The innermost frames of these stacks, each with what all of them hold together. When there are too many, the lighter half is forgotten: a
/// frame that comes again counts from then on.
#[derive(Debug, Default)]
pub(super) struct Beyond {
    rows: Vec<HeldBeyond>,
    places: Places,
}

#[derive(Debug)]
pub(crate) struct HeldBeyond {
    frame: Frame,
    held: Held,
    /// Bytes in the open census, and its number.
    here: (u64, u64),
}

impl HeldBeyond {
    fn weight(&self) -> u64 {
        self.held.most.max(self.here.0)
    }
}

impl Beyond {
    fn of(&mut self, frame: Frame) -> Option<&mut HeldBeyond> {
        let known = self.places.find_number(frame.number());
        let place = known.unwrap_or_else(|| {
            if self.rows.len() >= limits::MAX_BEYOND_BANDS {
                self.forget_lighter();
            }
            let place = self.rows.len() as u32;
            self.rows.push(HeldBeyond { frame, held: Held::default(), here: (0, 0) });
            self.places.insert_number(frame.number(), place);
            place
        });
        self.rows.get_mut(place as usize)
    }

    fn forget_lighter(&mut self) {
        let mut half = Heaviest::half_of(self.rows.iter().map(HeldBeyond::weight).collect());
        self.rows.retain(|row| half.stays(row.weight()));
        self.places.clear();
        for (row, place) in self.rows.iter().zip(0..) {
            self.places.insert_number(row.frame.number(), place);
        }
    }

    /// A stack without a band has bytes in the open census, whose number is given.
    pub(super) fn add(&mut self, frame: Frame, bytes: u64, census: u64) {
        if let Some(HeldBeyond { here, .. }) = self.of(frame) {
            let before = if here.1 == census { here.0 } else { 0 };
            *here = (before.saturating_add(bytes), census);
        }
    }

    /// A stack gets a band after all: its bytes in the open census are that band's.
    pub(super) fn take(&mut self, frame: Frame, bytes: u64, census: u64) {
        if let Some(HeldBeyond { here, .. }) = self.of(frame).filter(|of| of.here.1 == census) {
            here.0 = here.0.saturating_sub(bytes);
        }
    }

    /// A stack loses its band.
    pub(super) fn absorb(&mut self, frame: Frame, held: &Held) {
        if let Some(of) = self.of(frame) {
            of.held.absorb(held);
        }
    }

    /// The open census is complete: `before` are the times without it.
    pub(super) fn pass(&mut self, before: &Times, times: &Times) {
        let since = if before.count == 0 { Nanos(0) } else { times.last.since(before.last) };
        for HeldBeyond { held, here, .. } in &mut self.rows {
            if before.count > 0 {
                held.area_of(held.last(before), since);
            }
            if here.1 == times.count {
                held.add(here.0, since, times);
            }
        }
    }

    /// Each frame, and what it holds.
    pub(super) fn all(&self) -> impl Iterator<Item = (Frame, &Held)> {
        self.rows.iter().map(|of| (of.frame, &of.held))
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.rows.capacity() * size_of::<HeldBeyond>() + self.places.bytes_held()
    }
}
