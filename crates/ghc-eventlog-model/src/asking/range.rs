//! What the tracks did in a range of time of any length, to the nanosecond.
//!
//! ```text
//! range                  |from ------------------------------------ to|
//! segments, one stream |===a===|====b====|=======c=======|====d====|===e===|
//! ```
//!
//! The index has the sums before each segment, so the sums over `b` to `d` are known without reading them. Only `a` and `e`,
//! at the edges, are decoded again: a segment or two of each stream at either edge, whatever happened there.
//!
//! A segment has the spans and collections that end in it. They may have begun before it: the segment is at an edge if their
//! time is.

use crate::{
    asking::{spans_in_range::SpanSumming, threads_in_range::Summing},
    known::{
        Known,
        arrangement::Arrangement,
        details::SegmentDetail,
        summed::{Growth, SummedRange},
        sums::Sums,
    },
    reading::{
        job::{Changed, Job},
        model::Model,
    },
    sorting::sort_by_number,
    terms::{machine::KeptRow, op::Besides, progress::Progress, range::RangeTotals, track::TrackId},
    tracks::{
        allocation,
        capability::{LANE, Lane},
        collected, nonmoving,
    },
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// A range of time that is being summed up: see [`Model::range`].
#[derive(Debug)]
pub struct Range {
    /// The sums so far.
    pub(crate) summed: SummedRange,
    /// The edges that have not been added yet.
    edges: Vec<EdgeSegment>,
    /// Segments that have censuses which are not kept, and that have not been at hand yet.
    censuses: Vec<u32>,
    /// The sums of what threads did, in progress.
    summing: Option<Summing>,
    /// The sums of user spans, in progress.
    spans: Option<SpanSumming>,
    /// How many edges and such segments there were at first.
    all_edges: usize,
    /// How many times the index had been [merged](crate::known::index::Index::merged) when the edges were found: their
    /// segment numbers are of that time.
    merged: u32,
}

/// A segment at an edge of a range, for one stream.
#[derive(Debug, Clone, Copy)]
struct EdgeSegment {
    segment: u32,
    stream: usize,
    /// The stream's lane where its next segment begins.
    next: Option<Lane>,
}

impl Model {
    /// What a track did in a range; `None` as long as the job is not done.
    #[must_use]
    pub fn range(&mut self, from: Nanos, to: Nanos) -> Option<Range> {
        if to > self.exact_until() {
            return None;
        }
        let known = &mut self.known;
        let mut range = Range::new(known, from, to);
        let segments = range.segments();
        known.details.touch(&segments);
        range.gather(known);
        Some(range)
    }

    /// The begin of the range, and its end, which is not included.
    #[must_use]
    pub fn range_totals(&self, arrangement: &Arrangement, range: &Range, track: TrackId) -> Option<RangeTotals> {
        let (tracks, of) = track.tracks().filter(|_| range.is_gathered())?;
        Some(tracks.in_range(&self.known.arranged(arrangement), of, &range.summed))
    }
}

impl Job for Range {
    fn reads(&mut self, model: &mut Model) -> Vec<(u64, u64)> {
        let reads = |range: &Self| range.segments().into_iter().filter_map(|segment| model.known.read_of(segment));
        match self.begun_anew(&model.known) {
            Some(anew) => reads(&anew).collect(),
            None => reads(self).collect(),
        }
    }

    fn give(&mut self, model: &mut Model, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        if let Some(anew) = self.begun_anew(&model.known) {
            *self = anew;
        }
        if let Some(summing) = &mut self.summing {
            let wanted: Vec<u32> = summing.segments().collect();
            model.each_ops(
                offset,
                bytes,
                &|number| wanted.contains(&number),
                Besides::Nothing,
                &mut |known, number, ops, _| {
                    summing.take(known, number, &ops);
                },
            )?;
        }
        if let Some(spans) = &mut self.spans {
            let wanted: Vec<u32> = spans.segments().collect();
            model.each_ops(
                offset,
                bytes,
                &|number| wanted.contains(&number),
                Besides::Marks,
                &mut |known, number, ops, marks| spans.take(known, number, &ops, &marks),
            )?;
        }
        model.supply(offset, bytes)?;
        self.take(model);
        Ok(())
    }

    fn take(&mut self, model: &Model) {
        if let Some(anew) = self.begun_anew(&model.known) {
            *self = anew;
        }
        self.gather(&model.known);
    }

    fn progress(&self) -> Progress {
        let left = self.edges.len()
            + self.censuses.len()
            + self.summing.iter().flat_map(Summing::segments).count()
            + self.spans.iter().flat_map(SpanSumming::segments).count();
        Progress { done: self.all_edges.saturating_sub(left), of: self.all_edges }
    }
}

impl Range {
    /// Whether all of it has been gathered. Then it stays right, even if the index changes.
    #[must_use]
    pub fn times(&self) -> (Nanos, Nanos) {
        (self.summed.from, self.summed.to)
    }

    /// If the index has been merged, its segments have new numbers: finds again what is missing.
    #[must_use]
    pub fn is_gathered(&self) -> bool {
        self.edges.is_empty() && self.censuses.is_empty() && self.summing.is_none() && self.spans.is_none()
    }

    /// Once the index has been merged, its numbers are of other segments: what is missing must be found again.
    fn begun_anew(&self, known: &Known) -> Option<Self> {
        let outdated = !self.is_gathered() && self.merged != known.index.merged();
        outdated.then(|| Self::new(known, self.summed.from, self.summed.to))
    }

    /// A range with the sums of what lies completely inside, and the edges that must be gathered.
    fn new(known: &Known, from: Nanos, to: Nanos) -> Self {
        let streams = &known.caps.streams;
        let (sums, merged) = (Vec::with_capacity(streams.len()), known.index.merged());
        let censuses = known.census_segments(from, to);
        let (summing, spans) = (Summing::new(known, from, to), SpanSumming::new(known, from, to));
        let mut range = Self {
            summed: SummedRange {
                from,
                to,
                sums,
                threads: None,
                spans: None,
                next_growth: alloc::vec![None; streams.len()],
            },
            edges: Vec::new(),
            censuses,
            summing,
            spans,
            all_edges: 0,
            merged,
        };
        for (at, stream) in streams.iter().enumerate() {
            let (mut sums, mut has_next) = (Sums::default(), false);
            let entries = known.index.stream(at);
            let nexts = entries.iter().skip(1).map(Some).chain([None]);
            for (entry, next) in entries.iter().zip(nexts) {
                let told = next.map_or(stream.sums, |next| next.before).since(&entry.before);
                let begin = entry.reaches_back_to().min(entry.machines.lane.since());
                // Of a range within one nursery, the next event that tells of the allocation is all that bounds it.
                let bounds = begin >= to && !has_next && !allocation::is_logged(&sums) && allocation::is_logged(&told);
                if told == Sums::default() || entry.to < from || begin >= to && !bounds {
                    continue;
                }
                has_next |= bounds;
                if from <= begin && entry.to < to {
                    sums.add_all(&told);
                } else {
                    let next = next.map(|next| next.machines.lane);
                    range.edges.push(EdgeSegment { segment: entry.segment, stream: at, next });
                }
            }
            range.summed.sums.push(sums);
        }
        let of_threads = range.summing.iter().flat_map(Summing::segments).count()
            + range.spans.iter().flat_map(SpanSumming::segments).count();
        range.all_edges = range.edges.len() + range.censuses.len() + of_threads;
        range
    }

    /// The segments at the edges, in order.
    fn segments(&self) -> Vec<u32> {
        let mut segments: Vec<u32> =
            self.edges.iter().map(|edge| edge.segment).chain(self.censuses.iter().copied()).collect();
        segments.extend(self.summing.iter().flat_map(Summing::segments));
        segments.extend(self.spans.iter().flat_map(SpanSumming::segments));
        sort_by_number(&mut segments, |segment| (*segment).into());
        segments.dedup();
        segments
    }

    /// Adds the edges whose segments are at hand. A segment with censuses is only removed from the list: a question about
    /// bands finds it among the details.
    fn gather(&mut self, known: &Known) {
        self.censuses.retain(|segment| known.details.get(*segment).is_none());
        if self.summing.as_ref().is_some_and(|summing| summing.segments().next().is_none()) {
            self.summed.threads = self.summing.take().map(|summing| summing.finish(known));
        }
        if self.spans.as_ref().is_some_and(|spans| spans.segments().next().is_none()) {
            self.summed.spans = self.spans.take().and_then(|spans| spans.finish(known));
        }
        let mut edges = core::mem::take(&mut self.edges);
        edges.retain(|edge| {
            let detail = known.details.get(edge.segment);
            if let Some(detail) = detail {
                self.add(edge, detail, known);
            }
            detail.is_none()
        });
        self.edges = edges;
    }

    fn add(&mut self, edge: &EdgeSegment, detail: &SegmentDetail, known: &Known) {
        let (from, to) = (self.summed.from, self.summed.to);
        let inside = |start: Nanos, end: Nanos| end.min(to).since(start.max(from));
        let within = |time: Nanos| from <= time && time < to;
        let Some(sums) = self.summed.sums.get_mut(edge.stream) else { return };
        for span in detail.lane(edge.stream, edge.next.as_ref()) {
            sums.add(LANE + usize::from(span.state), inside(span.start, span.end).0);
        }
        for (_, row) in detail.rows.iter().filter(|(stream, _)| *stream == edge.stream) {
            match row {
                KeptRow::Collection(gc) => {
                    collected::count(sums, known.stores.collections.age(gc), gc, Some((from, to)));
                }
                KeptRow::Phase(phase) => nonmoving::count(sums, phase, Some((from, to))),
                KeptRow::Census(_) => {}
            }
        }
        for (_, added) in detail.added.iter().filter(|(stream, added)| *stream == edge.stream && within(added.time)) {
            sums.add(added.sum, added.more);
        }
        let Some(next) = self.summed.next_growth.get_mut(edge.stream) else { return };
        let mut more = 0;
        for (_, added) in detail.added.iter().filter(|(stream, _)| *stream == edge.stream) {
            match added.sum {
                allocation::BYTES => more = added.more,
                allocation::TOLD => {
                    let growth = Growth { time: added.time, more: core::mem::take(&mut more) };
                    if growth.time >= to && next.is_none_or(|next| growth.time < next.time) {
                        *next = Some(growth);
                    }
                }
                _ => {}
            }
        }
    }
}
