//! Difficult surroundings: odd names, devices, a full or closed standard error, a file that another program writes to.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

#[allow(dead_code, reason = "other tests use more of it")]
mod pack;

use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, RunThread, ThreadId};
use std::{
    ffi::OsStr,
    fs::{self, File, OpenOptions},
    io::{Read, Write},
    os::unix::{ffi::OsStrExt, process::ExitStatusExt},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"))
}

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(name).join("log.eventlog")
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The output of a program, which must end by itself soon.
fn soon(mut child: Child) -> Output {
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("it goes on and on");
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

fn spawned(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn licences_begin_with_the_programs_own_and_name_those_of_others_where_the_build_listed_them() {
    let output = program().arg("licences").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("ghc-eventlog ") && text.lines().next().unwrap().ends_with("BSD-3-Clause"), "{text}");
    let listed = Path::new(env!("CARGO_MANIFEST_DIR")).join("licences.txt").is_file();
    let named = |name: &str| text.lines().any(|line| line.split_once(' ').is_some_and(|(first, _)| first == name));
    assert_eq!((named("clap"), named("lit"), text.contains("cargo xtask build")), (listed, listed, !listed), "{text}");
}

#[test]
fn names_need_not_be_text_and_are_safe_on_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(OsStr::from_bytes(b"\xff\x1b[31mred\n.eventlog"));
    fs::copy(case("cut-in-event"), &path).unwrap();
    let shown = "/\\xff\\u{1b}[31mred\\n.eventlog: ";
    for command in [&["show"][..], &["show", "caps"], &["show", "threads"], &["inc"], &["summary"]] {
        let said = program().args(command).arg(&path).output().unwrap();
        assert_eq!(said.status.code(), Some(1));
        assert!(!said.stdout.is_empty() && lossy(&said.stderr).contains(shown), "{}", lossy(&said.stderr));
        assert_eq!(lossy(&said.stderr).lines().count(), 1, "{}", lossy(&said.stderr));
    }
    for command in ["check", "summary"] {
        let text = program().arg(command).arg(&path).output().unwrap().stdout;
        assert!(lossy(&text).contains(shown.trim_end_matches(": ")) && !text.contains(&0x1b), "{}", lossy(&text));
    }
    let json = program().args(["check", "--json"]).arg(&path).output().unwrap().stdout;
    let report: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert!(report["file"].as_str().unwrap().ends_with("/\u{fffd}\u{1b}[31mred\n.eventlog"), "{report}");
    let missing = program().arg("show").arg(folder.path().join("no\x1b")).output().unwrap();
    assert!(missing.status.code() == Some(2) && !missing.stderr.contains(&0x1b), "{}", lossy(&missing.stderr));
}

#[test]
fn a_full_or_closed_standard_error_ends_nothing() {
    for log in ["torn", "cut-in-event", "empty", "no-such-case"] {
        for command in [&["show"][..], &["show", "threads"], &["inc"], &["check"], &["summary"]] {
            let run = |errors: Stdio| program().args(command).arg(case(log)).stderr(errors).output().unwrap();
            let usual = run(Stdio::piped());
            if let Ok(full) = OpenOptions::new().write(true).open("/dev/full") {
                let said = run(full.into());
                assert_eq!(
                    (said.status.code(), &said.stdout),
                    (usual.status.code(), &usual.stdout),
                    "{command:?} {log}"
                );
            }
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let said = run(writer.into());
            assert_eq!((said.status.code(), &said.stdout), (usual.status.code(), &usual.stdout), "{command:?} {log}");
            let line = format!("exec \"$0\" {} \"$1\" 2>&-", command.join(" "));
            let shell = Command::new("sh").arg("-c").arg(line).arg(program().get_program()).arg(case(log)).output();
            let said = shell.unwrap();
            assert_eq!((said.status.code(), &said.stdout), (usual.status.code(), &usual.stdout), "{command:?} {log}");
        }
    }
}

#[test]
fn a_full_standard_output_is_reported() {
    let Ok(full) = OpenOptions::new().write(true).open("/dev/full") else {
        eprintln!("SKIPPED: there is no /dev/full");
        return;
    };
    for command in ["show", "inc", "check", "summary"] {
        let mut program = program();
        let program = program.arg(command).arg(case("threaded")).stdout(full.try_clone().unwrap());
        let said = program.output().unwrap();
        assert_eq!(said.status.code(), Some(1), "{command}");
        assert_eq!(lossy(&said.stderr), "ghc-eventlog: cannot write the output: No space left on device\n");
    }
}

#[test]
fn devices_and_pipes_that_are_no_logs_are_refused_at_their_first_bytes() {
    for command in [&["show"][..], &["show", "caps"], &["inc"], &["check"], &["summary"]] {
        let zeros = soon(spawned(program().args(command).arg("/dev/zero")));
        assert_eq!(zeros.status.code(), Some(2), "{command:?}");
        // A program that writes without end, and one that writes a little and then waits.
        for ends in [false, true] {
            let mut child = spawned(program().args(command).arg("-").stdin(Stdio::piped()));
            let mut pipe = child.stdin.take().unwrap();
            let writer = thread::spawn(move || {
                let lines = "y\n".repeat(4000);
                while pipe.write_all(lines.as_bytes()).is_ok() && !ends {}
                thread::sleep(Duration::from_secs(if ends { 2 } else { 0 }));
            });
            let begin = Instant::now();
            let said = soon(child);
            assert_eq!(said.status.code(), Some(2), "{command:?}");
            assert!(!ends || begin.elapsed() < Duration::from_millis(1900), "it waited for more");
            let told = lossy(&said.stderr) + &lossy(&said.stdout);
            assert!(told.contains("text"), "{told}");
            writer.join().unwrap();
        }
    }
}

/// If the folder for temporary files cannot be written to, the error says what to do.
#[test]
fn an_error_says_that_a_copy_cannot_be_made() {
    let packed = tempfile::NamedTempFile::new().unwrap();
    fs::write(packed.path(), pack::gzip(&fs::read(case("threaded")).unwrap())).unwrap();
    let run = |log: &OsStr, input: Stdio| {
        program().arg("show").arg(log).stdin(input).env("TMPDIR", "/no/such/folder").output().unwrap()
    };
    let from_pipe = run(OsStr::new("-"), File::open(case("threaded")).unwrap().into());
    for said in [run(packed.path().as_os_str(), Stdio::null()), from_pipe] {
        let errors = lossy(&said.stderr);
        assert_eq!((said.status.code(), said.stdout.len()), (Some(1), 0));
        assert!(errors.contains("cannot write a temporary file") && errors.contains("TMPDIR"), "{errors}");
    }
}

/// Another program truncates the log, or overwrites it, while `show` prints it.
#[test]
fn show_ends_with_a_message_if_the_file_changes() {
    // The pieces follow each other in time, and most of the log has yet to be read: much more than fits into a pipe.
    let mut log = LogWriter::new();
    let head = log.offset();
    for block in 0..2000 {
        log.block(Block::of(CapNo(0)), |events| {
            for event in 0..200 {
                events.event(Nanos(1000 + block * 200 + event), RunThread { thread: ThreadId(7) });
            }
        });
    }
    log.end();
    let long = log.finish();
    for shrinks in [true, false] {
        for command in [&["show"][..], &["show", "--lenient"]] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("log");
            fs::write(&path, &long).unwrap();
            let mut child = spawned(program().args(command).arg(&path));
            let mut out = child.stdout.take().unwrap();
            let mut first = vec![0; 1 << 10];
            out.read_exact(&mut first).unwrap();
            if shrinks {
                OpenOptions::new().write(true).open(&path).unwrap().set_len(head as u64 + 1000).unwrap();
            } else {
                fs::write(&path, [&long[..head], &vec![0x55; long.len() - head]].concat()).unwrap();
            }
            let mut rest = Vec::new();
            out.read_to_end(&mut rest).unwrap();
            let said = child.wait_with_output().unwrap();
            let errors = lossy(&said.stderr);
            assert_eq!((said.status.code(), said.status.signal()), (Some(1), None), "{errors}");
            assert!(errors.contains("while it was being read"), "{errors}");
            assert!(!lossy(&rest).contains("55555555"));
        }
    }
}

/// A log of 64 MB in which every piece overlaps every other: the sort and the program together may take 256 MB.
#[test]
fn a_log_in_any_order_is_shown_within_256_mb() {
    let mut log = LogWriter::new();
    for cap in 0..500 {
        log.block(Block::of(CapNo(cap)), |events| {
            for event in 0..9000_u64 {
                let thread = ThreadId(u32::from(cap) * 100 + event as u32 % 100);
                events.event(Nanos(1000 + event * 1000 + u64::from(cap)), RunThread { thread });
            }
        });
    }
    log.end();
    let log = log.finish();
    assert!(log.len() > 60_000_000);
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), &log).unwrap();
    for command in ["show", "show caps", "show threads"] {
        let line = format!("ulimit -v 262144 && exec \"$0\" {command} \"$1\" > /dev/null");
        let said =
            Command::new("sh").arg("-c").arg(line).arg(program().get_program()).arg(file.path()).output().unwrap();
        assert_eq!(said.status.code(), Some(0), "{command}: {}", lossy(&said.stderr));
    }
}
