//! Compares the report with that of the obvious way to make it: format every event, and look up every name.

use super::*;
use crate::testing::{each_mutant, logs};
use ghc_eventlog::Chunk;
use ghc_eventlog_text::{Style, line};
use std::fs;

/// The result of the obvious way: counts by name, blocks, and the findings that come from events.
#[derive(Debug, Default, PartialEq)]
struct Found {
    counts: BTreeMap<String, u64>,
    events: u64,
    blocks: u64,
    findings: Vec<(u64, String)>,
}

fn obviously(log: &[u8]) -> Found {
    let mut found = Found::default();
    let mut decoder = Decoder::new();
    loop {
        let record = match decoder.next(Chunk { bytes: log, offset: 0, last: true }) {
            Ok(Step::Event(record)) => record,
            Ok(Step::Header | Step::Notice(_)) => continue,
            Ok(Step::Need(_) | Step::End) | Err(_) => return found,
        };
        if let Some(flaw) = line(&mut Vec::new(), &record, decoder.header(), Style::default()) {
            found.findings.push((record.offset, flaw));
        }
        if record.is_block_marker() {
            found.blocks += 1;
            continue;
        }
        found.events += 1;
        let ghcs = info(record.tag).filter(|_| !decoder.header().has_other_fields(record.tag));
        let name = ghcs.map_or_else(|| format!("type {}", record.tag), |info| info.name.to_string());
        *found.counts.entry(name).or_default() += 1;
        if record.known && record.tag == ProgramEnv::TAG {
            let names: Vec<_> = ProgramEnv::read(record.payload).env.iter().map(variable).collect();
            let variables = if names.len() == 1 {
                "1 environment variable".into()
            } else {
                format!("{} environment variables", names.len())
            };
            let text = format!("{variables}, which may hold secrets: {}", LogText::joined(&names, " ").for_terminal());
            found.findings.push((record.offset, text));
        }
    }
}

fn quickly(log: &[u8]) -> Found {
    let mut checker = Checker::new(false);
    Reading::new(log).visit(&mut checker).unwrap();
    let report = checker.report();
    let of_events = ["environment variable", "that the format does not allow"];
    let from_event = |finding: &Finding| of_events.iter().any(|words| finding.message.for_comparing().contains(words));
    let findings = report.findings.into_iter().filter(from_event);
    let findings = findings.map(|finding| (finding.offset.unwrap(), finding.message.for_json())).collect();
    Found { counts: report.counts, events: report.events, blocks: report.blocks, findings }
}

#[test]
fn the_fast_way_finds_what_the_obvious_way_finds() {
    let mut events = 0;
    for path in logs() {
        let log = fs::read(&path).unwrap();
        let found = quickly(&log);
        events += found.events;
        assert!(found.findings.len() < LISTED, "all of them are listed");
        assert_eq!(found, obviously(&log), "{}", path.display());
    }
    assert!(events > 30_000, "{events}");
}

#[test]
fn of_mutants_too() {
    let mut findings = 0;
    each_mutant(12, |log, what| {
        let found = quickly(log);
        findings += found.findings.len();
        assert_eq!(found, obviously(log), "{what}");
    });
    assert!(findings > 200, "{findings}");
}
