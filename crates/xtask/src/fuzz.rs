//! Fuzzing: random changes to the corpus, as many as there is time for. What they find without a fuzzer, the tests find, too:
//! `tests/conformance/tests/all/fuzzed.rs`.

use crate::run::{command, output, root, run, say};
use crate::tally::Tally;
use crate::tools;
use anyhow::Result;
use std::fs;

const TARGETS: [&str; 4] = ["decode", "chunks", "agree", "strip"];

/// Whether the targets compile. Any compiler can say so; running them takes a nightly one.
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

/// Runs every target for so many seconds. What is worth more changes is kept in `target/fuzz`.
///
/// Needs a nightly compiler: without one it says so and passes nothing.
pub(crate) fn run_targets(seconds: u32) -> Result<Tally> {
    if output(command("cargo").args(["+nightly", "--version"])).is_err() {
        println!("LEFT OUT: fuzzing needs a nightly compiler (rustup toolchain install nightly)");
        return Ok(Tally::default());
    }
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
        tally += run(fuzz.arg("-verbosity=0")).map_or(Tally::FAIL, |()| Tally::PASS);
    }
    Ok(tally)
}
