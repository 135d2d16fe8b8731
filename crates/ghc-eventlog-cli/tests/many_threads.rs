//! Very many threads: the heavy one among them is in every form of the summary and in every export, and sums count all.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

use ghc_eventlog::{
    Block, CapNo, CreateThread, LogWriter, Nanos, RunThread, StopStatus, StopThread, Text, ThreadId, ThreadLabel,
    ThreadWakeup, UserBinaryMsg,
};
use ghc_eventlog_model::limits;
use serde_json::Value as Json;
use std::{fs, process::Command};

/// What a command prints for a log.
fn said(arguments: &[&str], log: &[u8]) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), log).unwrap();
    let output =
        Command::new(env!("CARGO_BIN_EXE_ghc-eventlog")).args(arguments).arg("--lenient").arg(file.path()).output();
    let output = output.unwrap();
    assert!(output.status.code() < Some(2), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// One thread after the other runs for 300 ns; one of them, in the middle, twice for `ran`, and is blocked for 2 s in between.
fn one_of_many(count: u32, ran: u64) -> Vec<u8> {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        let mut time = 0;
        for number in 1..=count {
            let thread = ThreadId(number);
            let is_heavy = number == count / 3 * 2;
            block.event(Nanos(time), CreateThread { thread });
            if is_heavy {
                block.event(Nanos(time), ThreadLabel { thread, label: Text(b"culprit") });
            }
            let statuses: &[u16] = if is_heavy { &[7, 5] } else { &[5] };
            let ran = if is_heavy { ran } else { 300 };
            for status in statuses {
                block.event(Nanos(time + 100), RunThread { thread });
                block.event(Nanos(time + 100 + ran), StopThread { thread, status: StopStatus(*status), info: Some(0) });
                time += if *status == 7 { 2_000_000_400 } else { 600 };
                if *status == 7 {
                    block.event(Nanos(time), ThreadWakeup { thread, cap: CapNo(0) });
                }
            }
        }
    });
    log.end();
    log.finish()
}

#[test]
fn sums_count_all_threads_and_the_heavy_one_is_named() {
    let count = limits::MAX_THREADS as u32 + 50_000;
    let log = one_of_many(count, 300);
    let heavy = u64::from(count / 3 * 2);
    let json: Json = serde_json::from_str(&said(&["summary", "--json"], &log)).unwrap();
    let threads = &json["threads"];
    assert_eq!(threads["count"], count);
    assert_eq!(threads["states_ns"]["running"], 300 * (u64::from(count) + 1));
    assert_eq!(threads["states_ns"]["blocked"]["blocked on an MVar"], 2_000_000_000u64);
    let first = &threads["top"][0];
    assert_eq!((&first["thread"], &first["label"]), (&Json::from(heavy), &Json::from("culprit")));
    assert_eq!((&first["running_ns"], &first["blocked_ns"]), (&Json::from(600), &Json::from(2_000_000_000u64)));
    let without = threads["without_row"]["count"].as_u64().unwrap();
    assert_eq!(without, u64::from(count) - limits::MAX_THREADS as u64 / 2);
    // It says which ones it lists.
    let text = said(&["summary"], &log);
    assert!(text.contains("131,072 of 312,144 are kept: those that lived longest or ran longest"), "{text}");
    for form in [&["summary"][..], &["summary", "--markdown"]] {
        let text = said(form, &log);
        let has = |words: &[&str]| text.lines().any(|line| words.iter().all(|word| line.contains(word)));
        assert!(has(&["culprit", &heavy.to_string(), "2.000 s"]), "{text}");
        assert!(has(&["Threads", "312,144"]) || has(&["Threads", "312144"]), "{text}");
        assert!(has(&["Blocked on an MVar", "2.000 s"]), "{text}");
        assert!(has(&["Threads without a row"]) && has(&["more threads than there is room for"]), "{text}");
    }
}

#[test]
fn one_that_hardly_runs_and_waits_long_is_told_of_where_the_list_is_cut_short() {
    let log = one_of_many(60, 10);
    let json: Json = serde_json::from_str(&said(&["summary", "--json", "--top", "3"], &log)).unwrap();
    let threads = &json["threads"];
    assert!(threads["top"].as_array().unwrap().iter().any(|top| top["thread"] == 40));
    let [first, ..] = &threads["longest"]["blocked"].as_array().unwrap()[..] else { panic!() };
    assert_eq!((&first["thread"], &first["label"]), (&Json::from(40), &Json::from("culprit")));
    assert_eq!(first["blocked_ns"], 2_000_000_290u64);
    // No thread was in a foreign call: none was longest.
    assert_eq!(threads["longest"]["foreign"], Json::Array(Vec::new()));
    let whole: Json = serde_json::from_str(&said(&["summary", "--json"], &log)).unwrap();
    assert_eq!(whole["threads"].get("longest"), None);
    let text = said(&["summary", "--top", "3"], &log);
    let (before, _) = text.split_once("and 57 more\n").unwrap();
    assert!(before.trim_end().lines().next_back().unwrap().contains("culprit"), "{text}");
}

/// Their labels take more room than there is. Also with --quiet, a number that may be too small says so.
#[test]
fn a_search_says_that_it_does_not_know_the_labels_of_all_threads() {
    let mut log = LogWriter::new();
    let label = "x".repeat(limits::MAX_TEXT);
    let count = (limits::TEXT_BYTES / limits::MAX_TEXT) as u32 * 2;
    log.block(Block::of(CapNo(0)), |block| {
        for thread in (1..=count).map(ThreadId) {
            block.event(Nanos(1), ThreadLabel { thread, label: Text(format!("{} {label}", thread.0).as_bytes()) });
        }
    });
    log.end();
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), log.finish()).unwrap();
    let found = |query: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
        let output = program.args(["find", "--quiet", "--count"]).arg(file.path()).arg(query).output().unwrap();
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    // Those that come later have made it give up its label.
    let [number, why] = found(&format!("thread:\"{} x\"", count * 3 / 8));
    assert_eq!(number.trim(), "0");
    assert!(why.contains("no room for the labels of all threads"), "{why}");
    assert_eq!(found("thread:17"), ["1\n".to_string(), String::new()]);
}

/// Threads without a row are not found by their labels.
#[test]
fn a_search_says_that_not_all_threads_have_a_row() {
    let why = |count: u32| {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), one_of_many(count, 300)).unwrap();
        let mut program = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
        let output =
            program.args(["find", "--quiet", "--count"]).arg(file.path()).arg("thread:culprit").output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let of_many = why(limits::MAX_THREADS as u32 + 50_000);
    assert!(of_many.contains("more threads than there is room for"), "{of_many}");
    assert_eq!(why(60), "");
}

/// A message of ghc-stack-profiler: a thread's stack of two numbered frames.
fn sample(thread: u32) -> Vec<u8> {
    let mut bytes = vec![0xff, 0xca];
    bytes.extend([0u32.to_be_bytes(), thread.to_be_bytes()].as_flattened());
    bytes.extend([0, 2]);
    for name in [2u64, 1] {
        bytes.push(2);
        bytes.extend(name.to_be_bytes());
    }
    bytes
}

/// Sampled threads, of which the 250th has most samples.
fn sampled(count: u32) -> Vec<u8> {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        for (number, name) in [(1u64, "leaf"), (2, "main")] {
            let mut bytes = vec![0xff, 0xcc];
            bytes.extend(number.to_be_bytes());
            bytes.extend((name.len() as u16).to_be_bytes());
            bytes.extend(name.bytes());
            block.event(Nanos(0), UserBinaryMsg { bytes: &bytes });
        }
        let mut time = 0;
        for thread in 1..=count {
            block.event(Nanos(time), CreateThread { thread: ThreadId(thread) });
            for _ in 0..if thread == 250 { 900 } else { 1 } {
                time += 10_000;
                block.event(Nanos(time), UserBinaryMsg { bytes: &sample(thread) });
            }
        }
        block.event(Nanos(time), ThreadLabel { thread: ThreadId(250), label: Text(b"the busy one") });
    });
    log.end();
    log.finish()
}

#[test]
fn the_thread_with_most_samples_comes_first_in_exports() {
    let log = sampled(300);
    let file: Json = serde_json::from_str(&said(&["export", "--format", "speedscope"], &log)).unwrap();
    let profiles = file["profiles"].as_array().unwrap();
    assert_eq!(profiles[0]["name"], "thread 250: the busy one");
    assert_eq!(profiles[0]["events"].as_array().unwrap().len(), 4, "two frames open and close");
    // Those that have no profile of their own are one more.
    let [.., others] = &profiles[..] else { panic!() };
    assert_eq!((profiles.len(), &others["type"]), (101, &Json::from("sampled")));
    let count = |key: &str| others[key].as_array().unwrap().len();
    assert_eq!((count("samples"), count("weights")), (200, 200));
    assert_eq!(others["endValue"].as_u64().unwrap(), 200 * others["weights"][0].as_u64().unwrap());
    assert!(others["samples"].as_array().unwrap().iter().all(|stack| stack.as_array().unwrap().len() == 2));
    let folded = said(&["export", "--format", "folded"], &log);
    assert_eq!(folded.trim(), "main;leaf 1199");
    let json: Json = serde_json::from_str(&said(&["summary", "--json"], &log)).unwrap();
    let first = &json["time_profile"]["sampled_threads"][0];
    assert_eq!((&first["thread"], &first["samples"]), (&Json::from(250), &Json::from(900)));
}

/// The samples of threads with few of them are counted in every form, also if a thread comes that is listed.
#[test]
fn samples_of_threads_that_are_not_kept_are_counted() {
    let log = sampled(5000);
    let json: Json = serde_json::from_str(&said(&["summary", "--json"], &log)).unwrap();
    let profile = &json["time_profile"];
    assert_eq!((&profile["samples"], &profile["threads_not_kept"]["samples"]), (&Json::from(5899), &Json::from(2048)));
    assert_eq!(profile["sampled_threads"][0]["samples"], 900);
    for form in [&["summary"][..], &["summary", "--markdown"]] {
        let text = said(form, &log);
        let line = text.lines().find(|line| line.contains("Samples of threads not kept")).unwrap();
        assert!(line.contains("2,048") || line.contains("2048"), "{line}");
    }
    let few: Json = serde_json::from_str(&said(&["summary", "--json"], &sampled(300))).unwrap();
    assert!(few["time_profile"].get("threads_not_kept").is_none());
}
