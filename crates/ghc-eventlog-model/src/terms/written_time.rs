//! Times as people write them: `1.5s`, `250 ms`, `1:05.25`, counted from the log's first event, as the page shows them; with `@` on
//! the runtime's clock, from which the log has its times, as `show` prints them.

use alloc::{format, string::String, vec::Vec};
use core::str::FromStr;
use ghc_eventlog::Nanos;

/// A time on one of two clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrittenTime {
    /// Since the log's first event.
    Log(Nanos),
    /// On the runtime's clock, which the log has its times from.
    Runtime(Nanos),
}

impl WrittenTime {
    /// The time on the log's clock, whose first event is at `first`.
    #[must_use]
    pub fn at(self, first: Nanos) -> Nanos {
        match self {
            Self::Log(since) => first.plus(since),
            Self::Runtime(time) => time,
        }
    }
}

impl FromStr for WrittenTime {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        match text.strip_prefix('@') {
            Some(text) => written_duration(text.trim()).map(Self::Runtime),
            None => written_duration(text).map(Self::Log),
        }
    }
}

/// Units, with their nanoseconds.
const UNITS: [(&str, u64); 9] = [
    ("ns", 1),
    ("\u{b5}s", 1000),
    ("\u{3bc}s", 1000),
    ("us", 1000),
    ("ms", 1_000_000),
    ("min", 60 * Nanos::SECOND.0),
    ("h", 3600 * Nanos::SECOND.0),
    ("s", Nanos::SECOND.0),
    ("", 1),
];

/// Parses a length of time: "1.5s", "250 ms", "1:05.25", "2:00:00"; a number without a unit is nanoseconds.
///
/// # Errors
/// A sentence that says how to write it.
pub fn written_duration(text: &str) -> Result<Nanos, String> {
    let wrong = || format!("{text:?} is no time: write it as 1.5s, 250ms, 1:05.25 or 1500000 (nanoseconds)");
    let all = |parts: Option<u64>| parts.map(Nanos).ok_or_else(wrong);
    if text.contains(':') {
        let parts: Vec<&str> = text.trim_end_matches('s').split(':').map(str::trim).collect();
        let [hours @ .., minutes, seconds] = parts.as_slice() else { return Err(wrong()) };
        let hours = match hours {
            [] => Some(0),
            [hours] => whole(hours, 3600),
            _ => None,
        };
        let sum = |one: Option<u64>, other: Option<u64>| one?.checked_add(other?);
        return all(sum(sum(hours, whole(minutes, 60)), decimal(seconds, Nanos::SECOND.0)));
    }
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit() && letter != '.');
    let unit = text.strip_prefix(digits).unwrap_or_default().trim();
    let nanos = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, nanos)| *nanos);
    all(nanos.and_then(|nanos| decimal(digits, nanos)))
}

/// A whole number of units of `seconds` seconds, in nanoseconds.
fn whole(digits: &str, seconds: u64) -> Option<u64> {
    decimal(digits, seconds.checked_mul(Nanos::SECOND.0)?).filter(|_| !digits.contains('.'))
}

/// A decimal number of units, in nanoseconds, rounded down.
fn decimal(digits: &str, unit: u64) -> Option<u64> {
    // The page puts spaces between groups of digits.
    let digits: String = digits.chars().filter(|letter| !matches!(letter, ' ' | '\u{202f}' | '\u{a0}')).collect();
    let (whole, part) = digits.split_once('.').unwrap_or((&digits, ""));
    let all_digits = |text: &str| text.bytes().all(|letter| letter.is_ascii_digit());
    if (whole.is_empty() && part.is_empty()) || !all_digits(whole) || !all_digits(part) {
        return None;
    }
    let number = |text: &str| if text.is_empty() { Some(0) } else { text.parse::<u128>().ok() };
    // Further digits are less than a nanosecond in any unit.
    let part = part.get(..part.len().min(18)).unwrap_or_default();
    let places = 10u128.pow(part.len() as u32);
    let unit = u128::from(unit);
    let nanos = number(whole)?.checked_mul(unit)?.checked_add(number(part)?.checked_mul(unit)? / places)?;
    u64::try_from(nanos).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_the_page_shows_them() {
        for (text, nanos) in [
            ("0", 0),
            ("1500000", 1_500_000),
            ("1.5s", 1_500_000_000),
            ("1.284503221 s", 1_284_503_221),
            ("0.1s", 100_000_000),
            (".5ms", 500_000),
            ("250ms", 250_000_000),
            ("3.25 \u{b5}s", 3250),
            ("3.25us", 3250),
            ("7 ns", 7),
            ("2min", 120_000_000_000),
            ("1:05.000000001", 65_000_000_001),
            ("1:00:00.5", 3_600_500_000_000),
            ("12\u{202f}345 ns", 12_345),
        ] {
            assert_eq!(written_duration(text), Ok(Nanos(nanos)), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_gives_an_error() {
        for text in
            ["", "s", "1.5.2s", "1,5s", "-1s", "1 fortnight", "1.5:03", "::", "99999999999999999999s", "1e9", "\u{e4}"]
        {
            assert!(written_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_time_is_on_one_of_two_clocks() {
        assert_eq!("1.5s".parse(), Ok(WrittenTime::Log(Nanos(1_500_000_000))));
        assert_eq!(" @ 7 ".parse(), Ok(WrittenTime::Runtime(Nanos(7))));
        assert_eq!(WrittenTime::Log(Nanos(5)).at(Nanos(100)), Nanos(105));
        assert_eq!(WrittenTime::Runtime(Nanos(105)).at(Nanos(100)), Nanos(105));
        assert!("@".parse::<WrittenTime>().is_err() && "@@1".parse::<WrittenTime>().is_err());
    }
}
