//! Random queries find what somebody finds who looks at everything. `MUTANTS=200` tries 200 mutants of each log, `SEED=7` other queries.

use conformance::{Mutants, check_queries, files, project, shared_logs};
use std::{env, fs};

/// Larger logs take too long for this.
const LARGE: u64 = 60_000;

fn number(name: &str, usual: usize) -> usize {
    env::var(name).ok().and_then(|number| number.parse().ok()).unwrap_or(usual)
}

#[test]
fn random_queries_find_what_is_there() {
    let mut logs = files(&project().join("tests/corpus"), "log.eventlog");
    assert!(logs.len() > 100, "the corpus is there");
    let folders = ["hostile", "unsafe"].map(|name| files(&project().join("../shared").join(name), ".eventlog"));
    logs.extend(shared_logs().into_iter().chain(folders.into_iter().flatten()));
    logs.retain(|path| fs::metadata(path).is_ok_and(|data| data.len() < LARGE));
    let mut random = fastrand::Rng::with_seed(number("SEED", 1) as u64);
    let mut compared = 0;
    for path in logs {
        let log = fs::read(&path).unwrap();
        let mutants = Mutants::new(&log, random.u64(..)).take(number("MUTANTS", 1));
        for log in std::iter::once(log.clone()).chain(mutants) {
            let found = check_queries(&log, number("QUERIES", 8), &mut random);
            compared += found.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        }
    }
    println!("{compared} hits");
    assert!(compared > 100_000, "{compared}");
}
