//! Which bands are kept when there are too many: the heaviest, by the most that they held at once, or by what they held over time.
//!
//! ```text
//! census 1   A 100 · B 100 · … · Z 100      there is room for A to Y: Z is among all others
//! census 2   A 100 · B 100 · … · Leak 900   Leak is heavier than A ever was: it takes A's place
//! census 3   A 100 · B 100 · … · Leak 1800  A is among all others, from the first census on
//! ```
//!
//! A band that takes another's place has totals of its own from that census on ([`Band::since`]); before, it counted for all others. So
//! bands together always have all bytes, and what becomes heavy late has a band.
//!
//! What holds after each census: no key of it without a band is known to weigh more than [`MARGIN`] times as much as any band, as far as
//! there is room for the keys of one census that want a band ([`limits::MAX_MISSED_BANDS`]). To weigh is to have a worth ([`Worth`]): by
//! the bytes of a census, or by the area under all of them. Bytes are known exactly; the area of a key without a band is what
//! `weighed.rs` surely knows of it.

use super::{
    Band, BandKey, Entry, HeapProfile, innermost,
    missed::{BandWeight, MARGIN, Missed, MissedBand, MissedKey, Worth},
    weighed::{CensusAt, KeyHeld},
};
use crate::{
    keeping::texts::Texts,
    limits,
    sorting::{nth_least, sort_by_number, sort_pairs},
    terms::frame::Frame,
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use ghc_eventlog::{CostCentreId, CostCentreStack, Nanos, Text};

impl HeapProfile {
    /// The open census, whose first sample may be at this time.
    pub(super) fn open_census(&self, time: Nanos) -> CensusAt {
        let time = self.open.unwrap_or(time);
        let since = if self.times.count > 0 { time.since(self.times.last).0 } else { 0 };
        CensusAt { number: self.times.count + 1, since: since.max(1) as f64 }
    }

    /// At the end of a census: gives the places of the lightest bands to keys without a band that are heavier.
    pub(super) fn replace_lightest(&mut self, time: Nanos) {
        let mut missed = core::mem::take(&mut self.missed);
        if !missed.all.is_empty() {
            let census = self.open_census(time);
            let bands = self.weights(census);
            missed.worth = Worth::by(&bands);
            missed.put_heaviest_first();
            let lightest = lightest_of(&bands, missed.worth, missed.all.len() + 1);
            let pairs = missed.all.iter().zip(&lightest);
            let pairs: Vec<(&MissedBand, u32)> = pairs
                .take_while(|(of, (worth, _))| missed.worth_of(of) > f64::from_bits(*worth) * MARGIN)
                .map(|(of, (_, band))| (of, *band))
                .collect();
            self.replace(&pairs, &missed, census, time);
            let newest = pairs.last().map(|(of, _)| missed.worth_of(of));
            // Places without a band have no weight, but there is no room for the text of a key either.
            let others = lightest.iter().skip(pairs.len()).find(|(worth, _)| *worth > 0).or(lightest.last());
            let others = others.map_or(0.0, |(worth, _)| f64::from_bits(*worth));
            missed.lightest = newest.map_or(others, |newest| newest.min(others));
        }
        missed.clear();
        self.missed = missed;
    }

    /// What bands have held by the end of the open census.
    fn weights(&self, census: CensusAt) -> Vec<BandWeight> {
        let all = self.bands.iter().zip(0..).filter(|(band, _)| !matches!(band.key, BandKey::Rest));
        let weight = |(band, place): (&Band, u32)| {
            let held = self.held_by(band, census);
            BandWeight { place, bytes: band.held.most.max(held.bytes) as f64, area: held.area }
        };
        all.map(weight).collect()
    }

    fn held_by(&self, band: &Band, census: CensusAt) -> KeyHeld {
        let bytes = if band.here.1 == census.number { band.here.0 } else { 0 };
        let here = bytes as f64 + band.held.last(&self.times) as f64;
        let area = f64::from(band.before) + band.held.twice_integral() + here * census.since;
        KeyHeld { area, bytes, census: census.number }
    }

    /// Puts missed bands in the places of others, which are among [`BandKey::Rest`] from now on.
    fn replace(&mut self, pairs: &[(&MissedBand, u32)], all: &Missed, census: CensusAt, time: Nanos) {
        let Some(rest) = self.rest().filter(|_| !pairs.is_empty()) else { return };
        let number = census.number;
        let mut gone: Vec<u32> = Vec::new();
        let innermost_of = |place: u32| {
            let band = self.bands.get(place as usize).filter(|band| matches!(band.key, BandKey::Stack(..)))?;
            Some(innermost(self.stack_of(band).first().copied()))
        };
        let frames: Vec<Option<Frame>> = pairs.iter().map(|(_, place)| innermost_of(*place)).collect();
        let frame_of = |at: usize| frames.get(at).copied().flatten();
        let mut put_back = self.make_room_for_keys(pairs, all);
        let mut end = pairs.len();
        for (at, (missed, place)) in pairs.iter().enumerate() {
            if at >= end {
                break;
            }
            let key = loop {
                let room = put_back.without(at);
                if let Some(key) = self.kept_key(all.key_of(missed), room) {
                    (put_back.labels, put_back.stacks) = room;
                    break key;
                }
                // Its text is longer than that of the band that goes: another one goes, too.
                end -= 1;
                let Some((_, other)) = pairs.get(end).filter(|_| end > at) else { break BandKey::Gone };
                self.merge_into_rest((*other, frame_of(end)), rest, census);
                (put_back.labels, put_back.stacks) = put_back.without(end);
                gone.push(*other);
            };
            if matches!(key, BandKey::Gone) {
                break;
            }
            self.merge_into_rest((*place, frame_of(at)), rest, census);
            gone.push(*place);
            let is_whole = !all.before && !missed.is_part;
            let Some(band) = self.bands.get_mut(*place as usize) else { continue };
            band.key = key;
            band.hash = missed.hash;
            band.here = (missed.bytes, number);
            band.before = (missed.area - KeyHeld::of(missed.bytes, census).area).max(0.0) as f32;
            band.own_since = if is_whole { Nanos::MAX } else { time };
            self.by_key.insert(missed.hash, *place);
            self.weighed.take(missed.hash);
            if let Some(Band { here, .. }) = self.bands.get_mut(rest as usize) {
                here.0 = here.0.saturating_sub(missed.bytes);
            }
            if let MissedKey::Stack(stack) = all.key_of(missed) {
                let centre = CostCentreStack(stack).iter().next();
                self.beyond.take(innermost(centre), missed.bytes, number);
            }
        }
        self.put_back(put_back);
        self.forget_entries(gone, rest);
    }

    /// The totals of a band, given with the innermost frame of its stack, become a part of the rest, and its place is free.
    fn merge_into_rest(&mut self, (place, frame): (u32, Option<Frame>), rest: u32, census: CensusAt) {
        let number = census.number;
        let weight = self.bands.get(place as usize).filter(|band| !matches!(band.key, BandKey::Gone));
        if let Some((hash, held)) = weight.map(|band| (band.hash, self.held_by(band, census))) {
            self.weighed.put(hash, held);
        }
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
    fn kept_key(&mut self, key: MissedKey<'_>, (labels, stacks): (usize, usize)) -> Option<BandKey> {
        match key {
            MissedKey::Label(label, length) => {
                let has_room = self.labels.has_room_beside(labels + key.label_bytes() - limits::MAX_TEXT * 3);
                let is_whole = label.len() == length as usize;
                has_room.then(|| BandKey::Label(self.labels.keep_part(Text(label), is_whole), length))
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
    fn make_room_for_keys(&mut self, pairs: &[(&MissedBand, u32)], all: &Missed) -> PutBack {
        let keys = pairs.iter().map(|(missed, _)| all.key_of(missed));
        let (labels, new) = keys.fold((0, 0), |(labels, new), key| (labels + key.label_bytes(), new + key.depth()));
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

/// At least this many of the lightest bands, if there are so many: the lightest first, each with the bits of its worth.
fn lightest_of(bands: &[BandWeight], worth: Worth, count: usize) -> Vec<(u64, u32)> {
    let worths: Vec<u64> = bands.iter().map(|band| worth.of(band.bytes, band.area).to_bits()).collect();
    let most = if count < worths.len() { nth_least(&worths, count) } else { u64::MAX };
    let all = worths.iter().zip(bands).filter(|(worth, _)| **worth <= most);
    let mut all: Vec<(u64, u32)> = all.map(|(worth, band)| (*worth, band.place)).collect();
    sort_pairs(&mut all);
    all
}
