//! Names of what weighs most, in logs that define very many: in all outputs.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

use conformance::heavy;
use serde_json::Value as Json;
use std::{
    fs::{self, File},
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

/// How many info tables are defined; the last of them hold something.
const ALL: u64 = 40_000;
const USED: u64 = 100;

fn info_tables() -> Vec<u8> {
    let mut log = Vec::new();
    heavy::info_tables(ALL, ALL - USED..ALL, &mut log).unwrap();
    log
}

fn run(args: &[&str], file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ghc-eventlog")).args(args).arg(file).output().unwrap()
}

fn text(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn names_that_come_late_are_in_all_outputs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log.eventlog");
    fs::write(&file, info_tables()).unwrap();
    let [name, module, source] = heavy::name_of(ALL - 1);
    let json: Json = serde_json::from_str(&text(&run(&["summary", "--json"], &file))).unwrap();
    let bands = json["heap_profile"]["bands"].as_array().unwrap();
    assert_eq!(bands.len() as u64, USED);
    let first = &bands[0];
    assert_eq!(
        (&first["name"], &first["module"], &first["source"], &first["last_bytes"]),
        (&Json::from(name.clone()), &Json::from(module.clone()), &Json::from(source.clone()), &Json::from(100_019))
    );
    assert!(bands.iter().all(|band| band["name"].as_str().unwrap().starts_with('f')), "{bands:?}");
    assert_eq!(json["diagnostics"], Json::Array(Vec::new()));
    let summary = text(&run(&["summary"], &file));
    assert!(summary.contains(&name) && summary.contains(&source) && summary.contains("40,000"), "{summary}");
    // In hp2ps's format, a space ends a name.
    for (format, space) in [("hp", '_'), ("csv", ' '), ("tsv", ' ')] {
        let exported = text(&run(&["export", "--format", format], &file));
        assert!(exported.contains(&format!("{name}{space}{:#x}", heavy::address_of(ALL - 1))), "{format}");
    }
    let mut find = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
    let found = text(&find.arg("find").args([file.as_os_str(), name.as_ref()]).output().unwrap());
    assert!(found.contains(&module), "{found}");
}

/// The log is copied while it is read: it can be read again.
#[test]
fn names_that_come_late_are_found_in_a_pipe() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
    let command = command.args(["summary", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut running = command.spawn().unwrap();
    running.stdin.take().unwrap().write_all(&info_tables()).unwrap();
    let summary = text(&running.wait_with_output().unwrap());
    assert!(summary.contains(&heavy::name_of(ALL - 1)[0]), "{summary}");
}

#[test]
fn heavy_stacks_that_come_late_are_in_all_outputs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log.eventlog");
    let all = 80_000;
    heavy::stacks(all, all - 10..all, 60, &mut File::create(&file).unwrap()).unwrap();
    let [leaf, caller, _] = heavy::callers(all - 1).map(|id| heavy::name_of(id.into())[0].clone());
    let folded = run(&["export", "--format", "folded"], &file);
    let said = String::from_utf8_lossy(&folded.stderr).into_owned();
    assert!(said.contains("too many stacks") && folded.status.success(), "{said}");
    let folded = text(&folded);
    let line = folded.lines().find(|line| line.starts_with(&format!("f0;{caller};{leaf} "))).unwrap();
    let samples: u64 = line.rsplit(' ').next().unwrap().parse().unwrap();
    let json: Json = serde_json::from_str(&text(&run(&["summary", "--json"], &file))).unwrap();
    let profile = &json["time_profile"];
    let of_one = profile["stacks_not_kept"]["max_of_one"].as_u64().unwrap();
    assert!((60 - of_one..=60).contains(&samples) && of_one < 10, "{samples} and {of_one}");
    assert!(profile["stacks_not_kept"]["samples"].as_u64().unwrap() > 1000);
    assert!(text(&run(&["summary"], &file)).contains("too many stacks"));
    let speedscope = run(&["export", "--format", "speedscope"], &file);
    assert!(speedscope.stderr.is_empty());
    let speedscope = text(&speedscope);
    assert!(speedscope.contains(&format!("\"name\":\"{leaf}\"")));
}
