//! `ghc-eventlog`: GHC eventlogs on the command line.

mod check;
mod command_line;
mod export;
mod generate;
mod inc;
mod input;
mod loss;
mod output;
mod progress;
mod reading;
mod report;
mod say;
mod show;
mod stripping;
mod summary;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "that is how tests fail")]
mod testing;

use clap::{CommandFactory, Parser, Subcommand, error::ErrorKind};
use ghc_eventlog_export::Format;
use ghc_eventlog_model::SpanWords;
use ghc_eventlog_strip::Strip;
use ghc_eventlog_text::Style;
use input::{Log, Source};
use loss::{DAMAGED, EXIT_CODES, Quiet, UNREADABLE};
use output::Output;
use std::{
    ffi::{OsStr, OsString},
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};
use summary::Form;

/// After the help of every command, before the exit codes.
const COMPRESSED: &str = "\
A log may be compressed by gzip or zstd, or be an entry of a zip archive: its first bytes tell, not
its name. Offsets in messages are those of the unpacked log. `inc` and `check` unpack it while they read.
`show`, `summary`, `report` and `export` go through a log more than once: they unpack it, and copy a pipe, into
a temporary file, of 64 GiB at most, in the folder that TMPDIR names, or else in /var/tmp. A zip archive from a pipe
is itself copied there, by every command.";

/// Reads the eventlogs that GHC's runtime writes (+RTS -l)
#[derive(Parser)]
#[command(name = NAME, version, after_help = general_help(), override_usage = USAGE)]
struct Arguments {
    /// Show no progress, and no warnings that the exit code does not depend on; errors remain
    #[arg(short, long, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print a log as text, in order of time: its event types, then its events
    #[command(after_help = more_help())]
    Show {
        /// What to show, `threads` or `caps` for events grouped by these, then the log; `-` reads from standard input
        #[arg(value_names = ["threads|caps", "FILE"], num_args = 1..=2, required = true)]
        what: Vec<OsString>,
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
    #[command(after_help = more_help())]
    Inc {
        /// The log; `-` reads from standard input
        file: OsString,
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
    #[command(after_help = more_help())]
    Check {
        /// The log; `-` reads from standard input
        file: OsString,
        /// The zip archive's entry to read, where it holds several logs
        #[arg(long, value_name = "NAME")]
        entry: Option<String>,
        /// Print as JSON
        #[arg(long)]
        json: bool,
        /// Succeed although the log is cut off
        #[arg(long)]
        lenient: bool,
    },
    /// Print what a log says, in figures and tables: capabilities, collections, threads
    #[command(after_help = more_help())]
    Summary {
        /// The log; `-` reads from standard input
        file: OsString,
        /// The zip archive's entry to read, where it holds several logs
        #[arg(long, value_name = "NAME")]
        entry: Option<String>,
        /// Print as JSON
        #[arg(long, conflicts_with = "markdown")]
        json: bool,
        /// Print as Markdown
        #[arg(long)]
        markdown: bool,
        /// Only what was between two times, counted from the log's first moment: 1.5s..2s, 250ms.., ..3s; a bare number is
        /// nanoseconds
        #[arg(long, value_name = "FROM..TO", allow_hyphen_values = true)]
        range: Option<summary::Span>,
        /// Print the program's environment, too: it may tell secrets
        #[arg(long)]
        env: bool,
        /// Leave out the program's arguments, and filters of a heap profile. This makes a temporary copy, of plain logs as well
        #[arg(long)]
        strip_args: bool,
        /// Leave out messages and markers, the program's and the runtime's. This makes a temporary copy, of plain logs as well
        #[arg(long)]
        strip_messages: bool,
        /// The words that begin and end a span of the program's own, in place of START and STOP: BEGIN,END
        #[arg(long, value_name = "BEGIN,END", value_parser = span_words)]
        span_words: Option<SpanWords>,
        /// The most rows of each table and list: 30 unless told otherwise, as JSON 10000
        #[arg(long, value_name = "N")]
        top: Option<usize>,
        /// Succeed although the log is cut off
        #[arg(long)]
        lenient: bool,
    },
    /// Write logs as one HTML file: the viewer with the logs in it, and what they say as text and picture
    #[command(after_help = more_help())]
    Report {
        /// The logs; `-` reads from standard input
        #[arg(required = true, value_name = "LOG")]
        files: Vec<OsString>,
        /// The HTML file to be written
        #[arg(short, long, value_name = "FILE", default_value = "report.html")]
        output: PathBuf,
        /// The zip archive's entry to read, where it holds several logs
        #[arg(long, value_name = "NAME")]
        entry: Option<String>,
        /// Keep the program's environment, too: it may tell secrets
        #[arg(long)]
        env: bool,
        /// Leave out the program's arguments, and filters of a heap profile
        #[arg(long)]
        strip_args: bool,
        /// Leave out messages and markers, the program's and the runtime's
        #[arg(long)]
        strip_messages: bool,
        /// The words that begin and end a span of the program's own, in place of START and STOP: BEGIN,END
        #[arg(long, value_name = "BEGIN,END", value_parser = span_words)]
        span_words: Option<SpanWords>,
        /// The most bytes of a packed log that are put into the file: 50MB, 800k, 2GiB. A longer one stays beside it
        #[arg(long, value_name = "SIZE", default_value = "50MB", value_parser = report::size)]
        embed_limit: u64,
        /// The viewer of one file to be used instead of the program's own
        #[arg(long, value_name = "FILE")]
        viewer: Option<PathBuf>,
        /// Succeed although a log is cut off
        #[arg(long)]
        lenient: bool,
    },
    /// Write one of a log's profiles as other tools read it: heap profiles as .hp or a table, time profiles for speedscope or as
    /// folded stacks
    #[command(after_help = more_help())]
    Export {
        /// The log; `-` reads from standard input
        file: OsString,
        /// What to write: of the time profile speedscope's format or folded stacks, of the heap profile .hp, CSV or TSV
        #[arg(long, value_parser = Format::ALL.map(Format::name))]
        format: String,
        /// The file to be written; standard output unless told otherwise
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// The zip archive's entry to read, where it holds several logs
        #[arg(long, value_name = "NAME")]
        entry: Option<String>,
        /// Succeed although the log is cut off
        #[arg(long)]
        lenient: bool,
    },
    /// Write what goes with this program
    #[command(hide = true)]
    Generate {
        #[command(subcommand)]
        what: generate::What,
    },
    /// Print the licences of what this program and its viewer are built of
    Licences,
}

/// The program's own licence, and what `cargo xtask build` lists of others.
const LICENCE: &str = concat!("ghc-eventlog ", env!("CARGO_PKG_VERSION"), ": ", env!("CARGO_PKG_LICENSE"));
#[cfg(has_licences)]
const LICENCES: &str = include_str!(env!("BUILT_IN_LICENCES"));
#[cfg(not(has_licences))]
const LICENCES: &str = "This build lists no others: run `cargo xtask build`, then build it again.\n";

/// What the program is called.
const NAME: &str = "ghc-eventlog";

const USAGE: &str = "ghc-eventlog [OPTIONS] <COMMAND>\n       ghc-eventlog [OPTIONS] <LOG> [OPTIONS OF summary]";

/// After the program's own help, before the exit codes.
const LOG_ALONE: &str = "\
A log alone is summed up: `ghc-eventlog run.eventlog --json` is `ghc-eventlog summary run.eventlog --json`. Where a file
is called like a command, the command is meant: `ghc-eventlog ./show` is the file.

Where standard error is a terminal, whatever takes longer than a second shows how far it is; it does not with --quiet,
where the environment has CI, and under TERM=dumb, nor while the output may be seen on the same terminal.
With --quiet nothing is said of what could be mended, nor, with --lenient, that a log is cut off; whatever is missing is.
Terminals are written to with colours, unless NO_COLOR is set; CLICOLOR_FORCE=1 has colours elsewhere, too.";

fn general_help() -> String {
    format!("{LOG_ALONE}\n\n{EXIT_CODES}")
}

fn more_help() -> String {
    format!("{COMPRESSED}\n\n{EXIT_CODES}")
}

fn main() -> ExitCode {
    #[cfg(unix)]
    output::too_large_files_are_errors();
    let Arguments { quiet, command } = command_line::arguments();
    Quiet { notes: quiet, cut_off: quiet && command.is_lenient() }.set();
    if !quiet && !command.follows() {
        progress::allow();
    }
    let code = run(command);
    progress::end();
    match code {
        Ok(code) => code,
        // Whoever read the output has seen enough.
        Err(failure) if failure.error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            say::error(NAME, failure.error);
            ExitCode::from(failure.code)
        }
    }
}

impl Command {
    /// Whether a log that is cut off is as good as a whole one.
    fn is_lenient(&self) -> bool {
        match self {
            Self::Show { lenient, .. }
            | Self::Inc { lenient, .. }
            | Self::Check { lenient, .. }
            | Self::Summary { lenient, .. }
            | Self::Report { lenient, .. }
            | Self::Export { lenient, .. } => *lenient,
            Self::Generate { .. } | Self::Licences => false,
        }
    }

    /// Whether it waits for a log's writer, rather than work.
    fn follows(&self) -> bool {
        matches!(self, Self::Inc { follow: true, .. })
    }
}

/// Why a command ended before its work was done, and the code that it ends with.
struct Failure {
    error: io::Error,
    code: u8,
}

impl Failure {
    /// Before anything of the log could be read.
    fn at_start(error: io::Error) -> Self {
        // A full disk says nothing about the log, whenever it shows.
        let code = if output::is_about_writing(&error) { DAMAGED } else { UNREADABLE };
        Self { error, code }
    }

    /// After all of it was, but what was asked has no answer.
    fn of_question(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::InvalidInput { Self::at_start(error) } else { Self::on_the_way(error) }
    }

    /// After some of it was.
    fn on_the_way(error: io::Error) -> Self {
        Self { error, code: DAMAGED }
    }
}

fn run(command: Command) -> Result<ExitCode, Failure> {
    let mut out = io::BufWriter::with_capacity(1 << 18, Output(io::stdout().lock()));
    let code = match command {
        Command::Show { what, pretty_time, compat, entry, lenient } => {
            let style = Style { pretty_time, old: compat.is_some(), ..Style::default() };
            let (grouping, file) = what_to_show(&what);
            let log = open(file, entry.as_deref())?;
            let name = log.name.clone();
            let source = Source::of(log).map_err(|error| Failure::at_start(input::about(&name, &error)))?;
            show::show(source, grouping, style, &mut out).map_err(Failure::on_the_way)?.exit_code(lenient)
        }
        Command::Inc { file, follow, entry, lenient } => {
            let style = Style { numbers_unknown: true, ..Style::default() };
            let log = open(&file, entry.as_deref())?;
            if follow && log.is_compressed() && !log.is_stdin() {
                let error = io::Error::other(format!("{}: a compressed log cannot be followed", log.name));
                return Err(Failure::at_start(error));
            }
            inc::inc(log, follow, style, &mut out).map_err(Failure::on_the_way)?.exit_code(lenient)
        }
        Command::Check { file, entry, json, lenient } => {
            let log = open(&file, entry.as_deref())?;
            check::check(log, check::Wishes { json, lenient }, &mut out).map_err(Failure::on_the_way)?
        }
        Command::Summary {
            file,
            entry,
            json,
            markdown,
            range,
            env,
            strip_args,
            strip_messages,
            span_words,
            top,
            lenient,
        } => {
            let log = open(&file, entry.as_deref())?;
            let form = match (json, markdown) {
                (true, _) => Form::Json,
                (_, true) => Form::Markdown,
                _ => Form::Text,
            };
            let strip = Strip { env: false, args: strip_args, messages: strip_messages };
            let wishes = summary::Wishes { form, span: range, env, strip, words: span_words, top };
            summary::summary(log, wishes, &mut out).map_err(Failure::of_question)?.exit_code(lenient)
        }
        Command::Report {
            files,
            output,
            entry,
            env,
            strip_args,
            strip_messages,
            span_words,
            embed_limit,
            viewer,
            lenient,
        } => {
            let logs: Result<Vec<_>, _> = files.iter().map(|file| open(file, entry.as_deref())).collect();
            let strip = Strip { env: !env, args: strip_args, messages: strip_messages };
            let wishes = report::Wishes { strip, words: span_words.as_ref(), embed_limit, viewer: viewer.as_deref() };
            let losses = report::report(logs?, wishes, &output).map_err(Failure::of_question)?;
            let codes: Vec<u8> = losses.iter().map(|losses| losses.exit_code(lenient)).collect();
            // Of several logs some could be read: then there is a report, from which the others are missing.
            let any = codes.iter().any(|code| *code < UNREADABLE);
            codes.into_iter().max().unwrap_or(0).min(if any { DAMAGED } else { UNREADABLE })
        }
        Command::Export { file, format, output, entry, lenient } => {
            let log = open(&file, entry.as_deref())?;
            let format = Format::named(&format).unwrap_or(Format::Speedscope);
            export::export(log, format, output.as_deref(), &mut out).map_err(Failure::of_question)?.exit_code(lenient)
        }
        Command::Generate { what } => {
            generate::generate(&what, &mut out).map_err(Failure::on_the_way)?;
            0
        }
        Command::Licences => {
            write!(out, "{LICENCE}\n\n{LICENCES}").map_err(Failure::on_the_way)?;
            0
        }
    };
    out.flush().map_err(Failure::on_the_way)?;
    Ok(ExitCode::from(code))
}

fn span_words(text: &str) -> Result<SpanWords, &'static str> {
    SpanWords::parse(text).ok_or("two different words with a comma between them are needed")
}

fn open(file: &OsStr, entry: Option<&str>) -> Result<Log, Failure> {
    Log::open(file, entry).map_err(Failure::at_start)
}

/// Ends the program where there are two words of which the first is none that it knows.
fn what_to_show(what: &[OsString]) -> (show::Grouping, &OsStr) {
    match what {
        [file] => (show::Grouping::None, file),
        [kind, file] if kind == "threads" => (show::Grouping::Threads, file),
        [kind, file] if kind == "caps" => (show::Grouping::Caps, file),
        _ => {
            let text = "show what? Say `threads` or `caps`, then the log";
            Arguments::command().error(ErrorKind::InvalidValue, text).exit()
        }
    }
}
