//! Which events are listed, and in which order.

use crate::{
    asking::{
        find::{
            event::SeenEvent,
            finder::{Finder, Verdict},
        },
        query::{Query, QueryError},
    },
    keeping::{
        occurring::{Chosen, NOT_COUNTED},
        threads::Threads,
    },
    known::{
        counted::{CountedOf, SegmentCount},
        index::Side,
    },
    reading::model::Model,
};
use alloc::{string::String, vec, vec::Vec};
use ghc_eventlog::Nanos;

/// Which events are wanted, and in which order. By default all of them, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EventsWish {
    /// Whether they come in order of time, those of one time in the order of the file; otherwise in the order of the file.
    pub by_time: bool,
    /// Their types; `None` for all.
    pub types: Option<Vec<u16>>,
    /// What they must fit, in the language of [`Query`]; empty for all. They can be listed once the log has been read, and as
    /// far as they have been [counted](Model::count_events).
    pub query: String,
    /// When they happened, from a time to before another; `None` for any time.
    pub within: Option<(Nanos, Nanos)>,
}

/// A wish that is prepared for a log.
#[derive(Debug, Clone)]
pub(super) struct EventChoice {
    types: Option<Chosen>,
    times: Option<(Nanos, Nanos)>,
    finder: Option<Finder>,
}

impl EventChoice {
    pub(super) fn new(model: &Model, wish: &EventsWish) -> Result<Self, QueryError> {
        let query = Query::parse(&wish.query)?;
        model.check_query(&query)?;
        let finder = (!query.is_empty()).then(|| Finder::new(&query, true, model));
        let types = wish.types.as_ref().map(|types| types.iter().copied().collect());
        Ok(Self { types, times: wish.within, finder })
    }

    /// Whether each event must be looked at to know whether it is chosen, besides its type and its time.
    pub(super) fn has_query(&self) -> bool {
        self.finder.is_some()
    }

    /// Whether events of a type are chosen, as far as the type alone decides.
    pub(super) fn of_type(&self, tag: u16) -> Verdict {
        match (&self.types, &self.finder) {
            (Some(types), _) if !types.has(tag) => Verdict::Never,
            (_, Some(finder)) => finder.plan(tag).verdict,
            (_, None) => Verdict::Always,
        }
    }

    /// Whether an event is chosen. `text` is a buffer to reuse.
    pub(super) fn has(&self, seen: SeenEvent<'_>, threads: &Threads, text: &mut Vec<u8>) -> bool {
        self.times.is_none_or(|(from, to)| from <= seen.record.time && seen.record.time < to)
            && self.types.as_ref().is_none_or(|types| types.has(seen.record.tag))
            && self.finder.as_ref().is_none_or(|finder| finder.finds_event(seen, threads, text))
    }

    /// The type of all chosen events, if it is one that has fields.
    pub(super) fn only_type(&self, model: &Model) -> Option<u16> {
        let mut tags = model.known.counts.iter().map(|(tag, _)| tag).filter(|tag| self.of_type(*tag) != Verdict::Never);
        let only = tags.next().filter(|_| self.types.is_some() || self.finder.is_some())?;
        tags.next().is_none().then_some(only)
    }

    /// How many chosen events each segment has, and between which times; `None` where a segment must be read to know.
    pub(super) fn counts(&self, model: &Model) -> Vec<Option<SegmentCount>> {
        let index = &model.known.index;
        let bounds = bounds(model);
        let may_have = self.finder.as_ref().map(|finder| model.known.may_find_events(finder));
        // Events of capabilities beyond the limit are in no stream: the index does not know their times.
        let sides = match self.times {
            Some((from, to)) if !model.known.caps.is_capped => index.sides(from, to),
            Some(_) => vec![Side::Edge; bounds.len()],
            None => vec![Side::Inside; bounds.len()],
        };
        let segments = bounds.into_iter().zip(sides).enumerate();
        let count = |(at, ((first, last), side))| {
            let may_have = may_have.as_ref().is_none_or(|may: &Vec<bool>| may.get(at).is_none_or(|may| *may));
            if side == Side::Outside || !may_have {
                return Some(SegmentCount::NONE);
            }
            let (certain, perhaps) = self.count_by_types(model, at);
            match (certain + perhaps, side) {
                (0, _) => Some(SegmentCount::NONE),
                (count, Side::Inside) if perhaps == 0 => Some(SegmentCount { count, first, last }),
                _ => None,
            }
        };
        segments.map(count).collect()
    }

    /// How many events of a segment are chosen for their type, and how many may be.
    fn count_by_types(&self, model: &Model, segment: usize) -> (u64, u64) {
        let index = &model.known.index;
        if self.types.is_none() && self.finder.is_none() {
            return (index.events_of(segment), 0);
        }
        let (mut certain, mut perhaps) = (0, 0);
        for of in index.types_of(segment) {
            match self.of_type(of.tag) {
                // The index does not know the types of these.
                _ if of.tag == NOT_COUNTED => perhaps += u64::from(of.count),
                Verdict::Always => certain += u64::from(of.count),
                Verdict::Maybe => perhaps += u64::from(of.count),
                Verdict::Never => {}
            }
        }
        (certain, perhaps)
    }
}

impl EventsWish {
    /// What counts are kept by: they are the same in any order.
    pub(super) fn counted_of(&self) -> CountedOf {
        CountedOf { types: self.types.clone(), query: self.query.clone(), times: self.within }
    }
}

/// No event of a segment that has not been counted is earlier than this; the latest time if all have been counted.
pub(super) fn horizon(model: &Model, counts: &[Option<SegmentCount>]) -> Nanos {
    let uncounted = bounds(model).into_iter().zip(counts).filter(|(_, of)| of.is_none());
    uncounted.map(|((first, _), _)| first).min().unwrap_or(Nanos::MAX)
}

/// Between which times the events of each segment are.
pub(super) fn bounds(model: &Model) -> Vec<(Nanos, Nanos)> {
    let known = &model.known;
    let segments = known.index.segments();
    if known.caps.is_capped {
        return vec![(Nanos(0), Nanos::MAX); segments.len()];
    }
    let mut bounds = vec![(Nanos::MAX, Nanos(0)); segments.len()];
    for stream in 0..known.caps.streams.len() {
        for entry in known.index.stream(stream) {
            if let Some((first, last)) = bounds.get_mut(entry.segment as usize) {
                *first = (*first).min(entry.earliest);
                *last = (*last).max(entry.to);
            }
        }
    }
    bounds
}
