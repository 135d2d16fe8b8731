//! Reads a log front to back in constant memory.

use ghc_eventlog::{Chunk, Decoder, Error, Record, Step};
use std::{
    io::{self, Read},
    ops::ControlFlow,
};

/// Bytes read at a time.
const PIECE: usize = 1 << 20;

/// A log that is being read.
pub(crate) struct Reading<R> {
    pub(crate) input: R,
    pub(crate) decoder: Decoder,
    buffer: Vec<u8>,
    /// How many bytes of the buffer are filled.
    length: usize,
    /// The buffer's offset in the file.
    offset: u64,
    last: bool,
}

/// Why reading paused.
pub(crate) enum Pause {
    /// More bytes have come.
    More,
    /// The input has no more bytes now, but may have more later.
    Starved,
    /// The log is over.
    End,
    /// The log's header cannot be read, so nothing can.
    Unreadable(Error),
}

/// Handles a log's events and everything else in it. [`Reading::visit`] calls [`Self::plain`] for the events of the
/// fast path, [`Self::paused`] after each run of them, and [`Self::step`] for every other step of the decoder.
pub(crate) trait Visitor {
    /// The offset at which the fast path pauses, so that [`Self::paused`] can look at the decoder.
    fn pause_at(&self) -> u64 {
        u64::MAX
    }

    /// Takes an event of the fast path, as nearly all are. It is not passed to [`Self::step`].
    fn plain(&mut self, record: &Record<'_>);

    /// Called after some events of the fast path. The decoder's position is after the last of them.
    fn paused(&mut self, _: &Decoder) {}

    /// Takes any other step.
    ///
    /// # Errors
    /// When the output cannot be written.
    fn step(&mut self, decoder: &Decoder, step: Step<'_>) -> io::Result<()>;
}

impl<R: Read> Reading<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, decoder: Decoder::new(), buffer: Vec::new(), length: 0, offset: 0, last: false }
    }

    /// How many bytes have been read.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.offset + self.length as u64
    }

    /// Passes every step to `take`, up to the end of the log.
    pub(crate) fn all(&mut self, mut take: impl FnMut(&Decoder, Step<'_>) -> io::Result<()>) -> io::Result<Pause> {
        self.until_the_end(|reading| reading.some(&mut take))
    }

    /// Passes the whole log to a visitor. This is faster than [`Self::all`].
    pub(crate) fn visit(&mut self, visitor: &mut impl Visitor) -> io::Result<Pause> {
        self.until_the_end(|reading| reading.visit_some(visitor))
    }

    fn until_the_end(&mut self, mut some: impl FnMut(&mut Self) -> io::Result<Pause>) -> io::Result<Pause> {
        loop {
            match some(self)? {
                // The end of the input is the end of the log: this does not wait for more.
                Pause::Starved if !self.last => self.last = true,
                Pause::More => {}
                pause => return Ok(pause),
            }
        }
    }

    /// Passes every step to `take` for which there are bytes, then reads once.
    pub(crate) fn some(&mut self, take: &mut impl FnMut(&Decoder, Step<'_>) -> io::Result<()>) -> io::Result<Pause> {
        let bytes = self.buffer.get(..self.length).unwrap_or_default();
        let chunk = Chunk { bytes, offset: self.offset, last: self.last };
        loop {
            match self.decoder.next(chunk) {
                Ok(Step::Need(needed)) => return Ok(if self.fill(needed)? { Pause::More } else { Pause::Starved }),
                Ok(Step::End) => return Ok(Pause::End),
                Ok(step) => take(&self.decoder, step)?,
                Err(error) => return Ok(Pause::Unreadable(error)),
            }
        }
    }

    fn visit_some(&mut self, visitor: &mut impl Visitor) -> io::Result<Pause> {
        let bytes = self.buffer.get(..self.length).unwrap_or_default();
        let chunk = Chunk { bytes, offset: self.offset, last: self.last };
        loop {
            let before = self.decoder.offset();
            self.decoder.each_plain(chunk, visitor.pause_at(), |record| {
                visitor.plain(&record);
                ControlFlow::Continue(())
            });
            if self.decoder.offset() > before {
                visitor.paused(&self.decoder);
                continue;
            }
            match self.decoder.next(chunk) {
                Ok(Step::Need(needed)) => return Ok(if self.fill(needed)? { Pause::More } else { Pause::Starved }),
                Ok(Step::End) => return Ok(Pause::End),
                Ok(step) => visitor.step(&self.decoder, step)?,
                Err(error) => return Ok(Pause::Unreadable(error)),
            }
        }
    }

    /// Reads more bytes after the unused ones; returns whether there are more.
    fn fill(&mut self, needed: usize) -> io::Result<bool> {
        let used = (self.decoder.offset() - self.offset) as usize;
        let rest = used.min(self.length)..self.length;
        let have = rest.len();
        self.buffer.copy_within(rest, 0);
        self.offset = self.decoder.offset();
        // The buffer keeps its largest size, so that small reads, as from a pipe, do not clear new memory each time.
        let room = needed.max(PIECE).max(have + 1);
        if self.buffer.len() < room {
            self.buffer.resize(room, 0);
        }
        // Reads once, to return what a pipe has now.
        let read = loop {
            match self.input.read(self.buffer.get_mut(have..).unwrap_or_default()) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.length = have + read;
        Ok(read > 0)
    }
}
