//! Runs the program as its users do.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

use ghc_eventlog_model::{EventsWish, Job, Model, Value, limits::MAX_EVENT_TEXT};
use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
};

/// Logs of the corpus up to this many bytes have their expected dump beside them.
const SMALL: u64 = 8000;

fn run(arguments: &[&str], log: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ghc-eventlog")).args(arguments).arg(log).output().unwrap()
}

fn piped(arguments: &[&str], log: &Path) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
    let pipes = program.args(arguments).arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let (mut input, bytes) = (child.stdin.take().unwrap(), fs::read(log).unwrap());
    // The program writes while it reads: neither may wait for the other.
    let writing = thread::spawn(move || input.write_all(&bytes));
    let output = child.wait_with_output().unwrap();
    writing.join().unwrap().unwrap();
    output
}

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn logs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(logs(&path));
        } else if path.extension().is_some_and(|extension| extension == "eventlog") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn corpus() -> Vec<PathBuf> {
    let logs = logs(&project().join("tests/corpus"));
    assert!(logs.len() > 6, "the corpus is there");
    logs
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn dumps_are_those_of_the_reference_byte_for_byte() {
    let kinds: [(&str, &[&str]); 5] = [
        ("show", &["show"]),
        ("v0.21.show", &["show", "--compat", "0.21"]),
        ("pretty.show", &["show", "--pretty-time"]),
        ("inc.show", &["inc"]),
        ("caps.show", &["show", "caps"]),
    ];
    let mut logs = logs(&project().join("../shared/eventlogs"));
    logs.extend(self::logs(&project().join("../shared/hostile")));
    if logs.is_empty() {
        eprintln!("SKIPPED: the logs with reference dumps are not beside the project");
    }
    for log in &logs {
        for (suffix, arguments) in kinds {
            let Ok(expected) = fs::read(log.with_extension(suffix)) else { continue };
            let found = run(arguments, log);
            assert!(found.stdout == expected, "{} as {arguments:?} differs", log.display());
        }
    }
}

/// If the reference program is installed, its output for the corpus is compared, too.
#[test]
fn the_installed_reference_agrees_on_the_corpus() {
    if Command::new("ghc-events").arg("--help").output().is_err() {
        eprintln!("SKIPPED: ghc-events is not installed");
        return;
    }
    // The installed program is older than the version that we follow: it only prints the same for logs that a runtime
    // wrote.
    let made_by_hand = |log: &PathBuf| {
        ["malformed-", "false-length-", "written-"].iter().any(|kind| log.display().to_string().contains(kind))
    };
    for log in corpus().into_iter().filter(|log| !made_by_hand(log)) {
        for grouping in [&["show"][..], &["show", "threads"], &["show", "caps"]] {
            let theirs = Command::new("ghc-events").args(grouping).arg(&log).output().unwrap();
            let ours = run(&[grouping, &["--compat", "0.21", "--lenient"]].concat(), &log);
            // It only knows older logs, and stops silently at text that is not UTF-8. Where it ends a listing of
            // threads, so do we, but with a message.
            let errors = lossy(&ours.stderr);
            let missing = errors.lines().any(|line| !line.contains("the listing of threads ends"));
            let gave_up = !theirs.status.success() || missing;
            assert!(gave_up || ours.stdout == theirs.stdout, "{} as {grouping:?} differs", log.display());
        }
    }
}

/// `BLESS=1` rewrites the dumps.
#[test]
fn small_logs_are_dumped_as_expected() {
    for log in corpus().iter().filter(|log| fs::metadata(log).unwrap().len() < SMALL) {
        let found = run(&["show"], log);
        let (code, errors) = (found.status.code(), lossy(&found.stderr).replace(&log.display().to_string(), "LOG"));
        let found = format!("{}\nexit {}\n{errors}", lossy(&found.stdout), code.unwrap_or(-1));
        let expected = log.with_file_name("show.txt");
        if env::var_os("BLESS").is_some() {
            fs::write(&expected, found).unwrap();
        } else {
            assert_eq!(fs::read_to_string(&expected).unwrap(), found, "{}", log.display());
        }
    }
}

/// These logs have their expected summary beside them. Together they have everything that a summary can say. `BLESS=1`
/// rewrites them.
const SUMMED_UP: [&str; 12] = [
    "threaded",
    "cut-in-event",
    "torn",
    "forked",
    "only-collections",
    "only-messages",
    "spans",
    "heap-cost-centre",
    "written-stack-messages",
    "written-heap-info-table",
    "written-telemetry",
    "written-ticky-json",
];

#[test]
fn logs_are_summed_up_as_expected() {
    for case in SUMMED_UP {
        let log = project().join("tests/corpus").join(case).join("log.eventlog");
        let found = lossy(&run(&["summary", "--top", "3"], &log).stdout).replace(&log.display().to_string(), "LOG");
        let expected = log.with_file_name("summary.txt");
        if env::var_os("BLESS").is_some() {
            fs::write(&expected, found).unwrap();
        } else {
            assert_eq!(fs::read_to_string(&expected).unwrap(), found, "{case}");
        }
    }
}

/// These logs, one of each kind, have their expected JSON beside them. `BLESS=1` rewrites them.
const AS_JSON: [&str; 44] = [
    "threaded",
    "single",
    "only-collections",
    "only-messages",
    "messages",
    "spans",
    "spans-user",
    "sparks",
    "sparks-full",
    "sparks-sampled",
    "blocked-threads",
    "blocked-io",
    "resized",
    "heap-closure",
    "heap-cost-centre",
    "heap-biography",
    "time-profile",
    "nonmoving",
    "nonmoving-single",
    "returned",
    "restarted",
    "forked",
    "torn",
    "killed-early",
    "cut-in-event",
    "cut-after-blocks",
    "malformed-17-stray-byte",
    "malformed-18-undeclared",
    "malformed-19-unknown-types",
    "malformed-35-far-future",
    "written-cost-centres-late",
    "written-heap-biography",
    "written-heap-era",
    "written-heap-info-table",
    "written-heap-no-ends",
    "written-heap-pieces",
    "written-span-words",
    "written-stack-messages",
    "written-stack-messages-damaged",
    "written-stack-pieces",
    "written-telemetry",
    "written-ticky-info-table",
    "written-ticky-json",
    "written-ticky-plain",
];

#[test]
fn summaries_as_json_are_as_expected() {
    for case in AS_JSON {
        let log = project().join("tests/corpus").join(case).join("log.eventlog");
        let found = lossy(&run(&["summary", "--json", "--top", "3"], &log).stdout);
        let found = found.replace(&log.display().to_string(), "LOG");
        let expected = log.with_file_name("summary.json");
        if env::var_os("BLESS").is_some() {
            fs::write(&expected, found).unwrap();
        } else {
            assert_eq!(fs::read_to_string(&expected).unwrap(), found, "{case}");
        }
    }
}

#[test]
fn tables_show_no_more_rows_than_asked_for() {
    let log = project().join("tests/corpus/threaded/log.eventlog");
    let of = |arguments: &[&str]| lossy(&run(arguments, &log).stdout);
    let rows =
        |text: &str| text.lines().filter(|line| line.contains(" minor GC ") || line.contains(" major GC ")).count();
    let all = of(&["summary", "--top", "1000"]);
    assert_eq!((rows(&all), all.contains("\n    and ")), (40, false));
    let some = of(&["summary"]);
    assert_eq!((rows(&some), some.contains("\n    and 10 more (the largest of each column ")), (30, true), "{some}");
    let none = of(&["summary", "--top", "0"]);
    assert_eq!((rows(&none), none.contains("\n    and 40 more\n")), (0, true), "{none}");
}

#[test]
fn standard_input_is_as_good_as_a_file() {
    for log in corpus() {
        for arguments in [&["show"][..], &["show", "threads"], &["inc"], &["check"], &["summary"]] {
            let (file, pipe) = (run(arguments, &log), piped(arguments, &log));
            let same = |bytes: &[u8]| lossy(bytes).replace(&log.display().to_string(), "-");
            assert_eq!(file.status, pipe.status, "{}", log.display());
            assert_eq!(same(&file.stdout), lossy(&pipe.stdout), "{} as {arguments:?}", log.display());
        }
    }
}

#[test]
fn events_are_in_order_of_time_and_none_is_left_out() {
    for log in corpus().iter().filter(|log| !log.display().to_string().contains("message")) {
        let lines = |arguments: &[&str]| {
            let text = lossy(&run(arguments, log).stdout);
            let events = text.split_once("Events:\n\n").map_or(text.clone(), |(_, events)| events.to_string());
            let events = events.rsplit_once("Events:\n").map_or(events.clone(), |(_, events)| events.to_string());
            events.lines().filter(|line| !line.is_empty()).map(str::to_string).collect::<Vec<_>>()
        };
        let time = |line: &String| line.split_once(':').and_then(|(time, _)| time.parse::<u64>().ok());
        let (shown, mut expected) = (lines(&["show", "--lenient"]), lines(&["inc", "--lenient"]));
        expected.sort_by_key(time);
        assert_eq!(shown.len(), expected.len(), "{}", log.display());
        for (shown, expected) in shown.iter().zip(&expected) {
            assert_eq!(time(shown), time(expected), "{}", log.display());
            // The two name an unknown event differently.
            assert!(shown == expected || expected.contains("Unknown Event"), "{}: {shown}", log.display());
        }
    }
}

/// The page lists the same events as `inc` prints, line for line, except for block markers.
#[test]
fn the_model_lists_the_events_that_inc_prints() {
    let (mut compared, mut lines) = (0, 0);
    for log in corpus() {
        let printed = lossy(&run(&["inc", "--lenient"], &log).stdout);
        // The two name an unknown event differently.
        if printed.contains("Unknown Event") {
            continue;
        }
        let (mut events, mut rest) = (Vec::new(), printed.lines().peekable());
        while let Some(line) = rest.next() {
            if line.contains("event block: cap ") && rest.next_if(|next| next.is_empty()).is_some() {
                continue;
            }
            events.push(line.to_string());
        }
        let listed = listed(&log);
        assert_eq!(listed.len(), events.len(), "{}", log.display());
        for (listed, event) in listed.iter().zip(&events) {
            let ends = listed.split_once('…').filter(|_| listed.len() >= MAX_EVENT_TEXT - 2 * '…'.len_utf8());
            let has_both = |(head, tail): (&str, &str)| event.starts_with(head) && event.ends_with(tail);
            assert!(listed == event || ends.is_some_and(has_both), "{}: {listed}", log.display());
        }
        (compared, lines) = (compared + 1, lines + events.len());
    }
    assert!(compared > 60 && lines > 10_000, "{compared} logs, {lines} lines");
}

/// The lines of the events as the model reads them again.
fn listed(log: &Path) -> Vec<String> {
    let bytes = fs::read(log).unwrap();
    let mut model = Model::new();
    model.feed(&bytes);
    model.finish();
    let wish = EventsWish::default();
    let mut text = String::new();
    for from in (0..model.events() as usize).step_by(1000) {
        let mut job = model.event_rows(&wish, from, 1000).unwrap();
        while let [(offset, length), ..] = job.reads(&mut model)[..] {
            job.give(&mut model, offset, &bytes[offset as usize..(offset + length) as usize]).unwrap();
        }
        for row in &job.page().unwrap().rows {
            let [Value::Time(time), cap, _, _, _, Value::Text(fields), ..] = &row[..] else { panic!("{row:?}") };
            let cap = if let Value::Capability(cap) = cap { format!("cap {}: ", cap.0) } else { String::new() };
            text += &format!("{}: {cap}{}\n", time.0, fields.for_comparing());
        }
    }
    text.lines().map(str::to_string).collect()
}

#[test]
fn exit_codes_distinguish_clean_damaged_and_unreadable_logs() {
    let code = |arguments: &[&str], case: &str| {
        run(arguments, &project().join("tests/corpus").join(case).join("log.eventlog")).status.code()
    };
    assert_eq!(code(&["check"], "threaded"), Some(0));
    assert_eq!(code(&["check"], "cut-in-event"), Some(1));
    assert_eq!(code(&["check"], "torn"), Some(1));
    assert_eq!(code(&["check"], "empty"), Some(2));
    assert_eq!(code(&["show"], "threaded"), Some(0));
    assert_eq!(code(&["show"], "cut-in-event"), Some(1));
    assert_eq!(code(&["show", "--lenient"], "cut-in-event"), Some(0));
    assert_eq!(code(&["show", "--lenient"], "torn"), Some(1));
    assert_eq!(code(&["show"], "restarted"), Some(0));
    assert_eq!(code(&["show"], "empty"), Some(2));
    assert_eq!(code(&["show"], "no-such-case"), Some(2));
    assert_eq!(code(&["summary"], "threaded"), Some(0));
    assert_eq!(code(&["summary"], "cut-in-event"), Some(1));
    assert_eq!(code(&["summary", "--lenient"], "cut-in-event"), Some(0));
    assert_eq!(code(&["summary"], "torn"), Some(1));
    assert_eq!(code(&["summary"], "empty"), Some(2));
}

#[test]
fn losses_are_reported_with_their_offsets() {
    let torn = project().join("tests/corpus/torn/log.eventlog");
    let errors = lossy(&run(&["show"], &torn).stderr);
    assert!(errors.contains("bytes that could not be read") && errors.contains("(byte 28484)"), "{errors}");
}

#[test]
fn check_also_prints_json() {
    let cut = project().join("tests/corpus/cut-in-event/log.eventlog");
    let report: serde_json::Value = serde_json::from_slice(&run(&["check", "--json"], &cut).stdout).unwrap();
    assert_eq!(report["verdict"], "damaged");
    assert_eq!(report["findings"][0]["offset"], 20624);
    assert_eq!(report["events"], 938);
    // What is about the whole log is at no place in it.
    let folder = tempfile::tempdir().unwrap();
    let lost = folder.path().join("lost");
    let mut bytes = fs::read(project().join("tests/corpus/single/log.eventlog")).unwrap();
    bytes.resize(bytes.len() * 4, 1);
    fs::write(&lost, bytes).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&run(&["check", "--json"], &lost).stdout).unwrap();
    let first = &report["findings"][0];
    assert!(first["message"].as_str().unwrap().starts_with("Most of this file"), "{first}");
    assert!(first["offset"].is_null() && report["findings"][1]["offset"].is_u64(), "{report}");
}

/// A time at the end of all times: every command ends, and says that a time must be wrong.
#[test]
fn a_log_that_goes_over_centuries_is_not_believed() {
    use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, RunThread, StopStatus, StopThread, ThreadId};
    let folder = tempfile::tempdir().unwrap();
    for far in [u64::MAX, u64::MAX - 1] {
        let mut log = LogWriter::new();
        log.block(Block::of(CapNo(0)), |block| {
            for time in [Nanos(1), Nanos(far)] {
                block.event(time, RunThread { thread: ThreadId(1) });
                block.event(time, StopThread { thread: ThreadId(1), status: StopStatus(5), info: Some(0) });
            }
        });
        log.end();
        let path = folder.path().join("far");
        fs::write(&path, log.finish()).unwrap();
        for (arguments, said) in [
            (&["summary"][..], "over 584 years"),
            (&["summary", "--json"], "over 584 years"),
            (&["check"], "over 584 years"),
            (&["show"], &far.to_string()),
            (&["summary", "--range", "0..1s"], "over 584 years"),
        ] {
            let output = run(arguments, &path);
            let out = lossy(&output.stdout);
            assert!(output.status.code() < Some(2) && out.contains(said), "{arguments:?}: {out} {output:?}");
        }
    }
}

/// A log that is still being written is followed.
#[test]
fn following_shows_what_is_written_later() {
    use std::io::{BufRead, BufReader};
    let bytes = fs::read(project().join("tests/corpus/single/log.eventlog")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("growing.eventlog");
    let mut log = fs::File::create(&path).unwrap();
    let (first, rest) = bytes.split_at(bytes.len() / 2);
    log.write_all(first).unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
    let mut child = program.args(["inc", "--follow"]).arg(&path).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let seen = lines.next().unwrap().unwrap();
    assert!(seen.contains("event block") || seen.contains("creat"), "{seen}");
    log.write_all(rest).unwrap();
    let all = lossy(&run(&["inc"], &project().join("tests/corpus/single/log.eventlog")).stdout);
    // It prints everything, then waits for more, as `tail -f` does.
    let rest = all.lines().count() - 1;
    assert_eq!(lines.take(rest).count(), rest);
    assert_eq!(child.try_wait().unwrap(), None);
    child.kill().unwrap();
}

/// The program has been started again, and now writes another log.
#[test]
fn following_ends_when_the_log_is_cut_off() {
    use std::io::{BufRead, BufReader, Read};
    let bytes = fs::read(project().join("tests/corpus/single/log.eventlog")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("again.eventlog");
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
    program.args(["inc", "--follow"]).arg(&path).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut String::new()).unwrap();
    fs::write(&path, &bytes[..3000]).unwrap();
    out.read_to_end(&mut Vec::new()).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(1));
    assert!(lossy(&ended.stderr).contains("being written anew"), "{}", lossy(&ended.stderr));
}
