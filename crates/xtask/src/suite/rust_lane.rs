//! The Rust lane: the crates, on this machine.

use super::{Extent, Steps, cargo, check};
use crate::run::{root, run_tests};
use crate::tally::Tally;
use crate::{fuzz, rust_std};
use anyhow::{Context, Result};
use cargo_metadata::MetadataCommand;
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

/// The crates that must work without `std`.
const NO_STD: [&str; 3] = ["ghc-eventlog", "ghc-eventlog-text", "ghc-eventlog-model"];

/// How long each fuzz target runs with `--all`, in seconds.
const FUZZED: u32 = 300;

pub(super) fn run_steps(extent: Extent) -> Result<Steps> {
    let mut steps = Steps::default();
    steps.step("formatting", || check(&mut cargo("fmt --all --check")));
    if extent == Extent::Fast {
        steps.step("unit tests", || run_tests(&mut cargo("test --workspace --lib --bins --no-fail-fast")));
        steps.step("corpus", || run_tests(&mut cargo("test -p conformance --test all -- corpus:: --no-capture")));
        return Ok(steps);
    }
    steps.step("lints", || check(&mut cargo("clippy --workspace --all-targets -- -D warnings")));
    steps.step("tests", || run_tests(&mut cargo("test --workspace --exclude ghc-eventlog-wasm --no-fail-fast")));
    // Its other tests need a test runner for wasm, which the page's lane has.
    steps.step("the binding's types", || run_tests(&mut cargo("test -p ghc-eventlog-wasm --lib")));
    steps.step("documentation", documentation);
    steps.step("no std", no_std);
    steps.step("fuzz targets", fuzz::check_targets);
    if extent == Extent::All {
        steps.step("fuzz", || fuzz::run_targets(FUZZED));
    }
    steps.step("package", || packages(extent));
    Ok(steps)
}

fn documentation() -> Result<Tally> {
    check(cargo("doc --workspace --no-deps --lib").env("RUSTDOCFLAGS", "-D warnings"))
}

fn no_std() -> Result<Tally> {
    let env = rust_std::ensure(rust_std::BARE_METAL)?;
    let mut cargo = env.command("cargo")?;
    // Without what needs the standard library.
    cargo.args(["check", "--no-default-features", "--target", rust_std::BARE_METAL]);
    check(cargo.args(NO_STD.iter().flat_map(|name| ["-p", name])))
}

/// Packs the crates that are published. With `--all`, each is also built from its archive, as `cargo install` does.
fn packages(extent: Extent) -> Result<Tally> {
    let metadata = MetadataCommand::new().no_deps().exec().context("cargo metadata")?;
    // `publish = false` reads as an empty list of registries.
    let published = metadata.packages.iter().filter(|package| package.publish.is_none());
    let names = published.map(|package| format!("-p{}", package.name));
    let mut cargo = cargo("package --allow-dirty --quiet");
    if extent != Extent::All {
        return check(cargo.arg("--no-verify").args(names));
    }
    // In a new folder each time, since cargo reuses an unpacked crate as long as its version is unchanged.
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos();
    let folder = root().join(format!("target/packages-{now}"));
    let checked = check(cargo.arg("--target-dir").arg(&folder).args(names));
    let removed = fs::remove_dir_all(&folder);
    let passed = checked?;
    removed.with_context(|| folder.display().to_string())?;
    Ok(passed)
}
