//! Messages of opentelemetry-haskell: as text, which begins with `ot2`, and as bytes, which are little-endian.

use super::{Message, leading_number, whole};

/// What is said of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noted<'a> {
    /// A tag: a key with a value.
    Tag(&'a [u8], &'a [u8]),
    /// Something that happened within the span: its name, and a value.
    Instant(&'a [u8], &'a [u8]),
    /// The span of another process that it is a part of: the span's number, and that of its trace.
    Parent { span: u64, trace: u64 },
    /// The number of its trace.
    Trace(u64),
    /// Its own number, for other processes.
    SpanId(u64),
}

/// The kinds of instruments, by their numbers in bytes, from 1 on: in words, and as the texts call them.
const KINDS: [(&str, &str); 6] = [
    ("counter", "Counter"),
    ("up-down counter", "UpDownCounter"),
    ("value recorder", "ValueRecorder"),
    ("sum observer", "SumObserver"),
    ("up-down sum observer", "UpDownSumObserver"),
    ("value observer", "ValueObserver"),
];

/// The name of a kind of instrument, and whether its values are differences.
pub(crate) fn instrument_kind(kind: u8) -> (&'static str, bool) {
    let name = KINDS.get(usize::from(kind).wrapping_sub(1)).map_or("", |(name, _)| *name);
    (name, kind <= 2)
}

/// What the bytes of a message say.
pub(super) fn of_bytes(bytes: &[u8]) -> Message<'_> {
    let Some(rest) = bytes.strip_prefix(b"OT\x03") else { return Message::Other };
    let Some((kind, rest)) = rest.split_first() else { return Message::Malformed };
    read(*kind, Fields(rest)).unwrap_or(Message::Malformed)
}

/// Reads a message of a type; `None` if it is cut.
fn read(kind: u8, mut fields: Fields<'_>) -> Option<Message<'_>> {
    if kind == 8 {
        let [kind] = fields.take::<1>()?;
        let instrument = fields.long()?;
        let is_known = (1..=KINDS.len() as u8).contains(&kind);
        return Some(if is_known { Message::Declare { instrument, kind, name: fields.0 } } else { Message::Unknown });
    }
    if !(1..=9).contains(&kind) {
        return Some(Message::Unknown);
    }
    let number = fields.long()?;
    let note = |noted| Message::Note { number, noted };
    Some(match kind {
        1 => Message::Begin { number, label: fields.0 },
        2 => Message::End { number },
        3 | 4 => {
            let lengths = [fields.take()?, fields.take()?];
            let [key, value] = lengths.map(|length| fields.bytes(u32::from_le_bytes(length)));
            let (key, value) = (key?, value?);
            note(if kind == 3 { Noted::Tag(key, value) } else { Noted::Instant(key, value) })
        }
        5 => note(Noted::Parent { span: fields.long()?, trace: fields.long()? }),
        6 => note(Noted::Trace(fields.long()?)),
        7 => note(Noted::SpanId(fields.long()?)),
        _ => Message::Value { instrument: number, value: fields.long()?.cast_signed() },
    })
}

/// The fields of a message that are left.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (field, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*field)
    }

    fn long(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn bytes(&mut self, length: u32) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(bytes)
    }
}

/// What a text says, without the `ot2` that it begins with.
pub(super) fn of_text(text: &[u8]) -> Message<'_> {
    let (verb, rest) = word(text);
    let (what, rest) = word(rest);
    let is_known = matches!(
        (verb, what),
        (b"begin" | b"end", b"span")
            | (b"set", b"tag" | b"parent" | b"traceid" | b"spanid")
            | (b"add", b"event")
            | (b"metric", b"create" | b"capture")
    );
    if is_known { read_text(verb, what, rest).unwrap_or(Message::Malformed) } else { Message::Unknown }
}

/// Reads the rest of a text; `None` if it is cut.
fn read_text<'a>(verb: &[u8], what: &[u8], rest: &'a [u8]) -> Option<Message<'a>> {
    if verb == b"metric" {
        let (first, rest) = word(rest);
        if what == b"capture" {
            return Some(Message::Value { instrument: hexadecimal(first)?, value: signed(rest.trim_ascii())? });
        }
        let (instrument, name) = word(rest);
        let instrument = hexadecimal(instrument)?;
        let kind = KINDS.iter().position(|(_, name)| name.as_bytes() == first);
        return Some(kind.map_or(Message::Unknown, |at| Message::Declare { instrument, kind: at as u8 + 1, name }));
    }
    let (number, rest) = leading_number(rest)?;
    let rest = match rest {
        [] => rest,
        [b' ', rest @ ..] => rest,
        _ => return None,
    };
    let note = |noted| Message::Note { number, noted };
    Some(match (verb, what) {
        (b"begin", _) => Message::Begin { number, label: rest },
        (b"end", _) if rest.trim_ascii().is_empty() => Message::End { number },
        (_, b"traceid") => note(Noted::Trace(hexadecimal(rest.trim_ascii())?)),
        (_, b"spanid") => note(Noted::SpanId(hexadecimal(rest.trim_ascii())?)),
        (_, b"parent") => {
            // In texts, the trace comes first.
            let (trace, span) = word(rest);
            note(Noted::Parent { span: hexadecimal(span.trim_ascii())?, trace: hexadecimal(trace)? })
        }
        (_, b"tag" | b"event") if !rest.is_empty() => {
            let (key, value) = word(rest);
            note(if what == b"tag" { Noted::Tag(key, value) } else { Noted::Instant(key, value) })
        }
        _ => return None,
    })
}

/// The first word of a text, and what comes after the blank.
fn word(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| *byte == b' ').unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(end).unwrap_or((text, &[]));
    (word, rest.get(1..).unwrap_or_default())
}

/// A number of up to 16 hexadecimal digits.
fn hexadecimal(digits: &[u8]) -> Option<u64> {
    let digits = str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?;
    u64::from_str_radix(digits, 16).ok()
}

/// A whole number, which may be negative.
fn signed(digits: &[u8]) -> Option<i64> {
    match digits.strip_prefix(b"-") {
        Some(digits) => 0i64.checked_sub_unsigned(whole(digits)?),
        None => i64::try_from(whole(digits)?).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::messages::SpanWords;
    use alloc::vec::Vec;

    fn note(number: u64, noted: Noted<'static>) -> Message<'static> {
        Message::Note { number, noted }
    }

    #[test]
    fn texts_name_a_span_or_an_instrument_by_its_number() {
        let begin = |number, label: &'static str| Message::Begin { number, label: label.as_bytes() };
        let cases = [
            ("ot2 begin span 7 GET /", begin(7, "GET /")),
            ("ot2 begin span 7", begin(7, "")),
            ("ot2 end span 7", Message::End { number: 7 }),
            ("ot2 end span 7 ", Message::End { number: 7 }),
            ("ot2 set tag 7 File Main.hs and more", note(7, Noted::Tag(b"File", b"Main.hs and more"))),
            ("ot2 set tag 7 flag", note(7, Noted::Tag(b"flag", b""))),
            ("ot2 add event 7 retry 3", note(7, Noted::Instant(b"retry", b"3"))),
            ("ot2 set parent 7 00ff 0a", note(7, Noted::Parent { span: 10, trace: 255 })),
            ("ot2 set traceid 7 00000000000000ff", note(7, Noted::Trace(255))),
            ("ot2 set spanid 7 ff", note(7, Noted::SpanId(255))),
            (
                "ot2 metric create UpDownCounter 00000000000000ff in flight",
                Message::Declare { instrument: 255, kind: 2, name: b"in flight" },
            ),
            ("ot2 metric capture 00000000000000ff -3", Message::Value { instrument: 255, value: -3 }),
            ("ot2 metric capture ff -9223372036854775808", Message::Value { instrument: 255, value: i64::MIN }),
            ("ot2 metric create Gauge ff x", Message::Unknown),
            ("ot2 set colour 7 red", Message::Unknown),
            ("ot2 ", Message::Unknown),
        ];
        let said = |text: &'static str| Message::of_text(text.as_bytes(), &SpanWords::default());
        cases.into_iter().for_each(|(text, expected)| assert_eq!(said(text), expected, "{text}"));
        let cut = [
            "ot2 begin span x GET",
            "ot2 begin span ",
            "ot2 end span 7x",
            "ot2 end span 7 x",
            "ot2 set tag 7",
            "ot2 set tag File x",
            "ot2 set traceid 7 xyz",
            "ot2 set parent 7 ff",
            "ot2 metric capture ff",
            "ot2 metric capture ff 1.5",
            "ot2 metric create Counter x y",
            "ot2 set spanid 7 +f",
        ];
        cut.into_iter().for_each(|text| assert_eq!(said(text), Message::Malformed, "{text}"));
        assert_eq!(said("ot2"), Message::Other);
    }

    #[test]
    fn bytes_are_little_endian() {
        let long = |number: u64| number.to_le_bytes().to_vec();
        let message = |kind: u8, fields: &[Vec<u8>]| [&b"OT\x03"[..], &[kind], &fields.concat()].concat();
        let pair = |kind, key: &[u8], value: &[u8]| {
            let lengths = [key, value].map(|text| (text.len() as u32).to_le_bytes().to_vec());
            message(kind, &[long(7), lengths.concat(), [key, value].concat()])
        };
        let cases = [
            (message(1, &[long(7 | 1 << 56), b"GET".to_vec()]), Message::Begin { number: 7 | 1 << 56, label: b"GET" }),
            (message(1, &[long(7)]), Message::Begin { number: 7, label: b"" }),
            (message(2, &[long(7)]), Message::End { number: 7 }),
            (pair(3, b"File", b"Main.hs"), note(7, Noted::Tag(b"File", b"Main.hs"))),
            (pair(4, b"", b""), note(7, Noted::Instant(b"", b""))),
            (message(5, &[long(7), long(10), long(255)]), note(7, Noted::Parent { span: 10, trace: 255 })),
            (message(6, &[long(7), long(255)]), note(7, Noted::Trace(255))),
            (message(7, &[long(7), long(255)]), note(7, Noted::SpanId(255))),
            (
                message(8, &[b"\x06".to_vec(), long(9), b"size".to_vec()]),
                Message::Declare { instrument: 9, kind: 6, name: b"size" },
            ),
            (message(9, &[long(9), long(-3i64 as u64)]), Message::Value { instrument: 9, value: -3 }),
            (message(8, &[b"\x07".to_vec(), long(9), b"size".to_vec()]), Message::Unknown),
            (message(0, &[long(7)]), Message::Unknown),
            (message(10, &[]), Message::Unknown),
        ];
        for (bytes, said) in &cases {
            assert_eq!(of_bytes(bytes), *said, "{bytes:?}");
        }
        // Cut anywhere before the texts at the end, which may have any length.
        for (bytes, said) in &cases[2..10] {
            let least = if matches!(said, Message::Declare { .. }) { 13 } else { bytes.len() };
            (3..least).for_each(|end| assert_eq!(of_bytes(&bytes[..end]), Message::Malformed, "{:?}", &bytes[..end]));
        }
        // Lengths beyond the message.
        let wrong = message(3, &[long(7), vec![0xff; 8], b"key value".to_vec()]);
        assert_eq!(of_bytes(&wrong), Message::Malformed);
        for other in [&b"OT\x02\x01\x07\0\0\0\0\0\0\0"[..], b"", b"OT"] {
            assert_eq!(of_bytes(other), Message::Other);
        }
    }

    use alloc::vec;
}
