//! Finds what `-o` names, through symbolic links, as a shell's `>` does.

use super::{Inputs, cannot_write, identity::Identity};
use crate::say::{shown, without_number};
use std::{
    fs::{self, Metadata},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

/// The most symbolic links in a row. Systems have the same limit.
const MOST_LINKS: usize = 40;

/// Where output goes.
pub(super) struct Place {
    /// The name after all symbolic links.
    pub(super) path: PathBuf,
    pub(super) kind: Kind,
    identity: Option<Identity>,
}

/// What `-o` names.
pub(super) enum Kind {
    /// Nothing: a file will be created.
    New,
    /// A file that will be replaced once the output is complete.
    File(Metadata),
    /// A file that cannot be replaced, since it has no name: it is overwritten.
    FileWithoutName,
    /// A device or a pipe: bytes are written to it as they come.
    Stream,
    /// A socket that a program listens on.
    #[cfg(unix)]
    Socket,
    /// A descriptor that this program was started with; 1 is standard output.
    #[cfg(unix)]
    Descriptor(i32),
}

impl Kind {
    /// Whether others see every byte as soon as it is written.
    pub(super) fn takes_bytes_as_they_come(&self) -> bool {
        !matches!(self, Self::New | Self::File(_) | Self::FileWithoutName)
    }
}

/// Checks whether output can go to `path`, before the work for it.
///
/// # Errors
/// When it is one of the inputs, or cannot be written.
pub(crate) fn refuse(path: &Path, inputs: &Inputs) -> io::Result<()> {
    let place = Place::of(path, inputs)?;
    if let Kind::File(_) | Kind::FileWithoutName = place.kind {
        // A file without write permission must not be replaced, either.
        fs::OpenOptions::new().write(true).open(&place.path).map_err(|error| about(path, &error))?;
    }
    Ok(())
}

impl Place {
    /// Finds what `path` names.
    ///
    /// # Errors
    /// When it is one of the inputs or a folder, or its folder does not exist.
    pub(super) fn of(path: &Path, inputs: &Inputs) -> io::Result<Self> {
        let place = Self::found(path).map_err(|error| about(path, &error))?;
        inputs.refuse(path, place.identity.as_ref())?;
        Ok(place)
    }

    fn found(path: &Path) -> io::Result<Self> {
        let mut at = path.to_path_buf();
        for _ in 0..=MOST_LINKS {
            #[cfg(unix)]
            if let Some(number) = descriptors::number(&at) {
                let identity = Identity::from(&descriptors::metadata(number, &at)?);
                return Ok(Self { path: at, kind: Kind::Descriptor(number), identity });
            }
            match fs::symlink_metadata(&at) {
                Ok(metadata) if metadata.is_symlink() && !is_of_a_process(&at) => at = linked(&at)?,
                Ok(_) => return Self::existing(at),
                Err(error) if error.kind() == ErrorKind::NotFound => return Self::new(at),
                Err(error) => return Err(error),
            }
        }
        // If the system gives up as well, its own error is returned.
        Err(fs::metadata(path).err().unwrap_or_else(|| io::Error::other("it is behind too many symbolic links")))
    }

    fn new(path: PathBuf) -> io::Result<Self> {
        let is_name = path.file_name().is_some_and(|name| {
            let (whole, name) = (path.as_os_str().as_encoded_bytes(), name.as_encoded_bytes());
            whole.ends_with(name)
        });
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !is_name || !folder.is_dir() {
            return Err(ErrorKind::NotFound.into());
        }
        Ok(Self { path, kind: Kind::New, identity: None })
    }

    fn existing(path: PathBuf) -> io::Result<Self> {
        let metadata = fs::metadata(&path)?;
        let kind = match () {
            () if metadata.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            () if metadata.is_file() && is_of_a_process(&path) => Kind::FileWithoutName,
            () if metadata.is_file() => Kind::File(metadata),
            #[cfg(unix)]
            () if std::os::unix::fs::FileTypeExt::is_socket(&metadata.file_type()) => Kind::Socket,
            () => Kind::Stream,
        };
        let identity = Identity::at(&path);
        Ok(Self { path, kind, identity })
    }
}

/// The target of a symbolic link, relative to the link's folder.
fn linked(link: &Path) -> io::Result<PathBuf> {
    let target = fs::read_link(link)?;
    Ok(link.parent().map_or(target.clone(), |folder| folder.join(&target)))
}

/// Whether it is one of Linux's links to a process's open files. These work although their text is no path.
fn is_of_a_process(path: &Path) -> bool {
    cfg!(target_os = "linux") && folder_of(path).is_some_and(|folder| folder.starts_with("/proc"))
}

fn folder_of(path: &Path) -> Option<PathBuf> {
    path.parent()?.canonicalize().ok()
}

/// The error for output that cannot go to `path`.
pub(super) fn about(path: &Path, error: &io::Error) -> io::Error {
    let reason = match error.kind() {
        ErrorKind::NotFound => "its folder does not exist".to_string(),
        ErrorKind::IsADirectory => "this is a folder, not a file".to_string(),
        ErrorKind::PermissionDenied => "you have no permission to write there".to_string(),
        _ => without_number(&error.to_string()),
    };
    cannot_write(error.kind(), format!("cannot write {}: {reason}", shown(path.as_os_str())))
}

/// Descriptors that the program was started with: `/dev/stdout`, `/dev/fd/3`, `/proc/self/fd/3`.
#[cfg(unix)]
pub(super) mod descriptors {
    use super::folder_of;
    use std::{
        fs::{self, File, Metadata, OpenOptions},
        io::{self, Seek, SeekFrom},
        os::fd::{AsFd, OwnedFd},
        path::Path,
        process,
    };

    /// Linux's flag for a file that is always written at its end.
    const APPEND: u32 = 0o2000;

    /// The mask of Linux's flags for reading and writing. 0 is reading only.
    const ACCESS: u32 = 0o3;

    /// The descriptor that a path names.
    pub(super) fn number(path: &Path) -> Option<i32> {
        match path.to_str()? {
            "/dev/stdout" => return Some(1),
            "/dev/stderr" => return Some(2),
            _ => {}
        }
        let digits = path.file_name()?.to_str()?;
        let number = digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse().ok())??;
        is_own(&folder_of(path)?).then_some(number)
    }

    fn is_own(folder: &Path) -> bool {
        let own = format!("/proc/{}", process::id());
        folder == Path::new("/dev/fd") || (folder.starts_with(own) && folder.ends_with("fd"))
    }

    /// The metadata of a descriptor.
    ///
    /// # Errors
    /// When the descriptor is not open, or only for reading: opening it by its path would open the file again for
    /// writing, and overwrite it.
    pub(super) fn metadata(number: i32, path: &Path) -> io::Result<Metadata> {
        if flags(&about(number)).is_some_and(|flags| flags & ACCESS == 0) {
            return Err(io::Error::other("what is open under this number is open for reading only"));
        }
        match duplicate(number) {
            Some(file) => File::from(file?).metadata(),
            None => fs::metadata(path).map_err(|_| io::Error::other("nothing is open under this number")),
        }
    }

    /// Opens a descriptor, to continue where it was last written.
    pub(in super::super) fn open(number: i32, path: &Path) -> io::Result<File> {
        if let Some(file) = duplicate(number) {
            return Ok(file?.into());
        }
        let about = about(number);
        let appends = flags(&about).unwrap_or(0) & APPEND != 0;
        let mut file = OpenOptions::new().write(true).append(appends).open(path)?;
        // Systems that do not report the offset open the same open file again, which already has it.
        if let Some(at) = field(&about, "pos:").and_then(|at| at.parse().ok())
            && file.metadata()?.is_file()
            && !appends
        {
            file.seek(SeekFrom::Start(at))?;
        }
        Ok(file)
    }

    /// Linux's information about a descriptor: lines with a name and a value.
    fn about(number: i32) -> String {
        fs::read_to_string(format!("/proc/self/fdinfo/{number}")).unwrap_or_default()
    }

    fn field<'a>(about: &'a str, name: &str) -> Option<&'a str> {
        about.lines().find_map(|line| line.strip_prefix(name)).map(str::trim)
    }

    fn flags(about: &str) -> Option<u32> {
        u32::from_str_radix(field(about, "flags:")?, 8).ok()
    }

    /// A duplicate of the descriptor, for the numbers that Rust knows.
    fn duplicate(number: i32) -> Option<io::Result<OwnedFd>> {
        match number {
            1 => Some(io::stdout().as_fd().try_clone_to_owned()),
            2 => Some(io::stderr().as_fd().try_clone_to_owned()),
            _ => None,
        }
    }
}
