//! Builds the page: the crates as wasm with their bindings, the bundled scripts around them, and the one-file page.

mod optimise;
mod order;
mod serve;
mod sizes;
mod split;
mod trunk;
mod wasm;

pub(crate) use serve::serve;
pub(crate) use sizes::{check as check_sizes, sizes};
pub(crate) use trunk::compare_with_trunk;
pub(crate) use wasm::Profile;

use crate::run::{Env, command, root, run, target, timed};
use crate::{licences, npm, rust_std};
use anyhow::{Context, Error, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

/// The one-file page.
pub(crate) const SINGLE: &str = "viewer.html";

/// The list of licences.
pub(crate) const LICENCES: &str = "licences.txt";

/// The folder of the built page.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// The command line's crate.
pub(crate) fn command_line() -> PathBuf {
    root().join("crates/ghc-eventlog-cli")
}

/// Installs the tools that build the page: the npm packages, and at the same time the compiler for wasm.
pub(crate) fn tools() -> Result<Env> {
    thread::scope(|scope| {
        let packages = scope.spawn(npm::ensure);
        let env = rust_std::ensure(rust_std::WASM);
        packages.join().map_err(|_| Error::msg("installing npm's packages panicked"))??;
        env
    })
}

/// Builds the whole page into `dist/`. Also writes the files that are built into the command line (the one-file page
/// and all licences) into the folder `built_in`: [`command_line`], or another one that `GHC_EVENTLOG_BUILT_IN` then
/// names when the command line is built.
pub(crate) fn build(env: &Env, profile: Profile, built_in: &Path) -> Result<()> {
    let out = dist();
    start_anew(&out)?;
    wasm::make(env, profile, &out)?;
    bundle(&out, true)?;
    // Before wasm-opt, which drops the names of functions.
    let parts = split_parts(&out)?;
    if let Some(optimiser) = optimise::find(profile)? {
        timed("wasm-opt", "smaller and faster wasm than the compiler's", || {
            let modules = wasm::MODULES.iter().map(|module| wasm::path(&out, module));
            modules.chain(parts.clone()).try_for_each(|wasm| optimise::optimise(&optimiser, profile, &wasm))
        })?;
    }
    fs::create_dir_all(built_in)?;
    let of_single = add_licences(&out, built_in)?;
    // The one-file page has the whole module.
    make_single(&out, &of_single, built_in)?;
    let [first, rest] = parts;
    for (part, path) in [(first, wasm::path(&out, wasm::SPLIT)), (rest, wasm::rest_path(&out))] {
        fs::copy(&part, &path).with_context(|| path.display().to_string())?;
    }
    timed("node web/offline.js", "the service worker, which has the hashes of the page's files", || {
        run(command("node").arg("web/offline.js").arg(&out))
    })?;
    if profile == Profile::Release {
        sizes::print(&sizes(&out)?);
    }
    Ok(())
}

/// Empties the folder, so that files of an earlier page cannot hide that this one lacks them.
fn start_anew(out: &Path) -> Result<()> {
    if out.exists() {
        fs::remove_dir_all(out).with_context(|| out.display().to_string())?;
    }
    fs::create_dir_all(out).with_context(|| out.display().to_string())
}

/// Splits the wasm, and writes both parts to files that are not in the page yet.
fn split_parts(page: &Path) -> Result<[PathBuf; 2]> {
    timed("split", "the wasm that the page needs at its start, and the rest", || {
        let folder = target().join("split");
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let whole = fs::read(wasm::path(page, wasm::SPLIT))?;
        let paths = ["first.wasm", "rest.wasm"].map(|name| folder.join(name));
        for (part, path) in split::split(&whole, &wasm::REST)?.iter().zip(&paths) {
            fs::write(path, part).with_context(|| path.display().to_string())?;
        }
        Ok(paths)
    })
}

/// Builds the page itself, with each of its scripts bundled into one file. They request the rest of the wasm only if it is split.
fn bundle(out: &Path, is_split: bool) -> Result<()> {
    timed("node web/bundle.js", "the page, and its scripts in one file each", || {
        run(command("node").arg("web/bundle.js").arg(out).env("SPLIT", if is_split { "1" } else { "0" }))
    })
}

/// Adds the licences of the Rust packages to those of the scripts. The command line's list has more of both, that of the
/// one-file page has fewer: it is written to a file that is not in the page, whose path is returned.
fn add_licences(out: &Path, built_in: &Path) -> Result<PathBuf> {
    let path = out.join(LICENCES);
    let scripts = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let with = |crates: &[&str], target| {
        Ok::<_, Error>(format!("{scripts}{}{}", licences::RULE, licences::of(crates, target)?))
    };
    fs::write(&path, with(&wasm::MODULES, Some(rust_std::WASM))?)?;
    fs::write(built_in.join(LICENCES), with(&[&wasm::MODULES[..], &["ghc-eventlog-cli"]].concat(), None)?)?;
    let of_single = target().join("split").join(LICENCES);
    fs::write(&of_single, with(&[wasm::SPLIT], Some(rust_std::WASM))?)?;
    Ok(of_single)
}

/// Makes the one-file page, which is built into the command line.
fn make_single(out: &Path, licences: &Path, built_in: &Path) -> Result<()> {
    timed("node web/single.js", "the page as one file, which `ghc-eventlog report` puts logs into", || {
        run(command("node").arg("web/single.js").arg(out).arg(licences))
    })?;
    let held = built_in.join(SINGLE);
    fs::copy(out.join(SINGLE), &held).with_context(|| held.display().to_string())?;
    Ok(())
}
