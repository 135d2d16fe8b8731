//! Starts other programs: where they are found, which variables they get, and how failures are reported.

use crate::tally::Tally;
use anyhow::{Context, Result, bail};
use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// What tools need to find each other: folders before PATH, and variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Env {
    /// Folders that are searched before PATH, in this order.
    pub(crate) path: Vec<PathBuf>,
    /// Variables that are set for every command.
    pub(crate) vars: Vec<(&'static str, OsString)>,
}

impl Env {
    /// A command that runs in the checkout's root with this environment.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Result<Command> {
        let inherited = env::var_os("PATH").unwrap_or_default();
        let path = self.path.iter().cloned().chain(env::split_paths(&inherited));
        let mut command = Command::new(program);
        command
            .current_dir(root())
            .env("PATH", env::join_paths(path).context("a folder's name cannot be in PATH")?)
            .envs(self.vars.iter().map(|(name, value)| (name, value)));
        Ok(command)
    }
}

/// A command that runs in the checkout's root, without any set-up.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// The checkout's root folder.
pub(crate) fn root() -> PathBuf {
    // Cargo sets the variable for `cargo run`; the constant serves a binary that is started by hand.
    let manifest = env::var_os("CARGO_MANIFEST_DIR").unwrap_or(env!("CARGO_MANIFEST_DIR").into());
    Path::new(&manifest).ancestors().nth(2).unwrap_or(Path::new(".")).into()
}

/// Cargo's folder for what it builds: `CARGO_TARGET_DIR`, which Cargo takes from the root since it is run there, or `target`.
pub(crate) fn target() -> PathBuf {
    root().join(env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into()))
}

/// Prints what happens next, and why.
pub(crate) fn say(what: &str, why: &str) {
    println!("==> {what}: {why}");
}

/// Does something that takes a while: prints what and why before it, and how long it took after it.
///
/// # Errors
/// Those of `work`.
pub(crate) fn timed<T>(what: &str, why: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    say(what, why);
    let start = Instant::now();
    let done = work()?;
    println!("    {what}: {:.1} s", start.elapsed().as_secs_f32());
    Ok(done)
}

/// Runs a command to its end with the terminal as its output.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| cannot_start(command))?;
    if !status.success() {
        bail!("`{}` failed ({status})", line(command));
    }
    Ok(())
}

/// Runs a command that reports tests: shows its output as it comes and adds up what it reports.
///
/// A failure without a failed test (for example code that does not compile) counts as one.
pub(crate) fn run_tests(command: &mut Command) -> Result<Tally> {
    Ok(run_tests_told(command)?.0)
}

/// The same, with the lines that were printed.
pub(crate) fn run_tests_told(command: &mut Command) -> Result<(Tally, Vec<String>)> {
    let spawned = command.stdout(Stdio::piped()).spawn();
    let mut child = spawned.with_context(|| cannot_start(command))?;
    let mut tally = Tally::default();
    let mut told = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n') {
            let line = String::from_utf8_lossy(&line?).into_owned();
            println!("{line}");
            tally += Tally::of_line(&line);
            told.push(line);
        }
    }
    if !child.wait()?.success() && tally.failed == 0 {
        eprintln!("`{}` failed", line(command));
        tally.failed = 1;
    }
    Ok((tally, told))
}

/// A command's standard output, trimmed.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| cannot_start(command))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        bail!("`{}` failed ({}): {}", line(command), output.status, errors.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The command as a user would type it.
pub(crate) fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

fn cannot_start(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    let hint = match program.as_ref() {
        "node" | "npm" => "; install Node.js 20 or newer with npm",
        "git" => "; install git",
        "cargo" | "rustc" => "; install Rust",
        _ => "",
    };
    format!("cannot start `{program}`{hint}")
}
