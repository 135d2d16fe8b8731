//! `summary`: prints the model's figures and tables of a log. Text, JSON and Markdown have the same facts.

mod json;
mod range;
mod sharing;
mod text;

pub(crate) use range::Span;

use crate::stripping::without;
use crate::{
    feeding::Feeding,
    input::{Log, Source, TOO_LONG},
    loss::{Losses, Unclear},
    names::take_names,
    progress,
    reading::{Pause, Reading, Visitor},
    say::has_colours,
};
use ghc_eventlog::{Decoder, Nanos, Record, Step};
use ghc_eventlog_model::{
    Facts, Finding, Job, Level, LogText, Model, Range, RequestsQuery, SpanWords, rules_explained, work,
};
use ghc_eventlog_report::origin;
use ghc_eventlog_strip::Strip;
use ghc_eventlog_text::flaw;
use std::{
    ffi::OsString,
    io::{self, ErrorKind, Read, Write},
    str::FromStr,
};

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Form {
    #[default]
    Text,
    Json,
    Markdown,
}

/// The options of `summary`.
#[derive(Debug, Clone, Default)]
pub(crate) struct SummaryWishes {
    pub(crate) form: Form,
    /// The part of the log to summarise; `None` for the whole log.
    pub(crate) span: Option<Span>,
    /// The label of the spans of which each is told.
    pub(crate) each: Option<String>,
    /// Whether to include the program's environment.
    pub(crate) env: bool,
    /// What to leave out, as if it were not in the log.
    pub(crate) strip: Strip,
    /// Words that begin and end the program's own spans, besides those that are known.
    pub(crate) words: SpanWords,
    /// Another log of the same program, for names that this one lacks.
    pub(crate) names_from: Option<OsString>,
    /// The most rows of each table, and of each list.
    pub(crate) top: Option<usize>,
    /// The findings that are not wanted.
    pub(crate) fail_on: Vec<Unwanted>,
}

/// Findings that are not wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unwanted {
    /// Those that are as grave as this, at least.
    From(Level),
    /// That of one rule, if it found anything.
    Of(&'static str),
}

impl Unwanted {
    fn is(self, finding: &Finding) -> bool {
        match self {
            Self::From(level) => finding.level >= level,
            Self::Of(id) => finding.id == id && finding.level.is_found(),
        }
    }
}

impl FromStr for Unwanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let level = [Level::Warning, Level::Info].into_iter().find(|level| level.name() == text);
        let rule = || rules_explained().into_iter().find(|rule| rule.id == text).map(|rule| Self::Of(rule.id));
        level.map(Self::From).or_else(rule).ok_or_else(|| {
            let ids: Vec<&str> = rules_explained().iter().map(|rule| rule.id).collect();
            format!("it is neither warning nor info, nor the name of a finding: {}", ids.join(", "))
        })
    }
}

/// The most rows of a table for people.
const TOP: usize = 30;

/// The most rows of a list for programs.
const TOP_OF_LIST: usize = 10_000;

/// A log that has been read, and where it came from.
pub(crate) struct Summary {
    pub(crate) model: Model,
    /// The part of the log to summarise.
    range: Option<Range>,
    /// Whether to include the program's environment.
    pub(crate) env: bool,
    file: OsString,
    compression: Option<&'static str>,
    /// How many streams the log has.
    streams: u64,
    unclear: Unclear,
}

/// Reads a log and prints its summary. Reports what could not be read, as `show` does. Returns, too, whether there are findings that are
/// not wanted.
///
/// # Errors
/// When it cannot be read or the output cannot be written; [`ErrorKind::InvalidInput`] if the log has no such range.
pub(crate) fn summary(log: Log, wishes: SummaryWishes, out: &mut impl Write) -> io::Result<(Losses, bool)> {
    let mut losses = Losses::new(&log.name);
    let (file, compression) = (log.file.clone(), log.compression());
    let mut source = Source::of(log)?;
    // If the log is copied, its losses are reported before that, and only once.
    let mut silent = Losses::silent();
    let mut told = &mut losses;
    if wishes.strip.any() {
        if !judged(&mut source, told)? {
            return Ok((losses, false));
        }
        source = without(source, wishes.strip)?;
        told = &mut silent;
    }
    let model = named(Model::of_figures(), &wishes.words);
    let Some((mut model, streams)) = read_source(&mut source, model, told)? else { return Ok((losses, false)) };
    if wishes.strip.any() {
        losses.disorder(&model);
    }
    replay(&mut model, &mut source)?;
    if let Some(from) = &wishes.names_from {
        take_names(&mut model, from, &losses)?;
    }
    let range = wishes.span.map(|span| range_of(&mut model, span, &mut source)).transpose()?;
    if let Some(label) = wishes.each {
        look_at_each(&mut model, label, range.as_ref(), &mut source)?;
    }
    let summary = Summary { model, range, env: wishes.env, file, compression, streams, unclear: losses.unclear() };
    match wishes.form {
        Form::Text => {
            let colours = has_colours(&io::stdout());
            text::write(&summary, wishes.top.unwrap_or(TOP), colours, out)?;
        }
        Form::Json => json::write(&summary, wishes.top.unwrap_or(TOP_OF_LIST), out)?,
        Form::Markdown => {
            let markdown = summary.model.markdown(summary.range.as_ref(), wishes.top.unwrap_or(TOP));
            let findings =
                if summary.range.is_none() { summary.model.findings_in_markdown() + "\n" } else { String::new() };
            let name = LogText::of_bytes(summary.file.as_encoded_bytes()).for_markdown();
            write!(out, "### {name}\n\n{findings}{markdown}")?;
            if summary.env {
                writeln!(out, "\n<details><summary>Environment</summary>\n")?;
                // Markdown shows a code block exactly as it is.
                summary.variables().try_for_each(|variable| writeln!(out, "    {}", variable.for_terminal()))?;
                writeln!(out, "\n</details>")?;
            }
        }
    }
    let unwanted = unwanted(&summary.model, &wishes.fail_on);
    if !unwanted.is_empty() {
        losses.note(format_args!("found what --fail-on names: {}", unwanted.join(", ")));
    }
    Ok((losses, !unwanted.is_empty()))
}

/// The findings that are not wanted.
fn unwanted(model: &Model, fail_on: &[Unwanted]) -> Vec<&'static str> {
    if fail_on.is_empty() {
        return Vec::new();
    }
    let findings = model.findings().list;
    let is_unwanted = |finding: &&Finding| fail_on.iter().any(|unwanted| unwanted.is(finding));
    findings.iter().filter(is_unwanted).map(|finding| finding.id).collect()
}

/// Reads a whole log, with everything that its pictures need; `None` if nothing can be read.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn of_source(
    source: &mut Source,
    file: OsString,
    compression: Option<&'static str>,
    env: bool,
    words: &SpanWords,
    losses: &mut Losses,
) -> io::Result<Option<Summary>> {
    let model = named(Model::of_size(source.length()), words);
    let Some((mut model, streams)) = read_source(source, model, losses)? else { return Ok(None) };
    replay(&mut model, source)?;
    Ok(Some(Summary { model, range: None, env, file, compression, streams, unclear: losses.unclear() }))
}

/// The model, set to look for these words, too.
fn named(mut model: Model, words: &SpanWords) -> Model {
    // Nothing has been read yet, so no replay is needed.
    let _ = model.name_spans(words.clone());
    model
}

/// The same as [`of_source`], without what only its pictures need.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn figures_of(source: &mut Source, losses: &mut Losses) -> io::Result<Option<Model>> {
    Ok(read_source(source, Model::of_figures(), losses)?.map(|(model, _)| model))
}

/// Reports what cannot be read of a log; returns whether anything can be.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn judged(source: &mut Source, losses: &mut Losses) -> io::Result<bool> {
    let end = Reading::new(source.start("checking")?).visit(&mut Judge { losses, streams: 0 })?;
    tell_of(source, losses);
    losses.end(&end);
    Ok(!matches!(end, Pause::Unreadable(_)))
}

fn read_source(source: &mut Source, model: Model, losses: &mut Losses) -> io::Result<Option<(Model, u64)>> {
    let (_, read) = read(source.start("reading")?, model, losses)?;
    tell_of(source, losses);
    let Some((mut model, streams)) = read.finish(losses) else { return Ok(None) };
    if let Some(mut names) = model.late_names() {
        progress::begin("reading names", None);
        done(&mut names, &mut model, source)?;
    }
    Ok(Some((model, streams)))
}

/// Reports why the log ended early, before the losses that follow from that.
fn tell_of(source: &Source, losses: &mut Losses) {
    losses.unpacking(source.broken());
    if source.is_too_long() {
        losses.loss(TOO_LONG);
    }
}

impl Summary {
    /// The facts about the chosen part.
    fn facts(&self) -> Facts {
        self.model.facts(self.range.as_ref())
    }

    /// The variables of the program's environment: NAME=value.
    fn variables(&self) -> impl Iterator<Item = &LogText<'static>> {
        self.model.process().environment().iter()
    }

    /// When the log begins.
    fn origin(&self) -> Nanos {
        origin(&self.model)
    }
}

/// A log that has been read.
struct LogRead {
    model: Model,
    streams: u64,
    end: Pause,
}

impl LogRead {
    /// The model and how many streams there were; `None` if nothing could be read.
    fn finish(self, losses: &mut Losses) -> Option<(Model, u64)> {
        let Self { mut model, streams, end } = self;
        losses.end(&end);
        model.finish();
        losses.disorder(&model);
        (!matches!(end, Pause::Unreadable(_))).then_some((model, streams))
    }
}

/// Reads a whole log into a new model.
fn read<R: Read>(log: R, model: Model, losses: &mut Losses) -> io::Result<(R, LogRead)> {
    let mut reading = Reading::new(Feeding::of(log, model));
    let mut judge = Judge { losses, streams: 0 };
    let end = reading.visit(&mut judge)?;
    let streams = judge.streams;
    let (log, model) = reading.input.finish()?;
    Ok((log, LogRead { model, streams, end }))
}

/// Sums up a part of a log that has been read.
fn range_of(model: &mut Model, span: Span, source: &mut Source) -> io::Result<Range> {
    let invalid = |text: String| io::Error::new(ErrorKind::InvalidInput, text);
    let (from, to) = times_of(model, span)?;
    let Some(mut range) = model.range(from, to) else {
        return Err(invalid("the range is not known".to_string()));
    };
    progress::begin("reading the range", None);
    done(&mut range, model, source)?;
    Ok(range)
}

/// Looks at each span with a label that begins in the range.
fn look_at_each(model: &mut Model, label: String, range: Option<&Range>, source: &mut Source) -> io::Result<()> {
    let mut query = RequestsQuery::of(label);
    if let Some(range) = range {
        (query.from, query.to) = range.times();
    }
    progress::begin("looking at each span", source.length());
    let Some(mut requests) = model.requests(&query) else { return Err(no_label(model, &query.label)) };
    done(&mut requests, model, source)
}

/// The most labels that an error names.
const NAMED_LABELS: usize = 20;

/// Says that no span has a label.
fn no_label(model: &Model, label: &LogText<'_>) -> io::Error {
    let families = model.span_families();
    let labels: Vec<LogText<'_>> = families.into_iter().chain(model.span_labels()).collect();
    let mut text_of_all: Vec<String> = labels.iter().take(NAMED_LABELS).map(LogText::for_terminal).collect();
    if labels.len() > NAMED_LABELS {
        text_of_all.push(format!("and {} more", labels.len() - NAMED_LABELS));
    }
    let has = match text_of_all.as_slice() {
        [] => "the log has no spans".to_string(),
        all => format!("the labels are: {}", all.join(", ")),
    };
    let text = if model.are_span_labels_too_many() {
        format!("the label {} is none of those that are told apart: there are too many; {has}", label.for_terminal())
    } else {
        format!("no span has the label {}: {has}", label.for_terminal())
    };
    io::Error::new(ErrorKind::InvalidInput, text)
}

/// The part of a log on its clock.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] if the log has no such range.
pub(crate) fn times_of(model: &Model, span: Span) -> io::Result<(Nanos, Nanos)> {
    let invalid = |text: String| io::Error::new(ErrorKind::InvalidInput, text);
    let extent = model.extent().ok_or_else(|| invalid("the log has no events, and so no range of time".to_string()))?;
    span.within(extent).map_err(invalid)
}

/// Replays a log that has been read, in order of time.
pub(crate) fn replay(model: &mut Model, source: &mut Source) -> io::Result<()> {
    progress::begin("following threads", source.length());
    model.share_work(sharing::in_threads);
    model.replay().map_or(Ok(()), |mut replay| done(&mut replay, model, source))
}

/// Runs a job to its end.
pub(crate) fn done(job: &mut dyn Job, model: &mut Model, source: &mut Source) -> io::Result<()> {
    let is_done = work(job, model, |offset, length| {
        let mut bytes = Vec::new();
        source.read(offset, offset + length, &mut bytes)?;
        progress::add(length);
        Ok::<_, io::Error>(bytes)
    })?;
    if is_done { Ok(()) } else { Err(source.changed()) }
}

/// Reports what could not be read.
struct Judge<'l> {
    losses: &'l mut Losses,
    streams: u64,
}

impl Visitor for Judge<'_> {
    #[inline]
    fn plain(&mut self, record: &Record<'_>) {
        if let Some(flaw) = flaw(record) {
            self.losses.event(&flaw, record.offset);
        }
    }

    fn step(&mut self, _: &Decoder, step: Step<'_>) -> io::Result<()> {
        match step {
            Step::Event(record) => self.plain(&record),
            Step::Notice(notice) => self.losses.notice(notice),
            Step::Header => self.streams += 1,
            Step::Need(_) | Step::End => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, path::Path};

    #[test]
    fn a_range_of_a_log_that_was_overwritten_ends() {
        let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/threaded/log.eventlog");
        let bytes = conformance::tiled(&fs::read(log).unwrap(), 100);
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), &bytes).unwrap();
        let mut source = Source::of(Log::open(file.path().as_os_str(), None).unwrap()).unwrap();
        let (mut model, _) = read_source(&mut source, Model::of_figures(), &mut Losses::silent()).unwrap().unwrap();
        let span = || "100ms..2s".parse().unwrap();
        assert!(range_of(&mut model, span(), &mut source).is_ok());
        // A new model: the first one keeps the parts that it has read.
        let (mut model, _) = read_source(&mut source, Model::of_figures(), &mut Losses::silent()).unwrap().unwrap();
        fs::write(file.path(), vec![0x55; bytes.len()]).unwrap();
        let error = range_of(&mut model, span(), &mut source).err().unwrap();
        assert!(error.to_string().contains("another program changed the file"), "{error}");
    }
}
