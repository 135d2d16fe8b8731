//! Prints the failures again at the end of a run: often only the end of a long log is kept, and people look there
//! first.

/// The most lines of one step: the first ones, which name what failed first.
const LINES: usize = 120;

/// The lines of a step that show what failed and why: the summaries in which cargo's and Node's test runners repeat
/// their failures, or the last lines of a program without such a summary.
pub(super) fn failures(lines: &[String]) -> Vec<&str> {
    let mut told = Vec::new();
    let mut inside = false;
    for line in lines.iter().map(String::as_str) {
        let text = line.trim();
        // Cargo: from "failures:" to "test result: …", without the list of names in between. Node: from here to the
        // end.
        if text == "failures:" || text == "✖ failing tests:" {
            inside = true;
        } else if text.starts_with("test result: ") {
            inside = false;
        }
        // Stack frames within a test runner or a browser's driver do not help.
        let noise =
            text.is_empty() || text.starts_with("at ") && (text.contains("node:") || text.contains("node_modules"));
        if inside && !noise {
            told.push(line);
        }
    }
    if told.is_empty() {
        let last = lines.len().saturating_sub(LINES / 3);
        told.extend(lines.iter().skip(last).map(String::as_str));
    }
    told.truncate(LINES);
    told
}

#[cfg(test)]
mod tests {
    use super::failures;

    fn of(text: &str) -> Vec<String> {
        let lines: Vec<_> = text.lines().map(str::to_owned).collect();
        failures(&lines).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn cargos_failures_are_printed_with_their_messages() {
        let told = of(
            "test a ... ok\ntest b ... FAILED\n\nfailures:\n\n---- b stdout ----\nassertion failed\n\nfailures:\n    b\n\n\
             test result: FAILED. 1 passed; 1 failed;\nrunning 2 tests",
        );
        assert_eq!(told, ["failures:", "---- b stdout ----", "assertion failed", "failures:", "    b"]);
    }

    #[test]
    fn nodes_failures_are_printed_without_the_runners_own_frames() {
        let told =
            of("✔ good\nℹ fail 1\n\n✖ failing tests:\n\ntest at x.test.js:3:1\n✖ a row (4 ms)\n  1 !== 2\n      \
             at f (x.test.js:4:2)\n      at run (node:internal/test:1:1)");
        let all =
            ["✖ failing tests:", "test at x.test.js:3:1", "✖ a row (4 ms)", "  1 !== 2", "      at f (x.test.js:4:2)"];
        assert_eq!(told, all);
    }

    #[test]
    fn for_a_program_without_a_summary_the_last_lines_are_printed() {
        assert_eq!(of("error: unused\nerror: could not compile"), ["error: unused", "error: could not compile"]);
    }
}
