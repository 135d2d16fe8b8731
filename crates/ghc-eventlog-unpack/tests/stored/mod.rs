//! A file in memory that returns few bytes at a time, interrupts reads, and counts them.

use ghc_eventlog_unpack::Stored;
use std::{
    cell::Cell,
    io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom},
    rc::Rc,
};

pub(crate) struct File {
    bytes: Cursor<Rc<[u8]>>,
    /// How many bytes a read returns at most.
    grain: usize,
    /// Whether every other read is interrupted.
    interrupts: bool,
    interrupted: bool,
    pub(crate) reads: Rc<Cell<usize>>,
}

impl File {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let bytes = Cursor::new(bytes.into());
        Self { bytes, grain: usize::MAX, interrupts: false, interrupted: false, reads: Rc::default() }
    }

    #[allow(dead_code, reason = "not every test is awkward")]
    /// A file that returns at most `grain` bytes at a time, and interrupts every other read.
    pub(crate) fn awkward(bytes: &[u8], grain: usize) -> Self {
        Self { grain, interrupts: true, ..Self::new(bytes) }
    }
}

impl Read for File {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.reads.set(self.reads.get() + 1);
        self.interrupted = self.interrupts && !self.interrupted;
        if self.interrupted {
            return Err(ErrorKind::Interrupted.into());
        }
        let size = out.len().min(self.grain);
        self.bytes.read(&mut out[..size])
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

impl Stored for File {
    fn again(&self) -> io::Result<Self> {
        let bytes = Cursor::new(Rc::clone(self.bytes.get_ref()));
        Ok(Self { bytes, interrupted: false, reads: Rc::clone(&self.reads), ..*self })
    }
}
