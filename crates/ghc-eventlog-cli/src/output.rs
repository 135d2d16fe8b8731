//! Standard output, whose errors say that it is the output that cannot be written, not the log that cannot be read.

use crate::say::without_number;
use std::io::{self, ErrorKind, Write};

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
