//! How each piece of a header is read. Each test shows what a rule accepts, and the nearest case that it rejects.

mod mended;

use super::*;
use crate::samples::{event_type, header_bytes};
use alloc::{vec, vec::Vec};

/// The offset of the piece.
const AT: u64 = 1000;

/// An event type that the table does not have.
const STRANGE: u16 = 500;

/// A piece with more of the log to come.
fn more(bytes: &[u8]) -> Chunk<'_> {
    Chunk { bytes, offset: AT, last: false }
}

/// A piece that the log ends with.
fn last(bytes: &[u8]) -> Chunk<'_> {
    Chunk { last: true, ..more(bytes) }
}

/// A reader that has read the header's mark.
fn begun() -> HeaderReader {
    let mut reader = HeaderReader::default();
    assert_eq!(reader.next(more(BEGIN)), Ok(Piece::Read(8)));
    reader
}

/// A reader that has read these event types, with or without notices.
fn having_read(types: &[Vec<u8>]) -> HeaderReader {
    let mut reader = begun();
    for bytes in types {
        assert!(matches!(reader.next(last(bytes)), Ok(Piece::Read(_) | Piece::Notice(..))), "an event type");
    }
    reader
}

/// The result for a log's first bytes.
fn start(chunk: Chunk<'_>) -> Result<Piece, Error> {
    HeaderReader::default().next(chunk)
}

/// The result for what follows the header's mark.
fn then(chunk: Chunk<'_>) -> Result<Piece, Error> {
    begun().next(chunk)
}

fn wrong(kind: ErrorKind) -> Result<Piece, Error> {
    Err(Error { kind, offset: AT })
}

/// The log ends after `types` types and `bytes` bytes of the piece.
fn cut_off(types: u32, bytes: usize) -> Result<Piece, Error> {
    Err(Error { kind: ErrorKind::HeaderCut { types }, offset: AT + bytes as u64 })
}

fn said(kind: NoticeKind, bytes: usize) -> Result<Piece, Error> {
    Ok(Piece::Notice(kind, bytes as u64))
}

fn lost(bytes: usize) -> Result<Piece, Error> {
    said(NoticeKind::TypeLost(bytes as u64), bytes)
}

fn mended(tag: u16, bytes: usize) -> Result<Piece, Error> {
    said(NoticeKind::TypeMended { tag }, bytes)
}

/// `bytes` with its first `first` bytes replaced.
fn spoiled(bytes: &[u8], first: usize) -> Vec<u8> {
    [&vec![b'X'; first], &bytes[first..]].concat()
}

fn padded(bytes: &[u8], length: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.resize(length, 0);
    bytes
}

/// A declaration, complete or damaged, with the next one after it.
fn damaged_type(begin: &[u8; 4], tag: u16, length: u32, text: &[u8], extra: u32, end: &[u8; 4]) -> (Vec<u8>, usize) {
    let head = [&begin[..], &tag.to_be_bytes(), &6_u16.to_be_bytes(), &length.to_be_bytes()].concat();
    let bytes = [&head[..], text, &extra.to_be_bytes(), end].concat();
    let length = bytes.len();
    ([bytes, event_type(2, 10, b"Stop thread")].concat(), length)
}

fn numbers(header: &Header) -> Vec<(u16, u16)> {
    header.types().iter().map(|declared| (declared.tag, declared.size)).collect()
}

/// The notices while a whole header was read, and where its data begin.
#[derive(Debug, PartialEq)]
struct Reading {
    said: Vec<(usize, NoticeKind)>,
    end: Result<(usize, Header), Error>,
    /// The offsets up to which bytes were asked for.
    asked_for: Vec<usize>,
}

/// Reads a header in steps: first from no bytes, then with as many as the reader asks for, but at least `step` more.
/// With `end_is_known` the last chunk is marked as such; without, only once the reader asks for more than there is.
fn read_in_steps(bytes: &[u8], step: usize, end_is_known: bool) -> Reading {
    let (mut reader, mut said, mut asked_for) = (HeaderReader::default(), Vec::new(), Vec::new());
    let (mut offset, mut there, mut last) = (0, 0, false);
    for _ in 0..1000 {
        let piece = reader.next(Chunk { bytes: &bytes[offset..there], offset: offset as u64, last });
        match piece {
            Ok(Piece::Need(needed)) => {
                let needed = offset + needed;
                assert!(needed > there && !last, "asks for {needed} bytes, has {there}");
                asked_for.push(needed);
                last = needed > bytes.len();
                there = needed.max(there + step).min(bytes.len());
                last |= end_is_known && there == bytes.len();
            }
            Ok(Piece::Read(bytes)) => offset += bytes as usize,
            Ok(Piece::Notice(kind, bytes)) => {
                said.push((offset, kind));
                offset += bytes as usize;
            }
            Ok(Piece::Complete(bytes)) => {
                return Reading { said, end: Ok((offset + bytes as usize, reader.finish())), asked_for };
            }
            Err(error) => return Reading { said, end: Err(error), asked_for },
        }
    }
    panic!("reads on and on");
}

#[test]
fn a_header_has_its_types_between_its_marks() {
    let types = [event_type(0, 4, b"Create thread"), event_type(STRANGE, 6, b"Mine: \xff"), event_type(501, 0, b"")];
    let header = header_bytes(&types);
    let Reading { said, end, .. } = read_in_steps(&[&header[..], b"and the data"].concat(), 0, true);
    let (end, read) = end.expect("a header");
    assert_eq!((said, end), (vec![], header.len()));
    assert_eq!(numbers(&read), [(0, 4), (STRANGE, 6), (501, 0)]);
    let texts: Vec<&str> = read.types().iter().map(|declared| &*declared.description).collect();
    assert_eq!(texts, ["Create thread", "Mine: \u{fffd}", ""]);
}

#[test]
fn a_reader_asks_for_no_more_than_the_header() {
    let types = [event_type(STRANGE, 6, &[b'x'; 100]), event_type(501, 0, b"")];
    let header = header_bytes(&types);
    let asked_for = read_in_steps(&[&header[..], b"and the data"].concat(), 0, true).asked_for;
    // A log's first 72 bytes; then the fixed part of a type, the parts whose lengths that gives, and the marks of the
    // end.
    assert_eq!(asked_for, [72, 8 + 116, 8 + 120, 128 + 4, 128 + 12, 128 + 16, 128 + 20, 148 + 4, 148 + 12]);
    assert_eq!(header.len(), 160);
}

#[test]
fn a_header_reads_the_same_in_pieces_of_any_size() {
    let types =
        || [event_type(0, 4, b"Create thread"), event_type(1, 4, b"Run thread"), event_type(STRANGE, 6, b"Mine")];
    let good = [&header_bytes(&types())[..], b"and the data behind it"].concat();
    let spoil = |from: usize, bytes: &[u8]| {
        let mut spoiled = good.clone();
        spoiled[from..from + bytes.len()].copy_from_slice(bytes);
        spoiled
    };
    let (second, third) = (8 + 33, 8 + 33 + 30);
    let end = third + 24;
    let cut = |bytes: usize| good[..bytes].to_vec();
    let samples = [
        good.clone(),
        cut(end + 12),
        [b"some junk", &good[..]].concat(),
        [&[0x77; 60][..], &good].concat(),
        [&[0x1f, 0x8b][..], &good].concat(),
        spoil(0, b"XXX"),
        [&[0x77; 60][..], &spoil(0, b"XXX")].concat(),
        spoil(second, b"XXXX"),
        spoil(second + 8, b"XXXX"),
        spoil(second, &[0x77; 30]),
        spoil(third, &[0x77; 24]),
        spoil(third - 8, b"XXXXXXXX"),
        spoil(third + 10, b"\0\r\n"),
        spoil(end, b"XXXX"),
        spoil(end + 2, b"XXXX"),
        spoil(end, b"XXXXX"),
        cut(4),
        cut(second),
        cut(second + 5),
        cut(second + 14),
        cut(end + 2),
        cut(end + 11),
        b"no log at all".repeat(10),
        [&b"no log at all".repeat(6)[..], &[0xff; 30]].concat(),
        vec![],
    ];
    for (at, bytes) in samples.iter().enumerate() {
        let whole = read_in_steps(bytes, bytes.len(), true);
        for step in 0..bytes.len() {
            for end_is_known in [true, false] {
                let Reading { said, end, .. } = read_in_steps(bytes, step, end_is_known);
                assert_eq!((&said, &end), (&whole.said, &whole.end), "sample {at} in steps of {step}");
            }
        }
    }
}

#[test]
fn a_log_begins_with_the_headers_mark() {
    assert_eq!(start(more(BEGIN)), Ok(Piece::Read(8)));
    for bytes in 0..8 {
        assert_eq!(start(more(&BEGIN[..bytes])), Ok(Piece::Need(72)), "{bytes} bytes");
        assert_eq!(start(last(&BEGIN[..bytes])), cut_off(0, bytes), "{bytes} bytes");
    }
    let empty = Error { kind: ErrorKind::Empty, offset: 0 };
    assert_eq!(start(Chunk { offset: 0, ..last(b"") }), Err(empty));
    let unknown = Error { kind: ErrorKind::NotEventlog(Looks::Unknown), offset: 0 };
    assert_eq!(start(Chunk { offset: 0, ..last(b"\0") }), Err(unknown));
}

#[test]
fn a_header_is_searched_for_up_to_a_limit() {
    assert_eq!(start(more(&[0x77; 71])), Ok(Piece::Need(72)));
    assert_eq!(start(more(&[0xff; 72])), wrong(ErrorKind::NotEventlog(Looks::Unknown)));
    for junk in [1, 63, 64] {
        let bytes = [&vec![0x77; junk], &BEGIN[..], &[0; 72]].concat();
        assert_eq!(start(more(&bytes)), said(NoticeKind::BytesBeforeHeader(junk as u64), junk), "{junk} bytes");
        assert_eq!(start(last(&bytes[..junk + 8])), said(NoticeKind::BytesBeforeHeader(junk as u64), junk));
    }
    let too_late = [&[0xff; 65][..], BEGIN, &[0; 72]].concat();
    assert_eq!(start(more(&too_late)), wrong(ErrorKind::NotEventlog(Looks::Unknown)));
    let mut reader = HeaderReader::default();
    assert_eq!(reader.next(last(b"xhdrbhetb")), said(NoticeKind::BytesBeforeHeader(1), 1));
    assert_eq!(reader.next(last(BEGIN)), Ok(Piece::Read(8)));
}

#[test]
fn a_file_that_is_no_log_is_named() {
    let named = |bytes: &[u8]| start(last(bytes));
    assert_eq!(named(b"JOB \"prog\""), wrong(ErrorKind::NotEventlog(Looks::HeapProfile)));
    assert_eq!(named(b"hdrbmore"), wrong(ErrorKind::ExpectedEventType(*b"more")));
    assert_eq!(named(b"hdrb12"), wrong(ErrorKind::ExpectedEventType(*b"12\0\0")));
    // A compressed log can contain the mark uncompressed. Other bytes before the header do no harm.
    assert_eq!(named(b"\x1f\x8bhdrbhetb"), wrong(ErrorKind::NotEventlog(Looks::Gzip)));
    assert_eq!(named(b"<pre>hdrbhetb"), said(NoticeKind::BytesBeforeHeader(5), 5));
}

#[test]
fn a_third_of_the_headers_mark_may_be_damaged_if_a_type_follows() {
    let front = b"hdrbhetbetb\0";
    for damaged in 1..=4 {
        assert_eq!(start(last(&spoiled(front, damaged))), said(NoticeKind::HeaderMark, 8), "{damaged} bytes");
    }
    assert_eq!(start(last(&spoiled(front, 5))), wrong(ErrorKind::NotEventlog(Looks::Unknown)));
    assert_eq!(start(last(&spoiled(BEGIN, 1))), wrong(ErrorKind::NotEventlog(Looks::Text)));
    let mut reader = HeaderReader::default();
    let bytes = [&[0x77; 10], &spoiled(front, 4)[..]].concat();
    assert_eq!(reader.next(last(&bytes)), said(NoticeKind::BytesBeforeHeader(10), 10));
    assert_eq!(reader.next(last(&bytes[10..])), said(NoticeKind::HeaderMark, 8));
    assert_eq!(reader.next(last(&event_type(1, 4, b"Run thread"))), Ok(Piece::Read(30)));
}

/// Type 500 of 6 bytes, with a description of 5 bytes, and 3 bytes of extra information.
const WITH_MORE: &[u8; 28] = b"etb\0\x01\xf4\0\x06\0\0\0\x05hello\0\0\0\x03newete\0";

#[test]
fn missing_bytes_of_a_type_are_asked_for() {
    for bytes in 0..28 {
        let needed = match bytes {
            0..4 => 4,
            4..12 => 12,
            12..21 => 21,
            _ => 28,
        };
        assert_eq!(then(more(&WITH_MORE[..bytes])), Ok(Piece::Need(needed)), "of {bytes} bytes");
        assert_eq!(then(last(&WITH_MORE[..bytes])), cut_off(0, bytes), "of {bytes} bytes");
    }
    let mut reader = begun();
    assert_eq!(reader.next(more(WITH_MORE)), Ok(Piece::Read(28)));
    assert_eq!(reader.next(last(&WITH_MORE[..9])), cut_off(1, 9));
    assert_eq!(numbers(&reader.finish()), [(STRANGE, 6)]);
}

#[test]
fn missing_bytes_of_the_end_are_asked_for() {
    for bytes in 0..12 {
        let needed = if bytes < 4 { 4 } else { 12 };
        assert_eq!(then(more(&END[..bytes])), Ok(Piece::Need(needed)), "of {bytes} bytes");
        assert_eq!(then(last(&END[..bytes])), cut_off(0, bytes), "of {bytes} bytes");
    }
    assert_eq!(then(more(END)), Ok(Piece::Complete(12)));
}

#[test]
fn a_description_has_a_largest_length() {
    const MOST: usize = MAX_DESCRIPTION as usize;
    let longest = event_type(STRANGE, 6, &[b'x'; MOST]);
    assert_eq!(then(more(&longest)), Ok(Piece::Read(MOST as u64 + 20)));
    assert_eq!(then(more(&longest[..12])), Ok(Piece::Need(12 + MOST + 4)));
    let longer = event_type(STRANGE, 6, &[b'x'; MOST + 1]);
    let too_long = |types| wrong(ErrorKind::DescriptionTooLong { types, length: MAX_DESCRIPTION + 1 });
    assert_eq!(then(last(&longer)), too_long(0));
    assert_eq!(then(last(&longer[..12])), too_long(0));
    assert_eq!(then(more(&longer[..12])), Ok(Piece::Need(13)));
    assert_eq!(having_read(&[WITH_MORE.to_vec()]).next(last(&longer)), too_long(1));
}

#[test]
fn extra_information_has_a_largest_length() {
    let with_more = |length: u32| [&WITH_MORE[..17], &length.to_be_bytes()].concat();
    assert_eq!(then(more(&with_more(MAX_DESCRIPTION))), Ok(Piece::Need(21 + MAX_DESCRIPTION as usize + 4)));
    let no_end = wrong(ErrorKind::ExpectedEndOfType { tag: STRANGE });
    assert_eq!(then(last(&with_more(MAX_DESCRIPTION + 1))), no_end);
}

#[test]
fn a_type_ends_with_its_mark_and_holds_no_other() {
    let no_end = wrong(ErrorKind::ExpectedEndOfType { tag: STRANGE });
    for byte in 24..28 {
        let mut bytes = WITH_MORE.to_vec();
        bytes[byte] = b'X';
        assert_eq!(then(last(&bytes)), no_end, "without byte {byte} of it");
    }
    assert_eq!(then(last(&event_type(STRANGE, 6, b"an etb\0 in it"))), lost(12 + 3));
    assert_eq!(then(last(b"etb\0\x01\xf4\0\x06\0\0\0\0\0\0\0\x04etb\0ete\0")), lost(16));
    assert_eq!(then(last(&event_type(STRANGE, 6, b"an etb in it"))), Ok(Piece::Read(32)));
}

#[test]
fn an_error_names_what_is_neither_a_type_nor_the_end() {
    assert_eq!(then(last(b"what")), wrong(ErrorKind::ExpectedEventType(*b"what")));
    assert_eq!(then(last(b"what is this here")), wrong(ErrorKind::ExpectedEventType(*b"what")));
    assert_eq!(then(last(b"heteXXXXXXXX")), wrong(ErrorKind::ExpectedData(*b"XXXX")));
    assert_eq!(then(last(b"heteXXXX")), wrong(ErrorKind::ExpectedData(*b"XXXX")));
    assert_eq!(then(last(b"hetehdreXX")), wrong(ErrorKind::ExpectedData(*b"XX\0\0")));
}

#[test]
fn a_third_of_the_ends_marks_may_be_damaged() {
    for damaged in 1..=4 {
        let mut reader = begun();
        assert_eq!(reader.next(last(&spoiled(END, damaged))), said(NoticeKind::HeaderMark, 12), "{damaged} bytes");
        assert_eq!(reader.next(more(b"")), Ok(Piece::Complete(0)), "{damaged} bytes");
    }
    assert_eq!(then(last(&spoiled(END, 5))), wrong(ErrorKind::ExpectedEventType(*b"XXXX")));
    assert_eq!(then(last(b"hetehdreXXXX")), said(NoticeKind::HeaderMark, 12));
}

#[test]
fn line_ends_that_were_changed_show_in_a_types_numbers() {
    let too_long =
        |bytes: &[u8]| matches!(then(last(bytes)), Err(Error { kind: ErrorKind::DescriptionTooLong { .. }, .. }));
    for pair in [b"\r\n", b"\n\r"] {
        for from in 4..12 {
            let mut bytes = [TYPE, &[0x77; 20][..]].concat();
            bytes[from..from + 2].copy_from_slice(pair);
            assert_eq!(then(last(&bytes)), wrong(ErrorKind::TextMode), "from byte {from} on");
        }
        let bytes = [TYPE, &[0x77; 8][..], pair, b"more"].concat();
        assert!(too_long(&bytes), "the description may begin with a line end");
        let bytes = [&b"etb"[..], pair, &[0x77; 15]].concat();
        assert!(matches!(then(last(&bytes)), Err(Error { kind: ErrorKind::ExpectedEventType(_), .. })), "a mark's end");
    }
    for byte in [b'\r', b'\n'] {
        assert!(too_long(&[TYPE, &[byte; 9][..]].concat()), "half a line end again and again");
    }
    let short = [TYPE, &[0x77; 4][..], b"\r\nww"].concat();
    assert_eq!(then(last(&short)), wrong(ErrorKind::TextMode));
    assert_eq!(then(more(&short)), Ok(Piece::Need(13)));
}

#[test]
fn after_damage_reading_goes_on_at_the_next_mark() {
    let after = |junk: usize, bytes: &[u8]| [&vec![0x77; junk], bytes].concat();
    for mark in [&event_type(1, 4, b"Run thread")[..12], END, &spoiled(END, 4)] {
        assert_eq!(then(more(&after(20, mark))), lost(20));
        assert_eq!(then(last(&after(20, mark))), lost(20));
        // While bytes are missing, it could be either.
        assert_eq!(then(more(&after(20, mark)[..31])), Ok(Piece::Need(62)));
    }
    assert_eq!(then(last(&after(20, TYPE))), lost(20));
    assert_eq!(then(more(&after(20, TYPE))), Ok(Piece::Need(48)));
    assert_eq!(then(more(&after(1, &padded(TYPE, 12)))), lost(1));
    assert_eq!(then(last(&after(20, &spoiled(END, 5)))), wrong(ErrorKind::ExpectedEventType(*b"wwww")));
    // A damaged start is not judged before it can be distinguished from changed line ends.
    for bytes in 4..13 {
        assert_eq!(then(more(&after(bytes, b""))), Ok(Piece::Need(13)), "{bytes} bytes");
    }
    assert_eq!(then(more(&after(13, b""))), Ok(Piece::Need(26)));
}

#[test]
fn the_next_mark_is_searched_for_up_to_a_limit() {
    let bytes = |length: usize| vec![0x77; length];
    let nothing = wrong(ErrorKind::ExpectedEventType(*b"wwww"));
    assert_eq!(then(more(&bytes(HEADER_GAP / 2))), Ok(Piece::Need(HEADER_GAP)));
    assert_eq!(then(more(&bytes(HEADER_GAP - 1))), Ok(Piece::Need(HEADER_GAP)));
    assert_eq!(then(more(&bytes(HEADER_GAP))), nothing);
    assert_eq!(then(last(&bytes(100))), nothing);
    let mark_at = |place: usize| [&bytes(place)[..], TYPE].concat();
    assert_eq!(then(more(&mark_at(HEADER_GAP - 4))), lost(HEADER_GAP - 4));
    assert_eq!(then(more(&mark_at(HEADER_GAP - 3))), nothing);
}

#[test]
fn a_header_has_a_largest_number_of_types() {
    let mut reader = begun();
    let one = event_type(STRANGE, 6, b"");
    for _ in 0..MAX_EVENT_TYPES {
        assert!(reader.next(more(&one)).is_ok());
    }
    assert_eq!(reader.header.types().len(), MAX_EVENT_TYPES as usize);
    assert_eq!(reader.next(more(&one)), wrong(ErrorKind::TooManyTypes));
}

#[test]
fn the_descriptions_of_a_header_have_a_largest_total_length() {
    let mut reader = begun();
    let long = event_type(STRANGE, 6, &[b'x'; MAX_DESCRIPTION as usize]);
    for _ in 0..MAX_DESCRIPTIONS / MAX_DESCRIPTION as usize {
        assert!(reader.next(more(&long)).is_ok());
    }
    assert_eq!(reader.next(more(&event_type(501, 6, b""))), Ok(Piece::Read(20)));
    let one_more = event_type(502, 6, b"x");
    assert_eq!(reader.clone().next(more(&one_more)), wrong(ErrorKind::TooManyTypes));
    // A damaged type's description counts, too.
    let (bytes, _) = damaged_type(b"XXXX", 502, 1, b"x", 0, TYPE_END);
    assert_eq!(reader.next(last(&bytes)), wrong(ErrorKind::TooManyTypes));
}

#[test]
fn a_type_declared_twice_gives_a_notice() {
    let twice = |size| having_read(&[event_type(STRANGE, 6, b"")]).next(more(&event_type(STRANGE, size, b"again")));
    assert_eq!(twice(6), said(NoticeKind::TypeDeclaredTwice { tag: STRANGE, resized: false }, 25));
    assert_eq!(twice(7), said(NoticeKind::TypeDeclaredTwice { tag: STRANGE, resized: true }, 25));
    let other = having_read(&[event_type(STRANGE, 6, b"")]).next(more(&event_type(501, 6, b"again")));
    assert_eq!(other, Ok(Piece::Read(25)));
}

#[test]
fn a_declared_end_mark_gives_a_notice() {
    let end_mark = || event_type(END_MARK, 6, b"");
    assert_eq!(then(more(&end_mark())), said(NoticeKind::EndMarkDeclared, 20));
    assert_eq!(having_read(&[end_mark()]).next(more(&end_mark())), said(NoticeKind::EndMarkDeclared, 20));
}

#[test]
fn a_log_without_block_markers_gives_a_notice() {
    let told = |size| {
        let header = having_read(&[event_type(1, 4, b""), event_type(BlockMarker::TAG, size, b"")]).finish();
        HeaderReader::notice(&header, None, AT)
    };
    let notice = Some(Notice { kind: NoticeKind::NoBlockMarkers, offset: AT });
    assert_eq!(told(14), None);
    assert_eq!(told(13), None);
    assert_eq!(told(crate::VARIABLE), notice);
    assert_eq!(HeaderReader::notice(&having_read(&[event_type(1, 4, b"")]).finish(), None, AT), notice);
}
