//! Runs the checks of the fuzz targets on their seeds; `cargo xtask fuzz` continues from there. `agree.rs` and
//! `stripped.rs` run the checks of the other two targets, also on mutants.

use conformance::{Mutants, check_chunks, check_decoding, files, project};
use std::fs;

/// Larger logs take too long in small chunks.
const LARGE: usize = 120_000;

#[test]
fn the_corpus_and_its_mutants_decode_in_any_chunks() {
    let paths = files(&project().join("tests/corpus"), "log.eventlog");
    assert!(paths.len() > 100);
    for (seed, path) in paths.iter().enumerate() {
        let mut log = fs::read(path).unwrap();
        log.truncate(LARGE);
        let mutant = Mutants::new(&log, seed as u64).take(1);
        for log in mutant.chain([log.clone()]) {
            check_decoding(&log);
            check_chunks(&log, seed * 7 % 256);
        }
    }
}
