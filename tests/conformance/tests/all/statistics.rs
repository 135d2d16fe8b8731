//! Compares the model's figures with what the runtime itself printed at the end of the same run.

use conformance::{files, model_in_steps, project, shared_logs};
use ghc_eventlog_model::{Model, Value};
use std::{fs, path::Path};

/// Logs with the runtime's output, from the corpus and, if there are any, from beside the project.
fn logs_with_figures() -> Vec<(String, Vec<u8>, String)> {
    let mut found = Vec::new();
    let programs = files(&project().join("tests/corpus/programs"), ".eventlog");
    let corpus = files(&project().join("tests/corpus"), "log.eventlog");
    for log in corpus.into_iter().chain(programs).chain(shared_logs()) {
        let beside = [log.with_file_name("rts.txt"), log.with_extension("rts")];
        let figures = beside.iter().find_map(|path: &std::path::PathBuf| fs::read_to_string(path).ok());
        if let Some(figures) = figures {
            found.push((name(&log), fs::read(&log).unwrap(), figures));
        }
    }
    assert!(!found.is_empty());
    found
}

fn name(log: &Path) -> String {
    log.display().to_string()
}

/// A figure of `+RTS -t --machine-readable`.
fn figure(figures: &str, name: &str) -> Option<f64> {
    let (_, rest) = figures.split_once(&format!("(\"{name}\", \""))?;
    rest.split_once('"')?.0.parse().ok()
}

fn value(model: &Model, section: &str, key: &str) -> Option<f64> {
    let facts = model.facts(None);
    match facts.section(section)?.get(key)?.value {
        Value::Bytes(number) | Value::Count(number) => Some(number as f64),
        _ => None,
    }
}

/// A log of a runtime before GHC 9.2, which gave memory back before it logged the heap's size, and does not say how much.
const GIVEN_BACK: &str = "eventlogs/ghc-9.0.2/heap-closure";

#[test]
fn the_heap_is_what_the_runtime_printed() {
    let mut compared = 0;
    for (log, bytes, figures) in logs_with_figures() {
        let model = model_in_steps(&bytes, 1 << 20);
        if value(&model, "heap", "allocated_bytes").is_none() || log.contains("torn") {
            continue; // without the class of events about it
        }
        for (name, key) in [("allocated_bytes", "allocated_bytes"), ("max_live_bytes", "max_live_bytes")] {
            assert_eq!(value(&model, "heap", key), figure(&figures, name), "{name} of {log}");
        }
        let size = value(&model, "heap", "max_size_bytes").unwrap();
        let given_back = if log.contains(GIVEN_BACK) { 1_048_576.0 } else { 0.0 };
        assert_eq!(Some(size + given_back), figure(&figures, "max_mem_in_use_bytes"), "{log}");
        compared += 1;
    }
    assert!(compared > 0);
}

#[test]
fn sparks_are_those_that_the_runtime_counted() {
    let mut compared = 0;
    for (log, bytes, figures) in logs_with_figures() {
        let model = model_in_steps(&bytes, 1 << 20);
        if value(&model, "sparks", "count").is_none() || log.contains("torn") {
            continue;
        }
        for (name, key) in [
            ("sparks_count", "count"),
            ("sparks_converted", "converted"),
            ("sparks_overflowed", "overflowed"),
            // The runtime writes it this way.
            ("sparks_dud ", "dud"),
            ("sparks_gcd", "gcd"),
            ("sparks_fizzled", "fizzled"),
        ] {
            let printed = figure(&figures, name).or(figure(&figures, name.trim()));
            assert_eq!(value(&model, "sparks", key), printed, "{name} of {log}");
        }
        compared += usize::from(value(&model, "sparks", "created") > Some(0.0));
    }
    assert!(compared > 0);
}

#[test]
fn collections_are_those_that_the_runtime_counted() {
    for (log, bytes, figures) in logs_with_figures() {
        let model = model_in_steps(&bytes, 1 << 20);
        let total = model.collections().total();
        if total.count == 0 || log.contains("torn") {
            continue; // without the class of events about collections
        }
        let [first, second, ..] = model.collections().by_generation();
        let counts =
            [("num_GCs", total.count), ("gen_0_collections", first.count), ("gen_1_collections", second.count)];
        for (name, count) in counts {
            assert_eq!(figure(&figures, name), Some(count as f64), "{name} of {log}");
        }
        let facts = model.facts(None);
        let of_gc = |key| match facts.section("gc").unwrap().get(key).unwrap().value {
            Value::Bytes(number) | Value::Count(number) => number as f64,
            ref other => panic!("{key} of {log}: {other:?}"),
        };
        for (name, key) in [
            ("num_GCs", "count"),
            ("major_gcs", "major"),
            ("copied_bytes", "copied_bytes"),
            ("par_copied_bytes", "par_copied_bytes"),
            ("cumulative_par_max_copied_bytes", "par_max_copied_bytes"),
            ("cumulative_par_balanced_copied_bytes", "par_balanced_copied_bytes"),
        ] {
            assert_eq!(figure(&figures, name), Some(of_gc(key)), "{name} of {log}");
        }
        assert_eq!(total.copied_bytes as f64, of_gc("copied_bytes"), "{log}");
        assert_eq!(first.parallel + second.parallel, of_gc("parallel") as u64, "{log}");
        let seconds = total.elapsed.0 as f64 / 1e9;
        let expected = figure(&figures, "GC_wall_seconds").unwrap();
        let census = facts.section("caps").unwrap().get("census_ns").map_or(0.0, |figure| match figure.value {
            Value::Duration(time) => time.0 as f64 / 1e9,
            ref other => panic!("{other:?}"),
        });
        // The runtime of programs built with -prof leaves censuses out of its pauses, and what else it does for a profile.
        if census == 0.0 || figure(&figures, "hc_wall_seconds").is_none() {
            assert!((seconds - expected).abs() < 2e-6, "{log}: {seconds} and not {expected}");
        } else {
            // Between the end of the collecting and the census, the runtime cleans up.
            let others = seconds - census;
            assert!((expected * 0.97..=expected).contains(&others), "{log}: {others} and not {expected}");
        }
    }
}
