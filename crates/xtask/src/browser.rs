//! The browser that the end-to-end tests drive: the system's own, or Debian's Chromium.

use crate::apt;
use crate::run::{command, output};
use anyhow::{Context, Result, bail};
use std::env;
use std::path::PathBuf;

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The browser's program: what CHROME names, else the first one on PATH, else a newly installed one.
pub(crate) fn ensure() -> Result<PathBuf> {
    if let Some(chrome) = env::var_os("CHROME") {
        return Ok(chrome.into());
    }
    if let Some(found) = find() {
        return Ok(found);
    }
    if !apt::available() {
        bail!("no Chromium or Chrome on PATH: install one, or name its program in CHROME");
    }
    apt::install(&["chromium"], "the browser tests need a Chromium or Chrome, and PATH has none")?;
    find().context("the package chromium is installed but `chromium --version` does not work")
}

/// The first browser on PATH that starts (on some systems the name is there and only advertises).
fn find() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    NAMES
        .iter()
        .flat_map(|name| env::split_paths(&path).map(move |folder| folder.join(name)))
        .filter(|program| program.is_file())
        .find(|program| output(command(program).arg("--version")).is_ok())
}
