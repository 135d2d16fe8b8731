//! What the program's arguments say of its runtime: which classes of events and which profiles it was to log, and how it collects.
//!
//! ```text
//! prog x +RTS -l-g -hc -hmMain -RTS -hy       no collections; a heap profile by cost centre, only of what the module Main made
//! ```
//!
//! The runtime takes options from the environment (`GHCRTS`) and from the linker's `-with-rtsopts`, too, and a log does not name these.
//! So the arguments say for certain what they turn on and off, and nothing of the rest.

use crate::limits;
use alloc::vec::Vec;
use ghc_eventlog::{Breakdown, Text, TextList};
use ghc_eventlog_text::LogText;

/// A class of events, which a letter of the flag `-l` turns on. In each `-l` these come first: the scheduler's, collections, sparks by
/// their counters, and the program's messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TraceClass {
    Scheduler,
    Collections,
    Sparks,
    User,
    FullSparks,
    NonMoving,
    Ticky,
}

/// How many classes there are.
const CLASSES: usize = 7;

/// How many of them each `-l` turns on.
const BY_DEFAULT: usize = 4;

/// What the arguments say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct RtsFlags {
    /// Whether each class is logged; `None` if they do not say.
    classes: [Option<bool>; CLASSES],
    /// Whether a heap profile was asked for (`-h`).
    pub(crate) heap_profile: bool,
    /// Whether the program itself says when to take censuses (`--no-automatic-heap-samples`).
    pub(crate) heap_profile_by_hand: bool,
    /// Whether a time profile was (`-p`).
    pub(crate) time_profile: bool,
    /// Whether the non-moving collector was (`-xn`).
    pub(crate) nonmoving: bool,
    /// How many sparks a pool has room for, at least (`-e`).
    pub(crate) spark_pool: Option<u64>,
    /// How far the old generation may grow before a major collection, in thousandths of the live data (`-F`).
    pub(crate) growth: Option<u64>,
    /// When old data is compacted in place (`-c`).
    pub(crate) compacts: Option<Compacts>,
    /// What the heap profile is broken down by; `None` if no flag says.
    pub(crate) breakdown: Option<AskedBreakdown>,
    /// The flags that restrict it to a part of the data, as they were given.
    pub(crate) filters: Vec<LogText<'static>>,
    /// The flags as they were given, the last of each name.
    given: Vec<GivenFlag>,
}

/// The longest name of a flag that is kept: `--eventlog-flush-interval=`.
const NAME: usize = 26;

/// A flag, and the number after it: `-A64m` is `-A` and 64 MiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GivenFlag {
    name: [u8; NAME],
    pub(crate) value: Option<u64>,
}

impl GivenFlag {
    /// `None` if it is no flag, or its name is too long.
    pub(crate) fn of(arg: &[u8]) -> Option<Self> {
        let digits = arg.iter().position(u8::is_ascii_digit).unwrap_or(arg.len());
        let (begin, number) = arg.split_at_checked(digits)?;
        let mut name = [0; NAME];
        name.get_mut(..begin.len())?.copy_from_slice(begin);
        if begin.len() < 2 || begin.first() != Some(&b'-') {
            return None;
        }
        let (number, unit) = match number {
            [number @ .., b'k' | b'K'] => (number, 1 << 10),
            [number @ .., b'm' | b'M'] => (number, 1 << 20),
            [number @ .., b'g' | b'G'] => (number, 1 << 30),
            number => (number, 1),
        };
        let value =
            if number.is_empty() { None } else { Some(thousandths(number)?.saturating_mul(unit).div_ceil(1000)) };
        Some(Self { name, value })
    }

    /// As it was given.
    pub(crate) fn name(&self) -> &[u8] {
        let end = self.name.iter().position(|byte| *byte == 0).unwrap_or(NAME);
        self.name.get(..end).unwrap_or_default()
    }
}

/// When the runtime compacts old data in place, rather than copying it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compacts {
    /// In each major collection (`-c`).
    Always,
    /// Once live data takes so many thousandths of the limit of the heap (`-c50`).
    From(u64),
}

/// What a flag breaks a heap profile down by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskedBreakdown {
    /// `-h`: by cost centre in a program built with -prof, else by closure type.
    ByDefault,
    By(Breakdown),
}

impl RtsFlags {
    /// Those of a program's arguments, of which the first is its name.
    pub(crate) fn of(args: &TextList<'_>) -> Self {
        let (mut flags, mut of_runtime) = (Self::default(), false);
        for Text(arg) in args.iter().skip(1) {
            match arg {
                // What follows is the program's, whatever it looks like.
                b"--RTS" | b"--" => break,
                b"+RTS" => of_runtime = true,
                b"-RTS" => of_runtime = false,
                _ if of_runtime => flags.take(arg),
                _ => {}
            }
        }
        // A filter says what it is of, too.
        let of_filter = flags.filters.last().and_then(|filter| filter.for_comparing().as_bytes().get(2).copied());
        flags.breakdown = flags.breakdown.or(of_filter.and_then(breakdown).map(AskedBreakdown::By));
        flags
    }

    /// Whether a flag was given, and the number after it.
    pub(crate) fn given(&self, name: &[u8]) -> Option<Option<u64>> {
        self.given.iter().find(|flag| flag.name() == name).map(|flag| flag.value)
    }

    fn take(&mut self, arg: &[u8]) {
        if let Some(flag) = GivenFlag::of(arg) {
            self.given.retain(|before| before.name != flag.name);
            // The last ones count.
            if self.given.len() >= limits::MAX_RTS_FLAGS {
                self.given.remove(0);
            }
            self.given.push(flag);
        }
        match arg {
            [b'-', b'l', letters @ ..] => self.take_classes(letters),
            [b'-', b'h', rest @ ..] => self.take_profile(arg, rest),
            [b'-', b'p' | b'P', ..] => self.time_profile = true,
            b"--no-automatic-heap-samples" => self.heap_profile_by_hand = true,
            b"-xn" | b"--nonmoving-gc" => self.nonmoving = true,
            [b'-', b'e', number @ ..] => self.spark_pool = thousandths(number).map(|number| number / 1000),
            // -Fd is another flag.
            [b'-', b'F', factor @ ..] => self.growth = thousandths(factor).or(self.growth),
            b"-c" => self.compacts = Some(Compacts::Always),
            [b'-', b'c', percent @ ..] => {
                self.compacts = thousandths(percent).map(|percent| Compacts::From(percent / 100)).or(self.compacts);
            }
            _ => {}
        }
    }

    /// A flag of the heap profile: `rest` is what follows `-h`.
    fn take_profile(&mut self, arg: &[u8], rest: &[u8]) {
        self.heap_profile = true;
        match rest {
            [] => self.breakdown = Some(AskedBreakdown::ByDefault),
            [letter] => self.breakdown = breakdown(*letter).map(AskedBreakdown::By).or(self.breakdown),
            [letter, ..] if breakdown(*letter).is_some() => {
                if self.filters.len() >= limits::MAX_HEAP_FILTERS {
                    self.filters.remove(0);
                }
                self.filters.push(LogText::from(Text(arg)).into_owned());
            }
            _ => {}
        }
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.filters.iter().map(LogText::bytes_held).sum::<usize>()
            + self.filters.capacity() * size_of::<LogText<'static>>()
            + self.given.capacity() * size_of::<GivenFlag>()
    }

    /// As the runtime's `read_trace_flags`: a minus turns off the class of the next letter.
    fn take_classes(&mut self, letters: &[u8]) {
        self.classes.iter_mut().take(BY_DEFAULT).for_each(|class| *class = Some(true));
        let mut on = true;
        for letter in letters {
            let class = match letter {
                b'-' => {
                    on = false;
                    continue;
                }
                b'a' => {
                    self.classes = [Some(on); CLASSES];
                    on = true;
                    continue;
                }
                b's' => TraceClass::Scheduler,
                b'g' => TraceClass::Collections,
                b'p' => TraceClass::Sparks,
                b'u' => TraceClass::User,
                b'f' => TraceClass::FullSparks,
                b'n' => TraceClass::NonMoving,
                b'T' => TraceClass::Ticky,
                // Other classes, of other runtimes.
                _ => {
                    on = true;
                    continue;
                }
            };
            if let Some(of) = self.classes.get_mut(class as usize) {
                *of = Some(on);
            }
            on = true;
        }
    }

    /// Whether a class is logged; `None` if the arguments do not say.
    pub(crate) fn logs(&self, class: TraceClass) -> Option<bool> {
        self.classes.get(class as usize).copied().flatten()
    }

    /// What both say: a file may have the logs of several processes. Of the heap profile, what the later one says.
    pub(crate) fn and(mut self, other: Self) -> Self {
        for (class, other) in self.classes.iter_mut().zip(other.classes) {
            *class = class.filter(|logged| Some(*logged) == other);
        }
        Self {
            classes: self.classes,
            heap_profile: self.heap_profile && other.heap_profile,
            heap_profile_by_hand: self.heap_profile_by_hand || other.heap_profile_by_hand,
            time_profile: self.time_profile && other.time_profile,
            nonmoving: self.nonmoving && other.nonmoving,
            spark_pool: other.spark_pool.filter(|_| self.spark_pool == other.spark_pool),
            growth: other.growth.filter(|_| self.growth == other.growth),
            compacts: other.compacts.filter(|_| self.compacts == other.compacts),
            given: other.given.iter().copied().filter(|flag| self.given.contains(flag)).collect(),
            ..other
        }
    }
}

/// What the flag with this letter breaks a heap profile down by.
pub(crate) fn breakdown(letter: u8) -> Option<Breakdown> {
    Some(Breakdown(match letter {
        b'c' | b'C' => 1,
        b'm' | b'M' => 2,
        b'd' | b'D' => 3,
        b'y' | b'Y' => 4,
        b'r' | b'R' => 5,
        b'b' | b'B' => 6,
        b'T' => 7,
        b'i' => 8,
        b'e' => 9,
        _ => return None,
    }))
}

/// A number with decimals or without, such as 1.5, in thousandths; `None` if it is none.
fn thousandths(number: &[u8]) -> Option<u64> {
    let mut parts = number.splitn(2, |byte| *byte == b'.');
    let (whole, decimals) = (parts.next()?, parts.next().unwrap_or_default());
    let is_number = |digits: &[u8]| digits.iter().all(u8::is_ascii_digit);
    if whole.is_empty() || !is_number(whole) || !is_number(decimals) {
        return None;
    }
    let decimals = decimals.iter().chain(core::iter::repeat(&b'0')).take(3);
    whole
        .iter()
        .chain(decimals)
        .try_fold(0u64, |number, digit| number.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{
        format,
        string::{String, ToString},
    };

    fn flags(line: &str) -> RtsFlags {
        let mut bytes: Vec<u8> = line.bytes().map(|byte| if byte == b' ' { 0 } else { byte }).collect();
        bytes.push(0);
        RtsFlags::of(&TextList(&bytes))
    }

    /// The letters of the classes that are on, those that are off after a minus; nothing of those that are not known.
    fn classes(line: &str) -> String {
        let flags = flags(line);
        let letters = flags.classes.iter().zip("sgpufnT".chars());
        let sign = |(class, letter): (&Option<bool>, char)| match class {
            Some(true) => String::from(letter),
            Some(false) => alloc::format!("-{letter}"),
            None => String::new(),
        };
        letters.map(sign).collect()
    }

    #[test]
    fn letters_turn_classes_on_and_off() {
        assert_eq!(classes("prog +RTS -l -RTS"), "sgpu");
        assert_eq!(classes("prog a +RTS -N4 -l-a -la-u"), "sgp-ufnT");
        assert_eq!(classes("prog +RTS -l-au"), "-s-g-pu-f-n-T");
        assert_eq!(classes("prog +RTS -lf-s"), "-sgpuf");
        // Every -l begins with the usual ones.
        assert_eq!(classes("prog +RTS -l-u -lf"), "sgpuf");
    }

    #[test]
    fn only_arguments_of_the_runtime_count() {
        for line in ["prog", "prog -l", "prog +RTS -N -RTS -l", "prog -- +RTS -l", "prog --RTS +RTS -l", "+RTS"] {
            assert_eq!(classes(line), "", "{line}");
        }
    }

    #[test]
    fn what_two_processes_say_differently_is_not_known() {
        let of = |line: &'static [u8]| RtsFlags::of(&TextList(line));
        let both = of(b"a\0+RTS\0-l\0-hT\0").and(of(b"a\0+RTS\0-l-u\0-hT\0-p\0"));
        let of_classes = [TraceClass::Scheduler, TraceClass::User, TraceClass::Ticky].map(|class| both.logs(class));
        assert_eq!(of_classes, [Some(true), None, None]);
        assert_eq!((both.heap_profile, both.time_profile, both.nonmoving), (true, false, false));
    }

    /// The breakdown of the heap profile, and its filters.
    fn profile(line: &str) -> (Option<AskedBreakdown>, Vec<String>) {
        let RtsFlags { breakdown, filters, .. } = flags(line);
        (breakdown, filters.iter().map(|filter| filter.for_comparing().to_string()).collect())
    }

    #[test]
    fn the_breakdown_is_one_of_the_runtime_s_flags() {
        let by = |line: &str| match profile(line).0 {
            Some(AskedBreakdown::By(by)) => Some(by.0),
            _ => None,
        };
        assert_eq!([by("p +RTS -l -hT"), by("p +RTS -hi -i0.1"), by("p +RTS -he")], [Some(7), Some(8), Some(9)]);
        assert_eq!([by("p -hT"), by("p +RTS -l -RTS -hT"), by("p +RTS --RTS -hT"), by("p -- +RTS -hT")], [None; 4]);
        assert_eq!([by("-hT"), by("p +RTS -hq"), by("p +RTS -H1g")], [None; 3]);
        assert_eq!(profile("p +RTS -h").0, Some(AskedBreakdown::ByDefault));
    }

    #[test]
    fn what_follows_the_letter_is_a_filter() {
        let by = |number| Some(AskedBreakdown::By(Breakdown(number)));
        assert_eq!(profile("p +RTS -hc -hmMain,Data"), (by(1), alloc::vec!["-hmMain,Data".into()]));
        assert_eq!(profile("p +RTS -hT{Maybe}"), (by(7), alloc::vec!["-hT{Maybe}".into()]));
        let many = "p +RTS".to_string() + &" -hmMain".repeat(1000);
        assert_eq!(profile(&many).1.len(), limits::MAX_HEAP_FILTERS);
    }

    /// A later flag counts, and there may be very many of them.
    #[test]
    fn the_last_flags_count() {
        let letters = || ('a'..='z').chain('B'..='Z').chain(['=', '+']);
        let many: String = letters().map(|letter| format!(" -X{letter}1 -Y{letter}2")).collect();
        let flags = flags(&format!("p +RTS{many} -A64m -hc -hmMain"));
        assert_eq!((flags.given.len(), flags.given(b"-A")), (limits::MAX_RTS_FLAGS, Some(Some(64 << 20))));
        assert_eq!((flags.given(b"-Xa"), flags.given(b"-Y+")), (None, Some(Some(2))));
        let filters: String = (0..100).map(|number| format!(" -hmM{number}")).collect();
        let filters = profile(&format!("p +RTS -hc{filters}")).1;
        assert_eq!(filters.last().map(|last| last.as_str()), Some("-hmM99"));
    }

    #[test]
    fn sizes_and_factors_are_read() {
        let of = |line: &str| {
            let RtsFlags { spark_pool, growth, compacts, .. } = flags(line);
            (spark_pool, growth, compacts)
        };
        assert_eq!(of("p +RTS -e65536 -F1.5 -c"), (Some(65_536), Some(1500), Some(Compacts::Always)));
        assert_eq!(of("p +RTS -F4 -c50 -Fd0.5"), (None, Some(4000), Some(Compacts::From(500))));
        assert_eq!(of("p -e1 -F3 -c"), (None, None, None));
        assert_eq!(of("p +RTS -e -Fx -c-"), (None, None, None));
        assert_eq!(of(&("p +RTS -F".to_string() + &"9".repeat(30))).1, None);
        let both = flags("p +RTS -F3 -e8").and(flags("p +RTS -F4 -e8"));
        assert_eq!((both.growth, both.spark_pool), (None, Some(8)), "what they say differently is not known");
    }
}
