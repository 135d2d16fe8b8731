//! Tests that Node runs.

use crate::run::{command, root, run_tests_with};
use crate::tally::Tally;
use anyhow::{Result, bail};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// So many files that failed are given a second try: a machine may be too busy for one of them, but not for many.
const SECOND_TRIES: usize = 3;

/// Runs the `*.test.js` files of a folder, or some of them, `at_once` at a time.
///
/// They are named one by one: what Node does with a folder depends on its version.
pub(super) fn run_files(
    folder: &str,
    only: Option<&[&str]>,
    at_once: usize,
    vars: &[(&str, PathBuf)],
) -> Result<Tally> {
    let files = files_of(folder, only)?;
    run(&files, at_once, vars).map(|(tally, ..)| tally)
}

/// The same of tests that a busy machine may be too slow for. What fails is run once more, when nothing of the sort runs beside it: a
/// mistake fails again. Each second try is printed, and a file that needs them often is to be mended.
pub(super) fn run_files_patiently(
    folder: &str,
    only: Option<&[&str]>,
    at_once: usize,
    vars: &[(&str, PathBuf)],
) -> Result<Tally> {
    let files = files_of(folder, only)?;
    let (mut tally, failed, known) = run(&files, at_once, vars)?;
    if tally.failed == 0 || failed.is_empty() || failed.len() > SECOND_TRIES {
        return Ok(tally);
    }
    let again: Vec<PathBuf> = failed.into_iter().collect();
    println!("\nSecond try of files that failed: {again:?}");
    let (second, ..) = run(&again, 1, vars)?;
    // What passes now had failed before: of each file, its tests count once. What failed in no file that is known has failed.
    let still = (tally.failed.saturating_sub(known) + second.failed).min(tally.failed);
    tally.passed += tally.failed - still;
    tally.failed = still;
    Ok(tally)
}

/// Runs test files; which of them had failures, and how many failures are known to be of one.
fn run(files: &[PathBuf], at_once: usize, vars: &[(&str, PathBuf)]) -> Result<(Tally, BTreeSet<PathBuf>, usize)> {
    let mut node = command("node");
    node.args(["--test", "--test-reporter=spec", &format!("--test-concurrency={at_once}")]).args(files);
    let (mut failed, mut repeated, mut is_open, mut known) = (BTreeSet::new(), false, false, 0);
    let tally = run_tests_with(node.envs(vars.iter().map(|(name, value)| (name, value))), |line| {
        // Node repeats its failures at the end, each with the calls that led to it. Which file it is of stands in these alone, where tests
        // are made by a function of another one.
        repeated |= line.contains("failing tests:");
        is_open |= repeated && line.trim_start().starts_with("✖ ");
        if let Some(file) = files.iter().find(|file| is_open && line.contains(&*file.to_string_lossy())) {
            failed.insert(file.clone());
            (known, is_open) = (known + 1, false);
        }
    })?;
    Ok((tally, failed, known))
}

fn files_of(folder: &str, only: Option<&[&str]>) -> Result<Vec<PathBuf>> {
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
    Ok(files)
}
