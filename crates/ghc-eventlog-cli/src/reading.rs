//! Reading a log front to back in constant memory.

use ghc_eventlog::{Chunk, Decoder, Error, Record, Step};
use std::{
    io::{self, Read},
    ops::ControlFlow,
};

/// Bytes read at a time.
const PIECE: usize = 1 << 20;

/// A log being read.
pub(crate) struct Reading<R> {
    pub(crate) input: R,
    pub(crate) decoder: Decoder,
    buffer: Vec<u8>,
    /// How much of the buffer has been read.
    length: usize,
    /// Where the buffer begins in the file.
    offset: u64,
    last: bool,
}

/// How far reading came.
pub(crate) enum Pause {
    /// More bytes have come.
    More,
    /// The input has no more bytes for now, though it may have later.
    Starved,
    /// The log is over.
    End,
    /// The log's header cannot be read, and so nothing can.
    Unreadable(Error),
}

/// What is done with a log's events and with whatever else stands in it.
pub(crate) trait Visitor {
    /// The offset at which the fast path pauses, so that [`Self::paused`] can look at the decoder.
    fn pause_at(&self) -> u64 {
        u64::MAX
    }

    /// An event of the fast path, which nearly all go. It is told to nobody else.
    fn plain(&mut self, record: &Record<'_>);

    /// Some events of the fast path have been given; the decoder stands after the last of them.
    fn paused(&mut self, _: &Decoder) {}

    /// Anything else.
    ///
    /// # Errors
    /// When what is made of it cannot be written.
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

    /// Gives every step to `take`, up to the end of the log.
    pub(crate) fn all(&mut self, mut take: impl FnMut(&Decoder, Step<'_>) -> io::Result<()>) -> io::Result<Pause> {
        self.until_the_end(|reading| reading.some(&mut take))
    }

    /// Shows all of the log to a visitor: faster than [`Self::all`].
    pub(crate) fn visit(&mut self, visitor: &mut impl Visitor) -> io::Result<Pause> {
        self.until_the_end(|reading| reading.visit_some(visitor))
    }

    fn until_the_end(&mut self, mut some: impl FnMut(&mut Self) -> io::Result<Pause>) -> io::Result<Pause> {
        loop {
            match some(self)? {
                // The input's end is the log's: what is waited for does not come.
                Pause::Starved if !self.last => self.last = true,
                Pause::More => {}
                pause => return Ok(pause),
            }
        }
    }

    /// Gives every step to `take` for which there are bytes, then reads once.
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

    /// Reads more, behind what is not used yet; whether there is more.
    fn fill(&mut self, needed: usize) -> io::Result<bool> {
        let used = (self.decoder.offset() - self.offset) as usize;
        let rest = used.min(self.length)..self.length;
        let have = rest.len();
        self.buffer.copy_within(rest, 0);
        self.offset = self.decoder.offset();
        // It stays as long as it once was: what is read a little at a time, as from a pipe, is not made room for anew.
        let room = needed.max(PIECE).max(have + 1);
        if self.buffer.len() < room {
            self.buffer.resize(room, 0);
        }
        // Once: what a pipe has now is what there is.
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
