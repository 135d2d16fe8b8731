//! Makes the page's wasm smaller.

use super::order;
use super::wasm::Profile;
use crate::npm;
use crate::run::{command, output, run, say};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// The wasm features that the code may use: those that the compiler assumes in every browser, and vectors.
const WASM_FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// npm's wasm-opt, never the system's: old versions break the module without an error. Without it the page works, but
/// is larger.
///
/// # Errors
/// When there is none, and the page is to be published.
pub(super) fn find(profile: Profile) -> Result<Option<PathBuf>> {
    let program = npm::programs().join("wasm-opt");
    match output(command(&program).arg("--version")) {
        Ok(_) => Ok(Some(program)),
        Err(why) if profile == Profile::Release => Err(why.context("the published page needs wasm-opt")),
        Err(why) => {
            say("no wasm-opt", &format!("the page works without it and is larger ({why:#})"));
            Ok(None)
        }
    }
}

/// Makes a file smaller, in place.
pub(super) fn optimise(program: &Path, profile: Profile, wasm: &Path) -> Result<()> {
    let before = fs::metadata(wasm).with_context(|| wasm.display().to_string())?.len();
    let passes: &[&str] = match profile {
        Profile::Page => &["-O1"],
        // As fast as -O1 and -O3 (feeding a log of 200 MB, in turns), and smaller once it is compressed for the way. Without
        // inlining, which would put into line once more what the compiler has decided not to. Nothing lies in the first
        // 1024 bytes of memory, which are the end of the stack: adding less than that to a pointer can be part of an access.
        // The names are those that `order` gives the functions.
        Profile::Release => &[
            "-Os",
            "--always-inline-max-function-size=0",
            "--flexible-inline-max-function-size=0",
            "--one-caller-inline-max-function-size=0",
            "--low-memory-unused",
            "--reorder-functions-by-name",
        ],
    };
    if profile == Profile::Release {
        fs::write(wasm, order::named_in_order(&fs::read(wasm)?)?)?;
    }
    run(command(program).args(passes).args(WASM_FEATURES).arg(wasm).arg("-o").arg(wasm))?;
    let after = fs::metadata(wasm)?.len();
    if after == 0 {
        bail!("wasm-opt wrote nothing");
    }
    let name = wasm.file_name().unwrap_or_default().to_string_lossy();
    println!("    {name}: {before} bytes → {after} bytes");
    Ok(())
}
