//! The output. Its errors say that the output cannot be written, so that they are not taken for errors of reading the
//! log.

mod identity;
mod pending;
mod place;
#[cfg(unix)]
mod signals;
mod unfinished;

use crate::{progress, say::without_number};
use std::{
    error::Error,
    fmt::{self, Display},
    io::{self, ErrorKind, Write},
};

pub(crate) use identity::{Identity, Inputs};
pub(crate) use place::refuse;
#[cfg(unix)]
pub(crate) use signals::{clean_up_before_the_end, too_large_files_are_errors};
pub(crate) use unfinished::Unfinished;

/// A writer to standard output.
pub(crate) struct Output<W>(pub(crate) W);

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        progress::make_way();
        self.0.write(bytes).map_err(about_output)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(about_output)
    }
}

fn about_output(error: io::Error) -> io::Error {
    match error.kind() {
        // The callers handle these two.
        ErrorKind::Interrupted | ErrorKind::BrokenPipe => error,
        kind => cannot_write(kind, format!("cannot write the output: {}", without_number(&error.to_string()))),
    }
}

/// The text of an error about writing the output or a temporary file. Such an error alone decides the exit code,
/// whatever the command was doing and whatever the system's error code is.
#[derive(Debug)]
struct CannotWrite(String);

impl Display for CannotWrite {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl Error for CannotWrite {}

/// An error that [`is_about_writing`].
pub(crate) fn cannot_write(kind: ErrorKind, text: String) -> io::Error {
    io::Error::new(kind, CannotWrite(text))
}

/// Whether it was the output or a temporary file that could not be written.
pub(crate) fn is_about_writing(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<CannotWrite>())
}
