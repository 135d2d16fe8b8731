//! Which segments of the file have events about threads.

use crate::{
    keeping::{crossing::requests::Requests, store::Store},
    known::Known,
    limits,
    terms::{place::Needed, tags::Tags},
};
use alloc::{vec, vec::Vec};
use ghc_eventlog::{
    CreateSparkThread, CreateThread, GcDone, GcEnd, GcGlobalSync, GcIdle, GcStart, GcWork, MigrateThread, Nanos,
    RequestParGc, RequestSeqGc, RunThread, SparkRun, SparkSteal, StopThread, ThreadRunnable, ThreadWakeup,
    UserBinaryMsg, UserMarker, UserMsg,
};

/// The events that a lane's machine must follow to know which thread runs.
pub(crate) const LANE: Tags = Tags::of(&[
    RunThread::TAG,
    StopThread::TAG,
    RequestSeqGc::TAG,
    RequestParGc::TAG,
    GcStart::TAG,
    GcWork::TAG,
    GcIdle::TAG,
    GcDone::TAG,
    GcEnd::TAG,
]);

/// The events that the machine of collections must follow to know which capability collects, and since when.
pub(crate) const COLLECTOR: Tags =
    Tags::of(&[RequestSeqGc::TAG, RequestParGc::TAG, GcStart::TAG, GcGlobalSync::TAG, GcEnd::TAG]);

/// The other events about threads.
pub(crate) const TAGS: Tags =
    Tags::of(&[CreateThread::TAG, CreateSparkThread::TAG, ThreadRunnable::TAG, MigrateThread::TAG, ThreadWakeup::TAG]);

/// The events with which a thread starts a spark.
pub(crate) const SPARKS: Tags = Tags::of(&[SparkRun::TAG, SparkSteal::TAG]);

/// All events that are read.
const ALL: Tags = LANE.with(COLLECTOR).with(TAGS).with(SPARKS).with(MESSAGES);

/// They may begin or end user spans, or have values.
const MESSAGES: Tags = Tags::of(&[UserMsg::TAG, UserMarker::TAG, UserBinaryMsg::TAG]);

impl Known {
    /// For each segment, whether it may have events about threads: a profile's segments have only samples. The segment with a
    /// capability's last event also counts, since a thread may have been running from segments before.
    pub(crate) fn tell_of_threads(&self) -> Vec<bool> {
        let read = if self.stores.messages.may_tell { ALL } else { ALL.without(MESSAGES) };
        let mut tell: Vec<bool> =
            self.index.segments().iter().map(|segment| segment.occurring.tags.has_any(read)).collect();
        for stream in 0..self.caps.streams.len() {
            let turns = self.index.all_turns(stream);
            let last = turns.filter(|turn| turn.lane().thread().is_some() && turn.may_be_last());
            for turn in last {
                if let Some(tells) = tell.get_mut(turn.entry.segment as usize) {
                    *tells = true;
                }
            }
        }
        tell
    }

    /// The segments with events in `from..to` that may be about threads.
    pub(crate) fn segments_between(&self, from: Nanos, to: Nanos) -> Vec<u32> {
        let mut last = vec![Nanos(0); self.index.segments().len()];
        for entry in (0..self.caps.streams.len()).flat_map(|stream| self.index.stream(stream)) {
            if let Some(last) = last.get_mut(entry.segment as usize) {
                *last = (*last).max(entry.to);
            }
        }
        let all = self.index.segments().iter().zip(last).zip(self.tell_of_threads()).zip(0..);
        all.filter(|(((segment, last), tells), _)| segment.first < to && *last >= from && *tells)
            .map(|(_, number)| number)
            .collect()
    }

    /// Bytes of the room for details that others use: profiles, and what is known of threads.
    pub(crate) fn beside_details(&self) -> usize {
        let threads = self
            .replayed
            .as_ref()
            .map_or(0, |replayed| replayed.bytes_held() + limits::AT_HAND_BYTES.max(replayed.waiting_bytes));
        self.stores.profiles.bytes_held()
            + threads
            + self.spans_at_hand.bytes_held()
            + self.requests.as_ref().map_or(0, Requests::bytes_held)
    }

    /// The parts of the file to read for the needed segments that are not at hand: offsets and lengths, in order.
    pub(crate) fn ops_to_read(&self, Needed { segments, only }: &Needed) -> Vec<(u64, u64)> {
        let missing = segments.iter().filter(|segment| !self.at_hand.has(**segment, *only));
        // What is read at once is in memory at once.
        let mut reads: Vec<(u64, u64)> = Vec::new();
        for (offset, length) in missing.filter_map(|segment| self.read_of(*segment)) {
            match reads.last_mut() {
                Some((from, before)) if *from + *before >= offset && offset + length - *from <= limits::LOOKUP_READ => {
                    *before = (*before).max(offset + length - *from);
                }
                _ => reads.push((offset, length)),
            }
        }
        reads
    }

    /// The segments of all pieces that overlap `from..to`, for what threads did then. `None` before the replay is complete,
    /// and where that is too much to read.
    pub(crate) fn thread_segments(&self, from: Nanos, to: Nanos) -> Option<Vec<u32>> {
        let replayed = self.replayed.as_ref().filter(|replayed| replayed.is_done)?;
        let cells = &replayed.lives.cells;
        let end = cells.begin(cells.piece(to).saturating_add(1));
        let segments = self.segments_between(cells.begin(cells.piece(from)), end);
        (self.bytes_to_read(&segments) <= limits::THREADS_READ).then_some(segments)
    }
}
