//! The file that `-o` names, while it is written.

#[cfg(unix)]
use super::place::descriptors;
use super::{
    Inputs,
    pending::Pending,
    place::{Kind, Place, about},
};
use crate::{input::temporary, progress};
use std::{
    fs::{File, Metadata, OpenOptions},
    io::{self, BufWriter, ErrorKind, Seek, Write},
    path::{Path, PathBuf},
};

/// Output to a file. A regular file is replaced once the output is complete. A file that cannot be replaced, because it
/// has other names or its folder forbids it, is overwritten at the end; a full disk can leave it incomplete. A device,
/// a pipe or a descriptor gets the bytes as they come.
pub(crate) struct Unfinished<'p> {
    path: &'p Path,
    writer: BufWriter<Way>,
}

/// How the bytes get to the file.
enum Way {
    /// Directly.
    Stream(Box<dyn Write>),
    /// Through a temporary file that replaces the file with that name.
    Rename { pending: Pending, path: PathBuf, replaced: Option<File> },
    /// Through a temporary file that is copied at the end, for files that must stay the same file.
    Copy { all: File, into: File },
}

impl<'p> Unfinished<'p> {
    /// Begins output to `path`.
    ///
    /// # Errors
    /// When `path` is one of the inputs, or cannot be written.
    pub(crate) fn to_be(path: &'p Path, inputs: &Inputs) -> io::Result<Self> {
        let way = Way::to(Place::of(path, inputs)?).map_err(|error| about_unless_said(path, error))?;
        Ok(Self { path, writer: BufWriter::with_capacity(1 << 17, way) })
    }

    /// Completes the output.
    ///
    /// # Errors
    /// When the rest cannot be written, or the file cannot be replaced.
    pub(crate) fn finish(self) -> io::Result<()> {
        let Self { path, writer } = self;
        let way = writer.into_inner().map_err(|error| about(path, error.error()))?;
        way.finish().map_err(|error| about(path, &error))
    }
}

impl Write for Unfinished<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes).map_err(|error| about_unless_said(self.path, error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(|error| about_unless_said(self.path, error))
    }
}

/// Errors about a temporary file already have their own message.
fn about_unless_said(path: &Path, error: io::Error) -> io::Error {
    if super::is_about_writing(&error) { error } else { about(path, &error) }
}

impl Way {
    fn to(place: Place) -> io::Result<Self> {
        let Place { path, kind, .. } = place;
        let open = || OpenOptions::new().write(true).open(&path);
        if kind.takes_bytes_as_they_come() {
            // The bytes may appear on the same terminal as the progress.
            progress::end();
        }
        Ok(match kind {
            Kind::New => Self::Rename { pending: Pending::beside(&path, None)?, path, replaced: None },
            Kind::File(metadata) => Self::over(open()?, &metadata, path)?,
            Kind::FileWithoutName => Self::Copy { all: temporary()?, into: open()? },
            Kind::Stream => Self::Stream(Box::new(open()?)),
            #[cfg(unix)]
            Kind::Socket => Self::Stream(Box::new(std::os::unix::net::UnixStream::connect(&path)?)),
            #[cfg(unix)]
            Kind::Descriptor(number) => Self::Stream(Box::new(descriptors::open(number, &path)?)),
        })
    }

    /// Output to an existing file: replaces it unless it must stay the same file.
    fn over(file: File, metadata: &Metadata, path: PathBuf) -> io::Result<Self> {
        if has_other_names(metadata) {
            return Ok(Self::Copy { all: temporary()?, into: file });
        }
        match Pending::beside(&path, Some(metadata)) {
            // Systems other than Unix do not replace open files.
            Ok(pending) => Ok(Self::Rename { pending, path, replaced: cfg!(unix).then_some(file) }),
            Err(error) if is_of_the_folder(&error) => Ok(Self::Copy { all: temporary()?, into: file }),
            Err(error) => Err(error),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Stream(mut stream) => stream.flush(),
            Self::Copy { mut all, into } => copy(&mut all, into),
            Self::Rename { pending, path, replaced } => {
                still_replaceable(&path)?;
                match (pending.rename(&path), replaced) {
                    (Ok(()), _) => Ok(()),
                    (Err((error, mut pending)), Some(file)) if is_of_the_folder(&error) => copy(pending.file(), file),
                    (Err((error, _)), _) => Err(error),
                }
            }
        }
    }
}

impl Write for Way {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stream(stream) => stream.write(bytes),
            Self::Rename { pending, .. } => pending.file().write(bytes),
            Self::Copy { all, .. } => all.write(bytes).map_err(|error| crate::input::no_room(&error)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stream(stream) => stream.flush(),
            Self::Rename { .. } | Self::Copy { .. } => Ok(()),
        }
    }
}

/// Overwrites one file with another.
fn copy(all: &mut File, mut into: File) -> io::Result<()> {
    all.rewind()?;
    into.set_len(0)?;
    io::copy(all, &mut into)?;
    Ok(())
}

/// Whether a file has other names, which would keep the old file if this name were replaced.
fn has_other_names(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::nlink(metadata) > 1;
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}

/// Whether the folder forbids the replacement although the file may be written: the folder is not writable, or does not
/// allow renaming others' files, or the file is a mount point.
fn is_of_the_folder(error: &io::Error) -> bool {
    let kinds = [ErrorKind::PermissionDenied, ErrorKind::ReadOnlyFilesystem, ErrorKind::ResourceBusy];
    kinds.contains(&error.kind())
}

/// Checks that there is still no device, link or folder at the path: these are not replaced.
fn still_replaceable(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(now) if !now.is_file() => Err(io::Error::other("something that is no file has taken its place meanwhile")),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
