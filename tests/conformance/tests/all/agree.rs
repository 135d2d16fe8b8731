//! For any log, all ways to the same fact agree: see `agree`. `MUTANTS=200` tries 200 mutants of each log.

use conformance::{Agreed, Mutants, agree, files, project, shared_logs};
use std::{env, fs, path::PathBuf};

/// The default number of mutants of each log.
const MUTANTS: usize = 6;

/// Larger logs take too long for this.
const LARGE: u64 = 400_000;

fn logs() -> Vec<PathBuf> {
    let hostile = files(&project().join("../shared/hostile"), ".eventlog");
    let mut logs = files(&project().join("tests/corpus"), "log.eventlog");
    assert!(logs.len() > 100, "the corpus is there");
    logs.extend(shared_logs().into_iter().chain(hostile));
    logs.retain(|path| fs::metadata(path).is_ok_and(|data| data.len() < LARGE));
    logs
}

#[test]
fn every_log_and_its_mutants_agree() {
    let count = env::var("MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(MUTANTS);
    let seed = env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let (mut agreed, mut tried, mut differing) = (Agreed::default(), 0, Vec::new());
    for path in logs() {
        let log = fs::read(&path).unwrap();
        let mutants = Mutants::new(&log, seed).take(count);
        for (number, mutant) in std::iter::once(log.clone()).chain(mutants).enumerate() {
            tried += 1;
            match agree(&mutant, &mut fastrand::Rng::with_seed(seed)) {
                Ok(more) => agreed += more,
                Err(why) => differing.push(format!("{}, mutant {number}: {why}", path.display())),
            }
        }
    }
    println!("{tried} logs, {agreed:?}; {} differ", differing.len());
    assert!(differing.is_empty(), "{} of {tried}: {:#?}", differing.len(), &differing[..differing.len().min(20)]);
    assert!(agreed.events > 100_000 && agreed.times > 10_000, "{agreed:?}");
}
