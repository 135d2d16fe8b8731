//! The index: the log cut into segments, each with all that is needed to decode it on its own.
//!
//! ```text
//! file      |  segment 0  |  segment 1  |  segment 2  | …      by bytes
//! stream A  |=====|       |========|====|                      entries: the time that a segment has of the stream,
//! stream B        |=======|             |=============|        and the stream's machines at the segment's start
//! ```
//!
//! An entry covers the time from the stream's last event before the segment to its last event in it. So the entries of a
//! stream leave no time out, even if nothing happened.

use crate::{
    keeping::occurring::{Occurring, TypeCount},
    known::{processes::Processes, sums::Sums},
    limits,
    sorting::sort_by_number,
    tracks::{Machines, capability::Lane, collected},
};
use alloc::vec::Vec;
use ghc_eventlog::{Nanos, PartDecoder, Position};

/// A part of the file that is decoded as a unit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Segment {
    /// Where decoding begins, and what the decoder must know there.
    pub(crate) at: Position,
    /// The stream whose events come first, up to the first block marker.
    pub(crate) stream: usize,
    /// Whether at most one capability had been seen there.
    pub(crate) one_capability: bool,
    /// Where the block ends that is open at its begin.
    pub(crate) block_end: u64,
    /// Where the segment ends, in bytes from the start of the file.
    pub(crate) end: u64,
    /// The time of the last event.
    pub(crate) latest: Nanos,
    /// The smallest time that it is about: of its events, and of the begin of a run that was under way when its stream began.
    pub(crate) first: Nanos,
    /// How many bytes beyond its end must be at hand to decode it.
    pub(crate) ahead: u64,
    /// How many events come before it.
    pub(crate) events_before: u64,
    /// What occurs in it.
    pub(crate) occurring: Occurring,
    /// Where its types begin in the list of all segments' types.
    pub(crate) types_from: u32,
}

impl Segment {
    /// Whether decoding ended where the first pass did: if not, the file has changed.
    pub(crate) fn is_as_it_was(&self, part: &PartDecoder) -> bool {
        ends_as_it_did(part, self.end, self.latest)
    }
}

/// Whether decoding a part ended where the first pass did: at an event that ends there and has the same time, to the
/// nanosecond. Any two runs of a program have different times.
pub(crate) fn ends_as_it_did(part: &PartDecoder, end: u64, latest: Nanos) -> bool {
    let position = part.position();
    (position.offset, position.latest()) == (end, latest)
}

/// What a segment has of one stream.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StreamEntry {
    /// The segment's place in the index.
    pub(crate) segment: u32,
    /// The time that it covers.
    pub(crate) from: Nanos,
    pub(crate) to: Nanos,
    /// The smallest time of all events: it is before `from` where times go back.
    pub(crate) earliest: Nanos,
    /// The stream's machines where the segment begins.
    pub(crate) machines: Machines,
    /// The sums of what they had found before.
    pub(crate) before: Sums,
}

impl StreamEntry {
    /// The begin of the earliest thing that the segment may have: a collection is recorded where it ends.
    pub(crate) fn reaches_back_to(&self) -> Nanos {
        self.machines.busy_since().map_or(self.earliest, |start| start.min(self.earliest))
    }
}

/// A segment in which a lane changes its state. All spans that end there lie between [`Self::from`] and [`Self::to`], and the
/// turns leave no time out: this is the lane's own clock, which never goes back, whatever times other events have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn<'a> {
    pub(crate) entry: &'a StreamEntry,
    /// The lane where its next segment begins; `None` in the last one.
    pub(crate) next: Option<&'a Lane>,
}

impl<'a> Turn<'a> {
    fn new(entries: &'a [StreamEntry], at: usize) -> Option<Self> {
        Some(Self { entry: entries.get(at)?, next: entries.get(at + 1).map(|next| &next.machines.lane) })
    }

    /// Since when the lane has been in its state where the segment begins.
    pub(crate) fn from(&self) -> Nanos {
        self.entry.machines.lane.since()
    }

    /// The same where its next segment begins.
    pub(crate) fn to(&self) -> Nanos {
        self.next.map_or(self.entry.to, Lane::since)
    }

    /// The lane where the segment begins.
    pub(crate) fn lane(&self) -> &Lane {
        &self.entry.machines.lane
    }

    /// Whether its stream may have no more events, or none in this stream of the file: in the next one its lane starts again.
    pub(crate) fn may_be_last(&self) -> bool {
        self.next.is_none_or(Lane::is_fresh)
    }

    /// Whether the lane changes its state in it, or nothing comes after it.
    fn turns(&self) -> bool {
        self.next.is_none_or(|next| *next != self.entry.machines.lane)
    }
}

/// The entries in which a stream does collections; `all` is the number of its collections in the whole log.
pub(crate) fn collecting(entries: &[StreamEntry], all: u64) -> impl Iterator<Item = &StreamEntry> {
    entries.iter().enumerate().filter_map(move |(at, entry)| {
        let after = entries.get(at + 1).map_or(all, |next| collected::counted(&next.before));
        (after > collected::counted(&entry.before)).then_some(entry)
    })
}

/// How a segment's events relate to a range of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// All of them are within.
    Inside,
    /// None of them is within.
    Outside,
    /// Not known without reading it.
    Edge,
}

/// Merges a pair of segments; the last one may be alone.
fn merged(pair: &[Segment]) -> Option<Segment> {
    let (first, last) = (pair.first()?, pair.last()?);
    let mut occurring = first.occurring;
    occurring.add(&last.occurring);
    let earliest = first.first.min(last.first);
    Some(Segment { end: last.end, latest: last.latest, first: earliest, ahead: last.ahead, occurring, ..*first })
}

#[derive(Debug, Default)]
pub(crate) struct Index {
    /// The processes whose logs the file has.
    pub(crate) processes: Processes,
    /// From the block at this offset on, the program is known to be one that can switch classes of events off and on.
    pub(crate) can_pause_from: Option<u64>,
    segments: Vec<Segment>,
    /// How many events of each type each segment has, one segment after the other.
    types: Vec<TypeCount>,
    /// By stream; each in order of segments.
    streams: Vec<Vec<StreamEntry>>,
    /// How often segments were merged in pairs: each time they become twice as large.
    merged: u32,
    /// How often more than a segment's own bytes turned out to be needed.
    pub(crate) longer_looks: u64,
}

impl Index {
    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    pub(crate) fn segment(&self, at: u32) -> Option<&Segment> {
        self.segments.get(at as usize)
    }

    /// How often segments have been merged: each time, all of them get new numbers.
    pub(crate) fn merged(&self) -> u32 {
        self.merged
    }

    /// How many events of each type a segment has.
    pub(crate) fn types_of(&self, at: usize) -> &[TypeCount] {
        let Some(segment) = self.segments.get(at) else { return &[] };
        let end = self.segments.get(at + 1).map_or(self.types.len(), |next| next.types_from as usize);
        self.types.get(segment.types_from as usize..end).unwrap_or_default()
    }

    /// How many events a segment has.
    pub(crate) fn events_of(&self, at: usize) -> u64 {
        let before = self.segments.get(at).map_or(0, |segment| segment.events_before);
        self.segments.get(at + 1).map_or_else(|| self.events(), |next| next.events_before) - before
    }

    /// For each segment, how its events relate to `from..to`. Events of capabilities beyond the limit are ignored.
    pub(crate) fn sides(&self, from: Nanos, to: Nanos) -> Vec<Side> {
        let mut sides = alloc::vec![None; self.segments.len()];
        for entry in self.streams.iter().flatten() {
            let Some(side) = sides.get_mut(entry.segment as usize) else { continue };
            let of_stream = if entry.to < from || to <= entry.earliest {
                Side::Outside
            } else if from <= entry.earliest && entry.to < to {
                Side::Inside
            } else {
                Side::Edge
            };
            *side = if side.is_none_or(|side| side == of_stream) { Some(of_stream) } else { Some(Side::Edge) };
        }
        sides.into_iter().map(|side| side.unwrap_or(Side::Outside)).collect()
    }

    /// How many events all segments have.
    pub(crate) fn events(&self) -> u64 {
        let Some(last) = self.segments.last() else { return 0 };
        let types = self.types.get(last.types_from as usize..).unwrap_or_default();
        last.events_before + types.iter().map(|of| u64::from(of.count)).sum::<u64>()
    }

    /// From now on, reads of a segment include at least `ahead` bytes beyond its end, and at least 16 times as many as
    /// before.
    pub(crate) fn look_further(&mut self, at: u32, ahead: u64) {
        if let Some(segment) = self.segments.get_mut(at as usize) {
            segment.ahead = ahead.max(segment.ahead * 16).min(PartDecoder::LOOK_AHEAD);
            self.longer_looks += 1;
        }
    }

    /// The entries of one stream.
    pub(crate) fn stream(&self, stream: usize) -> &[StreamEntry] {
        self.streams.get(stream).map_or(&[], Vec::as_slice)
    }

    /// The segments of a stream with the lane's state at both ends, in order.
    pub(crate) fn all_turns(&self, stream: usize) -> impl DoubleEndedIterator<Item = Turn<'_>> {
        let entries = self.stream(stream);
        (0..entries.len()).filter_map(|at| Turn::new(entries, at))
    }

    /// The turns of a stream's lane, in order. Segments without a turn are skipped: no span ends there. A capability that
    /// idles may have more of them than the cache holds.
    pub(crate) fn turns(&self, stream: usize) -> impl DoubleEndedIterator<Item = Turn<'_>> {
        self.all_turns(stream).filter(Turn::turns)
    }

    /// A stream's lane in a segment.
    pub(crate) fn turn(&self, stream: usize, segment: u32) -> Option<Turn<'_>> {
        let entries = self.stream(stream);
        Turn::new(entries, entries.binary_search_by_key(&segment, |entry| entry.segment).ok()?)
    }

    /// The streams that have entries in a segment, with these entries.
    pub(crate) fn entries_of(&self, segment: u32) -> impl Iterator<Item = (usize, &StreamEntry)> {
        self.streams.iter().enumerate().filter_map(move |(stream, entries)| {
            let at = entries.binary_search_by_key(&segment, |entry| entry.segment).ok()?;
            Some((stream, entries.get(at)?))
        })
    }

    /// The segments that lie completely within a range of the file.
    pub(crate) fn segments_within(&self, from: u64, to: u64) -> core::ops::Range<u32> {
        let first = self.segments.partition_point(|segment| segment.at.offset < from);
        let end = self.segments.partition_point(|segment| segment.end <= to);
        first as u32..end as u32
    }

    /// The current sizes of segments: from the first size on, they may end with a block; from the second on, anywhere.
    pub(crate) fn sizes(&self) -> (u64, u64) {
        (limits::SEGMENT_SOFT << self.merged, limits::SEGMENT_HARD << self.merged)
    }

    /// Adds a segment with its entries, each with its stream. Returns whether segments were merged for that.
    pub(crate) fn push(
        &mut self,
        segment: Segment,
        types: &[TypeCount],
        entries: impl Iterator<Item = (usize, StreamEntry)>,
    ) -> bool {
        let number = self.segments.len() as u32;
        self.segments.push(Segment { types_from: self.types.len() as u32, ..segment });
        self.types.extend_from_slice(types);
        for (stream, entry) in entries {
            if stream >= self.streams.len() {
                self.streams.resize(stream + 1, Vec::new());
            }
            if let Some(list) = self.streams.get_mut(stream) {
                list.push(StreamEntry { segment: number, ..entry });
            }
        }
        let full = self.bytes_used() > limits::INDEX_BYTES / 2;
        if full {
            self.merge_pairs();
        }
        full
    }

    /// Extends the last entry of a stream to `to`.
    pub(crate) fn extend(&mut self, stream: usize, to: Nanos) {
        if let Some(entry) = self.streams.get_mut(stream).and_then(|entries| entries.last_mut()) {
            entry.to = entry.to.max(to);
        }
    }

    fn merge_pairs(&mut self) {
        self.merged += 1;
        self.merge_types();
        self.segments = self.segments.chunks(2).filter_map(merged).collect();
        for entries in &mut self.streams {
            entries.iter_mut().for_each(|entry| entry.segment /= 2);
            entries.dedup_by(|second, first| {
                let same = second.segment == first.segment;
                if same {
                    first.to = first.to.max(second.to);
                    first.earliest = first.earliest.min(second.earliest);
                }
                same
            });
        }
    }

    /// Merges the types of each pair of segments. To be called before the segments themselves are merged.
    fn merge_types(&mut self) {
        let old = core::mem::take(&mut self.types);
        let mut ends = self.segments.iter().skip(1).map(|next| next.types_from as usize).collect::<Vec<_>>();
        ends.push(old.len());
        let mut ends = ends.into_iter();
        for pair in self.segments.chunks_mut(2) {
            let Some(end) = ends.nth(pair.len() - 1) else { return };
            let Some(first) = pair.first_mut() else { return };
            let from = core::mem::replace(&mut first.types_from, self.types.len() as u32) as usize;
            let mut types = old.get(from..end).unwrap_or_default().to_vec();
            sort_by_number(&mut types, |of| of.tag.into());
            types.dedup_by(|second, first| {
                let same = second.tag == first.tag;
                if same {
                    first.count = first.count.saturating_add(second.count);
                }
                same
            });
            self.types.append(&mut types);
        }
    }

    fn bytes_used(&self) -> usize {
        let entries: usize = self.streams.iter().map(Vec::len).sum();
        let types = self.types.len() * size_of::<TypeCount>();
        self.segments.len() * size_of::<Segment>() + entries * size_of::<StreamEntry>() + types
    }

    pub(crate) fn bytes_held(&self) -> usize {
        let entries: usize = self.streams.iter().map(Vec::capacity).sum();
        let types = self.types.capacity() * size_of::<TypeCount>();
        self.segments.capacity() * size_of::<Segment>()
            + entries * size_of::<StreamEntry>()
            + types
            + self.processes.bytes_held()
    }
}
