//! Merges pieces into one order, in bounded memory.
//!
//! Logs from real runtimes need a few pieces at a time. If more pieces overlap than fit into memory, the rest of those
//! in memory is written in order to a temporary file (a run), and takes part in the merge from there.

use super::{
    Bounds,
    pieces::{Held, Pieces},
    run::{Item, Key, Run, Writer},
};
use crate::input::Source;
use ghc_eventlog_model::{InOrder, Merge as InOne};
use std::io;

/// Passes every record to `take`, in order of time; returns the memory and files that this took.
pub(crate) fn in_order(
    source: &mut Source,
    pieces: &Pieces,
    bounds: Bounds,
    mut take: impl FnMut(&Item<'_>) -> io::Result<()>,
) -> io::Result<Peak> {
    let mut waiting = pieces.list.iter().peekable();
    let mut merge = Merge::new(bounds);
    loop {
        // A piece is loaded when its first time is reached, and not earlier, since a long run of equal times is many
        // pieces.
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

/// The most that a merge has needed. Tests compare it with the bounds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Peak {
    /// Bytes of pieces in memory.
    #[cfg_attr(not(test), allow(dead_code, reason = "for tests"))]
    pub(crate) held_bytes: usize,
    /// Temporary files.
    #[cfg_attr(not(test), allow(dead_code, reason = "for tests"))]
    pub(crate) runs: usize,
}

/// Merges several streams of records, each in order, into one, in bounded memory.
pub(crate) struct Merge {
    streams: InOne<Box<Stream>>,
    bounds: Bounds,
    /// Bytes of the pieces in it.
    held_bytes: usize,
    peak: Peak,
}

impl Merge {
    pub(crate) fn new(bounds: Bounds) -> Self {
        Self { streams: InOne::new(), bounds, held_bytes: 0, peak: Peak::default() }
    }

    fn next_key(&self) -> Option<Key> {
        self.streams.next_key()
    }

    fn add(&mut self, stream: Stream) -> io::Result<()> {
        self.held_bytes += stream.held_bytes();
        self.push(stream)?;
        self.peak.held_bytes = self.peak.held_bytes.max(self.held_bytes);
        if self.held_bytes > self.bounds.held_bytes { self.spill() } else { Ok(()) }
    }

    /// Adds a run. When there are enough runs of a level, they are merged into one of the next level. So each record is
    /// written at most as often as the logarithm of the number of runs, and few files are open.
    pub(crate) fn add_run(&mut self, mut run: Run) -> io::Result<()> {
        let same_level = |stream: &Stream, level| matches!(stream, Stream::Run(run) if run.level == level);
        loop {
            let level = run.level;
            let of_level = self.streams.streams().filter(|stream| same_level(stream, level)).count();
            if of_level + 1 < self.bounds.runs_per_level {
                self.push(Stream::Run(run))?;
                let runs = self.streams.streams().filter(|stream| matches!(&***stream, Stream::Run(_))).count();
                self.peak.runs = self.peak.runs.max(runs);
                return Ok(());
            }
            let mut merged = self.remove(|stream| same_level(stream, level));
            merged.push(Stream::Run(run))?;
            run = merged.into_run(level + 1)?;
        }
    }

    fn push(&mut self, stream: Stream) -> io::Result<()> {
        if let Some(empty) = self.streams.push(Box::new(stream))? {
            self.held_bytes -= empty.held_bytes();
        }
        Ok(())
    }

    /// Makes room: writes everything in memory to a run.
    fn spill(&mut self) -> io::Result<()> {
        let held = self.remove(|stream| matches!(stream, Stream::Held(_)));
        self.held_bytes = 0;
        self.add_run(held.into_run(0)?)
    }

    /// Removes the streams for which `wanted` is true, and returns them.
    fn remove(&mut self, wanted: impl Fn(&Stream) -> bool) -> Self {
        let streams = self.streams.remove(|stream| wanted(stream));
        let held_bytes = streams.streams().map(|stream| stream.held_bytes()).sum();
        Self { streams, bounds: self.bounds, held_bytes, peak: Peak::default() }
    }

    fn into_run(mut self, level: u32) -> io::Result<Run> {
        let mut writer = Writer::new()?;
        self.rest(|item| writer.add(item))?;
        writer.finish(level)
    }

    /// Passes all remaining records to `take`.
    pub(crate) fn rest(&mut self, mut take: impl FnMut(&Item<'_>) -> io::Result<()>) -> io::Result<()> {
        while self.advance(None, &mut take)? {}
        Ok(())
    }

    /// Passes the records of the earliest stream to `take`, until another stream is earlier, or up to `limit`. Returns
    /// whether there was a stream.
    fn advance(&mut self, limit: Option<Key>, take: &mut impl FnMut(&Item<'_>) -> io::Result<()>) -> io::Result<bool> {
        if self.next_key().is_none() {
            return Ok(false);
        }
        let over = self.streams.advance(limit, |stream| stream.take()?.map_or(Ok(()), |item| take(&item)))?;
        if let Some(over) = over {
            self.held_bytes -= over.held_bytes();
        }
        Ok(true)
    }
}

/// Records in order, from memory or from a file.
enum Stream {
    Held(Held),
    Run(Run),
}

impl InOrder for Box<Stream> {
    type Key = Key;
    type Error = io::Error;

    #[inline]
    fn key(&mut self) -> io::Result<Option<Key>> {
        match &mut **self {
            Stream::Held(held) => Ok(held.key()),
            Stream::Run(run) => run.key(),
        }
    }
}

impl Stream {
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
