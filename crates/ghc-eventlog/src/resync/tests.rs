//! Where a search ends, and what it asks for on the way.

use super::*;
use crate::samples::{RUN, block, fixed, header_of, run_thread, variable};
use alloc::{vec, vec::Vec};

/// Where the damage begins. Offsets are counted from here.
const FROM: u64 = 1000;

/// A message: any payload is a text.
const TEXT: u16 = 19;

/// A millisecond in nanoseconds. The events are at about 5 s.
const MS: u64 = 1_000_000;
const NOW: u64 = 5000 * MS;

/// The size of a block that is longer than any of these logs.
const LONG: usize = 10_000;

fn header() -> Header {
    header_of(&[(0, 4), (RUN, 4), (BlockMarker::TAG, 14), (TEXT, crate::VARIABLE)], false)
}

/// Bytes whose event number no header declares.
fn junk(bytes: usize) -> Vec<u8> {
    vec![0x77; bytes]
}

fn runs(records: usize) -> Vec<u8> {
    run_thread(NOW).repeat(records)
}

/// A search from the front of the bytes, in a block that ends after `bytes` of them.
fn in_block(bytes: usize) -> Resync {
    let times = (Nanos(NOW - 4000 * MS), Nanos(NOW + 4000 * MS));
    let bounds = Bounds { block_end: FROM + bytes as u64, times, last_time: Nanos(NOW) };
    Resync::new(Cause::Undeclared(0x7777), FROM, bounds)
}

/// Where the search ends in a log that ends with these bytes; and what it asks for on the way (offset, bytes) if it
/// only ever gets that.
fn search(mut resync: Resync, parts: &[Vec<u8>]) -> (usize, Vec<(usize, usize)>) {
    let bytes = parts.concat();
    let whole = resync.clone().search(Chunk { bytes: &bytes, offset: FROM, last: true }, &header());
    let (mut asked_for, mut offset, mut there, mut last) = (Vec::new(), 0, 0, false);
    loop {
        let chunk = Chunk { bytes: &bytes[offset..there], offset: FROM + offset as u64, last };
        let needed = match resync.search(chunk, &header()) {
            Found::Need { offset, bytes } => ((offset - FROM) as usize, bytes),
            Found::At(found) => {
                assert_eq!(whole, Found::At(found), "in pieces and as a whole");
                return ((found - FROM) as usize, asked_for);
            }
        };
        assert!(!last && needed.0 + needed.1 > there, "asks for {needed:?}, has {there}");
        asked_for.push(needed);
        offset = needed.0.min(bytes.len());
        last = needed.0 + needed.1 > bytes.len();
        there = (needed.0 + needed.1).min(bytes.len());
    }
}

fn found(resync: Resync, parts: &[Vec<u8>]) -> usize {
    search(resync, parts).0
}

/// The numbers of bytes that were asked for from the offset `place` on.
fn asked_at(place: usize, asked_for: &[(usize, usize)]) -> Vec<usize> {
    asked_for.iter().filter(|(from, _)| *from == place).map(|(_, bytes)| *bytes).collect()
}

#[test]
fn three_records_in_a_row_end_the_damage() {
    let with = |records| found(in_block(LONG), &[junk(20), runs(records), junk(40)]);
    assert_eq!(with(3), 20);
    assert_eq!(with(4), 20);
    assert_eq!(with(2), 20 + 28 + 40, "the log's end");
    let far = run_thread(NOW + 5000 * MS).repeat(3);
    assert_eq!(found(in_block(LONG), &[junk(20), far, junk(40)]), 20 + 42 + 40, "times outside of the block");
    // At the offset where the damage begins there is no record, even if it looks like one.
    assert_eq!(found(in_block(LONG), &[runs(4), junk(40)]), 14);
}

#[test]
fn fewer_records_are_enough_before_the_end_of_the_block_or_of_the_log() {
    let until = |block, records| found(in_block(block), &[junk(20), runs(records), junk(40)]);
    assert_eq!(until(20 + 14, 1), 20);
    assert_eq!(until(20 + 28, 2), 20);
    assert_eq!(until(20 + 13, 1), 20 + 14 + 40, "it goes beyond the block");
    assert_eq!(found(in_block(LONG), &[junk(20), runs(1)]), 20);
    let cut_off = |bytes: usize| found(in_block(LONG), &[junk(20), runs(2)[..bytes].to_vec()]);
    assert_eq!(cut_off(14 + 13), 20);
    assert_eq!(cut_off(13), 20 + 13, "no whole record");
}

/// A block marker in the damaged block, at its end, or after it.
#[test]
fn a_block_marker_ends_the_damage_if_what_follows_belongs_to_its_block() {
    for damaged in [LONG, 20, 10] {
        let with = |size, behind: Vec<u8>| found(in_block(damaged), &[junk(20), block(NOW, size), behind, junk(40)]);
        let end = |behind: usize| 20 + 24 + behind + 40;
        assert_eq!(with(24, vec![]), 20);
        assert_eq!(with(25, vec![]), end(0));
        assert_eq!(with(24 + 14, runs(1)), 20);
        assert_eq!(with(24 + 13, runs(1)), end(14), "it goes beyond its block");
        assert_eq!(with(1000, runs(3)), 20);
        // Within the damaged block three records would be enough; after it, only a marker is.
        assert_eq!(with(23, vec![]), end(0), "a size that no block has");
        assert_eq!(with(1000, runs(2)), end(28));
        let time = |time| with(24 + 14, run_thread(time));
        let open = 24 * 3600 * 1000 * MS;
        assert_eq!([time(NOW - 1000 * MS), time(NOW + open)], [20; 2]);
        assert_eq!([time(NOW - 1000 * MS - 1), time(NOW + open + 1)], [end(14); 2]);
    }
}

#[test]
fn a_block_marker_ends_the_damage_if_the_log_is_cut_off_after_it() {
    for damaged in [20, 10] {
        let cut_off = |bytes: usize| {
            let rest = [block(NOW, 1000), runs(2)].concat()[..bytes].to_vec();
            found(in_block(damaged), &[junk(20), rest])
        };
        assert_eq!(cut_off(24), 20);
        assert_eq!(cut_off(24 + 14), 20);
        assert_eq!(cut_off(24 + 14 + 13), 20);
        assert_eq!(cut_off(24 + 13), 20 + 24 + 13, "no whole record");
        assert_eq!(cut_off(23), 20 + 23, "no whole marker");
    }
}

#[test]
fn the_end_mark_ends_the_damage_at_the_end_of_the_log() {
    for damaged in [LONG, 22, 20, 10] {
        let with = |behind: Vec<u8>| found(in_block(damaged), &[junk(20), vec![0xff; 2], behind]);
        assert_eq!(with(vec![]), 20);
        assert_eq!(with(junk(1)), 23, "after a block of {damaged} bytes");
        assert_eq!(with(junk(40)), 62, "after a block of {damaged} bytes");
    }
    let (_, asked_for) = search(in_block(10), &[junk(20), vec![0xff; 2]]);
    assert_eq!(asked_at(20, &asked_for), [2, 3]);
}

#[test]
fn after_the_damaged_block_only_a_block_marker_ends_the_damage() {
    assert_eq!(found(in_block(20), &[junk(30), runs(9), junk(30), block(NOW, 1000), runs(3)]), 30 + 9 * 14 + 30);
    assert_eq!(found(in_block(20), &[junk(20), runs(9), junk(30), block(NOW, 1000), runs(3)]), 20 + 9 * 14 + 30);
    assert_eq!(found(in_block(20), &[junk(30), runs(9)]), 30 + 9 * 14, "the log's end");
    // After something that looks like a marker, the search continues at its second byte.
    let marker_in_marker = [&[0, 18][..], &block(NOW, 1000)].concat();
    assert_eq!(found(in_block(20), &[junk(30), marker_in_marker, runs(3)]), 32);
}

#[test]
fn outside_of_blocks_the_search_is_as_in_a_block_without_end() {
    let outside = || {
        let mut resync = in_block(0);
        resync.bounds.block_end = u64::MAX;
        resync
    };
    assert_eq!(found(outside(), &[junk(20), runs(3), junk(40)]), 20);
    assert_eq!(found(outside(), &[junk(20), block(NOW, 24), junk(40)]), 20);
}

#[test]
fn the_search_asks_for_no_more_than_it_needs_to_decide() {
    let (end, asked_for) = search(in_block(LONG), &[junk(20), runs(3), junk(40)]);
    let skipped: Vec<_> = (1..20).map(|place| (place, 2)).collect();
    assert_eq!((end, asked_for[0]), (20, (1, 1)));
    assert_eq!(asked_for[1..20], skipped);
    assert_eq!(asked_for[20..], [2, 14, 16, 28, 30, 42].map(|bytes| (20, bytes)));
    for damaged in [20, 10] {
        let (end, asked_for) = search(in_block(damaged), &[junk(20), block(NOW, 1000), runs(3), junk(40)]);
        assert_eq!((end, asked_for[0]), (20, (1, 1)));
        assert_eq!(asked_for[1..20], skipped);
        assert_eq!(asked_for[20..], [2, 24, 26, 38, 40, 52, 54, 66].map(|bytes| (20, bytes)));
    }
}

#[test]
fn after_the_damaged_block_the_search_does_not_wait_for_records() {
    // This could be a message of 30 583 bytes.
    let message = fixed(TEXT, NOW, &[0x77; 20]);
    let parts = |junk_before: usize| [junk(junk_before), message.clone(), block(NOW, 24), junk(10)];
    let (end, asked_for) = search(in_block(20), &parts(30));
    assert_eq!((end, asked_at(30, &asked_for)), (60, vec![2]));
    // Within the block it does wait for them.
    let (end, asked_for) = search(in_block(LONG), &parts(30));
    assert_eq!((end, asked_at(30, &asked_for)), (60, vec![2, 12, 12 + 0x7777]));
}

#[test]
fn with_no_bytes_left_the_search_asks_for_one() {
    for damaged in [LONG, 20, 10] {
        let (end, asked_for) = search(in_block(damaged), &[junk(30)]);
        assert_eq!((end, asked_for.last()), (30, Some(&(29, 2))), "in a block of {damaged} bytes");
    }
    let nothing = Chunk { bytes: &[], offset: FROM + 1, last: false };
    assert_eq!(in_block(LONG).search(nothing, &header()), Found::Need { offset: FROM + 1, bytes: 1 });
    assert_eq!(in_block(LONG).search(Chunk { last: true, ..nothing }, &header()), Found::At(FROM + 1));
}

#[test]
fn a_search_for_a_block_begins_with_its_first_byte() {
    let first = |parts: &[Vec<u8>]| found(Resync::for_block(FROM), parts);
    assert_eq!(first(&[block(NOW, 1000), runs(3)]), 0);
    assert_eq!(first(&[runs(5), block(NOW, 1000), runs(3)]), 70);
    assert_eq!(first(&[vec![0xff; 2]]), 0);
    assert_eq!(first(&[variable(TEXT, NOW, b"text"), block(0, 1000), run_thread(1).repeat(3)]), 16);
}

#[test]
fn a_notice_gives_the_lost_bytes_and_the_cause() {
    let lost = |to| NoticeKind::Lost { cause: Cause::Undeclared(0x7777), bytes: to };
    assert_eq!(in_block(LONG).lost(FROM + 20), lost(20));
    assert_eq!(in_block(LONG).lost(FROM), lost(0));
}
