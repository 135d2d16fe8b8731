//! Advice without what the program does already.

use super::asked::Asked;
use crate::keeping::rts_flags::{GivenFlag, TraceClass};
use alloc::{string::String, vec::Vec};

/// What comes between the parts of an advice that may be tried by themselves.
const BETWEEN: &str = "; ";

/// What comes between wordings of a part.
const OR_ELSE: char = '|';

/// The parts of an advice: of each the first wording without a flag that the program was run with, if there is one.
pub(super) fn new_to(advice: &str, of: &Asked<'_>) -> String {
    each_part(advice, |wording| !flags_in(wording).any(|flag| has(of, flag)))
}

/// The same for a program of which nothing is known.
pub(super) fn first_wordings(advice: &str) -> String {
    each_part(advice, |_| true)
}

fn each_part(advice: &str, is_new: impl Fn(&str) -> bool) -> String {
    let new_wording = |part| str::split(part, OR_ELSE).find(|wording| is_new(wording));
    let parts: Vec<&str> = advice.split(BETWEEN).filter_map(new_wording).collect();
    parts.join(BETWEEN)
}

/// The flags in backticks. A command in them is none.
fn flags_in(wording: &str) -> impl Iterator<Item = GivenFlag> {
    let code = wording.split('`').skip(1).step_by(2).filter(|code| code.starts_with('-'));
    code.flat_map(str::split_whitespace).filter_map(|word| GivenFlag::of(word.as_bytes()))
}

/// Whether the program was run with a flag, or with more of what it asks for.
fn has(of: &Asked<'_>, flag: GivenFlag) -> bool {
    let flags = of.flags();
    let (caps, area) = (of.facts.caps.count, of.facts.process.alloc_area);
    let given = |name: &[u8]| flags.given(name).flatten();
    let logs = |class| flags.logs(class);
    match (flag.name(), flag.value) {
        (b"-N", Some(wanted)) => caps == wanted,
        // The log has it, wherever it was set.
        (b"-A", Some(wanted)) => area.max(given(b"-A")) >= Some(wanted),
        // With large areas there are chunks by default.
        (b"-n", Some(_)) => given(b"-n").map_or(area >= Some(16 << 20), |chunk| chunk > 0),
        // Fewer threads are more of it; without parallel collections there is one, and by default one for each capability.
        (b"-qn", Some(threads)) => {
            flags.given(b"-qg").is_some() || given(b"-qn").is_some_and(|given| given <= threads) || caps <= threads
        }
        (b"-qg", None) => flags.given(b"-qg").is_some() || given(b"-qn") == Some(1),
        // Without a value, it says which way to change it.
        (b"-N" | b"-A" | b"-n" | b"-AL" | b"-qn" | b"-M" | b"-e" | b"-C" | b"-h", None) => false,
        (b"--nonmoving-gc", _) => flags.nonmoving || of.facts.nonmoving.marks > Some(0),
        (b"-I", Some(0)) => flags.given(b"-I") == Some(Some(0)),
        // Whatever a profile is by, it shows what is kept; it is in the log wherever it was asked for.
        ([b'-', b'h', _], None) => flags.given(flag.name()).is_some() || of.facts.heap_profile.censuses > Some(0),
        (b"-l-au", None) => {
            let rest = [TraceClass::Scheduler, TraceClass::Collections, TraceClass::Sparks];
            logs(TraceClass::User) == Some(true) && rest.into_iter().all(|class| logs(class) == Some(false))
        }
        (b"-l-p", None) => logs(TraceClass::Sparks) == Some(false),
        // Of these, less is more of it.
        (name @ (b"-Fd" | b"--eventlog-flush-interval="), Some(value)) => {
            given(name).is_some_and(|given| given <= value)
        }
        (name, Some(value)) => given(name).is_some_and(|given| given >= value),
        (name, None) => flags.given(name).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{
        rules::advices,
        testing::{MS, Play, asked, finding},
    };
    use alloc::{format, vec};

    const ADVICE: &str = "`-A64m`: a larger allocation area; `-qg`, or less; a larger `-A`; `-qn4` for collections";

    fn of(args: &str, area: u64) -> String {
        let play = (0..8).fold(Play::caps(8).args(args).heap_info(area, 0), |play, cap| play.run(cap, 7, MS));
        asked(play, |of| new_to(ADVICE, of))
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

    /// With each of the flags that rules advise, with more of it, with two of them, and with all.
    #[test]
    fn no_rule_advises_what_the_program_was_run_with() {
        let all = || advices().flat_map(|advice| advice.split(['|', ';'])).flat_map(flags_in);
        let name = |flag: &GivenFlag| String::from_utf8(flag.name().into()).unwrap();
        let mut flags: Vec<String> = Vec::new();
        // Those without a value say which way to change them.
        let ways = ["-N", "-A", "-n", "-AL", "-qn", "-M", "-e", "-C", "-h"];
        for flag in all().filter(|flag| flag.value.is_some() || !ways.contains(&&*name(flag))) {
            let more = |value| match &*name(&flag) {
                "-qn" | "-Fd" | "--eventlog-flush-interval=" | "-I" | "-N" => value,
                _ => 2 * value,
            };
            let values = flag.value.into_iter().flat_map(|value| [value, more(value)]);
            flags.extend(values.map(|value| format!("{}{value}", name(&flag))));
            flags.extend(flag.value.is_none().then(|| name(&flag)));
        }
        assert!(flags.len() > 20, "{flags:?}");
        let singles = flags.iter().map(|flag| vec![flag]);
        let pairs = flags.iter().zip(flags.iter().cycle().skip(3)).map(|(one, other)| vec![one, other]);
        for given in singles.chain(pairs).chain([flags.iter().collect()]) {
            let line = given.iter().fold(String::from("prog +RTS"), |line, flag| format!("{line} {flag}"));
            let caps = if given.iter().any(|flag| *flag == "-N1") { 1 } else { 16 };
            let play = Play::caps(caps).args(&line);
            let play = (0..caps).fold(play, |play, cap| play.run(cap, 7 + cap as u64, MS));
            let advice: Vec<String> = asked(play, |of| advices().map(|advice| new_to(advice, of)).collect());
            // The last one counts, of all those that begin with -l.
            let is_of = |name: &[u8]| if name.starts_with(b"-l") { b"-l".to_vec() } else { name.to_vec() };
            let last = |flag: &GivenFlag| {
                let mut given = given.iter().rev().filter_map(|given| GivenFlag::of(given.as_bytes()));
                given
                    .find(|given| is_of(given.name()) == is_of(flag.name()))
                    .filter(|given| given.name() == flag.name())
            };
            for advice in advice {
                for flag in flags_in(&advice) {
                    // Of some, less is more of it.
                    let is_less = last(&flag).is_none_or(|given| match &*name(&flag) {
                        "-qn" | "-Fd" | "--eventlog-flush-interval=" => given.value > flag.value,
                        _ => given.value < flag.value,
                    });
                    assert!(is_less || ways.contains(&&*name(&flag)) && flag.value.is_none(), "{line}: {advice}");
                }
            }
        }
    }

    #[test]
    fn another_wording_takes_the_place_of_what_is_known() {
        let advice = "`-A64m -n4m`|`-A64m`; more (`-hT`, `-hi`)|look; `-h` away; `stack exec prog -- +RTS -l`";
        let of = |args: &str| asked(Play::caps(2).args(args).run(0, 7, MS), |of| new_to(advice, of));
        assert_eq!(of("prog +RTS -l"), first_wordings(advice));
        assert_eq!(
            first_wordings(advice),
            "`-A64m -n4m`; more (`-hT`, `-hi`); `-h` away; `stack exec prog -- +RTS -l`"
        );
        assert_eq!(of("prog +RTS -n2m -h -l"), "`-A64m`; more (`-hT`, `-hi`); `-h` away; `stack exec prog -- +RTS -l`");
        assert_eq!(of("prog +RTS -A1g -hi"), "look; `-h` away; `stack exec prog -- +RTS -l`");
    }

    /// What the log has was asked for, as in GHCRTS.
    #[test]
    fn what_the_log_has_is_not_advised() {
        let of = |play: Play| asked(play.run(0, 7, MS), |of| new_to("`-hT`; `-hi`; `--nonmoving-gc`; `-n4m`", of));
        let census = |play: Play, breakdown: u64| {
            let play = play.event(0, "HEAP_PROF_BEGIN", &[("profile", 0), ("period", 1), ("breakdown", breakdown)]);
            play.event(0, "HEAP_PROF_SAMPLE_BEGIN", &[("number", 0)]).event(0, "HEAP_PROF_SAMPLE_END", &[("number", 0)])
        };
        // Whatever it is by: cost centres, closure types, info tables.
        for breakdown in [1, 7, 8] {
            assert_eq!(of(census(Play::caps(1), breakdown)), "`--nonmoving-gc`; `-n4m`");
            let kept = advices().map(|advice| asked(census(Play::caps(1), breakdown), |of| new_to(advice, of)));
            assert!(kept.into_iter().all(|advice| !advice.contains("`-hT`")), "{breakdown}");
        }
        let marks = |play: Play| play.event(0, "CONC_MARK_BEGIN", &[]).event(0, "CONC_MARK_END", &[("marked", 1)]);
        assert_eq!(of(marks(Play::caps(1))), "`-hT`; `-hi`; `-n4m`");
        assert_eq!(of(Play::caps(1).heap_info(16 << 20, 0)), "`-hT`; `-hi`; `--nonmoving-gc`");
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
