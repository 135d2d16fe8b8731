//! `--names-from`: names of info tables from another log of the same program.

use crate::{input::Log, loss::Losses};
use ghc_eventlog_model::Model;
use std::{
    ffi::OsStr,
    io::{self, ErrorKind, Read},
};

/// How many bytes are read at once.
const PIECE: usize = 1 << 18;

/// Gives a model that has read its log the names that another log has. Reports how many there are.
///
/// # Errors
/// When that log cannot be read; [`ErrorKind::InvalidInput`] if it has none of the names, or is of another program.
pub(crate) fn take_names(model: &mut Model, from: &OsStr, losses: &Losses) -> io::Result<()> {
    let mut log = Log::open(from, None)?;
    let mut other = model.other_log();
    let mut piece = vec![0; PIECE];
    log.begin("reading names");
    loop {
        match log.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => other.feed(piece.get(..read).unwrap_or_default()),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let sentence = match model.take_names(&other) {
        Ok(found) => {
            losses.note(format_args!("{}: {}", log.name, found.sentence().for_terminal()));
            return Ok(());
        }
        Err(refused) => refused.sentence(),
    };
    Err(io::Error::new(ErrorKind::InvalidInput, format!("{}: {}", log.name, sentence.for_terminal())))
}
