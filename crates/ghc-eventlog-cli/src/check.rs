//! `check`: reports what is wrong with a log, and what is worth knowing about it.

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "that is how tests fail")]
mod tests;

use crate::{
    feeding::Feeding,
    input::Log,
    loss::{DAMAGED, Outcome, Weight},
    reading::{Pause, Reading, Visitor},
    say::{counted, shown},
};
use ghc_eventlog::{
    Decoder, EventType, Header, Nanos, Notice, NoticeKind, ProgramArgs, ProgramEnv, Record, Step, Text, VARIABLE, info,
};
use ghc_eventlog_model::{Gist, Model};
use ghc_eventlog_text::{LogText, doors::safe_json, flaw};
use serde::{Serialize, Serializer};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
};

/// The most findings that are listed; further ones are only counted.
const LISTED: usize = 1000;

/// The most arguments that are looked at.
const ARGS: usize = 100;

/// Everything that `check` reports about a log.
#[derive(Serialize, Default)]
struct Report {
    file: String,
    /// "clean", "damaged" or "unreadable".
    verdict: &'static str,
    /// The length of the unpacked log, and how many of its bytes could not be read as part of an event, a header or an
    /// end mark. `None` if nothing could be read.
    bytes: Option<u64>,
    lost_bytes: Option<u64>,
    /// Event types that the headers declare.
    declared_types: usize,
    events: u64,
    blocks: u64,
    streams: u64,
    /// The number of events by name.
    counts: BTreeMap<String, u64>,
    findings: Vec<Finding>,
    /// How many findings are not listed.
    more_findings: u64,
}

/// One thing found.
#[derive(Serialize)]
struct Finding {
    severity: Severity,
    /// In bytes from the start of the unpacked log; `None` if it is about the whole log.
    offset: Option<u64>,
    #[serde(serialize_with = "as_json")]
    message: LogText<'static>,
}

fn as_json<S: Serializer>(text: &LogText<'_>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&text.for_json())
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Severity {
    /// Worth knowing.
    Note,
    /// Something is not as it should be, but nothing is missing.
    Warning,
    /// Something is missing.
    Damage,
}

/// The options of `check`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CheckWishes {
    /// Print as JSON.
    pub(crate) json: bool,
    /// Accept a log without its end as a whole one.
    pub(crate) lenient: bool,
}

/// Checks a log and prints the findings; returns the exit code.
pub(crate) fn check(log: Log, wishes: CheckWishes, out: &mut impl Write) -> io::Result<u8> {
    let file = log.file.clone();
    let mut checker = Checker::new(wishes.lenient);
    log.begin("checking");
    let mut reading = Reading::new(Feeding::of(log, Model::of_figures()));
    let pause = reading.visit(&mut checker)?;
    let bytes = reading.decoder.offset();
    let (log, mut model) = reading.input.finish()?;
    model.finish();
    checker.disorder(&model);
    if let Some(broken) = log.broken() {
        let weight = checker.outcome.broken(broken);
        checker.lacks(weight, broken.offset, || broken.to_string());
    }
    match pause {
        Pause::Unreadable(error) if checker.outcome.unreadable(error) => {
            checker.find(Severity::Damage, error.offset, || error.kind.to_string());
        }
        Pause::Unreadable(_) => {}
        _ => {
            checker.report.bytes = Some(bytes);
            checker.report.lost_bytes = Some(checker.lost);
            checker.find_foremost(bytes);
        }
    }
    let code = checker.outcome.exit_code(wishes.lenient);
    let mut report = checker.report();
    report.verdict = match code {
        0 => "clean",
        DAMAGED => "damaged",
        _ => "unreadable",
    };
    if wishes.json {
        report.file = file.to_string_lossy().into_owned();
        write_json(&report, out)?;
    } else {
        report.file = shown(&file);
        write_text(&report, out)?;
    }
    Ok(code)
}

struct Checker {
    report: Report,
    outcome: Outcome,
    /// Bytes that could not be read.
    lost: u64,
    lenient: bool,
    /// The number of events of each event number, without block markers.
    counts: Vec<u64>,
    /// The numbers whose events have other fields than GHC's.
    others: BTreeSet<u16>,
    /// The latest time of each capability; the first element is for the global events.
    clocks: Vec<Clock>,
    /// The smallest time, and the largest one of earlier streams.
    extent: (Nanos, Nanos),
    /// The program and its arguments.
    args: Vec<LogText<'static>>,
}

/// The latest time of one capability in one stream.
#[derive(Debug, Clone, Copy, Default)]
struct Clock {
    /// Counted from 1.
    stream: u64,
    latest: Nanos,
}

impl Visitor for Checker {
    #[inline]
    fn plain(&mut self, record: &Record<'_>) {
        if let Some(flaw) = flaw(record) {
            self.find(Severity::Damage, record.offset, || flaw);
            self.outcome.loss();
        }
        if let Some(count) = self.counts.get_mut(usize::from(record.tag)) {
            *count += 1;
        }
        self.order(record);
    }

    fn step(&mut self, decoder: &Decoder, step: Step<'_>) -> io::Result<()> {
        match step {
            Step::Header => self.header(decoder.header(), decoder.offset()),
            Step::Event(record) if record.is_block_marker() => self.report.blocks += 1,
            Step::Event(record) => {
                self.plain(&record);
                self.environment(&record);
                self.arguments(&record);
            }
            Step::Notice(notice) => self.notice(notice),
            Step::Need(_) | Step::End => {}
        }
        Ok(())
    }
}

impl Checker {
    fn new(lenient: bool) -> Self {
        Self {
            report: Report::default(),
            outcome: Outcome::default(),
            lost: 0,
            lenient,
            counts: vec![0; 1 << 16],
            others: BTreeSet::new(),
            clocks: Vec::new(),
            extent: (Nanos::MAX, Nanos(0)),
            args: Vec::new(),
        }
    }

    /// Puts what must be said first before the other findings.
    fn find_foremost(&mut self, bytes: u64) {
        let events = self.counts.iter().sum();
        let last = self.clocks.iter().map(|clock| clock.latest).fold(self.extent.1, Nanos::max);
        let all = Some((events, last.since(self.extent.0)));
        let gist = Gist { bytes, lost_bytes: self.lost, args: &self.args, all };
        let found = gist.foremost().into_iter().map(|kind| Finding {
            severity: if kind.is_loss() { Severity::Damage } else { Severity::Warning },
            offset: None,
            message: kind.to_string().into(),
        });
        self.report.findings.splice(0..0, found.collect::<Vec<_>>());
    }

    /// Adds why figures are wrong although everything could be read.
    fn disorder(&mut self, model: &Model) {
        for kind in model.diagnostics().disorder() {
            self.outcome.loss();
            let (offset, message) = (None, kind.to_string().into());
            self.report.findings.push(Finding { severity: Severity::Damage, offset, message });
        }
    }

    fn report(self) -> Report {
        let mut report = self.report;
        for (tag, &count) in (0..=u16::MAX).zip(&self.counts).filter(|(_, count)| **count > 0) {
            let ghcs = info(tag).filter(|_| !self.others.contains(&tag));
            let name = ghcs.map_or_else(|| format!("type {tag}"), |info| info.name.to_string());
            report.counts.insert(name, count);
            report.events += count;
        }
        report
    }

    /// Only listed findings are formatted.
    #[cold]
    fn find<M: Into<LogText<'static>>>(&mut self, severity: Severity, offset: u64, message: impl FnOnce() -> M) {
        if self.report.findings.len() < LISTED {
            self.report.findings.push(Finding { severity, offset: Some(offset), message: message().into() });
        } else {
            self.report.more_findings += 1;
        }
    }

    /// Reports a possible loss.
    fn lacks(&mut self, weight: Weight, offset: u64, message: impl FnOnce() -> String) {
        let severity = match weight {
            Weight::CutOff if self.lenient => Severity::Warning,
            Weight::CutOff | Weight::Loss => Severity::Damage,
            Weight::Harmless | Weight::Mended => Severity::Warning,
        };
        self.find(severity, offset, message);
    }

    fn header(&mut self, header: &Header, offset: u64) {
        self.report.streams += 1;
        self.report.declared_types += header.types().len();
        let tags = header.types().iter().map(|declared| declared.tag);
        self.others.extend(tags.filter(|tag| header.has_other_fields(*tag)));
        for declared in header.types() {
            // The decoder's notice counts those whose fields are others'.
            if let Some(unusual) = Unusual::of(declared).filter(|_| !header.has_other_fields(declared.tag)) {
                self.find(Severity::Note, offset, || unusual.message(declared));
            }
        }
    }

    #[inline]
    fn order(&mut self, record: &Record<'_>) {
        let place = record.cap.map_or(0, |cap| usize::from(cap.0) + 1);
        match self.clocks.get_mut(place) {
            Some(clock) if clock.stream == self.report.streams && clock.latest <= record.time => {
                clock.latest = record.time;
            }
            _ => self.goes_back(place, record),
        }
    }

    /// Handles a time that is earlier than the latest, or the first one. The model judges how far it may go back.
    #[cold]
    fn goes_back(&mut self, place: usize, record: &Record<'_>) {
        if self.clocks.len() <= place {
            self.clocks.resize(place + 1, Clock::default());
        }
        self.extent.0 = self.extent.0.min(record.time);
        let Some(clock) = self.clocks.get_mut(place) else { return };
        if clock.stream != self.report.streams {
            self.extent.1 = self.extent.1.max(clock.latest);
            *clock = Clock { stream: self.report.streams, ..Clock::default() };
        }
        clock.latest = clock.latest.max(record.time);
    }

    fn environment(&mut self, record: &Record<'_>) {
        if !record.known || record.tag != ProgramEnv::TAG {
            return;
        }
        self.find(Severity::Warning, record.offset, || {
            let names: Vec<_> = ProgramEnv::read(record.payload).env.iter().map(variable).collect();
            let variables = counted(names.len() as u64, "environment variable");
            let said = format!("{variables}, which may hold secrets: ");
            LogText::joined(&[said.into(), LogText::joined(&names, " ")], "")
        });
    }

    fn arguments(&mut self, record: &Record<'_>) {
        if record.known && record.tag == ProgramArgs::TAG {
            // A launcher and its command come early.
            let args = ProgramArgs::read(record.payload).args;
            self.args = args.iter().take(ARGS).map(|text| LogText::from(text).into_owned()).collect();
        }
    }

    fn notice(&mut self, notice: Notice) {
        let weight = self.outcome.notice(notice.kind);
        self.lost += notice.kind.lost_bytes();
        match notice.kind {
            NoticeKind::FurtherStream => self.find(Severity::Note, notice.offset, || notice.kind.to_string()),
            kind => self.lacks(weight, notice.offset, || kind.to_string()),
        }
    }
}

/// How an event type differs from what is known about it.
enum Unusual {
    NotKnown,
    /// It is fixed and the known one variable, or the reverse.
    OtherLength,
    TooSmall {
        known: usize,
    },
    Larger {
        surplus: usize,
    },
}

/// More than the size of all fields of any event of fixed size, in bytes.
const FIXED_FIELDS: usize = 256;

impl Unusual {
    fn of(declared: &EventType) -> Option<Self> {
        let (tag, size) = (declared.tag, declared.size);
        let Some(info) = info(tag) else { return Some(Self::NotKnown) };
        if info.variable != (size == VARIABLE) {
            return Some(Self::OtherLength);
        }
        if info.variable {
            return None;
        }
        let size = usize::from(size);
        if size < info.min_size {
            return Some(Self::TooSmall { known: info.min_size });
        }
        let zeros = [0; FIXED_FIELDS];
        let payload = zeros.get(..size).unwrap_or(&zeros);
        let record = Record { offset: 0, time: Nanos(0), tag, cap: None, known: true, payload };
        let surplus = size - record.decode().used;
        (surplus > 0).then_some(Self::Larger { surplus })
    }

    fn message(&self, declared: &EventType) -> String {
        let EventType { tag, size, description } = declared;
        let name = info(*tag).map_or("", |info| info.name);
        match self {
            Self::NotKnown => format!("event type {tag} is not known ({description}): skipped"),
            Self::OtherLength => {
                let way = if *size == VARIABLE { "variable" } else { "fixed" };
                format!("event type {tag} ({name}) has a {way} size here: skipped")
            }
            Self::TooSmall { known } => {
                let bytes = counted((*size).into(), "byte");
                format!("event type {tag} ({name}) has {bytes} here, not {known}: skipped")
            }
            Self::Larger { surplus } => {
                let bytes = counted(*surplus as u64, "byte");
                format!("event type {tag} ({name}) has {bytes} more than is known of")
            }
        }
    }
}

/// A variable's name, without its value, which may be a secret.
fn variable(text: Text<'_>) -> LogText<'_> {
    let name = text.0.split(|byte| *byte == b'=').next();
    Text(name.unwrap_or_default()).into()
}

fn write_json(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let json = serde_json::to_string_pretty(report)?;
    writeln!(out, "{}", safe_json(&json))
}

fn write_text(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let events = counted(report.events, "event");
    let blocks = counted(report.blocks, "block");
    let streams = counted(report.streams, "stream");
    let types = counted(report.declared_types as u64, "event type");
    writeln!(out, "{}: {} ({events}, {blocks}, {streams}, {types} declared)", report.file, report.verdict)?;
    for Finding { severity, offset, message } in &report.findings {
        let severity = match severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Damage => "damage",
        };
        let message = message.for_terminal();
        match offset {
            None => writeln!(out, "  {severity}: {message}")?,
            Some(offset) => writeln!(out, "  {severity}: {message} at offset {offset}")?,
        }
    }
    if report.more_findings > 0 {
        writeln!(out, "  and {} more", report.more_findings)?;
    }
    Ok(())
}
