//! Identifies the file of a name or a handle, so that no output overwrites its own input.

use super::cannot_write;
use crate::say::shown;
use std::{
    ffi::OsStr,
    fs::File,
    io::{self, ErrorKind},
    path::Path,
};

/// The identity of a file. It is the same through symbolic links and hard links.
///
/// Only regular files and block devices have one, since they keep their bytes. A terminal or a socket can be read and
/// written at the same time without harm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity(Inner);

#[cfg(unix)]
#[derive(Debug, Clone, PartialEq, Eq)]
enum Inner {
    /// File system and inode number.
    File(u64, u64),
    /// The device's number, since a device may have several nodes.
    Block(u64),
}

/// On systems other than Unix, hard links are not recognised.
#[cfg(not(unix))]
type Inner = std::path::PathBuf;

impl Identity {
    /// The identity of an open file.
    #[cfg(unix)]
    pub(crate) fn of(file: &File, _: &OsStr) -> Option<Self> {
        Self::from(&file.metadata().ok()?)
    }

    /// The identity of an open file with that name.
    #[cfg(not(unix))]
    pub(crate) fn of(_: &File, name: &OsStr) -> Option<Self> {
        Self::at(Path::new(name))
    }

    /// The identity of the file with that name, through symbolic links.
    #[cfg(unix)]
    pub(crate) fn at(path: &Path) -> Option<Self> {
        Self::from(&path.metadata().ok()?)
    }

    /// The identity of the file with that name, through symbolic links.
    #[cfg(not(unix))]
    pub(crate) fn at(path: &Path) -> Option<Self> {
        path.canonicalize().ok().map(Self)
    }

    #[cfg(unix)]
    pub(super) fn from(metadata: &std::fs::Metadata) -> Option<Self> {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        if metadata.is_file() {
            return Some(Self(Inner::File(metadata.dev(), metadata.ino())));
        }
        metadata.file_type().is_block_device().then(|| Self(Inner::Block(metadata.rdev())))
    }

    /// The identity of the file that standard input reads from, if it is a file.
    #[cfg(unix)]
    pub(crate) fn of_stdin() -> Option<Self> {
        use std::os::fd::AsFd;
        let file = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
        Self::of(&file, OsStr::new("-"))
    }

    /// Standard input has no name here.
    #[cfg(not(unix))]
    pub(crate) fn of_stdin() -> Option<Self> {
        None
    }
}

/// The files that a command reads, with their names in messages.
#[derive(Debug, Default)]
pub(crate) struct Inputs(Vec<(Identity, String)>);

impl Inputs {
    pub(crate) fn add(&mut self, identity: Option<Identity>, name: &str) {
        self.0.extend(identity.map(|identity| (identity, name.to_string())));
    }

    /// # Errors
    /// When output to `path` would overwrite one of them.
    pub(super) fn refuse(&self, path: &Path, output: Option<&Identity>) -> io::Result<()> {
        match self.0.iter().find(|(input, _)| Some(input) == output) {
            None => Ok(()),
            Some((_, name)) => {
                let path = shown(path.as_os_str());
                let text = format!("cannot write {path}: it is the same file as the input {name}; name another one");
                Err(cannot_write(ErrorKind::Other, text))
            }
        }
    }
}
