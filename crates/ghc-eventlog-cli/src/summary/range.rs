//! Parses ranges of time: `1.5s..2s`, `250ms..`, `..3s`, with times as the page shows them, from the first event on; and
//! `@104.17ms..@200ms`, with times of the runtime's clock, as `show` prints them.

use ghc_eventlog::Nanos;
use ghc_eventlog_model::WrittenTime;
use std::str::FromStr;

/// A part of a log. Either end may be the log's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    from: Option<WrittenTime>,
    to: Option<WrittenTime>,
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
            text => text.parse().map(Some),
        };
        let span = Self { from: end(from)?, to: end(to)? };
        let is_empty = match (span.from, span.to) {
            (None, None) => return Err("a range needs at least one of its ends".to_string()),
            (None, Some(WrittenTime::Log(to) | WrittenTime::Runtime(to))) => to == Nanos(0),
            (Some(WrittenTime::Log(from)), Some(WrittenTime::Log(to))) => from >= to,
            (Some(WrittenTime::Runtime(from)), Some(WrittenTime::Runtime(to))) => from >= to,
            // Only the log says how its clocks differ.
            _ => false,
        };
        if is_empty { Err(EMPTY.to_string()) } else { Ok(span) }
    }
}

const EMPTY: &str = "the range is empty: it ends where it begins, or before; a number without a unit is nanoseconds";

#[cfg(test)]
mod tests {
    use super::*;

    fn span(from: Option<u64>, to: Option<u64>) -> Result<Span, String> {
        let since = |time: u64| WrittenTime::Log(Nanos(time));
        Ok(Span { from: from.map(since), to: to.map(since) })
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
