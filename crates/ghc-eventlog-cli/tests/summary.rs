//! `summary --json`, a stable interface: its keys, its numbers, and the same numbers as Markdown and text.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

#[allow(dead_code, reason = "other tests use more of it")]
mod pack;

use ghc_eventlog::{
    Block, CapNo, CapsetId, LogWriter, Nanos, ProgramArgs, RtsIdentifier, RunThread, Text, TextList, ThreadId,
    ThreadLabel,
};
use serde_json::{Map, Value as Json};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// The keys that are always there, as in SUMMARY.md. `*` means any item of a list, if it has items. A section that is
/// null has no keys.
const KEYS: &[&str] = &[
    "schema",
    "log.file",
    "log.bytes",
    "log.compression",
    "log.events",
    "log.streams",
    "log.extent_ns",
    "log.complete",
    "log.lost_bytes",
    "range",
    "rts.num_GCs",
    "rts.major_gcs",
    "rts.GC_wall_seconds",
    "rts.copied_bytes",
    "rts.par_copied_bytes",
    "rts.cumulative_par_max_copied_bytes",
    "rts.cumulative_par_balanced_copied_bytes",
    "rts.allocated_bytes",
    "rts.max_live_bytes",
    "rts.max_mem_in_use_bytes",
    "rts.n_capabilities",
    "rts.sparks_count",
    "rts.sparks_converted",
    "rts.sparks_overflowed",
    "rts.sparks_dud",
    "rts.sparks_gcd",
    "rts.sparks_fizzled",
    "rts.task_count",
    "process.program",
    "process.args",
    "process.rts",
    "process.pid",
    "process.ppid",
    "process.started",
    "caps.*.cap",
    "caps.*.running_ns",
    "caps.*.gc_working_ns",
    "caps.*.gc_wait_ns",
    "caps.*.gc_sync_ns",
    "caps.*.disabled_ns",
    "caps.*.idle_ns",
    "caps.*.created_ns",
    "caps.*.deleted_ns",
    "caps.*.allocated_bytes",
    "caps.*.sparks.created",
    "caps.*.sparks.dud",
    "caps.*.sparks.overflowed",
    "caps.*.sparks.converted",
    "caps.*.sparks.gcd",
    "caps.*.sparks.fizzled",
    "caps.*.sparks.remaining",
    "gc.count",
    "gc.elapsed_ns",
    "gc.pause_ns.p50",
    "gc.pause_ns.p95",
    "gc.pause_ns.p99",
    "gc.pause_ns.max",
    "gc.sync_ns",
    "gc.balance",
    "gc.generations.*.generation",
    "gc.generations.*.count",
    "gc.generations.*.parallel",
    "gc.generations.*.elapsed_ns",
    "gc.generations.*.max_ns",
    "gc.generations.*.copied_bytes",
    "gc.requests.seq",
    "gc.requests.par",
    "nonmoving.marks",
    "nonmoving.mark_ns",
    "nonmoving.syncs",
    "nonmoving.sync_ns",
    "nonmoving.sweeps",
    "nonmoving.sweep_ns",
    "nonmoving.flushes",
    "heap.max_live_bytes",
    "heap.last_live_bytes",
    "heap.max_size_bytes",
    "heap.max_blocks_bytes",
    "heap.returned_mblocks",
    "threads.count",
    "threads.states_ns.running",
    "threads.states_ns.runnable",
    "threads.states_ns.foreign",
    "threads.states_ns.blocked",
    "threads.top.*.thread",
    "threads.top.*.label",
    "threads.top.*.running_ns",
    "threads.top.*.runnable_ns",
    "threads.top.*.blocked_ns",
    "threads.top.*.foreign_ns",
    "threads.top.*.created_ns",
    "threads.top.*.finished_ns",
    "threads.top.*.runs",
    "threads.top.*.migrations",
    "sparks.created",
    "sparks.dud",
    "sparks.overflowed",
    "sparks.converted",
    "sparks.gcd",
    "sparks.fizzled",
    "sparks.remaining",
    "sparks.run_ns.count",
    "sparks.run_ns.p50",
    "sparks.run_ns.p95",
    "sparks.run_ns.max",
    "spans",
    "messages.user",
    "messages.log",
    "messages.binary",
    "messages.markers",
    "heap_profile.breakdown",
    "heap_profile.censuses",
    "heap_profile.bands",
    "heap_profile.bands.*.name",
    "heap_profile.bands.*.max_bytes",
    "heap_profile.bands.*.last_bytes",
    "heap_profile.bands.*.mean_bytes",
    "heap_profile.bands.*.integral_byte_ns",
    "heap_profile.cost_centres",
    "heap_profile.cost_centres.*.name",
    "heap_profile.cost_centres.*.module",
    "heap_profile.cost_centres.*.source",
    "heap_profile.cost_centres.*.self_bytes",
    "heap_profile.cost_centres.*.total_bytes",
    "time_profile.samples",
    "time_profile.tick_ns",
    "time_profile.cost_centres",
    "time_profile.cost_centres.*.name",
    "time_profile.cost_centres.*.module",
    "time_profile.cost_centres.*.source",
    "time_profile.cost_centres.*.self_samples",
    "time_profile.cost_centres.*.total_samples",
    "time_profile.stacks",
    "time_profile.stacks.*.stack",
    "time_profile.stacks.*.samples",
    "ticky",
    "ticky.*.id",
    "ticky.*.name",
    "ticky.*.arity",
    "ticky.*.entries",
    "ticky.*.allocs",
    "ticky.*.allocd",
    "tasks.created",
    "tasks.deleted",
    "events.*.number",
    "events.*.name",
    "events.*.count",
    "findings",
    "missing",
    "diagnostics",
];

fn program(arguments: &[&str], log: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ghc-eventlog")).args(arguments).arg(log).output().unwrap()
}

fn summary(arguments: &[&str], log: &Path) -> Option<Json> {
    let output = program(&[&["summary", "--json"], arguments].concat(), log);
    if output.status.code() == Some(2) {
        assert!(output.stdout.is_empty(), "{}", log.display());
        return None;
    }
    Some(serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{}: {error}", log.display())))
}

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn case(name: &str) -> PathBuf {
    project().join("tests/corpus").join(name).join("log.eventlog")
}

fn corpus() -> Vec<PathBuf> {
    let entries = fs::read_dir(project().join("tests/corpus")).unwrap().flatten();
    let mut logs: Vec<PathBuf> =
        entries.map(|entry| entry.path().join("log.eventlog")).filter(|log| log.exists()).collect();
    logs.sort();
    assert!(logs.len() > 50);
    logs
}

/// Whether a key exists. True if a part of its path is null or an empty list.
fn has(json: &Json, key: &str) -> bool {
    let (head, rest) = key.split_once('.').map_or((key, None), |(head, rest)| (head, Some(rest)));
    let below = |inner: &Json| rest.is_none_or(|rest| has(inner, rest));
    match json {
        Json::Null => true,
        Json::Array(items) => items.iter().filter(|item| item.get("truncated").is_none()).all(below),
        Json::Object(object) => object.get(head).is_some_and(below),
        _ => false,
    }
}

/// All numbers of times and sizes are whole ones, and no key with a unit has anything else.
fn units_are_whole(json: &Json, log: &Path) {
    match json {
        Json::Object(object) => object.iter().for_each(|(key, value)| {
            // Durations by state, or the figures of one distribution, are an object under a key with the unit.
            if !value.is_object() && (key.ends_with("_ns") || key.ends_with("_bytes")) {
                assert!(value.is_null() || value.is_u64(), "{}: {key} is {value}", log.display());
            }
            units_are_whole(value, log);
        }),
        Json::Array(items) => items.iter().for_each(|item| units_are_whole(item, log)),
        _ => {}
    }
}

#[test]
fn every_key_is_there_whatever_the_log() {
    for log in corpus() {
        let Some(json) = summary(&[], &log) else { continue };
        for key in KEYS {
            assert!(has(&json, key), "{}: no {key} in {json:#}", log.display());
        }
        assert_eq!(json["schema"], 1);
        units_are_whole(&json, &log);
        for missing in json["missing"].as_array().unwrap() {
            let (section, flag) = (missing["section"].as_str().unwrap(), missing["flag"].as_str().unwrap());
            assert!(json.get(section).is_some() && flag.starts_with('-'), "{}: {missing}", log.display());
        }
    }
}

#[test]
fn what_the_log_lacks_is_null_and_the_missing_flag_is_named() {
    let json = summary(&[], &case("only-messages")).unwrap();
    assert_eq!(json["gc"], Json::Null);
    let flags: Map<String, Json> = json["missing"]
        .as_array()
        .unwrap()
        .iter()
        .map(|missing| (missing["section"].as_str().unwrap().to_string(), missing["flag"].clone()))
        .collect();
    assert_eq!(flags["gc"], "-lg");
    assert!(!flags.contains_key("messages"));
    assert!(json["messages"]["user"].as_u64().unwrap() > 0);
    assert_eq!(json["rts"]["num_GCs"], Json::Null);
}

#[test]
fn a_list_cut_short_says_so() {
    let log = case("threaded");
    let whole = summary(&[], &log).unwrap();
    let cut = summary(&["--top", "1"], &log).unwrap();
    let count = |json: &Json| json.as_array().unwrap().len() as u64;
    assert!(count(&whole["events"]) > 2 && count(&whole["threads"]["top"]) > 2);
    // The one that comes most often.
    let most = whole["events"].as_array().unwrap().iter().map(|of| of["count"].as_u64()).max().unwrap();
    assert_eq!(cut["events"][0]["count"].as_u64(), most);
    assert_eq!(cut["events"][1]["truncated"], count(&whole["events"]) - 1);
    assert_eq!(cut["threads"]["top"][0], whole["threads"]["top"][0]);
    assert_eq!(count(&cut["threads"]["top"]), 1);
    assert_eq!(cut["threads"]["truncated"], count(&whole["threads"]["top"]) - 1);
    assert_eq!(whole["threads"].get("truncated"), None);
    let ran: Vec<u64> =
        whole["threads"]["top"].as_array().unwrap().iter().map(|top| top["running_ns"].as_u64().unwrap()).collect();
    assert!(ran.is_sorted_by(|one, other| one >= other), "those that ran longest come first");
}

/// The summary is the same for every source of the log, except for the source itself.
#[test]
fn compressed_logs_and_pipes_say_the_same() {
    let log = case("threaded");
    let plain = summary(&[], &log).unwrap();
    let bytes = fs::read(&log).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let packed = [
        ("gzip", pack::gzip(&bytes)),
        ("zstd", pack::zstd(&bytes)),
        ("zip", pack::zip_stored(&[("a.eventlog", &bytes)])),
    ];
    for (compression, packed) in packed {
        let path = folder.path().join(compression);
        fs::write(&path, packed).unwrap();
        for range in [&[][..], &["--range", "1ms..20ms"]] {
            let mut expected = summary(range, &log).unwrap();
            let mut found = summary(range, &path).unwrap();
            assert_eq!(found["log"]["compression"], compression);
            for json in [&mut expected, &mut found] {
                json["log"]["file"] = Json::Null;
                json["log"]["compression"] = Json::Null;
            }
            assert_eq!(found, expected, "{compression}");
        }
    }
    let mut program = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
    let piped = program.args(["summary", "--json", "-"]).stdin(fs::File::open(&log).unwrap()).stdout(Stdio::piped());
    let mut found: Json = serde_json::from_slice(&piped.output().unwrap().stdout).unwrap();
    assert_eq!(found["log"]["file"], "-");
    found["log"]["file"] = plain["log"]["file"].clone();
    assert_eq!(found, plain);
}

/// Figures that add up over any cut of the log into ranges.
const ADDITIVE: &[&str] = &[
    "/rts/num_GCs",
    "/rts/copied_bytes",
    "/rts/par_copied_bytes",
    "/rts/allocated_bytes",
    "/rts/sparks_count",
    "/rts/sparks_converted",
    "/gc/count",
    "/gc/elapsed_ns",
    "/caps/0/running_ns",
    "/caps/0/gc_working_ns",
    "/caps/0/idle_ns",
    "/caps/0/allocated_bytes",
    "/caps/0/sparks/created",
    "/sparks/fizzled",
    "/nonmoving/mark_ns",
    "/nonmoving/flushes",
];

#[test]
fn ranges_add_up_to_the_whole() {
    for name in ["threaded", "sparks", "nonmoving", "heap-closure", "restarted"] {
        let log = case(name);
        let whole = summary(&[], &log).unwrap();
        let length = whole["log"]["extent_ns"].as_u64().unwrap();
        let (third, half) = (length / 3, length / 2 + 1);
        let cuts = [format!("..{third}"), format!("{third}..{half}"), format!("{half}..")];
        let parts: Vec<Json> = cuts.iter().map(|cut| summary(&["--range", cut], &log).unwrap()).collect();
        assert_eq!(parts[1]["range"]["length_ns"], half - third);
        for figure in ADDITIVE {
            let Some(expected) = whole.pointer(figure).and_then(Json::as_u64) else { continue };
            // A part without any event that tells how much was allocated, or how many sparks there were, does not know it.
            let is_growing = figure.contains("allocated") || figure.contains("sparks");
            let of = |part: &Json| {
                let number = part.pointer(figure).and_then(Json::as_u64);
                assert!(number.is_some() || is_growing, "{name}: {figure}");
                number.unwrap_or(0)
            };
            assert_eq!(parts.iter().map(of).sum::<u64>(), expected, "{name}: {figure}");
        }
    }
}

#[test]
fn a_range_outside_the_log_is_refused() {
    let refused = |range: &str| {
        let output = program(&["summary", "--range", range], &case("threaded"));
        assert_eq!(output.status.code(), Some(2), "{range}");
        assert!(output.stdout.is_empty(), "{range}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused("1h..").contains("after the log's end"));
    assert!(refused("2s..1s").contains("the range is empty"));
    assert!(refused("yesterday").contains("FROM..TO"));
}

/// Compares with what the runtime printed at the end of the same run. There may be more logs beside the project than in
/// the corpus.
/// A figure that is a moment needs no moment beside it.
#[test]
fn no_moment_is_said_twice() {
    for format in [&[][..], &["--markdown"]] {
        let args = [&["summary", "--range", "0.."], format].concat();
        let text = String::from_utf8(program(&args, &case("heap-closure")).stdout).unwrap();
        let lines: Vec<&str> =
            text.lines().filter(|line| line.contains("Census A") || line.contains("Census B")).collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines.iter().all(|line| !line.contains(", at ")), "{lines:?}");
        assert!(text.lines().any(|line| line.contains("Largest census") && line.contains(", at ")), "{text}");
    }
}

#[test]
fn numbers_are_those_that_the_runtime_printed() {
    let mut compared = 0;
    for (log, printed) in printed() {
        let json = summary(&["--top", "1"], &log).unwrap();
        for (name, found) in json["rts"].as_object().unwrap() {
            let name = if name == "sparks_dud" { "sparks_dud " } else { name };
            let (Some(found), Some(expected)) = (found.as_f64(), figure(&printed, name)) else { continue };
            let at = log.display();
            match name {
                // The runtime leaves the censuses of a heap profile out of its pauses, and the log cannot.
                "GC_wall_seconds" if !json["heap_profile"].is_null() => {}
                "GC_wall_seconds" => assert!((found - expected).abs() < 3e-6, "{at}: {found} and not {expected} s"),
                // Memory taken after the last event: a megabyte in two logs of heap profiles.
                "max_mem_in_use_bytes" => assert!(
                    found == expected || !json["heap_profile"].is_null() && expected - found == 1_048_576.0,
                    "{at}: {found} and not {expected} bytes"
                ),
                // The runtime counts the tasks of forkOS differently, and those of the non-moving collector.
                "task_count" if !json["nonmoving"].is_null() => {}
                "task_count" => assert!((found - expected).abs() <= 1.0, "{at}: {found} and not {expected} tasks"),
                _ => assert_eq!(found, expected, "{at}: {name}"),
            }
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

fn printed() -> Vec<(PathBuf, String)> {
    let shared = ["ghc-9.0.2", "ghc-9.10.3"].map(|folder| project().join("../shared/eventlogs").join(folder));
    let shared = shared.iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let beside =
        shared.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|kind| kind == "eventlog"));
    let all = corpus().into_iter().filter(|log| !log.parent().unwrap().ends_with("torn")).chain(beside);
    all.filter_map(|log| {
        let printed = [log.with_file_name("rts.txt"), log.with_extension("rts")];
        Some((log.clone(), printed.iter().find_map(|path| fs::read_to_string(path).ok())?))
    })
    .collect()
}

/// A figure of `+RTS -t --machine-readable`.
fn figure(figures: &str, name: &str) -> Option<f64> {
    let (_, rest) = figures.split_once(&format!("(\"{name}\", \""))?;
    rest.split_once('"')?.0.parse().ok()
}

#[test]
fn markdown_and_text_say_the_same_numbers() {
    for name in ["threaded", "sparks", "only-messages"] {
        let log = case(name);
        let said = |arguments: &[&str]| String::from_utf8(program(arguments, &log).stdout).unwrap();
        let (markdown, text) = (said(&["summary", "--markdown"]), said(&["summary"]));
        let headings: Vec<&str> = markdown
            .lines()
            .filter_map(|line| line.strip_prefix("<details><summary>")?.strip_suffix("</summary>"))
            .collect();
        assert!(headings.contains(&"Log") && headings.contains(&"Process"), "{headings:?}");
        headings.iter().for_each(|heading| assert!(text.lines().any(|line| line == *heading), "{heading}"));
        let json = summary(&[], &log).unwrap();
        let events = json["log"]["events"].to_string();
        assert!(markdown.contains(&format!("| Events | {events} |")), "{markdown}");
    }
}

/// A log whose spans begin with BEGIN and end with DONE has the same summary as with START and STOP. Pairs of words are added
/// to the known ones, before or after the label.
#[test]
fn other_words_can_mark_spans() {
    let log = fs::read(case("spans")).unwrap();
    let mut renamed = log.clone();
    for (word, other) in [(b"START ".as_slice(), b"BEGIN ".as_slice()), (b"STOP ", b"DONE ")] {
        let places = (0..log.len()).filter(|at| log[*at..].starts_with(word));
        places.for_each(|at| renamed[at..at + other.len()].copy_from_slice(other));
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), renamed).unwrap();
    let spans_in = |arguments: &[&str], log: &Path| summary(arguments, log).unwrap()["spans"].clone();
    let (all, range) = (spans_in(&[], &case("spans")), spans_in(&["--range", "5ms..20ms"], &case("spans")));
    assert!(all.as_array().unwrap().len() > 10);
    assert_eq!(spans_in(&["--span-words", "BEGIN,DONE"], file.path()), all);
    assert_eq!(spans_in(&["--span-words", " BEGIN, DONE", "--range", "5ms..20ms"], file.path()), range);
    assert_ne!(spans_in(&[], file.path()), all);
    let several = ["--span-words", "FROM,TO", "--span-words", "BEGIN,DONE,* on,* off"];
    assert_eq!(spans_in(&several, file.path()), all);
    assert_eq!(spans_in(&several, &case("spans")), all);
    for words in ["BEGIN", "", "BEGIN,BEGIN", ",DONE", "A,B,C", "* A,B"] {
        let output = program(&["summary", "--span-words", words], file.path());
        assert_eq!(output.status.code(), Some(2), "{words}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("two different words with a comma between them are needed"), "{said}");
    }
}

/// Texts of a log are written as code, so that no site makes a link, a mention or markup of them.
#[test]
fn no_text_of_the_log_is_markup_in_markdown() {
    let folder = tempfile::tempdir().unwrap();
    const EVIL: &str = "@everyone <b>#1</b> https://evil.example `a` |x| </details> /close";
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        block.event(Nanos(1), ProgramArgs { capset: CapsetId(0), args: TextList(EVIL.as_bytes()) });
        block.event(Nanos(2), RtsIdentifier { capset: CapsetId(0), text: Text(EVIL.as_bytes()) });
        block.event(Nanos(3), ThreadLabel { thread: ThreadId(1), label: Text(EVIL.as_bytes()) });
        block.event(Nanos(4), RunThread { thread: ThreadId(1) });
    });
    log.end();
    let path = folder.path().join("@me <i>.eventlog");
    std::fs::write(&path, log.finish()).unwrap();
    let output = program(&["summary", "--markdown"], &path);
    let markdown = String::from_utf8(output.stdout).unwrap();
    assert!(markdown.contains("@everyone"), "it is in the summary");
    for line in markdown.lines().filter(|line| line.contains('@') || line.contains("evil")) {
        // Checks cell by cell: what is between two bars is code, or our own words.
        let line = line.replace("\\|", "\u{1}");
        for cell in line.trim_matches('|').split('|').filter(|cell| cell.contains('@') || cell.contains("evil")) {
            let cell = cell.trim().trim_start_matches("### ");
            let fence: String = cell.chars().take_while(|letter| *letter == '`').collect();
            assert!(!fence.is_empty() && cell.ends_with(&fence), "{cell}");
            let inside = &cell[fence.len()..cell.len() - fence.len()];
            assert!(!inside.contains(&fence), "{cell}");
        }
    }
}

/// In each form: nothing of what is left out and, by default, nothing of the environment and nothing of bytes that are
/// no events.
#[test]
fn no_summary_has_a_secret_that_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.eventlog");
    let mut random = fastrand::Rng::with_seed(19);
    let secrets = conformance::Secrets::new(&mut random);
    let strip = ghc_eventlog_strip::Strip { env: true, args: true, messages: true };
    let mut printed = 0;
    for one in conformance::planted(&[], &secrets, &mut random, 2) {
        fs::write(&file, &one.log).unwrap();
        for form in ["--json", "--markdown", "--strip-args"] {
            let mut program = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
            let options = ["summary", "--strip-messages", form];
            let strips = if form == "--strip-args" { None } else { Some("--strip-args") };
            let output = program.args(options).args(strips).arg(&file).output().unwrap();
            for text in [&output.stdout, &output.stderr] {
                assert_eq!(secrets.given_away(text, strip), [""; 0], "{} {form}", one.place);
            }
            printed += usize::from(output.stdout.len() > 200);
        }
    }
    assert!(printed > 60, "{printed}");
}
