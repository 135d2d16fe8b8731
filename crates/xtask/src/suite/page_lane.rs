//! The page: its scripts, its wasm, and all of it in a browser.

use super::{Extent, Steps, cargo, check, node};
use crate::page::Profile;
use crate::run::{Env, command, run, run_tests, target};
use crate::tally::Tally;
use crate::{browser, npm, page, rust_std, tools};
use anyhow::Result;
use std::env::consts::EXE_EXTENSION;
use std::path::PathBuf;

/// Files of browser tests that would notice a broken page: together some thirty tests.
const FAST: [&str; 4] = ["load", "drawn", "figures", "tables"];

/// How many files of browser tests run at the same time. Each has a browser of its own, and waits for it half of its time.
const AT_ONCE: usize = 2;

pub(super) fn run_steps(extent: Extent) -> Result<Steps> {
    let mut steps = Steps::default();
    steps.step("npm's packages", || npm::ensure().map(|_| Tally::PASS));
    steps.step("scripts: format and lints", || {
        check(command(npm::programs().join("biome")).args(["check", "--error-on-warnings"]))
    });
    steps.step("scripts: leaves", || node::run_files("tests/js", None, AT_ONCE, &[]));
    let mut built = None;
    steps.step("page: build", || {
        let env = page::tools()?;
        let profile = if extent == Extent::All { Profile::Release } else { Profile::Page };
        page::build(&env, profile, &built_in())?;
        built = Some(env);
        Ok(Tally::PASS)
    });
    // These need the page or what it was built with; an older page in dist/ must not stand in for it.
    let Some(env) = built else {
        println!("\nThe page was not built: its types, its binding and its tests in a browser are left out");
        return Ok(steps);
    };
    steps.step("page: types", types);
    if extent != Extent::Fast {
        steps.step("binding", || binding(&env));
        steps.step("page: built by Trunk", || page::compare_with_trunk(&env));
    }
    steps.step("page: in a browser", || in_browser(extent));
    Ok(steps)
}

/// Where the page of one file is for the command line that the browser's tests use. Not in that crate's folder: the other lane may be
/// compiling it, and would or would not find it there.
fn built_in() -> PathBuf {
    target().join("built-in")
}

/// The page and its worker are checked apart, for each sees a different set of globals.
fn types() -> Result<Tally> {
    let mut tally = Tally::default();
    for project in ["web/jsconfig.json", "web/jsconfig.worker.json"] {
        let mut tsc = command(npm::programs().join("tsc"));
        // Both in any case: the first one's errors do not explain the second one's.
        tally += check(tsc.args(["--noEmit", "--project", project])).unwrap_or_else(Tally::of_error);
    }
    Ok(tally)
}

fn binding(env: &Env) -> Result<Tally> {
    let mut env = env.clone();
    env.path.splice(0..0, tools::wasm_bindgen()?);
    let mut cargo = env.command("cargo")?;
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner");
    // The page's profile: what it is built of is compiled already.
    cargo.args(["test", "--profile", "page", "--tests", "-p", "ghc-eventlog-wasm", "--target", rust_std::WASM]);
    run_tests(&mut cargo)
}

fn in_browser(extent: Extent) -> Result<Tally> {
    let chrome = if extent == Extent::All { browser::ensure_kind(browser::Kind::Chrome)? } else { browser::ensure()? };
    // The page's figures are those of the command line. Not in the profile of the other lane, which may be compiling and running
    // the same program now.
    let mut cargo = cargo("build --quiet --profile page --package ghc-eventlog-cli");
    run(cargo.env("GHC_EVENTLOG_BUILT_IN", built_in()))?;
    let program = target().join("page/ghc-eventlog").with_extension(EXE_EXTENSION);
    let vars = [("CHROME", chrome), ("DIST", page::dist()), ("GHC_EVENTLOG", program)];
    let only = (extent == Extent::Fast).then_some(&FAST[..]);
    node::run_files("tests/browser", only, AT_ONCE, &vars)
}
