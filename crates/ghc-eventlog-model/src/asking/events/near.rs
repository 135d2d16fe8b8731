//! Which row of the list is at a moment.

use super::{
    EventsWish,
    in_time::key,
    part::{each_chosen, each_segment},
    wish::EventChoice,
};
use crate::{
    asking::query::QueryError,
    known::counted::SegmentCount,
    limits,
    reading::{
        job::{Changed, Job},
        model::Model,
    },
    sorting::{sort_by_key, sort_by_number},
    terms::progress::Progress,
};
use alloc::vec::Vec;
use core::cmp::Reverse;
use ghc_eventlog::Nanos;

/// Segments that are read at once to find the first event after a moment, as long as none has been found.
const SEGMENTS_AT_ONCE: usize = 4;

/// The place of a moment in a list of events: see [`Model::event_place`].
#[derive(Debug, Clone)]
pub struct EventPlace {
    by_time: bool,
    choice: EventChoice,
    time: Nanos,
    counts: Vec<Option<SegmentCount>>,
    /// The segments that may have events at that moment or later, each with the earliest time at which they may be; the next
    /// one is last.
    ahead: Vec<(Nanos, u32)>,
    /// How many events come before the moment.
    before: u64,
    best: Option<Best>,
    done: usize,
}

/// The first event that is not before the moment.
#[derive(Debug, Clone, Copy)]
struct Best {
    key: u128,
    time: Nanos,
    segment: u32,
    /// How many events of its segment come before it in the file.
    before: u64,
}

impl Model {
    /// Begins to find out which row has the first event at a moment or later, among the [rows](Self::event_rows) of the same
    /// wish: a [`Job`]. `None` as long as the log is being read.
    ///
    /// # Errors
    /// When the wish's query cannot be read, or names a type of events that does not exist.
    pub fn event_place(&self, wish: &EventsWish, time: Nanos) -> Result<Option<EventPlace>, QueryError> {
        let choice = EventChoice::new(self, wish)?;
        if !self.keeps_counts() {
            return Ok(None);
        }
        let counts = self.counts_of(wish, &choice);
        let (mut before, mut ahead) = (0, Vec::new());
        for (segment, of) in (0..).zip(&counts) {
            match of {
                Some(of) if of.count > 0 && of.last < time => before += of.count,
                Some(of) if of.count > 0 => ahead.push((of.first.max(time), segment)),
                // It has no chosen event, or has not been counted.
                _ => {}
            }
        }
        sort_by_key(&mut ahead, |of| Reverse(*of));
        Ok(Some(EventPlace { by_time: wish.by_time, choice, time, counts, ahead, before, best: None, done: 0 }))
    }
}

impl EventPlace {
    /// The row; the number of rows if all events are before the moment. `None` as long as the job is not done.
    #[must_use]
    pub fn row(&self) -> Option<u64> {
        if !self.wanted().is_empty() {
            return None;
        }
        let of = |counts: &[Option<SegmentCount>]| counts.iter().flatten().map(|of| of.count).sum::<u64>();
        Some(match self.best {
            Some(best) if !self.by_time => {
                of(self.counts.get(..best.segment as usize).unwrap_or_default()) + best.before
            }
            None if !self.by_time => of(&self.counts),
            _ => self.before,
        })
    }

    /// The segments that must be read next.
    fn wanted(&self) -> Vec<u32> {
        let until = match (self.best, self.ahead.last()) {
            (_, Some((first, _))) if *first <= self.time => self.time,
            (Some(best), _) => best.time,
            (None, _) => Nanos::MAX,
        };
        let most = if until == Nanos::MAX { SEGMENTS_AT_ONCE } else { usize::MAX };
        let near = self.ahead.iter().rev().take_while(|(first, _)| *first <= until).take(most);
        let mut near: Vec<u32> = near.map(|(_, segment)| *segment).collect();
        sort_by_number(&mut near, |segment| u64::from(*segment));
        near
    }
}

impl Job for EventPlace {
    fn reads(&mut self, model: &mut Model) -> Vec<(u64, u64)> {
        model.known.reads_of(self.wanted().into_iter(), limits::FIND_AHEAD)
    }

    fn give(&mut self, model: &mut Model, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        let wanted = self.wanted();
        let Self { choice, time, ahead, before, best, done, .. } = self;
        each_segment(
            model,
            (offset, bytes),
            |segment| wanted.contains(&segment),
            |model, segment, chunk| {
                let (mut earlier, mut place, mut found) = (0, 0, *best);
                each_chosen(model, choice, segment, chunk, &mut |event| {
                    let record = event.seen.record;
                    let key = key(record.time, record.offset);
                    if record.time < *time {
                        earlier += 1;
                    } else if found.is_none_or(|found| key < found.key) {
                        found = Some(Best { key, time: record.time, segment, before: place });
                    }
                    place += 1;
                })?;
                (*before, *best) = (*before + earlier, found);
                ahead.retain(|(_, other)| *other != segment);
                *done += 1;
                Ok(())
            },
        )
    }

    /// Everything that it needs was passed to `give`.
    fn take(&mut self, _: &Model) {}

    fn progress(&self) -> Progress {
        Progress { done: self.done, of: self.done + self.wanted().len() }
    }
}
