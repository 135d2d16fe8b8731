//! Runs tests with Node.

use super::unsteady::{UNSTEADY, exactly, has_passed, to_repeat};
use crate::run::{command, root, run_tests_told};
use crate::tally::Tally;
use anyhow::{Result, bail};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// How files of tests are run.
pub(super) struct How<'a> {
    /// How many at the same time.
    pub(super) at_once: usize,
    /// A file that takes longer has failed: a test that waits for ever would otherwise hold up all others, and nobody
    /// would be told its name.
    pub(super) limit: Duration,
    pub(super) vars: &'a [(&'a str, PathBuf)],
    /// Whether a few tests that failed are repeated; see [`super::unsteady`].
    pub(super) repeats: bool,
}

/// Runs the `*.test.js` files of a folder, or some of them.
///
/// The files are named one by one, since what Node does with a folder depends on its version.
pub(super) fn run_files(folder: &str, only: Option<&[&str]>, how: &How<'_>) -> Result<Tally> {
    let mut files = Vec::new();
    for file in fs::read_dir(root().join(folder)).into_iter().flatten() {
        files.push(file?.path());
    }
    let name =
        |file: &PathBuf| file.file_name().and_then(|name| name.to_str()?.strip_suffix(".test.js")).map(str::to_owned);
    files.retain(|file| name(file).is_some_and(|name| only.is_none_or(|only| only.contains(&name.as_str()))));
    files.sort();
    if files.is_empty() || only.is_some_and(|only| only.len() != files.len()) {
        bail!("not all of the tests are in {folder}/");
    }
    let (mut tally, told) = run_tests_told(node(how).arg(format!("--test-concurrency={}", how.at_once)).args(files))?;
    if how.repeats && tally.failed > 0 {
        for (file, names) in to_repeat(&told) {
            println!("\nOnce more: {}", names.join("; "));
            let patterns = names.iter().map(|name| format!("--test-name-pattern={}", exactly(name)));
            let (again, told) = run_tests_told(node(how).args(patterns).arg(&file))?;
            if again.failed > 0 || !names.iter().all(|name| has_passed(name, &told)) {
                continue;
            }
            tally.passed += names.len();
            tally.failed = tally.failed.saturating_sub(names.len());
            names.iter().for_each(|name| println!("{UNSTEADY}{file}: {name}"));
        }
    }
    Ok(tally)
}

fn node(how: &How<'_>) -> Command {
    let mut node = command("node");
    node.args(["--test", "--test-reporter=spec"]).arg(format!("--test-timeout={}", how.limit.as_millis()));
    node.envs(how.vars.iter().map(|(name, value)| (name, value)));
    node
}
