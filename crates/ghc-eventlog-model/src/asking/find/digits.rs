//! Which digits a text must have, and whether one of an event's numbers has them. That takes a third of the time of formatting the
//! event's text, which is only done if it has.

use super::{
    finder::Prepared,
    sentences::{MadeUp, made_up, sentences},
};
use crate::sorting::sort;
use alloc::{string::String, vec::Vec};
use ghc_eventlog::{EventInfo, Record, Value, Wire};

/// The sizes of the fields of a type's events, if all are numbers, 4 bits for each, the first one lowest; 0 if they are not, or too many.
/// Reading these numbers takes a fraction of the time of visiting the fields.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NumberSizes(u32);

impl NumberSizes {
    pub(super) fn of(info: &EventInfo) -> Self {
        let size = |field: &Wire| match field {
            Wire::Number(size) | Wire::Optional(Wire::Number(size)) if *size <= 8 => u32::try_from(*size).ok(),
            _ => None,
        };
        let sizes: Option<Vec<u32>> = info.wire.iter().map(size).collect();
        let sizes = sizes.filter(|sizes| sizes.len() <= 8).unwrap_or_default();
        Self(sizes.iter().rev().fold(0, |all, size| all << 4 | size))
    }
}

/// The digits that what is searched for must have: each run of them, once.
#[derive(Debug, Clone, Default)]
pub(super) struct NecessaryDigits {
    runs: Vec<DigitRun>,
    /// No number below this has any of them.
    least: u64,
}

/// Some digits, and which numbers are written with them.
#[derive(Debug, Clone)]
struct DigitRun {
    digits: String,
    /// They as a number; `None` if no number is written with them.
    value: Option<u64>,
    /// 10 to the power of how many there are; 0 if that is too large.
    power: u64,
    /// No number below this has them.
    least: u64,
}

impl DigitRun {
    fn new(digits: String) -> Self {
        let power = u32::try_from(digits.len()).ok().and_then(|count| 10_u64.checked_pow(count)).unwrap_or(0);
        // Of the numbers with 20 digits, some are too large, and none begins with a zero.
        let may_be = power > 0 || !digits.starts_with('0');
        let value = digits.parse().ok().filter(|_| may_be);
        Self { value, power, least: least_with(&digits), digits }
    }

    /// Whether a number is written with these digits in it.
    fn is_in(&self, number: u64) -> bool {
        let mut left = number;
        while left >= self.least {
            if let Ok(small) = u32::try_from(left) {
                return self.is_in_small(small);
            }
            if Some(left.checked_rem(self.power).unwrap_or(left)) == self.value {
                return true;
            }
            left /= 10;
        }
        false
    }

    /// The same. Dividing numbers of 32 bits takes half of the time, and most fit.
    fn is_in_small(&self, number: u32) -> bool {
        let fitting = (u32::try_from(self.power), self.value.map(u32::try_from));
        let (Ok(power), Some(Ok(value))) = fitting else {
            // Ten digits or more: a number of 32 bits only has them if it is equal.
            return self.value == Some(number.into());
        };
        let mut left = number;
        while u64::from(left) >= self.least {
            if left.checked_rem(power) == Some(value) {
                return true;
            }
            left /= 10;
            if left == 0 {
                break;
            }
        }
        false
    }
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
        // A number has 20 digits at most: longer runs are in none.
        runs.truncate(InNumbers::BITS as usize);
        let runs: Vec<DigitRun> = runs.into_iter().map(DigitRun::new).collect();
        let least = runs.iter().map(|run| run.least).min().unwrap_or_default();
        Self { runs, least }
    }

    /// Those which a type's events can only have in their numbers. None if the type writes its numbers in another way.
    pub(super) fn in_numbers(&self, tag: u16, words: &str) -> InNumbers {
        if self.runs.is_empty() || !writes_numbers_as_they_are(tag, words) {
            return 0;
        }
        let bits = self.runs.iter().zip(0..).filter(|(run, _)| !words.contains(run.digits.as_str()));
        bits.fold(0, |all, (_, bit)| all | 1 << bit)
    }

    /// Whether an event's numbers have all of `wanted`, or may have them. `sizes`: those of its type.
    pub(super) fn are_in(&self, mut wanted: InNumbers, sizes: NumberSizes, record: &Record<'_>) -> bool {
        let mut look = |number: u64| {
            // Most numbers are small: of a capability, a thread, a reason.
            if number < self.least {
                return;
            }
            for (run, bit) in self.runs.iter().zip(0..) {
                if wanted & 1 << bit != 0 && run.is_in(number) {
                    wanted &= !(1 << bit);
                }
            }
        };
        if record.known && sizes.0 != 0 {
            let mut payload = record.payload;
            let mut left = sizes.0;
            while let Some((field, after)) = payload.split_at_checked((left & 15) as usize).filter(|_| left != 0) {
                look(match *field {
                    [a, b, c, d] => u32::from_be_bytes([a, b, c, d]).into(),
                    [a, b] => u16::from_be_bytes([a, b]).into(),
                    _ => field.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)),
                });
                (payload, left) = (after, left >> 4);
            }
        } else {
            record.visit(|_, value| number(&value).into_iter().for_each(&mut look));
        }
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
    fn a_number_has_the_digits_that_it_is_written_with() {
        let mut chance = 1u64;
        let edges = [u64::MAX, 10_000_000_000_000_000_000, 10_700, 42_949_672_950, 10_000_000_001, 1_000_000_000];
        let around = u64::from(u32::MAX) - 1..=u64::from(u32::MAX) + 1;
        let mut numbers: Vec<u64> = (0..3000).chain(edges).chain(around).collect();
        numbers.extend((0..2000).map(|at| {
            chance = crate::random::after(chance);
            chance >> (at % 60)
        }));
        let few = ["0", "00", "7", "07", "19", "100", "010", "4711", "294967295", "000000001"];
        let many = ["4294967295", "1000000000", "0000000001", "18446744073709551615", "0018446744073709551615"];
        for digits in few.into_iter().chain(many) {
            let run = DigitRun::new(digits.into());
            for number in &numbers {
                assert_eq!(run.is_in(*number), number.to_string().contains(digits), "{digits} in {number}");
            }
        }
    }

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
