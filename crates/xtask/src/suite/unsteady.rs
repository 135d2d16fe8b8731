//! Tests in a browser that fail once and pass when they are repeated.
//!
//! Some eight hundred of them run beside compilers and another browser. One that waits for the wrong sign fails about
//! once in a thousand times, and then says nothing about the change that is tested. So the few that failed are repeated,
//! alone; those that pass are named at the end of the run, since a test that waits for the wrong sign has to be mended,
//! and a page that breaks now and then even more so.

use std::collections::BTreeMap;

/// If more tests than this have failed, that was not by chance.
const MOST: usize = 3;

/// The beginning of the line that names a test which has passed only when it was repeated.
pub(super) const UNSTEADY: &str = "Passed only when repeated: ";

/// The files of the tests that failed, relative to the root, with the tests' names; nothing if they should not be
/// repeated: they are too many, or a file as a whole has failed.
pub(super) fn to_repeat(lines: &[String]) -> BTreeMap<String, Vec<String>> {
    let mut failed = BTreeMap::<_, Vec<_>>::new();
    let summary = lines.iter().skip_while(|line| line.trim() != "✖ failing tests:");
    let mut place = None;
    for line in summary.skip(1) {
        if let Some(at) = line.strip_prefix("test at ") {
            // The file, the line and the column.
            place = at.rsplitn(3, ':').last();
            continue;
        }
        let name = line.strip_prefix("✖ ").and_then(|told| Some(told.rsplit_once(" (")?.0));
        if let (Some(name), Some(file)) = (name, place.take()) {
            failed.entry(file.to_owned()).or_default().push(name.to_owned());
        }
    }
    let mut names = failed.values().flatten();
    if names.clone().count() > MOST || names.any(|name| name.ends_with(".test.js")) { BTreeMap::new() } else { failed }
}

/// A pattern that only this name matches, in JavaScript's notation.
pub(super) fn exactly(name: &str) -> String {
    let mut pattern = String::from("^");
    for character in name.chars() {
        if "\\^$.*+?()[]{}|/".contains(character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern + "$"
}

#[cfg(test)]
mod tests {
    use super::{exactly, to_repeat};

    fn of(text: &str) -> Vec<(String, Vec<String>)> {
        let lines: Vec<_> = text.lines().map(str::to_owned).collect();
        to_repeat(&lines).into_iter().collect()
    }

    #[test]
    fn failed_tests_are_repeated_by_file() {
        let told = "✖ b (1 ms)\nℹ fail 3\n\n✖ failing tests:\n\ntest at t/x.test.js:113:1\n✖ b (and c) (70571.7ms)\n  Error: \
                    waited\n      at f (x.js:1:2)\n\ntest at t/y.test.js:3:1\n✖ d (1ms)\n\ntest at t/x.test.js:9:1\n✖ e (1ms)";
        let of_x = ("t/x.test.js".to_owned(), vec!["b (and c)".to_owned(), "e".to_owned()]);
        assert_eq!(of(told), [of_x, ("t/y.test.js".to_owned(), vec!["d".to_owned()])]);
    }

    #[test]
    fn many_failures_and_whole_files_are_not_repeated() {
        let one = "test at x.test.js:1:1\n✖ a (1ms)\n";
        assert_eq!(of(&format!("✖ failing tests:\n{}", one.repeat(3))).len(), 1);
        assert_eq!(of(&format!("✖ failing tests:\n{}", one.repeat(4))).len(), 0);
        assert_eq!(of("✖ failing tests:\ntest at x.test.js:1:1\n✖ tests/browser/x.test.js (1200000ms)").len(), 0);
        assert_eq!(of("✔ a (1 ms)\nℹ fail 0").len(), 0);
    }

    #[test]
    fn patterns_match_one_name_only() {
        assert_eq!(exactly("a (b) of 3.5 $"), r"^a \(b\) of 3\.5 \$$");
    }
}
