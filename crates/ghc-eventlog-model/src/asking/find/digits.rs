//! Which digits a text must have, and whether one of an event's numbers has them. That takes a third of the time of formatting the
//! event's text, which is only done if it has.

use super::{
    event::SeenEvent,
    finder::Prepared,
    sentences::{MadeUp, made_up, sentences},
};
use crate::sorting::sort;
use alloc::{string::String, vec::Vec};
use ghc_eventlog::Value;

/// The digits that what is searched for must have: each run of them, once.
#[derive(Debug, Clone, Default)]
pub(super) struct NecessaryDigits {
    runs: Vec<String>,
    /// No number below this has any of them.
    least: u64,
}

/// Which of [`NecessaryDigits`] must be in the numbers of a type's events, a bit for each.
pub(super) type InNumbers = u32;

impl NecessaryDigits {
    /// Of tests that must hold.
    pub(super) fn new<'a>(tests: impl Iterator<Item = &'a Prepared>) -> Self {
        let mut runs: Vec<String> = Vec::new();
        for test in tests {
            let Prepared::Text(pattern) = test else { continue };
            for part in pattern.necessary() {
                let of_part = digit_runs(&part).map(String::from);
                runs.extend(of_part);
            }
        }
        sort(&mut runs);
        runs.dedup();
        runs.truncate(InNumbers::BITS as usize);
        let least = runs.iter().map(|run| least_with(run)).min().unwrap_or_default();
        Self { runs, least }
    }

    /// Those which a type's events can only have in their numbers. None if the type writes its numbers in another way.
    pub(super) fn in_numbers(&self, tag: u16, words: &str) -> InNumbers {
        if self.runs.is_empty() || !writes_numbers_as_they_are(tag, words) {
            return 0;
        }
        let bits = self.runs.iter().zip(0..).filter(|(run, _)| !words.contains(run.as_str()));
        bits.fold(0, |all, (_, bit)| all | 1 << bit)
    }

    /// Whether an event's numbers have all of `wanted`.
    pub(super) fn are_in(&self, mut wanted: InNumbers, seen: SeenEvent<'_>) -> bool {
        let mut buffer = itoa::Buffer::new();
        seen.record.visit(|_, value| {
            // Most numbers are small: of a capability, a thread, a reason. They need not be written.
            let Some(number) = number(&value).filter(|number| wanted != 0 && *number >= self.least) else { return };
            let written = buffer.format(number).as_bytes();
            for (run, bit) in self.runs.iter().zip(0..) {
                let run = run.as_bytes();
                if wanted & 1 << bit != 0 && written.windows(run.len()).any(|digits| digits == run) {
                    wanted &= !(1 << bit);
                }
            }
        });
        wanted == 0
    }
}

/// The least number that is written with these digits in it: the digits themselves, with a 1 before them if they begin with a zero. The
/// largest number if it would be larger than that.
fn least_with(digits: &str) -> u64 {
    let all = if digits.len() > 1 && digits.starts_with('0') { alloc::format!("1{digits}") } else { digits.into() };
    all.parse().unwrap_or(u64::MAX)
}

/// The number that a field is written as.
fn number(value: &Value<'_>) -> Option<u64> {
    match value {
        Value::Number(of) | Value::Name(_, of) => Some(*of),
        Value::Time(time) => Some(time.0),
        Value::Thread(thread) => Some(thread.0.into()),
        Value::Cap(cap) => Some(cap.0.into()),
        Value::Capset(capset) => Some(capset.0.into()),
        _ => None,
    }
}

fn digit_runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_digit()).filter(|run| !run.is_empty())
}

/// Whether all digits in the texts of a type's events are those of its fields, apart from those in `words`. It is found by formatting
/// events that are made up.
fn writes_numbers_as_they_are(tag: u16, words: &str) -> bool {
    let in_words: Vec<&str> = digit_runs(words).collect();
    // Of this byte, numbers of different sizes differ, and none has a special meaning.
    let sentences = sentences(tag, 0x5a).unwrap_or_default();
    !sentences.is_empty()
        && sentences.iter().all(|MadeUp { payload, text }| {
            let mut numbers: Vec<String> = Vec::new();
            let (mut buffer, mut has_others) = (itoa::Buffer::new(), false);
            made_up(tag, payload).visit(|_, value| {
                let number = number(&value);
                // A list may have several numbers; made up, it is empty.
                has_others |= number.is_none() && value != Value::Absent;
                numbers.extend(number.map(|number| String::from(buffer.format(number))));
            });
            !has_others
                && digit_runs(text).all(|run| in_words.contains(&run) || numbers.iter().any(|number| number == run))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asking::{find::sentences::words, query::pattern::Pattern};
    use alloc::string::ToString;
    use ghc_eventlog::{
        HeapProfSampleCostCentre, HeapSize, PerfCounter, RunThread, StopThread, TaskCreate, ThreadLabel, UserMsg,
    };

    #[test]
    fn no_smaller_number_has_the_digits() {
        for digits in ["0", "00", "7", "07", "19", "100", "010", "4711"] {
            let least = least_with(digits);
            assert!(least.to_string().contains(digits), "{digits}");
            assert!(!(0..least).any(|number| number.to_string().contains(digits)), "{digits}");
        }
        let largest = u64::MAX.to_string();
        assert_eq!([least_with(&largest), least_with("18446744073709551616")], [u64::MAX; 2]);
    }

    #[test]
    fn only_types_that_write_numbers_as_they_are_are_excluded_by_digits() {
        let wanted = Prepared::Text(Pattern::plain("thread 4711"));
        let digits = NecessaryDigits::new([&wanted].into_iter());
        let excludes = |tag: u16| words(tag, &[]).is_some_and(|words| digits.in_numbers(tag, &words) != 0);
        assert_eq!([RunThread::TAG, StopThread::TAG, HeapSize::TAG].map(excludes), [true; 3]);
        // A number that is one larger than its field, a hexadecimal one, a list of them, and texts of the log.
        let others = [PerfCounter::TAG, TaskCreate::TAG, HeapProfSampleCostCentre::TAG, ThreadLabel::TAG, UserMsg::TAG];
        assert_eq!(others.map(excludes), [false; 5]);
    }
}
