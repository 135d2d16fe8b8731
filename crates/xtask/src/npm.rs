//! Packages from npm: TypeScript, Biome, Playwright, Binaryen, esbuild and Terser, which are only tools, and Lit, which is
//! bundled into the page.
//!
//! They are installed once per machine for each lock file. The checkout has a link to them.

use crate::cache;
use crate::run::{command, root, run, timed};
use anyhow::{Context, Result};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Makes `tests/node_modules` have exactly the packages of `tests/package-lock.json`.
pub(crate) fn ensure() -> Result<PathBuf> {
    let tests = root().join("tests");
    let link = tests.join("node_modules");
    if link.is_dir() && !link.is_symlink() {
        // The result of an `npm ci` in this checkout is as good.
        return Ok(link);
    }
    let lock = fs::read(tests.join("package-lock.json")).context("tests/package-lock.json")?;
    let mut hasher = DefaultHasher::new();
    lock.hash(&mut hasher);
    let entry = cache::entry(&format!("npm/{:016x}", hasher.finish()), |work| install(&tests, work))?;
    point(&link, &entry.join("node_modules"))?;
    Ok(link)
}

/// The folder of the tools' programs.
pub(crate) fn programs() -> PathBuf {
    root().join("tests/node_modules/.bin")
}

fn install(tests: &Path, work: &Path) -> Result<()> {
    for file in ["package.json", "package-lock.json"] {
        fs::copy(tests.join(file), work.join(file))?;
    }
    timed("npm ci", "the bundler, the type checker, the browser's driver and wasm-opt, once per machine", || {
        let mut npm = command("npm");
        run(npm.current_dir(work).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))
    })
}

/// Makes `link` a link to `target`, replacing one that points elsewhere.
fn point(link: &Path, target: &Path) -> Result<()> {
    if fs::read_link(link).is_ok_and(|now| now == target) {
        return Ok(());
    }
    if link.is_symlink() {
        fs::remove_file(link)?;
    }
    symlink(target, link).with_context(|| format!("cannot link {}", link.display()))
}

#[cfg(unix)]
use std::os::unix::fs::symlink;
#[cfg(windows)]
use std::os::windows::fs::symlink_dir as symlink;
