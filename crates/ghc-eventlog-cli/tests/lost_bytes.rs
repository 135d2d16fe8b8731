//! `check` and `summary` report the same number of lost bytes, and the exit code agrees.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

use conformance::{Mutants, files, project};
use serde_json::Value;
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

fn run(arguments: &[&str], log: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ghc-eventlog")).args(arguments).arg(log).output().unwrap()
}

/// What both report about a log: its bytes, the lost ones, and whether it is complete. `None` if nothing could be read.
fn said(log: &Path) -> Option<(u64, u64, bool)> {
    let name = log.display();
    let check = run(&["check", "--json"], log);
    let report: Value = serde_json::from_slice(&check.stdout).unwrap();
    let summary = run(&["summary", "--json"], log);
    assert_eq!(check.status.code(), summary.status.code(), "{name}");
    if check.status.code() == Some(2) {
        assert!(report["bytes"].is_null() && report["lost_bytes"].is_null() && summary.stdout.is_empty(), "{name}");
        return None;
    }
    let facts: Value = serde_json::from_slice(&summary.stdout).unwrap();
    let of_log = &facts["log"];
    let bytes = fs::metadata(log).unwrap().len();
    let lost = report["lost_bytes"].as_u64().unwrap();
    assert_eq!((report["bytes"].as_u64(), of_log["bytes"].as_u64()), (Some(bytes), Some(bytes)), "{name}");
    assert_eq!(of_log["lost_bytes"].as_u64(), Some(lost), "{name}");
    let listed = facts["diagnostics"].as_array().unwrap().iter().filter_map(|one| one["lost_bytes"].as_u64());
    let listed: u64 = listed.sum();
    assert!(listed == lost || facts["diagnostics"].as_array().unwrap().len() > 100, "{name}: {listed} of {lost}");
    let complete = of_log["complete"].as_bool().unwrap();
    assert!(lost == 0 || (!complete && check.status.code() == Some(1)), "{name}: {lost} lost");
    // A log with the exit code of a whole one is complete.
    assert!(complete || check.status.code() == Some(1), "{name}");
    Some((bytes, lost, complete))
}

#[test]
fn check_and_summary_count_the_same_bytes_as_lost() {
    let (mut read, mut lossy) = (0, 0);
    let folder = tempfile::tempdir().unwrap();
    let logs =
        [files(&project().join("tests/corpus"), ".eventlog"), files(&project().join("../shared/unsafe"), ".eventlog")];
    for (seed, path) in logs.concat().iter().enumerate() {
        let log = fs::read(path).unwrap();
        let mutants = if log.len() < 20_000 { 3 } else { 0 };
        for log in [log.clone()].into_iter().chain(Mutants::new(&log, seed as u64).take(mutants)) {
            let file = folder.path().join("log");
            fs::write(&file, &log).unwrap();
            let said = said(&file);
            read += usize::from(said.is_some());
            lossy += usize::from(said.is_some_and(|(_, lost, _)| lost > 0));
        }
    }
    println!("{read} logs, {lossy} with losses");
    assert!(read > 200 && lossy > 80, "{read} {lossy}");
}

/// Each kind of loss, with a log that has it.
#[test]
fn whatever_is_no_event_is_lost() {
    let corpus = project().join("tests/corpus");
    for (name, lost) in [
        ("malformed-03-junk-before", 19),
        ("malformed-03-marker-before", 0),
        ("malformed-15-cut-in-payload", 12),
        ("malformed-17-stray-byte", 1),
        ("malformed-39-marker-between", 0),
        ("malformed-39-second-header-cut", 29),
        ("malformed-40-byte-behind", 1),
        ("malformed-40-junk-behind", 100),
    ] {
        let (_, found, complete) = said(&corpus.join(name).join("log.eventlog")).unwrap();
        assert_eq!((found, complete), (lost, lost == 0), "{name}");
    }
}
