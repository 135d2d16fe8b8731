//! Where output goes, with errors that say that it is the output that cannot be written, not the log that cannot be read.

use crate::say::{shown, without_number};
use std::{
    io::{self, BufWriter, ErrorKind, Write},
    path::Path,
};
use tempfile::NamedTempFile;

/// A writer of the program's output.
pub(crate) struct Output<W>(pub(crate) W);

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(about_output)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(about_output)
    }
}

fn about_output(error: io::Error) -> io::Error {
    match error.kind() {
        // These are dealt with elsewhere.
        ErrorKind::Interrupted | ErrorKind::BrokenPipe => error,
        kind => io::Error::new(kind, format!("cannot write the output: {}", without_number(&error.to_string()))),
    }
}

/// A file that takes its place once it is complete: half of a report is none.
pub(crate) struct Unfinished<'p> {
    path: &'p Path,
    writer: BufWriter<NamedTempFile>,
}

impl<'p> Unfinished<'p> {
    /// What is to be a file.
    ///
    /// # Errors
    /// When nothing can be written in its folder.
    pub(crate) fn to_be(path: &'p Path) -> io::Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = temporary_in(folder).map_err(|error| about(path, &error))?;
        Ok(Self { path, writer: BufWriter::with_capacity(1 << 17, file) })
    }

    /// It is complete.
    ///
    /// # Errors
    /// When it cannot be written to its end, or put in its place.
    pub(crate) fn finish(self) -> io::Result<()> {
        let Self { path, writer } = self;
        let file = writer.into_inner().map_err(|error| about(path, error.error()))?;
        file.persist(path).map_err(|error| about(path, &error.error))?;
        Ok(())
    }
}

impl Write for Unfinished<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes).map_err(|error| about(self.path, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(|error| about(self.path, &error))
    }
}

fn about(path: &Path, error: &io::Error) -> io::Error {
    crate::input::about(&shown(path.as_os_str()), error)
}

/// An empty file in a folder, for whoever may read what its writer writes: other temporary files are for their owner alone.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".ghc-eventlog-");
    #[cfg(unix)]
    {
        use std::{fs::Permissions, os::unix::fs::PermissionsExt};
        // Less what the user's mask takes away.
        builder.permissions(Permissions::from_mode(0o666));
        builder.tempfile_in(folder)
    }
    #[cfg(not(unix))]
    builder.tempfile_in(folder)
}
