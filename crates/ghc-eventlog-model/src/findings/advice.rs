//! Advice without what the program does already.

use super::asked::Asked;
use crate::keeping::rts_flags::GivenFlag;
use alloc::{string::String, vec::Vec};

/// What comes between the parts of an advice that may be tried by themselves.
const BETWEEN: &str = "; ";

/// The parts of an advice, but for those whose flags the program was run with.
pub(super) fn new_to(advice: &str, of: &Asked<'_>) -> String {
    let parts: Vec<&str> = advice.split(BETWEEN).filter(|part| !is_done(part, of)).collect();
    parts.join(BETWEEN)
}

/// Whether a part names flags with values, in backticks, and the program was run with all of them.
fn is_done(part: &str, of: &Asked<'_>) -> bool {
    let code = part.split('`').skip(1).step_by(2);
    let mut flags = code.flat_map(str::split_whitespace).filter_map(|word| GivenFlag::of(word.as_bytes())).peekable();
    flags.peek().is_some() && flags.all(|flag| has(of, flag))
}

/// Whether the program was run with a flag, or with more of what it asks for.
fn has(of: &Asked<'_>, flag: GivenFlag) -> bool {
    let flags = of.flags();
    match (flag.name(), flag.value) {
        (b"-N", Some(caps)) => of.facts.caps.count == caps,
        // The log has it, wherever it was set.
        (b"-A", Some(area)) => of.facts.process.alloc_area.is_some_and(|bytes| bytes >= area),
        // Fewer threads are more of it; and without parallel collections there is one.
        (b"-qn", Some(threads)) => {
            flags.given(b"-qg").is_some() || flags.given(b"-qn").flatten().is_some_and(|given| given <= threads)
        }
        // Without a value, it says which way to change it.
        (b"-N" | b"-A" | b"-n" | b"-AL" | b"-qn" | b"-M" | b"-e" | b"-C", None) => false,
        (b"--nonmoving-gc", _) => flags.nonmoving,
        (b"-I", Some(0)) => flags.given(b"-I") == Some(Some(0)),
        (name, Some(value)) => flags.given(name).flatten().is_some_and(|given| given >= value),
        (name, None) => flags.given(name).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::testing::{MS, Play, finding};

    const ADVICE: &str = "`-A64m`: a larger allocation area; `-qg`, or less; a larger `-A`; `-qn4` for collections";

    fn of(args: &str, area: u64) -> String {
        let play = Play::caps(2).args(args).heap_info(area, 0).run(0, 7, MS);
        crate::findings::testing::asked(play, |of| new_to(ADVICE, of))
    }

    #[test]
    fn what_the_program_was_run_with_is_left_out() {
        assert_eq!(of("prog +RTS -l", 1 << 20), ADVICE);
        assert_eq!(of("prog +RTS -l", 64 << 20), ADVICE.split_once("; ").unwrap().1);
        assert_eq!(of("prog +RTS -qg -A128m", 128 << 20), "a larger `-A`");
        assert_eq!(
            of("prog +RTS -qn2 -l", 1 << 20),
            "`-A64m`: a larger allocation area; `-qg`, or less; a larger `-A`"
        );
        // Arguments of the program are none of its runtime.
        assert_eq!(of("prog -qg", 1 << 20), ADVICE);
    }

    #[test]
    fn a_rule_does_not_advise_what_was_done() {
        let remedy = |args: &str, area: u64| {
            let play = Play::caps(1).args(args).heap_info(area, 0);
            finding("gc-share", play.each(20, |play| play.run(0, 7, 5 * MS).collect(0, 5 * MS))).remedy
        };
        assert!(remedy("prog +RTS -l", 1 << 20).contains("-A64m"));
        assert!(!remedy("prog +RTS -A64m -l", 64 << 20).contains("-A64m"));
    }
}
