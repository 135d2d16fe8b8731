//! Chooses an entry of a zip archive.

use crate::say::shown;
use ghc_eventlog_unpack::{Archive, Entry, MOST_PEEKS, Unpacking};
use std::{
    ffi::OsStr,
    fs::File,
    io::{self, ErrorKind},
};

/// Opens the entry named `entry`, or the only one that is a log. Also returns its length according to the archive.
///
/// # Errors
/// When there is no such entry, or more than one log: the message lists the entries to choose from.
pub(super) fn open(file: File, entry: Option<&str>) -> io::Result<(Unpacking, Option<u64>)> {
    let mut archive = Archive::open(file)?;
    let index = match entry {
        Some(name) => named(&mut archive, name)?,
        None => only_log(&mut archive)?,
    };
    let size = archive.entry(index).map(|entry| entry.size);
    Ok((archive.unpack(index)?, size))
}

fn named(archive: &mut Archive<File>, name: &str) -> io::Result<usize> {
    archive.find(name).ok_or_else(|| {
        let names = list(archive.entries(), archive.len());
        io::Error::new(ErrorKind::NotFound, format!("no entry {} among these:{names}", shown(OsStr::new(name))))
    })
}

/// The index of the only entry that is a log.
fn only_log(archive: &mut Archive<File>) -> io::Result<usize> {
    let logs = archive.logs();
    match logs.as_slice() {
        [log] => Ok(log.index),
        [] if archive.len() > MOST_PEEKS => Err(io::Error::other(format!(
            "no entry of the zip archive is named like an eventlog, and none of the {MOST_PEEKS} that were looked into is one; \
             if another one is, choose it with --entry NAME"
        ))),
        [] => Err(io::Error::other("no entry of the zip archive is an eventlog")),
        _ => {
            let count = logs.len();
            let names = list(logs.into_iter(), count);
            Err(io::Error::other(format!("{count} entries are logs; choose one with --entry NAME:{names}")))
        }
    }
}

/// The most names that are listed.
const MOST_NAMES: usize = 100;

/// The names, one on each line, made safe for a terminal.
fn list(entries: impl Iterator<Item = Entry>, count: usize) -> String {
    let names = entries.take(MOST_NAMES).map(|entry| format!("\n  {}", shown(OsStr::new(&entry.name))));
    let more = count.saturating_sub(MOST_NAMES);
    names.chain((more > 0).then(|| format!("\n  and {more} more"))).collect()
}
