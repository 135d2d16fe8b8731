//! What the program's arguments say of what its runtime was to log: which classes of events, which profiles.
//!
//! The runtime takes options from the environment (`GHCRTS`) and from the linker's `-with-rtsopts`, too, and a log does not name these.
//! So the arguments say for certain what they turn on and off, and nothing of the rest.

use ghc_eventlog::{Text, TextList};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
        flags
    }

    fn take(&mut self, arg: &[u8]) {
        match arg {
            [b'-', b'l', letters @ ..] => self.take_classes(letters),
            [b'-', b'h', ..] => self.heap_profile = true,
            [b'-', b'p' | b'P', ..] => self.time_profile = true,
            b"--no-automatic-heap-samples" => self.heap_profile_by_hand = true,
            b"-xn" | b"--nonmoving-gc" => self.nonmoving = true,
            _ => {}
        }
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

    /// What both say: a file may have the logs of several processes.
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
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{string::String, vec::Vec};

    /// The letters of the classes that are on, those that are off after a minus; nothing of those that are not known.
    fn classes(line: &str) -> String {
        let mut bytes: Vec<u8> = line.bytes().map(|byte| if byte == b' ' { 0 } else { byte }).collect();
        bytes.push(0);
        let flags = RtsFlags::of(&TextList(&bytes));
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
}
