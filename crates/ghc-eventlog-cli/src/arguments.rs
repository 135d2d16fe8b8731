//! The commands and their options, and what `--help` says of them.

use crate::{find, generate, loss::EXIT_CODES, report, summary};
use clap::{Parser, Subcommand};
use ghc_eventlog_export::Format;
use ghc_eventlog_model::SpanWords;
use std::{ffi::OsString, path::PathBuf};

/// Reads the eventlogs that GHC's runtime writes (+RTS -l)
#[derive(Parser)]
#[command(name = NAME, version, after_help = general_help(), override_usage = USAGE)]
pub(crate) struct Arguments {
    /// Show no progress, and no warnings that the exit code does not depend on; errors remain
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
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

impl Command {
    /// Whether a log that is cut off is accepted as a whole one.
    pub(crate) fn is_lenient(&self) -> bool {
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
    pub(crate) fn follows(&self) -> bool {
        matches!(self, Self::Inc { follow: true, .. })
    }
}

fn span_words(text: &str) -> Result<SpanWords, &'static str> {
    SpanWords::parse(text).ok_or("two different words with a comma between them are needed")
}

/// The program's name.
pub(crate) const NAME: &str = "ghc-eventlog";

/// How the program is called.
pub(crate) const USAGE: &str =
    "ghc-eventlog [OPTIONS] <COMMAND>\n       ghc-eventlog [OPTIONS] <LOG> [OPTIONS OF summary]";

/// After the program's own help, before the exit codes.
const LOG_ALONE: &str = "\
A log without a command is summed up: `ghc-eventlog run.eventlog --json` is short for `ghc-eventlog summary run.eventlog
--json`. If a file has the name of a command, the command is meant: write `ghc-eventlog ./show` for the file.

If standard error is a terminal, work that takes longer than a second shows its progress there. It does not with --quiet,
if the environment has CI, under TERM=dumb, or while the output may appear on the same terminal.
--quiet also leaves out messages about what could be mended and, with --lenient, that a log is cut off. Losses are always
reported. Terminals get colours, unless NO_COLOR is set; CLICOLOR_FORCE=1 adds colours elsewhere, too.";

pub(crate) fn general_help() -> String {
    format!("{LOG_ALONE}\n\n{EXIT_CODES}")
}

fn find_help() -> String {
    format!("{}\n\n{}", find::QUERIES, more_help())
}

fn more_help() -> String {
    format!("{COMPRESSED}\n\n{EXIT_CODES}")
}

/// After the help of every command, before the exit codes.
const COMPRESSED: &str = "\
A log may be compressed with gzip or zstd, or be an entry of a zip archive. Its first bytes decide, not its name.
Offsets in messages are those of the unpacked log. `inc` and `check` unpack it while they read.
`show`, `find`, `summary`, `report` and `export` read a log more than once: they unpack it, and copy a pipe, into
a temporary file of at most 64 GiB, in the folder that TMPDIR names, or else in /var/tmp. A zip archive from a pipe
is itself copied there, by every command.";
