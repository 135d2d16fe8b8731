//! Logs as they are stored: compressed by gzip or zstd, or as an entry of a zip archive; unpacked front to back.
//!
//! What a file is, its first bytes tell, not its name.

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

/// So many first bytes tell what a file is.
pub const KIND: usize = 4;

/// A file that can be read at any place, and more than once.
pub trait Stored: Read + Seek + Sized + 'static {
    /// The same file for another reader, which moves to its own place before each of its reads.
    ///
    /// # Errors
    /// When the system does not give it.
    fn again(&self) -> io::Result<Self>;
}

impl Stored for File {
    fn again(&self) -> io::Result<Self> {
        self.try_clone()
    }
}

/// The first bytes, fewer if there are no more, and all of them.
///
/// # Errors
/// When reading fails.
pub fn peek<R: Read>(mut bytes: R, size: usize) -> io::Result<(Vec<u8>, impl Read + use<R>)> {
    let mut first = Vec::new();
    bytes.by_ref().take(size as u64).read_to_end(&mut first)?;
    Ok((first.clone(), Cursor::new(first).chain(bytes)))
}
