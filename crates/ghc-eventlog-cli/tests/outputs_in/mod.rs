//! A folder for the tests of `-o`: they create files, links, pipes and devices in it, and nowhere else.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    process::{Command, Output},
};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_ghc-eventlog");

/// A page that a report can be put into.
const VIEWER: &str = "<!--title--><!--/title--><!--report--><!--/report--><!--logs--><!--/logs-->";

pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.at(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn viewer(&self) -> PathBuf {
        self.file("viewer.html", VIEWER.as_bytes())
    }

    /// A pipe with a name.
    pub(crate) fn fifo(&self, name: &str) -> PathBuf {
        let path = self.at(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }

    /// A device like one of the machine's: 3 is null, 7 is full. `None`, with a message, if none can be made.
    pub(crate) fn device(&self, name: &str, minor: &str) -> Option<PathBuf> {
        let path = self.at(name);
        let made = Command::new("mknod").arg(&path).args(["c", "1", minor]).output();
        // It may be allowed to create the device, but not to use it.
        let usable =
            made.is_ok_and(|made| made.status.success()) && fs::OpenOptions::new().write(true).open(&path).is_ok();
        if !usable {
            eprintln!("SKIPPED: no device can be made here");
        }
        usable.then_some(path)
    }

    /// The names of all that is in it.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(self.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

pub(crate) fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(name).join("log.eventlog")
}

pub(crate) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub(crate) fn export(log: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(["export", "--format", "hp"]).arg(log);
    command
}

pub(crate) fn report(folder: &Folder, log: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.arg("report").arg(log).arg("--viewer").arg(folder.viewer());
    command
}

/// What `export` writes of a log.
pub(crate) fn exported(log: &Path) -> Vec<u8> {
    let output = export(log).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    output.stdout
}

/// Runs `export -o`.
pub(crate) fn export_to(log: &Path, output: &Path) -> Output {
    export(log).arg("-o").arg(output).output().unwrap()
}

/// The file's device and inode numbers, and its kind.
pub(crate) fn identity(path: &Path) -> (u64, u64, u32) {
    let metadata = fs::symlink_metadata(path).unwrap();
    (metadata.dev(), metadata.ino(), metadata.mode())
}
