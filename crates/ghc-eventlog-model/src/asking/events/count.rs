//! Counting the events that fit a query, segment by segment.

use super::{
    EventsWish,
    part::{count_of, each_chosen, each_segment},
    uncounted,
    wish::{EventChoice, bounds},
};
use crate::{
    asking::query::QueryError,
    known::counted::SegmentCount,
    limits,
    reading::{
        job::{Changed, Job},
        model::Model,
    },
    sorting::sort_by_key,
    terms::progress::Progress,
};
use alloc::vec::Vec;

/// Counts the events that fit a wish: see [`Model::count_events`].
#[derive(Debug, Clone)]
pub struct CountEvents {
    wish: EventsWish,
    choice: EventChoice,
    counts: Vec<Option<SegmentCount>>,
    /// The segments that have not been counted; the next one is last.
    ahead: Vec<u32>,
    /// How many bytes are read at once.
    batch: u64,
    done: usize,
}

impl Model {
    /// Begins to count the events that fit a wish: a [`Job`]. What it has counted stays known until others are counted, also
    /// when it is given up: [rows](Self::event_rows) are found by it. `None` as long as the log is being read.
    ///
    /// # Errors
    /// When the wish's query cannot be read, or names a type of events that does not exist.
    pub fn count_events(&mut self, wish: &EventsWish) -> Result<Option<CountEvents>, QueryError> {
        let choice = EventChoice::new(self, wish)?;
        let counts = self.counts_of(wish, &choice);
        if self.counted_for(wish, &counts).is_none() {
            return Ok(None);
        }
        let mut ahead: Vec<u32> = uncounted(&counts).collect();
        if wish.by_time {
            let bounds = bounds(self);
            sort_by_key(&mut ahead, |segment| bounds.get(*segment as usize).map(|(first, _)| *first));
        }
        ahead.reverse();
        let wish = wish.clone();
        Ok(Some(CountEvents { wish, choice, counts, ahead, batch: limits::FIND_AHEAD_AT_FIRST, done: 0 }))
    }
}

impl CountEvents {
    /// How many events have been found.
    #[must_use]
    pub fn found(&self) -> u64 {
        self.counts.iter().flatten().map(|of| of.count).sum()
    }

    /// Whether that is all of them.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.ahead.is_empty()
    }
}

impl Job for CountEvents {
    fn reads(&mut self, model: &mut Model) -> Vec<(u64, u64)> {
        let reads = model.known.reads_of(self.ahead.iter().rev().copied(), self.batch);
        self.batch = (self.batch * 2).min(limits::FIND_AHEAD);
        reads
    }

    fn give(&mut self, model: &mut Model, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        let Self { wish, choice, counts, ahead, done, .. } = self;
        // The next ones are at the end of the list.
        let near: Vec<u32> = ahead.iter().rev().copied().take(MOST_AT_ONCE).collect();
        let wants = |segment: u32| near.contains(&segment);
        let mut counted: Vec<(u32, SegmentCount)> = Vec::new();
        let given = each_segment(model, (offset, bytes), wants, |model, segment, chunk| {
            let count = count_of(|take| each_chosen(model, choice, segment, chunk, take))?;
            counted.push((segment, count));
            Ok(())
        });
        for (segment, count) in counted {
            counts.get_mut(segment as usize).into_iter().for_each(|of| *of = Some(count));
            if let Some(place) = ahead.iter().rposition(|other| *other == segment) {
                ahead.remove(place);
                *done += 1;
            }
            // Another wish may have been counted since: then the kept counts are of that.
            if model.counted.of == wish.counted_of() {
                model.counted.counts.get_mut(segment as usize).into_iter().for_each(|of| *of = Some(count));
            }
        }
        given
    }

    /// Everything that it needs was passed to `give`.
    fn take(&mut self, _: &Model) {}

    fn progress(&self) -> Progress {
        Progress { done: self.done, of: self.done + self.ahead.len() }
    }
}

/// A bound of the segments that one read can have: the smallest ones have a few KiB.
const MOST_AT_ONCE: usize = 4096;
