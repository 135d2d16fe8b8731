//! `ghc-eventlog`: GHC eventlogs on the command line.

mod check;
mod inc;
mod input;
mod loss;
mod reading;
mod show;
mod text;

use clap::{Parser, Subcommand};
use input::{Log, Source};
use std::{
    io::{self, Write},
    process::ExitCode,
};
use text::Style;

/// Behind the help of every command.
const COMPRESSED: &str = "\
A log may be compressed by gzip or zstd, or be an entry of a zip archive: its first bytes tell, not
its name. Offsets in messages are those of the unpacked log. `inc` and `check` unpack it while they
read; `show` does so into a temporary file, of 64 GiB at most, in the folder that TMPDIR names or
else in /var/tmp.";

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
    #[command(after_help = COMPRESSED)]
    Show {
        /// What to show, `threads` or `caps` for events grouped by these, then the log; `-` reads from standard input
        #[arg(value_names = ["threads|caps", "FILE"], num_args = 1..=2, required = true)]
        what: Vec<String>,
        /// Print times as seconds, milliseconds, microseconds
        #[arg(long)]
        pretty_time: bool,
        /// Print as this released version of ghc-events does, without block markers; by default as its unreleased one
        #[arg(long, value_name = "VERSION", value_parser = ["0.21"])]
        compat: Option<String>,
        /// The zip archive's entry to read, where it holds several logs
        #[arg(long, value_name = "NAME")]
        entry: Option<String>,
        /// Succeed although the log is cut off
        #[arg(long)]
        lenient: bool,
    },
    /// Print a log's events as text, in order of the file, while reading it
    #[command(after_help = COMPRESSED)]
    Inc {
        /// The log; `-` reads from standard input
        file: String,
        /// At the end of the file, wait for more
        #[arg(long)]
        follow: bool,
        /// The zip archive's entry to read, where it holds several logs
        #[arg(long, value_name = "NAME")]
        entry: Option<String>,
        /// Succeed although the log is cut off
        #[arg(long)]
        lenient: bool,
    },
    /// Tell what is wrong with a log, and what is worth knowing about it
    #[command(after_help = COMPRESSED)]
    Check {
        /// The log; `-` reads from standard input
        file: String,
        /// The zip archive's entry to read, where it holds several logs
        #[arg(long, value_name = "NAME")]
        entry: Option<String>,
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
        Command::Show { what, pretty_time, compat, entry, lenient } => {
            let style = Style { pretty_time, old: compat.is_some(), ..Style::default() };
            let (grouping, file) = match what.as_slice() {
                [file] => (show::Grouping::None, file),
                [kind, file] if kind == "threads" => (show::Grouping::Threads, file),
                [kind, file] if kind == "caps" => (show::Grouping::Caps, file),
                _ => return Err(io::Error::other("show what? Say `threads` or `caps`, then the log")),
            };
            let losses = show::show(Source::of(Log::open(file, entry.as_deref())?)?, grouping, style, &mut out)?;
            losses.exit_code(lenient)
        }
        Command::Inc { file, follow, entry, lenient } => {
            let style = Style { numbers_unknown: true, ..Style::default() };
            inc::inc(Log::open(&file, entry.as_deref())?, follow, style, &mut out)?.exit_code(lenient)
        }
        Command::Check { file, entry, json } => check::check(Log::open(&file, entry.as_deref())?, json, &mut out)?,
    };
    out.flush()?;
    Ok(ExitCode::from(code))
}
