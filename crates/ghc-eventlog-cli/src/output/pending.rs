//! A temporary file with a name, which is to take another file's place. It has a name because only that can be renamed.

use std::{
    fs::{File, Metadata},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};
use tempfile::{NamedTempFile, PersistError};

/// The names to be removed if a signal ends the program. Files are made and renamed while this is locked, so that none can
/// be missed.
static NAMES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn names() -> MutexGuard<'static, Vec<PathBuf>> {
    NAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files with names. None can be made while the guard is held.
#[cfg(unix)]
pub(super) fn remove_all() {
    let names = names();
    for name in names.iter() {
        let _ = std::fs::remove_file(name);
    }
    // The program ends now.
    std::mem::forget(names);
}

/// A temporary file beside the file whose place it is to take.
pub(super) struct Pending(NamedTempFile);

impl Pending {
    /// An empty file in the same folder, with the owner and the mode of the file it is to replace; if there is none, with
    /// the mode of any new file.
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
        // Less the bits that make a program run as its owner, as with every write to a file.
        file.set_permissions(Permissions::from_mode(replaced.mode() & 0o777))
    }

    #[cfg(not(unix))]
    fn take_rights_of(&self, _: &Metadata) -> io::Result<()> {
        Ok(())
    }

    /// Where the bytes go.
    pub(super) fn file(&mut self) -> &mut File {
        self.0.as_file_mut()
    }

    /// Takes its place.
    ///
    /// # Errors
    /// When it cannot; then the file is given back, which still has its temporary name.
    pub(super) fn rename(self, path: &Path) -> Result<(), (io::Error, Self)> {
        let mut names = names();
        let name = self.0.path().to_path_buf();
        self.0.persist(path).map_err(|PersistError { error, file }| (error, Self(file)))?;
        names.retain(|other| *other != name);
        Ok(())
    }
}

/// A new file. Other temporary files are for their owner alone; this one is for whoever may read the file that it becomes.
fn created(folder: &Path, replaced: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".ghc-eventlog-");
    #[cfg(unix)]
    {
        use std::{
            fs::Permissions,
            os::unix::fs::{MetadataExt, PermissionsExt},
        };
        // Less what the user's mask takes away. What replaces a file is nobody else's until it has that file's mode.
        let mode = replaced.map_or(0o666, |replaced| replaced.mode() & 0o600);
        builder.permissions(Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = replaced;
    builder.tempfile_in(folder)
}
