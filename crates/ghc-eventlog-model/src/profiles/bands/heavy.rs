//! Which bands are kept when there are too many: the heaviest.
//!
//! ```text
//! census 1   A 100 · B 100 · … · Z 100      there is room for A to Y: Z is among all others
//! census 2   A 100 · B 100 · … · Leak 900   Leak is heavier than A ever was: it takes A's place
//! census 3   A 100 · B 100 · … · Leak 1800  A is among all others, from the first census on
//! ```
//!
//! A band that takes another's place has totals of its own from that census on ([`Band::since`]); before, it counted for all others. So
//! bands together always have all bytes, and what becomes heavy late has a band.

use super::{Band, BandKey, Entry, HeapProfile, innermost};
use crate::{
    keeping::{places::Places, texts::Texts},
    limits,
    sorting::{sort_by_number, sort_pairs},
    terms::frame::Frame,
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use ghc_eventlog::{CostCentreId, CostCentreStack, Nanos, Text};

/// The heaviest keys in a census that have no band of their own.
#[derive(Debug, Default)]
pub(super) struct Missed {
    all: Vec<MissedBand>,
    by_hash: Places,
    /// The bytes of their labels.
    label_bytes: usize,
    /// Whether lighter ones were forgotten in this census.
    has_forgotten: bool,
    /// Whether an earlier census had keys without a band.
    before: bool,
}

#[derive(Debug)]
struct MissedBand {
    hash: u64,
    key: MissedKey,
    bytes: u64,
    /// Whether some of its bytes may have been forgotten.
    is_part: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum MissedKey {
    /// A label, and its full length: the middle of a long one is missing.
    Label(Vec<u8>, u32),
    Stack(Vec<[u8; 4]>),
}

/// The key of a band that may have to go.
#[derive(Debug)]
struct OldKey {
    place: u32,
    was: BandKey,
    label: String,
    stack: Vec<CostCentreId>,
}

/// The keys of the bands that are about to go, in the order of the pairs; none if there is room enough.
#[derive(Debug, Default)]
struct PutBack {
    bands: Vec<OldKey>,
    /// The bytes of their labels, which they need if they stay.
    labels: usize,
    /// The cost centres in their stacks.
    stacks: usize,
}

impl PutBack {
    /// The room that they need without one of them.
    fn without(&self, at: usize) -> (usize, usize) {
        let of = self.bands.get(at).map_or((0, 0), |old| (old.label.len(), old.stack.len()));
        (self.labels - of.0, self.stacks - of.1)
    }
}

impl MissedKey {
    /// The key of a label. Its middle is left out if there is no room for it: hash and length are the whole label's.
    fn of_label(label: Text<'_>, room: usize) -> Self {
        let length = label.0.len();
        let ends =
            (label.0.first_chunk::<{ limits::MAX_TEXT / 2 }>(), label.0.last_chunk::<{ limits::MAX_TEXT / 4 }>());
        let kept = match ends {
            (Some(first), Some(last)) if length > limits::MAX_TEXT && length > room => {
                [&first[..], "…".as_bytes(), last].concat()
            }
            _ => label.0.to_vec(),
        };
        Self::Label(kept, length as u32)
    }

    /// The room that it may need among the labels of bands.
    fn label_bytes(&self) -> usize {
        match self {
            // A byte that is not UTF-8 becomes three.
            Self::Label(label, _) => label.len().max(limits::MAX_TEXT) * 3,
            Self::Stack(_) => 0,
        }
    }
}

impl Missed {
    pub(super) fn label(&mut self, hash: u64, label: Text<'_>, bytes: u64) {
        let length = label.0.len() as u32;
        let is_it = |key: &MissedKey| matches!(key, MissedKey::Label(_, of) if *of == length);
        let room = limits::MISSED_LABEL_BYTES / 16;
        let room = if self.label_bytes + room <= limits::MISSED_LABEL_BYTES { room } else { 0 };
        self.add(hash, bytes, is_it, || MissedKey::of_label(label, room));
    }

    pub(super) fn stack(&mut self, hash: u64, stack: CostCentreStack<'_>, bytes: u64) {
        let is_it = |key: &MissedKey| matches!(key, MissedKey::Stack(of) if of == stack.0);
        self.add(hash, bytes, is_it, || MissedKey::Stack(stack.0.to_vec()));
    }

    fn add(&mut self, hash: u64, bytes: u64, is_it: impl Fn(&MissedKey) -> bool, key: impl FnOnce() -> MissedKey) {
        let all = &self.all;
        let known = self.by_hash.find(hash, |place| all.get(place as usize).is_some_and(|missed| is_it(&missed.key)));
        if let Some(known) = known.and_then(|place| self.all.get_mut(place as usize)) {
            known.bytes = known.bytes.saturating_add(bytes);
            return;
        }
        if self.all.len() >= 2 * limits::MAX_MISSED_BANDS {
            self.forget_lightest();
        }
        self.by_hash.insert(hash, self.all.len() as u32);
        let key = key();
        self.label_bytes += key.label_bytes() / 3;
        self.all.push(MissedBand { hash, key, bytes, is_part: self.has_forgotten });
    }

    /// Forgets the lighter half.
    fn forget_lightest(&mut self) {
        sort_by_number(&mut self.all, |missed| !missed.bytes);
        self.all.truncate(limits::MAX_MISSED_BANDS);
        self.has_forgotten = true;
        self.label_bytes = self.all.iter().map(|missed| missed.key.label_bytes() / 3).sum();
        self.by_hash.clear();
        for (missed, place) in self.all.iter().zip(0..) {
            self.by_hash.insert(missed.hash, place);
        }
    }

    pub(super) fn bytes_held(&self) -> usize {
        let of = |missed: &MissedBand| match &missed.key {
            MissedKey::Label(head, _) => head.capacity(),
            MissedKey::Stack(stack) => stack.capacity() * size_of::<[u8; 4]>(),
        };
        self.all.capacity() * size_of::<MissedBand>()
            + self.by_hash.bytes_held()
            + self.all.iter().map(of).sum::<usize>()
    }
}

impl HeapProfile {
    /// At the end of a census: gives the places of the lightest bands to keys without a band that are heavier.
    pub(super) fn replace_lightest(&mut self, time: Nanos) {
        let mut missed = core::mem::take(&mut self.missed);
        let heaviest = missed.all.iter().map(|missed| missed.bytes).max();
        if let Some(heaviest) = heaviest
            && heaviest > self.lightest
        {
            sort_by_number(&mut missed.all, |missed| !missed.bytes);
            let lightest = self.lightest_bands(missed.all.len());
            let pairs = missed.all.iter().zip(&lightest);
            let pairs: Vec<(&MissedBand, u32)> = pairs
                .filter(|(missed, (weight, _))| missed.bytes > *weight)
                .map(|(missed, (_, band))| (missed, *band))
                .collect();
            self.replace(&pairs, time, missed.before);
            // The lightest weight never falls: a band only becomes heavier, or gives its place to a heavier one.
            self.lightest = lightest.first().map_or(0, |(weight, _)| *weight);
        }
        let before = missed.before || !missed.all.is_empty();
        missed.all.clear();
        missed.by_hash.clear();
        self.missed = Missed { has_forgotten: false, before, label_bytes: 0, ..missed };
    }

    /// The bands with the least that they ever held, the lightest first, each with that.
    fn lightest_bands(&self, count: usize) -> Vec<(u64, u32)> {
        let number = self.times.count + 1;
        let weight = |band: &Band| band.held.most.max(if band.here.1 == number { band.here.0 } else { 0 });
        let all = self.bands.iter().zip(0..).filter(|(band, _)| !matches!(band.key, BandKey::Rest));
        let mut all: Vec<(u64, u32)> = all.map(|(band, place)| (weight(band), place)).collect();
        sort_pairs(&mut all);
        all.truncate(count);
        all
    }

    /// Puts missed bands in the places of others, which are among [`BandKey::Rest`] from now on.
    fn replace(&mut self, pairs: &[(&MissedBand, u32)], time: Nanos, was_missed_before: bool) {
        let Some(rest) = self.rest() else { return };
        let number = self.times.count + 1;
        let mut gone: Vec<u32> = Vec::new();
        let innermost_of = |place: u32| {
            let band = self.bands.get(place as usize).filter(|band| matches!(band.key, BandKey::Stack(..)))?;
            Some(innermost(self.stack_of(band).first().copied()))
        };
        let frames: Vec<Option<Frame>> = pairs.iter().map(|(_, place)| innermost_of(*place)).collect();
        let frame_of = |at: usize| frames.get(at).copied().flatten();
        let mut put_back = self.make_room_for_keys(pairs);
        let mut end = pairs.len();
        for (at, (missed, place)) in pairs.iter().enumerate() {
            if at >= end {
                break;
            }
            let key = loop {
                let room = put_back.without(at);
                if let Some(key) = self.kept_key(&missed.key, room) {
                    (put_back.labels, put_back.stacks) = room;
                    break key;
                }
                // Its text is longer than that of the band that goes: another one goes, too.
                end -= 1;
                let Some((_, other)) = pairs.get(end).filter(|_| end > at) else { break BandKey::Gone };
                self.merge_into_rest((*other, frame_of(end)), rest);
                (put_back.labels, put_back.stacks) = put_back.without(end);
                gone.push(*other);
            };
            if matches!(key, BandKey::Gone) {
                break;
            }
            self.merge_into_rest((*place, frame_of(at)), rest);
            gone.push(*place);
            let is_whole = !was_missed_before && !missed.is_part;
            let Some(band) = self.bands.get_mut(*place as usize) else { continue };
            band.key = key;
            band.hash = missed.hash;
            band.here = (missed.bytes, number);
            band.own_since = if is_whole { Nanos::MAX } else { time };
            self.by_key.insert(missed.hash, *place);
            if let Some(Band { here, .. }) = self.bands.get_mut(rest as usize) {
                here.0 = here.0.saturating_sub(missed.bytes);
            }
            if let MissedKey::Stack(stack) = &missed.key {
                let centre = CostCentreStack(stack).iter().next();
                self.beyond.take(innermost(centre), missed.bytes, number);
            }
        }
        self.put_back(put_back);
        self.forget_entries(gone, rest);
    }

    /// The totals of a band, given with the innermost frame of its stack, become a part of the rest, and its place is free.
    fn merge_into_rest(&mut self, (place, frame): (u32, Option<Frame>), rest: u32) {
        let number = self.times.count + 1;
        let Some(band) = self.bands.get_mut(place as usize) else { return };
        let new = Band { from_census: number, next: band.next, ..Band::new(BandKey::Gone, 0, place) };
        let old = core::mem::replace(band, new);
        self.by_key.remove(old.hash, place);
        let old_here = if old.here.1 == number { old.here.0 } else { 0 };
        if let Some(Band { held, here, .. }) = self.bands.get_mut(rest as usize) {
            held.absorb(&old.held);
            here.0 = here.0.saturating_add(old_here);
        }
        if let Some(frame) = frame {
            self.beyond.absorb(frame, &old.held);
            self.beyond.add(frame, old_here, number);
        }
    }

    /// Puts the entries of bands that are gone right: those of the census before are a part of the rest now, and those of this one are
    /// of the bands that have come.
    fn forget_entries(&mut self, mut gone: Vec<u32>, rest: u32) {
        if gone.is_empty() {
            return;
        }
        sort_by_number(&mut gone, |band| u64::from(*band));
        let is_gone = |entry: &Entry| gone.binary_search(&entry.band).is_ok();
        self.before.iter_mut().filter(|entry| is_gone(entry)).for_each(|entry| entry.band = rest);
        self.named.retain(|entry| !is_gone(entry));
        let number = self.times.count + 1;
        let come = |place: &u32| self.bands.get(*place as usize).is_some_and(|band| band.here.1 == number);
        self.named.extend(gone.iter().copied().filter(come).map(|band| Entry { band, bytes: 0 }));
        self.has_replaced = true;
    }

    /// The key of a missed band, once its text or its stack is kept; `None` if there is no room for it besides those that may have to
    /// be put back.
    fn kept_key(&mut self, key: &MissedKey, (labels, stacks): (usize, usize)) -> Option<BandKey> {
        match key {
            MissedKey::Label(label, length) => {
                let has_room = self.labels.has_room_beside(labels + key.label_bytes() - limits::MAX_TEXT * 3);
                let is_whole = label.len() == *length as usize;
                has_room.then(|| BandKey::Label(self.labels.keep_part(Text(label), is_whole), *length))
            }
            MissedKey::Stack(stack) => {
                let from = self.stacks.len();
                let stack = CostCentreStack(stack);
                (from + stack.depth() + stacks <= limits::MAX_STACK_ENTRIES).then(|| {
                    self.stacks.extend(stack.iter());
                    BandKey::Stack(from as u32, stack.depth() as u8)
                })
            }
        }
    }

    /// Forgets the texts and stacks of bands that are gone, if there may be too little room for new ones: also those of the bands that
    /// are about to go, but it returns these.
    fn make_room_for_keys(&mut self, pairs: &[(&MissedBand, u32)]) -> PutBack {
        let new = pairs.len() * usize::from(u8::MAX);
        let labels = pairs.iter().map(|(missed, _)| missed.key.label_bytes()).sum();
        if self.labels.has_room_beside(labels) && self.stacks.len() + new <= limits::MAX_STACK_ENTRIES {
            return PutBack::default();
        }
        let mut bands: Vec<OldKey> = Vec::new();
        for (_, place) in pairs {
            let Some(band) = self.bands.get(*place as usize) else { continue };
            let (label, stack) = (self.label_of(band).unwrap_or_default().to_string(), self.stack_of(band).to_vec());
            bands.push(OldKey { place: *place, was: band.key, label, stack });
        }
        let old_labels = core::mem::replace(&mut self.labels, Texts::with_room(limits::LABEL_BYTES));
        let old_stacks = core::mem::take(&mut self.stacks);
        let mut goes: Vec<u32> = bands.iter().map(|old| old.place).collect();
        sort_by_number(&mut goes, |place| u64::from(*place));
        for (band, place) in self.bands.iter_mut().zip(0..) {
            if goes.binary_search(&place).is_ok() {
                continue;
            }
            match band.key {
                BandKey::Label(id, length) => {
                    band.key = BandKey::Label(self.labels.keep_as_it_is(old_labels.get(id), id), length);
                }
                BandKey::Stack(from, depth) => {
                    let stack = old_stacks.get(from as usize..from as usize + usize::from(depth)).unwrap_or_default();
                    band.key = BandKey::Stack(self.stacks.len() as u32, depth);
                    self.stacks.extend_from_slice(stack);
                }
                BandKey::Rest | BandKey::Gone => {}
            }
        }
        let labels = bands.iter().map(|old| old.label.len()).sum();
        let stacks = bands.iter().map(|old| old.stack.len()).sum();
        PutBack { bands, labels, stacks }
    }

    /// Puts back the keys of bands that did not go.
    fn put_back(&mut self, put_back: PutBack) {
        for old in put_back.bands {
            let Some(band) = self.bands.get_mut(old.place as usize) else { continue };
            if band.from_census == self.times.count + 1 {
                continue;
            }
            band.key = match old.was {
                BandKey::Label(id, length) => BandKey::Label(self.labels.keep_as_it_is(&old.label, id), length),
                BandKey::Stack(_, depth) => {
                    let from = self.stacks.len() as u32;
                    self.stacks.extend_from_slice(&old.stack);
                    BandKey::Stack(from, depth)
                }
                key @ (BandKey::Rest | BandKey::Gone) => key,
            };
        }
    }

    /// In the censuses that are kept, what was in the place of a band before it came becomes a part of the rest.
    pub(super) fn settle_replaced(&mut self) {
        if !core::mem::take(&mut self.has_replaced) {
            return;
        }
        let Some(rest) = self.rest() else { return };
        let bands = &self.bands;
        let is_older =
            |entry: &Entry, number: u64| bands.get(entry.band as usize).is_some_and(|band| number < band.from_census);
        let most = self.censuses.join(rest, is_older);
        // Of censuses that are not kept, only what was the rest then is known.
        if let (Some(band), Some((time, bytes))) = (self.bands.get_mut(rest as usize), most)
            && (bytes > band.held.most || self.censuses.stride() == 1)
        {
            (band.held.most, band.held.most_at) = (bytes, time);
        }
    }

    /// Whether some bands have totals of their own only from some census on, since lighter ones were kept before.
    pub(crate) fn has_late_bands(&self) -> bool {
        self.bands.iter().any(|band| band.since().is_some())
    }
}
