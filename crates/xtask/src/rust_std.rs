//! A compiler and a standard library for targets other than this machine.
//!
//! Three ways, in this order: use the installed one; let rustup install it; or, if rustup cannot fetch it but Debian's
//! packages are available, build it with Debian's compiler from Debian's copy of its sources.

use crate::run::{Env, command, output, root, run, say};
use crate::{apt, cache};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The page's target.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";
/// A target without an operating system. Code that compiles for it needs no `std`.
pub(crate) const BARE_METAL: &str = "thumbv7em-none-eabi";

/// Debian's current compiler (which Debian keeps for its browsers), its sources, and the tools that it links with.
const DEBIAN: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "rust-web-llvm"];

/// The environment in which plain `cargo … --target <target>` works.
pub(crate) fn ensure(target: &str) -> Result<Env> {
    if is_installed(target)? {
        return Ok(Env::default());
    }
    if let Some(sysroot) = built_before(target) {
        return debian_env(&sysroot, target);
    }
    if rustup_adds(target) {
        return Ok(Env::default());
    }
    if !apt::available() {
        bail!("no standard library for {target}: install it with `rustup target add {target}`");
    }
    debian(target)
}

/// Whether the compiler on PATH has the target's standard library.
fn is_installed(target: &str) -> Result<bool> {
    let folder = output(command("rustc").args(["--print", "target-libdir", "--target", target]))?;
    let Ok(files) = fs::read_dir(folder) else { return Ok(false) };
    Ok(files.flatten().any(|file| file.file_name().to_string_lossy().starts_with("libcore-")))
}

fn rustup_adds(target: &str) -> bool {
    let mut rustup = command("rustup");
    if rustup.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
        return false;
    }
    say(&format!("rustup target add {target}"), "the compiler cannot build for this target yet");
    let added = run(command("rustup").args(["target", "add", target]));
    // rustup's compiler may not be the one on PATH.
    added.is_ok() && is_installed(target).unwrap_or(false)
}

/// Debian's compiler and a standard library built with it.
fn debian(target: &str) -> Result<Env> {
    if !apt::installed(&DEBIAN) {
        let why = format!("rustup cannot add {target}, Debian's compiler can build it");
        apt::install(&DEBIAN, &why)?;
    }
    install_linker()?;
    debian_env(&build(target)?, target)
}

fn debian_env(sysroot: &Path, target: &str) -> Result<Env> {
    let mut flags = OsString::from("--sysroot\x1f");
    flags.push(sysroot);
    Ok(Env { path: vec!["/usr/bin".into()], vars: vec![(RUSTFLAGS, with_own_flags(flags, target)?)] })
}

/// The variable with flags for the compiler, which are separated by `\x1f`.
pub(crate) const RUSTFLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";

/// Some flags and the project's own for a target: the variable replaces what `.cargo/config.toml` has.
pub(crate) fn with_own_flags(mut flags: OsString, target: &str) -> Result<OsString> {
    let path = root().join(".cargo/config.toml");
    let config: toml::Table = fs::read_to_string(&path)?.parse()?;
    let of_target = config.get("target").and_then(|targets| targets.get(target));
    let own = of_target.and_then(|of| of.get("rustflags")?.as_array());
    for flag in own.into_iter().flatten() {
        flags.push("\x1f");
        flags.push(flag.as_str().with_context(|| format!("{}: a flag is a text", path.display()))?);
    }
    Ok(flags)
}

/// Installs the linker: the compiler calls `rust-lld`, a link into a package that rust-web-llvm does not depend on.
fn install_linker() -> Result<()> {
    let linker = Path::new("/usr/bin/rust-lld");
    if linker.exists() {
        return Ok(());
    }
    let package = fs::read_link(linker).context("rust-web-llvm has no /usr/bin/rust-lld")?;
    apt::install(&[&package.to_string_lossy()], "Debian's compiler links with it")
}

/// The folder (rustc's "sysroot") with the target's standard library, built once per compiler.
///
/// Building it apart, instead of `-Z build-std` in every build, keeps the unstable feature out of the
/// project's own builds and lets every checkout, profile and test share the result.
fn build(target: &str) -> Result<PathBuf> {
    cache::entry(&entry_name(target)?, |sysroot| {
        say(&format!("building std for {target}"), "once per machine and compiler, a minute or so");
        let project = sysroot.join("build");
        write_project(&project)?;
        run(command("/usr/bin/cargo")
            .current_dir(&project)
            .args(["build", "--quiet", "--release", "--target", target])
            .env("PATH", "/usr/bin:/bin")
            // Stable compilers only build std if this declares that they belong to it.
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_UNSTABLE_BUILD_STD", crates(target))
            // Without bitcode in std, the page could not be optimised as a whole.
            .env(RUSTFLAGS, "-Cembed-bitcode=yes")
            .env("CARGO_TARGET_DIR", project.join("target")))?;
        collect(&project.join("target").join(target).join("release/deps"), sysroot, target)?;
        Ok(fs::remove_dir_all(project)?)
    })
}

fn built_before(target: &str) -> Option<PathBuf> {
    let sysroot = cache::dir().ok()?.join(entry_name(target).ok()?);
    sysroot.exists().then_some(sysroot)
}

/// The name of the cache entry has the compiler's version, since a compiler only reads a standard library that it has
/// built itself.
fn entry_name(target: &str) -> Result<String> {
    let version = output(command("/usr/bin/rustc").arg("--version"))?;
    let version: Vec<_> = version.split_whitespace().take(3).collect();
    Ok(format!("std/{target}-{}", version.join("-").replace('(', "")))
}

fn crates(target: &str) -> &'static str {
    if target == WASM { "std,panic_abort,test" } else { "core,alloc" }
}

/// Writes an empty project, since Cargo only builds std as a dependency of something.
fn write_project(project: &Path) -> Result<()> {
    let manifest = "[package]\nname = \"nothing\"\nedition = \"2024\"\n[lib]\npath = \"lib.rs\"\n[workspace]\n";
    fs::create_dir_all(project)?;
    fs::write(project.join("Cargo.toml"), manifest)?;
    Ok(fs::write(project.join("lib.rs"), "#![no_std]\n")?)
}

/// Copies the built libraries to where the compiler looks for them.
fn collect(built: &Path, sysroot: &Path, target: &str) -> Result<()> {
    let libraries = sysroot.join("lib/rustlib").join(target).join("lib");
    fs::create_dir_all(&libraries)?;
    for file in fs::read_dir(built)? {
        let file = file?;
        if file.path().extension().is_some_and(|extension| extension == "rlib") {
            fs::copy(file.path(), libraries.join(file.file_name()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_projects_flags_for_a_target_come_after_the_others() -> Result<()> {
        let flags = |target| {
            Ok::<_, anyhow::Error>(with_own_flags("--first".into(), target)?.into_string().unwrap_or_default())
        };
        let wasm = flags(WASM)?;
        let all: Vec<&str> = wasm.split('\x1f').collect();
        assert!(
            all.len() > 2 && all.first() == Some(&"--first") && all.contains(&"-Ctarget-feature=+simd128"),
            "{wasm}"
        );
        assert_eq!(flags(BARE_METAL)?, "--first");
        Ok(())
    }
}
