//! SUMMARY.md documents every key that `summary --json` prints for the corpus, and no other.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

use serde_json::Value as Json;
use std::{collections::BTreeSet, process::Command};

/// The objects whose keys are reasons: that threads were blocked for, and that capabilities were idle for.
const BY_REASON: [&str; 3] = ["threads.states_ns.blocked", "account.idle_ns", "requests.instances[].blocked"];

/// The object whose keys are labels of spans.
const BY_LABEL: &str = "requests.instances[].nested";

/// The lists whose items are as those of `threads.top`.
const AS_TOP: &str = "threads.longest.";

/// Keys that no log of the corpus has, and why.
const IN_NO_LOG: &[&str] = &[
    // This needs more different markers than are kept, so a log of several megabytes.
    "messages.markers_beyond",
    // This needs more instruments than are kept, which is tested where they are kept.
    "messages.values_beyond",
    // These need more threads than have rows: `many_threads.rs` has a log of such.
    "threads.without_row.count",
    "threads.without_row.max_life_ns",
    "threads.without_row.running_ns",
    "threads.without_row.blocked_ns",
    "threads.without_row.runnable_ns",
    "threads.without_row.foreign_ns",
    // This needs very many threads at the same time, which is tested with the model.
    "threads.not_followed",
    // This needs more open spans than are followed, which is tested in many_spans.rs.
    "spans[].not_followed",
    // This needs more bands than are kept, which is tested where they are kept.
    "heap_profile.bands[].since_ns",
    // These need more stacks than are kept, which is tested in heavy.rs.
    "time_profile.stacks_not_kept.samples",
    "time_profile.stacks_not_kept.max_of_one",
    // This needs more threads with samples than are kept, which is tested in many_threads.rs.
    "time_profile.threads_not_kept.samples",
    // This, too, which is tested where they are kept.
    "time_profile.sampled_threads[].lacks_up_to",
];

/// Containers that need no row, because their section's text explains them.
fn is_plain_container(key: &str, documented: &BTreeSet<String>) -> bool {
    let is_part = |other: &String| other.starts_with(&format!("{key}.")) || other.starts_with(&format!("{key}[]."));
    documented.iter().any(is_part)
}

fn documented() -> BTreeSet<String> {
    let text = include_str!("../SUMMARY.md");
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let mut keys = BTreeSet::new();
    for (key, rest) in rows {
        assert!(keys.insert(key.to_string()), "{key} is documented twice");
        let cells: Vec<&str> = rest.trim_end_matches(" |").split(" | ").collect();
        assert!(cells.len() == 2 && cells.iter().all(|cell| !cell.is_empty()), "{key} has no meaning or no unit");
    }
    keys
}

/// Adds the paths of all keys, as SUMMARY.md writes them.
fn collect(json: &Json, path: &str, keys: &mut BTreeSet<String>) {
    match json {
        Json::Object(object) => {
            for (key, value) in object {
                let key = match path {
                    "" => key.clone(),
                    BY_LABEL => format!("{path}.LABEL"),
                    path if BY_REASON.contains(&path) => format!("{path}.REASON"),
                    _ => format!("{path}.{key}"),
                };
                collect(value, &key, keys);
                keys.insert(key);
            }
        }
        Json::Array(items) if path.starts_with(AS_TOP) => {
            items.iter().for_each(|item| collect(item, "threads.top[]", keys))
        }
        Json::Array(items) => items.iter().for_each(|item| collect(item, &format!("{path}[]"), keys)),
        _ => {}
    }
}

fn printed() -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for log in conformance::files(&conformance::project().join("tests/corpus"), ".eventlog") {
        // The second range is one before the first collection.
        let ranges = [&["--range", "1ms..20ms"][..], &["--range", "10us..12us"]];
        let each = [
            &["--each", "request"][..],
            &["--each", "job"],
            &["--each", "again", "--top", "1"],
            &["--each", "step"],
            &["--each", "job #"],
        ];
        for options in [&[][..], &["--env"], &["--top", "1"]].into_iter().chain(ranges).chain(each) {
            let mut program = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
            let output = program.args(["summary", "--json"]).args(options).arg(&log).output().unwrap();
            if !output.stdout.is_empty() {
                collect(&serde_json::from_slice(&output.stdout).unwrap(), "", &mut keys);
            }
        }
    }
    keys
}

#[test]
fn every_key_is_documented_and_every_documented_key_is_printed() {
    let (documented, printed) = (documented(), printed());
    let undocumented: Vec<_> =
        printed.difference(&documented).filter(|key| !is_plain_container(key, &documented)).collect();
    let never_printed: Vec<_> =
        documented.difference(&printed).filter(|key| !IN_NO_LOG.contains(&key.as_str())).collect();
    let exceptions = IN_NO_LOG.iter().filter(|key| !documented.contains(**key) || printed.contains(**key));
    assert_eq!(exceptions.count(), 0, "an exception is undocumented, or none any more");
    assert!(documented.len() > 200);
    assert!(
        undocumented.is_empty() && never_printed.is_empty(),
        "missing: {undocumented:?}; too many: {never_printed:?}"
    );
}
