//! Fuzzing: random changes to the corpus, as many as the time allows. The tests check the same properties without a
//! fuzzer: `tests/conformance/tests/all/fuzzed.rs`, `agree.rs`, `stripped.rs` and `queries.rs`.

use crate::run::{command, output, root, run, say};
use crate::tally::Tally;
use crate::tools;
use anyhow::{Context, Result};
use std::fs;

const TARGETS: [&str; 5] = ["decode", "chunks", "agree", "strip", "query"];

/// Checks that the targets compile, which any compiler can do. Running them takes a nightly one.
pub(crate) fn check_targets() -> Result<Tally> {
    let mut cargo = command("cargo");
    run(cargo.args([
        "check",
        "--quiet",
        "--locked",
        "--manifest-path",
        "tests/fuzz/Cargo.toml",
        "--target-dir",
        "target/fuzz/check",
    ]))?;
    Ok(Tally::PASS)
}

/// Runs every target for `seconds` seconds. Inputs that reach new code are kept in `target/fuzz`.
///
/// # Errors
/// Without a nightly compiler, which fuzzing needs.
pub(crate) fn run_targets(seconds: u32) -> Result<Tally> {
    let nightly = output(command("cargo").args(["+nightly", "--version"]));
    nightly.context("fuzzing needs a nightly compiler (rustup toolchain install nightly)")?;
    let env = tools::cargo_fuzz()?;
    let mut tally = Tally::default();
    for target in TARGETS {
        let found = root().join("target/fuzz").join(target);
        say(&format!("cargo fuzz run {target}"), &format!("{seconds} s, with the corpus as seeds"));
        fs::create_dir_all(&found)?;
        let mut fuzz = env.command("cargo")?;
        fuzz.args(["+nightly", "fuzz", "run", "--fuzz-dir", "tests/fuzz", "--target-dir", "target/fuzz/build", target]);
        fuzz.arg(&found).arg("tests/corpus").arg("--");
        fuzz.args([&format!("-max_total_time={seconds}"), "-max_len=120000", "-rss_limit_mb=2048"]);
        tally += run(fuzz.arg("-verbosity=0")).map_or_else(Tally::of_error, |()| Tally::PASS);
    }
    Ok(tally)
}
