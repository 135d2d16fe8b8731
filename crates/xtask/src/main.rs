//! The project's automation. Each command does its own set-up, and prints what it does and why.

mod apt;
mod bench;
mod browser;
mod cache;
mod dist;
mod fuzz;
mod generate;
mod licences;
mod mutants;
mod npm;
mod page;
mod run;
mod rust_std;
mod suite;
mod tally;
mod tools;

use anyhow::Result;
use clap::Parser;
use std::{ffi::OsString, process::ExitCode};

/// Build, test, measure and publish the project: `cargo xtask <command>`
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version)]
enum Task {
    /// Install every tool that the other commands use, once per machine
    Setup,
    /// Build the page, serve it on this machine, and rebuild it when a source changes
    Serve {
        /// The port to serve on [default: the first free one from 8080 on]
        #[arg(long)]
        port: Option<u16>,
        /// Open the page in the system's browser
        #[arg(long)]
        open: bool,
    },
    /// Build the page into dist/, with a quick compilation; it works at any path of any static host. `dist` makes the
    /// published one
    Build {
        /// Compile it as the published page is, which takes longer and makes its wasm smaller
        #[arg(long)]
        release: bool,
    },
    /// Make what a release publishes, with checksums, in target/dist/: the page, the one-file page, the command line
    Dist,
    /// Run all tests that have ever found anything (if CI is set in the environment and both lanes run, like `ci`)
    Test(suite::TestArguments),
    /// Format all sources (Rust, scripts, styles), and fix what the linter can
    Format,
    /// Measure speed and memory; results are ratios within one run, since machines differ and are shared
    Bench {
        #[command(subcommand)]
        what: bench::Bench,
    },
    /// Repeat a log until it has the wanted size, to try large logs
    #[command(disable_help_flag = true)]
    Tile {
        /// `--size 1GiB -o OUT`, and the options that `--help` lists
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Write a log of an odd shape: very many threads, capabilities, hours, events at once, and so on
    #[command(disable_help_flag = true)]
    Synth {
        /// `SHAPE -o OUT`; without arguments, lists the shapes
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// Run the fuzz targets, with the corpus as seeds
    Fuzz {
        /// How long to run each target
        #[arg(long, default_value_t = 60)]
        seconds: u32,
    },
    /// Change the decoder and the model in many small ways, and list the changes that no test notices
    Mutants(mutants::MutantsArguments),
    /// Build the page, and take the reference pictures of what it looks like anew (tests/browser/reference-pictures/)
    Looks,
    /// Run the tests, then check that they rewrote or added no file of the checkout
    Ci,
}

fn main() -> ExitCode {
    match perform(Task::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn perform(task: Task) -> Result<ExitCode> {
    match task {
        Task::Setup => setup()?,
        Task::Serve { port, open } => page::serve(port, open)?,
        Task::Build { release } => {
            let profile = if release { page::Profile::Release } else { page::Profile::Page };
            page::build(&page::tools()?, profile, &page::command_line())?;
        }
        Task::Dist => dist::make()?,
        Task::Format => format()?,
        Task::Bench { what } => return bench::run_bench(&what),
        Task::Tile { arguments } => return generate::for_user("tile", &arguments),
        Task::Synth { arguments } => return generate::for_user("synth", &arguments),
        Task::Fuzz { seconds } => {
            let tally = fuzz::run_targets(seconds)?;
            return Ok(if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        Task::Mutants(arguments) => return mutants::run_mutants(&arguments),
        Task::Test(arguments) => return suite::test(&arguments, std::env::var_os("CI").is_some()),
        Task::Looks => return suite::renew_looks(),
        Task::Ci => return suite::test(&suite::TestArguments::default(), true),
    }
    Ok(ExitCode::SUCCESS)
}

fn format() -> Result<()> {
    run::run(run::command("cargo").args(["fmt", "--all"]))?;
    npm::ensure()?;
    run::run(run::command(npm::programs().join("biome")).args(["check", "--write"]))
}

fn setup() -> Result<()> {
    page::tools()?;
    rust_std::ensure(rust_std::BARE_METAL)?;
    npm::ensure()?;
    let browser = browser::ensure()?;
    println!("Everything is installed; the browser tests use {}", browser.display());
    Ok(())
}
