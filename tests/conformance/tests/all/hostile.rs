//! Logs that broke an earlier version: each is read as it should be. Developers have them beside the project; cases of
//! the corpus have the same faults.

use conformance::{decode_in_steps, files, project};
use std::{fs, path::PathBuf};

fn hostile() -> PathBuf {
    project().join("../shared/hostile")
}

/// How many events a decoder finds in a log, including block markers; `None` if the log is missing.
fn events(name: &str) -> Option<usize> {
    let log = fs::read(hostile().join(name)).ok()?;
    Some(decode_in_steps(&log, 4096, |_, _| ()).events.len())
}

#[test]
fn every_event_is_read() {
    let expected = [
        ("show-loses-last-ipe.eventlog", 1001),
        ("ipe-last-before-end-mark.eventlog", 4),
        ("model-mismatch-2.eventlog", 47),
        ("show-loses-after-bad-length.eventlog", 1000),
    ];
    for (name, count) in expected {
        let Some(found) = events(name) else {
            eprintln!("SKIPPED: no {name}");
            continue;
        };
        assert_eq!(found, count, "{name}");
    }
}

#[test]
fn every_log_with_a_dump_has_its_events() {
    let dumps = files(&hostile(), ".show");
    if dumps.is_empty() {
        eprintln!("SKIPPED: no logs in {}, this test read nothing", hostile().display());
    }
    for dump in dumps {
        let text = fs::read_to_string(&dump).unwrap();
        let lines = text.split_once("Events:\n").unwrap().1.lines();
        let timed = |line: &&str| line.split_once(": ").is_some_and(|(time, _)| time.parse::<u64>().is_ok());
        let log = dump.with_extension("eventlog");
        let name = log.file_name().unwrap().to_string_lossy().into_owned();
        let listed = lines.filter(timed).filter(|line| !line.contains(" size ")).count();
        assert_eq!(events(&name), Some(listed), "{name}");
    }
}
