//! The test runner for wasm, and cargo's helpers. They are used from PATH if their version is right, otherwise
//! installed once per machine.

use crate::cache;
use crate::run::{Env, command, line, output, root, run, timed};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const CARGO_FUZZ: &str = "0.13.1";

/// The version decides which mutants there are, so results can only be compared for the same version.
const CARGO_MUTANTS: &str = "27.1.0";

/// wasm-bindgen's test runner, of exactly the version that the binding is compiled with. It runs the binding's tests.
/// Trunk finds wasm-bindgen's command in the same folder.
pub(crate) fn wasm_bindgen() -> Result<Option<PathBuf>> {
    let lock = fs::read_to_string(root().join("Cargo.lock")).context("Cargo.lock")?;
    let wanted = locked_version(&lock, "wasm-bindgen").context("no wasm-bindgen in Cargo.lock")?;
    folder("wasm-bindgen-cli", wanted, "wasm-bindgen-test-runner", |found| found == wanted)
}

/// The fuzzer's driver.
pub(crate) fn cargo_fuzz() -> Result<Env> {
    let folder = folder("cargo-fuzz", CARGO_FUZZ, "cargo-fuzz", |found| found.starts_with("0."))?;
    Ok(Env { path: folder.into_iter().collect(), vars: Vec::new() })
}

/// cargo-mutants, which changes the code to see whether a test notices.
pub(crate) fn cargo_mutants() -> Result<Env> {
    let folder = folder("cargo-mutants", CARGO_MUTANTS, "cargo-mutants", |found| found == CARGO_MUTANTS)?;
    Ok(Env { path: folder.into_iter().collect(), vars: Vec::new() })
}

/// The folder with `program`; `None` if PATH has a suitable version.
fn folder(package: &str, version: &str, program: &str, will_do: impl Fn(&str) -> bool) -> Result<Option<PathBuf>> {
    // The line reads `wasm-bindgen 0.2.129`.
    let line = output(command(program).arg("--version")).unwrap_or_default();
    if line.split_whitespace().nth(1).is_some_and(will_do) {
        return Ok(None);
    }
    let name = format!("tools/{package}-{version}");
    Ok(Some(cache::entry(&name, |work| install(package, version, work))?.join("bin")))
}

fn install(package: &str, version: &str, folder: &Path) -> Result<()> {
    let mut cargo = install_command(package, version, folder);
    timed(&line(&cargo), "not on PATH in this version; takes a minute or so, once per machine", || run(&mut cargo))
        .with_context(|| format!("cannot install {package}; a C compiler and git help (Debian: build-essential, git)"))
}

/// Only with the dependencies that the package was released with. Newer ones are untested with it, and anyone who can
/// publish one of them could run code on this machine.
fn install_command(package: &str, version: &str, folder: &Path) -> Command {
    let mut cargo = command("cargo");
    cargo.args(["install", package, "--locked", "--version", &format!("={version}"), "--root"]).arg(folder);
    // These tools only start other programs, so build time matters more than speed.
    cargo.args(["--no-default-features", "--profile", "dev"]).env("CARGO_PROFILE_DEV_DEBUG", "false");
    cargo
}

/// The version of a package in the text of a Cargo.lock.
fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let (_, after) = lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
    Some(after.split_once('"')?.0)
}

#[cfg(test)]
mod tests {
    use super::{install_command, locked_version};
    use std::path::Path;

    #[test]
    fn finds_exactly_the_named_package() {
        let lock = "[[package]]\nname = \"wasm-bindgen-test\"\nversion = \"0.3.1\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.7\"\nsource = \"x\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.7"));
        assert_eq!(locked_version(lock, "bindgen"), None);
    }

    #[test]
    fn installed_tools_and_their_dependencies_are_pinned() {
        let command = install_command("wasm-bindgen-cli", "0.2.7", Path::new("/folder"));
        let line = crate::run::line(&command);
        assert_eq!(
            line,
            "cargo install wasm-bindgen-cli --locked --version =0.2.7 --root /folder --no-default-features --profile dev"
        );
    }
}
