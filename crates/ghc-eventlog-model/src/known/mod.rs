//! Known: all that is known of one log. The writers are in [`crate::reading`]; everything else only reads it.
//!
//! Besides the stores ([`crate::keeping`]) it has the `index` (what is where in the file, with all that is needed to decode a
//! part again), `details` (the parts that were decoded again) and `caps` (a [`caps::CapEvents`] for each capability). Both
//! the index and `caps` contain the machines of all kinds of tracks, which is why this room and [`crate::tracks`] are on one
//! floor.

pub(crate) mod account;
pub(crate) mod arrangement;
pub(crate) mod at_hand;
pub(crate) mod band_names;
pub(crate) mod breakdown;
pub(crate) mod caps;
pub(crate) mod censuses;
pub(crate) mod counted;
pub(crate) mod course;
pub(crate) mod details;
pub(crate) mod frames;
pub(crate) mod index;
pub(crate) mod logged;
pub(crate) mod noted;
pub(crate) mod preview;
pub(crate) mod processes;
pub(crate) mod sampled;
pub(crate) mod spans_read;
pub(crate) mod stores;
pub(crate) mod summed;
pub(crate) mod sums;
pub(crate) mod threads;
pub(crate) mod used_names;

use crate::{
    keeping::{
        counts::EventCounts,
        crossing::{Replayed, requests::Requests},
        sorted::{self, Sorted},
        store::Purpose,
    },
    known::{at_hand::AtHand, preview::Preview, spans_read::SpansAtHand},
    limits,
    sorting::sort_by_number,
};
use alloc::{format, string::String, vec::Vec};
use caps::{CapEvents, CapStreams};
use details::Details;
use ghc_eventlog::{CostCentre, HeapProfSampleCostCentre, Nanos, ProfSampleCostCentre, info};
use ghc_eventlog_text::LogText;
use index::{Index, Segment};
use stores::Stores;

/// All that is known of a log, as far as it has been read.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) stores: Stores,
    /// Counts changes that may affect figures, tables and rows.
    pub(crate) revision: u64,
    pub(crate) index: Index,
    pub(crate) details: Details,
    pub(crate) caps: CapStreams,
    pub(crate) preview: Preview,
    pub(crate) counts: EventCounts,
    /// The results of the replay, once it has begun.
    pub(crate) replayed: Option<Replayed>,
    /// The instances of a label of user spans, once they have been asked for.
    pub(crate) requests: Option<Requests>,
    /// What happens to threads where the user looks closely.
    pub(crate) at_hand: AtHand,
    /// User spans where the user looks closely, if not all are kept.
    pub(crate) spans_at_hand: SpansAtHand,
    /// The names of unknown events in the headers that have been read: see [`Self::type_name`].
    pub(crate) described: Sorted<u16, String>,
    /// How many bytes of the log have been fed: the decision what is an event was based on these only.
    pub(crate) fed: u64,
    /// Whether the log's end is missing, as far as it has been read.
    pub(crate) incomplete: bool,
    pub(crate) finished: bool,
    /// Whether bytes of the log were lost, as far as it has been read.
    pub(crate) has_losses: bool,
    /// Until when everything is known and can be decoded again: see [`Self::exact_until`].
    pub(crate) exact_until: Nanos,
    /// Until when idle time is certainly idle: see [`Self::is_idle_for_good`].
    pub(crate) idle_until: Nanos,
}

impl Known {
    /// An empty one, before any of the log has been read.
    pub(crate) fn of(purpose: Purpose) -> Self {
        Self {
            stores: Stores::of(purpose),
            revision: 0,
            index: Index::default(),
            details: Details::default(),
            caps: CapStreams::new(),
            preview: Preview::default(),
            counts: EventCounts::default(),
            replayed: None,
            requests: None,
            at_hand: AtHand::default(),
            spans_at_hand: SpansAtHand::default(),
            described: Sorted::new(),
            fed: 0,
            incomplete: false,
            finished: false,
            has_losses: false,
            exact_until: Nanos(0),
            idle_until: Nanos(0),
        }
    }

    /// Whether the log is over, or will not be read further.
    pub(crate) fn is_finished(&self) -> bool {
        self.finished
    }

    /// Whether everything that the program logged is there: anything missing was not logged.
    pub(crate) fn is_whole(&self) -> bool {
        self.finished && !self.incomplete
    }

    /// Whether bytes of the log were lost, as far as it has been read: they may be of any capability, at any time.
    pub(crate) fn has_losses(&self) -> bool {
        self.has_losses
    }

    /// Whether the program was built with -prof; `None` if the log does not tell. Only such programs have cost centres, and
    /// most breakdowns of the heap.
    pub(crate) fn is_profiled(&self) -> Option<bool> {
        let has_centres =
            self.counts.has_any(&[CostCentre::TAG, HeapProfSampleCostCentre::TAG, ProfSampleCostCentre::TAG]);
        let breakdown = self.breakdown();
        let needs_profiled = breakdown.is_some_and(|breakdown| matches!(breakdown.0, 1..=6 | 9));
        self.stores.process.is_profiled.or_else(|| (has_centres || needs_profiled).then_some(true))
    }

    /// The name of an event type for people: GHC's name; or the one from the first header that names it, if its events are
    /// not GHC's.
    pub(crate) fn type_name(&self, tag: u16) -> LogText<'static> {
        let described = self.described.get(&tag).map(String::as_str);
        let name = described.or_else(|| info(tag).map(|info| info.name));
        name.map_or_else(|| format!("type {tag}").into(), |name| LogText::from(name).into_owned())
    }

    /// The bytes that it holds.
    pub(crate) fn bytes_held(&self) -> usize {
        let texts: usize = self.described.values().map(String::capacity).sum();
        self.stores.bytes_held()
            + self.caps.bytes_held()
            + self.counts.bytes_held()
            + self.index.bytes_held()
            + self.details.bytes_held()
            + self.preview.bytes_held()
            + self.at_hand.bytes_held()
            + self.spans_at_hand.bytes_held()
            + self.replayed.as_ref().map_or(0, Replayed::bytes_held)
            + self.requests.as_ref().map_or(0, Requests::bytes_held)
            + sorted::bytes_held(&self.described)
            + texts
    }

    /// The smallest and the largest time of all events.
    pub(crate) fn extent(&self) -> Option<(Nanos, Nanos)> {
        let times = self.caps.streams.iter().filter_map(CapEvents::times);
        times.reduce(|(first, last), (from, to)| (first.min(from), last.max(to)))
    }

    /// What must be read of the file to decode a segment: offset and length.
    pub(crate) fn read_of(&self, segment: u32) -> Option<(u64, u64)> {
        let Segment { at, end, ahead, .. } = self.index.segment(segment)?;
        Some((at.offset, (end + ahead).min(self.fed) - at.offset))
    }

    /// How many bytes of the file must be read to decode some segments.
    pub(crate) fn bytes_to_read(&self, segments: &[u32]) -> u64 {
        segments.iter().filter_map(|segment| self.read_of(*segment)).map(|(_, length)| length).sum()
    }

    /// What must be read to decode some segments: up to `most` bytes in all, but at least one segment, in the order of the file. Those that
    /// follow each other there are read at once, in pieces: while one is decoded, the next ones can be read.
    pub(crate) fn reads_of(&self, segments: impl Iterator<Item = u32>, most: u64) -> Vec<(u64, u64)> {
        let mut bytes = 0;
        let all = segments.filter_map(|segment| self.read_of(segment)).enumerate();
        let some = all.take_while(|(at, (_, length))| {
            bytes += length;
            *at == 0 || bytes <= most
        });
        let mut parts: Vec<(u64, u64)> = some.map(|(_, part)| part).collect();
        sort_by_number(&mut parts, |(offset, _)| *offset);
        let mut reads: Vec<(u64, u64)> = Vec::new();
        for (offset, length) in parts {
            let follows = |(from, before): &(u64, u64)| {
                (*from..=*from + *before).contains(&offset) && offset + length - *from <= limits::FIND_PIECE
            };
            match reads.last_mut().filter(|last| follows(last)) {
                Some((from, before)) => *before = (*before).max(offset + length - *from),
                None => reads.push((offset, length)),
            }
        }
        reads
    }

    /// Until when everything is known and can be decoded again: nothing that is still to be read is earlier, as far as that
    /// can be known. A capability's events are written when its buffer is full. So if a capability was created and none of
    /// its events has been read, nothing is known about it.
    pub(crate) fn exact_until(&self) -> Nanos {
        if self.finished { Nanos::MAX } else { self.exact_until }
    }

    /// Whether time that is idle up to `to` is certainly idle. The runtime logs in a separate stream when a capability was
    /// disabled, and writes that stream rarely.
    pub(crate) fn is_idle_for_good(&self, to: Nanos) -> bool {
        self.finished || to <= self.idle_until
    }
}
