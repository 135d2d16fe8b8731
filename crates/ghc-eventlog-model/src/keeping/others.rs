//! Events that are kept one by one, by type, because no kind of track uses them: the time and the file offset of each, as far
//! as there is room.

use super::{
    ring::{RingId, Rings},
    rows::Rows,
    samples::ring_of_rows,
};
use crate::{
    keeping::store::{Purpose, Store, Streams},
    limits,
    terms::sample::Sample,
};
use alloc::{vec, vec::Vec};

/// Events of one type.
#[derive(Debug)]
pub(crate) struct OtherType {
    pub(crate) tag: u16,
    /// How many there are.
    pub(crate) count: u64,
    /// Each with its offset in the file.
    pub(crate) rows: Rows<Sample>,
    /// The ring with all of them, once not all have a row.
    pub(crate) ring: Option<RingId>,
}

/// All types that occur, up to [`limits::MAX_OTHER_TYPES`]. Events of further types are counted with all events.
#[derive(Debug)]
pub(crate) struct Others {
    /// In order of their first events.
    types: Vec<OtherType>,
    /// By event number, up to the largest that occurs: the place among the types.
    places: Vec<u16>,
    /// The places of all types, in order of their numbers.
    sorted: Vec<u16>,
    pub(crate) points: Rings<u32>,
    /// Whether the time of each event is kept, and not just their number.
    each: bool,
}

/// No place.
const NONE: u16 = u16::MAX;

impl Default for Others {
    fn default() -> Self {
        let points = Rings::new(limits::OTHER_LOG2, limits::OTHER_RINGS_BYTES);
        Self { types: Vec::new(), places: vec![NONE; 256], sorted: Vec::new(), points, each: true }
    }
}

impl Others {
    /// Takes an event that is kept one by one. In line: two of five events of a log full of wake-ups come here.
    #[inline(always)]
    pub(crate) fn add_fast(&mut self, tag: u16, sample: Sample) {
        let place = self.places.get(usize::from(tag)).copied().unwrap_or(NONE);
        match self.types.get_mut(usize::from(place)) {
            Some(of) if self.each => of.add(sample, &mut self.points),
            Some(of) => of.count += 1,
            None => self.take_new(tag, sample),
        }
    }

    /// [`Self::add_fast`], for the slow path.
    #[inline(never)]
    pub(crate) fn add(&mut self, tag: u16, sample: Sample) {
        self.add_fast(tag, sample);
    }

    /// Takes the first event of a type, or an event of a type that has no room.
    #[cold]
    fn take_new(&mut self, tag: u16, sample: Sample) {
        if self.types.len() >= limits::MAX_OTHER_TYPES {
            return;
        }
        if self.places.len() <= usize::from(tag) {
            self.places.resize(usize::from(tag) + 1, NONE);
        }
        let place = self.types.len() as u16;
        if let Some(at) = self.places.get_mut(usize::from(tag)) {
            *at = place;
        }
        let before = self.sorted.partition_point(|at| self.types.get(usize::from(*at)).is_some_and(|of| of.tag < tag));
        self.sorted.insert(before, place);
        self.types.push(OtherType { tag, count: 0, rows: Rows::default(), ring: None });
        self.add(tag, sample);
    }

    /// All types that are kept, in order of their numbers.
    pub(crate) fn types(&self) -> impl Iterator<Item = &OtherType> {
        self.sorted.iter().filter_map(|at| self.types.get(usize::from(*at)))
    }

    /// A type, by its number.
    pub(crate) fn find(&self, tag: u32) -> Option<&OtherType> {
        let place = self.places.get(usize::try_from(tag).ok()?)?;
        self.types.get(usize::from(*place))
    }
}

impl Store for Others {
    fn of(purpose: Purpose) -> Self {
        Self { each: purpose.is_drawn, ..Self::default() }
    }

    fn settle(&mut self, _: Streams<'_>) {
        self.types.iter_mut().for_each(|of| of.rows.settle());
    }

    fn finish(&mut self, _: Streams<'_>) {
        self.types.iter_mut().for_each(|of| of.rows.finish());
    }

    fn bytes_held(&self) -> usize {
        let rows = self.types.iter().map(|of| of.rows.bytes_held() + size_of::<OtherType>()).sum::<usize>();
        rows + self.places.capacity() * size_of::<u16>() + self.points.bytes_held()
    }
}

impl OtherType {
    #[inline(always)]
    fn add(&mut self, sample: Sample, points: &mut Rings<u32>) {
        const MOST: usize = limits::MAX_OTHER_POINTS;
        self.count += 1;
        if self.ring.is_none() && self.rows.is_full(MOST) {
            self.ring = Some(ring_of_rows(&self.rows, points));
        }
        if let Some(ring) = self.ring {
            points.add(ring, sample.time, 1);
        }
        self.rows.push_evenly(sample, MOST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghc_eventlog::Nanos;

    /// The count and the ring miss none, whichever events have rows.
    #[test]
    fn beyond_the_room_all_are_counted_and_rows_are_even() {
        const MANY: u64 = 50 * limits::MAX_OTHER_POINTS as u64 + 7;
        let mut others = Others::default();
        for at in 0..MANY {
            // Times go back within 64 events, as where capabilities write in turns.
            let time = Nanos(at / 64 * 64_000 + (at * 37 % 64) * 1000);
            others.add_fast(8, Sample { time, value: at });
            if at % 1000 == 0 {
                others.add(300, Sample { time, value: at });
            }
            others.settle(&[]);
        }
        others.finish(&[]);
        let (many, few) = (others.find(8).unwrap(), others.find(300).unwrap());
        let in_ring = others.points.between(many.ring.unwrap(), Nanos(0), Nanos::MAX).sum::<u32>();
        assert_eq!((many.count, u64::from(in_ring)), (MANY, MANY));
        let kept = many.rows.kept();
        assert!((limits::MAX_OTHER_POINTS / 2..=limits::MAX_OTHER_POINTS).contains(&kept.len()));
        assert!(kept.is_sorted_by_key(|sample| sample.time));
        let gaps = kept.windows(2).map(|pair| pair[1].time.since(pair[0].time).0);
        assert!(gaps.max().unwrap() <= (2 * many.rows.stride() + 128) * 1000);
        assert!(few.ring.is_none() && few.rows.kept().len() as u64 == few.count);
        assert_eq!(others.types().map(|of| of.tag).collect::<Vec<_>>(), [8, 300]);
    }
}
