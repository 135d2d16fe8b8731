//! Things that happened, each told in a few numbers: rows for each kind of track.

use super::rows::{Kept, Rows};
use crate::{limits, tracks::machines::NumbersAt};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

impl Kept for NumbersAt {
    fn time(&self) -> Nanos {
        self.time
    }

    fn weight(&self) -> u64 {
        self.numbers.into_iter().fold(0, u64::saturating_add)
    }
}

/// All of them, by the kind's number.
#[derive(Debug, Default)]
pub(crate) struct Moments {
    kinds: Vec<Rows<NumbersAt>>,
}

impl Moments {
    pub(crate) fn add(&mut self, kind: u8, moment: NumbersAt) {
        let kind = usize::from(kind);
        if self.kinds.len() <= kind {
            self.kinds.resize_with(kind + 1, Rows::default);
        }
        if let Some(rows) = self.kinds.get_mut(kind) {
            rows.push(moment, limits::MAX_MOMENTS);
        }
    }

    /// Those of a kind that are kept, in order of time.
    pub(crate) fn of(&self, kind: u8) -> &[NumbersAt] {
        self.kinds.get(usize::from(kind)).map_or(&[], Rows::kept)
    }

    /// Puts the rows in order, once some have come.
    pub(crate) fn settle(&mut self) {
        self.kinds.iter_mut().for_each(Rows::settle);
    }

    /// No more will come.
    pub(crate) fn finish(&mut self) {
        self.kinds.iter_mut().for_each(Rows::finish);
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.kinds.iter().map(Rows::bytes_held).sum()
    }
}
