//! Pieces merged into one order, in bounded memory.
//!
//! Logs as runtimes write them need a few pieces at a time. Where more overlap than there is memory for, what is left of
//! those at hand goes, in order, into a temporary file, a run, and takes part in the merge from there.

use super::{
    Bounds,
    pieces::{Held, Pieces},
    run::{Item, Key, Run, Writer},
};
use crate::input::Source;
use std::{cmp::Reverse, collections::BinaryHeap, io};

/// Gives every record to `take`, in order of time; what that took.
pub(crate) fn in_order(
    source: &mut Source,
    pieces: &Pieces,
    bounds: Bounds,
    mut take: impl FnMut(&Item<'_>) -> io::Result<()>,
) -> io::Result<Peak> {
    let mut waiting = pieces.list.iter().peekable();
    let mut merge = Merge::new(bounds);
    loop {
        // A piece is needed as soon as its first time has come; no sooner, as a long run of equal times is many pieces.
        while let Some(piece) = waiting.peek().copied()
            && merge.next_key().is_none_or(|key| piece.key() <= key)
        {
            waiting.next();
            merge.add(Stream::Held(pieces.load(source, piece)?))?;
        }
        let limit = waiting.peek().map(|piece| piece.key());
        if !merge.advance(limit, &mut take)? {
            return Ok(merge.peak);
        }
    }
}

/// The most that a merge has needed, which tests hold against its bounds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Peak {
    /// Bytes of pieces in memory.
    #[cfg_attr(not(test), allow(dead_code, reason = "for tests"))]
    pub(crate) held_bytes: usize,
    /// Temporary files.
    #[cfg_attr(not(test), allow(dead_code, reason = "for tests"))]
    pub(crate) runs: usize,
}

/// Some streams of records, each in order, becoming one.
pub(crate) struct Merge {
    heap: BinaryHeap<Head>,
    bounds: Bounds,
    /// Bytes of the pieces in the heap.
    held_bytes: usize,
    peak: Peak,
}

impl Merge {
    pub(crate) fn new(bounds: Bounds) -> Self {
        Self { heap: BinaryHeap::new(), bounds, held_bytes: 0, peak: Peak::default() }
    }

    fn next_key(&self) -> Option<Key> {
        self.heap.peek().map(|head| head.key.0)
    }

    fn add(&mut self, stream: Stream) -> io::Result<()> {
        self.held_bytes += stream.held_bytes();
        self.push(stream)?;
        self.peak.held_bytes = self.peak.held_bytes.max(self.held_bytes);
        if self.held_bytes > self.bounds.held_bytes { self.spill() } else { Ok(()) }
    }

    /// Adds a run. Where there are enough of its level, all of them become one of the next: so no record is written
    /// more often than the logarithm of their number, and few files are open.
    pub(crate) fn add_run(&mut self, mut run: Run) -> io::Result<()> {
        let same_level = |head: &Head, level| matches!(&*head.stream, Stream::Run(run) if run.level == level);
        loop {
            let level = run.level;
            if self.heap.iter().filter(|head| same_level(head, level)).count() + 1 < self.bounds.runs_per_level {
                self.push(Stream::Run(run))?;
                let runs = self.heap.iter().filter(|head| matches!(&*head.stream, Stream::Run(_))).count();
                self.peak.runs = self.peak.runs.max(runs);
                return Ok(());
            }
            let mut merged = self.remove(|head| same_level(head, level));
            merged.push(Stream::Run(run))?;
            run = merged.into_run(level + 1)?;
        }
    }

    fn push(&mut self, mut stream: Stream) -> io::Result<()> {
        match stream.key()? {
            Some(key) => self.heap.push(Head { key: Reverse(key), stream: Box::new(stream) }),
            None => self.held_bytes -= stream.held_bytes(),
        }
        Ok(())
    }

    /// Makes room: what is in memory goes into a run.
    fn spill(&mut self) -> io::Result<()> {
        let held = self.remove(|head| matches!(&*head.stream, Stream::Held(_)));
        self.held_bytes = 0;
        self.add_run(held.into_run(0)?)
    }

    /// Takes the streams out that `wanted` wants.
    fn remove(&mut self, wanted: impl Fn(&Head) -> bool) -> Self {
        let mut removed = Self::new(self.bounds);
        let (out, stay) = std::mem::take(&mut self.heap).into_iter().partition(wanted);
        (removed.heap, self.heap) = (out, stay);
        removed.held_bytes = removed.heap.iter().map(|head| head.stream.held_bytes()).sum();
        removed
    }

    fn into_run(mut self, level: u32) -> io::Result<Run> {
        let mut writer = Writer::new()?;
        self.rest(|item| writer.add(item))?;
        writer.finish(level)
    }

    /// Gives all records to `take`.
    pub(crate) fn rest(&mut self, mut take: impl FnMut(&Item<'_>) -> io::Result<()>) -> io::Result<()> {
        while self.advance(None, &mut take)? {}
        Ok(())
    }

    /// Gives the earliest stream's records to `take`, up to where another stream is earlier, or up to `limit`; whether
    /// there was a stream.
    fn advance(&mut self, limit: Option<Key>, take: &mut impl FnMut(&Item<'_>) -> io::Result<()>) -> io::Result<bool> {
        let Some(mut head) = self.heap.pop() else { return Ok(false) };
        let limit = [limit, self.next_key()].into_iter().flatten().min();
        while let Some(item) = head.stream.take()? {
            take(&item)?;
            let Some(key) = head.stream.key()? else { break };
            // As long as nobody else is earlier, there is no need to ask again.
            if limit.is_some_and(|limit| limit <= key) {
                head.key = Reverse(key);
                self.heap.push(head);
                return Ok(true);
            }
        }
        self.held_bytes -= head.stream.held_bytes();
        Ok(true)
    }
}

/// Records in order, from memory or from a file.
enum Stream {
    Held(Held),
    Run(Run),
}

impl Stream {
    #[inline]
    fn key(&mut self) -> io::Result<Option<Key>> {
        match self {
            Self::Held(held) => Ok(held.key()),
            Self::Run(run) => run.key(),
        }
    }

    #[inline]
    fn take(&mut self) -> io::Result<Option<Item<'_>>> {
        match self {
            Self::Held(held) => Ok(held.take()),
            Self::Run(run) => run.take(),
        }
    }

    fn held_bytes(&self) -> usize {
        match self {
            Self::Held(held) => held.bytes_held(),
            Self::Run(_) => 0,
        }
    }
}

/// A stream by its next record.
struct Head {
    key: Reverse<Key>,
    stream: Box<Stream>,
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Head {}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Head {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}
