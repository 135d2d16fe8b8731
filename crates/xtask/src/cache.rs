//! The user's cache folder, which all checkouts on this machine share.
//!
//! Things that take long to make (wasm-bindgen's test runner, cargo-fuzz, cargo-mutants, a standard library, npm
//! packages) are made here once. The name of an entry says what it was made from, so an entry never changes, and a
//! newer one is a new entry. Deleting the folder is always safe.

use anyhow::{Context, Result};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

const NAME: &str = "ghc-eventlog-viewer";

/// The shared folder; `XDG_CACHE_HOME` moves it.
pub(crate) fn dir() -> Result<PathBuf> {
    if let Some(cache) = env::var_os("XDG_CACHE_HOME").filter(|dir| Path::new(dir).is_absolute()) {
        return Ok(Path::new(&cache).join(NAME));
    }
    let (base, below) = if cfg!(windows) {
        ("LOCALAPPDATA", "")
    } else if cfg!(target_os = "macos") {
        ("HOME", "Library/Caches")
    } else {
        ("HOME", ".cache")
    };
    let base = env::var_os(base).with_context(|| format!("{base} is not set: where to cache?"))?;
    Ok(Path::new(&base).join(below).join(NAME))
}

/// The entry `name`, made by `make` if it does not exist yet.
///
/// `make` fills a folder of its own, which is renamed when it is complete. So an interruption, or another checkout that
/// makes the same entry at the same time, never leaves half an entry.
pub(crate) fn entry(name: &str, make: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let entry = dir()?.join(name);
    if entry.exists() {
        return Ok(entry);
    }
    let work = dir()?.join(format!("{name}.{}.tmp", std::process::id()));
    if work.exists() {
        // An interrupted set-up with the same process number has left it.
        fs::remove_dir_all(&work)?;
    }
    fs::create_dir_all(&work).with_context(|| format!("cannot create {}", work.display()))?;
    let made = make(&work);
    let moved = made.and_then(|()| Ok(fs::rename(&work, &entry)?));
    if moved.is_err() {
        fs::remove_dir_all(&work)?;
    }
    // If another process was faster, it made the same entry.
    if !entry.exists() {
        moved?;
    }
    Ok(entry)
}
