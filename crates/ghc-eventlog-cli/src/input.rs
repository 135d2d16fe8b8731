//! Where a log comes from: a file, or standard input.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
};

/// A log that can be read at any place.
pub(crate) struct Source {
    /// How messages name it.
    pub(crate) name: String,
    file: File,
}

impl Source {
    /// Opens a file; `-` is standard input, which goes to a temporary file first, since one cannot go back in it.
    pub(crate) fn open(name: &str) -> io::Result<Self> {
        if name != "-" {
            return Ok(Self { name: name.to_string(), file: open(name)? });
        }
        let mut file = tempfile::tempfile()?;
        io::copy(&mut io::stdin().lock(), &mut file)?;
        file.rewind()?;
        Ok(Self { name: "standard input".to_string(), file })
    }

    /// The whole log, from its start.
    pub(crate) fn start(&mut self) -> io::Result<&mut File> {
        self.file.rewind()?;
        Ok(&mut self.file)
    }

    /// The bytes from one offset to another.
    pub(crate) fn range(&mut self, from: u64, to: u64) -> io::Result<Vec<u8>> {
        self.file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::with_capacity((to - from) as usize);
        Read::by_ref(&mut self.file).take(to - from).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Opens a file or standard input for reading front to back.
pub(crate) fn stream(name: &str) -> io::Result<Box<dyn Read>> {
    Ok(if name == "-" { Box::new(io::stdin()) } else { Box::new(open(name)?) })
}

fn open(name: &str) -> io::Result<File> {
    File::open(name).map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))
}
