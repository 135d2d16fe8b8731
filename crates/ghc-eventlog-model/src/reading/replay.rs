//! The second pass: reads the log again in order of time, for what crosses capabilities: threads, user spans, who stopped last
//! before each collection, why capabilities were idle, and how long sparks ran.
//!
//! For example, a STOP is in one capability's stream, and the THREAD_WAKEUP after it in another's, in a block that may come a
//! gigabyte later.
//!
//! ```text
//! segments, by file    |  0: cap 0  |  1: cap 1  |  2: cap 0  |
//! their times          10 .. 30      12 .. 28      30 .. 55
//! in order of time     0 and 1 together, then 2
//! ```
//!
//! Segments are read in order of their first times, decoded to [`Op`]s, and merged (`in_order.rs`): a segment is in memory
//! only during its time. The results are kept in [`Replayed`], with the log's other tables.

use super::parts::{PARTS_AT_ONCE, Part};
use crate::{
    keeping::{
        crossing::{
            Break, Replayed,
            chains::{CHAINS, Chains},
            marks::Mark,
            spans::Ends,
            spark_runs::SparkRuns,
        },
        store::Store,
    },
    known::{Known, at_hand, stores::Stores},
    limits,
    reading::{
        again::Failure,
        in_order::{Follower, Replay},
        job::Changed,
        model::Model,
    },
    terms::{
        machine::Watched,
        op::{Besides, Op, What},
    },
};
use alloc::vec::Vec;
use ghc_eventlog::{
    Chunk, CreateThread, MigrateThread, Nanos, RunThread, StopThread, ThreadRunnable, ThreadWakeup, UserBinaryMsg,
    UserMarker, UserMsg,
};

/// Takes the events of a segment, and what its messages say. Called once for each segment: a copy of the code for each caller would be no
/// faster, and the page would have to load it.
type TakeOps<'t> = dyn FnMut(&Known, u32, Vec<Op>, Vec<Mark>) + 't;

impl Model {
    /// Begins to read the log again in order of time, for what crosses capabilities: what each thread did, why it waited, and
    /// which thread woke it up; and user spans. It is a [`Job`](crate::Job); its results so far are in the facts, tables and
    /// tracks of threads and spans. Earlier results are dropped. `None` as long as the log has not been read, and for a log
    /// without threads and messages.
    #[must_use]
    pub fn replay(&mut self) -> Option<Replay> {
        let beside = self.known.stores.profiles.bytes_held();
        self.replay_within(limits::REPLAY_BYTES.saturating_sub(beside).max(limits::REPLAY_LEAST))
    }

    /// The same within `most_bytes`, for tests. The limit only affects how often parts of the log are read.
    #[doc(hidden)]
    #[must_use]
    pub fn replay_within(&mut self, most_bytes: usize) -> Option<Replay> {
        let known = &mut self.known;
        known.begin_replay(most_bytes)?;
        Some(Replay::of(known, Follower::Replayed, most_bytes))
    }

    /// How far the replay is: until when everything is known that crosses capabilities. `None` if it has not been
    /// [begun](Self::replay).
    #[must_use]
    pub fn replayed_until(&self) -> Option<Nanos> {
        self.known.replayed.as_ref().map(|replayed| if replayed.is_done { Nanos::MAX } else { replayed.until })
    }
}

impl Model {
    /// Takes the user spans of segments that were asked for.
    pub(crate) fn supply_spans(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        let Some(mut reading) = self.known.spans_at_hand.take_reading() else { return Ok(()) };
        let wanted = reading.missing().to_vec();
        let each = self.each_ops(
            offset,
            bytes,
            &|number| wanted.contains(&number),
            Besides::Marks,
            &mut |known, number, ops, marks| reading.take(known, number, &ops, &marks),
        );
        let Known { replayed, spans_at_hand, .. } = &mut self.known;
        if let Some(replayed) = replayed {
            spans_at_hand.go_on(reading, &replayed.spans);
        }
        each
    }

    /// Keeps the thread events of segments that were asked for.
    pub(crate) fn supply_ops(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        let wanted = self.known.at_hand.take_wanted();
        let mut come: Vec<(u32, Vec<Op>)> = Vec::new();
        let is_wanted = |number: u32| wanted.iter().any(|(wanted, _)| *wanted == number);
        let each = self.each_ops(offset, bytes, &is_wanted, Besides::Nothing, &mut |_, number, mut ops, _| {
            let only = wanted.iter().find(|(wanted, _)| *wanted == number).and_then(|(_, only)| *only);
            at_hand::keep_only(&mut ops, only);
            come.push((number, ops));
        });
        self.known.at_hand.give_back(wanted);
        come.into_iter().for_each(|(number, ops)| self.known.at_hand.insert(number, ops));
        each
    }

    /// The thread events of those segments that lie completely within the bytes: passes each segment's events to `take`, with
    /// its number. They include what `besides` says.
    ///
    /// # Errors
    /// If the bytes differ from what was fed.
    pub(crate) fn each_ops(
        &mut self,
        offset: u64,
        bytes: &[u8],
        wanted: &dyn Fn(u32) -> bool,
        besides: Besides,
        take: &mut TakeOps<'_>,
    ) -> Result<(), Changed> {
        let end = offset + bytes.len() as u64;
        let segments = self.known.index.segments_within(offset, end).filter(|number| wanted(*number));
        let mut chunks: Vec<(u32, Chunk<'_>)> = Vec::new();
        for number in segments {
            let Some(segment) = self.known.index.segment(number) else { continue };
            // The first pass did not look beyond what was fed, either.
            let chunk = Chunk { bytes, offset, last: end >= self.known.fed };
            chunks.push((number, chunk.from(segment.at.offset)));
        }
        if besides != Besides::Nothing && self.known.stores.messages.lacks_labels {
            self.look_for_labels(&mut chunks)?;
        }
        for some in chunks.chunks(PARTS_AT_ONCE) {
            let mut parts: Vec<Part<'_>> =
                some.iter().map(|(number, chunk)| Part::of(self, *number, *chunk, besides)).collect();
            (self.share)(&mut parts);
            let found: Vec<_> = parts.into_iter().map(|part| (part.segment, part.found)).collect();
            for (number, found) in found {
                match found {
                    Ok((ops, marks)) => take(&self.known, number, ops, marks),
                    Err(Failure::Need(ahead)) => self.known.index.look_further(number, ahead),
                    Err(Failure::Changed) => return Err(Changed),
                }
            }
        }
        Ok(())
    }

    /// Keeps the labels of the spans that begin in some segments. Drops the segments for which more must be read.
    fn look_for_labels(&mut self, chunks: &mut Vec<(u32, Chunk<'_>)>) -> Result<(), Changed> {
        let Self { known, decoder, .. } = self;
        let mut is_changed = false;
        chunks.retain(|(number, chunk)| match known.look_for_labels(*number, *chunk, decoder) {
            Ok(()) => true,
            Err(Failure::Need(ahead)) => {
                known.index.look_further(*number, ahead);
                false
            }
            Err(Failure::Changed) => {
                is_changed = true;
                false
            }
        });
        let messages = &mut known.stores.messages;
        messages.lacks_labels &= !messages.labels.has_all_chosen();
        if is_changed { Err(Changed) } else { Ok(()) }
    }
}

impl Known {
    /// Drops the results of an earlier replay; `None` if the log has nothing that can be replayed. `most_bytes` are for events that wait.
    pub(super) fn begin_replay(&mut self, most_bytes: usize) -> Option<()> {
        let (begin, end) = self.extent().filter(|_| self.is_finished() && self.crosses_capabilities())?;
        self.at_hand.clear();
        self.spans_at_hand.clear();
        self.revision += 1;
        self.requests = None;
        let (account, breaks, sparks) = (self.account(), self.breaks(), SparkRuns::new(self.gaps()));
        let own = self.stores.threads.of_runtime().map(|(_, thread)| thread.id);
        let chains = Chains::new(own.take(CHAINS).collect());
        let mut replayed = Replayed::new(begin, end, &self.stores.collections, account, breaks, sparks, chains);
        replayed.lives.rowless.set_room(limits::ROWLESS_BYTES + most_bytes / 4 * 3);
        replayed.lives.reserve(self.stores.threads.rows().len());
        if self.stores.threads.rows().len() > limits::MAX_WAITED {
            replayed.lives.keep_waits_of(self.stores.threads.likely_waiters(limits::MAX_WAITED));
        }
        self.replayed = Some(replayed);
        self.details.leave_room(self.beside_details());
        self.stores.diagnostics.found_again([]);
        Some(())
    }

    /// Begins the replay again with the heaviest labels of user spans, if these are not kept. For the end of a replay, and early in a long one.
    pub(super) fn begin_replay_with_other_labels(&mut self, most_bytes: usize, is_over: bool) -> Option<()> {
        let Replayed { spans, lives, end, .. } = self.replayed.as_mut()?;
        let Stores { threads, messages, .. } = &mut self.stores;
        let processes: Vec<Nanos> = self.index.processes.over().map(|(time, _)| time).collect();
        let ends = Ends { log: *end, processes: &processes, threads, lives };
        let is_better = spans.choose_labels(&mut messages.labels, is_over.then_some(ends));
        messages.lacks_labels |= is_better;
        if is_better { self.begin_replay(most_bytes) } else { None }
    }

    /// What happens to many threads at once.
    fn breaks(&self) -> Vec<Break> {
        let pauses = self.stores.pauses.of_class(Watched::Threads);
        let pauses = pauses.map(|(from, _)| Break { time: from, what: What::Unlogged, threads: (0, u32::MAX) });
        let over = self.index.processes.over();
        let over = over.map(|(time, threads)| Break { time, what: What::ProcessOver, threads });
        pauses.chain(over).collect()
    }

    /// When it is not known what threads do, from one moment to another: they may have done anything.
    fn gaps(&self) -> Vec<(Nanos, Nanos)> {
        let stopped = self.index.processes.stopped().iter().map(|time| (*time, *time));
        self.stores.pauses.of_class(Watched::Threads).chain(stopped).collect()
    }

    /// Whether any event of the log is about threads, or may be about spans.
    pub(crate) fn crosses_capabilities(&self) -> bool {
        const TAGS: &[u16] = &[
            RunThread::TAG,
            StopThread::TAG,
            CreateThread::TAG,
            ThreadWakeup::TAG,
            MigrateThread::TAG,
            ThreadRunnable::TAG,
            UserMsg::TAG,
            UserBinaryMsg::TAG,
            UserMarker::TAG,
        ];
        self.counts.has_any(TAGS) || !self.stores.threads.rows().is_empty()
    }

    /// The replay is complete.
    pub(crate) fn finish_replay(&mut self) {
        let Some(replayed) = &mut self.replayed else { return };
        (replayed.until, replayed.is_done) = (replayed.end, true);
        let Stores { threads, collections, .. } = &self.stores;
        replayed.break_until(replayed.end, (threads, collections));
        replayed.lives.finish(replayed.end);
        let labels = &self.stores.messages.labels;
        let processes: Vec<Nanos> = self.index.processes.over().map(|(time, _)| time).collect();
        let Replayed { spans, lives, end, .. } = replayed;
        let ends = Ends { log: *end, processes: &processes, threads, lives };
        spans.finish(ends, collections, labels);
        replayed.counters.finish();
        replayed.repeats.finish();
        // Capabilities may be deleted after their last event.
        replayed.account.finish(replayed.end);
        self.stores.diagnostics.found_again(replayed.diagnostics());
        self.stores.messages.lacks_labels = false;
    }
}
