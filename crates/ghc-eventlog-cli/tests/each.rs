//! `summary --each LABEL`: each instance of a label of user spans, as text, JSON and Markdown.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

use serde_json::Value as Json;
use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn spans() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/spans/log.eventlog")
}

fn summary(options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ghc-eventlog")).arg("summary").arg(spans()).args(options).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(options: &[&str]) -> Json {
    serde_json::from_str(&text(&summary(&[options, &["--json"]].concat()))).unwrap()
}

#[test]
fn instances_are_told_in_json() {
    let json = json(&["--each", "job"]);
    let requests = &json["requests"];
    let of_label = json["spans"].as_array().unwrap().iter().find(|span| span["label"] == "job").unwrap();
    for key in ["count", "unfinished", "total_ns"] {
        assert_eq!(requests[key], of_label[key], "{key}");
    }
    let instances = requests["instances"].as_array().unwrap();
    assert_eq!(instances.len(), 8);
    for instance in instances {
        let number = |key: &str| instance[key].as_u64().unwrap();
        let parts = ["running_ns", "collecting_ns", "blocked_ns", "runnable_ns", "foreign_ns"].map(number);
        assert_eq!(parts.iter().sum::<u64>(), number("duration_ns"), "{instance}");
        let nested: u64 = instance["nested"].as_object().unwrap().values().map(|time| time.as_u64().unwrap()).sum();
        assert_eq!(nested + number("self_ns"), number("duration_ns"), "{instance}");
        assert!(instance["caps"].as_array().unwrap().iter().all(Json::is_u64), "{instance}");
        let by_reason: u64 = instance["blocked"].as_object().unwrap().values().filter_map(Json::as_u64).sum();
        assert_eq!(by_reason, number("blocked_ns"), "{instance}");
    }
    let durations: Vec<u64> = instances.iter().map(|instance| instance["duration_ns"].as_u64().unwrap()).collect();
    assert!(durations.is_sorted_by(|one, next| one >= next), "{durations:?}");
    assert_eq!(requests["duration_ns"]["max"], durations[0]);
    assert!(requests["against_median"].as_array().unwrap().len() > 1);
    // Without being asked, nothing is told.
    assert!(self::json(&[]).get("requests").is_none());
}

#[test]
fn fewer_rows_say_how_many_are_left_out() {
    let json = json(&["--each", "step", "--top", "5"]);
    let requests = &json["requests"];
    assert_eq!(requests["instances"].as_array().unwrap().len(), 5);
    assert_eq!(requests["truncated"]["instances"], 43);
}

#[test]
fn a_range_has_those_that_begin_in_it() {
    let all = json(&["--each", "step"]);
    let times: Vec<u64> = all["requests"]["instances"]
        .as_array()
        .unwrap()
        .iter()
        .map(|instance| instance["from_ns"].as_u64().unwrap())
        .collect();
    let within = times.iter().filter(|time| (3_000_000..5_000_000).contains(*time)).count();
    assert!(within > 0 && within < times.len());
    let some = json(&["--each", "step", "--range", "3ms..5ms"]);
    assert_eq!(some["requests"]["count"], within);
}

#[test]
fn text_and_markdown_have_the_tables() {
    let output = text(&summary(&["--each", "step", "--top", "3"]));
    for part in ["Requests", "Slowest against median", "Spans of the label", "and 45 more", "times the median of"] {
        assert!(output.contains(part), "{part}: {output}");
    }
    let markdown = text(&summary(&["--each", "step", "--top", "3", "--markdown"]));
    assert!(markdown.contains("<summary>Requests</summary>") && markdown.contains("Spans of the label"), "{markdown}");
}

/// Programs that number what they do have a label for each: `job 1`, `job 2`.
#[test]
fn labels_that_differ_only_in_a_number_are_told_of_together() {
    let log = spans().parent().unwrap().with_file_name("threaded").join("log.eventlog");
    let each = |label: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
        program.arg("summary").arg(&log).args(["--each", label, "--json"]).output().unwrap()
    };
    let json: Json = serde_json::from_str(&text(&each("job #"))).unwrap();
    let requests = &json["requests"];
    assert_eq!(
        (&requests["label"], &requests["labels"], &requests["count"]),
        (&"job #".into(), &12.into(), &12.into())
    );
    let mut labels: Vec<&str> =
        requests["instances"].as_array().unwrap().iter().map(|instance| instance["label"].as_str().unwrap()).collect();
    labels.sort_unstable();
    labels.dedup();
    assert!(labels.len() == 12 && labels.iter().all(|label| label.starts_with("job ")), "{labels:?}");
    let one: Json = serde_json::from_str(&text(&each("job 7"))).unwrap();
    assert!(one["requests"].get("labels").is_none() && one["requests"]["count"] == 1, "{one}");
    let error = String::from_utf8(each("job").stderr).unwrap();
    assert!(error.contains("no span has the label job: the labels are: job #, job 1,"), "{error}");
}

#[test]
fn an_unknown_label_is_refused_with_those_that_there_are() {
    let output = summary(&["--each", "no such"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("no span has the label no such") && error.contains("job, step"), "{error}");
}
