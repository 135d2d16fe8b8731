//! What findings advise: nothing that the program was run with.

use conformance::{files, model_in_steps, project, replay};
use std::fs;

/// A flag without its number, and the number: `-A64m` is `-A` and 64 MiB.
fn parts(flag: &str) -> (&str, f64) {
    let (name, number) = flag.split_at(flag.find(|letter: char| letter.is_ascii_digit()).unwrap_or(flag.len()));
    let unit = match number.to_lowercase().chars().last() {
        Some('k') => 1024.0,
        Some('m') => 1024.0 * 1024.0,
        Some('g') => 1024.0 * 1024.0 * 1024.0,
        _ => 1.0,
    };
    (name, number.trim_end_matches(|letter: char| letter.is_alphabetic()).parse::<f64>().unwrap_or(0.0) * unit)
}

#[test]
fn no_finding_of_the_corpus_advises_what_the_program_was_run_with() {
    // Without a number, the former say which way to change them. Of the latter, less is more of it.
    let (ways, less) = (["-N", "-A", "-n", "-AL", "-qn", "-M", "-e", "-C", "-h"], ["-N", "-qn", "-Fd"]);
    let (mut wrong, mut advised) = (Vec::new(), 0);
    for path in files(&project().join("tests/corpus"), ".eventlog") {
        let log = fs::read(&path).unwrap();
        let mut model = model_in_steps(&log, 1 << 20);
        replay(&mut model, &log);
        let args: Vec<String> = model.process().args.iter().map(|arg| arg.for_json().to_string()).collect();
        let given: Vec<&str> = args.iter().map(|arg| &**arg).skip_while(|arg| *arg != "+RTS").collect();
        for finding in model.findings().list {
            let code = finding.remedy.split('`').skip(1).step_by(2).filter(|code| code.starts_with('-'));
            for flag in code.flat_map(str::split_whitespace) {
                advised += 1;
                let (name, number) = parts(flag);
                let had = given.iter().rev().map(|given| parts(given)).find(|(given, _)| *given == name);
                let is_had =
                    had.is_some_and(|(_, had)| if less.contains(&name) { had <= number } else { had >= number });
                if is_had && !(ways.contains(&name) && flag == name) {
                    wrong.push(format!("{}: {}: {flag} in {given:?}", path.display(), finding.id));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(advised > 50, "{advised}");
}
