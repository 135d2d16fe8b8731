//! `check`: what is wrong with a log, and what is worth knowing about it.

use crate::{
    DAMAGED, UNREADABLE,
    input::Log,
    reading::{Pause, Reading},
    text::{self, Style},
};
use ghc_eventlog::{
    BlockMarker, CapNo, ErrorKind, EventType, Header, Nanos, Notice, NoticeKind, ProgramEnv, Record, Step, VARIABLE,
    info,
};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// Findings listed one by one; the rest is counted.
const LISTED: usize = 1000;

/// How far times may go back within a capability: GC_END does by a few µs in every collection.
const TIME_BACK: Nanos = Nanos(10_000_000);

/// All there is to say about a log.
#[derive(Serialize, Default)]
struct Report {
    file: String,
    /// "clean", "damaged" or "unreadable".
    verdict: &'static str,
    /// Event types that the headers declare.
    declared_types: usize,
    events: u64,
    blocks: u64,
    streams: u64,
    /// Events by name, with how many there are.
    counts: BTreeMap<String, u64>,
    findings: Vec<Finding>,
    /// Findings beyond those listed.
    more_findings: u64,
}

/// One thing found.
#[derive(Serialize)]
struct Finding {
    severity: Severity,
    /// In bytes from the start of the log as it is unpacked.
    offset: u64,
    message: String,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Severity {
    /// Good to know.
    Note,
    /// Not what it should be, but nothing is missing for it.
    Warning,
    /// Something is missing, or false.
    Damage,
}

/// Checks a log and prints what is found; the exit code.
pub(crate) fn check(log: Log, json: bool, out: &mut impl Write) -> io::Result<u8> {
    let mut checker = Checker { report: Report { file: log.name.clone(), ..Report::default() }, ..Checker::default() };
    let mut reading = Reading::new(log);
    let pause = reading.all(|decoder, step| {
        match step {
            Step::Header => checker.header(decoder.header(), decoder.offset()),
            Step::Event(record) => checker.event(&record, decoder.header()),
            Step::Notice(notice) => checker.notice(notice),
            Step::Need(_) | Step::End => {}
        }
        Ok(())
    })?;
    if let Some(broken) = reading.input.broken() {
        checker.find(Severity::Damage, broken.offset, broken.to_string());
    }
    let mut report = checker.report;
    let code = match pause {
        // A log of which nothing could be unpacked is not empty.
        Pause::Unreadable(error) if error.kind == ErrorKind::Empty && checker.damaged => UNREADABLE,
        Pause::Unreadable(error) => {
            report.findings.push(Finding {
                severity: Severity::Damage,
                offset: error.offset,
                message: error.kind.to_string(),
            });
            UNREADABLE
        }
        _ if checker.damaged => DAMAGED,
        _ => 0,
    };
    report.verdict = match code {
        0 => "clean",
        DAMAGED => "damaged",
        _ => "unreadable",
    };
    if json {
        write_json(&report, out)?
    } else {
        write_text(&report, out)?
    }
    Ok(code)
}

#[derive(Default)]
struct Checker {
    report: Report,
    damaged: bool,
    /// The latest time of each capability's events, and whether it was told that they go back.
    times: BTreeMap<Option<CapNo>, (Nanos, bool)>,
    text: Vec<u8>,
}

impl Checker {
    fn find(&mut self, severity: Severity, offset: u64, message: impl Into<String>) {
        self.damaged |= severity == Severity::Damage;
        if self.report.findings.len() < LISTED {
            self.report.findings.push(Finding { severity, offset, message: message.into() });
        } else {
            self.report.more_findings += 1;
        }
    }

    fn header(&mut self, header: &Header, offset: u64) {
        self.report.streams += 1;
        self.report.declared_types += header.types().len();
        self.times.clear();
        for declared in header.types() {
            if let Some(message) = unusual(declared) {
                self.find(Severity::Note, offset, message);
            }
        }
    }

    fn event(&mut self, record: &Record<'_>, header: &Header) {
        self.text.clear();
        if let Some(flaw) = text::line(&mut self.text, record, header, Style::default()) {
            self.find(Severity::Damage, record.offset, flaw);
        }
        if record.known && record.tag == BlockMarker::TAG {
            self.report.blocks += 1;
            return;
        }
        self.report.events += 1;
        let name = info(record.tag).map_or_else(|| format!("type {}", record.tag), |info| info.name.to_string());
        *self.report.counts.entry(name).or_default() += 1;
        self.order(record);
        if record.known && record.tag == ProgramEnv::TAG {
            let names: Vec<String> = ProgramEnv::read(record.payload).env.iter().map(variable).collect();
            let message = format!("{} environment variables, which may hold secrets: {}", names.len(), names.join(" "));
            self.find(Severity::Warning, record.offset, message);
        }
    }

    fn order(&mut self, record: &Record<'_>) {
        let (last, told) = self.times.entry(record.cap).or_default();
        let back = last.since(record.time);
        *last = (*last).max(record.time);
        if back > TIME_BACK && !std::mem::replace(told, true) {
            let whose = record.cap.map_or("the global events".to_string(), |cap| format!("capability {cap}"));
            self.find(Severity::Damage, record.offset, format!("times of {whose} go back by {back}"));
        }
    }

    fn notice(&mut self, notice: Notice) {
        let severity = match notice.kind {
            kind if kind.is_loss() => Severity::Damage,
            NoticeKind::NoEndMark | NoticeKind::BlockSize(_) => Severity::Damage,
            NoticeKind::TypeDeclaredTwice { resized: true, .. } => Severity::Damage,
            NoticeKind::FurtherStream => Severity::Note,
            _ => Severity::Warning,
        };
        self.find(severity, notice.offset, notice.kind.to_string());
    }
}

/// What about an event type differs from what is known of it.
fn unusual(declared: &EventType) -> Option<String> {
    let (tag, size) = (declared.tag, declared.size);
    let Some(info) = info(tag) else {
        return Some(format!("event type {tag} is not known ({}): skipped", declared.description));
    };
    if info.variable != (size == VARIABLE) {
        let way = if info.variable { "fixed" } else { "variable" };
        return Some(format!("event type {tag} ({}) has a {way} size here: skipped", info.name));
    }
    if info.variable {
        return None;
    }
    let size = usize::from(size);
    if size < info.min_size {
        return Some(format!("event type {tag} ({}) has {size} bytes here, not {}: skipped", info.name, info.min_size));
    }
    let zeros = vec![0; size];
    let record = Record { offset: 0, time: Nanos(0), tag, cap: None, known: true, payload: &zeros };
    let surplus = size - record.decode().used;
    (surplus > 0).then(|| format!("event type {tag} ({}) has {surplus} bytes more than is known of", info.name))
}

/// A variable's name: its value is nobody's business.
fn variable(text: ghc_eventlog::Text<'_>) -> String {
    let text = text.to_string();
    text.split_once('=').map_or(text.clone(), |(name, _)| name.to_string())
}

fn write_json(report: &Report, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, report)?;
    writeln!(out)
}

fn write_text(report: &Report, out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "{}: {} ({} events, {} blocks, {} streams, {} event types declared)",
        report.file, report.verdict, report.events, report.blocks, report.streams, report.declared_types
    )?;
    for Finding { severity, offset, message } in &report.findings {
        let severity = match severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Damage => "damage",
        };
        writeln!(out, "  {severity}: {message} at offset {offset}")?;
    }
    if report.more_findings > 0 {
        writeln!(out, "  and {} more", report.more_findings)?;
    }
    Ok(())
}
