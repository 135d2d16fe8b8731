//! Unpacks stored logs front to back: files compressed by gzip or zstd, and entries of zip archives.
//!
//! The first bytes of a file decide what it is, not its name.

mod archive;
mod compressed;
mod gzip;
mod padding;
mod zstd;

pub use archive::{Archive, Entry, MOST_PEEKS, Search, is_zip};
pub use compressed::{Broken, Compression, Unpacking};

use std::{
    fs::File,
    io::{self, Cursor, Read, Seek},
};

/// How many first bytes it takes to see what a file is.
pub const KIND: usize = 4;

/// A file that can be read at any offset, and by several readers.
pub trait Stored: Read + Seek + Sized + 'static {
    /// The same file for another reader. Each reader moves to its own offset before each of its reads.
    ///
    /// # Errors
    /// When the system cannot open it again.
    fn again(&self) -> io::Result<Self>;
}

impl Stored for File {
    fn again(&self) -> io::Result<Self> {
        self.try_clone()
    }
}

/// Returns the first `size` bytes (fewer if there are no more), and a reader of all bytes, including these.
///
/// # Errors
/// When reading fails.
pub fn peek<R: Read>(mut bytes: R, size: usize) -> io::Result<(Vec<u8>, impl Read + use<R>)> {
    let mut first = Vec::new();
    bytes.by_ref().take(size as u64).read_to_end(&mut first)?;
    Ok((first.clone(), Cursor::new(first).chain(bytes)))
}
