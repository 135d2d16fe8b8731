//! The browsers for tests and benchmarks: the system's own, or Debian's.

use crate::apt;
use crate::run::{command, output, say};
use anyhow::{Context, Result, bail};
use std::env;
use std::path::PathBuf;

/// A kind of browser.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kind {
    /// Chromium or Chrome; `CHROME` names another program
    Chrome,
    /// Chromium without windows, which starts and draws in two thirds of the time; `CHROME` names another program
    #[value(skip)]
    ChromeWithoutWindows,
    /// Firefox; `FIREFOX` names another program
    Firefox,
}

impl Kind {
    fn variable(self) -> &'static str {
        match self {
            Self::Chrome | Self::ChromeWithoutWindows => "CHROME",
            Self::Firefox => "FIREFOX",
        }
    }

    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Chrome => &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
            Self::ChromeWithoutWindows => &["chromium-headless-shell", "chrome-headless-shell"],
            Self::Firefox => &["firefox", "firefox-esr"],
        }
    }

    /// Debian's package.
    fn package(self) -> &'static str {
        match self {
            Self::Chrome => "chromium",
            Self::ChromeWithoutWindows => "chromium-headless-shell",
            Self::Firefox => "firefox-esr",
        }
    }
}

/// The browser for the tests: one without windows, if there is one or it can be installed.
pub(crate) fn ensure() -> Result<PathBuf> {
    ensure_kind(Kind::ChromeWithoutWindows).or_else(|error| {
        say("no browser without windows", &format!("the tests take longer in another one ({error:#})"));
        ensure_kind(Kind::Chrome)
    })
}

/// A browser's program: the one that its variable names, else the first one on PATH, else a newly installed one.
pub(crate) fn ensure_kind(kind: Kind) -> Result<PathBuf> {
    let (variable, package) = (kind.variable(), kind.package());
    if let Some(program) = env::var_os(variable) {
        return Ok(program.into());
    }
    if let Some(found) = find(kind) {
        return Ok(found);
    }
    if !apt::available() {
        bail!("no {package} on PATH: install it, or name its program in {variable}");
    }
    apt::install(&[package], "a browser is needed, and PATH has none of this kind")?;
    find(kind).with_context(|| format!("the package {package} is installed but its `--version` does not work"))
}

/// The first browser on PATH that starts. (On some systems the program only advertises a package.)
fn find(kind: Kind) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    kind.names()
        .iter()
        .flat_map(|name| env::split_paths(&path).map(move |folder| folder.join(name)))
        .filter(|program| program.is_file())
        .find(|program| output(command(program).arg("--version")).is_ok())
}
