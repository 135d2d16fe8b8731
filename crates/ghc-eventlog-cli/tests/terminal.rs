//! Progress and colours on a terminal, and neither of them elsewhere.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

#[allow(dead_code, reason = "other tests use more of it")]
mod outputs_in;
#[allow(dead_code, reason = "other tests use more of it")]
mod pack;

use outputs_in::{Folder, PROGRAM, case, lossy};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::{
    fs::{self, File},
    io::{Read, Write},
    os::unix::process::ExitStatusExt,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Erases a line.
const ERASE: &str = "\x1b[2K";

/// A pseudo terminal, and what was written to it.
struct Terminal {
    theirs: File,
    seen: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl Terminal {
    fn new() -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap();
        let theirs = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let writer = Arc::clone(&seen);
        let reader = thread::spawn(move || {
            let (mut ours, mut some) = (File::from(ours), [0; 4096]);
            // A pseudo terminal that no program has open any more gives an error.
            while let Ok(read @ 1..) = ours.read(&mut some) {
                writer.lock().unwrap().extend_from_slice(&some[..read]);
            }
        });
        Self { theirs, seen, reader }
    }

    fn end(&self) -> Stdio {
        self.theirs.try_clone().unwrap().into()
    }

    fn so_far(&self) -> String {
        lossy(&self.seen.lock().unwrap())
    }

    /// Waits until the terminal shows `text`.
    fn until(&self, text: &str) {
        let begin = Instant::now();
        while !self.so_far().contains(text) {
            assert!(begin.elapsed() < Duration::from_secs(60), "no {text:?} in {:?}", self.so_far());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Everything that the terminal has shown, once the programs have ended.
    fn all(self) -> String {
        drop(self.theirs);
        self.reader.join().unwrap();
        // The terminal itself puts a carriage return before each line end.
        lossy(&self.seen.lock().unwrap()).replace("\r\n", "\n")
    }
}

/// The program without environment variables about colours and progress.
fn program() -> Command {
    let mut program = Command::new(PROGRAM);
    ["CI", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"].iter().for_each(|name| _ = program.env_remove(name));
    program.env("TERM", "xterm");
    program
}

/// A log that comes slowly: at first only half of it.
struct Slow {
    child: Child,
    rest: Vec<u8>,
}

impl Slow {
    fn of(program: &mut Command, log: &[u8]) -> Self {
        let mut child = program.arg("-").stdin(Stdio::piped()).spawn().unwrap();
        let (some, rest) = log.split_at(log.len() / 2);
        child.stdin.as_mut().unwrap().write_all(some).unwrap();
        Self { child, rest: rest.to_vec() }
    }

    /// Sends the other half; returns the exit code.
    fn finish(mut self) -> Option<i32> {
        self.child.stdin.take().unwrap().write_all(&self.rest).unwrap();
        self.child.wait().unwrap().code()
    }
}

const PATIENT: &[&[&str]] =
    &[&["show"], &["show", "threads"], &["inc"], &["check"], &["summary"], &["export", "--format=hp"], &["report"]];

/// The command with its other arguments.
fn patient(folder: &Folder, command: &[&str]) -> Command {
    let mut program = program();
    program.args(command).stdout(Stdio::null());
    if command == ["report"] {
        // Written once: another program may be reading it.
        let viewer = folder.at("viewer.html");
        let viewer = if viewer.exists() { viewer } else { folder.viewer() };
        program.arg("--viewer").arg(viewer).arg("-o").arg(folder.at("report.html"));
    }
    program
}

#[test]
fn progress_of_slow_input_appears_and_disappears() {
    let (folder, log) = (Folder::new(), fs::read(case("heap-type")).unwrap());
    for command in PATIENT {
        for log in [log.clone(), pack::gzip(&log)] {
            let terminal = Terminal::new();
            let slow = Slow::of(patient(&folder, command).stderr(terminal.end()), &log);
            terminal.until("iB");
            assert_eq!(slow.finish(), Some(0), "{command:?}");
            let seen = terminal.all();
            assert!(seen.ends_with(&format!("\r{ERASE}")), "{command:?}: {seen:?}");
        }
    }
}

#[test]
fn no_progress_where_it_is_not_wanted() {
    let (folder, log) = (Folder::new(), fs::read(case("heap-type")).unwrap());
    let mut waiting = Vec::new();
    for command in PATIENT {
        for (option, variable) in [("--quiet", ("A", "")), ("-q", ("A", "")), ("", ("CI", "1")), ("", ("TERM", "dumb"))]
        {
            let terminal = Terminal::new();
            let mut program = patient(&folder, command);
            program.args(Some(option).filter(|option| !option.is_empty())).env(variable.0, variable.1);
            waiting.push((Slow::of(program.stderr(terminal.end()), &log), terminal, command));
        }
        let mut program = patient(&folder, command);
        let slow = Slow::of(program.stderr(Stdio::piped()), &log);
        waiting.push((slow, Terminal::new(), command));
    }
    // The progress would have appeared by then.
    thread::sleep(Duration::from_millis(2500));
    for (mut slow, terminal, command) in waiting {
        let errors = slow.child.stderr.take();
        assert_eq!(slow.finish(), Some(0), "{command:?}");
        assert_eq!(terminal.all(), "", "{command:?}");
        let mut said = String::new();
        errors.map(|mut errors| errors.read_to_string(&mut said).unwrap());
        assert_eq!(said, "", "{command:?}");
    }
}

/// Once the output is on the same terminal, there is no progress any more.
#[test]
fn progress_and_output_do_not_mix() {
    let log = fs::read(case("heap-type")).unwrap();
    for (command, first) in [("show", "Event Types:"), ("summary", "heap"), ("check", "-: clean"), ("inc", "cap 0")] {
        let terminal = Terminal::new();
        let slow = Slow::of(program().arg(command).stdout(terminal.end()).stderr(terminal.end()), &log);
        // `inc` prints what has come at once.
        terminal.until(if command == "inc" { first } else { "iB" });
        assert_eq!(slow.finish(), Some(0), "{command}");
        let seen = terminal.all();
        let (_, output) = seen.rsplit_once(ERASE).unwrap_or(("", &seen));
        let mut piped = program();
        piped.env("CLICOLOR_FORCE", "1").arg(command).arg("-").stdin(File::open(case("heap-type")).unwrap());
        let piped = lossy(&piped.output().unwrap().stdout);
        assert!(output == piped, "{command}: {output:?}");
    }
}

/// Messages are lines of their own.
#[test]
fn progress_and_messages_do_not_mix() {
    let terminal = Terminal::new();
    let log = fs::read(case("torn")).unwrap();
    let slow = Slow::of(program().arg("summary").stdout(Stdio::null()).stderr(terminal.end()), &log);
    terminal.until("copying");
    assert_eq!(slow.finish(), Some(1));
    let seen = terminal.all();
    let (before, message) = seen.split_once("\x1b[1m\x1b[31mstandard input:").unwrap();
    assert!(
        before.ends_with(&format!("\r{ERASE}")) && message.lines().next().unwrap().contains("skipped 27 bytes"),
        "{seen:?}"
    );
}

#[test]
fn a_signal_removes_progress() {
    let terminal = Terminal::new();
    let log = fs::read(case("heap-type")).unwrap();
    let mut slow = Slow::of(program().arg("summary").stdout(Stdio::null()).stderr(terminal.end()), &log);
    terminal.until("copying");
    // Waiting for a program closes its standard input, so it could end by itself.
    let pipe = slow.child.stdin.take();
    // Background jobs of a script ignore INT.
    Command::new("kill").arg("-TERM").arg(slow.child.id().to_string()).status().unwrap();
    assert_eq!(slow.child.wait().unwrap().signal(), Some(15));
    drop(pipe);
    let seen = terminal.all();
    assert!(seen.ends_with(&format!("\r{ERASE}")), "{seen:?}");
}

/// Standard output and standard error on a terminal, for a log that is cut off.
fn seen(variables: &[(&str, &str)]) -> (String, String) {
    let (out, errors) = (Terminal::new(), Terminal::new());
    let mut program = program();
    program.arg("summary").arg(case("cut-in-event")).stdout(out.end()).stderr(errors.end());
    assert_eq!(program.envs(variables.iter().copied()).status().unwrap().code(), Some(1));
    drop(program);
    (out.all(), errors.all())
}

#[test]
fn terminals_have_colours_unless_they_are_not_wanted() {
    let piped = |variables: &[(&str, &str)]| {
        let mut program = program();
        let output = program.arg("summary").arg(case("cut-in-event")).envs(variables.iter().copied()).output().unwrap();
        (lossy(&output.stdout), lossy(&output.stderr))
    };
    let plain = piped(&[]);
    assert!(!plain.0.contains('\x1b') && !plain.1.contains('\x1b') && plain.1.contains(": warning: "), "{plain:?}");
    let colours = seen(&[]);
    assert!(colours.1.contains("\x1b[33mwarning:\x1b[0m"), "{colours:?}");
    assert!(colours.0.contains("\x1b[4mLog\x1b[0m\n"), "{colours:?}");
    assert_eq!(piped(&[("CLICOLOR_FORCE", "1")]), colours);
    let stripped = |text: &str| anstream::adapter::strip_str(text).to_string();
    assert_eq!((stripped(&colours.0), stripped(&colours.1)), plain);
    for variable in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        assert_eq!(seen(&[variable]), plain, "{variable:?}");
    }
}

#[test]
fn errors_have_colours_on_a_terminal_and_help_has_too() {
    for (arguments, label) in
        [(&["show", "no-such-file"][..], "\x1b[31mghc-eventlog:\x1b[0m no-such-file"), (&["--help"], "\x1b[4mUsage:")]
    {
        let terminal = Terminal::new();
        let mut program = program();
        program.args(arguments).stdout(terminal.end()).stderr(terminal.end()).status().unwrap();
        drop(program);
        let seen = terminal.all();
        assert!(seen.contains(label), "{seen:?}");
    }
}
