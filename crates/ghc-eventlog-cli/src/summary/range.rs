//! Parses ranges of time: `1.5s..2s`, `250ms..`, `..3s`, with times as the page shows them, from the first event on; and
//! `@104.17ms..@200ms`, with times of the runtime's clock, as `show` prints them.

use ghc_eventlog::Nanos;
use std::str::FromStr;

/// A part of a log. Either end may be the log's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    from: Option<TimeOf>,
    to: Option<TimeOf>,
}

/// A time on one of two clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TimeOf {
    /// Since the log's first event.
    Log(Nanos),
    /// On the runtime's clock, which the log has its times from.
    Runtime(Nanos),
}

impl TimeOf {
    /// The time on the log's clock, whose first event is at `first`.
    fn at(self, first: Nanos) -> Nanos {
        match self {
            Self::Log(since) => first.plus(since),
            Self::Runtime(time) => time,
        }
    }
}

impl Span {
    /// The part on the log's clock, from one time to before another. The error says why it is not within the log, which
    /// goes from `first` to `last`.
    pub(super) fn within(self, (first, last): (Nanos, Nanos)) -> Result<(Nanos, Nanos), String> {
        let end = Nanos(last.0.saturating_add(1));
        let from = self.from.map_or(first, |from| from.at(first));
        let to = self.to.map_or(end, |to| to.at(first)).min(end);
        if from > last {
            let length = last.since(first);
            return Err(format!(
                "the range begins after the log's end, which is at {} ns, or @{} ns on the runtime's clock",
                length.0, last.0
            ));
        }
        if to <= first {
            return Err(format!(
                "the range ends before the log's first event, which is at @{} ns on the runtime's clock",
                first.0
            ));
        }
        if from >= to {
            return Err(EMPTY.to_string());
        }
        Ok((from.max(first), to))
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (from, to) = text.split_once("..").ok_or("a range is FROM..TO, as 1.5s..2s, 250ms.. or @104ms..@200ms")?;
        let end = |text: &str| match text.trim() {
            "" => Ok(None),
            text => match text.strip_prefix('@') {
                Some(text) => time(text.trim()).map(|time| Some(TimeOf::Runtime(time))),
                None => time(text).map(|time| Some(TimeOf::Log(time))),
            },
        };
        let span = Self { from: end(from)?, to: end(to)? };
        let is_empty = match (span.from, span.to) {
            (None, None) => return Err("a range needs at least one of its ends".to_string()),
            (None, Some(TimeOf::Log(to) | TimeOf::Runtime(to))) => to == Nanos(0),
            (Some(TimeOf::Log(from)), Some(TimeOf::Log(to))) => from >= to,
            (Some(TimeOf::Runtime(from)), Some(TimeOf::Runtime(to))) => from >= to,
            // Only the log says how its clocks differ.
            _ => false,
        };
        if is_empty { Err(EMPTY.to_string()) } else { Ok(span) }
    }
}

const EMPTY: &str = "the range is empty: it ends where it begins, or before; a number without a unit is nanoseconds";

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

/// Parses a time: "1.5s", "250 ms", "1:05.25", "2:00:00"; a number without a unit is nanoseconds.
fn time(text: &str) -> Result<Nanos, String> {
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

    fn span(from: Option<u64>, to: Option<u64>) -> Result<Span, String> {
        let since = |time: u64| TimeOf::Log(Nanos(time));
        Ok(Span { from: from.map(since), to: to.map(since) })
    }

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
            assert_eq!(time(text), Ok(Nanos(nanos)), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_gives_an_error() {
        for text in
            ["", "s", "1.5.2s", "1,5s", "-1s", "1 fortnight", "1.5:03", "::", "99999999999999999999s", "1e9", "\u{e4}"]
        {
            assert!(time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn either_end_may_be_that_of_the_log() {
        assert_eq!("1.5s..2s".parse(), span(Some(1_500_000_000), Some(2_000_000_000)));
        assert_eq!("250ms..".parse(), span(Some(250_000_000), None));
        assert_eq!("..3s".parse(), span(None, Some(3_000_000_000)));
        for text in ["", "..", "3s", "2s..1s", "1s..1s", "..0", "1s..x", "@2s..@1s", "@..", "@1s", "@@1s..", "..@0"] {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_range_is_counted_from_the_first_moment_and_ends_with_the_log() {
        let extent = (Nanos(100), Nanos(200));
        let within = |text: &str| text.parse::<Span>().unwrap().within(extent);
        assert_eq!(within("10..20"), Ok((Nanos(110), Nanos(120))));
        assert_eq!(within("10.."), Ok((Nanos(110), Nanos(201))));
        assert_eq!(within("..1s"), Ok((Nanos(100), Nanos(201))));
        assert!(within("101..").is_err());
    }

    #[test]
    fn times_may_be_those_of_the_runtimes_clock() {
        let extent = (Nanos(100), Nanos(200));
        let within = |text: &str| text.parse::<Span>().unwrap().within(extent);
        assert_eq!(within("@110..@120"), within("10..20"));
        assert_eq!(within("@110.."), Ok((Nanos(110), Nanos(201))));
        assert_eq!(within("@0..@120"), Ok((Nanos(100), Nanos(120))));
        // One of each.
        assert_eq!(within("@110..20"), Ok((Nanos(110), Nanos(120))));
        assert_eq!(within("10..@120"), Ok((Nanos(110), Nanos(120))));
        for text in ["@201..", "..@100", "@0..@99", "30..@120"] {
            assert!(within(text).is_err(), "{text}");
        }
    }
}
