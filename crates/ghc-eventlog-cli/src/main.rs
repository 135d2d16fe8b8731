//! `ghc-eventlog`: GHC eventlogs on the command line.

mod arguments;
mod check;
mod command_line;
mod export;
mod feeding;
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

use arguments::{Arguments, Command, NAME};
use clap::{CommandFactory, error::ErrorKind};
use ghc_eventlog_export::Format;
use ghc_eventlog_model::SpanWords;
use ghc_eventlog_strip::Strip;
use ghc_eventlog_text::Style;
use input::{Log, Source};
use loss::{DAMAGED, FOUND, Losses, Quiet, UNREADABLE};
use output::Output;
use std::{
    ffi::{OsStr, OsString},
    io::{self, Write},
    process::ExitCode,
};
use summary::Form;

/// The program's own licence, and the list of others' licences from `cargo xtask build`.
const LICENCE: &str = concat!("ghc-eventlog ", env!("CARGO_PKG_VERSION"), ": ", env!("CARGO_PKG_LICENSE"));
#[cfg(has_licences)]
const LICENCES: &str = include_str!(env!("BUILT_IN_LICENCES"));
#[cfg(not(has_licences))]
const LICENCES: &str = "This build lists no others: run `cargo xtask build`, then build it again.\n";

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
                find::find(log, options, lenient, &mut out).map_err(Failure::of_question)?
            } else {
                let log = open(file, entry.as_deref())?;
                let name = log.name.clone();
                let source = Source::of(log).map_err(|error| Failure::at_start(input::about(&name, &error)))?;
                show::show(source, grouping, style, &mut out).map_err(Failure::on_the_way)?.exit_code(lenient)
            }
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
            exit_code_of_all(&losses, lenient)
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

/// If some of several logs could be read, there is a report without the others.
fn exit_code_of_all(losses: &[Losses], lenient: bool) -> u8 {
    let codes = losses.iter().map(|losses| losses.exit_code(lenient));
    let any = codes.clone().any(|code| code < UNREADABLE);
    codes.max().unwrap_or(0).min(if any { DAMAGED } else { UNREADABLE })
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
