//! The project's tests, in two lanes that run side by side: one for Rust, and one for the page, which spends half of
//! its time waiting for browsers.
//!
//! Each lane does its steps one after the other, the quickest to fail first. It always does all of them, so that one
//! run shows everything that has to be repaired.

mod node;
mod page_lane;
mod retold;
mod rust_lane;
mod unsteady;

use crate::run::{command, output, run};
use crate::tally::Tally;
use anyhow::{Context, Result, bail};
use std::env;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

/// How much is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Extent {
    /// The tests that find most mistakes, in under three minutes once everything is compiled: for use while you work.
    Fast,
    /// All tests that have ever found anything: for each change.
    Gate,
    /// Also the tests that are slow and find little: for each night and release.
    All,
}

/// A lane of steps that are done one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Lane {
    /// The crates, on this machine
    Rust,
    /// The page: its build, its scripts, its wasm, and all of it in a browser
    Page,
}

impl Lane {
    const ALL: [Lane; 2] = [Lane::Rust, Lane::Page];

    /// The lane's name on the command line.
    fn name(self) -> &'static str {
        match self {
            Lane::Rust => "rust",
            Lane::Page => "page",
        }
    }
}

/// The arguments of `test`.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct TestArguments {
    /// Only the tests that find most mistakes: under three minutes once everything is compiled
    #[arg(long)]
    fast: bool,
    /// Also the tests that are slow and seldom find anything: fuzzing, the published page, the published packages
    #[arg(long, conflicts_with = "fast")]
    all: bool,
    /// Only one of the two lanes
    #[arg(long)]
    lane: Option<Lane>,
}

impl TestArguments {
    fn extent(&self) -> Extent {
        match self {
            Self { fast: true, .. } => Extent::Fast,
            Self { all: true, .. } => Extent::All,
            _ => Extent::Gate,
        }
    }
}

/// Runs the tests. With `clean`, the checkout must not differ from its commit afterwards.
pub(crate) fn test(arguments: &TestArguments, clean: bool) -> Result<ExitCode> {
    let extent = arguments.extent();
    if let Some(lane) = arguments.lane {
        let steps = match lane {
            Lane::Rust => rust_lane::run_steps(extent)?,
            Lane::Page => page_lane::run_steps(extent)?,
        };
        return Ok(steps.close());
    }
    let mut steps = both(extent)?;
    if clean {
        steps.step("nothing rewritten", unchanged);
    }
    Ok(steps.close())
}

/// Replaces the reference pictures that the page no longer looks like.
pub(crate) fn renew_looks() -> Result<ExitCode> {
    let mut steps = Steps::default();
    steps.step("reference pictures", page_lane::renew_looks);
    Ok(steps.close())
}

/// Runs each lane as a program of its own, so that each line of output is known to belong to a lane.
fn both(extent: Extent) -> Result<Steps> {
    let (lines, printed) = channel::<(Lane, String)>();
    let mut children = Vec::new();
    for lane in Lane::ALL {
        let mut child = Command::new(env::current_exe().context("where is this program?")?);
        child.args(["test", "--lane", lane.name()]);
        child.args(match extent {
            Extent::Fast => Some("--fast"),
            Extent::Gate => None,
            Extent::All => Some("--all"),
        });
        let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().context("cannot start a lane")?;
        forward(child.stdout.take(), lane, &lines);
        forward(child.stderr.take(), lane, &lines);
        children.push((lane, child));
    }
    drop(lines);

    let mut printed_by = Lane::ALL.map(|_| Vec::new());
    for (lane, line) in printed {
        println!("{} │ {line}", lane.name());
        printed_by[lane as usize].push(line);
    }
    let mut steps = Steps::default();
    for (lane, mut child) in children {
        let lines = &printed_by[lane as usize];
        // The lane's sum: its closing line is the last one of its kind.
        let sum = lines.iter().rev().find_map(|line| Tally::of_sum(line));
        let failed = lines.iter().rev().find_map(|line| line.strip_prefix(FAILED));
        let sum_agrees = sum.is_some_and(|sum| (sum.failed == 0) == child.wait().is_ok_and(|status| status.success()));
        steps.tally += sum.unwrap_or_default();
        steps.failed.extend(failed.filter(|_| sum.is_some_and(|sum| sum.failed > 0)).map(str::to_owned));
        // A lane that ended without a sum, or with an exit code that contradicts it, has not done all of its steps.
        if !sum_agrees {
            steps.fail(format!("the lane {}", lane.name()));
        }
        print_again(lane, lines);
    }
    for line in printed_by.iter().flatten().filter(|line| line.starts_with(unsteady::UNSTEADY)) {
        println!("\n{line}");
    }
    Ok(steps)
}

/// Prints the output of a lane's failed steps once more.
fn print_again(lane: Lane, lines: &[String]) {
    let mut start = 0;
    for (at, line) in lines.iter().enumerate() {
        let Some(rest) = line.strip_prefix(STEP) else { continue };
        let closing = rest.rsplit_once(" (").and_then(|(rest, _time)| rest.rsplit_once(": "));
        match closing.and_then(|(name, sum)| Some((name, Tally::of_sum(sum)?))) {
            None => start = at + 1,
            Some((name, tally)) if tally.failed > 0 => {
                println!("\n{STEP}what failed in {}, {name}", lane.name());
                for line in retold::failures(&lines[start..at]) {
                    println!("{} │ {line}", lane.name());
                }
            }
            Some(_) => {}
        }
    }
}

/// Passes on the lines of a lane as they come.
fn forward(pipe: Option<impl Read + Send + 'static>, lane: Lane, lines: &Sender<(Lane, String)>) {
    let Some(pipe) = pipe else { return };
    let lines = lines.clone();
    thread::spawn(move || {
        for line in BufReader::new(pipe).split(b'\n').map_while(Result::ok) {
            let _ = lines.send((lane, String::from_utf8_lossy(&line).into_owned()));
        }
    });
}

/// The beginning of the line that lists the failed steps.
const FAILED: &str = "Failed: ";

/// The beginning of the lines that open and close a step.
const STEP: &str = "=== ";

/// The steps that have been done.
#[derive(Default)]
struct Steps {
    tally: Tally,
    failed: Vec<String>,
}

impl Steps {
    fn step(&mut self, name: &str, step: impl FnOnce() -> Result<Tally>) {
        println!("\n{STEP}{name}");
        let start = Instant::now();
        let tally = step().unwrap_or_else(Tally::of_error);
        println!("{STEP}{name}: {tally} ({:.1} s)", start.elapsed().as_secs_f32());
        self.tally += tally;
        if tally.failed > 0 {
            self.failed.push(name.to_owned());
        }
    }

    fn fail(&mut self, name: String) {
        self.tally += Tally::FAIL;
        self.failed.push(name);
    }

    /// Prints the closing line, which is also read by programs, and returns the exit code that agrees with it.
    fn close(self) -> ExitCode {
        println!();
        if !self.failed.is_empty() {
            println!("{FAILED}{}", self.failed.join(", "));
        }
        println!("{}", self.tally);
        if self.tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

fn cargo(arguments: &str) -> Command {
    let mut cargo = command("cargo");
    cargo.args(arguments.split(' '));
    cargo
}

/// A command that reports no numbers is one check.
fn check(command: &mut Command) -> Result<Tally> {
    run(command)?;
    Ok(Tally::PASS)
}

/// Fails if a test has rewritten its own expectations, or a tool a lock file.
fn unchanged() -> Result<Tally> {
    let changed = output(command("git").args(["status", "--porcelain"]))?;
    if !changed.is_empty() {
        run(command("git").args(["--no-pager", "diff", "HEAD"]))?;
        bail!("the checkout differs from its commit:\n{changed}");
    }
    Ok(Tally::PASS)
}
