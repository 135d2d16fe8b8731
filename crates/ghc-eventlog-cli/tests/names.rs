//! `--names-from`: names of info tables from another log of the same program.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

use ghc_eventlog::{
    Block, CStr, CapsetId, HeapProfSampleBegin, HeapProfSampleEnd, HeapProfSampleString, InfoTable, Ipe, LogWriter,
    Nanos, ProgramArgs, Text, TextList,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn cstr(text: &str) -> CStr<'_> {
    CStr(Text(text.as_bytes()))
}

/// Writes a log of a program, with a census of an info table or with its definition.
fn log(name: &str, program: &str, is_named: bool) -> PathBuf {
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, |log| {
        let args = format!("./{program}\0+RTS\0-l\0-hi\0");
        log.event(Nanos(1), ProgramArgs { capset: CapsetId(0), args: TextList(args.as_bytes()) });
        if is_named {
            let (info_table, type_name, closure_type) = (InfoTable(0x3_0000_0001), cstr("[]"), cstr("21"));
            let (table_name, label, module) = (cstr("xs_info"), cstr("xs"), cstr("Main"));
            log.event(
                Nanos(2),
                Ipe { info_table, table_name, closure_type, type_name, label, module, location: cstr("Main.hs:1:2-3") },
            );
        } else {
            for time in [10, 20].map(Nanos) {
                log.event(time, HeapProfSampleBegin { number: 0 });
                log.event(time, HeapProfSampleString { profile: 0, bytes: 100, label: cstr("0x300000001") });
                log.event(time, HeapProfSampleEnd { number: 0 });
            }
        }
    });
    log.end();
    let file = std::env::temp_dir().join(format!("{}-{}-{name}", std::process::id(), std::line!()));
    fs::write(&file, log.finish()).unwrap();
    file
}

fn run(args: &[&str], file: &Path, names_from: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
    command.args(args).arg(file).arg("--names-from").arg(names_from).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn names_come_from_another_log() {
    let (bare, named) = (log("bare", "prog", false), log("named", "prog", true));
    let summary = run(&["summary"], &bare, &named);
    assert_eq!(summary.status.code(), Some(0), "{}", text(&summary.stderr));
    assert!(text(&summary.stdout).contains("Main.hs:1:2-3"), "{}", text(&summary.stdout));
    assert!(
        text(&summary.stderr).contains("1 of 1 missing names of info tables were found."),
        "{}",
        text(&summary.stderr)
    );
    let table = run(&["export", "--format", "csv"], &bare, &named);
    assert!(text(&table.stdout).contains("xs 0x300000001"), "{}", text(&table.stdout));
    [bare, named].iter().for_each(|file| fs::remove_file(file).unwrap());
}

#[test]
fn another_program_has_no_names_for_it() {
    let (bare, named) = (log("bare-2", "prog", false), log("named-2", "other", true));
    for args in [&["summary"][..], &["export", "--format", "csv"]] {
        let output = run(args, &bare, &named);
        assert_ne!(output.status.code(), Some(0));
        assert!(output.stdout.is_empty() && text(&output.stderr).contains("another program: other"), "{output:?}");
    }
    [bare, named].iter().for_each(|file| fs::remove_file(file).unwrap());
}
