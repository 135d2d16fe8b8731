//! Building and serving the page with Trunk.

use crate::run::{Env, command, output, root, run, say};
use crate::split::{self, Parts};
use crate::{licences, npm, rust_std, tools};
use anyhow::{Context, Error, Result, bail};
use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

/// What the wasm may use: the features that the compiler assumes every browser to have, and vectors.
const WASM_FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// Everything that Trunk needs; also what tests of the binding need.
pub(crate) fn tools() -> Result<Env> {
    let mut env = rust_std::ensure(rust_std::WASM)?;
    // Before Debian's folder, should that have another version.
    env.path.splice(0..0, tools::trunk()?.into_iter().chain(tools::wasm_bindgen()?));
    Ok(env)
}

/// The crates that the page has as wasm.
const MODULES: [&str; 3] = ["ghc-eventlog-wasm", "ghc-eventlog-unpack-wasm", "ghc-eventlog-report-wasm"];

/// Where the page has a crate's wasm.
fn wasm_of(module: &str) -> PathBuf {
    dist().join(format!("wasm/{module}_bg.wasm"))
}

/// The folder of the built page.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// Builds the release page into dist/.
pub(crate) fn build(env: &Env) -> Result<()> {
    say("trunk build --release", "the page as it is published, in dist/");
    run(trunk(env)?.args(["build", "--release"]))?;
    let whole = fs::read(wasm_of(MODULES[0])).context("the page's wasm")?;
    let program = wasm_opt();
    match &program {
        Ok(program) => MODULES.iter().try_for_each(|module| optimise(program, &wasm_of(module)))?,
        Err(why) => say("no wasm-opt", &format!("the page works without it and is larger ({why:#})")),
    }
    add_licences()?;
    single()?;
    // The page of one file has its wasm as a whole: nothing is loaded later there.
    if let Ok(program) = program {
        divide(&program, &whole)?;
    }
    say("node web/offline.js", "the service worker, which keeps the page's files as they are by now");
    run(command("node").arg("web/offline.js").arg(dist()))
}

/// Cuts the page's wasm in two: what it loads, and what it loads when it is needed.
fn divide(program: &Path, whole: &[u8]) -> Result<()> {
    say("xtask split", "what few logs need of the wasm goes into a file of its own");
    let Parts { first, second } = split::split(whole, &split::DEFERRED)?;
    for (path, wasm) in [(wasm_of(MODULES[0]), first), (dist().join(SECOND), second)] {
        fs::write(&path, wasm).with_context(|| path.display().to_string())?;
        optimise(program, &path)?;
    }
    Ok(())
}

/// The part of the page's wasm that is loaded when it is needed: `web/js/worker/second.js` asks for it.
const SECOND: &str = "wasm/ghc-eventlog-wasm_second.wasm";

/// Adds those of the Rust packages to those of the scripts, and gives the command line all that it has built in.
fn add_licences() -> Result<()> {
    let path = dist().join(LICENCES);
    let scripts = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let with = |crates: &[&str]| Ok::<_, Error>(format!("{scripts}{}{}", licences::RULE, licences::of(crates)?));
    fs::write(&path, with(&MODULES)?)?;
    fs::write(command_line().join(LICENCES), with(&[&MODULES[..], &["ghc-eventlog-cli"]].concat())?)?;
    Ok(())
}

/// Makes the page of one file of that, and puts it where the command line's build takes it in.
fn single() -> Result<()> {
    say("node web/single.js", "the page as one file, which `ghc-eventlog report` puts logs into");
    run(command("node").arg("web/single.js").arg(dist()))?;
    let held = command_line().join(SINGLE);
    fs::copy(dist().join(SINGLE), &held).with_context(|| held.display().to_string())?;
    Ok(())
}

/// The command line's crate.
pub(crate) fn command_line() -> PathBuf {
    root().join("crates/ghc-eventlog-cli")
}

/// What the page of one file is called.
const SINGLE: &str = "viewer.html";

/// What the list of licences is called.
pub(crate) const LICENCES: &str = "licences.txt";

/// Serves the page until it is interrupted.
pub(crate) fn serve(port: Option<u16>, open: bool) -> Result<()> {
    let env = tools()?;
    let port = match port {
        Some(port) if is_free(port) => port,
        Some(port) => bail!("port {port} is taken; without --port a free one is found"),
        None => (8080..8180).find(|port| is_free(*port)).context("no free port from 8080 to 8179")?,
    };
    say("trunk serve --release", "building the page, then serving it and rebuilding it on changes");
    thread::spawn(move || announce(port));
    let mut trunk = trunk(&env)?;
    // Not into dist/: that is the published page, and this one has Trunk's reload script in it.
    trunk.args(["serve", "--release", "--dist", "target/serve", "--port", &port.to_string()]);
    trunk.env("BUNDLE", "readable");
    if open {
        trunk.arg("--open");
    }
    run(&mut trunk)
}

fn trunk(env: &Env) -> Result<Command> {
    // Trunk's hook bundles the page with a tool from there.
    npm::ensure()?;
    let mut trunk = env.command("trunk")?;
    trunk.env("TRUNK_SKIP_VERSION_CHECK", "true");
    if std::env::var_os("NO_COLOR").is_some() {
        // Trunk refuses the variable's usual value, 1.
        trunk.env("NO_COLOR", "true");
    }
    Ok(trunk)
}

/// Prints the address once somebody answers there: Trunk's first build takes a while.
fn announce(port: u16) {
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        thread::sleep(Duration::from_millis(200));
    }
    println!("\nThe page is at http://localhost:{port}/ (Ctrl-C ends)\n");
}

fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}

/// npm's wasm-opt, never the system's: old ones break the module without a word.
fn wasm_opt() -> Result<PathBuf> {
    let program = npm::programs().join("wasm-opt");
    output(command(&program).arg("--version"))?;
    Ok(program)
}

/// Trunk could do this, but it fails where there is no wasm-opt and none can be downloaded.
fn optimise(program: &Path, wasm: &Path) -> Result<()> {
    let before = fs::metadata(wasm).with_context(|| wasm.display().to_string())?.len();
    say("wasm-opt -O3", "smaller and faster wasm than the compiler's");
    run(command(program).args(["-O3", "--reorder-functions"]).args(WASM_FEATURES).arg(wasm).arg("-o").arg(wasm))?;
    let after = fs::metadata(wasm)?.len();
    if after == 0 {
        bail!("wasm-opt wrote nothing");
    }
    println!("    {before} bytes → {after} bytes");
    Ok(())
}
