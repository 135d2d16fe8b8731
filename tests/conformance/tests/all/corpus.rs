//! Compares every log of the corpus with its expectation.
//!
//! `BLESS=1 cargo test -p conformance` rewrites the expectations. Read the diff before you commit it.

use conformance::{files, project, report};
use std::{env, fs};

#[test]
fn every_log_has_its_expected_report() {
    let logs = files(&project().join("tests/corpus"), "log.eventlog");
    assert!(logs.len() > 6, "the corpus is there");
    let bless = env::var_os("BLESS").is_some();
    let mut differ = Vec::new();
    for log in logs {
        let found = report(&fs::read(&log).unwrap());
        let expected = log.with_file_name("expected.txt");
        if bless {
            fs::write(&expected, found).unwrap();
        } else if fs::read_to_string(&expected).ok().as_deref() != Some(&*found) {
            differ.push(expected);
        }
    }
    assert!(differ.is_empty(), "differ (BLESS=1 writes them anew): {differ:#?}");
}
