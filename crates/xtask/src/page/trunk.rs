//! Builds the page with Trunk, if it is installed, and checks that the result is the same.

use super::wasm::{self, Profile};
use super::{bundle, start_anew};
use crate::run::{Env, command, output, root, run, say, timed};
use crate::tally::Tally;
use crate::tools;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use walrus::ModuleConfig;

/// Builds the page with Trunk and without, up to the steps that only `build` does. Compares all files but the service
/// worker, which has the hashes of the others.
///
/// # Errors
/// When they differ, or one of the builds fails. Without Trunk on PATH, prints that and counts no passed test.
pub(crate) fn compare_with_trunk(env: &Env) -> Result<Tally> {
    if !is_there() {
        println!("LEFT OUT: no Trunk 0.21 on PATH, so `trunk build` was not compared with `cargo xtask build`");
        return Ok(Tally::default());
    }
    let [by_trunk, own] = ["trunk", "own"].map(|name| root().join("target/compared").join(name));
    start_anew(&own)?;
    wasm::make(env, Profile::Page, &own)?;
    bundle(&own, false)?;
    start_anew(&by_trunk)?;
    // Otherwise Trunk would download it.
    let mut env = env.clone();
    env.path.splice(0..0, tools::wasm_bindgen()?);
    timed("trunk build", "the same page, built by Trunk", || {
        let mut trunk = env.command("trunk")?;
        trunk.env("TRUNK_SKIP_VERSION_CHECK", "true");
        if std::env::var_os("NO_COLOR").is_some() {
            // Trunk refuses the variable's usual value, 1.
            trunk.env("NO_COLOR", "true");
        }
        run(trunk.args(["build", "--dist"]).arg(&by_trunk))
    })?;
    compare(&by_trunk, &own)?;
    Ok(Tally::PASS)
}

/// Whether PATH has a version of Trunk that understands Trunk.toml.
fn is_there() -> bool {
    // The line reads `trunk 0.21.14`.
    let line = output(command("trunk").arg("--version")).unwrap_or_default();
    line.split_whitespace().nth(1).is_some_and(|version| version.starts_with("0.21."))
}

fn compare(by_trunk: &Path, own: &Path) -> Result<()> {
    let (left, right) = (files(by_trunk)?, files(own)?);
    let names = left.keys().chain(right.keys().filter(|name| !left.contains_key(*name)));
    let different: Vec<_> = names.filter(|name| left.get(*name) != right.get(*name)).collect();
    if !different.is_empty() {
        bail!("{} and {} differ in {different:?}", by_trunk.display(), own.display());
    }
    say("trunk build", &format!("came out the same as without it, in all {} files", right.len()));
    Ok(())
}

/// All files of a page by their relative paths, without the parts that depend on how they were made.
fn files(page: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![page.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            // Trunk's working folder.
            if path.ends_with(".stage") {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.strip_prefix(page)?.to_path_buf(), essence(&path)?);
            }
        }
    }
    Ok(files)
}

/// A file without the parts that depend on how it was made.
fn essence(path: &Path) -> Result<Vec<u8>> {
    let bytes = fs::read(path)?;
    let has_extension = |wanted: &str| path.extension().is_some_and(|extension| extension == wanted);
    if has_extension("wasm") {
        // Drops the versions of the tools: Trunk's wasm-bindgen may have been built with others.
        let module = ModuleConfig::new().generate_producers_section(false).parse(&bytes)?.emit_wasm();
        return Ok(module);
    }
    if has_extension("map") {
        // Drops how deep the folder is in which they were made.
        return Ok(String::from_utf8(bytes)?.replace("../", "").into_bytes());
    }
    Ok(if path.ends_with("sw.js") { Vec::new() } else { bytes })
}
