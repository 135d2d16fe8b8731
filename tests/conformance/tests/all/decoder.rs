//! The decoder's steps: the capabilities of events, positions to resume at, what follows the end mark, and notices.

use conformance::decode_in_steps;
use ghc_eventlog::{
    Block, BlockMarker, CapNo, Chunk, CreateThread, Decoder, ErrorKind, Event, EventType, LogWriter, Nanos, Notice,
    NoticeKind, RunThread, Step, Text, ThreadId, ThreadLabel, limits,
};
use std::ops::ControlFlow;

const SECOND: u64 = Nanos::SECOND.0;

/// An event, by its time and its capability.
type Known = (u64, Option<u16>);

/// The events of a log without block markers, and its notices. Checks that they are the same in one chunk and bit by
/// bit.
fn decoded(log: &[u8]) -> (Vec<Known>, Vec<String>) {
    let in_steps = |step| {
        let event = |_: &Decoder, record: ghc_eventlog::Record<'_>| {
            (record.tag != BlockMarker::TAG).then_some((record.time.0, record.cap.map(|cap| cap.0)))
        };
        let decoded = decode_in_steps(log, step, event);
        assert_eq!(decoded.error, None);
        let notices = decoded.notices.iter().map(ToString::to_string).collect::<Vec<_>>();
        (decoded.events.into_iter().flatten().collect::<Vec<_>>(), notices)
    };
    let at_once = in_steps(log.len());
    assert_eq!(in_steps(1), at_once);
    at_once
}

fn run(log: &mut LogWriter, time: u64) {
    log.event(Nanos(time), RunThread { thread: ThreadId(1) });
}

/// Bytes of what [`run`] writes.
const RUN: u64 = 14;

/// A decoder that has read the header.
fn after_header(log: &[u8]) -> Decoder {
    let mut decoder = Decoder::new();
    assert!(matches!(decoder.next(all(log)), Ok(Step::Header)));
    decoder
}

fn all(log: &[u8]) -> Chunk<'_> {
    Chunk { bytes: log, offset: 0, last: true }
}

/// Blocks of a few events each, of capabilities 0, 1, 2.
fn blocks() -> Vec<u8> {
    let mut log = LogWriter::new();
    for cap in 0..3 {
        log.block(Block::of(CapNo(cap)), |block| (0..5).for_each(|at| run(block, SECOND + u64::from(cap) * 10 + at)));
    }
    log.end();
    log.finish()
}

#[test]
fn events_have_the_capability_of_their_block() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(3)), |block| [10, 11].into_iter().for_each(|time| run(block, time)));
    run(&mut log, 12);
    log.block(Block::GLOBAL, |block| run(block, 13));
    // The reference gives the first event after an empty block to the block's capability.
    log.block(Block::of(CapNo(5)), |_| {});
    [14, 15].into_iter().for_each(|time| run(&mut log, time));
    log.end();
    let (events, notices) = decoded(&log.finish());
    assert_eq!(events, [(10, Some(3)), (11, Some(3)), (12, None), (13, None), (14, Some(5)), (15, None)]);
    assert!(notices.is_empty(), "{notices:?}");
}

/// The block has all events up to the next marker.
#[test]
fn a_block_with_an_impossible_size_is_left_open() {
    for size in [0, 23] {
        let mut log = LogWriter::new();
        log.block(Block { size: Some(size), ..Block::of(CapNo(1)) }, |block| (10..13).for_each(|at| run(block, at)));
        log.block(Block::of(CapNo(2)), |block| run(block, 20));
        log.end();
        let (events, notices) = decoded(&log.finish());
        assert_eq!(events, [(10, Some(1)), (11, Some(1)), (12, Some(1)), (20, Some(2))]);
        assert!(notices.len() == 1 && notices[0].starts_with(&format!("a block claims to have {size} byte")));
    }
}

/// With the end mark in the last block, as GHC writes it now, after it, as GHC once did, and without one.
#[test]
fn missing_bytes_of_the_last_block_are_reported() {
    for (within, behind) in [(true, false), (false, true), (false, false)] {
        for missing in [0, 1, 700] {
            let mut log = LogWriter::new();
            // After the block's end, the mark does not belong to the block, unless the block is longer.
            let end = 2 * u32::from(within || behind && missing > 0);
            let size = 24 + RUN as u32 + end + missing;
            log.block(Block { size: Some(size), ..Block::of(CapNo(0)) }, |block| run(block, 10));
            if within || behind {
                log.end();
            }
            let (events, mut notices) = decoded(&log.finish());
            assert_eq!(events, [(10, Some(0))]);
            notices.retain(|notice| !notice.starts_with("no end mark"));
            let more = format!("goes on for {missing} byte{} more", if missing == 1 { "" } else { "s" });
            let told: Vec<bool> = notices.iter().map(|notice| notice.contains(&more)).collect();
            assert_eq!(told, vec![true; usize::from(missing > 0)], "{notices:?}");
        }
    }
}

/// A notice reports the incomplete record, and how many bytes are missing. Everything before it has been read.
#[test]
fn a_log_may_end_within_a_record() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| [10, 11].into_iter().for_each(|time| run(block, time)));
    let log = log.finish();
    let whole = log.len() as u64;
    for there in 1..RUN {
        let part = &log[..(whole - RUN + there) as usize];
        let mut decoder = Decoder::new();
        let (mut events, mut notices) = (0, Vec::new());
        loop {
            match decoder.next(all(part)).unwrap() {
                Step::Event(_) => events += 1,
                Step::Notice(notice) => notices.push((notice.kind, notice.offset)),
                Step::End => break,
                _ => {}
            }
        }
        // The number is only known with both of its bytes.
        let (tag, missing) = if there < 2 { (None, 1) } else { (Some(RunThread::TAG), RUN - there) };
        let cut = (NoticeKind::Cut { tag, missing, bytes: there }, whole - RUN);
        assert_eq!(notices.first(), Some(&cut), "{there}");
        assert_eq!((events, decoder.offset()), (2, part.len() as u64), "{there}");
    }
}

/// A full disk leaves zeros, which would read as a thread that is created at time 0.
#[test]
fn zeros_between_blocks_are_no_events() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| run(block, 5 * SECOND));
    log.bytes(&[0; 14 * 6]);
    log.block(Block::of(CapNo(1)), |block| run(block, 6 * SECOND));
    log.end();
    let (events, notices) = decoded(&log.finish());
    assert_eq!(events, [(5 * SECOND, Some(0)), (6 * SECOND, Some(1))]);
    assert!(notices.len() == 1 && notices[0].starts_with("skipped 84 bytes"), "{notices:?}");
}

/// Whether the last event of a log is accepted with this time. Nothing follows that could confirm it. It comes after a
/// label at `before`, in a block that was opened at 100 s and closed at `closed`, or after that block.
fn is_taken(closed: u64, before: u64, within: bool, time: u64) -> bool {
    let mut log = LogWriter::new();
    let size = 24 + 20 + if within { RUN as u32 } else { 0 };
    let block = Block { time: Some(Nanos(100 * SECOND)), end_time: Some(Nanos(closed)), size: Some(size), cap: None };
    log.block(block, |block| {
        block.event(Nanos(before), ThreadLabel { thread: ThreadId(1), label: Text(b"name") });
    });
    run(&mut log, time);
    let (events, _) = decoded(&log.finish());
    assert_eq!(events[0].0, before);
    events.len() == 2
}

/// For each rule, the last time that it allows and the first that it does not.
#[test]
fn times_are_doubted_from_a_stated_distance_on() {
    let day = 24 * 60 * 60 * SECOND;
    let (opened, closed) = (100 * SECOND, 105 * SECOND);
    // A second before the block was opened, and after it was closed.
    for before in [opened, closed + SECOND] {
        let taken = [opened - SECOND - 1, opened - SECOND, closed + SECOND, closed + SECOND + 1];
        assert_eq!(taken.map(|time| is_taken(closed, before, true, time)), [false, true, true, false], "{before}");
    }
    // A day, if the block does not say when it was closed.
    assert_eq!([0, 1].map(|more| is_taken(0, opened, true, opened + day + more)), [true, false]);
    // Outside of blocks, a day after the last event.
    assert_eq!([0, 1].map(|more| is_taken(closed, opened, false, opened + day + more)), [true, false]);
    assert!(is_taken(closed, opened, false, 1));
}

/// After damage, a marker is believed if its fields are possible.
#[test]
fn markers_are_doubted_from_a_stated_size_on() {
    let days = 24 * 60 * 60 * SECOND;
    let is_found = |cap: u16, size: u32, end_time: u64| {
        let mut log = LogWriter::new();
        let damage = log.offset() as u64;
        log.bytes(&[0xee; 9]);
        let marker = Block { time: Some(Nanos(SECOND)), end_time: Some(Nanos(end_time)), size: Some(size), cap: None };
        log.block(Block { cap: Some(CapNo(cap)), ..marker }, |block| (0..4).for_each(|at| run(block, SECOND + at)));
        let log = log.finish();
        let (events, notices) = decoded(&log);
        let skipped =
            format!("skipped 9 bytes that could not be read: event type 61166 is not declared (byte {damage})");
        let found = events == [0, 1, 2, 3].map(|at| (SECOND + at, Some(cap)));
        assert_eq!(found, notices.first() == Some(&skipped), "{notices:?}");
        found
    };
    let size = 24 + 4 * RUN as u32;
    assert!(is_found(0, size, SECOND));
    assert_eq!([0, 1].map(|more| is_found(4096 + more, size, SECOND)), [true, false]);
    assert_eq!([0, 1].map(|more| is_found(0, (64 << 20) + more, SECOND)), [true, false]);
    assert_eq!([0, 1].map(|more| is_found(0, size, SECOND + 31 * days + more)), [true, false]);
}

/// From the position between any two records.
#[test]
fn decoding_continues_from_any_position() {
    let log = blocks();
    let mut decoder = after_header(&log);
    let mut positions = Vec::new();
    let mut records = Vec::new();
    loop {
        positions.push(decoder.position());
        let Ok(Step::Event(record)) = decoder.next(all(&log)) else { break };
        records.push(record);
    }
    assert_eq!(records.len(), 18);
    for (at, position) in positions.iter().enumerate() {
        assert_eq!(position.offset, records.get(at).map_or(log.len() as u64 - 2, |record| record.offset));
        assert_eq!(position.end().offset, position.offset);
        // Six records to a block, with its marker.
        assert_eq!(position.end().of_block, at % 6 == 0, "{at}");
        assert_eq!(position.cap, (at % 6 != 0).then_some(CapNo(at as u16 / 6)));
        let mut resumed = decoder.resumed(*position);
        for record in &records[at..] {
            let Ok(Step::Event(again)) = resumed.next(all(&log)) else { panic!("{at}") };
            assert_eq!(again, *record);
        }
        assert!(matches!(resumed.next(all(&log)), Ok(Step::End)));
    }
}

#[test]
fn a_search_finds_the_next_block_from_anywhere() {
    let log = blocks();
    let decoder = after_header(&log);
    let size = 24 + 5 * RUN;
    for offset in decoder.offset()..log.len() as u64 {
        let mut search = decoder.searching(offset);
        assert!(matches!(search.next(all(&log)), Ok(Step::Notice(_))), "{offset}");
        let next = (offset - decoder.offset()).div_ceil(size);
        match search.next(all(&log)) {
            Ok(Step::Event(record)) => {
                assert_eq!((record.offset, record.tag), (decoder.offset() + next * size, BlockMarker::TAG));
                assert_eq!(record.cap, Some(CapNo(next as u16)));
            }
            _ => assert!(next >= 3, "{offset}"),
        }
    }
}

/// The fast path takes a block's records up to a given offset, or until its callback stops it. Then the decoder's
/// position is the same as without the fast path.
#[test]
fn the_fast_path_ends_where_it_is_asked_to() {
    let log = blocks();
    let mut start = after_header(&log);
    let first = start.offset() + 24;
    let take = |decoder: &mut Decoder, until: u64, most: usize| {
        let mut offsets = Vec::new();
        decoder.each_plain(all(&log), until, |record| {
            offsets.push(record.offset);
            if offsets.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        offsets
    };
    assert_eq!(take(&mut start.clone(), u64::MAX, 9), [], "a marker is not for it");
    assert!(matches!(start.next(all(&log)), Ok(Step::Event(_))));
    for until in 0..first + 6 * RUN {
        for most in 1..7 {
            // The last record is the first that ends at the offset or later; at least one is taken.
            let expected = (until.saturating_sub(first).div_ceil(RUN)).clamp(1, 5).min(most as u64);
            let mut decoder = start.clone();
            let offsets = take(&mut decoder, until, most);
            assert_eq!(offsets, (0..expected).map(|at| first + at * RUN).collect::<Vec<_>>(), "{until}, {most}");
            let mut slowly = start.clone();
            (0..expected).for_each(|_| assert!(matches!(slowly.next(all(&log)), Ok(Step::Event(_)))));
            assert_eq!(decoder.position(), slowly.position());
        }
    }
}

/// What follows the end mark, within and outside of the block that it ends: the events and notices.
#[test]
fn what_follows_the_end_mark() {
    let block = |cap: u16, time: u64| {
        let mut block = LogWriter::empty();
        block.block(Block::of(CapNo(cap)), |block| run(block, time));
        block.finish()
    };
    let later = block(1, 6 * SECOND);
    let mut event = LogWriter::empty();
    run(&mut event, 5 * SECOND + 1);
    let event = event.finish();
    let another = LogWriter::new().finish();
    let restarted = [&another[..], &later].concat();
    // GHC 9.0 puts a block marker between two streams.
    let marker = block(2, 7 * SECOND)[..24].to_vec();
    let with_marker = [&marker[..], &restarted].concat();
    let early = block(1, SECOND);
    let (none, one): (&[u64], &[u64]) = (&[], &[6 * SECOND]);
    let cases: [(&str, &[u8], &[u64], &str); 11] = [
        ("nothing", &[], none, ""),
        ("a header", &restarted, one, "logging was restarted"),
        ("a marker and a header", &with_marker, one, "logging was restarted"),
        ("a block", &later, one, "more events follow the end mark"),
        ("an event", &event, &[5 * SECOND + 1], "more events follow the end mark"),
        ("a block too early", &early, none, "ignored 38 bytes after the end mark"),
        ("a byte", &[0], none, "ignored 1 byte after the end mark"),
        ("junk", &[0xee; 300], none, "ignored 300 bytes after the end mark"),
        ("zeros", &[0; 14 * 30], none, "ignored 420 bytes after the end mark"),
        ("text", b"-- 2026-11-21, the end", none, "ignored 22 bytes after the end mark"),
        ("half an event", &event[..9], none, "ignored 9 bytes after the end mark"),
    ];
    for (what, bytes, expected, said) in cases {
        for within in [true, false] {
            let mut log = LogWriter::new();
            log.block(Block::of(CapNo(0)), |block| {
                run(block, 5 * SECOND);
                if within {
                    block.end();
                }
            });
            if !within {
                log.end();
            }
            log.bytes(bytes);
            if !expected.is_empty() {
                log.end();
            }
            let (events, notices) = decoded(&log.finish());
            let times: Vec<u64> = events.into_iter().map(|(time, _)| time).collect();
            assert_eq!(times, [&[5 * SECOND], expected].concat(), "{what}, {within}");
            assert_eq!(notices.len(), usize::from(!said.is_empty()), "{what}, {within}: {notices:?}");
            assert!(notices.iter().all(|notice| notice.starts_with(said)), "{what}, {within}: {notices:?}");
        }
    }
}

/// An end mark is not the end if its block continues.
#[test]
fn an_end_mark_within_a_block_is_damage() {
    let mut log = LogWriter::new();
    log.block(Block::of(CapNo(0)), |block| {
        run(block, 5 * SECOND);
        block.end().bytes(&[0xee; 9]);
        (1..5).for_each(|at| run(block, 5 * SECOND + at));
    });
    log.end();
    let (events, notices) = decoded(&log.finish());
    assert_eq!(events, (0..5).map(|at| (5 * SECOND + at, Some(0))).collect::<Vec<_>>());
    assert!(notices.len() == 1 && notices[0].starts_with("skipped 11 bytes"), "{notices:?}");
}

/// A header with a type of its own.
fn types(number: u16) -> Vec<EventType> {
    vec![
        EventType { tag: BlockMarker::TAG, size: 14, description: "Block marker".into() },
        EventType { tag: CreateThread::TAG, size: 4, description: "Create thread".into() },
        EventType { tag: 600, size: number, description: "Of a size of its own".into() },
    ]
}

/// Each stream is read with its own header, also from any position.
#[test]
fn streams_have_headers_of_their_own() {
    let mut log = LogWriter::empty();
    for number in [1, 5, 1, 9] {
        log.header(&types(number)).block(Block::of(CapNo(0)), |block| {
            (0..3).for_each(|at| {
                block.record(Nanos(SECOND + at), 600, Event::Unknown(&vec![7; number.into()]));
            });
        });
        log.end();
    }
    let log = log.finish();
    let mut decoder = Decoder::new();
    let mut found = Vec::new();
    loop {
        let position = decoder.position();
        match decoder.next(all(&log)).unwrap() {
            Step::Event(record) if record.tag == 600 => found.push((position, record)),
            Step::End => break,
            _ => {}
        }
    }
    let sizes: Vec<usize> = found.iter().map(|(_, record)| record.payload.len()).collect();
    assert_eq!(sizes, [1, 1, 1, 5, 5, 5, 1, 1, 1, 9, 9, 9]);
    for (position, record) in found {
        let Ok(Step::Event(again)) = decoder.resumed(position).next(all(&log)) else { panic!("{position:?}") };
        assert_eq!(again, record);
    }
}

/// How many headers are read of a log with these headers one after the other, and the error for the next one.
fn headers_read<'a>(headers: impl Iterator<Item = &'a Vec<EventType>>) -> (usize, Option<ErrorKind>) {
    let mut log = LogWriter::empty();
    headers.for_each(|types| {
        log.header(types).end();
    });
    let log = log.finish();
    let (mut decoder, mut count) = (Decoder::new(), 0);
    loop {
        match decoder.next(all(&log)) {
            Ok(Step::Header) => count += 1,
            Ok(Step::End) => return (count, None),
            Ok(Step::Notice(Notice { kind: NoticeKind::FurtherHeader(kind), .. })) => return (count, Some(kind)),
            Ok(_) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn headers_are_bounded_in_number_and_size_but_may_be_repeated() {
    let small: Vec<_> = (0..limits::MAX_HEADERS as u16 + 1).map(types).collect();
    let most = &small[..limits::MAX_HEADERS];
    assert_eq!(headers_read(most.iter()), (most.len(), None));
    assert_eq!(headers_read(small.iter()), (most.len(), Some(ErrorKind::TooManyHeaders)));
    assert_eq!(headers_read(most.iter().chain(most)), (2 * most.len(), None));

    let description = "x".repeat(limits::MAX_DESCRIPTION as usize);
    let large = |number: u16| {
        let count = limits::MAX_DESCRIPTIONS / description.len();
        let of = |at: usize| EventType { tag: 1000 + at as u16, size: number, description: description.clone().into() };
        (0..count).map(of).collect::<Vec<_>>()
    };
    let large: Vec<_> = (0..5).map(large).collect();
    // Each takes a little more than its descriptions.
    let fitting = limits::HEADERS_BYTES / limits::MAX_DESCRIPTIONS - 1;
    assert_eq!(headers_read(large.iter().take(fitting)), (fitting, None));
    assert_eq!(headers_read(large.iter()), (fitting, Some(ErrorKind::TooManyHeaders)));
    let repeated = large.iter().take(fitting).chain(large.iter().take(fitting));
    assert_eq!(headers_read(repeated), (2 * fitting, None));
}
