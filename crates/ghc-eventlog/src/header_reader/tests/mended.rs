//! Damaged declarations of event types: which are mended, and which are lost.

use super::*;

#[test]
fn a_damaged_type_is_mended_if_two_of_its_parts_fit() {
    let text = b"Nobody's";
    for right in 0_u32..15 {
        let is_right = |part: u32| right & 1 << part != 0;
        let begin = if is_right(0) { TYPE } else { b"XXXX" };
        let length = if is_right(1) { text.len() as u32 } else { u32::MAX };
        let extra = if is_right(2) { 0 } else { u32::MAX };
        let end = if is_right(3) { TYPE_END } else { b"XXXX" };
        let (bytes, length) = damaged_type(begin, STRANGE, length, text, extra, end);
        let mut reader = begun();
        if right.count_ones() < 2 {
            assert_eq!(reader.next(last(&bytes)), lost(length), "{right:04b}");
            assert_eq!(numbers(&reader.header), []);
        } else {
            assert_eq!(reader.next(last(&bytes)), mended(STRANGE, length), "{right:04b}");
            assert_eq!(numbers(&reader.header), [(STRANGE, 6)]);
        }
    }
}

#[test]
fn a_damaged_type_is_mended_if_its_description_is_ghcs() {
    for tag in [1, 2, 5, STRANGE] {
        let (bytes, length) = damaged_type(b"XXXX", tag, u32::MAX, b"Run thread", u32::MAX, b"XXXX");
        let mut reader = begun();
        assert_eq!(reader.next(last(&bytes)), mended(1, length), "declared as {tag}");
        assert_eq!(numbers(&reader.header), [(1, 6)], "declared as {tag}");
    }
}

#[test]
fn a_type_with_too_long_a_description_is_not_mended() {
    const MOST: usize = MAX_DESCRIPTION as usize;
    let (bytes, length) = damaged_type(b"XXXX", STRANGE, MAX_DESCRIPTION, &[b'x'; MOST], 0, TYPE_END);
    assert_eq!(then(last(&bytes)), mended(STRANGE, length));
    let (bytes, length) = damaged_type(b"XXXX", STRANGE, MAX_DESCRIPTION + 1, &[b'x'; MOST + 1], 0, TYPE_END);
    assert_eq!(then(last(&bytes)), lost(length));
}

#[test]
fn bytes_too_short_for_a_type_are_lost() {
    let fitting =
        |length: usize| [&b"etb\0\x01\xf4\0\x06\xff\xff\xff\xff"[..], &[0; 4], TYPE_END].concat()[..length].to_vec();
    let then_the_end = |bytes: Vec<u8>| then(last(&[&bytes[..], END].concat()));
    assert_eq!(then_the_end(fitting(20)), mended(STRANGE, 20));
    for length in [19, 12] {
        assert_eq!(then_the_end(fitting(length)), lost(length));
    }
    assert_eq!(then_the_end(vec![0x77; 11]), lost(11));
}

/// Whether the reader assumes that types are missing: then the log may have a type that is not declared.
fn may_miss_types(reader: HeaderReader) -> bool {
    !reader.finish().candidates(3).is_empty()
}

#[test]
fn types_may_be_missing_only_if_something_could_not_be_read() {
    let run = |tag: u16| event_type(tag, 4, b"Run thread");
    let named = || damaged_type(b"XXXX", STRANGE, u32::MAX, b"Run thread", u32::MAX, b"XXXX").0;
    let unnamed = || damaged_type(b"XXXX", STRANGE, 8, b"Nobody's", 0, TYPE_END).0;
    let junk = || [&[0x77; 20][..], TYPE].concat();
    assert!(!may_miss_types(having_read(&[])));
    assert!(!may_miss_types(having_read(&[run(1)])));
    // With a known description, the declaration is complete. Without one, another type may have been lost in the
    // middle.
    assert!(!may_miss_types(having_read(&[named()])));
    assert!(may_miss_types(having_read(&[unnamed()])));
    assert!(may_miss_types(having_read(&[junk()])));
    assert!(may_miss_types(having_read(&[junk(), named()])));
    assert!(may_miss_types(having_read(&[named(), junk()])));
}

#[test]
fn one_type_out_of_order_has_the_number_of_another() {
    let in_order = |tags: &[u16]| {
        let types: Vec<_> = tags.iter().map(|tag| event_type(*tag, 4, b"")).collect();
        !may_miss_types(having_read(&types))
    };
    assert!(in_order(&[0]) && in_order(&[0, 1, 2]));
    assert!(!in_order(&[1, 0]) && !in_order(&[0, 9, 1, 2]));
    assert!(!in_order(&[0, 1, 1, 2]));
    // In a header with another order, no number is doubted.
    assert!(in_order(&[2, 1, 0]) && in_order(&[0, 1, 1, 1]));
}

#[test]
fn a_number_that_its_description_contradicts_is_mended() {
    let number = |tag: u16, text: &[u8]| {
        let mut reader = begun();
        let bytes = event_type(tag, 4, text);
        let expected =
            |number| if number == tag { Ok(Piece::Read(bytes.len() as u64)) } else { mended(number, bytes.len()) };
        // Whether the number is meant is seen at the header's end.
        let piece = reader.next(more(&[&bytes[..], END].concat()));
        let number = numbers(&reader.header)[0].0;
        assert_eq!(piece, expected(number));
        number
    };
    // One bit of the number is wrong,
    assert_eq!([0, 3, 5, 0x8001].map(|tag| number(tag, b"Run thread")), [1; 4]);
    assert_eq!(number(5, b"Run_thread"), 1);
    // or the number is not one of GHC's.
    assert_eq!(number(STRANGE, b"Run thread"), 1);
    // Other writers may use GHC's descriptions for their own numbers.
    assert_eq!([1, 2, 7].map(|tag| number(tag, b"Run thread")), [1, 2, 7]);
    assert_eq!([0, 5, STRANGE].map(|tag| number(tag, b"Something else")), [0, 5, STRANGE]);
}

/// A log of March 2009 has other numbers for four events. None of them is damaged.
#[test]
fn numbers_in_order_that_several_descriptions_contradict_are_meant() {
    let texts: [&[u8]; 4] = [b"Request sequential GC", b"Request parallel GC", b"Starting GC", b"Finished GC"];
    let types: Vec<u8> = (9..).zip(texts).flat_map(|(tag, text)| event_type(tag, 2, text)).collect();
    let read = |types: &[u8]| {
        let mut reader = begun();
        let (bytes, mut at, mut mended) = ([types, END].concat(), 0, 0);
        loop {
            match reader.next(more(&bytes[at..])).unwrap() {
                Piece::Read(length) => at += length as usize,
                Piece::Notice(_, length) => (at, mended) = (at + length as usize, mended + 1),
                Piece::Complete(_) => return (numbers(&reader.header), mended, reader.finish()),
                Piece::Need(_) => unreachable!(),
            }
        }
    };
    let (numbers, mended, header) = read(&types);
    assert_eq!((numbers, mended), (vec![(9, 2), (10, 2), (11, 2), (12, 2)], 0));
    assert!((9..=12).all(|tag| header.has_other_fields(tag)));
    // With one of them out of order, something is damaged.
    let (numbers, mended, header) = read(&[event_type(20, 0, b"GC idle"), types].concat());
    assert_eq!((numbers[1].0, mended), (11, 2));
    assert!(!header.has_other_fields(10) || header.declared(18).is_none());
    // The decision needs the rest of the header.
    let first = event_type(9, 2, texts[0]);
    assert!(matches!(begun().next(more(&first)), Ok(Piece::Need(bytes)) if bytes > first.len()));
}

#[test]
fn a_number_is_not_mended_to_one_that_is_declared_already() {
    let mut reader = having_read(&[event_type(1, 4, b"Run thread")]);
    let again = event_type(5, 4, b"Run thread");
    assert_eq!(reader.next(more(&again)), Ok(Piece::Read(30)));
    assert_eq!(reader.next(more(&event_type(STRANGE, 4, b"Run thread"))), Ok(Piece::Read(30)));
    assert_eq!(numbers(&reader.header), [(1, 4), (5, 4), (STRANGE, 4)]);
}
