//! Mutation testing: makes many small changes to the decoder and the model, and checks that a test notices each of
//! them.

use crate::run::{line, root, say};
use crate::tools;
use anyhow::{Context, Result, bail};
use clap::Args;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The crates that are changed.
const CHANGED: [&str; 2] = ["ghc-eventlog", "ghc-eventlog-model"];

/// The crates whose tests are run: the changed ones, the conformance tests, which check both with the corpus, and the
/// command line, which checks its output for the corpus, down to each figure of `summary`.
const TESTS: &str = "ghc-eventlog,ghc-eventlog-model,conformance,ghc-eventlog-cli";

/// A change counts as noticed if the tests take this many times as long with it: some changes make endless loops.
const TIMEOUT_FACTOR: &str = "3";

/// The least timeout of the tests, in seconds. They take some 40 s on a quiet machine with two cores, and 250 s on a
/// busy one.
const LEAST_TIMEOUT: &str = "400";

/// The exit code of cargo-mutants for mutants that were missed or took too long.
const MISSED: i32 = 2;
const TOO_LONG: i32 = 3;

/// Which changes to make.
#[derive(Args)]
pub(crate) struct MutantsArguments {
    /// Change only this file (from the checkout's root); may be given more than once
    #[arg(long, value_name = "PATH")]
    file: Vec<PathBuf>,
    /// Make only every n-th change, starting with the k-th: 0/20 is a twentieth of them
    #[arg(long, value_name = "k/n")]
    shard: Option<String>,
}

/// Makes the changes one after the other; fails if no test notices one of them.
pub(crate) fn run_mutants(arguments: &MutantsArguments) -> Result<ExitCode> {
    for file in &arguments.file {
        if !root().join(file).is_file() {
            bail!("there is no file {} in the checkout", file.display());
        }
    }
    let env = tools::cargo_mutants()?;
    let out = root().join("target/mutants");
    fs::create_dir_all(&out).with_context(|| out.display().to_string())?;
    let mut cargo = env.command("cargo")?;
    mutate(&mut cargo, arguments, &out);
    say("cargo mutants", "first the tests without a change, then with one change after the other");
    let status = cargo.status().context("cannot start `cargo mutants`")?;
    if !matches!(status.code(), Some(0 | MISSED | TOO_LONG)) {
        bail!("`{}` failed ({status})", line(&cargo));
    }
    let outcome = Outcome::read(&out.join("mutants.out"))?;
    println!("\n{outcome}");
    Ok(if outcome.missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn mutate(cargo: &mut Command, MutantsArguments { file, shard }: &MutantsArguments, out: &Path) {
    cargo.args(["mutants", "--test-package", TESTS, "--jobs", "1", "--no-shuffle", "--colors", "never"]);
    cargo.args(["--timeout-multiplier", TIMEOUT_FACTOR, "--minimum-test-timeout", LEAST_TIMEOUT]);
    // So that the copy need not build everything again.
    cargo.args(["--copy-target", "true", "--output"]).arg(out);
    cargo.args(CHANGED.iter().flat_map(|name| ["--package", name]));
    cargo.args(file.iter().flat_map(|file| ["--file".as_ref(), file.as_os_str()]));
    cargo.args(shard.iter().flat_map(|shard| ["--shard", shard]));
    // Without debug information, which is not needed here, linking takes half as long.
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "0");
}

/// The results of the changes, a line for each.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    caught: usize,
    too_long: usize,
    unviable: usize,
    missed: Vec<String>,
}

impl Outcome {
    /// Reads the results that cargo-mutants has written to a folder.
    fn read(folder: &Path) -> Result<Self> {
        let lines = |name: &str| -> Result<Vec<String>> {
            let path = folder.join(name);
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            Ok(text.lines().filter(|line| !line.is_empty()).map(str::to_string).collect())
        };
        Ok(Self {
            caught: lines("caught.txt")?.len(),
            too_long: lines("timeout.txt")?.len(),
            unviable: lines("unviable.txt")?.len(),
            missed: lines("missed.txt")?,
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { caught, too_long, unviable, missed } = self;
        let noticed = caught + too_long;
        let all = noticed + missed.len();
        write!(f, "{noticed} of {all} changes noticed")?;
        if all > 0 {
            write!(f, " ({:.1} %)", 100.0 * noticed as f64 / all as f64)?;
        }
        write!(f, ", {too_long} of them since the tests did not end; {unviable} did not compile")?;
        if !missed.is_empty() {
            write!(f, "\nNot noticed:")?;
        }
        missed.iter().try_for_each(|change| write!(f, "\n  {change}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::command;

    fn written(files: &[(&str, &str)]) -> Result<Outcome> {
        let folder = std::env::temp_dir().join(format!("xtask-mutants-{}-{}", std::process::id(), files.len()));
        fs::create_dir_all(&folder)?;
        for (name, text) in files {
            fs::write(folder.join(name), text)?;
        }
        let outcome = Outcome::read(&folder);
        fs::remove_dir_all(&folder)?;
        outcome
    }

    #[test]
    fn unnoticed_changes_are_counted_and_listed() -> Result<()> {
        let files = [
            ("caught.txt", "a.rs:1: one\na.rs:2: two\n"),
            ("timeout.txt", "a.rs:3: three\n"),
            ("unviable.txt", "a.rs:4: four\n"),
            ("missed.txt", "b.rs:5: five\n"),
        ];
        let expected = "3 of 4 changes noticed (75.0 %), 1 of them since the tests did not end; 1 did not compile\n\
                        Not noticed:\n  b.rs:5: five";
        assert_eq!(written(&files)?.to_string(), expected);
        assert!(written(&files[..3]).is_err(), "a run without results must not look like one without misses");
        Ok(())
    }

    #[test]
    fn a_shard_without_changes_does_not_divide_by_zero() {
        let expected = "0 of 0 changes noticed, 0 of them since the tests did not end; 0 did not compile";
        assert_eq!(Outcome::default().to_string(), expected);
    }

    #[test]
    fn both_crates_are_changed_and_all_crates_that_use_them_are_tested() {
        let arguments = MutantsArguments { file: vec!["a.rs".into(), "b.rs".into()], shard: Some("0/20".into()) };
        let mut cargo = command("cargo");
        mutate(&mut cargo, &arguments, Path::new("out"));
        let line = line(&cargo);
        for part in [
            "--package ghc-eventlog --package ghc-eventlog-model",
            "--file a.rs --file b.rs --shard 0/20",
            "--test-package ghc-eventlog,ghc-eventlog-model,conformance,ghc-eventlog-cli",
        ] {
            assert!(line.contains(part), "{part} is not in {line}");
        }
    }
}
