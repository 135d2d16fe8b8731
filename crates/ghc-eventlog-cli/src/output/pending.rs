//! A temporary file that will replace another file. It has a name, since only a file with a name can be renamed.

use std::{
    fs::{File, Metadata},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};
use tempfile::{NamedTempFile, PersistError};

/// The files to remove if a signal ends the program. Files are created and renamed while this is locked, so that none
/// is missed.
static NAMES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn names() -> MutexGuard<'static, Vec<PathBuf>> {
    NAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files with names. None can be created while the guard is held.
#[cfg(unix)]
pub(super) fn remove_all() {
    let names = names();
    for name in names.iter() {
        let _ = std::fs::remove_file(name);
    }
    // The program is about to end.
    std::mem::forget(names);
}

/// A temporary file beside the file that it will replace.
pub(super) struct Pending(NamedTempFile);

impl Pending {
    /// An empty file in the same folder, with the owner and mode of the file that it will replace; if there is none,
    /// with the mode of any new file.
    ///
    /// # Errors
    /// When nothing can be written in the folder, or the owner cannot be the same.
    pub(super) fn beside(path: &Path, replaced: Option<&Metadata>) -> io::Result<Self> {
        #[cfg(unix)]
        super::clean_up_before_the_end();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut names = names();
        let pending = Self(created(folder, replaced)?);
        names.push(pending.0.path().to_path_buf());
        drop(names);
        replaced.map_or(Ok(()), |replaced| pending.take_rights_of(replaced))?;
        Ok(pending)
    }

    #[cfg(unix)]
    fn take_rights_of(&self, replaced: &Metadata) -> io::Result<()> {
        use std::{
            fs::Permissions,
            os::unix::fs::{MetadataExt, PermissionsExt, fchown},
        };
        let file = self.0.as_file();
        let mine = file.metadata()?;
        if (mine.uid(), mine.gid()) != (replaced.uid(), replaced.gid()) {
            fchown(file, Some(replaced.uid()), Some(replaced.gid()))?;
        }
        // Without the set-user and set-group bits, which every write to a file removes.
        file.set_permissions(Permissions::from_mode(replaced.mode() & 0o777))
    }

    #[cfg(not(unix))]
    fn take_rights_of(&self, _: &Metadata) -> io::Result<()> {
        Ok(())
    }

    /// The file to write to.
    pub(super) fn file(&mut self) -> &mut File {
        self.0.as_file_mut()
    }

    /// Renames the file, so that it replaces the other one.
    ///
    /// # Errors
    /// When that fails. The error contains the file, which still has its temporary name.
    pub(super) fn rename(self, path: &Path) -> Result<(), (io::Error, Self)> {
        let mut names = names();
        let name = self.0.path().to_path_buf();
        self.0.persist(path).map_err(|PersistError { error, file }| (error, Self(file)))?;
        names.retain(|other| *other != name);
        Ok(())
    }
}

/// A new file. Other temporary files can only be read by their owner; this one gets the mode of the file that it will
/// become.
fn created(folder: &Path, replaced: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".ghc-eventlog-");
    #[cfg(unix)]
    {
        use std::{
            fs::Permissions,
            os::unix::fs::{MetadataExt, PermissionsExt},
        };
        // The system applies the user's umask. A file that will replace another is only for its owner until it has that
        // file's mode.
        let mode = replaced.map_or(0o666, |replaced| replaced.mode() & 0o600);
        builder.permissions(Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = replaced;
    builder.tempfile_in(folder)
}
