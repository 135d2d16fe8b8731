//! The page: its scripts, its wasm, and all of it in a browser.

use super::{Extent, Steps, node};
use crate::page::Profile;
use crate::run::{Env, command, run, run_tests, target};
use crate::tally::Tally;
use crate::{browser, npm, page, rust_std, tools};
use anyhow::Result;
use std::env::consts::EXE_EXTENSION;

/// Files of browser tests that would notice a broken page: together some thirty tests.
const FAST: [&str; 4] = ["load", "drawn", "figures", "tables"];

/// How many files of browser tests run at the same time. Each has a browser of its own, and waits for it half of its time.
const AT_ONCE: usize = 2;

pub(super) fn run_steps(extent: Extent) -> Result<Steps> {
    let mut steps = Steps::default();
    npm::ensure()?;
    steps.step("scripts: format and lints", || {
        run(command(npm::programs().join("biome")).args(["check", "--error-on-warnings"]))?;
        Ok(Tally::PASS)
    });
    steps.step("scripts: leaves", || node::run_files("tests/js", None, AT_ONCE, &[]));
    let mut built = None;
    steps.step("page: build", || {
        let env = page::tools()?;
        page::build(&env, if extent == Extent::All { Profile::Release } else { Profile::Page })?;
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
        steps.step("page: built by Trunk", || page::compare_with_trunk(&env).map(|()| Tally::PASS));
    }
    steps.step("page: in a browser", || in_browser(&env, extent));
    Ok(steps)
}

/// The page and its worker are checked apart, for each sees a different set of globals.
fn types() -> Result<Tally> {
    let mut tally = Tally::default();
    for project in ["web/jsconfig.json", "web/jsconfig.worker.json"] {
        let mut tsc = command(npm::programs().join("tsc"));
        // Both in any case: the first one's errors do not explain the second one's.
        tally += run(tsc.args(["--noEmit", "--project", project])).map_or(Tally::FAIL, |()| Tally::PASS);
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

fn in_browser(env: &Env, extent: Extent) -> Result<Tally> {
    let chrome = if extent == Extent::All { browser::ensure_kind(browser::Kind::Chrome)? } else { browser::ensure()? };
    // The page's figures are those of the command line. Not in the profile of the other lane, which may be compiling and running
    // the same program now.
    run(env.command("cargo")?.args(["build", "--quiet", "--profile", "page", "--package", "ghc-eventlog-cli"]))?;
    let program = target().join("page/ghc-eventlog").with_extension(EXE_EXTENSION);
    let vars = [("CHROME", chrome), ("DIST", page::dist()), ("GHC_EVENTLOG", program)];
    let only = (extent == Extent::Fast).then_some(&FAST[..]);
    node::run_files("tests/browser", only, AT_ONCE, &vars)
}
