//! The page's lane: its scripts, its wasm, and the whole page in a browser.

use super::node::{How, run_files};
use super::{Extent, Steps, cargo, check};
use crate::page::Profile;
use crate::run::{Env, command, run, run_tests, target};
use crate::tally::Tally;
use crate::{browser, npm, page, rust_std, tools};
use anyhow::Result;
use std::env::consts::EXE_EXTENSION;
use std::path::PathBuf;
use std::time::Duration;

/// The browser tests of `--fast`, some thirty tests that would notice a broken page.
const FAST: [&str; 4] = ["load", "drawn", "figures", "tables"];

/// How many files of browser tests run at the same time. Each has its own browser, and waits for it half of the time.
const AT_ONCE: usize = 2;

/// How long a file of tests may take. The longest, that of axe, takes five minutes on two busy cores.
const LIMIT: Duration = Duration::from_secs(20 * 60);
/// The same with everything tried: every scene for axe in every way takes half an hour.
const LIMIT_ALL: Duration = Duration::from_secs(2 * 60 * 60);

pub(super) fn run_steps(extent: Extent) -> Result<Steps> {
    let mut steps = Steps::default();
    steps.step("npm's packages", || npm::ensure().map(|_| Tally::PASS));
    steps.step("scripts: format and lints", || {
        check(command(npm::programs().join("biome")).args(["check", "--error-on-warnings"]))
    });
    steps.step("scripts: leaves", || {
        run_files("tests/js", None, &How { at_once: AT_ONCE, limit: LIMIT, vars: &[], repeats: false })
    });
    let mut built = None;
    steps.step("page: build", || {
        let env = page::tools()?;
        let profile = if extent == Extent::All { Profile::Release } else { Profile::Page };
        page::build(&env, profile, &built_in())?;
        built = Some(env);
        Ok(Tally::PASS)
    });
    // The following steps need the page or the tools that built it. An older page in dist/ must not be tested instead.
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

/// The folder of the one-file page for the command line that the browser tests use. Not that crate's folder: the other
/// lane may be compiling it, and would find the page or not, depending on the time.
fn built_in() -> PathBuf {
    target().join("built-in")
}

/// The page and its worker are checked separately, since they have different globals.
fn types() -> Result<Tally> {
    let mut tally = Tally::default();
    for project in ["web/jsconfig.json", "web/jsconfig.worker.json"] {
        let mut tsc = command(npm::programs().join("tsc"));
        // Always checks both: the errors of the first do not explain those of the second.
        tally += check(tsc.args(["--noEmit", "--project", project])).unwrap_or_else(Tally::of_error);
    }
    Ok(tally)
}

fn binding(env: &Env) -> Result<Tally> {
    let mut env = env.clone();
    env.path.splice(0..0, tools::wasm_bindgen()?);
    let mut cargo = env.command("cargo")?;
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner");
    // The page's profile, since the crates that it needs are compiled in it already.
    cargo.args(["test", "--profile", "page", "--tests", "-p", "ghc-eventlog-wasm", "--target", rust_std::WASM]);
    run_tests(&mut cargo)
}

fn in_browser(extent: Extent) -> Result<Tally> {
    let chrome = if extent == Extent::All { browser::ensure_kind(browser::Kind::Chrome)? } else { browser::ensure()? };
    // The tests compare the page's figures with the command line's. Not in the profile of the other lane, which may be
    // compiling and running the same program now.
    let mut cargo = cargo("build --quiet --profile page --package ghc-eventlog-cli");
    run(cargo.env("GHC_EVENTLOG_BUILT_IN", built_in()))?;
    let program = target().join("page/ghc-eventlog").with_extension(EXE_EXTENSION);
    // Some tests try less unless there is time for all of it.
    let tried = if extent == Extent::All { "all" } else { "some" };
    let vars = [("CHROME", chrome), ("DIST", page::dist()), ("GHC_EVENTLOG", program), ("EXTENT", tried.into())];
    let only = (extent == Extent::Fast).then_some(&FAST[..]);
    let limit = if extent == Extent::All { LIMIT_ALL } else { LIMIT };
    // A run that may take all night shows what is unsteady by failing.
    let how = How { at_once: AT_ONCE, limit, vars: &vars, repeats: extent != Extent::All };
    run_files("tests/browser", only, &how)
}

/// Takes the reference pictures of the page anew. Those that differ less than the tests tolerate stay as they are.
pub(super) fn renew_looks() -> Result<Tally> {
    let env = page::tools()?;
    page::build(&env, Profile::Page, &built_in())?;
    let vars = [("CHROME", browser::ensure()?), ("DIST", page::dist()), ("LOOKS", PathBuf::from("renew"))];
    let how = How { at_once: 1, limit: LIMIT_ALL, vars: &vars, repeats: false };
    run_files("tests/browser", Some(&["reference"]), &how)
}
