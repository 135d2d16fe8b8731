//! Logs for tests: real ones, malformed ones, and mutants of both.

use conformance::{Mutants, files, project, shared_logs};
use std::{fs, path::PathBuf};

/// Every available log: the corpus, and the logs beside the project.
pub(crate) fn logs() -> Vec<PathBuf> {
    let mut logs = files(&project().join("tests/corpus"), ".eventlog");
    assert!(logs.len() > 80, "the corpus is there");
    logs.extend(shared_logs());
    logs.extend(files(&project().join("../shared/hostile"), ".eventlog"));
    logs
}

/// Many mutants of larger logs would take too long.
const SMALL: u64 = 64 << 10;

/// Passes mutants of each small log to `take`, each with a description. `MUTANTS=200` makes 200 of each log; another
/// `SEED` makes others.
pub(crate) fn each_mutant(usual_count: usize, mut take: impl FnMut(&[u8], &str)) {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let (count, seed) = (number("MUTANTS").unwrap_or(usual_count as u64) as usize, number("SEED").unwrap_or(1));
    for path in logs() {
        if !fs::metadata(&path).is_ok_and(|log| log.len() < SMALL) {
            continue;
        }
        let log = fs::read(&path).unwrap();
        for (place, mutant) in Mutants::new(&log, seed).take(count).enumerate() {
            take(&mutant, &format!("mutant {place} by seed {seed} of {}", path.display()));
        }
    }
}
