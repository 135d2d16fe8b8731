//! Logs whose header is damaged (FORMAT 5.3): one bit must not cost the log.

use conformance::{decode_in_steps, files, model_in_steps, project, shared_logs};
use ghc_eventlog::{
    Block, CapNo, Decoder, EventType, GcEnd, GcStart, LogWriter, Nanos, Record, RequestParGc, known_types,
};
use ghc_eventlog_model::Totals;
use std::fs;

type Event = (u64, u64, u16, Option<u16>, usize);

fn event(_: &Decoder, record: Record<'_>) -> Event {
    (record.offset, record.time.0, record.tag, record.cap.map(|cap| cap.0), record.payload.len())
}

/// Where the data begins.
fn header_length(log: &[u8]) -> Option<usize> {
    let end = log.windows(12).position(|bytes| bytes == b"hetehdredatb")?;
    log.starts_with(b"hdrbhetb").then_some(end + 12)
}

/// Sound logs as GHC writes them, each once for every header.
fn sound_logs() -> Vec<(String, Vec<u8>)> {
    let mut logs: Vec<(String, Vec<u8>)> = Vec::new();
    let corpus = files(&project().join("tests/corpus"), "log.eventlog").into_iter();
    let corpus = corpus.filter(|path| !path.to_string_lossy().contains("malformed"));
    for path in corpus.chain(shared_logs()) {
        let name = path.display().to_string();
        let log = fs::read(&path).unwrap();
        let Some(end) = header_length(&log) else { continue };
        let decoded = decode_in_steps(&log, log.len(), event);
        // Large logs would only take longer, and what is written by hand has descriptions of its own.
        if decoded.notices.is_empty() && decoded.events.len() > 20 && log.len() < 300_000 && end > 2000 {
            logs.push((name, log));
        }
    }
    logs
}

/// The totals of collections, which depend on the events that the runtime has.
fn collections(log: &[u8]) -> Totals {
    model_in_steps(log, log.len()).collections().total()
}

/// A log as GHC 7.4 writes it: only the request shows which capability collects.
fn old_log() -> Vec<u8> {
    let types: Vec<EventType> = known_types().into_iter().filter(|declared| declared.tag <= 44).collect();
    let mut log = LogWriter::with_types(&types);
    for cap in 0..2 {
        log.block(Block::of(CapNo(cap)), |block| {
            for start in (1000..40_000).step_by(1000) {
                if cap == 0 {
                    block.event(Nanos(start), RequestParGc {});
                }
                block.event(Nanos(start + 10), GcStart {}).event(Nanos(start + 500), GcEnd {});
            }
        });
    }
    log.end();
    log.finish()
}

/// The log as a GHC would write it that has other descriptions for its events.
fn reworded(log: &[u8]) -> Vec<u8> {
    let mut log = log.to_vec();
    let mut at = 8;
    while log[at..].starts_with(b"etb\0") {
        let length = u32::from_be_bytes(log[at + 8..at + 12].try_into().unwrap()) as usize;
        log[at + 12..at + 12 + length].reverse();
        at += 12 + length + 8;
    }
    log
}

#[test]
fn one_flipped_bit_in_the_header_costs_no_event() {
    let mut logs = sound_logs();
    logs.push(("an old log".to_string(), old_log()));
    assert!(logs.len() > 10, "the corpus is there");
    let new = logs.iter().map(|(name, log)| (format!("reworded {name}"), reworded(log))).collect();
    assert!(come_out_whole(logs) > 0.99);
    // Then descriptions do not help.
    assert!(come_out_whole(new) > 0.97);
}

/// Flips bits in headers; returns the share of these logs whose events are all read.
fn come_out_whole(logs: Vec<(String, Vec<u8>)>) -> f64 {
    let mut random = fastrand::Rng::with_seed(9);
    let (mut tries, mut whole, mut told) = (0u32, 0u32, 0);
    for (name, log) in logs {
        let end = header_length(&log).unwrap();
        let expected = decode_in_steps(&log, log.len(), event).events;
        let collected = collections(&log);
        for _ in 0..300 {
            let (at, bit) = (random.usize(..end), random.u8(..8));
            let mut damaged = log.clone();
            damaged[at] ^= 1 << bit;
            let read = decode_in_steps(&damaged, damaged.len(), event);
            tries += 1;
            told += usize::from(!read.notices.is_empty());
            if read.events == expected && collections(&damaged) == collected {
                whole += 1;
            } else {
                println!("{name}: bit {bit} of byte {at}: {:?} {:?}", read.error, read.notices.first());
            }
        }
    }
    println!("{whole} of {tries} logs with one flipped bit in the header came out whole; of {told} something was said");
    f64::from(whole) / f64::from(tries)
}

/// Small logs with sizes that GHC never writes, or that GHC has declared by mistake.
const IN_DOUBT: [&str; 10] = [
    "false-length-6.12",
    "false-length-9.3",
    "false-length-9.3-right",
    "malformed-12-size-damaged",
    "malformed-12-type-twice-first-right",
    "malformed-12-variable-size-damaged",
    "malformed-20-larger",
    "malformed-20-march-2009",
    "malformed-20-other-fields",
    "malformed-20-too-small",
];

/// Cut off anywhere, such a log has the events before the cut, except those that depend on what follows. In chunks of
/// any size it has the same events.
#[test]
fn sizes_in_doubt_are_decided_alike_in_any_chunks_and_at_any_cut() {
    for name in IN_DOUBT {
        let log = fs::read(project().join("tests/corpus").join(name).join("log.eventlog")).unwrap();
        let whole = decode_in_steps(&log, log.len(), event);
        for step in [1, 13, 100] {
            assert_eq!(decode_in_steps(&log, step, event), whole, "{name} in steps of {step}");
        }
        let from = header_length(&log).unwrap();
        for cut in from..log.len() {
            let part = decode_in_steps(&log[..cut], cut, event).events;
            let before = whole.events.iter().take_while(|event| event.0 < cut as u64).count();
            let sure = before.saturating_sub(2);
            assert!(part.len() >= sure && part.len() <= before, "{name} cut at {cut}: {} of {before}", part.len());
            assert_eq!(part[..sure], whole.events[..sure], "{name} cut at {cut}");
        }
    }
}
