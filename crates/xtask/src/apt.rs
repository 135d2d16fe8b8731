//! Debian's packages: installed if this runs as root, otherwise printed for the user to install.

use crate::run::{command, run, say};
use anyhow::{Context, Result, bail};
use std::process::Stdio;

/// Whether this system has Debian's package manager.
pub(crate) fn available() -> bool {
    succeeds("apt-get", &["--version"])
}

/// Whether all of these packages are installed.
pub(crate) fn installed(packages: &[&str]) -> bool {
    packages.iter().all(|package| succeeds("dpkg-query", &["--status", package]))
}

/// Installs packages, or prints how to.
pub(crate) fn install(packages: &[&str], why: &str) -> Result<()> {
    let by_hand = format!("apt-get update && apt-get install -y {}", packages.join(" "));
    if !succeeds("sh", &["-c", "test $(id -u) = 0"]) {
        bail!("{why}; as root run: {by_hand}");
    }
    say(&by_hand, why);
    apt_get(&["update", "--quiet"])
        .and_then(|()| apt_get(&[&["install", "--quiet", "--yes", "--no-install-recommends"], packages].concat()))
        .with_context(|| format!("{why}; `{by_hand}` did not work"))
}

fn apt_get(arguments: &[&str]) -> Result<()> {
    // Another set-up may hold the package manager's lock: wait for it.
    let mut apt = command("apt-get");
    run(apt.env("DEBIAN_FRONTEND", "noninteractive").args(["-o", "DPkg::Lock::Timeout=600"]).args(arguments))
}

fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let mut command = command(program);
    let quiet = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
