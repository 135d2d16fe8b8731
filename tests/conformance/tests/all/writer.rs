//! The decoder reads the events that the log writer writes, in every form that they have had.

use conformance::{files, malformed, project};
use fastrand::Rng;
use ghc_eventlog::{
    Block, BlockMarker, CapNo, Chunk, CreateThread, Decoder, EVENTS, Event, EventInfo, EventType, LogWriter, NameError,
    Nanos, Record, Step, StopStatus, StopThread, ThreadId, VARIABLE, Value,
};
use std::path::Path;

/// Payloads tried for each event in each form.
const ROUNDS: usize = 400;

/// Bytes with many NULs, the ends of strings, and many small numbers, so that counts fit.
fn random_byte(random: &mut Rng) -> u8 {
    match random.u8(..4) {
        0 => 0,
        1 => random.u8(..8),
        _ => random.u8(..),
    }
}

/// A payload that holds all fields; strings may leave too little for the fields after them.
fn random_payload(random: &mut Rng, info: &EventInfo, size: u16) -> Vec<u8> {
    loop {
        let length = match size {
            VARIABLE => info.min_size + random.usize(..80),
            size => size.into(),
        };
        let payload: Vec<u8> = (0..length).map(|_| random_byte(random)).collect();
        if parsed(info.tag, &payload).info().is_some() {
            return payload;
        }
    }
}

/// The sizes that a header can declare an event with: the oldest form, the newest, and one with four bytes more, as
/// Mercury has them and newer runtimes may.
fn forms(info: &EventInfo) -> Vec<u16> {
    let newest = EventType::from(info).size;
    match newest {
        VARIABLE => vec![VARIABLE],
        // CREATE_THREAD with four more would be the mark of GHC 6.12, which declares them and does not write them.
        _ => vec![info.min_size as u16, newest, newest + if info.tag == CreateThread::TAG { 6 } else { 4 }],
    }
}

fn parsed(tag: u16, payload: &[u8]) -> Event<'_> {
    Record { offset: 0, time: Nanos(0), tag, cap: None, known: true, payload }.event()
}

/// The log's only record but for block markers.
fn only_record(log: &[u8]) -> Record<'_> {
    let mut decoder = Decoder::new();
    loop {
        match decoder.next(Chunk { bytes: log, offset: 0, last: true }) {
            Ok(Step::Event(record)) if record.tag == BlockMarker::TAG => {}
            Ok(Step::Event(record)) => return record,
            Ok(Step::Header) => {}
            step => panic!("{step:?}"),
        }
    }
}

#[test]
fn every_event_is_read_as_it_was_written_in_all_of_its_forms() {
    let mut random = Rng::with_seed(1);
    for info in EVENTS.iter().filter(|info| info.tag != BlockMarker::TAG) {
        for size in forms(info) {
            for _ in 0..ROUNDS {
                let payload = random_payload(&mut random, info, size);
                assert_read_as_written(info, size, Nanos(random.u64(..) >> 8), parsed(info.tag, &payload));
            }
        }
    }
}

fn assert_read_as_written(info: &EventInfo, size: u16, time: Nanos, event: Event<'_>) {
    let what = format!("{} of {size} bytes: {event:?}", info.name);
    let types = [(BlockMarker::TAG, 14), (info.tag, size)];
    let types = types.map(|(tag, size)| EventType { tag, size, description: "An event".into() });
    let log = |write: &dyn Fn(&mut LogWriter)| {
        let mut log = LogWriter::with_types(&types);
        log.block(Block::of(CapNo(3)), write).end();
        log.finish()
    };
    let written = log(&|block| {
        block.record(time, info.tag, event);
    });
    let record = only_record(&written);
    assert_eq!((record.time, record.tag, record.cap), (time, info.tag, Some(CapNo(3))), "{what}");
    let decoded = record.decode();
    assert_eq!((decoded.event, decoded.flaw), (event, None), "{what}");
    let surplus = if size == VARIABLE { 0 } else { size.saturating_sub(EventType::from(info).size) };
    assert_eq!(decoded.used + usize::from(surplus), record.payload.len(), "{what}");

    let mut fields = Vec::new();
    event.visit(&mut |name, value| fields.push((name, value)));
    let by_name = log(&|block| {
        block.named(time, info.name, &fields).unwrap();
    });
    assert_eq!(by_name, written, "{what}, by name");
}

/// A log whose records are written again is the same, byte for byte; a damaged one up to the damage.
#[test]
fn logs_written_again_are_the_same() {
    for path in files(&project().join("tests/corpus"), "log.eventlog") {
        let folder = path.parent().and_then(Path::file_name).unwrap();
        if malformed::cases().any(|case| folder == case.name) {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let (log, whole) = written_again(&bytes);
        assert!(bytes.starts_with(&log), "{}", path.display());
        assert!(!whole || bytes.len() == log.len(), "{}", path.display());
    }
}

/// The log's records written again, and whether that is all of it.
fn written_again(bytes: &[u8]) -> (Vec<u8>, bool) {
    let (mut log, mut decoder) = (LogWriter::empty(), Decoder::new());
    loop {
        match decoder.next(Chunk { bytes, offset: 0, last: true }) {
            Ok(Step::Header) => log.header(decoder.header().types()),
            Ok(Step::Event(record)) => log.record(record.time, record.tag, record.event()),
            Ok(Step::End) => {
                log.end();
                return (log.finish(), true);
            }
            Ok(Step::Notice(_) | Step::Need(_)) | Err(_) => return (log.finish(), false),
        };
    }
}

#[test]
fn block_markers_fit_their_contents_by_default() {
    let create = CreateThread { thread: ThreadId(1) };
    let mut log = LogWriter::new();
    let from = log.offset();
    log.block(Block::GLOBAL, |block| {
        block.event(Nanos(70), create).event(Nanos(50), create).event(Nanos(60), create);
    });
    log.block(Block { size: Some(7), end_time: Some(Nanos(9)), ..Block::of(CapNo(2)) }, |_| {});
    let log = log.finish();
    let marker = |at: usize| (&log[at + 2..at + 10], BlockMarker::read(&log[at + 10..at + 24]));
    let expected = BlockMarker { size: 24 + 3 * 14, end_time: Nanos(70), cap: CapNo::GLOBAL };
    assert_eq!(marker(from), (&50u64.to_be_bytes()[..], expected));
    let expected = BlockMarker { size: 7, end_time: Nanos(9), cap: CapNo(2) };
    assert_eq!(marker(from + 24 + 3 * 14), (&60u64.to_be_bytes()[..], expected));
}

#[test]
fn events_have_names() {
    let mut by_name = LogWriter::empty();
    by_name.named(Nanos(5), "STOP_THREAD", &[("status", 18.into()), ("thread", Value::Thread(ThreadId(7)))]).unwrap();
    let mut by_type = LogWriter::empty();
    by_type.event(Nanos(5), StopThread { thread: ThreadId(7), status: StopStatus(18), info: None });
    assert_eq!(by_name.finish(), by_type.finish());
    let refused = |name, fields: &[(&str, Value<'_>)]| LogWriter::empty().named(Nanos(0), name, fields).err();
    assert_eq!(refused("STOP", &[]), Some(NameError::Event));
    assert_eq!(refused("STOP_THREAD", &[("tread", 7.into())]), Some(NameError::Field));
    assert_eq!(refused("STOP_THREAD", &[("status", 65536.into())]), Some(NameError::Value("status")));
    assert_eq!(refused("STOP_THREAD", &[("thread", "one".into())]), Some(NameError::Value("thread")));
    assert_eq!(refused("USER_MSG", &[("text", "one".into())]), None);
    assert_eq!(refused("HEAP_PROF_SAMPLE_STRING", &[("label", "a\0b".into())]), Some(NameError::Value("label")));
}
