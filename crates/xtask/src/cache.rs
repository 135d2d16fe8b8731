//! The folder of this machine's user that every checkout shares.
//!
//! What takes long to make (wasm-bindgen's test runner, cargo-fuzz, cargo-mutants, a standard library, npm packages) is made here
//! once. Each entry's name says what it was made from, so an entry never changes and a newer one
//! stands beside it; deleting the folder is always safe.

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

/// The entry `name`, made by `make` when it is not there yet.
///
/// `make` fills a folder of its own that is renamed when complete: a second checkout doing the same
/// at the same time, or an interruption, never leaves half an entry behind.
pub(crate) fn entry(name: &str, make: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let entry = dir()?.join(name);
    if entry.exists() {
        return Ok(entry);
    }
    let work = dir()?.join(format!("{name}.{}.tmp", std::process::id()));
    if work.exists() {
        // Left by an interrupted set-up that had the same process number.
        fs::remove_dir_all(&work)?;
    }
    fs::create_dir_all(&work).with_context(|| format!("cannot create {}", work.display()))?;
    let made = make(&work);
    let moved = made.and_then(|()| Ok(fs::rename(&work, &entry)?));
    if moved.is_err() {
        fs::remove_dir_all(&work)?;
    }
    // Whoever was faster made the same.
    if !entry.exists() {
        moved?;
    }
    Ok(entry)
}
