//! Values in words, as people read them. `web/js/format.js` writes the same, with thin spaces between groups of digits.

use crate::terms::value::Value;
use alloc::string::String;
use core::fmt::{self, Write};
use ghc_eventlog::Nanos;
use ghc_eventlog_text::{LogText, doors::Door};

const TIME_UNITS: [(u64, &str); 3] = [(1_000_000_000, "s"), (1_000_000, "ms"), (1000, "µs")];

const SIZE_UNITS: [(u64, &str); 4] = [(1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];

const SECOND: u64 = Nanos::SECOND.0;

impl Value {
    /// It in words; times are counted from `origin`. Empty if it is not known. Texts of the log are [visible](LogText::for_terminal):
    /// for a terminal, the page, or a writer of HTML. For Markdown, cells and JSON, take [`Self::log_text`] through its door.
    #[must_use]
    pub fn text(&self, origin: Nanos) -> String {
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = self.write(origin, LogText::write_visible, &mut text);
        text
    }

    /// The same, after what has been written already.
    pub(crate) fn write(&self, origin: Nanos, door: Door, out: &mut String) -> fmt::Result {
        match self {
            Self::Unknown | Self::Levels(_) => Ok(()),
            Self::Text(text) => door(text, out),
            Self::Time(time) => write_time(time.since(origin).0, out),
            Self::Duration(duration) => write_duration(duration.0, out),
            Self::Bytes(bytes) => write_bytes(*bytes, out),
            Self::Between(least, most) => {
                out.write_str("between ")?;
                write_bytes(*least, out)?;
                out.write_str(" and ")?;
                write_bytes(*most, out)
            }
            Self::BytesPerSecond(bytes) => write_bytes(*bytes, out).and_then(|()| out.write_str("/s")),
            Self::PerSecond(number) => write!(out, "{number}/s"),
            Self::Count(number) | Self::Offset(number) => write!(out, "{number}"),
            Self::Share(share) => write_percent(*share, out),
            Self::Thread(thread) => write!(out, "{thread}"),
            Self::Capability(cap) => write!(out, "cap {cap}"),
            Self::ByteTime(area) => {
                write_bytes(u64::try_from(area / u128::from(SECOND)).unwrap_or(u64::MAX), out)?;
                out.write_str("·s")
            }
            Self::Growth(bytes) | Self::Change(bytes) => {
                out.write_str(match bytes {
                    0 => "",
                    1.. => "+",
                    _ => "−",
                })?;
                write_bytes(bytes.unsigned_abs(), out)?;
                out.write_str(if matches!(self, Self::Growth(_)) { "/s" } else { "" })
            }
            Self::Integer(number) => {
                write!(out, "{}{}", if *number < 0 { "−" } else { "" }, number.unsigned_abs())
            }
            Self::Stack(names) => {
                for (at, name) in names.iter().enumerate() {
                    out.write_str(if at > 0 { " › " } else { "" })?;
                    door(name, out)?;
                }
                Ok(())
            }
        }
    }
}

/// A duration with four digits: "1.284 ms", "2 min 5 s". Sums end at the longest duration that there is: a million threads that are blocked
/// for five hours come to that.
fn write_duration(ns: u64, out: &mut impl Write) -> fmt::Result {
    if ns == u64::MAX {
        return out.write_str("> 584 years");
    }
    let seconds = ns / SECOND + u64::from(ns % SECOND >= SECOND / 2);
    if seconds >= 3600 {
        return write!(out, "{} h {} min", seconds / 3600, seconds % 3600 / 60);
    }
    if seconds >= 100 {
        return write!(out, "{} min {} s", seconds / 60, seconds % 60);
    }
    // What would be rounded up to a thousand is one of the next unit.
    let unit = TIME_UNITS.into_iter().find(|(size, _)| ns * 20_000 >= size * 19_999);
    match unit {
        Some((size, name)) => write_significant(ns, size, 4, name, out),
        None => write!(out, "{ns} ns"),
    }
}

/// A point in time, to the nanosecond: "1.284503221 s", "1:05.000000000".
fn write_time(ns: u64, out: &mut impl Write) -> fmt::Result {
    let (seconds, rest) = (ns / SECOND, ns % SECOND);
    if seconds >= 3600 {
        return write!(out, "{}:{:02}:{:02}.{rest:09}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
    if seconds >= 60 {
        return write!(out, "{}:{:02}.{rest:09}", seconds / 60, seconds % 60);
    }
    match ns {
        0 => out.write_str("0"),
        1..1000 => write!(out, "{ns} ns"),
        1000..1_000_000 => write!(out, "{}.{:03} µs", ns / 1000, ns % 1000),
        1_000_000..SECOND => write!(out, "{}.{:06} ms", ns / 1_000_000, ns % 1_000_000),
        _ => write!(out, "{seconds}.{rest:09} s"),
    }
}

/// A size: "12.3 MiB", exact bytes below 1 KiB.
fn write_bytes(bytes: u64, out: &mut impl Write) -> fmt::Result {
    let unit = SIZE_UNITS.into_iter().find(|(size, _)| u128::from(bytes) * 2048 >= u128::from(*size) * 2047);
    match unit {
        Some((size, name)) => write_significant(bytes, size, 3, name, out),
        None => write!(out, "{bytes} B"),
    }
}

/// A number in a unit of some size, with so many digits at least.
fn write_significant(number: u64, size: u64, digits: u32, name: &str, out: &mut impl Write) -> fmt::Result {
    let (number, size) = (u128::from(number), u128::from(size));
    let mut decimals = digits - 1;
    loop {
        let scale = 10u64.pow(decimals);
        let scaled = (number * u128::from(scale) + size / 2) / size;
        // Of what is too much as it is, there are fewer decimals to come. To write longer numbers is more code.
        let scaled = u64::try_from(scaled).unwrap_or(u64::MAX);
        if decimals == 0 {
            return write!(out, "{scaled} {name}");
        }
        if scaled < 10u64.pow(digits) {
            let width = decimals as usize;
            return write!(out, "{}.{:0width$} {name}", scaled / scale, scaled % scale);
        }
        decimals -= 1;
    }
}

/// A part of 1, in percents.
fn write_percent(share: f64, out: &mut impl Write) -> fmt::Result {
    let percents = share * 100.0;
    if percents > 0.0 && percents < 0.01 {
        return out.write_str("< 0.01 %");
    }
    if (99.95..100.0).contains(&percents) {
        return out.write_str("> 99.9 %");
    }
    match percents {
        100.0.. | 0.0 => write!(out, "{} %", rounded(percents, 1)),
        1.0.. => write!(out, "{}.{} %", rounded(percents, 10) / 10, rounded(percents, 10) % 10),
        _ => write!(out, "{}.{:02} %", rounded(percents, 100) / 100, rounded(percents, 100) % 100),
    }
}

/// How many parts of 1, so many to each, are nearest to a number that is not negative: exactly, half of one rounded up, as
/// JavaScript's `toFixed` does. What the library has for it is large, and the page would have to load it.
pub(crate) fn rounded(number: f64, parts: u64) -> u64 {
    const DIGITS: u32 = f64::MANTISSA_DIGITS - 1;
    let bits = number.to_bits();
    let mantissa = bits & ((1 << DIGITS) - 1) | 1 << DIGITS;
    // The number is the mantissa divided by two to the power of this.
    let scale = (u64::from(DIGITS) + 1023).saturating_sub(bits >> DIGITS);
    match scale {
        0 => (number as u64).saturating_mul(parts),
        1..64 => ((u128::from(mantissa) * u128::from(parts) + (1 << (scale - 1))) >> scale) as u64,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghc_eventlog::{CapNo, ThreadId};

    #[test]
    fn durations_have_four_digits() {
        let text = |ns| Value::Duration(Nanos(ns)).text(Nanos(0));
        let cases = [
            (0, "0 ns"),
            (999, "999 ns"),
            (1000, "1.000 µs"),
            (1_284_503, "1.285 ms"),
            (12_345_678, "12.35 ms"),
            (123_456_789, "123.5 ms"),
            (999_949_999, "999.9 ms"),
            (999_950_000, "1.000 s"),
            (99_400_000_000, "99.40 s"),
            (125_000_000_000, "2 min 5 s"),
            (3_661_000_000_000, "1 h 1 min"),
        ];
        cases.into_iter().for_each(|(ns, expected)| assert_eq!(text(ns), expected));
        assert_eq!([u64::MAX - 1, u64::MAX].map(text), ["5124095 h 34 min", "> 584 years"]);
    }

    #[test]
    fn times_are_exact_and_counted_from_the_origin() {
        let text = |ns: u64| Value::Time(Nanos(1000 + ns)).text(Nanos(1000));
        assert_eq!(text(0), "0");
        assert_eq!(text(7), "7 ns");
        assert_eq!(text(1_500), "1.500 µs");
        assert_eq!(text(66_900_001), "66.900001 ms");
        assert_eq!(text(1_284_503_221), "1.284503221 s");
        assert_eq!(text(65_000_000_001), "1:05.000000001");
        assert_eq!(text(3_665_000_000_000), "1:01:05.000000000");
    }

    #[test]
    fn sizes_have_three_digits() {
        let text = |bytes| Value::Bytes(bytes).text(Nanos(0));
        assert_eq!(text(0), "0 B");
        assert_eq!(text(1000), "1000 B");
        assert_eq!(text(1024), "1.00 KiB");
        assert_eq!(text(34_304), "33.5 KiB");
        assert_eq!(text((1 << 20) - 1), "1.00 MiB");
        assert_eq!(text(1023 << 20), "1023 MiB");
        assert_eq!(text(u64::MAX), "16777216 TiB");
        assert_eq!(Value::Between(0, 87_040).text(Nanos(0)), "between 0 B and 85.0 KiB");
    }

    #[test]
    fn rates_are_per_second() {
        let values = [Value::BytesPerSecond(1_288_490_189), Value::BytesPerSecond(12), Value::PerSecond(1200)];
        assert_eq!(values.map(|value| value.text(Nanos(0))), ["1.20 GiB/s", "12 B/s", "1200/s"]);
    }

    #[test]
    fn shares_are_percents() {
        let text = |share| Value::Share(share).text(Nanos(0));
        let shares = [0.0, 0.000_05, 0.005, 0.009_999, 0.01, 0.123_4, 0.123_6, 0.999_9, 1.0, 2.346];
        let texts = ["0 %", "< 0.01 %", "0.50 %", "1.00 %", "1.0 %", "12.3 %", "12.4 %", "> 99.9 %", "100 %", "235 %"];
        assert_eq!(shares.map(text), texts);
    }

    #[test]
    fn what_is_half_way_is_rounded_up() {
        // The first of these is a little less than what it is written as, the last one a little more.
        let numbers = [(51.65, 516), (12.25, 123), (0.25, 3), (0.35, 3), (1.45, 14), (8.05, 81)];
        numbers.into_iter().for_each(|(number, tenths)| assert_eq!(rounded(number, 10), tenths, "{number}"));
        assert_eq!([rounded(1e18, 1), rounded(1e-300, 100), rounded(f64::INFINITY, 1)], [10u64.pow(18), 0, u64::MAX]);
    }

    #[test]
    fn what_is_held_for_a_time_is_told_in_bytes_and_seconds() {
        let text = |area| Value::ByteTime(area).text(Nanos(0));
        assert_eq!(
            [0, 1_500_000_000, 1024 * 1_000_000_000, u128::MAX].map(text)[..3],
            ["0 B·s", "1 B·s", "1.00 KiB·s"]
        );
    }

    #[test]
    fn what_grows_or_shrinks_has_a_sign() {
        let text = |bytes| Value::Growth(bytes).text(Nanos(0));
        assert_eq!([0, 12, -2048, i64::MIN].map(text), ["0 B/s", "+12 B/s", "−2.00 KiB/s", "−8388608 TiB/s"]);
        assert_eq!(Value::Change(-2048).text(Nanos(0)), "−2.00 KiB");
    }

    #[test]
    fn what_names_something_is_named() {
        let values = [Value::Thread(ThreadId(7)), Value::Capability(CapNo(3)), Value::Count(12_345), Value::Unknown];
        assert_eq!(values.map(|value| value.text(Nanos(0))), ["7", "cap 3", "12345", ""]);
    }
}
