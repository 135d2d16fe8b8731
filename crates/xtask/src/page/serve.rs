//! Serves the page while you work on it: rebuilds what changes, and reloads the browser.

use super::wasm::{self, Profile};
use super::{start_anew, tools};
use crate::run::{command, root, say};
use anyhow::{Context, Result, bail};
use std::fs;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, SystemTime};

/// The folder of the served page: not `dist/`, since the served page reloads itself.
const FOLDER: &str = "target/serve";

/// How often the sources of the wasm are checked for changes.
const INTERVAL: Duration = Duration::from_millis(500);

/// Serves the page until it is interrupted.
///
/// Scripts, styles and the page itself are watched by esbuild (`web/serve.js`), Rust here.
///
/// # Errors
/// When no port is free, or the first build fails. If a later build fails, the error is printed, and the page stays as
/// it was.
pub(crate) fn serve(port: Option<u16>, open: bool) -> Result<()> {
    let port = match port {
        Some(port) if is_free(port) => port,
        Some(port) => bail!("port {port} is taken; without --port a free one is found"),
        None => (8080..8180).find(|port| is_free(*port)).context("no free port from 8080 to 8179")?,
    };
    let env = tools()?;
    let out = root().join(FOLDER);
    start_anew(&out)?;
    let mut seen = sources();
    wasm::make(&env, Profile::Page, &out)?;

    say("node web/serve.js", "bundling the page, then serving it and rebuilding it on changes");
    let mut server = command("node");
    server.arg("web/serve.js").arg(&out).arg(port.to_string()).args(open.then_some("--open"));
    // The server ends when its input does, so it also ends if this program is killed.
    let mut server = server.env("BUNDLE", "readable").stdin(Stdio::piped()).spawn().context("cannot start `node`")?;
    loop {
        if let Some(status) = server.try_wait()? {
            bail!("the server ended ({status})");
        }
        thread::sleep(INTERVAL);
        let now = sources();
        if now != seen {
            seen = now;
            if let Err(error) = wasm::make(&env, Profile::Page, &out) {
                eprintln!("error: {error:#}\nThe page stays as it was until this is fixed.");
            }
        }
    }
}

/// Whether no program listens on a port, at either address that `localhost` may be.
fn is_free(port: u16) -> bool {
    let is_taken = |address: IpAddr| {
        let bound = TcpListener::bind((address, port));
        bound.is_err_and(|error| error.kind() == ErrorKind::AddrInUse)
    };
    !is_taken(Ipv4Addr::LOCALHOST.into()) && !is_taken(Ipv6Addr::LOCALHOST.into())
}

/// The sources of the wasm, sorted, each with its modification time.
fn sources() -> Vec<(PathBuf, Option<SystemTime>)> {
    let mut files: Vec<PathBuf> =
        ["Cargo.toml", "Cargo.lock", ".cargo/config.toml"].map(|name| root().join(name)).into();
    for package in entries(&root().join("crates")) {
        files.extend(["Cargo.toml", "build.rs"].map(|name| package.join(name)));
        add_files(&package.join("src"), &mut files);
    }
    files.sort();
    let changed = |file: &PathBuf| fs::metadata(file).ok()?.modified().ok();
    files.into_iter().map(|file| (file.clone(), changed(&file))).collect()
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in entries(folder) {
        if entry.is_dir() {
            add_files(&entry, files);
        } else {
            files.push(entry);
        }
    }
}

/// The contents of a folder. Empty if it is gone: editors and version control remove folders for moments.
fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}
