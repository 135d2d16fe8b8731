//! Logs for tests: real ones, malformed ones, and mutants of both.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Every log at hand: the corpus, and what lies beside the project.
pub(crate) fn logs() -> Vec<PathBuf> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for folder in ["tests/corpus", "../shared/eventlogs", "../shared/hostile"] {
        find(&project.join(folder), &mut found);
    }
    found.sort();
    assert!(found.len() > 80, "the corpus is there");
    found
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => find(&path, found),
            path if path.extension().is_some_and(|extension| extension == "eventlog") => found.push(path),
            _ => {}
        }
    }
}

/// Those small enough to be tried in many mutants.
pub(crate) fn small_logs() -> Vec<PathBuf> {
    logs().into_iter().filter(|log| fs::metadata(log).is_ok_and(|log| (1..64 << 10).contains(&log.len()))).collect()
}

/// Bytes and bits flipped, cut off, deleted, repeated.
pub(crate) fn mutated(mut log: Vec<u8>, random: &mut fastrand::Rng) -> Vec<u8> {
    for _ in 0..random.usize(1..4) {
        if log.is_empty() {
            break;
        }
        let at = random.usize(..log.len());
        let to = log.len().min(at + random.usize(1..200));
        match random.u8(..6) {
            0 => log[at] ^= random.u8(1..),
            1 | 2 => log[at] ^= 1 << random.u8(..8),
            3 => log.truncate(at),
            4 => drop(log.drain(at..to)),
            _ => {
                let repeated = log[at..to].to_vec();
                log.splice(at..at, repeated);
            }
        }
    }
    log
}
