//! Logs for tests: real ones, malformed ones, and mutants of both.

use conformance::{Mutants, files, project, shared_logs};
use std::{fs, path::PathBuf};

/// Every log at hand: the corpus, and what lies beside the project.
pub(crate) fn logs() -> Vec<PathBuf> {
    let mut logs = files(&project().join("tests/corpus"), ".eventlog");
    assert!(logs.len() > 80, "the corpus is there");
    logs.extend(shared_logs());
    logs.extend(files(&project().join("../shared/hostile"), ".eventlog"));
    logs
}

/// Larger ones take too long in many mutants.
const SMALL: u64 = 64 << 10;

/// Gives mutants of each small log to `take`, with words for what they are. `MUTANTS=200` makes 200 of each log, others
/// with each `SEED`.
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
