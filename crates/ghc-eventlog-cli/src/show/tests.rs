//! Properties that hold for every log, good or bad: for any size of the pieces, `show` has the events that a decoder
//! finds from the log's first byte to its last, and takes no more memory than its bounds.

use super::*;
use crate::{
    input::Log,
    testing::{each_mutant, logs},
};
use ghc_eventlog::{
    Block, BlockMarker, CapNo, Chunk, Decoder, LogWriter, Nanos, RunThread, Step, StopThread, ThreadId,
};
use ghc_eventlog::{StopStatus, UserMsg, known_types};
use std::{fs, io::Write};

const SMALL_LIMITS: Bounds = Bounds { held_bytes: 1 << 14, sorted_bytes: 1 << 12, runs_per_level: 3, ..BOUNDS };

/// One event in a piece, 4 KiB, the usual size, and the whole log in one piece.
const PIECE_BYTES: [u64; 4] = [1, 4 << 10, BOUNDS.piece_bytes, u64::MAX];

/// Offset, time, number, capability, whether it is known, payload.
type Event = (u64, Nanos, u16, Option<CapNo>, bool, Vec<u8>);

fn event(record: &ghc_eventlog::Record<'_>) -> Event {
    (record.offset, record.time, record.tag, record.cap, record.known, record.payload.to_vec())
}

/// The events of a plain decode from the start; `None` if nothing can be read.
fn decoded(log: &[u8]) -> Option<Vec<Event>> {
    let mut decoder = Decoder::new();
    let mut events = Vec::new();
    loop {
        match decoder.next(Chunk { bytes: log, offset: 0, last: true }).ok()? {
            Step::Event(record) => events.push(event(&record)),
            Step::Need(_) | Step::End => return Some(events),
            Step::Header | Step::Notice(_) => {}
        }
    }
}

fn source(log: &[u8]) -> (tempfile::NamedTempFile, Source) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(log).unwrap();
    let source = Source::of(Log::open(file.path().as_os_str(), None).unwrap()).unwrap();
    (file, source)
}

/// The events of the merge, in its order, and the memory and files that it took; `None` if nothing can be read.
fn merged(source: &mut Source, bounds: Bounds) -> Option<(Vec<Event>, merge::Peak)> {
    let pieces = Pieces::of(source, bounds.piece_bytes, &mut Losses::silent()).unwrap()?;
    let mut events = Vec::new();
    let peak = merge::in_order(source, &pieces, bounds, |item| {
        events.push(event(&item.record));
        Ok(())
    });
    Some((events, peak.unwrap()))
}

/// Compares `show` with a plain decode; returns how many events they have.
fn agree(log: &[u8], piece_bytes: &[u64], what: &str) -> usize {
    let mut expected = decoded(log);
    if let Some(events) = &mut expected {
        // A stable sort, and the events are in file order.
        events.sort_by_key(|event| event.1);
    }
    let (_file, mut source) = source(log);
    for &piece_bytes in piece_bytes {
        for bounds in [Bounds { piece_bytes, ..BOUNDS }, Bounds { piece_bytes, ..SMALL_LIMITS }] {
            let found = merged(&mut source, bounds).map(|(events, _)| events);
            let differs = |index: &usize| {
                let event =
                    |events: &Option<Vec<Event>>| events.as_ref().and_then(|events| events.get(*index).cloned());
                event(&expected) != event(&found)
            };
            let longest = [&expected, &found].into_iter().flatten().map(Vec::len).max().unwrap_or(0);
            if let Some(index) = (0..longest).find(differs) {
                let event = |events: &Option<Vec<Event>>| events.as_ref().and_then(|events| events.get(index).cloned());
                panic!(
                    "{what}, {piece_bytes} bytes a piece: event {index} is {:?}, not {:?}",
                    event(&found),
                    event(&expected)
                );
            }
            assert_eq!(found.is_none(), expected.is_none(), "{what}");
        }
    }
    expected.map_or(0, |events| events.len())
}

#[test]
fn the_events_are_those_of_a_plain_decode_whatever_the_pieces() {
    let mut events = 0;
    for path in logs() {
        let log = fs::read(&path).unwrap();
        // With one event in a piece, each event costs a read of 4 KiB.
        let sizes = if log.len() > 1 << 20 { &PIECE_BYTES[1..] } else { &PIECE_BYTES };
        events += agree(&log, sizes, &path.display().to_string());
    }
    assert!(events > 30_000, "{events}");
}

/// Mutants of each small log: some 800 in all.
const MUTANTS: usize = 6;

#[test]
fn mutants_have_the_events_of_a_plain_decode_too() {
    each_mutant(MUTANTS, |log, what| {
        agree(log, &PIECE_BYTES, what);
    });
}

/// The events of each capability span the whole time, so that every piece overlaps every other.
fn all_overlap(caps: u16, events: u64) -> Vec<u8> {
    let mut log = LogWriter::with_types(&known_types());
    for cap in 0..caps {
        log.block(Block::of(CapNo(cap)), |block| {
            for event in 0..events {
                let thread = ThreadId(u32::from(cap) + 1);
                block.event(Nanos(1000 + event * 10 + u64::from(cap) % 10), RunThread { thread });
                let stop = StopThread { thread, status: StopStatus(5), info: Some(0) };
                block.event(Nanos(1005 + event * 10 + u64::from(cap) % 10), stop);
            }
        });
    }
    log.end();
    log.finish()
}

#[test]
fn memory_is_bounded_when_all_pieces_overlap() {
    let log = all_overlap(400, 200);
    let mut expected = decoded(&log).unwrap();
    expected.sort_by_key(|event| event.1);
    let (_file, mut source) = source(&log);
    // Some 800 pieces of 4 KiB, of which 20 fit into memory.
    let bounds = Bounds { piece_bytes: 4 << 10, held_bytes: 400 << 10, runs_per_level: 4, ..BOUNDS };
    let (events, peak) = merged(&mut source, bounds).unwrap();
    assert!(events == expected, "the order is that of time, then of the file");
    let a_piece = 32 << 10;
    assert!(peak.held_bytes < bounds.held_bytes + a_piece, "{peak:?}");
    assert!(peak.held_bytes > bounds.held_bytes / 2, "the pieces do overlap: {peak:?}");
    // Three levels of runs, of three each.
    assert!((3..=9).contains(&peak.runs), "{peak:?}");
}

#[test]
fn junk_of_any_length_is_not_held() {
    let mut log = LogWriter::new();
    let one_event = |log: &mut LogWriter, time| {
        log.block(Block::of(CapNo(0)), |block| {
            block.event(Nanos(time), RunThread { thread: ThreadId(1) });
        });
    };
    one_event(&mut log, 10);
    log.bytes(&vec![0xee; 4 << 20]);
    one_event(&mut log, 20);
    log.end();
    let log = log.finish();
    agree(&log, &PIECE_BYTES, "junk");
    let (_file, mut source) = source(&log);
    let (events, peak) = merged(&mut source, BOUNDS).unwrap();
    assert_eq!(events.len(), 4);
    assert!(peak.held_bytes < 1 << 20, "{peak:?}");
}

/// Streams do not each take a piece, although each has a header.
#[test]
fn a_log_of_many_streams_has_few_pieces() {
    let types: Vec<_> = known_types().into_iter().filter(|known| [1, 18].contains(&known.tag)).collect();
    let mut log = LogWriter::empty();
    for stream in 0..2000 {
        log.header(&types).block(Block::of(CapNo(0)), |block| {
            block.event(Nanos(stream + 1), RunThread { thread: ThreadId(1) });
        });
        log.end();
    }
    let log = log.finish();
    agree(&log, &PIECE_BYTES, "streams");
    let (_file, mut source) = source(&log);
    let pieces = Pieces::of(&mut source, BOUNDS.piece_bytes, &mut Losses::silent()).unwrap().unwrap();
    assert_eq!(pieces.list.len() as u64, (log.len() as u64).div_ceil(BOUNDS.piece_bytes));
    assert_eq!(pieces.headers.len(), 1);
}

/// The output for a log, within these bounds.
fn shown(log: &[u8], grouping: Grouping, bounds: Bounds) -> Vec<u8> {
    let mut out = Vec::new();
    let (_file, source) = source(log);
    show_within(bounds, source, grouping, Style::default(), &mut out).unwrap();
    out
}

#[test]
fn groups_are_the_same_from_memory_and_from_files() {
    let mut logs: Vec<_> =
        logs().iter().map(|path| fs::read(path).unwrap()).filter(|log| log.len() < 256 << 10).collect();
    logs.push(all_overlap(50, 30));
    for log in logs {
        for grouping in [Grouping::Caps, Grouping::Threads] {
            let bounds = Bounds { piece_bytes: 4 << 10, ..SMALL_LIMITS };
            assert!(shown(&log, grouping, BOUNDS) == shown(&log, grouping, bounds), "{grouping:?}");
        }
    }
}

#[test]
fn groups_are_in_order_and_their_events_in_order_of_time() {
    let log = all_overlap(300, 20);
    for grouping in [Grouping::Caps, Grouping::Threads] {
        let text = String::from_utf8(shown(&log, grouping, SMALL_LIMITS)).unwrap();
        let (_, events) = text.split_once("Indexed Events:\n").unwrap();
        let (mut groups, mut last) = (Vec::new(), 0);
        for line in events.lines().filter(|line| !["", "Nothing"].contains(line)) {
            match line.strip_prefix("Just ") {
                Some(group) => {
                    groups.push(group.parse::<u32>().unwrap());
                    last = 0;
                }
                None => {
                    let time = line.trim_start().split_once(':').unwrap().0.parse().unwrap_or(last);
                    assert!(time >= last, "{line}");
                    last = time;
                }
            }
        }
        let first = if grouping == Grouping::Caps { 0 } else { 1 };
        assert_eq!(groups, (first..first + 300).collect::<Vec<_>>());
    }
}

/// The file changes after it was cut into pieces: its new contents are never shown.
#[test]
fn a_changed_file_gives_an_error_and_its_new_contents_are_not_shown() {
    let log = all_overlap(40, 50);
    let (mut text, at) = (LogWriter::new(), 100);
    text.block(Block::of(CapNo(0)), |block| {
        block.event(Nanos(at), UserMsg { text: ghc_eventlog::Text(b"one") });
    });
    // The last byte of the last event's payload, before the end mark.
    let mut payload_changed = log.clone();
    let place = payload_changed.len() - 3;
    payload_changed[place] ^= 1;
    for now in [&log[..log.len() / 2], &log[..0], &text.finish(), &vec![0; log.len()], &payload_changed] {
        let (file, mut source) = source(&log);
        let pieces = Pieces::of(&mut source, 4 << 10, &mut Losses::silent()).unwrap().unwrap();
        fs::write(file.path(), now).unwrap();
        let before = decoded(&log).unwrap();
        let bounds = Bounds { piece_bytes: 4 << 10, ..BOUNDS };
        let end = merge::in_order(&mut source, &pieces, bounds, |item| {
            assert!(before.contains(&event(&item.record)));
            Ok(())
        });
        let error = end.map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("while it was being read"), "{error}");
    }
}

/// A log that is still being written is shown as it was when it was first read.
#[test]
fn a_file_that_grows_is_shown_as_it_was_at_first() {
    let log = all_overlap(40, 50);
    let begun = &log[..log.len() * 2 / 3];
    let (file, mut source) = source(begun);
    let pieces = Pieces::of(&mut source, 4 << 10, &mut Losses::silent()).unwrap().unwrap();
    fs::write(file.path(), &log).unwrap();
    let mut events = Vec::new();
    let bounds = Bounds { piece_bytes: 4 << 10, ..BOUNDS };
    merge::in_order(&mut source, &pieces, bounds, |item| {
        events.push(event(&item.record));
        Ok(())
    })
    .unwrap();
    let mut expected = decoded(begun).unwrap();
    expected.sort_by_key(|event| event.1);
    assert!(events == expected);
    assert!(events.iter().any(|event| event.2 == BlockMarker::TAG));
}
