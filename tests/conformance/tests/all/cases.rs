//! The malformed and the written logs of the corpus are what their generators make, and the corpus's README lists all
//! of them.
//!
//! `BLESS=1 cargo test -p conformance` rewrites logs, README and (in `corpus.rs`, which runs after this file)
//! expectations. Read the diff before you commit it.

use conformance::{files, malformed, project, written};
use std::{collections::BTreeSet, env, fs, path::PathBuf};

fn corpus() -> PathBuf {
    project().join("tests/corpus")
}

/// Each of them is smaller than this, in bytes.
const TOO_LARGE: usize = 150_000;

#[test]
fn every_malformed_or_written_log_is_what_its_generator_makes() {
    let bless = env::var_os("BLESS").is_some();
    let mut differ = Vec::new();
    for case in malformed::cases().chain(written::cases()) {
        let log = corpus().join(case.name).join("log.eventlog");
        let made = (case.make)();
        assert!(made.len() < TOO_LARGE, "{} has {} bytes", case.name, made.len());
        if bless {
            fs::create_dir_all(log.parent().unwrap()).unwrap();
            fs::write(&log, made).unwrap();
        } else if fs::read(&log).ok() != Some(made) {
            differ.push(log);
        }
    }
    assert!(differ.is_empty(), "differ (BLESS=1 writes them anew): {differ:#?}");
}

/// No two cases have the same name, and no folder is left of a removed case.
#[test]
fn every_folder_of_a_malformed_or_written_log_is_one_case() {
    if env::var_os("BLESS").is_some() {
        return; // They are being written.
    }
    let names: Vec<_> = malformed::cases().chain(written::cases()).map(|case| case.name.to_string()).collect();
    let folders = files(&corpus(), "log.eventlog").into_iter();
    let folders = folders.map(|log| log.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned());
    let made = |name: &String| ["malformed-", "false-length-", "written-"].iter().any(|kind| name.starts_with(kind));
    let folders: BTreeSet<_> = folders.filter(made).collect();
    assert_eq!(folders, names.iter().cloned().collect());
    assert_eq!(folders.len(), names.len());
}

/// A table of the README: the text before it, the text after it, and the function that makes it.
type Table = (&'static str, &'static str, fn() -> String);

const TABLES: [Table; 2] = [
    ("<!-- cases: written by the test -->\n", "<!-- end of cases -->\n", malformed::table),
    ("<!-- written cases: written by the test -->\n", "<!-- end of written cases -->\n", written::table),
];

#[test]
fn the_readme_lists_every_malformed_or_written_log() {
    let path = corpus().join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let mut right = readme.clone();
    for (begin, end, table) in TABLES {
        let (before, rest) = right.split_once(begin).expect("where the table begins");
        let (_, behind) = rest.split_once(end).expect("where the table ends");
        right = format!("{before}{begin}{}{end}{behind}", table());
    }
    if env::var_os("BLESS").is_some() {
        fs::write(&path, right).unwrap();
    } else {
        assert!(readme == right, "{} lists other cases (BLESS=1 writes it anew)", path.display());
    }
}
