//! What the program's messages say (FORMAT 7): where spans begin and end, by the words of several libraries and tools and by
//! those that the reader adds; what opentelemetry-haskell says of its spans and instruments, as text and as bytes; and numbers
//! after a fixed word.

mod telemetry;
mod words;

use crate::limits;
use ghc_eventlog::{UserBinaryMsg, UserMarker, UserMsg};
pub(crate) use telemetry::{Noted, instrument_kind};
pub use words::SpanWords;

/// The number of a span that has none.
pub(crate) const NO_NUMBER: u64 = u64::MAX;

/// What a message says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Message<'a> {
    /// It is not about spans or values.
    Other,
    /// It looks like a message about a span or an instrument, but is cut or has no number.
    Malformed,
    /// It is opentelemetry-haskell's, of a type or a kind of instrument that is not known.
    Unknown,
    /// A span of a thread: `START 12 label` or `STOP 12 label`, or other words. The number, if there is one, distinguishes
    /// instances of a label. `needs_both` says that the words are common ones: they only count if the log has both for the
    /// label.
    OfThread { begins: bool, number: Option<u64>, label: &'a [u8], needs_both: bool },
    /// The span with this number begins; any thread may end it.
    Begin { number: u64, label: &'a [u8] },
    /// The span with this number ends.
    End { number: u64 },
    /// Something is said of the span with this number.
    Note { number: u64, noted: Noted<'a> },
    /// An instrument, its kind and its name.
    Declare { instrument: u64, kind: u8, name: &'a [u8] },
    /// A value of an instrument: for some kinds, the difference to the one before.
    Value { instrument: u64, value: i64 },
    /// A number after a fixed word, and nothing else: `queue 17`.
    Number { word: &'a [u8], value: i64 },
}

impl<'a> Message<'a> {
    /// Reads an event. An event that is no message of the program is not about spans.
    pub(crate) fn read(tag: u16, payload: &'a [u8], words: &SpanWords) -> Self {
        match tag {
            UserMsg::TAG => Self::of_text(UserMsg::read(payload).text.0, words),
            // GHC writes its numbers as markers, and some programs their spans.
            UserMarker::TAG => Self::of_text(UserMarker::read(payload).text.0, words),
            UserBinaryMsg::TAG => telemetry::of_bytes(UserBinaryMsg::read(payload).bytes),
            _ => Self::Other,
        }
    }

    /// Reads a text.
    pub(crate) fn of_text(text: &'a [u8], words: &SpanWords) -> Self {
        if let Some(rest) = text.strip_prefix(b"ot2 ") {
            return telemetry::of_text(rest);
        }
        words.of_span(text).or_else(|| Self::number(text)).or_else(|| words::of_common(text)).unwrap_or(Self::Other)
    }

    /// A number after a fixed word, with a blank, a colon or an equals sign in between.
    fn number(text: &'a [u8]) -> Option<Self> {
        let text = text.trim_ascii();
        let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let (before, digits) = text.split_at_checked(text.len() - digits)?;
        let (before, sign) = before.strip_suffix(b"-").map_or((before, 1), |before| (before, -1));
        let word = before.trim_ascii_end();
        let word = match word.split_last()? {
            // Times and addresses have a digit before the colon: `12:30`.
            (b':' | b'=', word) if !word.last()?.is_ascii_digit() => word.trim_ascii_end(),
            (b':' | b'=', _) => return None,
            _ if word.len() < before.len() => word,
            _ => return None,
        };
        let value = whole(digits).and_then(|value| i64::try_from(value).ok())?;
        let is_word = !word.is_empty() && word.len() <= limits::MAX_NUMBER_WORD;
        is_word.then_some(Self::Number { word, value: value * sign })
    }
}

/// A number that is all of a text, in digits.
fn whole(digits: &[u8]) -> Option<u64> {
    leading_number(digits).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number)
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

    #[test]
    fn a_number_after_a_word_is_a_value() {
        let said = |text: &'static str| Message::of_text(text.as_bytes(), &SpanWords::default());
        let number = |word: &'static str, value| Message::Number { word: word.as_bytes(), value };
        let cases = [
            ("queue 17", number("queue", 17)),
            ("GHC:allocs:1234", number("GHC:allocs", 1234)),
            ("allocs: 123 ", number("allocs", 123)),
            ("free slots=-4", number("free slots", -4)),
            ("λ 0", number("λ", 0)),
            ("queue 9223372036854775807", number("queue", i64::MAX)),
        ];
        cases.into_iter().for_each(|(text, expected)| assert_eq!(said(text), expected, "{text}"));
        let others = [
            "17",
            " 17",
            "-17",
            ":17",
            "",
            "queue",
            "queue17",
            "queue-17",
            "load 0.5",
            "12:30:45",
            "127.0.0.1:80",
            "took 12ms",
            "queue 99999999999999999999",
            "queue :",
            "queue",
        ];
        others.into_iter().for_each(|text| assert_eq!(said(text), Message::Other, "{text}"));
        let long = [b"x".repeat(limits::MAX_NUMBER_WORD + 1), b" 1".to_vec()].concat();
        assert_eq!(Message::of_text(&long, &SpanWords::default()), Message::Other);
    }
}
