//! The table of exit codes, which is the same for all commands.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

use ghc_eventlog::{
    Block, CapNo, Event, EventType, GcEnd, GcGlobalSync, GcStart, LogWriter, Nanos, RunThread, StopStatus, StopThread,
    Text, ThreadId, UserMsg, limits,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

const COMMANDS: [&[&str]; 6] = [&["show"], &["show", "threads"], &["show", "caps"], &["inc"], &["check"], &["summary"]];

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"))
}

fn run(arguments: &[&str], log: &Path) -> Output {
    program().args(arguments).arg(log).output().unwrap()
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus")
}

fn case(name: &str) -> PathBuf {
    corpus().join(name).join("log.eventlog")
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Checks that every command has the exit code `code`, and `lenient` with --lenient.
fn expect(log: &Path, code: i32, lenient: i32) {
    for command in COMMANDS {
        let (strictly, leniently) = (run(command, log), run(&[command, &["--lenient"]].concat(), log));
        assert_eq!(strictly.status.code(), Some(code), "{command:?} of {}", log.display());
        assert_eq!(leniently.status.code(), Some(lenient), "{command:?} --lenient of {}", log.display());
        let errors = lossy(&strictly.stderr);
        if command[0] == "check" {
            let verdict = ["clean (", "damaged (", "unreadable ("][code as usize];
            assert!(lossy(&strictly.stdout).contains(verdict), "{command:?} of {}", log.display());
        } else {
            // For logs made by hand, the listing of threads ends early. This is reported, but nothing of the log is
            // missing.
            let losses = errors.lines().filter(|line| !line.contains("the listing of threads ends")).count();
            assert_eq!(losses == 0, code == 0, "{command:?} of {}: {errors}", log.display());
        }
    }
}

fn temporary(bytes: &[u8]) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), bytes).unwrap();
    file
}

#[test]
fn all_was_read() {
    // Also if something is odd, but nothing is missing.
    let odd = ["malformed-26-size-0", "malformed-12-type-twice-resized", "malformed-19-unknown-types"];
    for name in ["threaded", "heap-cost-centre"].into_iter().chain(odd) {
        expect(&case(name), 0, 0);
    }
}

#[test]
fn a_restarted_log_lacks_nothing() {
    for name in ["restarted", "malformed-39-second-stream", "malformed-39-marker-between"] {
        expect(&case(name), 0, 0);
    }
}

/// Every byte was read, so those that show events have nothing to say.
#[test]
fn figures_are_wrong() {
    let one = fs::read(case("threaded")).unwrap();
    let two = temporary(&[&one[..], &one].concat());
    for (log, error) in [
        (&*case("malformed-34-time-back"), "the times of capability 0 go back by 50"),
        (&*case("malformed-38-runs"), "missing: 4 ends of a run or collection, 1 start of a run"),
        (two.path(), "Its clock begins anew"),
    ] {
        for (command, code) in [("show", 0), ("inc", 0), ("check", 1), ("summary", 1)] {
            assert_eq!(run(&[command], log).status.code(), Some(code), "{command} of {}", log.display());
        }
        assert!(lossy(&run(&["check"], log).stdout).contains(error), "{}", log.display());
        assert!(lossy(&run(&["summary"], log).stderr).contains(error), "{}", log.display());
        for form in [&["summary"][..], &["summary", "--markdown"], &["summary", "--json"]] {
            let said = lossy(&run(form, log).stdout);
            assert!(said.contains("Damaged log"), "{form:?}: {said}");
        }
    }
}

#[test]
fn something_is_missing() {
    for name in ["torn", "malformed-18-undeclared", "malformed-25-out-of-range", "malformed-39-second-header-cut"] {
        expect(&case(name), 1, 1);
    }
}

#[test]
fn the_end_is_missing() {
    for name in ["cut-in-event", "cut-in-head", "cut-after-blocks", "killed-early", "malformed-16-no-end-mark"] {
        expect(&case(name), 1, 0);
    }
}

/// A log that is cut off lacks its end and nothing else: between two events, within one, in a block and after it.
#[test]
fn wherever_a_log_is_cut_off_it_lacks_its_end() {
    let log = fs::read(case("single")).unwrap();
    let header = log.windows(4).position(|bytes| bytes == b"datb").unwrap() + 4;
    for cut in (header..log.len()).rev().take(60).chain((header..log.len()).step_by(997)) {
        let file = temporary(&log[..cut]);
        for command in ["show", "inc", "check", "summary"] {
            assert_eq!(run(&[command], file.path()).status.code(), Some(1), "{command}, cut at {cut}");
            let lenient = run(&[command, "--lenient"], file.path());
            assert_eq!(lenient.status.code(), Some(0), "{command} --lenient, cut at {cut}: {}", lossy(&lenient.stderr));
        }
    }
}

/// A log with more different headers than are kept is read up to the first one too many.
#[test]
fn what_comes_after_too_many_headers_is_missing() {
    let mut log = LogWriter::empty();
    for stream in 0..limits::MAX_HEADERS as u16 + 5 {
        let description = format!("of stream {stream}").into();
        let types = [
            EventType { tag: 18, size: 14, description: "marker".into() },
            EventType { tag: 900, size: 0, description },
        ];
        log.header(&types).block(Block::of(CapNo(0)), |block| {
            block.record(Nanos(stream.into()), 900, Event::Unknown(b""));
        });
        log.end();
    }
    let file = temporary(&log.finish());
    expect(file.path(), 1, 1);
    let shown = lossy(&run(&["show"], file.path()).stdout);
    assert_eq!(shown.matches(": cap 0: of stream ").count(), limits::MAX_HEADERS, "{shown}");
}

#[test]
fn nothing_could_be_read() {
    for name in ["empty", "cut-in-header", "malformed-02-text", "malformed-02-zeros", "malformed-02-gzip"] {
        expect(&case(name), 2, 2);
    }
    let header_beyond_repair = [&b"hdrbhetb"[..], &[0xee; 3 << 20]].concat();
    expect(temporary(&header_beyond_repair).path(), 2, 2);
}

#[test]
fn there_is_nothing_to_read() {
    let folder = tempfile::tempdir().unwrap();
    for (log, words) in [(case("no-such-case"), "there is no such file"), (folder.path().into(), "this is a folder")] {
        for command in COMMANDS {
            let said = run(command, &log);
            assert_eq!((said.status.code(), said.stdout.len()), (Some(2), 0), "{command:?}");
            let errors = lossy(&said.stderr);
            assert!(errors.contains(words) && errors.lines().count() == 1, "{errors}");
        }
    }
}

#[test]
fn wrong_arguments() {
    let no_number = &["summary", "--top", "-3", "log"];
    let log = case("threaded").display().to_string();
    let no_commit =
        &["report", &log, "--source-url", "https://example.org/{commit}/{file}", "-o", "/nowhere/report.html"];
    for arguments in [
        &[][..],
        &["shaw"],
        &["show"],
        &["show", "sparks", "log"],
        &["inc"],
        &["check", "--jsn", "log"],
        no_number,
        no_commit,
    ] {
        let said = program().args(arguments).output().unwrap();
        assert_eq!(said.status.code(), Some(2), "{arguments:?}");
        assert!(!said.stderr.is_empty() && said.stdout.is_empty(), "{arguments:?}");
    }
}

/// For any log, no command reports to have read something that another one has not.
#[test]
fn all_commands_agree_on_every_log() {
    let (mut logs, mut wrong) = (0, 0);
    for entry in fs::read_dir(corpus()).unwrap().flatten() {
        let log = entry.path().join("log.eventlog");
        if !log.exists() {
            continue;
        }
        logs += 1;
        for lenient in [&[][..], &["--lenient"]] {
            let code = |command: &[&str]| run(&[command, lenient].concat(), &log).status.code();
            let codes: Vec<_> = COMMANDS.iter().map(|command| code(command)).collect();
            // Those that sum up know of wrong figures, too, where nothing is missing.
            let (showing, summing) = codes.split_at(4);
            let agree = |codes: &[Option<i32>]| codes.iter().all(|code| *code == codes[0]);
            let is_wrong = showing[0] == Some(0) && summing[0] == Some(1);
            wrong += usize::from(is_wrong);
            let all_agree = agree(showing) && agree(summing) && (is_wrong || agree(&codes));
            assert!(all_agree, "{}: {codes:?} {lenient:?}", log.display());
        }
    }
    assert!(logs > 80 && wrong < 16, "{logs} {wrong}");
}

/// A log of 40 collections that take half of the time.
fn with_collections() -> tempfile::NamedTempFile {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        for at in (0..400).step_by(10).map(|at| at * 1_000_000) {
            block.event(Nanos(at), GcStart {}).event(Nanos(at + 1_000), GcGlobalSync {});
            block.event(Nanos(at + 5_000_000), GcEnd {});
            block.event(Nanos(at + 5_000_000), RunThread { thread: ThreadId(1) });
            block
                .event(Nanos(at + 9_000_000), StopThread { thread: ThreadId(1), status: StopStatus(3), info: Some(0) });
        }
    });
    log.end();
    temporary(&log.finish())
}

#[test]
fn findings_that_are_not_wanted_have_a_code() {
    let log = with_collections();
    let code = |fail_on: &str| run(&["summary", "--fail-on", fail_on], log.path()).status.code();
    assert_eq!(["warning", "info", "gc-share", "environment,gc-share"].map(code), [Some(3); 4]);
    assert_eq!([code("environment"), code("heap-grows,gc-idle")], [Some(0); 2]);
    assert_eq!([code("gc-shares"), code("")], [Some(2); 2], "there is no such rule");
    let said = lossy(&run(&["summary", "--fail-on", "warning"], log.path()).stderr);
    assert!(said.contains("--fail-on names: gc-share"), "{said}");
    // What is missing comes first.
    let cut = fs::read(log.path()).unwrap();
    let cut = temporary(&cut[..cut.len() - 2]);
    assert_eq!(run(&["summary", "--fail-on", "gc-share"], cut.path()).status.code(), Some(1));
    assert_eq!(run(&["summary", "--lenient", "--fail-on", "gc-share"], cut.path()).status.code(), Some(3));
}

#[test]
fn the_help_has_the_table() {
    for arguments in
        [&["--help"][..], &["show", "--help"], &["inc", "--help"], &["check", "--help"], &["summary", "--help"]]
    {
        let help = lossy(&program().args(arguments).output().unwrap().stdout);
        assert!(help.contains("Exit codes:") && help.contains("--lenient"), "{help}");
    }
}

/// The table in `docs/command-line.md` has the sentences of the help.
#[test]
fn the_documents_have_the_table() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/command-line.md")).unwrap();
    let help = lossy(&program().args(["show", "--help"]).output().unwrap().stdout);
    for sentence in ["all of the log was read", "something is missing", "nothing could be read", "--fail-on` found"] {
        assert!(help.contains(sentence) && page.contains(sentence), "{sentence}");
    }
}

/// A program may write each message in another encoding: standard error does not have a line for each.
#[test]
fn very_many_events_that_cannot_be_understood_are_counted() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        for time in 0..150 {
            block.event(Nanos(time), UserMsg { text: Text(b"f\xfcr") });
        }
    });
    log.end();
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), log.finish()).unwrap();
    let output = run(&["summary"], file.path());
    let said = lossy(&output.stderr);
    assert_eq!((output.status.code(), said.lines().count()), (Some(1), 101), "{said}");
    assert!(said.ends_with(": 50 more events that cannot be understood\n"), "{said}");
}
