//! How the log is cut into segments while it is read, and until when that makes it exact.

use super::Cursor;
use crate::{
    keeping::occurring::Occurring,
    known::Known,
    known::{
        caps::CapEvents,
        index::{Segment, StreamEntry},
        sums::Sums,
    },
    limits,
    reading::first_pass::SegmentSeen,
};
use alloc::vec::Vec;
use ghc_eventlog::{End, Nanos, Position};

/// The segment that is being read.
#[derive(Debug)]
pub(super) struct OpenSegment {
    pub(super) at: Position,
    /// The current stream at its begin.
    pub(super) stream: usize,
    /// Whether at most one capability had been seen there.
    pub(super) one_capability: bool,
    /// The end of the block that was open at its begin.
    pub(super) block_end: u64,
    /// Where its last event ended.
    pub(super) end: u64,
    /// The time of that event.
    pub(super) latest: Nanos,
    pub(super) seen: SegmentSeen,
    /// The file offset from which it may be cut between blocks.
    pub(super) cut_from: u64,
    /// The file offset from which it may also be cut within a block.
    pub(super) cut_within_from: u64,
    /// Its streams, in order of appearance, with their entries so far.
    pub(super) entries: Vec<(usize, StreamEntry)>,
}

impl OpenSegment {
    /// The first segment, which begins at `at`.
    pub(super) fn at(at: Position) -> Self {
        Self {
            at,
            stream: 0,
            one_capability: true,
            block_end: 0,
            end: 0,
            latest: Nanos(0),
            seen: SegmentSeen::nothing(),
            cut_from: 0,
            cut_within_from: 0,
            entries: Vec::new(),
        }
    }
}

impl Cursor {
    /// Updates until when the known part of the log is final.
    pub(crate) fn note_what_is_exact(&self, known: &mut Known) {
        known.exact_until = self.exact_until(known);
        let of_process = known.caps.stream(None).and_then(|at| Some((at, known.caps.streams.get(at)?)));
        let idle_until = of_process.map(|(at, stream)| self.exact_until_of(known, at, stream));
        known.idle_until = if self.disables { idle_until.unwrap_or_default() } else { Nanos::MAX };
    }

    /// Until when everything is known and can be decoded again: see [`Known::exact_until`].
    fn exact_until(&self, known: &Known) -> Nanos {
        let created = known.stores.lives.created();
        if created == 0 || known.caps.count() < created {
            return Nanos(0);
        }
        let streams = known.caps.streams.iter().enumerate();
        let of_tracks = streams.filter(|(_, stream)| stream.series.is_some() || stream.sums != Sums::default());
        of_tracks.map(|(at, stream)| self.exact_until_of(known, at, stream)).min().unwrap_or_default()
    }

    /// The same for one stream: until the end of its last segment; or, if a collection was under way there, until that
    /// collection began, since it is recorded where it ends.
    fn exact_until_of(&self, known: &Known, at: usize, stream: &CapEvents) -> Nanos {
        let Some(entry) = known.index.stream(at).last() else { return Nanos(0) };
        let open = self.open.entries.iter().find(|(of, _)| *of == at);
        let machines = open.map_or(&stream.machines, |(_, entry)| &entry.machines);
        let until = Nanos(entry.to.since(limits::TIME_BACK).0);
        machines.busy_since().map_or(until, |since| since.min(until))
    }

    /// To be called after one or more records: stores where they ended.
    pub(crate) fn stepped(&mut self, known: &mut Known, position: Position) {
        let End { offset, of_block } = position.end();
        (self.open.end, self.open.latest) = (offset, position.latest());
        if of_block && let Some(stream) = known.caps.streams.get_mut(self.current) {
            stream.closed = stream.closed.max(core::mem::take(&mut self.closing));
        }
        if offset >= self.open.cut_from && (of_block || offset >= self.open.cut_within_from) {
            self.consider_cut(known, position);
        }
    }

    /// Cuts in a good place: not within a collection, unless it takes long.
    pub(crate) fn consider_cut(&mut self, known: &mut Known, position: Position) {
        let in_collection = known.caps.streams.get(self.current).is_some_and(|stream| stream.machines.is_busy());
        if !in_collection || position.offset >= self.open.cut_within_from + limits::SEGMENT_STRETCH {
            self.cut(known, position);
        }
    }

    /// Ends the open segment; the next one begins at `next`.
    pub(super) fn cut(&mut self, known: &mut Known, next: Position) {
        self.leave();
        let entries = core::mem::take(&mut self.open.entries);
        let (events_before, types) = known.counts.end_segment();
        // Events of capabilities beyond the limit have no entries.
        if !entries.is_empty() || !types.is_empty() {
            let OpenSegment { at, stream, one_capability, block_end, end, latest, .. } = self.open;
            let streams = &mut known.caps.streams;
            // The threads that run where it ends.
            for stream in entries.iter().filter_map(|(at, _)| streams.get(*at)) {
                stream.machines.lane.thread().into_iter().for_each(|thread| self.open.seen.ran.insert(thread));
            }
            let SegmentSeen { ran, longest_run, first } =
                core::mem::replace(&mut self.open.seen, SegmentSeen::nothing());
            let tags = types.iter().map(|of| of.tag).collect();
            let occurring = Occurring { tags, ran, longest_run };
            let ahead = limits::SEGMENT_AHEAD;
            let segment = Segment {
                at,
                stream,
                one_capability,
                block_end,
                end,
                latest,
                first,
                ahead,
                events_before,
                occurring,
                types_from: 0,
            };
            let covering = entries.into_iter().map(|(at, mut entry)| {
                if let Some(stream) = streams.get_mut(at) {
                    entry.to = stream.last.max(entry.from);
                    entry.earliest = core::mem::replace(&mut stream.earliest, Nanos::MAX).min(entry.from);
                }
                (at, entry)
            });
            if known.index.push(segment, &types, covering) {
                known.details.clear();
            }
        }
        (self.open.at, self.open.seen) = (next, SegmentSeen::nothing());
        self.open.stream = self.current;
        self.open.one_capability = self.dialect.one_capability;
        self.open.block_end = self.block_end;
        let (soft, hard) = known.index.sizes();
        (self.open.cut_from, self.open.cut_within_from) = (next.offset + soft, next.offset + hard);
    }
}
