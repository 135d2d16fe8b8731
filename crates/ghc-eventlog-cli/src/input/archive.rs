//! Which entry of a zip archive is meant.

use ghc_eventlog_unpack::{Archive, Unpacking};
use std::{
    fs::File,
    io::{self, ErrorKind},
};

/// Opens the entry of that name, or else the only one that is a log.
///
/// # Errors
/// When there is no such entry, or more than one: the message lists what there is to choose from.
pub(super) fn open(file: File, entry: Option<&str>) -> io::Result<Unpacking> {
    let mut archive = Archive::open(file)?;
    let index = match entry {
        Some(name) => named(&mut archive, name)?,
        None => only_log(&mut archive)?,
    };
    archive.unpack(index)
}

fn named(archive: &mut Archive<File>, name: &str) -> io::Result<usize> {
    let entries = archive.entries();
    if let Some(entry) = entries.iter().find(|entry| entry.name == name) {
        return Ok(entry.index);
    }
    let names = list(entries.iter().map(|entry| &*entry.name));
    Err(io::Error::new(ErrorKind::NotFound, format!("no entry {name:?} among these:{names}")))
}

/// The number of the entry that is a log.
fn only_log(archive: &mut Archive<File>) -> io::Result<usize> {
    match archive.logs().as_slice() {
        [log] => Ok(log.index),
        [] => Err(io::Error::other("no entry of the zip archive is an eventlog")),
        logs => {
            let names = list(logs.iter().map(|entry| &*entry.name));
            Err(io::Error::other(format!("{} entries are logs; choose one with --entry NAME:{names}", logs.len())))
        }
    }
}

/// Names one below the other; what is in them must not do anything to a terminal.
fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("\n  {}", name.escape_debug())).collect()
}
