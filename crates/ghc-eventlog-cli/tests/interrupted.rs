//! Which files and messages remain when a signal or a full disk ends the program.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

#[allow(dead_code, reason = "other tests use more of it")]
mod outputs_in;
#[allow(dead_code, reason = "other tests use more of it")]
mod pack;

use outputs_in::{Folder, PROGRAM, case, export, exported, lossy};
use std::{
    fs::{self, OpenOptions},
    io::Write,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

const LOG: &str = "heap-type";

fn send(signal: &str, child: &Child) {
    let status = Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status();
    assert!(status.unwrap().success());
}

/// Waits for something.
fn until(what: &str, mut is: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is() {
        assert!(begin.elapsed() < Duration::from_secs(30), "{what}");
        thread::sleep(Duration::from_micros(200));
    }
}

/// A log whose export takes a second or two.
fn long(folder: &Folder) -> PathBuf {
    folder.file("long", &conformance::tiled(&fs::read(case(LOG)).unwrap(), 6000))
}

/// Stops a program while it is writing its temporary file.
fn stopped_while_writing(folder: &Folder, child: &Child) {
    let is_there = || folder.names().iter().any(|name| name.starts_with(".ghc-eventlog-"));
    until("there is no temporary file", is_there);
    send("STOP", child);
    assert!(is_there(), "it is complete already");
}

/// Whether a signal was ignored when the tests were started, as a script ignores INT and QUIT for its background jobs.
/// Then the programs that the tests start ignore it, too.
fn is_ignored(number: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 1 << (number - 1) != 0)
}

/// A shell sees 128 + the signal's number if a signal ended the program.
#[test]
fn a_signal_leaves_no_temporary_file_beside_the_output() {
    let folder = Folder::new();
    let long = long(&folder);
    let signals = [("INT", 2), ("TERM", 15), ("HUP", 1), ("QUIT", 3)];
    for (signal, number) in signals.into_iter().filter(|(_, number)| !is_ignored(*number)) {
        for old in [None, Some("old")] {
            let out = folder.at("out");
            let _ = fs::remove_file(&out);
            if let Some(old) = old {
                fs::write(&out, old).unwrap();
            }
            let before = folder.names();
            let mut child = export(&long).arg("-o").arg(&out).current_dir("/").spawn().unwrap();
            stopped_while_writing(&folder, &child);
            send(signal, &child);
            send("CONT", &child);
            assert_eq!(child.wait().unwrap().signal(), Some(number), "{signal}");
            assert_eq!(folder.names(), before, "{signal}");
            assert_eq!(fs::read_to_string(&out).ok().as_deref(), old, "{signal}");
        }
    }
}

#[test]
fn the_shell_sees_128_and_the_signal() {
    let folder = Folder::new();
    let long = long(&folder);
    let line = "\"$0\" export --format hp \"$1\" -o \"$2\" & child=$!
        until ls -A \"$3\" | grep -q '^\\.ghc-eventlog-'; do :; done
        kill -TERM $child; wait $child; echo $?";
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(line).arg(PROGRAM).arg(&long).arg(folder.at("out")).arg(folder.path());
    let output = shell.output().unwrap();
    assert_eq!((lossy(&output.stdout).trim(), folder.names()), ("143", vec!["long".to_string()]), "{output:?}");
}

/// As with `nohup`.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_should_be_ignored_is_ignored() {
    let folder = Folder::new();
    let (long, out) = (long(&folder), folder.at("out"));
    let line = "trap '' HUP; exec \"$0\" export --format hp \"$1\" -o \"$2\"";
    let mut child = Command::new("sh").arg("-c").arg(line).arg(PROGRAM).arg(&long).arg(&out).spawn().unwrap();
    stopped_while_writing(&folder, &child);
    send("HUP", &child);
    send("CONT", &child);
    assert!(child.wait().unwrap().success());
    assert!(fs::read(&out).unwrap() == exported(&long));
}

/// Temporary copies have no names, so nothing is left of them, whatever ends the program.
#[test]
fn a_temporary_copy_is_in_no_folder() {
    let log = fs::read(case("threaded")).unwrap();
    for command in
        [&["show"][..], &["show", "caps"], &["summary"], &["summary", "--strip-args"], &["export", "--format=hp"]]
    {
        let folder = Folder::new();
        let mut program = Command::new(PROGRAM);
        program.args(command).arg("-").env("TMPDIR", folder.path()).stdin(Stdio::piped());
        let mut child = program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(&log).unwrap();
        // The files in that folder that it has open.
        let copies = || {
            let open = fs::read_dir(format!("/proc/{}/fd", child.id())).into_iter().flatten().flatten();
            let targets = open.filter_map(|entry| fs::read_link(entry.path()).ok());
            targets.filter(|target| target.starts_with(folder.path())).count()
        };
        if cfg!(target_os = "linux") {
            until("there is no copy", || copies() > 0);
        }
        assert_eq!(folder.names(), [""; 0], "{command:?}");
        send("KILL", &child);
        child.wait().unwrap();
        assert_eq!(folder.names(), [""; 0], "{command:?}");
    }
}

/// Runs a command line that may write no file of more than 512 bytes.
fn within_half_a_kib(folder: &Folder, line: &str) -> Output {
    let line = format!("ulimit -f 1; {}", line.replace("PROGRAM", "\"$0\"").replace("LOG", "\"$1\""));
    let mut shell = Command::new("bash");
    shell.args(["--posix", "-c"]).arg(line).arg(PROGRAM).arg(case(LOG));
    shell.current_dir(folder.path()).env("TMPDIR", folder.path()).output().unwrap()
}

#[test]
fn a_full_disk_has_one_code() {
    let folder = Folder::new();
    let viewer = folder.viewer();
    folder.file("log.gz", &pack::gzip(&fs::read(case(LOG)).unwrap()));
    let viewer = viewer.to_str().unwrap();
    for line in [
        "PROGRAM show LOG > out",
        "PROGRAM inc LOG > out",
        "PROGRAM summary --json LOG > out",
        "PROGRAM export --format hp LOG > out",
        "PROGRAM export --format hp LOG -o out",
        "PROGRAM export --format hp LOG -o /dev/stdout > out",
        &format!("PROGRAM report LOG --viewer {viewer} -o out"),
        // The disk that temporary copies are on.
        "PROGRAM show - < LOG",
        "PROGRAM show log.gz",
        "PROGRAM show caps log.gz",
        "PROGRAM summary log.gz",
        "PROGRAM summary --strip-args LOG",
        "PROGRAM export --format hp - < LOG",
        "PROGRAM export --format hp log.gz -o out",
        &format!("PROGRAM report log.gz --viewer {viewer} -o out"),
    ] {
        folder.file("out", b"old");
        let output = within_half_a_kib(&folder, line);
        let errors = lossy(&output.stderr);
        assert_eq!((output.status.code(), output.status.signal()), (Some(1), None), "{line}: {errors}");
        assert!(errors.contains("cannot write ") && errors.contains("File too large"), "{line}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{line}: {errors}");
        assert!(line.contains("> out") || fs::read(folder.at("out")).unwrap() == b"old", "{line}");
        assert_eq!(folder.names(), ["log.gz", "out", "viewer.html"], "{line}");
    }
}

/// The same through the name of a device, and through standard output.
#[test]
fn a_full_disk_has_the_same_message_everywhere() {
    let folder = Folder::new();
    let Some(full) = folder.device("full", "7") else { return };
    let stdout = export(&case(LOG)).stdout(OpenOptions::new().write(true).open(&full).unwrap()).output().unwrap();
    let named = export(&case(LOG)).arg("-o").arg(&full).output().unwrap();
    assert_eq!((stdout.status.code(), named.status.code()), (Some(1), Some(1)));
    let name = full.to_str().unwrap();
    assert_eq!(lossy(&stdout.stderr).replace("the output", name), lossy(&named.stderr));
}

/// A missing folder for temporary copies says nothing about the log, for any command.
#[test]
fn a_temporary_copy_that_cannot_be_made_has_the_code_of_output() {
    for command in [&["show"][..], &["show", "threads"], &["summary"], &["export", "--format=hp"]] {
        let mut program = Command::new(PROGRAM);
        program.args(command).arg("-").env("TMPDIR", Path::new("/no/such/folder"));
        let output = program.stdin(fs::File::open(case(LOG)).unwrap()).output().unwrap();
        let errors = lossy(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{command:?}: {errors}");
        assert!(errors.contains("cannot write a temporary file") && errors.contains("TMPDIR"), "{errors}");
    }
}
