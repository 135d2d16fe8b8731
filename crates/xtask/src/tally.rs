//! Adds up what the test runners report.

use std::fmt;
use std::ops::AddAssign;

/// How many tests passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

impl Tally {
    /// One check that passed: formatting, lints, a build.
    pub(crate) const PASS: Tally = Tally { passed: 1, failed: 0 };
    /// One check that failed.
    pub(crate) const FAIL: Tally = Tally { passed: 0, failed: 1 };

    /// A check that failed; prints why.
    pub(crate) fn of_error(why: anyhow::Error) -> Tally {
        eprintln!("error: {why:#}");
        Tally::FAIL
    }

    /// Reads the closing line of one of our own suites: `1531 passed, 0 failed`.
    pub(crate) fn of_sum(line: &str) -> Option<Tally> {
        let (passed, failed) = line.split_once(" passed, ")?;
        let failed = failed.strip_suffix(" failed")?;
        Some(Tally { passed: passed.parse().ok()?, failed: failed.parse().ok()? })
    }

    /// Reads one line of a runner's output; most lines add nothing.
    ///
    /// cargo and wasm-bindgen print `test result: ok. 3 passed; 1 failed; …`. Node prints `ℹ pass 3` or `# pass 3`, and
    /// the same with `fail` and `cancelled`.
    pub(crate) fn of_line(line: &str) -> Tally {
        if let Some(counts) = line.trim().strip_prefix("test result: ") {
            return of_rust(counts);
        }
        let words: Vec<_> = line.split_whitespace().collect();
        let [mark, what, count] = words[..] else { return Tally::default() };
        let Ok(count) = count.parse() else { return Tally::default() };
        match (mark, what) {
            ("ℹ" | "#", "pass") => Tally { passed: count, failed: 0 },
            ("ℹ" | "#", "fail" | "cancelled") => Tally { passed: 0, failed: count },
            _ => Tally::default(),
        }
    }
}

fn of_rust(counts: &str) -> Tally {
    let count = |what| {
        let (before, _) = counts.split_once(what)?;
        before.split_whitespace().next_back()?.parse().ok()
    };
    Tally { passed: count(" passed").unwrap_or(0), failed: count(" failed").unwrap_or(0) }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    fn of(lines: &[&str]) -> (usize, usize) {
        let mut tally = Tally::default();
        for line in lines {
            tally += Tally::of_line(line);
        }
        (tally.passed, tally.failed)
    }

    #[test]
    fn reads_cargo_test_and_wasm_bindgen_test() {
        let ok = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out";
        let bad = "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 filtered out; finished in 0.01s";
        assert_eq!(of(&["running 12 tests", "test a ... ok", ok, "", bad]), (13, 2));
    }

    #[test]
    fn reads_both_reporters_of_node() {
        assert_eq!(of(&["ℹ tests 4", "ℹ pass 3", "ℹ fail 1", "ℹ cancelled 0"]), (3, 1));
        assert_eq!(of(&["# tests 4", "# pass 2", "# fail 0", "# cancelled 2"]), (2, 2));
    }

    #[test]
    fn takes_nothing_from_other_lines() {
        assert_eq!(of(&["# pass over 3", "12 passed", "ℹ duration_ms 4", "ℹ pass many"]), (0, 0));
    }

    #[test]
    fn closing_line_is_exact() {
        assert_eq!(Tally { passed: 5, failed: 0 }.to_string(), "5 passed, 0 failed");
    }
}
