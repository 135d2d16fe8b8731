//! The generator of logs, a program of the conformance tests.

use crate::run::{command, run};
use anyhow::{Context, Result};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, ExitCode};

/// Runs it for the user, in the caller's folder, since its arguments may be relative paths. It reports wrong arguments
/// itself.
pub(crate) fn for_user(what: &str, arguments: &[OsString]) -> Result<ExitCode> {
    let mut cargo = generator(Command::new("cargo"));
    let status = cargo.arg(what).args(arguments).status().context("cannot start `cargo`")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Writes a log with it.
pub(crate) fn log(arguments: &[&OsStr], out: &Path) -> Result<()> {
    run(generator(command("cargo")).args(arguments).arg("-o").arg(out))
}

fn generator(mut cargo: Command) -> Command {
    cargo.args(["run", "--quiet", "--release", "--package", "conformance", "--bin", "generate", "--"]);
    cargo
}
