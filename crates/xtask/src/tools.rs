//! Trunk and wasm-bindgen: used from PATH when their version is right, else installed once per machine.

use crate::cache;
use crate::run::{Env, command, output, root, run, say};
use anyhow::{Context, Result};
use std::fs;
use std::path::PathBuf;

/// 0.22 needs a newer compiler than this workspace.
const TRUNK: &str = "0.21.14";

const CARGO_FUZZ: &str = "0.13.1";

/// Trunk, which builds the page: the folder to put on PATH, if it is not there already.
pub(crate) fn trunk() -> Result<Option<PathBuf>> {
    // Any 0.21 understands Trunk.toml.
    folder("trunk", TRUNK, "trunk", |found| found.starts_with("0.21."))
}

/// wasm-bindgen and its test runner, of exactly the version that the binding is compiled with.
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

/// The folder with `program`; none when PATH has a version that will do.
fn folder(package: &str, version: &str, program: &str, will_do: impl Fn(&str) -> bool) -> Result<Option<PathBuf>> {
    // The line reads `trunk 0.21.14`.
    let line = output(command(program).arg("--version")).unwrap_or_default();
    if line.split_whitespace().nth(1).is_some_and(will_do) {
        return Ok(None);
    }
    let name = format!("tools/{package}-{version}");
    Ok(Some(cache::entry(&name, |work| install(package, version, work))?.join("bin")))
}

fn install(package: &str, version: &str, folder: &std::path::Path) -> Result<()> {
    let what = format!("cargo install {package} --version {version}");
    say(&what, "not on PATH in this version; takes minutes, once per machine");
    let cargo = |locked: &[&str]| {
        let mut cargo = command("cargo");
        let version = format!("={version}");
        cargo.args(["install", package, "--version", &version, "--root"]).arg(folder);
        run(cargo.args(locked))
    };
    cargo(&["--locked"])
        .or_else(|error| {
            // A mirror of the registry may lag behind the versions that the package was released with.
            say(&what, &format!("once more with the versions the registry has, since {error}"));
            cargo(&[])
        })
        .with_context(|| format!("cannot install {package}; a C compiler and git help (Debian: build-essential, git)"))
}

/// The version of a package in the text of a Cargo.lock.
fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let (_, after) = lock.split_once(&format!("name = \"{package}\"\nversion = \""))?;
    Some(after.split_once('"')?.0)
}

#[cfg(test)]
mod tests {
    use super::locked_version;

    #[test]
    fn finds_exactly_the_named_package() {
        let lock = "[[package]]\nname = \"wasm-bindgen-test\"\nversion = \"0.3.1\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.7\"\nsource = \"x\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.7"));
        assert_eq!(locked_version(lock, "bindgen"), None);
    }
}
