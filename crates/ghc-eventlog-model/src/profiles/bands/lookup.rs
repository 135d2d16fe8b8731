//! Which band a sample belongs to: the one with its label or its stack, added if there is room.
//!
//! Censuses list bands in nearly the same order, so the band that came after the last one is tried first, and only then the hash.

use super::{Band, BandKey, HeapProfile};
use crate::{keeping::places::hash, limits};
use ghc_eventlog::{CostCentreStack, Text};

impl HeapProfile {
    /// The band of a label, added if necessary; `None` if there are too many.
    #[inline]
    pub(super) fn band_of_label(&mut self, label: Text<'_>) -> Option<u32> {
        self.guess(|key| self.is_label(key, label)).or_else(|| self.look_for_label(label))
    }

    /// The band of a stack, added if necessary; `None` if there are too many.
    #[inline]
    pub(super) fn band_of_stack(&mut self, stack: CostCentreStack<'_>) -> Option<u32> {
        self.guess(|key| self.is_stack(key, stack)).or_else(|| self.look_for_stack(stack))
    }

    /// The same if the guess was wrong.
    fn look_for_label(&mut self, label: Text<'_>) -> Option<u32> {
        let hash = hash(label.0);
        self.find_label(hash, label).or_else(|| {
            if self.bands.len() < limits::MAX_BANDS && self.labels.wants_room_for(label.0) {
                self.shorten_labels();
            }
            let has_room = self.bands.len() < limits::MAX_BANDS && !self.labels.is_full();
            has_room
                .then(|| BandKey::Label(self.labels.keep(label), label.0.len() as u32))
                .map(|key| self.add(hash, key))
        })
    }

    /// Makes room for labels by cutting the longest ones.
    fn shorten_labels(&mut self) {
        let label_of = |band: &Band| if let BandKey::Label(id, _) = band.key { Some(id) } else { None };
        let moved = self.labels.shorten(self.bands.iter().filter_map(label_of));
        for band in &mut self.bands {
            if let BandKey::Label(id, _) = &mut band.key {
                *id = moved.of(*id);
            }
        }
    }

    /// Whether a band has exactly this label; only for labels that were not cut.
    #[inline]
    fn is_label(&self, key: BandKey, label: Text<'_>) -> bool {
        matches!(key, BandKey::Label(id, of) if of == label.0.len() as u32 && self.labels.is(id, label.0))
    }

    /// The guess for this sample's band, if it is right.
    #[inline]
    fn guess(&self, is_same: impl Fn(BandKey) -> bool) -> Option<u32> {
        let next = self.bands.get(self.latest as usize)?.next;
        self.bands.get(next as usize).is_some_and(|band| is_same(band.key)).then_some(next)
    }

    /// Looks a label up by its hash.
    pub(super) fn find_label(&self, hash: u64, label: Text<'_>) -> Option<u32> {
        let (labels, length) = (&self.labels, label.0.len() as u32);
        // Long labels are cut, and bytes that are not UTF-8 are replaced: then equal hash and length must be enough.
        let is_same = |key: BandKey| match key {
            BandKey::Label(id, of) if of == length => {
                let kept = labels.get(id).as_bytes();
                kept == label.0 || kept.len() != label.0.len() || label.0.utf8_chunks().count() > 1
            }
            _ => false,
        };
        self.find(hash, is_same)
    }

    /// The same if the guess was wrong.
    fn look_for_stack(&mut self, stack: CostCentreStack<'_>) -> Option<u32> {
        let (hash, depth) = (hash(stack.0.as_flattened()), stack.depth());
        self.find_stack(hash, stack).or_else(|| {
            let from = self.stacks.len();
            if self.bands.len() >= limits::MAX_BANDS || from + depth > limits::MAX_STACK_ENTRIES {
                return None;
            }
            self.stacks.extend(stack.iter());
            Some(self.add(hash, BandKey::Stack(from as u32, depth as u8)))
        })
    }

    /// Whether a band has this stack.
    #[inline]
    fn is_stack(&self, key: BandKey, stack: CostCentreStack<'_>) -> bool {
        match key {
            BandKey::Stack(from, of) if usize::from(of) == stack.depth() => {
                let kept = self.stacks.get(from as usize..).unwrap_or_default();
                stack.iter().zip(kept).all(|(id, kept)| id == *kept)
            }
            _ => false,
        }
    }

    /// Looks a stack up by its hash.
    pub(super) fn find_stack(&self, hash: u64, stack: CostCentreStack<'_>) -> Option<u32> {
        self.find(hash, |key| self.is_stack(key, stack))
    }

    fn find(&self, hash: u64, is_same: impl Fn(BandKey) -> bool) -> Option<u32> {
        self.by_key.find(hash, |at| self.bands.get(at as usize).is_some_and(|band| is_same(band.key)))
    }

    /// Adds a band.
    pub(super) fn add(&mut self, hash: u64, key: BandKey) -> u32 {
        let at = self.bands.len() as u32;
        self.bands.push(Band::new(key, hash, at));
        self.by_key.insert(hash, at);
        at
    }
}
