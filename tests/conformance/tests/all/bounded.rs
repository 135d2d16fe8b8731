//! `docs/bounds.md` has every bound of the model, and what is kept when it is reached; the tests that it names exist.

use conformance::project;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// What stands between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            into.push(path);
        }
    }
}

#[test]
fn every_bound_says_what_is_kept_when_it_is_reached() {
    let mut limits = Vec::new();
    sources(&project().join("crates/ghc-eventlog-model/src/limits"), &mut limits);
    let limits: String = limits.into_iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let constants = limits.lines().filter_map(|line| line.strip_prefix("pub const ")?.split(':').next());
    let constants: BTreeSet<&str> = constants.collect();
    assert!(constants.len() > 150);
    let page = fs::read_to_string(project().join("docs/bounds.md")).unwrap();
    let (rows, others) = page.split_once("## No bounds").unwrap();
    let rows: Vec<Vec<&str>> = rows
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    let named: Vec<&str> = rows.iter().flat_map(|row| quoted(row[0])).chain(quoted(others)).collect();
    let once: BTreeSet<&str> = named.iter().copied().collect();
    assert_eq!(constants.difference(&once).collect::<Vec<_>>(), [&""; 0], "have no row in docs/bounds.md");
    assert_eq!(once.difference(&constants).collect::<Vec<_>>(), [&""; 0], "are no constants of limits/");
    assert_eq!(named.len(), once.len(), "a bound has two rows");

    let mut files = Vec::new();
    sources(&project().join("crates/ghc-eventlog-model/src"), &mut files);
    sources(&project().join("tests/conformance/tests"), &mut files);
    sources(&project().join("crates/ghc-eventlog-cli/tests"), &mut files);
    let code: String = files.into_iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    for row in &rows {
        let [bounds, of, kept, says, tests] = row[..] else { panic!("{row:?} has not five cells") };
        assert!(!of.is_empty() && !kept.is_empty() && !says.is_empty(), "{bounds}");
        assert!(tests == "–" || quoted(tests).next().is_some(), "{bounds} names no test");
        for test in quoted(tests) {
            assert!(code.contains(&format!("fn {test}()")), "{bounds}: there is no test {test}");
        }
    }
}
