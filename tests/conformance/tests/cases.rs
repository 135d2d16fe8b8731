//! The malformed logs of the corpus are what their generator makes, and the corpus's README tells of all of them.
//!
//! `BLESS=1 cargo test -p conformance` writes logs, README and (in `corpus.rs`, whose turn is after this file) expectations
//! anew; read the difference before committing it.

use conformance::{files, malformed, project};
use std::{collections::BTreeSet, env, fs, path::PathBuf};

fn corpus() -> PathBuf {
    project().join("tests/corpus")
}

#[test]
fn every_malformed_log_is_what_its_generator_makes() {
    let bless = env::var_os("BLESS").is_some();
    let mut differ = Vec::new();
    for case in malformed::cases() {
        let log = corpus().join(case.name).join("log.eventlog");
        let made = (case.make)();
        if bless {
            fs::create_dir_all(log.parent().unwrap()).unwrap();
            fs::write(&log, made).unwrap();
        } else if fs::read(&log).ok() != Some(made) {
            differ.push(log);
        }
    }
    assert!(differ.is_empty(), "differ (BLESS=1 writes them anew): {differ:#?}");
}

/// No two cases of one name, and no folder of a case that is no more.
#[test]
fn every_folder_of_a_malformed_log_is_one_case() {
    if env::var_os("BLESS").is_some() {
        return; // They are being written.
    }
    let names: Vec<_> = malformed::cases().map(|case| case.name.to_string()).collect();
    let folders = files(&corpus(), "log.eventlog").into_iter();
    let folders = folders.map(|log| log.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned());
    let made = |name: &String| name.starts_with("malformed-") || name.starts_with("false-length-");
    let folders: BTreeSet<_> = folders.filter(made).collect();
    assert_eq!(folders, names.iter().cloned().collect());
    assert_eq!(folders.len(), names.len());
}

const BEGIN: &str = "<!-- cases: written by the test -->\n";
const END: &str = "<!-- end of cases -->\n";

#[test]
fn the_readme_lists_every_malformed_log() {
    let path = corpus().join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once(BEGIN).expect("where the table begins");
    let (_, behind) = rest.split_once(END).expect("where the table ends");
    let right = format!("{before}{BEGIN}{}{END}{behind}", malformed::table());
    if env::var_os("BLESS").is_some() {
        fs::write(&path, right).unwrap();
    } else {
        assert!(readme == right, "{} lists other cases (BLESS=1 writes it anew)", path.display());
    }
}
