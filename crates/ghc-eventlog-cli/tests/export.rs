//! `export`: compares profiles for other tools with the `summary` of the same log.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

use ghc_eventlog_text::doors;
use serde_json::Value as Json;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(name).join("log.eventlog")
}

fn run(arguments: &[&str], log: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ghc-eventlog")).args(arguments).arg(log).output().unwrap()
}

fn exported(format: &str, log: &str) -> String {
    let output = run(&["export", "--lenient", "--format", format], &case(log));
    assert!(output.status.code() < Some(2), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn summary(log: &str) -> Json {
    serde_json::from_slice(&run(&["summary", "--lenient", "--json"], &case(log)).stdout).unwrap()
}

const TIME: [&str; 6] = [
    "time-profile",
    "torn",
    "written-cost-centres-late",
    "written-stack-messages",
    "written-stack-pieces",
    "written-stack-threads-moving",
];
const HEAP: [&str; 12] = [
    "heap-closure",
    "heap-cost-centre",
    "heap-description",
    "heap-module",
    "heap-type",
    "heap-retainer",
    "heap-biography",
    "torn",
    "written-heap-era",
    "written-heap-biography",
    "written-heap-pieces",
    "written-cost-centres-late",
];

/// The rules of speedscope's own schema for `evented` profiles, and of its reader: frames close in the order of a
/// stack.
#[test]
fn speedscope_gets_frames_that_open_and_close() {
    for log in TIME {
        let file: Json = serde_json::from_str(&exported("speedscope", log)).unwrap();
        assert_eq!(file["$schema"], "https://www.speedscope.app/file-format-schema.json");
        assert_eq!(file["name"], "log.eventlog");
        let frames = file["shared"]["frames"].as_array().unwrap();
        assert!(frames.iter().all(|frame| frame["name"].is_string()), "{frames:?}");
        let profiles = file["profiles"].as_array().unwrap();
        assert!(!profiles.is_empty());
        for profile in profiles {
            assert_eq!((&profile["type"], &profile["unit"]), (&"evented".into(), &"nanoseconds".into()));
            let (mut last, mut open, mut seen) = (profile["startValue"].as_u64().unwrap(), Vec::new(), 0);
            for event in profile["events"].as_array().unwrap() {
                let (at, frame) = (event["at"].as_u64().unwrap(), event["frame"].as_u64().unwrap());
                assert!(at >= last && (frame as usize) < frames.len(), "{event}");
                last = at;
                seen += 1;
                match event["type"].as_str().unwrap() {
                    "O" => open.push(frame),
                    "C" => assert_eq!(open.pop(), Some(frame)),
                    other => panic!("{other}"),
                }
            }
            assert!(seen > 0 && open.is_empty() && last <= profile["endValue"].as_u64().unwrap());
        }
    }
}

/// The width follows the number of samples: each holds for about a tick.
#[test]
fn speedscope_gets_as_much_time_as_there_are_samples() {
    let (log, told) = ("time-profile", summary("time-profile"));
    let file: Json = serde_json::from_str(&exported("speedscope", log)).unwrap();
    let time: u64 = file["profiles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|profile| {
            let (mut depth, mut since, mut time) = (0, 0, 0);
            for event in profile["events"].as_array().unwrap() {
                let at = event["at"].as_u64().unwrap();
                let before = depth;
                depth = if event["type"] == "O" { depth + 1 } else { depth - 1 };
                match (before, depth) {
                    (0, 1) => since = at,
                    (1, 0) => time += at - since,
                    _ => {}
                }
            }
            time
        })
        .sum();
    let ticks = told["time_profile"]["samples"].as_u64().unwrap() * told["time_profile"]["tick_ns"].as_u64().unwrap();
    assert!((time as f64 / ticks as f64 - 1.0).abs() < 0.2, "{time} and {ticks}");
}

/// Each sampled thread has a profile with its name; frames have their source locations.
#[test]
fn speedscope_gets_threads() {
    let file: Json = serde_json::from_str(&exported("speedscope", "written-stack-messages")).unwrap();
    let names: Vec<&str> =
        file["profiles"].as_array().unwrap().iter().map(|profile| profile["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["thread 4", "thread 5: worker", "thread 6"]);
    let frames = file["shared"]["frames"].as_array().unwrap();
    let frame = |name: &str| frames.iter().find(|frame| frame["name"] == name).unwrap();
    assert_eq!(frame("main"), &serde_json::json!({ "name": "main", "file": "app/Main.hs", "line": 30, "col": 1 }));
    assert_eq!(
        frame("Prüfung"),
        &serde_json::json!({ "name": "Prüfung", "file": "app/Check.hs", "line": 17, "col": 9 })
    );
    assert_eq!(frame("0x7f0020"), &serde_json::json!({ "name": "0x7f0020" }));
}

/// Two processes in one file have threads with the same numbers: each has a profile of its own samples.
#[test]
fn speedscope_gets_the_threads_of_each_process() {
    let one = fs::read(case("written-stack-messages")).unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), one.repeat(2)).unwrap();
    let profiles = |text: &[u8]| -> Vec<(String, usize)> {
        let json: Json = serde_json::from_slice(text).unwrap();
        let profiles = json["profiles"].as_array().unwrap();
        let of = |profile: &Json| {
            (profile["name"].as_str().unwrap().to_string(), profile["events"].as_array().unwrap().len())
        };
        profiles.iter().map(of).collect()
    };
    let output = run(&["export", "--lenient", "--format", "speedscope"], file.path());
    let (alone, both) =
        (profiles(exported("speedscope", "written-stack-messages").as_bytes()), profiles(&output.stdout));
    let names: Vec<&str> = both.iter().map(|(name, _)| name.as_str()).collect();
    // Those with the most samples come first.
    let expected = ["thread 4", "thread 5: worker", "thread 1004", "thread 1005: worker", "thread 6", "thread 1006"];
    assert_eq!(names, expected);
    let events = |profiles: &[(String, usize)]| profiles.iter().map(|(_, events)| *events).collect::<Vec<_>>();
    let [four, five, six] = events(&alone)[..] else { panic!("{alone:?}") };
    assert_eq!(events(&both), [four, five, four, five, six, six]);
}

#[test]
fn folded_stacks_are_those_of_the_summary() {
    for log in TIME {
        let mut folded: Vec<(String, u64)> = exported("folded", log)
            .lines()
            .map(|line| {
                line.rsplit_once(' ').map(|(stack, samples)| (stack.to_string(), samples.parse().unwrap())).unwrap()
            })
            .collect();
        let stack = |stack: &Json| {
            let names: Vec<&str> =
                stack["stack"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
            (names.join(";"), stack["samples"].as_u64().unwrap())
        };
        let told = summary(log);
        let mut stacks: Vec<_> = told["time_profile"]["stacks"].as_array().unwrap().iter().map(stack).collect();
        folded.sort();
        stacks.sort();
        assert_eq!(folded, stacks, "{log}");
    }
}

/// For each name, the most bytes in any census, and the bytes in the last one.
type Bands = BTreeMap<String, (u64, u64)>;

/// The summary's bands by name. Several bands may have the same name, and only their sum is exported.
fn bands(log: &str) -> (Bands, u64) {
    let told = summary(log);
    let profile = &told["heap_profile"];
    let mut bands = Bands::new();
    let mut twice = Vec::new();
    for band in profile["bands"].as_array().unwrap() {
        let [most, last] = ["max_bytes", "last_bytes"].map(|key| band[key].as_u64().unwrap());
        let name = band["name"].as_str().unwrap().to_string();
        if bands.insert(name.clone(), (most, last)).is_some() {
            twice.push(name);
        }
    }
    bands.retain(|name, _| !twice.contains(name));
    (bands, profile["censuses"].as_u64().unwrap())
}

/// The summary's name of a band: there, all constants are CAF, without their module.
fn without_modules(name: &str) -> String {
    let centre = |name: &str| if name.ends_with(".CAF") { "CAF".to_string() } else { name.to_string() };
    name.split('/').map(centre).collect::<Vec<_>>().join("/")
}

#[test]
fn constants_differ_by_their_modules() {
    let text = exported("hp", "heap-cost-centre");
    let names: BTreeSet<&str> = text.lines().filter_map(|line| Some(line.split_once('\t')?.0)).collect();
    assert!(
        !names.contains("CAF") && names.contains("GHC.Conc.Signal.CAF") && names.contains("main/Main.CAF"),
        "{names:?}"
    );
}

#[test]
fn tables_have_what_the_summary_says() {
    for log in HEAP {
        let (expected, censuses) = bands(log);
        for (format, parts) in [("csv", ','), ("tsv", '\t')] {
            let text = exported(format, log);
            let mut lines = text.lines();
            assert_eq!(
                lines.next().map(|head| head.split(parts).collect::<Vec<_>>()),
                Some(vec!["time_ns", "band", "bytes"])
            );
            let mut by_name: BTreeMap<String, Vec<(u64, u64)>> = BTreeMap::new();
            for line in lines {
                let (rest, bytes) = line.rsplit_once(parts).unwrap();
                let (time, name) = rest.split_once(parts).unwrap();
                let name = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
                // Names that would be formulas have an apostrophe before them.
                let formula = name.strip_prefix('\'').filter(|name| doors::is_formula(name) || name.starts_with('"'));
                let name = formula.unwrap_or(name);
                let sample = (time.parse().unwrap(), bytes.parse().unwrap());
                by_name.entry(without_modules(&name.replace("\"\"", "\""))).or_default().push(sample);
            }
            let last = by_name.values().flatten().map(|(time, _)| *time).max().unwrap();
            for (name, (most, at_end)) in &expected {
                let samples = &by_name[name];
                assert_eq!(samples.iter().map(|(_, bytes)| *bytes).max(), Some(*most), "{name} of {log} as {format}");
                let found = samples.iter().find(|(time, _)| *time == last).map_or(0, |(_, bytes)| *bytes);
                assert!(found == *at_end || censuses < 2 || log == "torn", "{name} of {log}: {found} and {at_end}");
            }
        }
    }
}

#[test]
fn hp_has_a_sample_for_each_census() {
    for log in HEAP {
        let (expected, censuses) = bands(log);
        let text = exported("hp", log);
        let head: Vec<&str> = text.lines().take(4).map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(head, ["JOB", "DATE", "SAMPLE_UNIT", "VALUE_UNIT"], "{log}");
        let samples = text.split("BEGIN_SAMPLE ").skip(1);
        assert_eq!(samples.clone().count() as u64, censuses, "{log}");
        let (mut last, mut most) = (-1.0, BTreeMap::<String, u64>::new());
        for sample in samples {
            let (time, rest) = sample.split_once('\n').unwrap();
            let (entries, end) = rest.split_once("END_SAMPLE ").unwrap();
            assert_eq!(time, end.trim());
            let time: f64 = time.parse().unwrap();
            assert!(time >= last, "{time} after {last} of {log}");
            last = time;
            for (name, bytes) in entries.lines().map(|entry| entry.split_once('\t').unwrap()) {
                assert!(!name.contains(char::is_whitespace));
                let bytes: u64 = bytes.parse().unwrap();
                most.entry(without_modules(name)).and_modify(|most| *most = bytes.max(*most)).or_insert(bytes);
            }
        }
        for (name, (bytes, _)) in expected.iter().filter(|(name, _)| !name.contains(char::is_whitespace)) {
            assert_eq!(most.get(name.as_str()), Some(bytes), "{name} of {log}");
        }
    }
}

/// Labels and stacks of a log may have the same bytes, and censuses may be in the file in another order than that of
/// time.
#[test]
fn bands_are_kept_apart_and_censuses_are_in_order_of_time() {
    use ghc_eventlog::{
        Block, CStr, CostCentreStack, HeapProfSampleBegin, HeapProfSampleCostCentre, HeapProfSampleEnd,
        HeapProfSampleString, LogWriter, Nanos, Text,
    };
    let mut writer = LogWriter::new();
    for (number, time) in [(0u64, 10u64), (1, 30), (2, 20)] {
        writer.block(Block::GLOBAL, |block| {
            block.event(Nanos(time), HeapProfSampleBegin { number });
            block
                .event(Nanos(time), HeapProfSampleString { profile: 0, bytes: 7 + number, label: CStr(Text(b"ABCD")) });
            let stack = [*b"ABCD"];
            block.event(Nanos(time), HeapProfSampleCostCentre { profile: 0, bytes: 3, stack: CostCentreStack(&stack) });
            block.event(Nanos(time), HeapProfSampleEnd { number });
        });
    }
    let log = writer.finish();
    let path = std::env::temp_dir().join(format!("bands-{}.eventlog", std::process::id()));
    std::fs::write(&path, log).unwrap();
    let output = run(&["export", "--format", "csv"], &path);
    std::fs::remove_file(&path).unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = said.lines().skip(1).collect();
    let stack = |line: &&str| line.contains("cc #");
    assert_eq!(
        lines.iter().filter(|line| !stack(line)).copied().collect::<Vec<_>>(),
        ["0,ABCD,7", "10,ABCD,9", "20,ABCD,8"]
    );
    assert_eq!(lines.iter().filter(|line| stack(line)).count(), 3, "{said}");
}

/// Bytes that are no text look alike in every output, and `.hp` has no spaces.
#[test]
fn bands_that_are_written_alike_have_numbers() {
    use ghc_eventlog::{
        Block, CStr, HeapProfSampleBegin, HeapProfSampleEnd, HeapProfSampleString, LogWriter, Nanos, Text,
    };
    let mut writer = LogWriter::new();
    writer.block(Block::GLOBAL, |block| {
        let labels: [&[u8]; 4] = [b"\xfebad", b"\xfdbad", b"a b", b"a_b"];
        for number in 0..2u64 {
            let time = Nanos(10 * (number + 1));
            block.event(time, HeapProfSampleBegin { number });
            // Whichever comes first in a census has the same name.
            for place in 0..4 {
                let place = if number == 0 { place } else { 3 - place };
                let label = CStr(Text(labels[place]));
                block.event(time, HeapProfSampleString { profile: 0, bytes: place as u64 + 1, label });
            }
            block.event(time, HeapProfSampleEnd { number });
        }
    });
    let path = std::env::temp_dir().join(format!("alike-{}.eventlog", std::process::id()));
    std::fs::write(&path, writer.finish()).unwrap();
    let lines = |format: &str, census: usize| {
        let said = String::from_utf8(run(&["export", "--format", format], &path).stdout).unwrap();
        let is_band = |line: &&str| ["bad", "a b", "a_b"].iter().any(|name| line.contains(name));
        let bands: Vec<String> = said.lines().filter(is_band).map(Into::into).collect();
        let mut of = bands[4 * census..][..4].to_vec();
        of.sort();
        of
    };
    assert_eq!(lines("csv", 0), ["0,a b,3", "0,a_b,4", "0,\u{fffd}bad (2),2", "0,\u{fffd}bad,1"]);
    assert_eq!(lines("csv", 1), ["10,a b,3", "10,a_b,4", "10,\u{fffd}bad (2),2", "10,\u{fffd}bad,1"]);
    for census in 0..2 {
        assert_eq!(lines("hp", census), ["a_b\t3", "a_b_(2)\t4", "\u{fffd}bad\t1", "\u{fffd}bad_(2)\t2"]);
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_missing_profile_gives_an_error_with_the_flag_that_adds_it() {
    for (format, flag) in [("speedscope", "-l -p"), ("folded", "-l -p"), ("hp", "-l -hT"), ("csv", "-l -hT")] {
        let output = run(&["export", "--format", format], &case("threaded"));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{output:?}");
        assert!(said.contains(&format!("run the program with +RTS {flag}")), "{said}");
    }
}

#[test]
fn the_output_file_only_appears_when_it_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.hp");
    let output = run(&["export", "--format", "hp", "-o", file.to_str().unwrap()], &case("heap-type"));
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), exported("hp", "heap-type"));
    // For a log without the profile, no file is created.
    let none = run(&["export", "--format", "hp", "-o", file.to_str().unwrap()], &case("threaded"));
    assert_eq!((none.status.code(), fs::read_dir(folder.path()).unwrap().count()), (Some(2), 1));
    let nowhere = folder.path().join("none/out.hp");
    let nowhere = run(&["export", "--format", "hp", "-o", nowhere.to_str().unwrap()], &case("heap-type"));
    assert!(
        nowhere.status.code() == Some(1) && String::from_utf8_lossy(&nowhere.stderr).contains("out.hp"),
        "{nowhere:?}"
    );
}

/// A thread that moves writes to blocks that are not in order of time in the file.
#[test]
fn a_thread_that_moves_has_all_of_its_time() {
    let file: Json = serde_json::from_str(&exported("speedscope", "written-stack-threads-moving")).unwrap();
    let events = file["profiles"][0]["events"].as_array().unwrap();
    let open = |event: &&Json| event["type"] == "O";
    let innermost: Vec<&Json> = events.iter().filter(open).skip(1).collect();
    assert_eq!(innermost.len(), 40, "one after the other, and back");
    let at = |event: &Json| event["at"].as_u64().unwrap();
    assert!(
        innermost
            .windows(2)
            .all(|pair| at(pair[1]) - at(pair[0]) == 10_000_000 && pair[0]["frame"] != pair[1]["frame"])
    );
    assert_eq!(file["profiles"][0]["endValue"].as_u64().unwrap() - at(innermost[0]), 400_000_000);
}

/// A profile that is difficult for other readers of `.hp`: long command lines and names, names that only differ in
/// characters that such a file cannot have, and an empty name.
fn awkward_profile() -> Vec<u8> {
    use ghc_eventlog::{
        Block, CStr, CapsetCreate, CapsetId, CapsetType, HeapProfSampleBegin, HeapProfSampleEnd, HeapProfSampleString,
        LogWriter, Nanos, ProgramArgs, Text, TextList,
    };
    let long = "x".repeat(20_000);
    let names =
        ["", "a b", "a_b", "a\tb", "\"quoted", "BEGIN_SAMPLE", "END_SAMPLE 1", "(((", "\\", "ä\u{202e}λ", "%", &long];
    let args = format!("./program\0{long}\0\"{long}\0a)b(c\\\0");
    let mut log = LogWriter::new();
    log.block(Block::GLOBAL, |log| {
        log.event(Nanos(1), CapsetCreate { capset: CapsetId(0), kind: CapsetType(2) });
        log.event(Nanos(1), ProgramArgs { capset: CapsetId(0), args: TextList(args.as_bytes()) });
        for number in 1..=4u64 {
            let at = Nanos(number * 1_000_000);
            log.event(at, HeapProfSampleBegin { number });
            for (place, name) in (1..).zip(names) {
                let label = CStr(Text(name.as_bytes()));
                log.event(at, HeapProfSampleString { profile: 0, bytes: number * place * 100, label });
            }
            log.event(at, HeapProfSampleEnd { number });
        }
    });
    log.end();
    log.finish()
}

/// GHC's own reader of `.hp`.
#[test]
fn hp2ps_draws_every_heap_profile() {
    if Command::new("hp2ps").arg("-?").output().is_err() {
        eprintln!("SKIPPED: there is no hp2ps here: it comes with GHC");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("awkward"), awkward_profile()).unwrap();
    fs::write(at("hostile"), conformance::hostile_texts::log(conformance::hostile_texts::hostile)).unwrap();
    for log in HEAP.map(case).into_iter().chain(["awkward", "hostile"].map(at)) {
        let text = run(&["export", "--lenient", "--format", "hp"], &log).stdout;
        fs::write(at("log.hp"), &text).unwrap();
        let output = Command::new("hp2ps").args(["-c", "-m0", "log.hp"]).current_dir(&folder).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{}: {output:?}", log.display());
        let drawn = fs::read(at("log.ps")).unwrap();
        fs::remove_file(at("log.ps")).unwrap();
        let drawn = String::from_utf8_lossy(&drawn);
        assert!(drawn.starts_with("%!PS") && drawn.trim_end().ends_with("showpage"), "{}", log.display());
    }
}
