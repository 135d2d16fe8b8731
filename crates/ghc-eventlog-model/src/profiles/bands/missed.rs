//! The keys of a census that have no band, and are heavy enough to take the place of one: see `heavy.rs`.

use super::weighed::KeyHeld;
use crate::{
    keeping::places::Places,
    limits,
    sorting::{nth_least, sort_by_number},
};
use alloc::vec::Vec;
use ghc_eventlog::{CostCentreStack, Text};

/// How many times as heavy as a band a key must be to take its place. A band that goes loses its history, which is worth more than a
/// little weight: where all are about equally heavy, they would drive each other out in each census.
pub(super) const MARGIN: f64 = 2.0;

/// How bytes in a census and areas over time compare: each is measured by that of the band in the middle. So half of the bands, and those
/// that come to weigh more, are kept for their size whatever the others' areas are, and the other way round.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worth {
    per_byte: f64,
    per_area: f64,
}

impl Default for Worth {
    /// As long as no bands are known, bytes count.
    fn default() -> Self {
        Self { per_byte: 1.0, per_area: 0.0 }
    }
}

impl Worth {
    /// Measured by bands with these sizes and areas.
    pub(super) fn by(bands: &[BandWeight]) -> Self {
        let middle = |weight: &dyn Fn(&BandWeight) -> f64| {
            let weights: Vec<u64> = bands.iter().map(|band| weight(band).to_bits()).collect();
            f64::from_bits(nth_least(&weights, weights.len() / 2))
        };
        let per = |middle: f64, without: f64| if middle > 0.0 { middle.recip() } else { without };
        Self { per_byte: per(middle(&|band| band.bytes), 1.0), per_area: per(middle(&|band| band.area), 0.0) }
    }

    pub(super) fn of(self, bytes: f64, area: f64) -> f64 {
        (bytes * self.per_byte).max(area * self.per_area)
    }
}

/// The most that a band held, and twice its integral.
#[derive(Debug, Clone, Copy)]
pub(super) struct BandWeight {
    pub(super) place: u32,
    pub(super) bytes: f64,
    pub(super) area: f64,
}

/// The heaviest keys in a census that have no band of their own, and may take the places of others.
#[derive(Debug, Default)]
pub(super) struct Missed {
    pub(super) all: Vec<MissedBand>,
    by_hash: Places,
    /// Their labels and stacks.
    keys: Vec<u8>,
    pub(super) worth: Worth,
    /// No band is lighter, by that worth: bands only become heavier, or give their places to heavier ones.
    pub(super) lightest: f64,
    /// The heaviest that was forgotten for lack of room, in this census.
    forgotten: f64,
    /// Whether this census, and an earlier one, had keys without a band.
    here: bool,
    pub(super) before: bool,
}

/// A key that may take the place of a band.
#[derive(Debug)]
pub(super) struct MissedBand {
    pub(super) hash: u64,
    /// Where its key is in [`Missed::keys`].
    from: u32,
    to: u32,
    /// The full length of a label; `None` for a stack.
    label: Option<u32>,
    pub(super) bytes: u64,
    /// Twice its integral with this census, at least.
    pub(super) area: f64,
    /// Whether some of its bytes in this census may be missing.
    pub(super) is_part: bool,
}

/// The text of a missed band's label, or its stack.
#[derive(Debug, Clone, Copy)]
pub(super) enum MissedKey<'m> {
    /// A label, and its full length: the middle of a long one is missing.
    Label(&'m [u8], u32),
    Stack(&'m [[u8; 4]]),
}

impl MissedKey<'_> {
    /// The room that it may need among the labels of bands.
    pub(super) fn label_bytes(self) -> usize {
        match self {
            // A byte that is not UTF-8 becomes three.
            Self::Label(label, _) => label.len().max(limits::MAX_TEXT) * 3,
            Self::Stack(_) => 0,
        }
    }

    /// The cost centres of its stack.
    pub(super) fn depth(self) -> usize {
        if let Self::Stack(stack) = self { stack.len() } else { 0 }
    }
}

impl Missed {
    pub(super) fn label(&mut self, hash: u64, label: Text<'_>, (held, is_part): (KeyHeld, bool), bytes: u64) {
        if self.is_counted(hash, Some(label.0.len() as u32), bytes) || !self.wants(held) {
            return;
        }
        // Its middle is left out if there is little room: hash and length are the whole label's.
        let ends =
            (label.0.first_chunk::<{ limits::MAX_TEXT / 2 }>(), label.0.last_chunk::<{ limits::MAX_TEXT / 4 }>());
        let is_long =
            label.0.len() > limits::MAX_TEXT && self.keys.len() + label.0.len() > limits::MISSED_KEY_BYTES / 2;
        let parts = match ends {
            (Some(first), Some(last)) if is_long => [&first[..], "…".as_bytes(), &last[..]],
            _ => [label.0, &[], &[]],
        };
        self.add(hash, Some(label.0.len() as u32), parts, held, is_part);
    }

    pub(super) fn stack(
        &mut self,
        hash: u64,
        stack: CostCentreStack<'_>,
        (held, is_part): (KeyHeld, bool),
        bytes: u64,
    ) {
        if !self.is_counted(hash, None, bytes) && self.wants(held) {
            self.add(hash, None, [stack.0.as_flattened(), &[], &[]], held, is_part);
        }
    }

    /// Adds bytes to a key that is here, if it is.
    fn is_counted(&mut self, hash: u64, label: Option<u32>, bytes: u64) -> bool {
        self.here = true;
        if self.all.is_empty() {
            return false;
        }
        let all = &self.all;
        let is_it = |place: u32| all.get(place as usize).is_some_and(|missed| missed.label == label);
        let known = self.by_hash.find(hash, is_it).and_then(|place| self.all.get_mut(place as usize));
        known.map(|known| known.bytes = known.bytes.saturating_add(bytes)).is_some()
    }

    /// Whether a key may take the place of a band. What is too light for that, most keys of most censuses, takes no time.
    fn wants(&self, held: KeyHeld) -> bool {
        let worth = self.worth.of(held.bytes as f64, held.area);
        worth > self.lightest * MARGIN && worth > self.forgotten
    }

    fn add(&mut self, hash: u64, label: Option<u32>, parts: [&[u8]; 3], held: KeyHeld, is_part: bool) {
        let length = parts.iter().map(|part| part.len()).sum::<usize>();
        while !self.all.is_empty()
            && (self.all.len() >= 2 * limits::MAX_MISSED_BANDS || self.keys.len() + length > limits::MISSED_KEY_BYTES)
        {
            self.forget_lightest();
        }
        let from = self.keys.len() as u32;
        parts.iter().for_each(|part| self.keys.extend_from_slice(part));
        self.by_hash.insert(hash, self.all.len() as u32);
        let (bytes, area) = (held.bytes, held.area);
        self.all.push(MissedBand { hash, from, to: self.keys.len() as u32, label, bytes, area, is_part });
    }

    /// Forgets the lighter half.
    fn forget_lightest(&mut self) {
        self.put_heaviest_first();
        let half = self.all.len() / 2;
        self.forgotten = self.all.get(half).map_or(0.0, |missed| self.worth_of(missed)).max(self.forgotten);
        self.all.truncate(half);
        let old = core::mem::take(&mut self.keys);
        self.by_hash.clear();
        for (missed, place) in self.all.iter_mut().zip(0..) {
            let key = old.get(missed.from as usize..missed.to as usize).unwrap_or_default();
            missed.from = self.keys.len() as u32;
            self.keys.extend_from_slice(key);
            missed.to = self.keys.len() as u32;
            self.by_hash.insert(missed.hash, place);
        }
    }

    pub(super) fn worth_of(&self, missed: &MissedBand) -> f64 {
        self.worth.of(missed.bytes as f64, missed.area)
    }

    pub(super) fn put_heaviest_first(&mut self) {
        let worth = self.worth;
        // Numbers that are not negative are in the order of their bits.
        sort_by_number(&mut self.all, |missed| !worth.of(missed.bytes as f64, missed.area).to_bits());
    }

    pub(super) fn key_of(&self, missed: &MissedBand) -> MissedKey<'_> {
        let key = self.keys.get(missed.from as usize..missed.to as usize).unwrap_or_default();
        missed.label.map_or(MissedKey::Stack(key.as_chunks().0), |length| MissedKey::Label(key, length))
    }

    /// Goes on to the next census.
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.by_hash.clear();
        self.keys.clear();
        self.forgotten = 0.0;
        self.before |= core::mem::take(&mut self.here);
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.all.capacity() * size_of::<MissedBand>() + self.by_hash.bytes_held() + self.keys.capacity()
    }
}

/// The room for the keys of a census.
#[cfg(test)]
pub(crate) const MISSED_BANDS_BYTES: usize =
    limits::MISSED_KEY_BYTES + 2 * limits::MAX_MISSED_BANDS * (size_of::<MissedBand>() + 2 * size_of::<(u64, u32)>());
