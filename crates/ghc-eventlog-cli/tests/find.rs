//! `find` and `show --where`: hits are lines of `show`, whatever the log; the exit code says whether there are any.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn run(arguments: &[&str], log: &Path, query: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ghc-eventlog")).args(arguments).arg(log).args(query).output().unwrap()
}

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(name).join("log.eventlog")
}

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

fn find(name: &str, query: &[&str]) -> Vec<String> {
    lines(&run(&["find"], &case(name), query))
}

/// The lines of events that `show` prints, without block markers.
fn shown(name: &str) -> Vec<String> {
    let all = lines(&run(&["show"], &case(name), &[]));
    let from = all.iter().position(|line| line == "Events:").unwrap() + 1;
    all[from..].iter().filter(|line| !line.is_empty() && !line.contains("event block: cap")).cloned().collect()
}

#[test]
fn events_are_lines_of_show() {
    let mut found = 0;
    for name in ["threaded", "messages", "heap-cost-centre", "restarted", "torn", "single"] {
        if !case(name).exists() {
            continue;
        }
        let all = shown(name);
        for word in ["thread", "cap 1", "GC", "stop", "5"] {
            // The time and the capability are no text of the event.
            let has_it = |line: &&String| {
                let rest = line.split_once(": ").map_or("", |(_, rest)| rest);
                let text =
                    rest.strip_prefix("cap ").and_then(|rest| rest.split_once(": ")).map_or(rest, |(_, text)| text);
                let is_exact = word.chars().any(char::is_uppercase);
                text.contains(word) || !is_exact && text.to_ascii_lowercase().contains(word)
            };
            let expected: Vec<&String> = all.iter().filter(has_it).collect();
            let events = lines(&run(&["show", "--where", &format!("\"{word}\"")], &case(name), &[]));
            assert_eq!(events.iter().collect::<Vec<_>>(), expected, "{name}: {word}");
            found += events.len();
        }
    }
    assert!(found > 1000, "{found}");
}

#[test]
fn the_exit_code_says_whether_there_are_hits() {
    let code = |arguments: &[&str], query: &[&str]| run(arguments, &case("threaded"), query).status.code();
    assert_eq!(code(&["find"], &["type:RUN_THREAD"]), Some(0));
    assert_eq!(code(&["find"], &["no such text"]), Some(1));
    assert_eq!(code(&["find", "--count"], &["no", "such"]), Some(1));
    assert_eq!(code(&["show", "--where", "type:GC_START"], &[]), Some(0));
    assert_eq!(code(&["show", "--where", "type:GC_START longer:1ms"], &[]), Some(1));
    assert_eq!(code(&["find", "--range", "0..1h"], &["type:run"]), Some(0));
    assert_eq!(code(&["find", "--range", "9h.."], &["type:run"]), Some(2));
    for (query, what) in
        [("longer:soon", "a length of time"), ("type:NOTHING", "no event type"), ("/(/", "regular expression")]
    {
        let output = run(&["find"], &case("threaded"), &[query]);
        assert_eq!(output.status.code(), Some(2), "{query}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(what), "{query}");
        assert!(output.stdout.is_empty());
    }
    assert_eq!(code(&["show", "threads", "--where", "a"], &[]), Some(2));
    assert_eq!(code(&["find"], &[]), Some(2), "a query is needed");
}

#[test]
fn options_may_come_after_the_query() {
    let first = run(&["find", "--count"], &case("threaded"), &["type:RUN_THREAD"]);
    let last = run(&["find"], &case("threaded"), &["type:RUN_THREAD", "--count"]);
    assert!(lines(&first).len() == 1 && lines(&first) == lines(&last));
}

#[test]
fn it_says_that_nothing_fits() {
    let says = |arguments: &[&str], query: &[&str]| {
        String::from_utf8_lossy(&run(arguments, &case("threaded"), query).stderr).into_owned()
    };
    assert!(says(&["find"], &["no such text"]).contains("nothing fits the query"));
    assert!(says(&["show", "--where", "type:GC"], &[]).contains("are not events; `find` lists them"));
    for arguments in [&["find", "--json"][..], &["find", "--count"], &["find", "--quiet"]] {
        assert_eq!(says(arguments, &["no such text"]), "");
    }
}

#[test]
fn hits_are_lines_of_json() {
    let output = run(&["find", "--json"], &case("threaded"), &["type:run", "-thread:1"]);
    let hits: Vec<Value> = lines(&output).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(hits.len() > 10, "{}", hits.len());
    for hit in &hits {
        let number = |key: &str| hit[key].as_u64();
        assert_eq!((hit["kind"].as_str(), hit["type"].is_null()), (Some("run"), true));
        assert!(number("time_ns").is_some() && number("length_ns").is_some() && number("cap").is_some());
        assert!(number("thread").is_some_and(|thread| thread != 1));
        assert!(hit["text"].as_str().is_some_and(|text| text.starts_with("thread ")));
    }
    assert!(hits.is_sorted_by_key(|hit| hit["time_ns"].as_u64()));
    let count = run(&["find", "--count"], &case("threaded"), &["type:run", "-thread:1"]);
    assert_eq!(lines(&count), [hits.len().to_string()]);
}

/// Its length is not known: only until when it was open.
#[test]
fn a_span_that_is_not_over_says_so() {
    let hits = lines(&run(&["find", "--json"], &case("spans-user"), &["type:span"]));
    let hits: Vec<Value> = hits.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let lines = find("spans-user", &["type:span"]);
    let is_open = |hit: &Value| hit["unfinished"].as_bool().unwrap();
    assert!(hits.iter().any(is_open) && !hits.iter().all(is_open));
    assert_eq!(hits.len(), lines.len());
    for (hit, line) in hits.iter().zip(&lines) {
        assert_eq!(line.contains(" ns, not over: "), is_open(hit), "{line}");
    }
}

/// Also those of events that are on no capability.
#[test]
fn runs_are_found_by_their_threads() {
    let all = find("malformed-21-beyond-file", &["type:run"]);
    assert_eq!(all.len(), 3);
    assert_eq!(find("malformed-21-beyond-file", &["type:run", "thread:1"]), all);
}

/// What stands after the log is the query, whatever it looks like.
#[test]
fn a_query_may_begin_with_a_minus() {
    let all = find("threaded", &["type:thread"]).len();
    let runs = find("threaded", &["type:RUN_THREAD"]).len();
    assert_eq!(find("threaded", &["-type:RUN_THREAD", "type:thread"]).len(), all - runs);
    assert!(runs > 0 && all > runs);
}

#[test]
fn compressed_logs_are_searched_too() {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/single.eventlog.zst");
    let count = |log: &Path| lines(&run(&["find", "--count"], log, &["type:*"]));
    assert_eq!(count(&packed), count(&case("single")));
}
