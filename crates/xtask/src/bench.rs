//! Measures: see `docs/measuring.md`.

use crate::run::{command, root, run, say};
use crate::{browser, cache, generate, npm, page};
use anyhow::{Context, Result};
use clap::{Args, Subcommand, ValueEnum};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What to measure.
#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Measure decoder, model and dump natively, compared with a bare walk over the records and with ghc-events
    Decode,
    /// Measure the page in a real browser: times, memory and frames, compared with what the design promises
    Page(PageArguments),
}

#[derive(Args)]
pub(crate) struct PageArguments {
    /// Which browser
    #[arg(long, value_enum, default_value_t = browser::Kind::Chrome)]
    browser: browser::Kind,
    /// Which logs; they are made once and kept in the cache folder
    #[arg(value_enum, default_values_t = [Log::Small, Log::Mb200, Log::Gb1, Log::Moving])]
    logs: Vec<Log>,
}

/// A log to measure with.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Log {
    /// A real one of 34 KB
    Small,
    /// 200 MB
    #[value(name = "200MB")]
    Mb200,
    /// 1 GiB
    #[value(name = "1GB")]
    Gb1,
    /// 5 GiB
    #[value(name = "5GB")]
    Gb5,
    /// 1 GiB of 64 capabilities, for panning and zooming
    Moving,
    /// 200 000 threads
    Threads,
    /// 64 capabilities
    Caps,
    /// 256 capabilities, in blocks that last as long as the log
    Wide,
    /// Ten hours
    Long,
    /// 5 million events in 10 ms
    Burst,
    /// Labels of 60 KB
    Labels,
    /// Blocks of one event
    TinyBlocks,
    /// 1 GB of runs and wake-ups
    WakeUps,
    /// 1 GB of messages
    Messages,
    /// 1 GB of user spans in one another, with 100 000 labels
    Spans,
    /// 1 GB of a million threads
    ManyThreads,
    /// A capability whose blocks all come last
    LateCap,
    /// A gigabyte of heap profile: 10 000 censuses of 2000 bands
    HeapProfile,
    /// A gigabyte of time profile: 16 capabilities, sampled every millisecond
    TimeProfile,
    /// A million definitions of info tables, and a gigabyte of a heap profile of some of them
    Ipe,
    /// 500 000 definitions of info tables, and a heap profile of few
    InfoTables,
    /// 60 000 cost centres, and profiles of few
    CostCentres,
    /// A time profile of 200 000 different stacks
    Stacks,
}

pub(crate) fn run_bench(what: &Bench) -> Result<ExitCode> {
    match what {
        Bench::Decode => decode().map(|()| ExitCode::SUCCESS),
        Bench::Page(arguments) => in_browser(arguments),
    }
}

fn decode() -> Result<()> {
    let cargo = |arguments: &[&str]| run(command("cargo").args(arguments));
    cargo(&["build", "--quiet", "--release", "--package", "ghc-eventlog-cli"])?;
    cargo(&["run", "--quiet", "--release", "--package", "conformance", "--bin", "bench-decode"])
}

fn in_browser(PageArguments { browser, logs }: &PageArguments) -> Result<ExitCode> {
    page::build(&page::tools()?, page::Profile::Release, &page::command_line())?;
    npm::ensure()?;
    let program = browser::ensure_kind(*browser)?;
    let folder = cache::dir()?.join("bench");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    // The wasm's own speed is always measured with these two.
    for log in logs.iter().chain(&[Log::Mb200, Log::WakeUps]) {
        make(*log, &folder)?;
    }
    let mut node = command("node");
    node.arg("tests/bench/page.js").args(logs.iter().map(|log| name(*log)));
    node.env("BROWSER", name(*browser)).env("PROGRAM", program).env("DIST", page::dist()).env("LOGS", folder);
    Ok(if node.status()?.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Makes a log, unless it exists.
fn make(log: Log, folder: &Path) -> Result<PathBuf> {
    let path = folder.join(format!("{}.eventlog", name(log)));
    if path.exists() {
        return Ok(path);
    }
    let unfinished = path.with_extension("tmp");
    say("making a log", &path.display().to_string());
    match log {
        Log::Small => drop(fs::copy(root().join("tests/corpus/threaded/log.eventlog"), &unfinished)?),
        Log::Mb200 => tile("200MB", None, &unfinished)?,
        Log::Gb1 => tile("1GiB", None, &unfinished)?,
        Log::Gb5 => tile("5GiB", None, &unfinished)?,
        Log::Moving => tile("1GiB", Some(&make(Log::Caps, folder)?), &unfinished)?,
        shape => generate::log(&["synth".as_ref(), name(shape).as_ref()], &unfinished)?,
    }
    fs::rename(&unfinished, &path)?;
    Ok(path)
}

fn tile(size: &str, from: Option<&Path>, out: &Path) -> Result<()> {
    let mut arguments: Vec<&OsStr> = vec!["tile".as_ref(), "--size".as_ref(), size.as_ref()];
    if let Some(from) = from {
        arguments.extend([OsStr::new("--from"), from.as_ref()]);
    }
    generate::log(&arguments, out)
}

/// A value's name on the command line.
fn name(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default()
}
