//! Which layouts the records of a declared type may have, and what else a header says about its log.

use super::*;
use crate::samples::{RUN, header_of};
use alloc::{vec, vec::Vec};

/// An event type that the table does not have.
const STRANGE: u16 = 500;
/// A message: any payload is a text.
const TEXT: u16 = 19;
/// A band of a heap profile: its text ends with a NUL, which shows where the event ends.
const BAND: u16 = 164;
const MARKER: u16 = BlockMarker::TAG;

fn header(types: &[(u16, u16)]) -> Header {
    header_of(types, false)
}

/// The sizes and the forms that records of this number may have.
fn may_have(header: &Header, tag: u16) -> Vec<(u16, Way)> {
    header.candidates(tag).iter().map(|layout| (layout.size, layout.way)).collect()
}

/// The sizes that records may have whose number is declared with the size `declared`.
fn sizes(tag: u16, declared: u16) -> Vec<u16> {
    may_have(&header(&[(tag, declared)]), tag).into_iter().map(|(size, _)| size).collect()
}

/// The same for GHC 6.12, which is recognised by CREATE_THREAD with 8 bytes.
fn sizes_in_ghc_6_12(tag: u16, declared: u16) -> Vec<u16> {
    may_have(&header(&[(0, 8), (tag, declared)]), tag).into_iter().map(|(size, _)| size).collect()
}

#[test]
fn a_layout_has_the_form_that_the_table_gives_it() {
    for (tag, size, way) in [
        (RUN, 4, Way::Known),
        (RUN, 5, Way::Known),
        (RUN, 3, Way::Opaque),
        (RUN, VARIABLE, Way::Opaque),
        (TEXT, VARIABLE, Way::Known),
        (TEXT, 10, Way::Opaque),
        (BAND, VARIABLE, Way::Checked),
        (BAND, 20, Way::Opaque),
        (MARKER, 14, Way::Block),
        (MARKER, 13, Way::Opaque),
        (MARKER, VARIABLE, Way::Opaque),
        (Ipe::TAG, VARIABLE, Way::Ipe),
        (Ipe::TAG, 20, Way::Opaque),
        (STRANGE, 6, Way::Opaque),
        (STRANGE, VARIABLE, Way::Opaque),
    ] {
        assert_eq!(layout(tag, size), Layout { size, way }, "{tag} of {size} bytes");
    }
}

#[test]
fn the_last_declaration_of_a_number_counts() {
    let header = header(&[(STRANGE, 6), (RUN, 4), (STRANGE, 8)]);
    let declared: Vec<_> = header.types().iter().map(|declared| (declared.tag, declared.size)).collect();
    assert_eq!(declared, [(STRANGE, 6), (RUN, 4), (STRANGE, 8)]);
    assert_eq!(header.declared(STRANGE).map(|declared| declared.size), Some(8));
    assert_eq!(header.layout(STRANGE), Layout { size: 8, way: Way::Opaque });
    assert_eq!(may_have(&header, STRANGE), [(8, Way::Opaque)]);
}

#[test]
fn the_last_declaration_counts_where_one_of_them_is_in_doubt() {
    let both = |first, second| may_have(&header(&[(RUN, first), (2, 11), (RUN, second), (MARKER, 14)]), RUN);
    assert_eq!(both(20, 4), [(4, Way::Known)]);
    assert_eq!(both(4, 20), [(4, Way::Known), (20, Way::Known)]);
    assert_eq!(both(20, 30), [(4, Way::Known), (30, Way::Known)]);
}

#[test]
fn an_undeclared_number_has_no_layouts() {
    let header = header(&[(2, 10), (STRANGE, 6)]);
    for tag in [0, RUN, 499, 501, END_MARK] {
        assert_eq!(header.declared(tag), None, "{tag}");
        assert_eq!(header.layout(tag).way, Way::Undeclared, "{tag}");
        assert_eq!(may_have(&header, tag), [], "{tag}");
    }
    assert_eq!(header.layouts().len(), 501);
    assert_eq!(header_of(&[], false).layouts().len(), 0);
}

#[test]
fn a_declaration_of_the_end_mark_changes_nothing() {
    let header = header(&[(RUN, 4), (END_MARK, 4)]);
    assert_eq!(header.declared(END_MARK).map(|declared| declared.size), Some(4));
    assert_eq!(header.layout(END_MARK).way, Way::Undeclared);
    assert_eq!(may_have(&header, END_MARK), []);
    assert_eq!(may_have(&header, RUN), [(4, Way::Known)]);
}

#[test]
fn a_size_that_some_ghc_writes_is_right() {
    for (tag, size) in [(RUN, 4), (2, 10), (2, 6), (53, 58), (53, 50), (207, 14), (207, 13), (MARKER, 14), (7, 0)] {
        assert_eq!(sizes(tag, size), [size], "{tag}");
        assert_ne!(header(&[(tag, size)]).layout(tag).way, Way::Doubtful, "{tag}");
    }
}

#[test]
fn any_size_of_an_unknown_type_is_right() {
    for size in [0, 6, 0x7fff, 0xfffe, VARIABLE] {
        assert_eq!(sizes(STRANGE, size), [size]);
    }
}

#[test]
fn a_size_that_no_ghc_writes_is_less_likely_than_those_that_some_do() {
    assert_eq!(sizes(RUN, 20), [4, 20]);
    assert_eq!(sizes(RUN, 3), [4, 3]);
    assert_eq!(sizes(2, 8), [10, 6, 8]);
    assert_eq!(sizes(207, 12), [14, 13, 12]);
    assert_eq!(sizes(MARKER, 0xfffe), [14, 0xfffe]);
    assert_eq!(header(&[(RUN, 20)]).layout(RUN), Layout { size: 20, way: Way::Doubtful });
    assert_eq!(may_have(&header(&[(RUN, 3)]), RUN), [(4, Way::Known), (3, Way::Opaque)]);
}

#[test]
fn a_size_over_half_of_the_largest_means_variable_for_a_variable_type() {
    for tag in [TEXT, BAND, Ipe::TAG] {
        assert_eq!(sizes(tag, VARIABLE), [VARIABLE]);
        assert_eq!(sizes(tag, 0xfffe), [VARIABLE, 0xfffe]);
        assert_eq!(sizes(tag, 0x7fff), [VARIABLE, 0x7fff]);
        assert_eq!(sizes(tag, 0x7ffe), [0x7ffe]);
        assert_eq!(sizes(tag, 6), [6]);
    }
}

#[test]
fn a_fixed_type_that_is_declared_variable_is_variable() {
    assert_eq!(may_have(&header(&[(RUN, VARIABLE)]), RUN), [(VARIABLE, Way::Opaque)]);
    assert_eq!(sizes_in_ghc_6_12(RUN, VARIABLE), [VARIABLE]);
}

#[test]
fn types_in_doubt_are_kept_apart() {
    let header = header(&[(RUN, 20), (3, 30), (2, 6), (MARKER, 14)]);
    assert_eq!(may_have(&header, RUN), [(4, Way::Known), (20, Way::Known)]);
    assert_eq!(may_have(&header, 3), [(4, Way::Known), (30, Way::Known)]);
    assert_eq!(may_have(&header, 2), [(6, Way::Known)]);
}

#[test]
fn without_blocks_other_sizes_have_other_fields() {
    let old = header(&[(RUN, 10), (2, 6), (STRANGE, 8)]);
    assert_eq!(may_have(&old, RUN), [(4, Way::Known), (10, Way::Opaque)]);
    assert_eq!(may_have(&old, 2), [(6, Way::Known)]);
    assert_eq!([RUN, 2, STRANGE, 3].map(|tag| old.has_other_fields(tag)), [true, false, false, false]);
    // If the header is damaged, the marker may have been declared.
    assert_eq!(may_have(&header_of(&[(RUN, 10)], true), RUN), [(4, Way::Known), (10, Way::Known)]);
}

#[test]
fn true_sizes_are_the_only_ones() {
    let mut header = header(&[(RUN, 10), (3, 2), (MARKER, 14)]);
    assert!(header.has_doubts());
    header.read_as(Reading { sizes_are_true: true, ..header.reading() });
    assert_eq!(may_have(&header, RUN), [(10, Way::Known)]);
    assert_eq!(may_have(&header, 3), [(2, Way::Opaque)]);
    assert!(!header.has_doubts());
}

#[test]
fn ghc_6_12_declares_thread_numbers_4_bytes_too_long() {
    for (tag, declared) in [(0, 8), (1, 8), (2, 10), (3, 8), (4, 10), (5, 8), (6, 10), (8, 10), (15, 8)] {
        assert_eq!(sizes_in_ghc_6_12(tag, declared), [declared - 4, declared], "{tag}");
    }
    for (tag, right) in [(7, 0), (9, 0), (MARKER, 14), (STRANGE, 8)] {
        assert_eq!(sizes_in_ghc_6_12(tag, right), [right], "{tag}");
    }
    assert_eq!(sizes_in_ghc_6_12(Startup::TAG, 0), [2, 0]);
    assert_eq!(sizes_in_ghc_6_12(RUN, 3), [0, 3]);
    // Only CREATE_THREAD with 8 bytes identifies GHC 6.12.
    assert_eq!(may_have(&header(&[(0, 4), (2, 10), (9, 8)]), 2), [(10, Way::Known)]);
}

#[test]
fn ghcs_own_mistakes_are_no_damage() {
    let new = header(&[(0, 4)]);
    for (tag, size) in [(Startup::TAG, 0), (55, 14), (201, 0), (212, 32)] {
        assert!(new.is_ghcs_mistake(tag, size), "{tag} of {size} bytes");
        assert!(!new.is_ghcs_mistake(tag, size + 1), "{tag} of {size} bytes and one more");
    }
    let old = header(&[(0, 8)]);
    for tag in [0, 1, 2, 3, 4, 5, 6, 8, 15] {
        assert!(old.is_ghcs_mistake(tag, 8) && !new.is_ghcs_mistake(tag, 8), "{tag}");
    }
    for tag in [7, 9, 14, 16, MARKER] {
        assert!(!old.is_ghcs_mistake(tag, 8), "{tag}");
    }
    assert!(old.is_ghcs_mistake(Startup::TAG, 0));
}

#[test]
fn any_type_of_ghcs_may_be_missing_in_a_damaged_header() {
    let damaged = header_of(&[(0, 4), (MARKER, 14), (3, 20)], true);
    assert_eq!(may_have(&damaged, 0), [(4, Way::Known)]);
    assert_eq!(may_have(&damaged, MARKER), [(14, Way::Block)]);
    assert_eq!(may_have(&damaged, 3), [(4, Way::Known), (20, Way::Known)]);
    assert_eq!(may_have(&damaged, RUN), [(4, Way::Known)]);
    assert_eq!(may_have(&damaged, 2), [(10, Way::Known), (6, Way::Known)]);
    assert_eq!(may_have(&damaged, BAND), [(VARIABLE, Way::Checked)]);
    assert_eq!(may_have(&damaged, Ipe::TAG), [(VARIABLE, Way::Ipe)]);
    assert_eq!(may_have(&damaged, 212), [(0, Way::Known)]);
    assert_eq!(may_have(&damaged, STRANGE), []);
    // What follows a record decides, even if there is only one size.
    assert_eq!(damaged.layout(RUN).way, Way::Doubtful);
    assert_eq!(damaged.layout(0).way, Way::Known);
    assert_eq!(damaged.declared(RUN), None);
    assert_eq!(damaged.layouts().len(), 213);
    assert_eq!(header_of(&[(STRANGE, 6)], true).layouts().len(), 501);
}

#[test]
fn the_runtime_has_what_it_declares() {
    let header = header(&[(RUN, 4), (STRANGE, 6)]);
    assert!(header.has(RUN) && header.has(STRANGE));
    assert!(!header.has(0) && !header.has(2) && !header.has(501));
}

#[test]
fn the_runtime_has_what_is_missing_if_a_later_type_of_ghc_is_declared() {
    let damaged = header_of(&[(0, 4), (59, 0), (STRANGE, 6)], true);
    assert!(damaged.has(58) && damaged.has(1) && damaged.has(59));
    // Other writers may declare numbers that GHC does not have, which says nothing about GHC's,
    assert!(!damaged.has(200));
    // and numbers that GHC does not have were not lost.
    assert!(!damaged.has(24 + 400) && !damaged.has(13));
    // A header that is not damaged has lost nothing.
    assert!(!header(&[(0, 4), (59, 0)]).has(58));
}

#[test]
fn events_58_and_59_show_how_stop_reasons_are_numbered() {
    let numbering = |types: &[(u16, u16)]| header(types).status_numbering();
    assert_eq!(numbering(&[(RUN, 4)]), StatusNumbering::Usual);
    assert_eq!(numbering(&[(58, VARIABLE)]), StatusNumbering::Shifted);
    assert_eq!(numbering(&[(58, VARIABLE), (59, 0)]), StatusNumbering::Usual);
    assert_eq!(numbering(&[(59, 0)]), StatusNumbering::Usual);
    // If both declarations were lost, a later event shows that they were there.
    assert_eq!(header_of(&[(58, VARIABLE), (160, VARIABLE)], true).status_numbering(), StatusNumbering::Usual);
}

#[test]
fn a_headers_memory_grows_with_its_types_its_texts_and_its_numbers() {
    let of = |types: &[(u16, &str)]| {
        let mut header = Header::default();
        for &(tag, description) in types {
            header.declare(EventType { tag, size: 4, description: description.into() });
        }
        header.finish(false, false);
        header.bytes_held()
    };
    let grown = |few: &[(u16, &str)], many: &[(u16, &str)]| of(many) - of(few);
    let text = "x".repeat(1000);
    assert_eq!(grown(&[(1, "")], &[(1, &text)]), 1000);
    assert_eq!(grown(&[(1, ""), (1, "")], &[(1, &text), (1, &text)]), 2000);
    // A growing list may have allocated twice what it needs.
    let least = 100 * size_of::<EventType>();
    assert!((least..2 * least).contains(&grown(&[(1, "")], &vec![(1, ""); 101])));
    let least = 1000 * (size_of::<u32>() + size_of::<Layout>());
    assert!((least..2 * least).contains(&grown(&[(1000, "")], &[(2000, "")])));
    let least = size_of::<EventType>() + 1001 * (size_of::<u32>() + size_of::<Layout>());
    assert!((least..2 * least).contains(&of(&[(1000, "")])));
}
