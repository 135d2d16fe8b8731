//! `ghc-eventlog`: GHC eventlogs on the command line.

mod check;
mod inc;
mod input;
mod loss;
mod reading;
mod show;
mod text;

use clap::{Parser, Subcommand};
use input::Source;
use std::{
    io::{self, Write},
    process::ExitCode,
};
use text::Style;

/// Reads the eventlogs that GHC's runtime writes (+RTS -l)
#[derive(Parser)]
#[command(name = "ghc-eventlog", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print a log as text, in order of time: its event types, then its events
    Show {
        /// What to show, `threads` or `caps` for events grouped by these, then the log; `-` reads from standard input
        #[arg(value_names = ["threads|caps", "FILE"], num_args = 1..=2, required = true)]
        what: Vec<String>,
        /// Print times as seconds, milliseconds, microseconds
        #[arg(long)]
        pretty_time: bool,
        /// Print as this version of ghc-events does; only 0.21 is known
        #[arg(long, value_name = "VERSION", value_parser = ["0.21"])]
        compat: Option<String>,
        /// Succeed although the log is cut off
        #[arg(long)]
        lenient: bool,
    },
    /// Print a log's events as text, in order of the file, while reading it
    Inc {
        /// The log; `-` reads from standard input
        file: String,
        /// At the end of the file, wait for more
        #[arg(long)]
        follow: bool,
        /// Succeed although the log is cut off
        #[arg(long)]
        lenient: bool,
    },
    /// Tell what is wrong with a log, and what is worth knowing about it
    Check {
        /// The log; `-` reads from standard input
        file: String,
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(code) => code,
        // Whoever read the output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ghc-eventlog: {error}");
            ExitCode::from(UNREADABLE)
        }
    }
}

/// Something of the log is missing, or was not understood.
const DAMAGED: u8 = 1;
/// Nothing can be read. `show` and `inc` say 1 of a log like that, as the reference does, and this of a missing file.
const UNREADABLE: u8 = 2;

fn run(command: Command) -> io::Result<ExitCode> {
    let mut out = io::BufWriter::with_capacity(1 << 18, io::stdout().lock());
    let code = match command {
        Command::Show { what, pretty_time, compat, lenient } => {
            let style = Style { pretty_time, old: compat.is_some(), ..Style::default() };
            let (grouping, file) = match what.as_slice() {
                [file] => (show::Grouping::None, file),
                [kind, file] if kind == "threads" => (show::Grouping::Threads, file),
                [kind, file] if kind == "caps" => (show::Grouping::Caps, file),
                _ => return Err(io::Error::other("show what? Say `threads` or `caps`, then the log")),
            };
            let losses = show::show(Source::open(file)?, grouping, style, &mut out)?;
            losses.exit_code(lenient)
        }
        Command::Inc { file, follow, lenient } => {
            let style = Style { numbers_unknown: true, ..Style::default() };
            inc::inc(&file, follow, style, &mut out)?.exit_code(lenient)
        }
        Command::Check { file, json } => check::check(&file, json, &mut out)?,
    };
    out.flush()?;
    Ok(ExitCode::from(code))
}
