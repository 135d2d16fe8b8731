//! `cargo xtask dist`: makes what a release publishes: the page, the one-file page, the command line, and their
//! checksums. With the same tools, the bytes are the same on every machine.

use crate::page;
use crate::run::{command, output, root, run, say};
use crate::rust_std::{RUSTFLAGS, WASM, with_own_flags};
use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};
use std::env::{self, consts};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tar::{Builder, Header};

/// The folder for the archives.
const FOLDER: &str = "target/dist";

/// The modes of files in an archive: readable by everyone, and also executable.
const READABLE: u32 = 0o644;
const RUNNABLE: u32 = 0o755;

/// Makes everything that a release publishes.
pub(crate) fn make() -> Result<()> {
    let folder = root().join(FOLDER);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let flags = flags()?;
    let mut tools = page::tools()?;
    let has_flags = tools.vars.iter().any(|(name, _)| *name == RUSTFLAGS);
    if !has_flags {
        tools.vars.push((RUSTFLAGS, with_own_flags(flags.clone(), WASM)?));
    }
    page::build(&tools, page::Profile::Release, &page::command_line())?;
    page::check_sizes(&page::sizes(&page::dist())?)?;
    let program = program(&flags)?;

    let licence = root().join("LICENSE");
    let mut pages = vec![("LICENSE".into(), licence.clone(), READABLE)];
    for file in files(&page::dist())? {
        let name = file.strip_prefix(page::dist())?.to_path_buf();
        pages.push((Path::new("page").join(name), file, READABLE));
    }
    archive(&folder.join("ghc-eventlog-viewer-page.tar.gz"), pages)?;
    let words = completions_and_manual(&program)?;
    let mut with_program = vec![
        (format!("ghc-eventlog{}", consts::EXE_SUFFIX).into(), program, RUNNABLE),
        ("report.sh".into(), root().join("ci/report.sh"), RUNNABLE),
        ("LICENSE".into(), licence, READABLE),
        (page::LICENCES.into(), page::command_line().join(page::LICENCES), READABLE),
    ];
    with_program.extend(words);
    archive(&folder.join(format!("ghc-eventlog-{}-{}.tar.gz", consts::OS, consts::ARCH)), with_program)?;
    fs::copy(page::dist().join(page::SINGLE), folder.join(page::SINGLE))?;
    sums(&folder)
}

/// Builds the command line, in a folder of its own because its flags differ from the usual ones.
fn program(flags: &OsString) -> Result<PathBuf> {
    say("cargo build --release", "the command line, with the viewer in it");
    let target = root().join("target/release-build");
    let mut cargo = command("cargo");
    cargo.args(["build", "--release", "--locked", "--quiet", "--package", "ghc-eventlog-cli"]);
    cargo.env("CARGO_TARGET_DIR", &target).env("CARGO_PROFILE_RELEASE_STRIP", "symbols").env(RUSTFLAGS, flags);
    run(&mut cargo)?;
    Ok(target.join("release/ghc-eventlog").with_extension(consts::EXE_EXTENSION))
}

/// The completions for shells, under the names that each shell looks for, and the manual pages. The program itself
/// writes them.
fn completions_and_manual(program: &Path) -> Result<Vec<(PathBuf, PathBuf, u32)>> {
    let folder = root().join("target/words");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    run(command(program).args(["generate", "man"]).arg(folder.join("man")))?;
    fs::create_dir_all(folder.join("completions"))?;
    for (shell, name) in [("bash", "ghc-eventlog.bash"), ("zsh", "_ghc-eventlog"), ("fish", "ghc-eventlog.fish")] {
        let script = output(command(program).args(["generate", "completions", shell]))?;
        fs::write(folder.join("completions").join(name), script + "\n")?;
    }
    files(&folder)?.into_iter().map(|file| Ok((file.strip_prefix(&folder)?.to_path_buf(), file, READABLE))).collect()
}

/// Compiler flags that keep the names of this machine's folders out of what is built.
fn flags() -> Result<OsString> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let home = home.context("where does Cargo keep its packages?")?;
    let sysroot = PathBuf::from(output(command("rustc").args(["--print", "sysroot"]))?);
    let mut flags = OsString::new();
    // The folders of packages have the registry's name in their paths.
    let registries = fs::read_dir(home.join("registry/src")).into_iter().flatten().flatten().map(|entry| entry.path());
    let folders = [(root(), "viewer"), (sysroot, "rust"), (home.clone(), "cargo")].into_iter();
    for (from, to) in folders.chain(registries.map(|registry| (registry, "packages"))) {
        if !flags.is_empty() {
            flags.push("\x1f");
        }
        flags.push("--remap-path-prefix=");
        flags.push(from);
        flags.push("=");
        flags.push(to);
    }
    Ok(flags)
}

/// All files below a folder, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            all.extend(files(&path)?);
        } else {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

/// Packs files under other names, without times and owners, so that the same files make the same archive.
fn archive(path: &Path, files: Vec<(PathBuf, PathBuf, u32)>) -> Result<()> {
    let gzip = GzBuilder::new().mtime(0).write(File::create(path)?, Compression::best());
    let mut tar = Builder::new(gzip);
    for (name, file, mode) in files {
        let bytes = fs::read(&file).with_context(|| file.display().to_string())?;
        let mut header = Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(mode);
        header.set_mtime(0);
        header.set_uid(0);
        header.set_gid(0);
        tar.append_data(&mut header, name, bytes.as_slice())?;
    }
    tar.into_inner()?.finish()?.flush()?;
    Ok(())
}

/// Writes the checksums in the format of `sha256sum --check`.
fn sums(folder: &Path) -> Result<()> {
    let mut lines = String::new();
    for file in files(folder)? {
        let mut hash = Sha256::new();
        let bytes = io::copy(&mut File::open(&file)?, &mut Hashing(&mut hash))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let sum: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        println!("    {name}: {bytes} bytes");
        lines += &format!("{sum}  {name}\n");
    }
    fs::write(folder.join("SHA256SUMS"), lines)?;
    println!("The release is in {FOLDER}/");
    Ok(())
}

struct Hashing<'h>(&'h mut Sha256);

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
