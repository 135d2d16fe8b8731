//! Gzip members, one after the other (RFC 1952, 2.2), and what may follow them.

use crate::padding::padded;
use flate2::bufread::GzDecoder;
use std::{
    error::Error,
    fmt,
    io::{self, BufRead, ErrorKind, Read},
};

/// The content of the members, with [padding](padded) between and after them.
pub(crate) struct Members<R> {
    state: State<R>,
    /// Whether at least one member is complete.
    some: bool,
}

enum State<R> {
    /// Within a member.
    Inside(Box<GzDecoder<R>>),
    /// Before one, or at the end.
    Between(R),
    /// After an error.
    Over,
}

impl<R: BufRead> Members<R> {
    pub(crate) fn new(compressed: R) -> Self {
        Self { state: State::Between(compressed), some: false }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            match &mut self.state {
                State::Inside(member) => match member.read(out) {
                    // This is not a gzip member.
                    Err(error) if self.some && error.kind() == ErrorKind::InvalidInput && member.header().is_none() => {
                        self.state = State::Over;
                        return Err(Trailing.into());
                    }
                    Ok(0) if !out.is_empty() => self.leave(),
                    read => return read,
                },
                State::Between(compressed) => {
                    match padded(compressed)? {
                        None => return Ok(0),
                        Some(FIRST) => {}
                        // For the first member, the decoder's error says what is wrong.
                        Some(_) if !self.some => {}
                        Some(_) => {
                            self.state = State::Over;
                            return Err(Trailing.into());
                        }
                    }
                    self.enter();
                }
                State::Over => return Ok(0),
            }
        }
    }
}

/// The first byte of every member.
const FIRST: u8 = 0x1f;

impl<R: BufRead> Members<R> {
    fn enter(&mut self) {
        if let State::Between(compressed) = std::mem::replace(&mut self.state, State::Over) {
            self.state = State::Inside(Box::new(GzDecoder::new(compressed)));
        }
    }

    fn leave(&mut self) {
        self.some = true;
        if let State::Inside(member) = std::mem::replace(&mut self.state, State::Over) {
            self.state = State::Between(member.into_inner());
        }
    }
}

/// The error if something other than gzip follows the last member.
#[derive(Debug)]
pub(crate) struct Trailing;

impl fmt::Display for Trailing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "what follows the compressed data is not gzip")
    }
}

impl Error for Trailing {}

impl From<Trailing> for io::Error {
    fn from(trailing: Trailing) -> Self {
        Self::new(ErrorKind::InvalidData, trailing)
    }
}
