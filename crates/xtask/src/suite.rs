//! Every test of the project, one step after the other: what fails fast first, and all of them in
//! any case, so that one run shows everything there is to repair.

use crate::run::{Env, command, output, root, run, run_tests};
use crate::tally::Tally;
use crate::{browser, fuzz, fuzz::Changes, npm, page, rust_std};
use anyhow::{Context, Result, bail};
use std::env::{self, consts::EXE_EXTENSION};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The crates that must work without `std`.
const NO_STD: [&str; 3] = ["ghc-eventlog", "ghc-eventlog-text", "ghc-eventlog-model"];

/// The crates that are published.
const PUBLISHED: [&str; 8] = [
    "ghc-eventlog",
    "ghc-eventlog-text",
    "ghc-eventlog-model",
    "ghc-eventlog-export",
    "ghc-eventlog-report",
    "ghc-eventlog-strip",
    "ghc-eventlog-unpack",
    "ghc-eventlog-cli",
];

/// Packs the crates that are published, and builds each as those get it who install it. In a folder of its own each time: what cargo
/// has unpacked and built of a crate it takes for the same crate as long as the version is the same.
fn packages() -> Result<Tally> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos();
    let folder = root().join(format!("target/packages-{now}"));
    let names = PUBLISHED.map(|name| format!("-p{name}"));
    let checked = check(cargo("package --allow-dirty --quiet --target-dir").arg(&folder).args(names));
    let removed = fs::remove_dir_all(&folder);
    let passed = checked?;
    removed.with_context(|| folder.display().to_string())?;
    Ok(passed)
}

/// Runs everything; with `clean`, the checkout must not differ from its commit afterwards.
pub(crate) fn all(clean: bool) -> Result<ExitCode> {
    let mut suite = Suite::default();
    suite.step("formatting", || check(&mut cargo("fmt --all --check")));
    suite.step("page: leaves", || node_tests("tests/js", &[]));
    suite.step("lints", || check(&mut cargo("clippy --workspace --all-targets -- -D warnings")));
    suite.step("tests", || run_tests(&mut cargo("test --workspace --exclude ghc-eventlog-wasm --no-fail-fast")));
    suite.step("documentation", documentation);
    suite.step("no std", no_std);
    suite.step("package", packages);
    suite.step("fuzz", || fuzz::run_targets(Changes::Same(if clean { 4000 } else { 800 })));

    let mut built = None;
    suite.step("page: build", || {
        let env = page::tools()?;
        page::build(&env)?;
        built = Some(env);
        Ok(Tally::PASS)
    });
    // These need the page or what it was built with; an older page in dist/ must not stand in for it.
    match built {
        Some(env) => {
            suite.step("page: types", types);
            suite.step("binding", || binding(&env));
            suite.step("page: in a browser", in_browser);
        }
        None => println!("\nThe page was not built: its types, its binding and its tests in a browser are left out"),
    }
    if clean {
        suite.step("nothing rewritten", unchanged);
    }
    Ok(suite.close())
}

/// What has run so far.
#[derive(Default)]
struct Suite {
    tally: Tally,
    failed: Vec<&'static str>,
}

impl Suite {
    fn step(&mut self, name: &'static str, step: impl FnOnce() -> Result<Tally>) {
        println!("\n=== {name}");
        let start = Instant::now();
        let tally = step().unwrap_or_else(|error| {
            eprintln!("error: {error:#}");
            Tally::FAIL
        });
        println!("=== {name}: {tally} ({:.1} s)", start.elapsed().as_secs_f32());
        self.tally += tally;
        if tally.failed > 0 {
            self.failed.push(name);
        }
    }

    /// The closing line, which machines read, and the exit code that agrees with it.
    fn close(self) -> ExitCode {
        println!();
        if !self.failed.is_empty() {
            println!("Failed: {}", self.failed.join(", "));
        }
        println!("{}", self.tally);
        if self.tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

fn cargo(arguments: &str) -> Command {
    let mut cargo = command("cargo");
    cargo.args(arguments.split(' '));
    cargo
}

/// A command that reports no numbers is one check.
fn check(command: &mut Command) -> Result<Tally> {
    run(command)?;
    Ok(Tally::PASS)
}

fn documentation() -> Result<Tally> {
    check(cargo("doc --workspace --no-deps --lib").env("RUSTDOCFLAGS", "-D warnings"))
}

fn no_std() -> Result<Tally> {
    let env = rust_std::ensure(rust_std::BARE_METAL)?;
    let mut cargo = env.command("cargo")?;
    cargo.args(["check", "--target", rust_std::BARE_METAL]);
    check(cargo.args(NO_STD.iter().flat_map(|name| ["-p", name])))
}

/// The page and its worker are checked apart, for each sees a different set of globals.
fn types() -> Result<Tally> {
    npm::ensure()?;
    let mut tally = Tally::default();
    for project in ["web/jsconfig.json", "web/jsconfig.worker.json"] {
        let mut tsc = command(npm::programs().join("tsc"));
        // Both in any case: the first one's errors do not explain the second one's.
        tally += run(tsc.args(["--noEmit", "--project", project])).map_or(Tally::FAIL, |()| Tally::PASS);
    }
    Ok(tally)
}

/// In the page's profile: what is published is what is tested.
fn binding(env: &Env) -> Result<Tally> {
    let mut cargo = env.command("cargo")?;
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner");
    cargo.args(["test", "--release", "--tests", "-p", "ghc-eventlog-wasm", "--target", rust_std::WASM]);
    run_tests(&mut cargo)
}

fn in_browser() -> Result<Tally> {
    npm::ensure()?;
    let (chrome, dist) = (browser::ensure()?, page::dist());
    // The page's figures are those of the command line.
    run(&mut cargo("build --quiet --package ghc-eventlog-cli"))?;
    let built = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let program = built.join("debug/ghc-eventlog").with_extension(EXE_EXTENSION);
    node_tests("tests/browser", &[("CHROME", chrome), ("DIST", dist), ("GHC_EVENTLOG", program)])
}

/// Runs the `*.test.js` files of a folder. They are named one by one: what Node does with a folder
/// depends on its version.
fn node_tests(folder: &str, vars: &[(&str, PathBuf)]) -> Result<Tally> {
    let mut files = Vec::new();
    for file in fs::read_dir(root().join(folder)).into_iter().flatten() {
        files.push(file?.path());
    }
    files.retain(|file| file.to_string_lossy().ends_with(".test.js"));
    files.sort();
    if files.is_empty() {
        println!("there are none in {folder}/");
        return Ok(Tally::default());
    }
    let mut node = command("node");
    node.args(["--test", "--test-reporter=spec"]).args(files);
    run_tests(node.envs(vars.iter().map(|(name, value)| (name, value))))
}

/// A test that blesses its own expectations, or a tool that rewrites a lock file, must not pass.
fn unchanged() -> Result<Tally> {
    let changed = output(command("git").args(["status", "--porcelain"]))?;
    if !changed.is_empty() {
        run(command("git").args(["--no-pager", "diff", "HEAD"]))?;
        bail!("the checkout differs from its commit:\n{changed}");
    }
    Ok(Tally::PASS)
}
