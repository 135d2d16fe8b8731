//! Names that are equal at the beginning are told apart in every output, and whole wherever another program reads them.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

use ghc_eventlog::{
    Block, Breakdown, CStr, CapNo, CapsetId, CreateThread, HeapProfBegin, HeapProfSampleBegin, HeapProfSampleEnd,
    HeapProfSampleString, LogWriter, Nanos, ProgramArgs, Text, TextList, ThreadId, ThreadLabel, UserMarker, UserMsg,
};
use serde_json::Value as Json;
use std::{fs, path::Path, process::Command};

/// A name that is longer than all that is ever shown at once.
fn name(end: &str) -> String {
    format!("a {}{end}", "very ".repeat(100))
}

/// The message that is longest.
fn message() -> String {
    format!("{{\"j\":\"{}\",\"end\":true}}", "y".repeat(3000))
}

/// Two bands, two threads and two markers whose names begin alike; a long message; and an argument after a long one.
fn log() -> Vec<u8> {
    let mut log = LogWriter::new();
    let bands = ["one", "two"].map(name);
    log.block(Block::of(CapNo(0)), |block| {
        let args = format!("prog\0{}\0--last", name("argument"));
        block.event(Nanos(0), ProgramArgs { capset: CapsetId(0), args: TextList(args.as_bytes()) });
        let none = CStr::default();
        let begin = HeapProfBegin {
            profile: 0,
            period: Nanos(100),
            breakdown: Breakdown(5),
            module_filter: none,
            closure_filter: none,
            type_filter: none,
            cost_centre_filter: none,
            stack_filter: none,
            retainer_filter: none,
            biography_filter: none,
        };
        block.event(Nanos(0), begin);
        for census in 1..=3 {
            let at = Nanos(100 * census);
            block.event(at, HeapProfSampleBegin { number: census });
            for (label, times) in bands.iter().zip(1..) {
                let label = CStr(Text(label.as_bytes()));
                block.event(at, HeapProfSampleString { profile: 0, bytes: 1000 * times, label });
            }
            block.event(at, HeapProfSampleEnd { number: census });
        }
        for (end, number) in ["three", "four"].into_iter().zip(1..) {
            let (thread, label) = (ThreadId(number), name(end));
            block.event(Nanos(400), CreateThread { thread });
            block.event(Nanos(400), ThreadLabel { thread, label: Text(label.as_bytes()) });
        }
        for end in ["five", "six"] {
            block.event(Nanos(500), UserMarker { text: Text(name(end).as_bytes()) });
        }
        block.event(Nanos(600), UserMsg { text: Text(message().as_bytes()) });
    });
    log.end();
    log.finish()
}

fn said(folder: &Path, arguments: &[&str]) -> String {
    fs::write(folder.join("long.eventlog"), log()).unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
    // A query comes after the log.
    let (options, query) = arguments.split_at(2.min(arguments.len()));
    let output = program.args(options).arg("long.eventlog").args(query).current_dir(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn tables_of_the_summary_show_how_names_end() {
    let folder = tempfile::tempdir().unwrap();
    let text = said(folder.path(), &["summary"]);
    for end in ["one", "two", "three", "four", "five", "six"] {
        let shown = text.lines().filter(|line| line.contains("a very very") && line.contains(&format!("very {end} ")));
        assert!(shown.count() > 0, "{end}: {text}");
    }
}

#[test]
fn other_outputs_have_whole_names() {
    let folder = tempfile::tempdir().unwrap();
    let ends = ["one", "two", "three", "four", "five", "six"];
    for arguments in [&["summary", "--json"][..], &["summary", "--markdown"]] {
        let text = said(folder.path(), arguments);
        for end in ends {
            assert!(text.contains(&name(end)), "{arguments:?} lacks {end}");
        }
    }
    let json: Json = serde_json::from_str(&said(folder.path(), &["summary", "--json"])).unwrap();
    assert_eq!(json["process"]["args"], serde_json::json!([name("argument"), "--last"]));
    let of = |list: &Json, key: &str| -> Vec<String> {
        list.as_array().unwrap().iter().map(|row| row[key].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(of(&json["heap_profile"]["bands"], "name"), ["two", "one"].map(name));
    assert_eq!(of(&json["threads"]["top"], "label"), ["three", "four"].map(name));
    assert_eq!(of(&json["messages"]["markers"], "text"), ["five", "six"].map(name));
    for format in ["csv", "tsv"] {
        let table = said(folder.path(), &["export", &format!("--format={format}")]);
        assert!(["one", "two"].iter().all(|end| table.contains(&name(end))), "{format}: {table}");
    }
    let hp = said(folder.path(), &["export", "--format=hp"]);
    assert!(["one", "two"].iter().all(|end| hp.contains(&name(end).replace(' ', "_"))), "{hp}");
    let found = said(folder.path(), &["find", "--json", "type:USER_MSG"]);
    let found: Json = serde_json::from_str(found.lines().next().unwrap()).unwrap();
    assert!(found.to_string().contains(&message().replace('"', "\\\"")), "{found}");
}
