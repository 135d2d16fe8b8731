//! Messages of the program that begin and end spans (FORMAT 7): `START label` and `STOP label`, as ghc-events-analyze has them, and
//! those of opentelemetry-haskell, as text and as bytes.

use crate::limits;
use alloc::{borrow::ToOwned, string::String};
use ghc_eventlog::{UserBinaryMsg, UserMsg};

/// The number of a span that has none.
pub(crate) const NO_NUMBER: u64 = u64::MAX;

/// The words that begin and end spans of threads: see [`Model::name_spans`](crate::Model::name_spans). The default is `START`
/// and `STOP`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpanWords {
    begin: String,
    end: String,
}

impl Default for SpanWords {
    fn default() -> Self {
        Self { begin: "START".to_owned(), end: "STOP".to_owned() }
    }
}

impl SpanWords {
    /// Words that come before a label, with a blank in between. `None` if one of them is empty or longer than
    /// [`limits::MAX_TEXT`], or if both are the same.
    #[must_use]
    pub fn new(begin: &str, end: &str) -> Option<Self> {
        let words = [begin.trim(), end.trim()];
        let are_words = words.iter().all(|word| (1..=limits::MAX_TEXT).contains(&word.len()));
        let [begin, end] = words;
        (are_words && begin != end).then(|| Self { begin: begin.to_owned(), end: end.to_owned() })
    }

    /// The same from a text of the form `BEGIN,END`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (begin, end) = text.split_once(',')?;
        Self::new(begin, end).filter(|_| !end.contains(','))
    }

    /// The word that begins a span, and the word that ends it.
    #[must_use]
    pub fn both(&self) -> (&str, &str) {
        (&self.begin, &self.end)
    }
}

/// What a message says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Message<'a> {
    /// It is not about spans.
    Other,
    /// It looks like a message about a span, but is cut or has no number.
    Malformed,
    /// `START 12 label` or `STOP 12 label`, or the words of [`SpanWords`] instead. The number, if there is one, distinguishes
    /// instances of a label.
    OfThread { begins: bool, number: Option<u64>, label: &'a [u8] },
    /// The span with this number begins; any thread may end it.
    Begin { number: u64, label: &'a [u8] },
    /// The span with this number ends.
    End { number: u64 },
}

impl<'a> Message<'a> {
    /// Reads an event. An event that is no message of the program is not about spans.
    pub(crate) fn read(tag: u16, payload: &'a [u8], words: &SpanWords) -> Self {
        match tag {
            UserMsg::TAG => Self::of_text(UserMsg::read(payload).text.0, words),
            UserBinaryMsg::TAG => Self::of_bytes(UserBinaryMsg::read(payload).bytes),
            _ => Self::Other,
        }
    }

    fn of_text(text: &'a [u8], words: &SpanWords) -> Self {
        if let Some(rest) = text.strip_prefix(b"ot2 begin span ") {
            return match leading_number(rest) {
                Some((number, [])) => Self::Begin { number, label: &[] },
                Some((number, [b' ', label @ ..])) => Self::Begin { number, label },
                _ => Self::Malformed,
            };
        }
        if let Some(rest) = text.strip_prefix(b"ot2 end span ") {
            let number = leading_number(rest).filter(|(_, behind)| behind.trim_ascii().is_empty());
            return number.map_or(Self::Malformed, |(number, _)| Self::End { number });
        }
        let after = |word: &str| text.strip_prefix(word.as_bytes())?.strip_prefix(b" ");
        let (begin, end) = (after(&words.begin), after(&words.end));
        // One word may begin with the other: then the longer one is meant, which leaves less for the label.
        let (begins, label) = match (begin, end) {
            (Some(label), Some(other)) if label.len() <= other.len() => (true, label.trim_ascii()),
            (Some(label), None) => (true, label.trim_ascii()),
            (_, Some(label)) => (false, label.trim_ascii()),
            (None, None) => return Self::Other,
        };
        match leading_number(label) {
            _ if label.is_empty() => Self::Other,
            // A number with nothing after it is a label.
            Some((number, [first, label @ ..])) if first.is_ascii_whitespace() && number != NO_NUMBER => {
                Self::OfThread { begins, number: Some(number), label: label.trim_ascii_start() }
            }
            _ => Self::OfThread { begins, number: None, label },
        }
    }

    fn of_bytes(bytes: &'a [u8]) -> Self {
        let Some(rest) = bytes.strip_prefix(b"OT\x03") else { return Self::Other };
        let number = |rest: &'a [u8]| {
            let (number, label) = rest.split_first_chunk()?;
            Some((u64::from_le_bytes(*number), label))
        };
        match rest {
            [1, rest @ ..] => number(rest).map_or(Self::Malformed, |(number, label)| Self::Begin { number, label }),
            [2, rest @ ..] => number(rest).map_or(Self::Malformed, |(number, _)| Self::End { number }),
            [] => Self::Malformed,
            // Tags, events and metrics.
            _ => Self::Other,
        }
    }
}

/// The whole number that a text begins with, and what comes after it. `None` if there is no number, or if it is too large to
/// be counted.
fn leading_number(text: &[u8]) -> Option<(u64, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at_checked(digits).filter(|(digits, _)| !digits.is_empty())?;
    let append = |number: u64, digit: &u8| number.checked_mul(10)?.checked_add(u64::from(digit - b'0'));
    Some((digits.iter().try_fold(0, append)?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_thread(begins: bool, number: Option<u64>, label: &str) -> Message<'_> {
        Message::OfThread { begins, number, label: label.as_bytes() }
    }

    #[test]
    fn a_whole_number_before_the_label_is_an_instance() {
        let cases = [
            ("START request", of_thread(true, None, "request")),
            ("STOP request", of_thread(false, None, "request")),
            ("START 12 request", of_thread(true, Some(12), "request")),
            ("STOP 007  two words ", of_thread(false, Some(7), "two words")),
            ("START 12", of_thread(true, None, "12")),
            ("START 3x no number", of_thread(true, None, "3x no number")),
            ("START -3 negative", of_thread(true, None, "-3 negative")),
            ("START   blanks  ", of_thread(true, None, "blanks")),
            ("START 99999999999999999999 many", of_thread(true, None, "99999999999999999999 many")),
            ("START", Message::Other),
            ("START  ", Message::Other),
            ("STARTED x", Message::Other),
            ("start x", Message::Other),
            ("", Message::Other),
            // The number is the one that means "no number".
            ("START 18446744073709551615 x", of_thread(true, None, "18446744073709551615 x")),
            ("START 18446744073709551614 x", of_thread(true, Some(u64::MAX - 1), "x")),
        ];
        cases.into_iter().for_each(|(text, said)| {
            assert_eq!(Message::of_text(text.as_bytes(), &SpanWords::default()), said, "{text}")
        });
    }

    #[test]
    fn other_words_can_be_chosen() {
        let words = SpanWords::new(" begin: ", "all done").unwrap();
        assert_eq!(words.both(), ("begin:", "all done"));
        let cases = [
            ("begin: 12 request", of_thread(true, Some(12), "request")),
            ("all done request", of_thread(false, None, "request")),
            ("begin:request", Message::Other),
            ("START request", Message::Other),
            ("ot2 end span 7", Message::End { number: 7 }),
        ];
        cases
            .into_iter()
            .for_each(|(text, said)| assert_eq!(Message::of_text(text.as_bytes(), &words), said, "{text}"));
        // One word may begin with the other.
        for (begin, end) in [("Task", "Task done"), ("Task done", "Task")] {
            let words = SpanWords::new(begin, end).unwrap();
            let said = |text: &'static str| Message::of_text(text.as_bytes(), &words);
            assert_eq!(said("Task x"), of_thread(begin == "Task", None, "x"));
            assert_eq!(said("Task done x"), of_thread(begin == "Task done", None, "x"));
        }
        assert_eq!(SpanWords::parse(" A , B"), SpanWords::new("A", "B"));
        assert!(["", "A", ",B", "A,A", "A,B,C"].iter().all(|text| SpanWords::parse(text).is_none()));
        let long = "x".repeat(limits::MAX_TEXT + 1);
        for (begin, end) in [("", "STOP"), ("START", " "), ("A", "A "), (&long, "B")] {
            assert_eq!(SpanWords::new(begin, end), None);
        }
    }

    #[test]
    fn spans_of_opentelemetry_have_a_number() {
        let begin = |number, label: &'static str| Message::Begin { number, label: label.as_bytes() };
        let texts = [
            ("ot2 begin span 7 GET /", begin(7, "GET /")),
            ("ot2 begin span 7", begin(7, "")),
            ("ot2 end span 7", Message::End { number: 7 }),
            ("ot2 begin span x GET", Message::Malformed),
            ("ot2 begin span ", Message::Malformed),
            ("ot2 end span 7x", Message::Malformed),
            ("ot2 set tag 7 a b", Message::Other),
        ];
        texts.into_iter().for_each(|(text, said)| {
            assert_eq!(Message::of_text(text.as_bytes(), &SpanWords::default()), said, "{text}")
        });
        let bytes: [(&[u8], _); 8] = [
            (b"OT\x03\x01\x07\0\0\0\0\0\0\x01GET", begin(7 | 1 << 56, "GET")),
            (b"OT\x03\x01\x07\0\0\0\0\0\0\0", begin(7, "")),
            (b"OT\x03\x02\x07\0\0\0\0\0\0\0", Message::End { number: 7 }),
            (b"OT\x03\x02\x07\0\0\0\0\0\0", Message::Malformed),
            (b"OT\x03", Message::Malformed),
            (b"OT\x03\x03\x07\0", Message::Other),
            (b"OT\x02\x01\x07\0\0\0\0\0\0\0", Message::Other),
            (b"", Message::Other),
        ];
        bytes.into_iter().for_each(|(bytes, said)| assert_eq!(Message::of_bytes(bytes), said, "{bytes:?}"));
    }
}
