//! Logs of which every byte can be read, and whose figures are wrong nevertheless: that is said beside them.

use conformance::{model_in_steps, replay};
use ghc_eventlog::{
    Block, CapNo, Chunk, CreateThread, Decoder, LogWriter, Nanos, NoticeKind, RunThread, Step, StopStatus, StopThread,
    ThreadId,
};
use ghc_eventlog_model::{DiagnosticKind, Facts, Model, Value};

const MS: u64 = 1_000_000;

/// Blocks of two capabilities in turn, with a run in each, from the first to the last event.
fn blocks() -> Vec<Vec<u8>> {
    let block = |at: u64| {
        let mut log = LogWriter::new();
        let header = log.offset();
        let thread = ThreadId(1 + at as u32 % 2);
        log.block(Block::of(CapNo(at as u16 % 2)), |block| {
            let begin = (1 + at / 2) * 100 * MS;
            for run in 0..10 {
                let begin = Nanos(begin + run * MS);
                block.event(begin, RunThread { thread });
                block.event(begin.plus(Nanos(MS / 2)), StopThread { thread, status: StopStatus(3), info: Some(0) });
            }
        });
        log.finish()[header..].to_vec()
    };
    (0..10).map(block).collect()
}

/// The log of these blocks.
fn log(blocks: &[Vec<u8>]) -> Vec<u8> {
    let mut log = LogWriter::new();
    log.bytes(&blocks.concat());
    log.end();
    log.finish()
}

fn read(log: &[u8]) -> Model {
    let mut model = model_in_steps(log, log.len());
    replay(&mut model, log);
    model
}

/// What is said of it: by the finding, beside the capabilities' times, and of the log itself.
fn said(log: &[u8]) -> (String, String, Value) {
    let model = read(log);
    let findings = model.findings();
    let finding = findings.list.iter().find(|finding| finding.id == "log-damaged").unwrap();
    assert_eq!(finding.level.is_found(), !model.facts(None).section("caps").unwrap().remarks.is_empty());
    let facts: Facts = model.facts(None);
    let whole = facts.section("log").unwrap();
    let caps = facts.section("caps").unwrap().remark_text().unwrap_or_default();
    assert_eq!(whole.remark_text().unwrap_or_default(), caps);
    (finding.text.text(Nanos(0)), caps, whole.get("complete").unwrap().value.clone())
}

fn complete(is: bool) -> Value {
    Value::words(if is { "yes" } else { "no" })
}

#[test]
fn of_a_sound_log_nothing_is_said() {
    assert_eq!(said(&log(&blocks())), ("All of the log could be read.".into(), String::new(), complete(true)));
}

#[test]
fn blocks_out_of_order_are_named() {
    let mut swapped = blocks();
    swapped.swap(4, 6);
    let (finding, beside, whole) = said(&log(&swapped));
    let expected = "The times of 20 events go back, by up to 109.5 ms: events are out of order or have false times, and so the times of runs, collections, threads and spans are wrong.";
    assert_eq!(finding, expected);
    assert!(beside.starts_with("Times of the log go back"), "{beside}");
    assert_eq!(whole, complete(false));
}

/// The block lacks a few events in its middle, but its size counts them.
fn with_hole() -> (Vec<u8>, u64) {
    let mut all = blocks();
    let run = 14 + 20;
    all[4].drain(24 + 4 * run..24 + 6 * run);
    (log(&all), 2 * run as u64)
}

#[test]
fn bytes_that_a_block_lacks_are_a_loss() {
    let (log, missing) = with_hole();
    let mut decoder = Decoder::new();
    let mut lacking = Vec::new();
    loop {
        match decoder.next(Chunk { bytes: &log, offset: 0, last: true }).unwrap() {
            Step::Notice(notice) => lacking.push(notice.kind),
            Step::End => break,
            _ => {}
        }
    }
    assert_eq!(lacking, [NoticeKind::BlockLacks(missing)]);
    let (finding, beside, whole) = said(&log);
    assert!(finding.starts_with("68 B are missing from blocks"), "{finding}");
    assert!(beside.starts_with("Events are missing from blocks"), "{beside}");
    assert_eq!(whole, complete(false));
    // What the capability did until its next event is not known; of the others, nothing is lost.
    let model = read(&log);
    let caps: Vec<_> = model.facts(None).section("caps").unwrap().figures.clone();
    let not_known = caps.iter().find(|figure| figure.key == "not_known_ns").unwrap();
    assert_eq!(not_known.value, Value::Duration(Nanos(100 * MS - 9 * MS - MS / 2)));
}

/// Without pieces, and in pieces: the loss is before the marker, so whoever begins there knows as much.
#[test]
fn a_loss_at_the_end_of_a_block_is_the_same_in_pieces() {
    let (log, _) = with_hole();
    let whole = read(&log).diagnostics().list().to_vec();
    for step in [1, 7, 100] {
        assert_eq!(model_in_steps(&log, step).diagnostics().list(), whole, "{step}");
    }
}

/// A run without its end, and a stop without a run.
#[test]
fn ends_and_begins_that_are_missing_are_named() {
    let mut one = LogWriter::new();
    one.block(Block::of(CapNo(0)), |block| {
        let stop = |thread| StopThread { thread: ThreadId(thread), status: StopStatus(3), info: Some(0) };
        block
            .event(Nanos(MS), CreateThread { thread: ThreadId(1) })
            .event(Nanos(MS), RunThread { thread: ThreadId(1) });
        block.event(Nanos(2 * MS), RunThread { thread: ThreadId(2) }).event(Nanos(3 * MS), stop(2));
        block.event(Nanos(4 * MS), stop(1));
    });
    one.end();
    let (finding, beside, whole) = said(&one.finish());
    let expected = "The end of 1 run or collection is missing: its time is wrong. The begin of 1 run is missing: its time is not counted.";
    assert_eq!(finding, expected);
    assert!(beside.starts_with("Ends or begins of runs"), "{beside}");
    assert_eq!(whole, complete(false));
}

/// Two logs in one file, whose clocks both begin at 0: the times of the second are not called out of order.
#[test]
fn a_second_log_with_a_clock_of_its_own_is_named() {
    let one = log(&blocks());
    let two = [one.clone(), one].concat();
    let (finding, beside, whole) = said(&two);
    assert!(finding.starts_with("The log of another process follows, whose clock begins anew"), "{finding}");
    assert!(beside.starts_with("The log of another process follows") && !beside.contains("go back"), "{beside}");
    assert_eq!(whole, complete(false));
    let model = read(&two);
    let is_wrong = |kind: DiagnosticKind| matches!(kind, DiagnosticKind::OtherProcess { .. });
    assert!(model.diagnostics().disorder().all(is_wrong), "{:?}", model.diagnostics());
}
