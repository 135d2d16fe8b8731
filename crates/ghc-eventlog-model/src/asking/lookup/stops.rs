//! Which segments a look-up reads, and in which order.

use super::search::Question;
use crate::{
    known::Known,
    known::index::{Segment, StreamEntry, Turn, collecting},
    sorting::sort_by_number,
    terms::{
        machine::KeptRow,
        place::{Direction, Item, Pixel},
    },
    tracks::collected,
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// A segment to look at, identified by its file offset: segments may be merged while the log is being read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stop {
    pub(super) offset: u64,
    /// When looking for the next span: nothing in the segment begins before this time. For the previous one: nothing begins
    /// after it.
    pub(super) bound: Nanos,
}

impl Known {
    /// The segment that contains an offset.
    pub(crate) fn segment_from(&self, offset: u64) -> Option<(u32, &Segment)> {
        let after = self.index.segments_within(offset, u64::MAX).start;
        let begins = |number: u32| Some((number, self.index.segment(number)?));
        begins(after).filter(|(_, segment)| segment.at.offset == offset).or_else(|| begins(after.checked_sub(1)?))
    }

    fn stop(&self, entry: &StreamEntry, bound: Nanos) -> Option<Stop> {
        Some(Stop { offset: self.index.segment(entry.segment)?.at.offset, bound })
    }

    /// The segments that may have a lane's answer; the first one to look at is last.
    pub(super) fn stops_of_lane(&self, stream: usize, question: Question) -> Vec<Stop> {
        let mut turns = self.index.turns(stream);
        let stop = |turn: Turn<'_>| self.stop(turn.entry, turn.to());
        let mut stops: Vec<Stop> = match question {
            Question::At(pixel) => {
                let Pixel { from, to, .. } = pixel.wider();
                let (first, last) = (self.index.turns(stream).next(), turns.next_back());
                // Before all turns, the first one has the next span; after all of them, the last one has the previous span.
                let to = first.map_or(to, |first| to.max(first.from().plus(Nanos(1))));
                let from = last.as_ref().map_or(from, |last| from.min(last.to()));
                turns.chain(last).filter(|turn| turn.from() < to && turn.to() >= from).filter_map(stop).collect()
            }
            Question::Beside(time, Direction::Next) => turns.filter(|turn| turn.to() > time).filter_map(stop).collect(),
            Question::Beside(time, Direction::Previous) => {
                turns.rev().filter(|turn| turn.from() < time).filter_map(stop).collect()
            }
        };
        stops.reverse();
        stops
    }

    /// The segments that have rows; the first one to look at is last.
    pub(super) fn stops_of_rows(&self, question: Question) -> Vec<Stop> {
        let streams = self.caps.streams.iter().enumerate();
        let entries =
            streams.flat_map(|(at, stream)| collecting(self.index.stream(at), collected::counted(&stream.sums)));
        let earliest = StreamEntry::reaches_back_to;
        let mut stops: Vec<Stop> = match question {
            Question::At(pixel) => {
                let Pixel { from, to, .. } = pixel.wider();
                let meeting = entries.filter(|entry| earliest(entry) < to && entry.to >= from);
                meeting.filter_map(|entry| self.stop(entry, entry.to)).collect()
            }
            Question::Beside(time, Direction::Next) => {
                let later = entries.filter(|entry| entry.to > time);
                later.filter_map(|entry| self.stop(entry, earliest(entry))).collect()
            }
            Question::Beside(time, Direction::Previous) => {
                let earlier = entries.filter(|entry| earliest(entry) < time);
                earlier.filter_map(|entry| self.stop(entry, entry.to)).collect()
            }
        };
        sort_by_number(&mut stops, |stop| stop.offset);
        // Streams share segments: each segment is looked at once, with the bound of all its streams.
        let next = matches!(question, Question::Beside(_, Direction::Next));
        stops.dedup_by(|same, kept| {
            let is_same = same.offset == kept.offset;
            if is_same {
                kept.bound = if next { kept.bound.min(same.bound) } else { kept.bound.max(same.bound) };
            }
            is_same
        });
        match question {
            Question::At(_) => stops.reverse(),
            Question::Beside(_, Direction::Next) => sort_by_number(&mut stops, |stop| !stop.bound.0),
            Question::Beside(_, Direction::Previous) => sort_by_number(&mut stops, |stop| stop.bound.0),
        }
        stops
    }

    /// All rows, as long as none is missing.
    pub(super) fn rows(&self) -> impl Iterator<Item = Item> {
        self.stores.collections.rows().iter().filter_map(|collection| self.item(&KeptRow::Collection(*collection)))
    }

    /// A kept row, as a span of its track.
    pub(super) fn item(&self, row: &KeptRow) -> Option<Item> {
        let KeptRow::Collection(collection) = row else { return None };
        Some(Item { span: collected::span(self, collection), row: Some(*row) })
    }
}
