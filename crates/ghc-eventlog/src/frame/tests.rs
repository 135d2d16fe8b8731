//! What `frame` finds for a few records at [`FROM`]. Each test shows what a rule accepts, and the nearest case that it
//! rejects.

use super::*;
use crate::samples::{RUN, fixed, header_of, run_thread, variable};
use alloc::{format, string::String, vec, vec::Vec};

/// The offset of the first record.
const FROM: u64 = 1000;

const MARKER: u16 = BlockMarker::TAG;
/// A message: any payload is a text.
const TEXT: u16 = 19;
/// A band of a heap profile: a byte, 8 bytes, and a text that ends with a NUL.
const BAND: u16 = 164;
const IPE: u16 = 169;
/// An event type that the table does not have.
const STRANGE: u16 = 500;
const TYPES: [(u16, u16); 8] = [
    (0, 4),
    (RUN, 4),
    (MARKER, 14),
    (TEXT, VARIABLE),
    (CreateMachine::TAG, 10),
    (BAND, VARIABLE),
    (IPE, VARIABLE),
    (STRANGE, 6),
];

/// A millisecond in nanoseconds. The events here are at about 5 s.
const MS: u64 = 1_000_000;
const NOW: u64 = 5000 * MS;

fn header() -> Header {
    header_of(&TYPES, false)
}

fn text(time: u64) -> Vec<u8> {
    variable(TEXT, time, b"hello")
}

fn band(time: u64, label: &[u8]) -> Vec<u8> {
    variable(BAND, time, &[&[0, 0, 0, 0, 0, 0, 0, 8, 0], label].concat())
}

fn block(time: u64, size: u32, end_time: u64, cap: u16) -> Vec<u8> {
    fixed(MARKER, time, &[&size.to_be_bytes()[..], &end_time.to_be_bytes(), &cap.to_be_bytes()].concat())
}

/// Bytes whose event number no header declares.
const JUNK: [u8; 40] = [0x77; 40];

/// What `frame` finds at an offset.
#[derive(Debug, PartialEq)]
enum Said {
    Need(usize),
    EndMark,
    /// A record: its bytes, and what is wrong with its fields.
    Record(u64, Option<Flaw>),
    Damaged(Cause),
}

/// An offset to frame at: its bytes, and what is known there.
struct At {
    header: Header,
    bytes: Vec<u8>,
    bounds: Bounds,
    last: bool,
}

/// These records, in a block that continues after them, with more of the log to come.
fn at(records: &[Vec<u8>]) -> At {
    let times = (Nanos(NOW - 4000 * MS), Nanos(NOW + 4000 * MS));
    let bounds = Bounds { block_end: FROM + 10_000, times, last_time: Nanos(NOW) };
    At { header: header(), bytes: records.concat(), bounds, last: false }
}

impl At {
    /// The block ends after `bytes` bytes.
    fn block_of(mut self, bytes: usize) -> Self {
        self.bounds.block_end = FROM + bytes as u64;
        self
    }

    fn outside(mut self) -> Self {
        self.bounds.block_end = u64::MAX;
        self
    }

    /// The log ends with these bytes.
    fn last(self) -> Self {
        Self { last: true, ..self }
    }

    fn with(self, header: Header) -> Self {
        Self { header, ..self }
    }

    fn after(mut self, time: u64) -> Self {
        self.bounds.last_time = Nanos(time);
        self
    }

    fn cut(mut self, bytes: usize) -> Self {
        self.bytes.truncate(bytes);
        self
    }

    fn chunk(&self) -> Chunk<'_> {
        Chunk { bytes: &self.bytes, offset: FROM, last: self.last }
    }

    fn said(&self) -> Said {
        match frame(self.chunk(), &self.header, self.bounds) {
            Frame::Need(bytes) => Said::Need(bytes),
            Frame::EndMark => Said::EndMark,
            Frame::Record(record) => {
                let length = record.end - FROM;
                let head = if record.layout.size == VARIABLE { 12 } else { 10 };
                assert_eq!(record.payload.len() as u64, length - head, "the payload ends where the record does");
                Said::Record(length, record.flaw)
            }
            Frame::Damaged(cause) => Said::Damaged(cause),
        }
    }
}

const fn record(length: u64) -> Said {
    Said::Record(length, None)
}

const fn wrong_time(tag: u16) -> Said {
    Said::Damaged(Cause::Time { tag })
}

const fn beyond_block(tag: u16) -> Said {
    Said::Damaged(Cause::BlockEnd { tag })
}

const fn wrong_fields(tag: u16) -> Said {
    Said::Damaged(Cause::Fields { tag })
}

/// Gives `frame` first no bytes, then as many as it asks for, until it asks for no more. Returns what it asked for.
fn asked_for(place: impl Fn() -> At) -> Vec<usize> {
    let all = place().bytes.len();
    let (mut asked, mut there) = (Vec::new(), 0);
    while let Said::Need(bytes) = place().cut(there).said() {
        assert!(bytes > there, "asks for {bytes}, has {there}");
        asked.push(bytes);
        if bytes > all {
            break;
        }
        there = bytes;
    }
    asked
}

#[test]
fn a_record_is_as_long_as_its_layout_says() {
    assert_eq!(at(&[run_thread(NOW)]).said(), record(14));
    assert_eq!(at(&[fixed(STRANGE, NOW, &[1; 6])]).said(), record(16));
    assert_eq!(at(&[text(NOW)]).said(), record(17));
    assert_eq!(at(&[variable(TEXT, NOW, b"")]).said(), record(12));
    assert_eq!(at(&[vec![0xff, 0xff]]).said(), Said::EndMark);
    assert_eq!(at(&[JUNK.to_vec()]).said(), Said::Damaged(Cause::Undeclared(0x7777)));
}

#[test]
fn missing_bytes_of_a_record_are_asked_for() {
    assert_eq!(asked_for(|| at(&[run_thread(NOW)])), [2, 14]);
    assert_eq!(asked_for(|| at(&[text(NOW)])), [2, 12, 17]);
    for (bytes, needed) in [(1, 2), (2, 14), (9, 14), (10, 14), (13, 14)] {
        assert_eq!(at(&[run_thread(NOW)]).cut(bytes).said(), Said::Need(needed), "of {bytes} bytes");
    }
    for (bytes, needed) in [(2, 12), (9, 12), (10, 12), (11, 12), (12, 17), (16, 17)] {
        assert_eq!(at(&[text(NOW)]).cut(bytes).said(), Said::Need(needed), "of {bytes} bytes");
    }
}

#[test]
fn at_the_end_of_the_log_a_record_is_cut_off_unless_its_block_ended_before() {
    let cut = || at(&[run_thread(NOW)]).cut(13).last();
    assert_eq!(cut().said(), Said::Need(14));
    assert_eq!(cut().block_of(14).said(), Said::Need(14));
    assert_eq!(cut().block_of(13).said(), beyond_block(RUN));
    assert_eq!(cut().block_of(12).said(), beyond_block(RUN));
    // While more bytes may come, this is not decided.
    assert_eq!(at(&[run_thread(NOW)]).cut(13).block_of(12).said(), Said::Need(14));
}

#[test]
fn a_record_beyond_its_block_must_be_followed_by_another() {
    let beyond = |behind: Vec<u8>| at(&[run_thread(NOW), behind]).block_of(13);
    assert_eq!(at(&[run_thread(NOW)]).block_of(14).said(), record(14));
    assert_eq!(beyond(vec![]).said(), Said::Need(16));
    assert_eq!(asked_for(|| beyond(run_thread(NOW))), [2, 14, 16, 28]);
    assert_eq!(beyond(run_thread(NOW)).said(), record(14));
    assert_eq!(beyond(JUNK.to_vec()).said(), beyond_block(RUN));
    assert_eq!(beyond(vec![]).last().said(), record(14));
    assert_eq!(beyond(run_thread(NOW)).cut(15).last().said(), beyond_block(RUN));
}

#[test]
fn a_marker_within_a_block_must_be_sound() {
    let follows = || run_thread(NOW).repeat(3);
    assert_eq!(at(&[block(NOW, 100, NOW, 0), follows()]).said(), record(24));
    assert_eq!(at(&[block(NOW, 23, NOW, 0), follows()]).said(), wrong_time(MARKER));
    assert_eq!(at(&[block(NOW, 100, NOW - 1, 0), follows()]).said(), wrong_time(MARKER));
    // Between blocks there is nothing that it could contradict.
    assert_eq!(at(&[block(NOW, 23, NOW, 0)]).outside().said(), record(24));
}

/// STOP_THREAD with one bit wrong, and the event after it: a marker of a block that was open for days, whose events
/// might have any time in them.
#[test]
fn a_marker_within_a_block_must_be_followed_by_events() {
    let marker = || block(NOW, 293_734, 0x0005_0000_0000_0000, 0);
    assert_eq!(at(&[marker(), run_thread(NOW)[4..].to_vec(), run_thread(NOW).repeat(3)]).said(), wrong_time(MARKER));
    assert_eq!(at(&[marker(), run_thread(NOW).repeat(3)]).said(), record(24));
    // Their times may be those of the open block, which goes on in a merged log.
    let short = |time| at(&[block(NOW, 24, NOW, 0), run_thread(time).repeat(3)]).said();
    assert_eq!((short(NOW + 4000 * MS), short(NOW + 4001 * MS)), (record(24), wrong_time(MARKER)));
}

#[test]
fn a_sound_marker_has_a_size_a_capability_and_an_end_that_a_block_can_have() {
    let sound = |size, time, end, cap| sane_marker(&block(time, size, end, cap)[10..], Nanos(time));
    assert!(sound(24, 5, 5, 0) && !sound(23, 5, 5, 0));
    assert!(sound(MAX_SANE_BLOCK, 5, 5, 0) && !sound(MAX_SANE_BLOCK + 1, 5, 5, 0));
    assert!(sound(24, 5, 5, MAX_SANE_CAP) && !sound(24, 5, 5, MAX_SANE_CAP + 1) && sound(24, 5, 5, 0xffff));
    assert!(sound(24, 5, 0, 0) && !sound(24, 5, 4, 0));
    assert!(sound(24, 5, 5 + MAX_SANE_OPEN.0, 0) && !sound(24, 5, 6 + MAX_SANE_OPEN.0, 0));
}

/// More than a second outside the times of the block, which end at 9 s.
const FAR: u64 = 20_000 * MS;

#[test]
fn a_time_outside_its_blocks_times_needs_three_events_near_it() {
    let far = |times: &[u64]| {
        let behind: Vec<_> = times.iter().map(|time| run_thread(*time)).collect();
        at(&[&[run_thread(FAR)], &behind[..]].concat())
    };
    assert_eq!(far(&[FAR; 3]).said(), record(14));
    assert_eq!(far(&[FAR; 2]).said(), Said::Need(44));
    assert_eq!(asked_for(|| far(&[FAR; 3])), [2, 14, 16, 28, 30, 42, 44, 56]);
    let last = FAR + 1000 * MS;
    assert_eq!(far(&[FAR, FAR, last]).said(), record(14));
    assert_eq!(far(&[FAR, FAR, last + 1]).said(), wrong_time(RUN));
    let first = FAR - 1000 * MS;
    assert_eq!(far(&[first; 3]).said(), record(14));
    assert_eq!(far(&[first - 1; 3]).said(), wrong_time(RUN));
    // The end of the log does not confirm a time; events before the end do.
    assert_eq!(far(&[]).last().said(), wrong_time(RUN));
    assert_eq!(far(&[FAR]).last().said(), record(14));
}

#[test]
fn the_first_and_the_last_time_of_a_block_belong_to_it() {
    let (first, last) = at(&[]).bounds.times;
    let said = |time| at(&[run_thread(time), JUNK.to_vec()]).after(time).said();
    assert_eq!((said(first.0), said(first.0 - 1)), (record(14), wrong_time(RUN)));
    assert_eq!((said(last.0), said(last.0 + 1)), (record(14), wrong_time(RUN)));
}

/// Eden's machines start at any time, and each has its own clock.
#[test]
fn the_start_of_a_machine_may_have_any_time() {
    let machine = fixed(CreateMachine::TAG, FAR, &[0; 10]);
    assert_eq!(at(&[machine, JUNK.to_vec()]).said(), record(20));
}

#[test]
fn only_the_first_event_of_a_log_can_have_time_zero() {
    let zero = |behind: &[Vec<u8>]| at(&[&[fixed(0, 0, &[0; 4])], behind].concat());
    let started = |place: At| {
        let times = (Nanos(0), place.bounds.times.1);
        At { bounds: Bounds { times, ..place.bounds }, ..place }
    };
    assert_eq!(started(zero(&[JUNK.to_vec()])).after(0).said(), record(14));
    assert_eq!(started(zero(&[JUNK.to_vec()])).after(1).said(), wrong_time(0));
    assert_eq!(started(zero(&[vec![0; 100]])).after(1).said(), wrong_time(0));
    let others = [run_thread(1), run_thread(1), run_thread(1)];
    assert_eq!(started(zero(&others)).after(1).said(), record(14));
    assert_eq!(started(zero(&others[..2])).after(1).said(), Said::Need(44));
}

#[test]
fn a_time_that_goes_far_back_needs_three_events_after_it() {
    let back = |by: u64, behind: &[u64]| {
        let times = behind.iter().map(|by| run_thread(NOW - by));
        at(&[vec![run_thread(NOW - by)], times.collect(), vec![JUNK.to_vec()]].concat())
    };
    let far = MAX_TIME_BACK.0;
    assert_eq!(back(far, &[]).said(), record(14));
    assert_eq!(back(far + 1, &[]).said(), wrong_time(RUN));
    assert_eq!(back(far + 1, &[far; 2]).said(), wrong_time(RUN));
    assert_eq!(back(far + 1, &[far; 3]).said(), record(14));
    // They may be earlier than it by as little as any event may be earlier than the one before.
    assert_eq!(back(far + 1, &[2 * far + 1, far, far]).said(), record(14));
    assert_eq!(back(far + 1, &[2 * far + 2, far, far]).said(), wrong_time(RUN));
}

#[test]
fn fields_beyond_the_known_ones_need_three_events_after_them() {
    assert_eq!(at(&[band(NOW, b"abc\0"), JUNK.to_vec()]).said(), record(25));
    let longer = |behind: &[Vec<u8>]| at(&[&[band(NOW, b"abc\0more")], behind].concat());
    let others = [run_thread(NOW), run_thread(NOW), run_thread(NOW), JUNK.to_vec()];
    assert_eq!(longer(&others).said(), record(29));
    assert_eq!(longer(&others[1..]).said(), wrong_fields(BAND));
    assert_eq!(longer(&others[3..]).said(), wrong_fields(BAND));
    assert_eq!(longer(&[]).last().said(), record(29));
    let cut = longer(&others[..2]).cut(29 + 14 + 13).last();
    assert_eq!(cut.said(), record(29));
}

#[test]
fn fields_that_do_not_fit_need_one_event_after_them() {
    let unfit = |behind: Vec<u8>| at(&[band(NOW, b"no end"), behind]);
    assert_eq!(unfit(run_thread(NOW)).said(), Said::Record(27, Some(Flaw::NoNul)));
    assert_eq!(unfit(JUNK.to_vec()).said(), wrong_fields(BAND));
    assert_eq!(unfit(vec![]).said(), Said::Need(29));
    assert_eq!(unfit(vec![]).last().said(), Said::Record(27, Some(Flaw::NoNul)));
    // The table knows this number only with another size, so it cannot find anything wrong.
    let strange = || fixed(STRANGE, FAR, &[0; 6]);
    assert_eq!(at(&[strange(), run_thread(FAR), run_thread(FAR), run_thread(FAR)]).said(), record(16));
}

/// An info table's provenance whose fields take 19 bytes, with `more` after them.
fn provenance(time: u64, more: &[u8]) -> Vec<u8> {
    variable(IPE, time, &[&[0, 0, 0, 0, 0, 0, 0, 9][..], b"a\x001\0c\0d\0e\0f\0", more].concat())
}

/// The bytes of [`provenance`] with an empty `more`.
const PROVENANCE: usize = 12 + 8 + 12;

#[test]
fn the_fields_of_an_info_table_end_where_its_record_does() {
    let exact = |behind: Vec<u8>| at(&[provenance(NOW, b""), behind]);
    assert_eq!(exact(run_thread(NOW)).said(), record(PROVENANCE as u64));
    assert_eq!(exact(JUNK.to_vec()).said(), record(PROVENANCE as u64));
    assert_eq!(exact(JUNK.to_vec()).block_of(PROVENANCE).said(), record(PROVENANCE as u64));
    assert_eq!(exact(JUNK.to_vec()).block_of(PROVENANCE - 1).said(), beyond_block(IPE));
    let unfit = variable(IPE, NOW, &[b'x'; 20]);
    assert_eq!(at(&[unfit, run_thread(NOW)]).said(), Said::Record(32, Some(Flaw::NoNul)));
}

/// GHC's own mistake: the length counts one byte too many, which is the first byte of what follows.
#[test]
fn an_info_table_may_be_a_byte_shorter_than_it_says() {
    let (short, long) = (record(PROVENANCE as u64), record(PROVENANCE as u64 + 1));
    // The extra byte is the first one of the next record.
    let mistaken = |behind: &[Vec<u8>]| {
        let mut place = at(&[&[provenance(NOW, b"")], behind].concat());
        place.bytes[11] += 1;
        place
    };
    assert_eq!(mistaken(&[run_thread(NOW), JUNK.to_vec()]).said(), short);
    assert_eq!(mistaken(&[run_thread(NOW)]).said(), short);
    assert_eq!(asked_for(|| mistaken(&[run_thread(NOW)])), [2, 12, PROVENANCE + 1, PROVENANCE + 2, PROVENANCE + 14]);
    // The extra byte is part of this record.
    let right = |behind: &[Vec<u8>]| at(&[&[provenance(NOW, b"x")], behind].concat());
    assert_eq!(right(&[run_thread(NOW), JUNK.to_vec()]).said(), long);
    assert_eq!(right(&[run_thread(NOW)]).cut(PROVENANCE + 1).said(), Said::Need(PROVENANCE + 2));
    // Read from the 'x' on, the next number is not declared. To check the longer record takes two more bytes.
    assert_eq!(right(&[run_thread(NOW)]).cut(PROVENANCE + 2).said(), Said::Need(PROVENANCE + 3));
    assert_eq!(right(&[run_thread(NOW)]).cut(PROVENANCE + 3).said(), Said::Need(PROVENANCE + 15));
    // No plausible record follows either of the two.
    assert_eq!(right(&[JUNK.to_vec()]).said(), short);
    // The block's end decides before anything else.
    assert_eq!(right(&[run_thread(NOW)]).block_of(PROVENANCE).said(), short);
    assert_eq!(right(&[run_thread(NOW)]).block_of(PROVENANCE + 1).said(), long);
}

#[test]
fn at_the_end_of_the_log_an_info_table_may_lack_its_extra_byte() {
    let mistaken = |missing: usize| {
        let mut place = at(&[provenance(NOW, b"")]);
        place.bytes[11] += missing as u8;
        place
    };
    assert_eq!(mistaken(1).last().said(), record(PROVENANCE as u64));
    assert_eq!(mistaken(1).said(), Said::Need(PROVENANCE + 1));
    assert_eq!(mistaken(2).last().said(), Said::Need(PROVENANCE + 2));
    // This holds only for info tables, and only if their fields end where the log does.
    assert_eq!(mistaken(1).cut(PROVENANCE - 1).last().said(), Said::Need(PROVENANCE + 1));
    let mut other = at(&[band(NOW, b"abc\0")]).last();
    other.bytes[11] += 1;
    assert_eq!(other.said(), Said::Need(26));
    let mut unfit = at(&[variable(IPE, NOW, &[b'x'; 20])]).last();
    unfit.bytes[11] += 1;
    assert_eq!(unfit.said(), Said::Need(33));
}

/// A header that declares RUN_THREAD with 20 bytes, which no GHC writes.
fn doubtful() -> Header {
    header_of(&[(0, 4), (RUN, 20), (MARKER, 14), (TEXT, VARIABLE)], false)
}

fn create_thread(time: u64) -> Vec<u8> {
    fixed(0, time, &[0, 0, 0, 7])
}

fn long_run(time: u64) -> Vec<u8> {
    fixed(RUN, time, &[7; 20])
}

#[test]
fn what_follows_a_record_decides_between_its_sizes() {
    let place = |records: &[Vec<u8>]| at(records).with(doubtful());
    let follow = [create_thread(NOW), create_thread(NOW), create_thread(NOW)];
    let after = |first: Vec<u8>| [vec![first], follow.to_vec()].concat();
    assert_eq!(place(&after(run_thread(NOW))).said(), record(14));
    assert_eq!(place(&after(long_run(NOW))).said(), record(30));
    // Three records must follow, or the end.
    assert_eq!(asked_for(|| place(&after(run_thread(NOW)))), [2, 14, 16, 28, 30, 42, 44, 56]);
    assert_eq!(place(&[run_thread(NOW)]).block_of(14).said(), record(14));
    assert_eq!(place(&[long_run(NOW)]).block_of(30).said(), record(30));
    assert_eq!(place(&[run_thread(NOW)]).last().said(), record(14));
    assert_eq!(place(&[long_run(NOW)]).last().said(), record(30));
    let marker = block(NOW, 100, NOW, 0);
    assert_eq!(place(&[run_thread(NOW), marker.clone()]).said(), record(14));
    assert_eq!(place(&[long_run(NOW), marker]).said(), record(30));
}

#[test]
fn a_size_in_doubt_is_the_declared_one_if_no_plausible_record_follows() {
    let place = |records: &[Vec<u8>]| at(records).with(doubtful());
    let junk = JUNK.to_vec();
    assert_eq!(place(&[run_thread(NOW), junk.clone()]).said(), record(30));
    assert_eq!(place(&[run_thread(FAR), junk]).said(), wrong_time(RUN));
    // A type that is missing in the header has no size of its own.
    let lost = || header_of(&[(0, 4), (MARKER, 14)], true);
    assert_eq!(at(&[run_thread(NOW), JUNK.to_vec()]).with(lost()).said(), Said::Damaged(Cause::Undeclared(RUN)));
    assert_eq!(
        at(&[run_thread(NOW), create_thread(NOW), create_thread(NOW), create_thread(NOW)]).with(lost()).said(),
        record(14)
    );
}

#[test]
fn in_a_log_that_is_cut_off_the_size_with_most_records_after_it_is_taken() {
    let place = |records: &[Vec<u8>]| at(records).with(doubtful()).last();
    let both = || place(&[run_thread(NOW), create_thread(NOW), create_thread(NOW)]);
    assert_eq!(both().cut(14 + 14 + 13).said(), record(14));
    assert_eq!(place(&[long_run(NOW), create_thread(NOW)]).cut(30 + 13).said(), record(30));
    // The log ends before the longer record does.
    assert_eq!(both().cut(14).said(), record(14));
    assert_eq!(both().cut(15).said(), record(14));
    assert_eq!(both().cut(12).said(), Said::Need(30));
    // A single byte follows the longer record, which can be anything. A whole record follows the shorter one, which
    // says more.
    assert_eq!(both().cut(31).said(), record(14));
    // After both, the log is cut off within a record: then the declared size counts,
    let undecided = [run_thread(NOW), variable(TEXT, NOW, &[0; 100])];
    assert_eq!(place(&undecided).cut(31).said(), record(30));
    // unless it is a size that GHC is known to declare and not to write.
    const TASK_CREATE: u16 = 55;
    let mistaken = header_of(&[(TASK_CREATE, 14), (TEXT, VARIABLE)], false);
    let task = fixed(TASK_CREATE, NOW, &[0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, TEXT as u8, 0, 0]);
    assert_eq!(at(&[task, variable(TEXT, NOW, &[0; 100])]).with(mistaken).last().cut(31).said(), record(28));
}

/// The answer for three records in a row, as text.
fn row(place: At) -> String {
    format!("{:?}", several(place.chunk(), &place.header, place.bounds))
}

#[test]
fn three_records_in_a_row_are_enough() {
    let runs = |times: &[u64]| at(&times.iter().map(|time| run_thread(*time)).collect::<Vec<_>>());
    let junk_behind = |times: &[u64]| {
        let mut place = runs(times);
        place.bytes.extend(JUNK);
        place
    };
    assert_eq!(row(junk_behind(&[NOW; 3])), "Yes");
    assert_eq!(row(junk_behind(&[NOW; 2])), "No");
    assert_eq!(row(runs(&[NOW; 2])), "Need(30)");
    assert_eq!(row(runs(&[NOW; 2]).last()), "Yes");
    assert_eq!(row(runs(&[NOW; 2]).cut(27).last()), "Cut(1)");
    assert_eq!(row(runs(&[NOW; 2]).cut(15).last()), "Cut(1)");
    assert_eq!(row(runs(&[NOW]).cut(13).last()), "No");
    assert_eq!(row(runs(&[NOW]).cut(1).last()), "No");
    // The end of the block is as good as the end of the log, and no record goes beyond it.
    assert_eq!(row(runs(&[NOW; 2]).block_of(28)), "Yes");
    assert_eq!(row(runs(&[NOW; 2]).block_of(27)), "No");
    assert_eq!(row(runs(&[]).block_of(0)), "End");
    assert_eq!(row(runs(&[]).last()), "End");
    // A block may begin after them.
    assert_eq!(row(at(&[run_thread(NOW), block(NOW, 100, NOW, 0)])), "Yes");
    assert_eq!(row(at(&[block(NOW, 100, NOW, 0)])), "End");
    assert_eq!(row(at(&[block(NOW, 23, NOW, 0)])), "No");
}

#[test]
fn times_of_records_in_a_row_are_their_blocks_and_hardly_go_back() {
    let runs = |times: &[u64]| {
        let mut place = at(&times.iter().map(|time| run_thread(*time)).collect::<Vec<_>>());
        place.bounds.times = (Nanos(0), Nanos(NOW));
        row(place.last())
    };
    assert_eq!(runs(&[NOW, NOW - MAX_TIME_BACK.0, NOW]), "Yes");
    assert_eq!(runs(&[NOW, NOW - MAX_TIME_BACK.0 - 1, NOW]), "No");
    assert_eq!(runs(&[NOW + 1]), "No");
    // Zeros are rejected, except at the start of the log.
    assert_eq!(runs(&[0]), "No");
    let mut start = at(&[run_thread(0)]).after(0).last();
    start.bounds.times = (Nanos(0), Nanos(NOW));
    assert_eq!(row(start), "Yes");
}

#[test]
fn an_end_mark_ends_a_block_or_the_log() {
    let mark = |behind: &[u8]| at(&[vec![0xff, 0xff], behind.to_vec()]);
    assert_eq!(row(mark(b"").last()), "End");
    assert_eq!(row(mark(b"").block_of(2)), "End");
    assert_eq!(row(mark(b"more").block_of(2)), "End");
    assert_eq!(row(mark(b"")), "Need(3)");
    assert_eq!(row(mark(b"more")), "No");
    assert_eq!(row(mark(b"").block_of(3)), "Need(3)");
    assert_eq!(row(mark(b"more").last()), "No");
}

#[test]
fn a_believable_marker_is_found() {
    let found = |place: At| match marker(place.chunk(), &place.header) {
        Ok(Some((end, block, time))) => format!("{} {} {}", end - FROM, block.size, time.0),
        Ok(None) => "none".into(),
        Err(bytes) => format!("need {bytes}"),
    };
    let good = || at(&[block(NOW, 100, NOW, 0)]);
    assert_eq!(found(good()), format!("24 100 {NOW}"));
    assert_eq!(found(good().cut(1)), "need 2");
    assert_eq!(found(good().cut(2)), "need 24");
    assert_eq!(found(good().cut(23)), "need 24");
    assert_eq!(found(good().cut(23).last()), "none");
    assert_eq!(found(good().cut(1).last()), "none");
    assert_eq!(found(at(&[block(NOW, 23, NOW, 0)])), "none");
    assert_eq!(found(at(&[run_thread(NOW), run_thread(NOW)])), "none");
    assert_eq!(found(at(&[JUNK.to_vec()])), "none");
}
