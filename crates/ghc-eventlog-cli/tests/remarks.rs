//! What is not exact is said in all forms of the summary: in JSON by `remarks`.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

use conformance::heavy;
use ghc_eventlog::{
    Block, CapNo, CostCentreStack, GcEnd, GcGlobalSync, GcStart, LogWriter, Nanos, ProfBegin, ProfSampleCostCentre,
    RunThread, Text, ThreadId, UserMsg,
};
use ghc_eventlog_model::limits;
use serde_json::Value as Json;
use std::{fs, path::Path, process::Command};
use tempfile::NamedTempFile;

fn summary(arguments: &[&str], file: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
    let output = command.args(["summary", "--lenient"]).args(arguments).arg(file).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The remarks in JSON, each with its section.
fn remarks(arguments: &[&str], file: &Path) -> Vec<(String, String)> {
    let json: Json = serde_json::from_str(&summary(&[&["--json"], arguments].concat(), file)).unwrap();
    let text = |remark: &Json, key: &str| remark[key].as_str().unwrap().to_string();
    json["remarks"].as_array().unwrap().iter().map(|remark| (text(remark, "section"), text(remark, "text"))).collect()
}

fn file_of(log: &[u8]) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    fs::write(file.path(), log).unwrap();
    file
}

/// The remarks of a section, of the whole log or a range.
fn of(section: &str, arguments: &[&str], file: &NamedTempFile) -> Vec<String> {
    let all = remarks(arguments, file.path());
    all.into_iter().filter(|(of, _)| of == section).map(|(_, text)| text).collect()
}

/// A log of a thread that writes messages.
fn messages(texts: impl IntoIterator<Item = String>) -> NamedTempFile {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        block.event(Nanos(0), RunThread { thread: ThreadId(1) });
        for (time, text) in (1..).zip(texts) {
            block.event(Nanos(time), UserMsg { text: Text(text.as_bytes()) });
        }
    });
    log.end();
    file_of(&log.finish())
}

/// A time profile of one stack.
fn samples(count: u64) -> NamedTempFile {
    let mut log = LogWriter::new();
    log.event(Nanos(0), ProfBegin { interval: Nanos(1000) });
    for tick in 1..=count {
        let stack = CostCentreStack(&[[0, 0, 0, 1]]);
        log.event(Nanos(tick * 1000), ProfSampleCostCentre { cap: 0, tick, stack });
    }
    log.end();
    file_of(&log.finish())
}

/// The text has all remarks of a section as one line.
#[test]
fn json_has_the_remarks_of_the_text() {
    let (mut with, mut without) = (0, 0);
    for log in conformance::files(&conformance::project().join("tests/corpus"), ".eventlog") {
        for range in [&[][..], &["--range", "1ms..20ms"]] {
            let text = summary(range, &log);
            if text.is_empty() {
                continue;
            }
            let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
            let said = remarks(range, &log);
            for section in said.chunk_by(|(section, _), (next, _)| section == next) {
                let line = section.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" ");
                assert!(lines.contains(&line.as_str()), "{}: no {line} in {text}", log.display());
            }
            if said.is_empty() { without += 1 } else { with += 1 }
        }
    }
    assert!(with > 100 && without > 50, "{with} and {without}");
}

#[test]
fn spans_that_are_not_followed_are_named() {
    let open = |count: usize| messages((0..count).map(|number| format!("START {number} request")));
    let few = open(10);
    assert_eq!(remarks(&[], few.path()), []);
    let many = open(limits::MAX_OPEN_SPANS + 1);
    let [not_followed] = &of("spans", &[], &many)[..] else { panic!() };
    assert!(not_followed.contains("some were not followed until they ended"), "{not_followed}");
}

/// Of a range of a log with more samples than are kept, the figures are null, and it is said why.
#[test]
fn a_time_profile_that_is_thinned_out_says_so() {
    let range = ["--range", "1ms..2ms"];
    let says =
        |file: &NamedTempFile| of("time_profile", &range, file).iter().any(|text| text.contains("too many samples"));
    let all = samples(limits::MAX_TIME_SAMPLES as u64);
    let thinned = samples(limits::MAX_TIME_SAMPLES as u64 + 1);
    assert_eq!((says(&all), says(&thinned)), (false, true));
    let json: Json = serde_json::from_str(&summary(&[&["--json"][..], &range].concat(), thinned.path())).unwrap();
    assert_eq!(json["time_profile"]["samples"], Json::Null);
}

/// The same of collections; their number and their time together are known.
#[test]
fn a_range_of_very_many_collections_says_so() {
    let collections = |count: usize| {
        let mut log = LogWriter::new();
        log.block(Block::of(CapNo(0)), |block| {
            for at in (0..count as u64).map(|at| at * 1000) {
                block.event(Nanos(at), GcStart {});
                block.event(Nanos(at + 10), GcGlobalSync {});
                block.event(Nanos(at + 100), GcEnd {});
            }
        });
        log.end();
        file_of(&log.finish())
    };
    let range = ["--range", "1ms..2ms"];
    let says = |file: &NamedTempFile| of("gc", &range, file).iter().any(|text| text.contains("more collections than"));
    let all = collections(limits::MAX_COLLECTIONS);
    let thinned = collections(limits::MAX_COLLECTIONS + 1);
    assert_eq!((says(&all), says(&thinned)), (false, true));
    let json: Json = serde_json::from_str(&summary(&[&["--json"][..], &range].concat(), thinned.path())).unwrap();
    assert_eq!((&json["gc"]["count"], &json["gc"]["elapsed_ns"]), (&Json::from(1000), &Json::from(100_000)));
    assert_eq!(json["gc"]["pause_ns"]["max"], Json::Null);
}

/// The exit code says that something is wrong, and so does the JSON: nothing is lost, though.
#[test]
fn messages_that_are_no_utf8_are_one_diagnostic() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        for text in [&b"caf\xc3\xa9"[..], b"caf\xe9", b"\xe9t\xe9"] {
            block.event(Nanos(1), UserMsg { text: Text(text) });
        }
    });
    log.end();
    let file = file_of(&log.finish());
    let json: Json = serde_json::from_str(&summary(&["--json"], file.path())).unwrap();
    let [diagnostic] = &json["diagnostics"].as_array().unwrap()[..] else { panic!("{json}") };
    assert!(diagnostic["text"].as_str().unwrap().ends_with("does not allow: 2"), "{diagnostic}");
    assert!(diagnostic["offset"].as_u64() > Some(0) && diagnostic["lost_bytes"] == 0);
    assert_eq!((&json["log"]["complete"], &json["log"]["lost_bytes"]), (&Json::from(true), &Json::from(0)));
}

/// Several remarks of one section are one item each.
#[test]
fn bands_and_stacks_that_are_not_kept_are_named() {
    let mut log = Vec::new();
    heavy::info_tables(limits::MAX_BANDS as u64 + 10, 0..limits::MAX_BANDS as u64 + 10, &mut log).unwrap();
    let bands = of("heap_profile", &[], &file_of(&log));
    assert!(bands.iter().any(|text| text.contains("too many bands")), "{bands:?}");
    let mut log = Vec::new();
    heavy::stacks(80_000, 79_990..80_000, 60, &mut log).unwrap();
    let stacks = of("time_profile", &[], &file_of(&log));
    assert!(stacks.iter().any(|text| text.contains("too many stacks")), "{stacks:?}");
    let begins = (0..30_000).map(|number| format!("START {number} request"));
    let ends = (0..70_000).flat_map(|_| ["START a".into(), "STOP a".into()]);
    let spans = of("spans", &[], &messages(begins.chain(ends)));
    assert_eq!(spans.len(), 2, "{spans:?}");
}
