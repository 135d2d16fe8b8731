//! `ghc-eventlog`: GHC eventlogs on the command line.

mod check;
mod command_line;
mod export;
mod find;
mod generate;
mod inc;
mod input;
mod loss;
mod names;
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
use loss::{DAMAGED, EXIT_CODES, FOUND, Quiet, UNREADABLE};
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
A log may be compressed with gzip or zstd, or be an entry of a zip archive. Its first bytes decide, not its name.
Offsets in messages are those of the unpacked log. `inc` and `check` unpack it while they read.
`show`, `find`, `summary`, `report` and `export` read a log more than once: they unpack it, and copy a pipe, into
a temporary file of at most 64 GiB, in the folder that TMPDIR names, or else in /var/tmp. A zip archive from a pipe
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
    ///
    /// Times are those of the runtime's clock, which begins when the runtime starts. The page and `summary` count from the first event;
    /// `summary --range @FROM..@TO` takes times as printed here.
    #[command(after_help = more_help())]
    Show {
        /// What to show, `threads` or `caps` for events grouped by these, then the log; `-` reads from standard input
        #[arg(value_names = ["threads|caps", "FILE"], num_args = 1..=2, required = true)]
        what: Vec<OsString>,
        /// Print times as seconds, milliseconds, microseconds
        #[arg(long)]
        pretty_time: bool,
        /// Print what this released version of ghc-events prints, without block markers (default: what its unreleased
        /// version prints)
        #[arg(long, value_name = "VERSION", value_parser = ["0.21"])]
        compat: Option<String>,
        /// Only the events that this query finds, as `find` does, without the list of event types
        #[arg(long = "where", value_name = "QUERY", allow_hyphen_values = true)]
        query: Option<String>,
        /// Only the events between two times, as for `find`, without the list of event types
        #[arg(long, value_name = "FROM..TO", allow_hyphen_values = true)]
        range: Option<summary::Span>,
        /// The entry to read from a zip archive that has several logs
        #[arg(long, value_name = "NAME")]
        entry: Option<String>,
        /// Succeed even if the log is cut off
        #[arg(long)]
        lenient: bool,
    },
    /// Find events, collections, runs of threads and the program's own spans: a line for each, in order of time
    #[command(after_help = find_help())]
    Find {
        /// Print a line of JSON for each hit
        #[arg(long, conflicts_with = "count")]
        json: bool,
        /// Print only how many there are
        #[arg(long)]
        count: bool,
        /// Only the part between two times, counted from the first event: 1.5s..2s, 250ms.., ..3s; a number without a
        /// unit is nanoseconds. A time after @ is one of the runtime's clock, which show prints: @104.17ms..@200ms
        #[arg(long, value_name = "FROM..TO", allow_hyphen_values = true)]
        range: Option<summary::Span>,
        /// The entry to read from a zip archive that has several logs
        #[arg(long, value_name = "NAME")]
        entry: Option<String>,
        /// Succeed even if the log is cut off
        #[arg(long)]
        lenient: bool,
        /// The log; `-` reads from standard input
        #[arg(value_name = "LOG")]
        file: OsString,
        /// What to find; everything after the log is a part of it, except the options above
        #[arg(required = true, value_name = "QUERY", trailing_var_arg = true, allow_hyphen_values = true)]
        query: Vec<String>,
    },
    /// Print a log's events as text, in file order, while reading it
    #[command(after_help = more_help())]
    Inc {
        /// The log; `-` reads from standard input
        file: OsString,
        /// Wait for more at the end of the file
        #[arg(long)]
        follow: bool,
        /// The entry to read from a zip archive that has several logs
        #[arg(long, value_name = "NAME")]
        entry: Option<String>,
        /// Succeed even if the log is cut off
        #[arg(long)]
        lenient: bool,
    },
    /// Report what is wrong with a log, and what is worth knowing about it
    #[command(after_help = more_help())]
    Check {
        /// The log; `-` reads from standard input
        file: OsString,
        /// The entry to read from a zip archive that has several logs
        #[arg(long, value_name = "NAME")]
        entry: Option<String>,
        /// Print as JSON
        #[arg(long)]
        json: bool,
        /// Succeed even if the log is cut off
        #[arg(long)]
        lenient: bool,
    },
    /// Summarise a log in figures and tables: capabilities, collections, threads
    #[command(after_help = more_help())]
    Summary {
        /// The log; `-` reads from standard input
        file: OsString,
        /// The entry to read from a zip archive that has several logs
        #[arg(long, value_name = "NAME")]
        entry: Option<String>,
        /// Print as JSON
        #[arg(long, conflicts_with = "markdown")]
        json: bool,
        /// Print as Markdown
        #[arg(long)]
        markdown: bool,
        /// Only the part between two times, counted from the first event: 1.5s..2s, 250ms.., ..3s; a number without a
        /// unit is nanoseconds. A time after @ is one of the runtime's clock, which show prints: @104.17ms..@200ms
        #[arg(long, value_name = "FROM..TO", allow_hyphen_values = true)]
        range: Option<summary::Span>,
        /// Also tell of each of the program's own spans with this label what its thread did meanwhile, the slowest first; # stands for
        /// any number: 'job #' for job 1, job 2 and so on
        #[arg(long, value_name = "LABEL", allow_hyphen_values = true)]
        each: Option<String>,
        /// Include the program's environment, which may contain secrets
        #[arg(long)]
        env: bool,
        /// Leave out the program's arguments, and the filters of a heap profile. This makes a temporary copy, also of a
        /// plain log
        #[arg(long)]
        strip_args: bool,
        /// Leave out messages and markers of the program and the runtime. This makes a temporary copy, also of a plain
        /// log
        #[arg(long)]
        strip_messages: bool,
        /// Words that begin and end the program's own spans, besides those that are known: BEGIN,END before the label, or
        /// '* BEGIN,* END' after it. May be given several times
        #[arg(long, value_name = "BEGIN,END", value_parser = span_words)]
        span_words: Vec<SpanWords>,
        /// Take names of info tables that the log lacks from another log of the same program
        #[arg(long, value_name = "LOG")]
        names_from: Option<OsString>,
        /// The most rows of each table and list (default: 30, for JSON 10000)
        #[arg(long, value_name = "N")]
        top: Option<usize>,
        /// End with exit code 3 if any finding is a warning, or is worth knowing (info, which includes warnings), or if one of
        /// the rules that you name finds anything, as in gc-share,heap-grows
        #[arg(long, value_name = "warning|info|ID", value_delimiter = ',')]
        fail_on: Vec<summary::Unwanted>,
        /// Succeed even if the log is cut off
        #[arg(long)]
        lenient: bool,
    },
    /// Write logs as one HTML file: the viewer with the logs in it, and a summary as text and pictures
    #[command(after_help = more_help())]
    Report {
        /// The logs; `-` reads from standard input
        #[arg(required = true, value_name = "LOG")]
        files: Vec<OsString>,
        /// The HTML file to write
        #[arg(short, long, value_name = "FILE", default_value = "report.html")]
        output: PathBuf,
        /// The entry to read from a zip archive that has several logs
        #[arg(long, value_name = "NAME")]
        entry: Option<String>,
        /// Include the program's environment, which may contain secrets
        #[arg(long)]
        env: bool,
        /// Leave out the program's arguments, and the filters of a heap profile
        #[arg(long)]
        strip_args: bool,
        /// Leave out messages and markers of the program and the runtime
        #[arg(long)]
        strip_messages: bool,
        /// Words that begin and end the program's own spans, besides those that are known: BEGIN,END before the label, or
        /// '* BEGIN,* END' after it. May be given several times
        #[arg(long, value_name = "BEGIN,END", value_parser = span_words)]
        span_words: Vec<SpanWords>,
        /// Where places in the source lead, as in 'https://example.org/blob/{commit}/{file}#L{line}': {file}, {line}, {column},
        /// {module} and {commit} stand for the place. Pages (https, http) and editors (vscode://file/, idea://open?)
        #[arg(long, value_name = "URL", value_parser = report::sources::template)]
        source_url: Option<String>,
        /// The commit that the program was built from, for --source-url
        #[arg(long, value_name = "COMMIT", requires = "source_url")]
        commit: Option<String>,
        /// Put a log into the file only if it takes at most this much when compressed: 50MB, 800k, 2GiB. A longer log
        /// stays beside the file
        #[arg(long, value_name = "SIZE", default_value = "50MB", value_parser = report::size)]
        embed_limit: u64,
        /// Another one-file viewer, instead of the program's own
        #[arg(long, value_name = "FILE")]
        viewer: Option<PathBuf>,
        /// Succeed even if a log is cut off
        #[arg(long)]
        lenient: bool,
    },
    /// Write a profile of a log for another tool: a heap profile as .hp or as a table, a time profile for speedscope or
    /// as folded stacks
    #[command(after_help = more_help())]
    Export {
        /// The log; `-` reads from standard input
        file: OsString,
        /// The format: speedscope or folded for the time profile, hp, csv or tsv for the heap profile
        #[arg(long, value_parser = Format::ALL.map(Format::name))]
        format: String,
        /// The file to write (default: standard output)
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Take names of info tables that the log lacks from another log of the same program
        #[arg(long, value_name = "LOG")]
        names_from: Option<OsString>,
        /// The entry to read from a zip archive that has several logs
        #[arg(long, value_name = "NAME")]
        entry: Option<String>,
        /// Succeed even if the log is cut off
        #[arg(long)]
        lenient: bool,
    },
    /// Write completions for a shell, or manual pages
    #[command(hide = true)]
    Generate {
        #[command(subcommand)]
        what: generate::What,
    },
    /// Print the licences of this program and of everything that is built into it
    Licences,
}

/// The program's own licence, and the list of others' licences from `cargo xtask build`.
const LICENCE: &str = concat!("ghc-eventlog ", env!("CARGO_PKG_VERSION"), ": ", env!("CARGO_PKG_LICENSE"));
#[cfg(has_licences)]
const LICENCES: &str = include_str!(env!("BUILT_IN_LICENCES"));
#[cfg(not(has_licences))]
const LICENCES: &str = "This build lists no others: run `cargo xtask build`, then build it again.\n";

/// The program's name.
const NAME: &str = "ghc-eventlog";

const USAGE: &str = "ghc-eventlog [OPTIONS] <COMMAND>\n       ghc-eventlog [OPTIONS] <LOG> [OPTIONS OF summary]";

/// After the program's own help, before the exit codes.
const LOG_ALONE: &str = "\
A log without a command is summed up: `ghc-eventlog run.eventlog --json` is short for `ghc-eventlog summary run.eventlog
--json`. If a file has the name of a command, the command is meant: write `ghc-eventlog ./show` for the file.

If standard error is a terminal, work that takes longer than a second shows its progress there. It does not with --quiet,
if the environment has CI, under TERM=dumb, or while the output may appear on the same terminal.
--quiet also leaves out messages about what could be mended and, with --lenient, that a log is cut off. Losses are always
reported. Terminals get colours, unless NO_COLOR is set; CLICOLOR_FORCE=1 adds colours elsewhere, too.";

fn general_help() -> String {
    format!("{LOG_ALONE}\n\n{EXIT_CODES}")
}

fn find_help() -> String {
    format!("{}\n\n{}", find::QUERIES, more_help())
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
        // The program that read the output has stopped reading.
        Err(failure) if failure.error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            say::error(NAME, failure.error);
            ExitCode::from(failure.code)
        }
    }
}

impl Command {
    /// Whether a log that is cut off is accepted as a whole one.
    fn is_lenient(&self) -> bool {
        match self {
            Self::Show { lenient, .. }
            | Self::Find { lenient, .. }
            | Self::Inc { lenient, .. }
            | Self::Check { lenient, .. }
            | Self::Summary { lenient, .. }
            | Self::Report { lenient, .. }
            | Self::Export { lenient, .. } => *lenient,
            Self::Generate { .. } | Self::Licences => false,
        }
    }

    /// Whether it waits for the program that writes the log.
    fn follows(&self) -> bool {
        matches!(self, Self::Inc { follow: true, .. })
    }
}

/// Why a command failed, and its exit code.
struct Failure {
    error: io::Error,
    code: u8,
}

impl Failure {
    /// A failure before anything of the log could be read.
    fn at_start(error: io::Error) -> Self {
        // A full disk says nothing about the log, even if it is noticed first.
        let code = if output::is_about_writing(&error) { DAMAGED } else { UNREADABLE };
        Self { error, code }
    }

    /// A failure after the whole log was read: the question has no answer.
    fn of_question(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::InvalidInput { Self::at_start(error) } else { Self::on_the_way(error) }
    }

    /// A failure after a part of the log was read.
    fn on_the_way(error: io::Error) -> Self {
        Self { error, code: DAMAGED }
    }
}

fn run(command: Command) -> Result<ExitCode, Failure> {
    let mut out = io::BufWriter::with_capacity(1 << 18, Output(io::stdout().lock()));
    let code = match command {
        Command::Show { what, pretty_time, compat, query, range, entry, lenient } => {
            let style = Style { pretty_time, old: compat.is_some(), ..Style::default() };
            let (grouping, file) = what_to_show(&what);
            if query.is_some() || range.is_some() {
                if grouping != show::Grouping::None {
                    let text = "events that are grouped cannot be chosen: leave out --where and --range, or `threads` or `caps`";
                    Arguments::command().error(ErrorKind::ArgumentConflict, text).exit()
                }
                let query = find::query(query.as_slice()).map_err(Failure::at_start)?;
                let options = find::FindOptions { query, span: range, form: find::HitForm::Events(style) };
                let log = open(file, entry.as_deref())?;
                let code = find::find(log, options, lenient, &mut out).map_err(Failure::of_question)?;
                out.flush().map_err(Failure::on_the_way)?;
                return Ok(ExitCode::from(code));
            }
            let log = open(file, entry.as_deref())?;
            let name = log.name.clone();
            let source = Source::of(log).map_err(|error| Failure::at_start(input::about(&name, &error)))?;
            show::show(source, grouping, style, &mut out).map_err(Failure::on_the_way)?.exit_code(lenient)
        }
        Command::Find { json, count, range, entry, lenient, file, query } => {
            let query = find::query(&query).map_err(Failure::at_start)?;
            let form = match (json, count) {
                (true, _) => find::HitForm::Json,
                (_, true) => find::HitForm::Count,
                _ => find::HitForm::Text,
            };
            let log = open(&file, entry.as_deref())?;
            let options = find::FindOptions { query, span: range, form };
            find::find(log, options, lenient, &mut out).map_err(Failure::of_question)?
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
            check::check(log, check::CheckWishes { json, lenient }, &mut out).map_err(Failure::on_the_way)?
        }
        Command::Summary {
            file,
            entry,
            json,
            markdown,
            range,
            each,
            env,
            strip_args,
            strip_messages,
            span_words,
            names_from,
            top,
            fail_on,
            lenient,
        } => {
            let log = open(&file, entry.as_deref())?;
            let form = match (json, markdown) {
                (true, _) => Form::Json,
                (_, true) => Form::Markdown,
                _ => Form::Text,
            };
            let strip = Strip { env: false, args: strip_args, messages: strip_messages };
            let words = all_of(span_words);
            let wishes =
                summary::SummaryWishes { form, span: range, each, env, strip, words, names_from, top, fail_on };
            let (losses, found) = summary::summary(log, wishes, &mut out).map_err(Failure::of_question)?;
            match losses.exit_code(lenient) {
                0 if found => FOUND,
                code => code,
            }
        }
        Command::Report {
            files,
            output,
            entry,
            env,
            strip_args,
            strip_messages,
            span_words,
            source_url,
            commit,
            embed_limit,
            viewer,
            lenient,
        } => {
            let logs: Result<Vec<_>, _> = files.iter().map(|file| open(file, entry.as_deref())).collect();
            let strip = Strip { env: !env, args: strip_args, messages: strip_messages };
            let words = all_of(span_words);
            let sources = report::sources::SourceLinks { template: source_url, commit };
            let wishes = report::ReportWishes {
                strip,
                words: &words,
                sources: &sources,
                embed_limit,
                viewer: viewer.as_deref(),
            };
            let losses = report::report(logs?, wishes, &output).map_err(Failure::of_question)?;
            let codes: Vec<u8> = losses.iter().map(|losses| losses.exit_code(lenient)).collect();
            // If some of several logs could be read, there is a report without the others.
            let any = codes.iter().any(|code| *code < UNREADABLE);
            codes.into_iter().max().unwrap_or(0).min(if any { DAMAGED } else { UNREADABLE })
        }
        Command::Export { file, format, output, names_from, entry, lenient } => {
            let log = open(&file, entry.as_deref())?;
            let format = Format::named(&format).unwrap_or(Format::Speedscope);
            let wishes = export::ExportWishes { format, file: output.as_deref(), names_from: names_from.as_deref() };
            export::export(log, wishes, &mut out).map_err(Failure::of_question)?.exit_code(lenient)
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

/// All pairs of words, however they were given.
fn all_of(words: Vec<SpanWords>) -> SpanWords {
    words.into_iter().fold(SpanWords::default(), SpanWords::with)
}

fn open(file: &OsStr, entry: Option<&str>) -> Result<Log, Failure> {
    Log::open(file, entry).map_err(Failure::at_start)
}

/// Ends the program if there are two words and it does not know the first.
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
