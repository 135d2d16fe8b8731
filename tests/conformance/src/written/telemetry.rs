//! What libraries and tools write into messages to mark spans and to log values (FORMAT 7.1 and 7.2).

use super::*;
use ghc_eventlog::{CapNo, RunThread, StopStatus, StopThread, ThreadId, UserBinaryMsg, UserMarker, UserMsg};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "written-span-words",
        what: "spans in the words of ghc-events-analyze, hperf, GHC, trace-foreign-calls, haddock and opentelemetry-haskell, some as \
               markers and some twice; numbers after words; and messages that only look like them",
        make: words,
    },
    Case {
        name: "written-telemetry",
        what: "bytes of opentelemetry-haskell as Haskell Language Server writes them: spans of two threads with tags, instants, parents \
               and numbers, and instruments of four kinds on two capabilities, one declared after its values; between them, messages \
               that are cut, of unknown types, or of what is not there",
        make: telemetry,
    },
];

/// A log of two capabilities, with markers.
fn log_of(contents: impl FnOnce(&mut LogWriter)) -> Vec<u8> {
    let used = |tag| matches!(tag, 0..=2 | 18 | 19 | 29 | 30 | 45 | 58 | 181);
    let mut log = LogWriter::with_types(&named_types(used));
    process(&mut log);
    contents(&mut log);
    log.end();
    log.finish()
}

/// A block of a capability in which one thread runs all the time, from one microsecond to another.
fn block(log: &mut LogWriter, cap: u16, (from, to): (u64, u64), contents: impl FnOnce(&mut LogWriter)) {
    let thread = ThreadId(u32::from(cap) + 1);
    log.block(Block::of(CapNo(cap)), |log| {
        log.event(us(from), RunThread { thread });
        contents(log);
        log.event(us(to), StopThread { thread, status: StopStatus(3), info: Some(0) });
    });
}

fn words() -> Vec<u8> {
    log_of(|log| {
        block(log, 0, (100, 1000), |log| {
            let mut at = 100;
            let mut say = |is_marker: bool, text: &str| {
                at += 10;
                match is_marker {
                    true => log.event(us(at), UserMarker { text: Text(text.as_bytes()) }),
                    false => log.event(us(at), UserMsg { text: Text(text.as_bytes()) }),
                };
            };
            // GHC writes both with -ddump-timings: what the second says is nothing new.
            for (what, allocs) in [("Parser [Main]", 4000), ("Desugar [Main]", 9000), ("Parser [Lib]", 500)] {
                for word in ["started", "finished"] {
                    [true, false].into_iter().for_each(|is_marker| say(is_marker, &format!("GHC:{word}: {what}")));
                }
                say(true, &format!("GHC:allocs:{allocs}"));
            }
            let texts = [
                "START outer",
                "START:12 inner",
                "queue 17",
                "STOP:12 inner",
                "queue 3",
                "END outer",
                "trace-foreign-calls: call c_sin (capi safe) at Main.hs:3",
                "trace-foreign-calls: return c_sin",
                // Only the first has both words.
                "renaming started",
                "renaming ended",
                "server started",
                "the party ended",
                "queue: -4",
                "ot2 begin span 7 GET /",
                "ot2 set tag 7 path /index.html",
                "ot2 add event 7 cache miss",
                "ot2 end span 7",
                // Two numbers are no line.
                "depth 1",
                "depth 2",
                "at 12:30:45",
            ];
            texts.into_iter().for_each(|text| say(false, text));
            // The same twice in one kind of event is two spans.
            ["START twice", "START twice", "STOP twice", "STOP twice"].into_iter().for_each(|text| say(true, text));
            ["begin own", "done own", "lamp on", "lamp off"].into_iter().for_each(|text| say(false, text));
        });
    })
}

/// A message of a type, with its fields.
pub fn otel(kind: u8, fields: &[&[u8]]) -> Vec<u8> {
    [&b"OT\x03"[..], &[kind], &fields.concat()].concat()
}

/// A tag (3) or an instant (4) of a span.
pub fn pair(kind: u8, span: u64, key: &str, value: &str) -> Vec<u8> {
    let [keys, values] = [key, value].map(|text| (text.len() as u32).to_le_bytes());
    otel(kind, &[&span.to_le_bytes(), &keys, &values, key.as_bytes(), value.as_bytes()])
}

fn begin_span(span: u64, name: &str) -> Vec<u8> {
    otel(1, &[&span.to_le_bytes(), name.as_bytes()])
}

fn end_span(span: u64) -> Vec<u8> {
    otel(2, &[&span.to_le_bytes()])
}

fn numbers(kind: u8, numbers: &[u64]) -> Vec<u8> {
    let numbers: Vec<[u8; 8]> = numbers.iter().map(|number| number.to_le_bytes()).collect();
    otel(kind, &[numbers.as_flattened()])
}

fn declare(kind: u8, instrument: u64, name: &str) -> Vec<u8> {
    otel(8, &[&[kind], &instrument.to_le_bytes(), name.as_bytes()])
}

fn value(instrument: u64, value: i64) -> Vec<u8> {
    numbers(9, &[instrument, value as u64])
}

fn telemetry() -> Vec<u8> {
    let write = |log: &mut LogWriter, from: u64, messages: &[Vec<u8>]| {
        for (at, bytes) in (from..).step_by(10).zip(messages) {
            log.event(us(at), UserBinaryMsg { bytes });
        }
    };
    log_of(|log| {
        // In the file the second capability comes first, and so do the values before their instrument.
        block(log, 1, (195, 700), |log| {
            write(
                log,
                205,
                &[
                    begin_span(2, "kick"),
                    pair(3, 2, "File", "src/B.hs"),
                    value(101, 5),
                    value(100, 1),
                    numbers(5, &[2, 0xabc, 0x7777]),
                    end_span(2),
                    value(100, -1),
                    value(102, 30),
                    // Of nothing that is there.
                    pair(3, 99, "File", "src/B.hs"),
                    value(555, 1),
                ],
            );
        });
        block(log, 0, (100, 800), |log| {
            write(
                log,
                110,
                &[
                    declare(2, 100, "in flight"),
                    declare(1, 101, "requests"),
                    declare(6, 102, "values map size_bytes"),
                    declare(3, 103, "never used"),
                    begin_span(1, "GetModIface"),
                    numbers(7, &[1, 0xabc]),
                    numbers(6, &[1, 0x7777]),
                    pair(3, 1, "File", "src/A.hs"),
                    pair(3, 1, "kind", "rule"),
                    value(100, 1),
                    value(101, 2),
                    value(102, 10),
                ],
            );
            write(
                log,
                400,
                &[
                    pair(4, 1, "result", "ChangedStore"),
                    value(102, -20),
                    value(100, -1),
                    end_span(1),
                    begin_span(3, "kick"),
                    pair(3, 3, "File", "src/A.hs"),
                    // Cut, of unknown types, with lengths beyond the end, and of an unknown kind of instrument.
                    numbers(2, &[])[..3].to_vec(),
                    pair(3, 3, "File", "src/A.hs")[..26].to_vec(),
                    numbers(10, &[3]),
                    numbers(0, &[3]),
                    otel(3, &[&3u64.to_le_bytes(), &[0xff; 8], b"key value"]),
                    declare(9, 104, "of no kind"),
                ],
            );
        });
    })
}
