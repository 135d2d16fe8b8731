//! What the arguments of the program say about its heap profile.
//!
//! ```text
//! prog x +RTS -hc -hmMain -RTS -hy       by cost centre; only what the module Main made
//! ```

use crate::limits;
use alloc::vec::Vec;
use ghc_eventlog::Breakdown;
use ghc_eventlog_text::LogText;

/// The flags `-h…` of the runtime.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct HeapFlags {
    /// What the profile is broken down by; `None` if no flag says.
    pub(crate) breakdown: Option<Breakdown>,
    /// The flags that restrict it to a part of the data, as they were given.
    pub(crate) filters: Vec<LogText<'static>>,
}

impl HeapFlags {
    /// Those of a program that was started with these arguments, and has a runtime of this name.
    pub(crate) fn of(args: &[LogText<'static>], runtime: &LogText<'_>) -> Self {
        let (mut flags, mut of_filter) = (Self::default(), None);
        let mut is_of_runtime = false;
        for arg in args.iter().skip(1) {
            let text = arg.for_comparing();
            match text {
                "+RTS" => is_of_runtime = true,
                "-RTS" => is_of_runtime = false,
                // What follows is the program's.
                "--RTS" | "--" => break,
                _ => {}
            }
            let Some(rest) = text.strip_prefix("-h").filter(|_| is_of_runtime) else { continue };
            let mut letters = rest.chars();
            let Some(letter) = letters.next() else {
                // A profiled runtime begins its names of ways with `_p`, as in "rts_thr_p".
                let is_profiled = runtime.for_comparing().contains("_p");
                flags.breakdown = Some(if is_profiled { Breakdown(1) } else { Breakdown(7) });
                continue;
            };
            let breakdown = breakdown(letter);
            if letters.as_str().is_empty() {
                flags.breakdown = breakdown.or(flags.breakdown);
            } else if breakdown.is_some() && flags.filters.len() < limits::MAX_HEAP_FILTERS {
                flags.filters.push(arg.clone());
                of_filter = breakdown;
            }
        }
        flags.breakdown = flags.breakdown.or(of_filter);
        flags
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.filters.iter().map(LogText::bytes_held).sum::<usize>()
            + self.filters.capacity() * size_of::<LogText<'static>>()
    }
}

/// What the flag with this letter breaks a profile down by.
fn breakdown(letter: char) -> Option<Breakdown> {
    Some(Breakdown(match letter {
        'c' | 'C' => 1,
        'm' | 'M' => 2,
        'd' | 'D' => 3,
        'y' | 'Y' => 4,
        'r' | 'R' => 5,
        'b' | 'B' => 6,
        'T' => 7,
        'i' => 8,
        'e' => 9,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    /// The breakdown and the filters of some arguments.
    fn flags(args: &str, runtime: &'static str) -> (Option<u32>, Vec<alloc::string::String>) {
        let args: Vec<LogText<'static>> = args.split(' ').map(|arg| LogText::from(arg.to_string())).collect();
        let HeapFlags { breakdown, filters } = HeapFlags::of(&args, &LogText::from(runtime));
        (breakdown.map(|by| by.0), filters.iter().map(|filter| filter.for_comparing().to_string()).collect())
    }

    #[test]
    fn the_breakdown_is_one_of_the_runtime_s_flags() {
        let by = |args: &str| flags(args, "GHC-9.10.3 rts_thr").0;
        assert_eq!([by("p +RTS -l -hT"), by("p +RTS -hi -i0.1"), by("p +RTS -he")], [Some(7), Some(8), Some(9)]);
        assert_eq!([by("p -hT"), by("p +RTS -l -RTS -hT"), by("p +RTS --RTS -hT"), by("p -- +RTS -hT")], [None; 4]);
        assert_eq!([by("-hT"), by("p +RTS -hq"), by("p +RTS -H1g")], [None; 3]);
        assert_eq!([by("p +RTS -h"), flags("p +RTS -h", "GHC-9.0.2 rts_thr_p").0], [Some(7), Some(1)]);
    }

    #[test]
    fn what_follows_the_letter_is_a_filter() {
        assert_eq!(flags("p +RTS -hc -hmMain,Data", ""), (Some(1), alloc::vec!["-hmMain,Data".into()]));
        assert_eq!(flags("p +RTS -hT{Maybe}", ""), (Some(7), alloc::vec!["-hT{Maybe}".into()]));
        let many = "p +RTS".to_string() + &" -hmMain".repeat(1000);
        assert_eq!(flags(&many, "").1.len(), limits::MAX_HEAP_FILTERS);
    }
}
