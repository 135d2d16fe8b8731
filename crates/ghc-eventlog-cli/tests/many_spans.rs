//! `summary` of logs with very many user spans: of labels, at the same time, or in all.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

use ghc_eventlog::{Block, CapNo, LogWriter, Nanos, RunThread, Text, ThreadId, UserMsg};
use serde_json::Value as Json;
use std::{fs, process::Command};
use tempfile::NamedTempFile;

/// A log of one thread that writes messages.
fn log(messages: &[(u64, String)]) -> NamedTempFile {
    let mut log = LogWriter::new();
    for (nth, some) in messages.chunks(5000).enumerate() {
        log.block(Block::of(CapNo(0)), |block| {
            if nth == 0 {
                block.event(Nanos(some[0].0), RunThread { thread: ThreadId(7) });
            }
            for (time, text) in some {
                block.event(Nanos(*time), UserMsg { text: Text(text.as_bytes()) });
            }
        });
    }
    log.end();
    let file = NamedTempFile::new().unwrap();
    fs::write(file.path(), log.finish()).unwrap();
    file
}

/// A log of 70 000 spans, one every 100 ns, each with another one in it: too many to keep them all.
fn nested_spans() -> NamedTempFile {
    let messages = (0..70_000).flat_map(|at| {
        let texts = [(0, "START outer"), (10, "START inner"), (40, "STOP inner"), (70, "STOP outer")];
        texts.map(|(after, text)| (1000 + at * 100 + after, text.to_string()))
    });
    log(&messages.collect::<Vec<_>>())
}

fn summary(file: &NamedTempFile, arguments: &[&str]) -> String {
    let program = env!("CARGO_BIN_EXE_ghc-eventlog");
    let output = Command::new(program).arg("summary").args(arguments).arg(file.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn spans(file: &NamedTempFile, arguments: &[&str]) -> Vec<Json> {
    let json: Json = serde_json::from_str(&summary(file, &[&["--json"], arguments].concat())).unwrap();
    json["spans"].as_array().unwrap().clone()
}

/// Of a label: how many spans, their time, and the longest.
fn of(spans: &[Json], label: &str) -> [u64; 3] {
    let row = spans.iter().find(|row| row["label"] == label).unwrap_or_else(|| panic!("no {label}"));
    ["count", "total_ns", "max_ns"].map(|key| row[key].as_u64().unwrap())
}

/// A label that comes late, or in the middle, has its row if its spans took long, and all others are together.
#[test]
fn the_heaviest_labels_have_rows() {
    let (mut messages, mut time, heavy) = (Vec::new(), 1000, [5555, 6999, 4100]);
    for at in 0..7000 {
        let length = if heavy.contains(&at) { 100_000 + at } else { 10 + at % 90 };
        messages.extend([(time, format!("START /page/{at}")), (time + length, format!("STOP /page/{at}"))]);
        time += length + 5;
    }
    let file = log(&messages);
    let all = spans(&file, &[]);
    assert_eq!(all.len(), 4033);
    for at in heavy {
        assert_eq!(of(&all, &format!("/page/{at}")), [1, 100_000 + at, 100_000 + at]);
    }
    let sum = |key: &str| all.iter().map(|row| row[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("count"), of(&all, "/page/# (others)")[0]), (7000, 7000 - 4032));
    let lengths = (0..7000).map(|at| if heavy.contains(&at) { 100_000 + at } else { 10 + at % 90 });
    assert_eq!(sum("total_ns"), lengths.sum::<u64>());
    // Those with the most time come first.
    let text = summary(&file, &[]);
    let first = text.lines().find(|line| line.contains("/page/")).unwrap();
    assert!(first.contains("/page/6999"), "{first}");
    assert!(summary(&file, &["--markdown"]).contains("/page/6999"));
}

/// It has no end that could be counted.
#[test]
fn what_hangs_to_the_end_has_its_row() {
    let mut messages = vec![(1000, "START something".to_string())];
    for at in 0..9000 {
        let time = 2000 + at * 10;
        messages.extend([(time, format!("START load {at}")), (time + 5, format!("STOP load {at}"))]);
        if at == 7000 {
            messages.push((time + 6, "START hangs here".into()));
        }
    }
    let all = spans(&log(&messages), &[]);
    for label in ["something", "hangs here"] {
        let row = all.iter().find(|row| row["label"] == label).unwrap_or_else(|| panic!("no {label}"));
        assert_eq!((&row["count"], &row["unfinished"]), (&Json::from(0), &Json::from(1)));
    }
}

#[test]
fn many_spans_may_be_open_and_what_is_not_followed_is_said() {
    let open = |count: u64| {
        let begins = (0..count).map(|at| (1000 + at, format!("START {at} request")));
        let ends = (0..count).map(|at| (1000 + count + at, format!("STOP {at} request")));
        log(&begins.chain(ends).collect::<Vec<_>>())
    };
    let file = open(9000);
    assert_eq!(of(&spans(&file, &[]), "request"), [9000, 9000 * 9000, 9000]);
    assert!(!summary(&file, &[]).contains("Not followed"));
    let file = open(40_000);
    let followed = 28_672;
    assert_eq!(of(&spans(&file, &[]), "request"), [followed, followed * 40_000, 40_000]);
    for (arguments, number) in [(&[][..], "11,328"), (&["--markdown"], "11328")] {
        let text = summary(&file, arguments);
        let line = |label: &str| text.lines().find(|line| line.contains(label)).unwrap().to_string();
        assert!(line("Not followed").contains(number), "{text}");
        assert!(line("Ends without a begin").contains(" 0"), "{text}");
    }
    let its = &spans(&file, &[])[0];
    assert_eq!((&its["unfinished"], &its["not_followed"]), (&0.into(), &11_328.into()));
}

/// A program that reads the hits learns that some are missing, and what.
#[test]
fn what_a_search_cannot_find_is_a_line_of_json() {
    let found = |count: u64| -> Vec<Json> {
        let begins = (0..count).map(|at| (1000 + at, format!("START {at} request")));
        let ends = (0..count).map(|at| (1000 + count + at, format!("STOP {at} request")));
        let file = log(&begins.chain(ends).collect::<Vec<_>>());
        let mut find = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
        let output = find.args(["find", "--json"]).arg(file.path()).arg("type:span").output().unwrap();
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let all = found(40_000);
    let remark = all.iter().rfind(|line| line["kind"] == "remark").expect("a remark");
    assert!(remark["text"].as_str().unwrap().contains("11328 were not followed"), "{remark}");
    let keys = |line: &Json| line.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!((keys(&all[0]), &all[0]["kind"]), (keys(remark), &"span".into()), "the keys of a hit");
    assert!(found(3000).iter().all(|line| line["kind"] == "span"));
}

/// Spans that never end are counted, however many there are, and leave room for those that come later.
#[test]
fn spans_that_never_end_are_counted_and_hide_nothing() {
    let lost = (0..70_000).map(|at| (1000 + at, format!("START {at} lost")));
    let late =
        (0..1000).flat_map(|at| [(71_000 + at * 10, "START late".into()), (71_004 + at * 10, "STOP late".into())]);
    let file = log(&lost.chain(late).collect::<Vec<_>>());
    let all = spans(&file, &[]);
    let of = |label: &str, key: &str| all.iter().find(|row| row["label"] == label).unwrap()[key].as_u64().unwrap();
    assert_eq!(["count", "total_ns", "unfinished"].map(|key| of("late", key)), [1000, 4000, 0]);
    assert_eq!(["count", "unfinished"].map(|key| of("lost", key)), [0, 70_000]);
    assert!(all.iter().all(|row| row.get("not_followed").is_none()), "each counts once");
    let text = summary(&file, &[]);
    for said in ["Unfinished                     70,000", "Too many spans are open"] {
        assert!(text.contains(said), "{text}");
    }
}

/// Where so many are open that it is not remembered whose ends come, nobody is told a number of unfinished ones that is a guess.
#[test]
fn how_many_never_ended_is_exact_or_not_said() {
    let label = |at: u64| if at.is_multiple_of(100) { "rare" } else { "request" };
    let open = |count: u64| {
        let begins = (0..count).map(|at| (1000 + at, format!("ot2 begin span {at} {}", label(at))));
        let ended = (0..count).filter(|at| label(*at) == "request");
        let ends = ended.map(|at| (1000 + count + at, format!("ot2 end span {at}")));
        log(&begins.chain(ends).collect::<Vec<_>>())
    };
    let unfinished = |file: &_| {
        let all = spans(file, &[]);
        ["rare", "request"].map(|label| all.iter().find(|row| row["label"] == label).unwrap()["unfinished"].clone())
    };
    let file = open(60_000);
    assert_eq!(unfinished(&file), [600, 0].map(Json::from));
    assert!(!summary(&file, &[]).contains("Far too many spans"));
    let file = open(100_000);
    assert_eq!(unfinished(&file), [Json::Null, Json::Null]);
    let text = summary(&file, &[]);
    assert!(text.contains("Far too many spans are open at the same time"), "{text}");
    for row in spans(&file, &[]) {
        let begun = if row["label"] == "rare" { 1000 } else { 99_000 };
        assert!(row["count"].as_u64().unwrap() + row["not_followed"].as_u64().unwrap() <= begun, "{row}");
    }
}

#[test]
fn ranges_of_very_many_spans_are_exact() {
    let file = nested_spans();
    let all = spans(&file, &[]);
    assert_eq!(of(&all, "outer"), [70_000, 70_000 * 70, 70]);
    // Times count from the first event: the first span cut in the middle, and the last one.
    let some = spans(&file, &["--range", "3500035..3500255"]);
    assert_eq!(of(&some, "outer"), [3, 35 + 70 + 55, 70]);
    assert_eq!(of(&some, "inner"), [3, 5 + 30 + 30, 30]);
    let most = spans(&file, &["--range", "100035..6900020"]);
    assert_eq!(of(&most, "outer"), [68_001, 35 + 67_999 * 70 + 20, 70]);
    assert_eq!(of(&most, "inner"), [68_001, 5 + 67_999 * 30 + 10, 30]);
}

/// A search in a short time finds what a log of these spans alone has, although not all are kept.
#[test]
fn a_search_in_a_short_time_finds_all_spans_there() {
    let file = nested_spans();
    let find = |more: &[&str]| {
        let program = env!("CARGO_BIN_EXE_ghc-eventlog");
        let found = Command::new(program).arg("find").arg(file.path()).args(more).output().unwrap();
        [found.stdout, found.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    let range = ["--range", "3500035..3500255"];
    let [json, said] = find(&[&range[..], &["--json", "type:span"]].concat());
    let hits = json.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let hits: Vec<[u64; 2]> =
        hits.map(|hit| ["time_ns", "length_ns"].map(|name| hit[name].as_u64().unwrap())).collect();
    let begins = [(3_501_000, 70), (3_501_010, 30), (3_501_100, 70), (3_501_110, 30), (3_501_200, 70), (3_501_210, 30)];
    assert_eq!((hits, said.as_str()), (begins.map(|(time, length)| [time, length]).to_vec(), ""));
    assert_eq!(
        find(&[&range[..], &["--count", "inner"]].concat()),
        ["8\n", ""],
        "three spans, and five of their messages"
    );
    let [_, said] = find(&["--count", "type:span"]);
    assert!(said.contains("only the longest and one of"), "{said}");
}

/// Each thing that is not exact is said, however many there are.
#[test]
fn one_remark_does_not_hide_another() {
    let begins = (0..30_000).map(|at| (1000 + at, format!("START {at} request")));
    let ends = (0..30_000).map(|at| (31_000 + at, format!("STOP {at} request")));
    let short = (0..70_000).flat_map(|at| [(61_000 + at * 10, "START a".into()), (61_005 + at * 10, "STOP a".into())]);
    let file = log(&begins.chain(ends).chain(short).collect::<Vec<_>>());
    let text = summary(&file, &[]);
    let remarks = ["Too many spans are open at the same time", "There are too many spans to keep them all"];
    assert!(remarks.iter().all(|remark| text.contains(remark)), "{text}");
    let program = env!("CARGO_BIN_EXE_ghc-eventlog");
    let found = Command::new(program).arg("find").arg(file.path()).arg("type:span").output().unwrap();
    let said = String::from_utf8_lossy(&found.stderr);
    let notes = [
        "too many spans are open at the same time",
        "the log has more spans than are kept: only the longest and one of",
    ];
    assert!(notes.iter().all(|note| said.contains(note)), "{said}");
}

/// A search for a tag says it if there are too many tags to keep them all: spans without theirs would be found, or not, as if they had none.
#[test]
fn a_search_for_tags_says_that_some_are_not_kept() {
    let found = |count: u64, query: &str| {
        let messages = (0..count).flat_map(|at| {
            let texts = [
                format!("ot2 begin span {at} request"),
                format!("ot2 set tag {at} user u{}", at % 100),
                format!("ot2 end span {at}"),
            ];
            (0..).zip(texts).map(move |(nth, text)| (1000 + at * 100 + nth * (10 + at % 7), text))
        });
        let file = log(&messages.collect::<Vec<_>>());
        let mut find = Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"));
        let output = find.args(["find", "--count"]).arg(file.path()).args(["type:span", query]).output().unwrap();
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    assert_eq!(found(20_000, "user=u7"), ["200\n", ""]);
    for query in ["user=u7", "-user=u7", "u7"] {
        let [_, said] = found(60_000, query);
        assert!(said.contains("there is no room for the tags of all spans"), "{query}: {said}");
    }
    let [_, said] = found(60_000, "label:request");
    assert_eq!(said, "", "labels are all kept");
}
