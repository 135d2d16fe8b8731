//! Fuzzing: random changes to the corpus. The tests try the same ones each time, so that they say the same of the same code;
//! `cargo xtask fuzz` tries others, as many as there is time for.

use crate::run::{command, output, root, run, say};
use crate::tally::Tally;
use crate::tools;
use anyhow::Result;
use std::fs;

const TARGETS: [&str; 4] = ["decode", "chunks", "agree", "strip"];

/// Which changes are tried.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Changes {
    /// So many, always the same.
    Same(u32),
    /// Any, for so many seconds with each target. Those that are worth more changes are kept in `target/fuzz`.
    Any(u32),
}

/// Runs every target. Needs a nightly compiler: without one it says so and passes nothing.
pub(crate) fn run_targets(changes: Changes) -> Result<Tally> {
    if output(command("cargo").args(["+nightly", "--version"])).is_err() {
        println!("SKIPPED: fuzzing needs a nightly compiler (rustup toolchain install nightly)");
        return Ok(Tally::default());
    }
    let env = tools::cargo_fuzz()?;
    let mut tally = Tally::default();
    for target in TARGETS {
        let (found, options, how) = match changes {
            Changes::Same(count) => {
                let found = root().join("target/fuzz/same").join(target);
                // What earlier runs have found would make others of them.
                if found.exists() {
                    fs::remove_dir_all(&found)?;
                }
                (found, vec!["-seed=1".to_string(), format!("-runs={count}")], format!("{count} logs"))
            }
            Changes::Any(seconds) => {
                let found = root().join("target/fuzz").join(target);
                (found, vec![format!("-max_total_time={seconds}")], format!("{seconds} s"))
            }
        };
        say(&format!("cargo fuzz run {target}"), &format!("{how}, with the corpus as seeds"));
        fs::create_dir_all(&found)?;
        let mut fuzz = env.command("cargo")?;
        fuzz.args(["+nightly", "fuzz", "run", "--fuzz-dir", "tests/fuzz", "--target-dir", "target/fuzz/build", target]);
        fuzz.arg(&found).arg("tests/corpus").arg("--");
        fuzz.args(options).args(["-max_len=120000", "-rss_limit_mb=2048"]);
        tally += run(fuzz.arg("-verbosity=0")).map_or(Tally::FAIL, |()| Tally::PASS);
    }
    Ok(tally)
}
