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

/// The files of the tests that failed, with the tests' names; nothing if they should not be repeated: they are too many, or a file as a
/// whole has failed.
pub(super) fn to_repeat(lines: &[String]) -> BTreeMap<String, Vec<String>> {
    let mut failed = BTreeMap::<_, Vec<_>>::new();
    let summary: Vec<&str> =
        lines.iter().map(String::as_str).skip_while(|line| line.trim() != "✖ failing tests:").collect();
    let begins = |line: &&str| line.starts_with(AT);
    let from = summary.iter().position(begins).unwrap_or(summary.len());
    for told in summary.get(from..).unwrap_or_default().chunk_by(|_, next| !begins(next)) {
        let name = told.iter().find_map(|line| Some(line.strip_prefix("✖ ")?.rsplit_once(" (")?.0));
        // Most tests are begun by a helper, which is where they are said to be; their own file is in what they failed with.
        let file = told.iter().find_map(|line| test_file(line));
        let (Some(name), Some(file)) = (name, file) else { return BTreeMap::new() };
        failed.entry(file.to_owned()).or_default().push(name.to_owned());
    }
    let mut names = failed.values().flatten();
    if names.clone().count() > MOST || names.any(|name| name.ends_with(TEST)) { BTreeMap::new() } else { failed }
}

/// The beginning of the line that says where a test that failed is.
const AT: &str = "test at ";

/// How files of tests are called.
const TEST: &str = ".test.js";

/// The file of tests that a line names, as it names it.
fn test_file(line: &str) -> Option<&str> {
    let (before, _) = line.split_once(TEST)?;
    let from = before.rfind([' ', '(']).map_or(0, |at| at + 1);
    let path = line.get(from..before.len() + TEST.len())?;
    Some(path.strip_prefix("file://").unwrap_or(path))
}

/// Whether a test passed, by the lines of a run.
pub(super) fn has_passed(name: &str, lines: &[String]) -> bool {
    let is_its = |line: &String| line.strip_prefix("✔ ").and_then(|told| Some(told.rsplit_once(" (")?.0)) == Some(name);
    lines.iter().any(is_its)
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
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    fn of(text: &str) -> Vec<(String, Vec<String>)> {
        to_repeat(&lines(text)).into_iter().collect()
    }

    #[test]
    fn failed_tests_are_repeated_by_file() {
        let told = "✖ b (1 ms)\nℹ fail 3\n\n✖ failing tests:\n\ntest at t/x.test.js:113:1\n✖ b (and c) (70571.7ms)\n  Error: \
                    waited\n      at f (x.js:1:2)\n\ntest at t/y.test.js:3:1\n✖ d (1ms)\n\ntest at t/x.test.js:9:1\n✖ e (1ms)";
        let of_x = ("t/x.test.js".to_owned(), vec!["b (and c)".to_owned(), "e".to_owned()]);
        assert_eq!(of(told), [of_x, ("t/y.test.js".to_owned(), vec!["d".to_owned()])]);
    }

    #[test]
    fn the_file_of_a_test_that_a_helper_begins_is_in_its_failure() {
        let begun = "✖ failing tests:\n\ntest at t/support/page.js:77:5\n✖ a (1651.3ms)\n  TypeError [Error]: no\n";
        let its = [("/c/t/x.test.js".to_owned(), vec!["a".to_owned()])];
        assert_eq!(of(&format!("{begun}  In /c/t/x.test.js. The page: ready")), its);
        assert_eq!(of(&format!("{begun}      at async file:///c/t/x.test.js:215:97")), its);
        assert_eq!(of(&format!("{begun}      at f (file:///c/t/x.test.js:215:97)")), its);
        assert_eq!(of(begun), [], "it can't be repeated");
    }

    #[test]
    fn many_failures_and_whole_files_are_not_repeated() {
        let one = "test at x.test.js:1:1\n✖ a (1ms)\n";
        assert_eq!(of(&format!("✖ failing tests:\n{}", one.repeat(3))).len(), 1);
        assert_eq!(of(&format!("✖ failing tests:\n{}", one.repeat(4))).len(), 0);
        assert_eq!(of("✖ failing tests:\ntest at x.test.js:1:1\n✖ tests/browser/x.test.js (1200000ms)").len(), 0);
        assert_eq!(of("✔ a (1 ms)\nℹ fail 0").len(), 0);
    }

    /// A file without that test passes, too.
    #[test]
    fn only_a_line_of_its_own_says_that_a_test_has_passed() {
        let has = |text| has_passed("a (b)", &lines(text));
        assert!(has("✔ a (b) (3.1ms)\nℹ pass 1"));
        assert!(!has("✔ tests/a.test.js (3.1ms)\n✔ a (3.1ms)\n﹣ a (b) (1ms) # test name does not match\nℹ pass 1"));
    }

    #[test]
    fn patterns_match_one_name_only() {
        assert_eq!(exactly("a (b) of 3.5 $"), r"^a \(b\) of 3\.5 \$$");
    }
}
