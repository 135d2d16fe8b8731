//! Strings as the reference prints them (SHOW 8).

use super::number;
use alloc::{borrow::Cow, string::String, vec::Vec};
use ghc_eventlog::{Text, TextList};

/// Writes text, with bytes that are not UTF-8 replaced. Returns whether all of it was valid UTF-8, but for U+0000 in its
/// two-byte form: the library writes that, so nothing is wrong with it.
pub(crate) fn text(out: &mut Vec<u8>, bytes: &[u8]) -> bool {
    let mut valid = true;
    for chunk in bytes.utf8_chunks() {
        out.extend_from_slice(chunk.valid().as_bytes());
        if !chunk.invalid().is_empty() {
            valid = false;
            out.extend_from_slice("\u{fffd}".as_bytes());
        }
    }
    valid || Text(bytes).between_nuls().all(|part| str::from_utf8(part).is_ok())
}

/// Writes bytes as Latin-1: each is a character.
pub(crate) fn latin1(out: &mut Vec<u8>, bytes: &[u8]) {
    for &byte in bytes {
        push(out, char::from(byte));
    }
}

/// Writes a message that need not be text: with a dot for each byte that is not UTF-8, and for each character that
/// cannot be printed.
pub(crate) fn binary(out: &mut Vec<u8>, bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            push(out, if is_printable(letter) { letter } else { '.' });
        }
        out.resize(out.len() + chunk.invalid().len(), b'.');
    }
}

/// The ranges of characters that can be printed: start, end, start, end, and so on. See `build.rs`.
static PRINTABLE: &[u32] = &include!(concat!(env!("OUT_DIR"), "/printable.rs"));

fn is_printable(letter: char) -> bool {
    PRINTABLE.partition_point(|edge| *edge <= u32::from(letter)) % 2 == 1
}

/// Writes a list of strings in Haskell's syntax; returns whether it was valid UTF-8. All NULs at the end are ends of
/// strings, and an empty list has one empty string in it.
pub(crate) fn haskell_list(out: &mut Vec<u8>, list: TextList<'_>) -> bool {
    let text = String::from_utf8_lossy(list.0);
    let valid = matches!(text, Cow::Borrowed(_));
    out.push(b'[');
    for (at, element) in text.trim_end_matches('\0').split('\0').enumerate() {
        if at > 0 {
            out.push(b',');
        }
        haskell_string(out, element);
    }
    out.push(b']');
    valid
}

/// Which next character would change the meaning of the last escape.
#[derive(PartialEq)]
enum Before {
    Plain,
    /// After a decimal escape, a digit would become a part of it.
    Decimal,
    /// After `\SO`, an H would make it `\SOH`.
    So,
}

fn haskell_string(out: &mut Vec<u8>, text: &str) {
    const NAMES: [&str; 32] = [
        "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "a", "b", "t", "n", "v", "f", "r", "SO", "SI", "DLE", "DC1",
        "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
    ];
    let mut before = Before::Plain;
    out.push(b'"');
    for letter in text.chars() {
        if before == Before::Decimal && letter.is_ascii_digit() || before == Before::So && letter == 'H' {
            out.extend_from_slice(b"\\&");
        }
        before = Before::Plain;
        match letter {
            '"' | '\\' => out.extend_from_slice(&[b'\\', letter as u8]),
            '\x7f' => out.extend_from_slice(b"\\DEL"),
            ' '..='~' => out.push(letter as u8),
            '\0'..='\x1f' => {
                out.push(b'\\');
                out.extend_from_slice(NAMES.get(letter as usize).map_or(&b""[..], |name| name.as_bytes()));
                if letter == '\x0e' {
                    before = Before::So;
                }
            }
            _ => {
                out.push(b'\\');
                number(out, u64::from(u32::from(letter)));
                before = Before::Decimal;
            }
        }
    }
    out.push(b'"');
}

fn push(out: &mut Vec<u8>, letter: char) {
    out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nul_in_two_bytes_is_legal() {
        let mut out = Vec::new();
        assert!(text(&mut out, b"a\xc0\x80b"));
        assert_eq!(out, "a\u{fffd}\u{fffd}b".as_bytes(), "as the reference replaces it");
        assert!(!text(&mut out, b"\xc0\x80\xff") && !text(&mut out, b"\xc0") && !text(&mut out, b"\xc0\x81"));
    }

    fn made(make: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        make(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lists_are_in_haskells_syntax() {
        let list = |bytes: &[u8]| {
            made(|out| {
                haskell_list(out, TextList(bytes));
            })
        };
        assert_eq!(list(b"./prog\0+RTS\0-l\0"), r#"["./prog","+RTS","-l"]"#);
        assert_eq!(list(b""), r#"[""]"#);
        assert_eq!(list(b"a\0\0b\0\0"), r#"["a","","b"]"#);
        assert_eq!(list("λ1 λx 😀".as_bytes()), r#"["\955\&1 \955x \128512"]"#);
        assert_eq!(list(b"\x0eH \x0e9 \x07 \x7f \" ' \\"), r#"["\SO\&H \SO9 \a \DEL \" ' \\"]"#);
    }

    #[test]
    fn binary_messages_have_a_dot_for_each_bad_byte() {
        let shown = |bytes: &[u8]| made(|out| binary(out, bytes));
        assert_eq!(shown(b"abc\x00\xff\xc3\xa9 z\xe2\x82\xac\x80\n"), "abc..é z€..");
        assert_eq!(shown(b"\xe2\x82|\xf0\x9f\x98|\xc0\xaf|\xed\xa0\x80|\xf4\x90\x80\x80"), "..|...|..|...|....");
        assert_eq!(shown("\u{a0}\u{fffd}\u{ad}\u{2028}\u{e000}".as_bytes()), "\u{a0}\u{fffd}...");
    }

    #[test]
    fn latin1_bytes_are_characters() {
        assert_eq!(made(|out| latin1(out, "é".as_bytes())), "Ã©");
    }
}
