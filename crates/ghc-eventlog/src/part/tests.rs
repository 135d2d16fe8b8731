//! A part has the records between two offsets, as the first pass found them.

use super::*;
use crate::{
    VARIABLE,
    events::BlockMarker,
    samples::{RUN, block, event_type, header_bytes, run_thread, variable},
    stream::Record,
};
use alloc::{vec, vec::Vec};

/// A message: any payload is a text.
const TEXT: u16 = 19;

const NOW: u64 = 5_000_000_000;

/// A log that declares RUN_THREAD with this size.
fn log(run_size: u16, blocks: &[Vec<u8>]) -> Vec<u8> {
    let types = [(0, 4), (RUN, run_size), (BlockMarker::TAG, 14), (TEXT, VARIABLE)];
    let header = header_bytes(&types.map(|(tag, size)| event_type(tag, size, b"")));
    [header, blocks.concat(), vec![0xff; 2]].concat()
}

fn block_of(records: &[Vec<u8>]) -> Vec<u8> {
    let records = records.concat();
    [block(NOW, 24 + records.len() as u32), records].concat()
}

fn three_blocks() -> Vec<u8> {
    let blocks = [1, 2, 3].map(|records| {
        let times: Vec<_> = (0..records).map(|record| run_thread(NOW + record)).collect();
        block_of(&[times.concat(), variable(TEXT, NOW, b"text")])
    });
    log(4, &blocks)
}

/// A decoder that has read the whole log, the log's records, and the positions before the first one and after each.
fn first_pass(log: &[u8]) -> (Decoder, Vec<Record<'_>>, Vec<Position>) {
    let (mut decoder, mut records, mut places) = (Decoder::new(), Vec::new(), Vec::new());
    loop {
        match decoder.next(Chunk { bytes: log, offset: 0, last: true }).expect("a log") {
            Step::Event(record) => records.push(record),
            Step::Header => {}
            Step::End => return (decoder, records, places),
            step => panic!("{step:?}"),
        }
        places.push(decoder.position());
    }
}

/// Reads a part, at first with no more than its own bytes. Returns its records, and how many bytes beyond its end it
/// asked for.
fn read<'a>(log: &'a [u8], part: &mut PartDecoder) -> (Vec<Record<'a>>, usize) {
    let (end, mut there) = (part.end as usize, part.end as usize);
    let mut records = Vec::new();
    loop {
        let offset = part.offset();
        let chunk = Chunk { bytes: &log[offset as usize..there], offset, last: there == log.len() };
        match part.next(chunk) {
            Step::Event(record) => records.push(record),
            Step::Need(bytes) => {
                assert!(offset as usize + bytes > there && there < log.len(), "asks for {bytes} bytes at {offset}");
                there = (offset as usize + bytes).min(log.len());
            }
            Step::End => return (records, there - end),
            Step::Header | Step::Notice(_) => panic!("between records nothing is said"),
        }
    }
}

#[test]
fn a_part_has_the_records_between_two_offsets() {
    let log = three_blocks();
    let (decoder, records, places) = first_pass(&log);
    assert_eq!((records.len(), places.len()), (12, 13));
    for (first, from) in places.iter().enumerate() {
        for (last, end) in places.iter().enumerate().skip(first) {
            let mut part = PartDecoder::new(&decoder, *from, end.offset);
            assert_eq!(part.offset(), from.offset);
            assert_eq!(read(&log, &mut part), (records[first..last].to_vec(), 0), "{first} to {last}");
            assert_eq!(part.offset(), end.offset);
        }
    }
}

#[test]
fn a_part_that_ends_before_it_begins_is_empty() {
    let log = three_blocks();
    let (decoder, _, places) = first_pass(&log);
    let mut part = PartDecoder::new(&decoder, places[3], places[2].offset);
    assert!(matches!(part.next(Chunk { bytes: &log, offset: 0, last: true }), Step::End));
    assert_eq!(part.offset(), places[3].offset);
}

#[test]
fn a_part_has_the_header_of_its_records() {
    let log = three_blocks();
    let (decoder, _, places) = first_pass(&log);
    let part = PartDecoder::new(&decoder, places[0], 0);
    assert_eq!(part.header(), decoder.header());
    assert_eq!(part.header().types().len(), 4);
}

#[test]
fn a_part_asks_for_what_follows_its_last_record_if_that_is_in_doubt() {
    const LONGEST: usize = 2 + 8 + 2 + 65_535;
    let message = |bytes: usize| variable(TEXT, NOW, &vec![b'x'; bytes]);
    for (size, beyond) in [(5, 3 * 17), (65_535, 3 * LONGEST)] {
        // No GHC writes 20 bytes, so what follows a record decides how many it has.
        let log = log(20, &[block_of(&[run_thread(NOW), message(size), message(size), message(size), message(1)])]);
        let mut decoder = Decoder::new();
        let mut places = Vec::new();
        let records = loop {
            match decoder.next(Chunk { bytes: &log, offset: 0, last: true }).expect("a log") {
                Step::End => break places.len() - 1,
                Step::Notice(_) => {}
                _ => places.push(decoder.position()),
            }
        };
        assert_eq!(records, 6);
        let mut part = PartDecoder::new(&decoder, places[1], places[2].offset);
        let (records, asked_for) = read(&log, &mut part);
        assert_eq!((records.len(), records[0].tag, asked_for), (1, RUN, beyond));
        assert!(asked_for as u64 <= PartDecoder::LOOK_AHEAD);
    }
    // The most that a part can ask for: a block marker, four records, and the two bytes after them.
    assert_eq!(PartDecoder::LOOK_AHEAD, 24 + 4 * LONGEST as u64 + 2);
}
