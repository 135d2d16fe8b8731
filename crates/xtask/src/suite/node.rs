//! Runs tests with Node.

use crate::run::{command, root, run_tests};
use crate::tally::Tally;
use anyhow::{Result, bail};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// Runs the `*.test.js` files of a folder, or some of them, `at_once` at a time. A file that takes longer than `limit` has
/// failed: a test that waits for ever would otherwise hold up all others, and nobody would be told its name.
///
/// The files are named one by one, since what Node does with a folder depends on its version.
pub(super) fn run_files(
    folder: &str,
    only: Option<&[&str]>,
    at_once: usize,
    limit: Duration,
    vars: &[(&str, PathBuf)],
) -> Result<Tally> {
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
    let mut node = command("node");
    node.args(["--test", "--test-reporter=spec"]);
    node.args([format!("--test-concurrency={at_once}"), format!("--test-timeout={}", limit.as_millis())]).args(files);
    run_tests(node.envs(vars.iter().map(|(name, value)| (name, value))))
}
