//! The command line's words: a log without a command, `--quiet`, completions and manual pages.

#![allow(clippy::unwrap_used, reason = "that is how tests fail")]

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ghc-eventlog"))
}

fn run(arguments: &[&str], log: &str) -> Output {
    program().args(arguments).arg(case(log)).output().unwrap()
}

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(name).join("log.eventlog")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_log_alone_is_summed_up() {
    let log = case("threaded");
    for options in [&[][..], &["--json"], &["--markdown", "--top", "3"]] {
        let expected = program().arg("summary").arg(&log).args(options).output().unwrap();
        assert!(expected.status.success());
        for first in [&[][..], &["-q"]] {
            let output = program().args(first).arg(&log).args(options).output().unwrap();
            assert!(output == expected, "{output:?}");
        }
    }
    let piped = program().arg("-").stdin(File::open(&log).unwrap()).output().unwrap();
    assert!(piped.status.success() && text(&piped.stdout).starts_with("-\n"), "{piped:?}");
}

#[test]
fn what_is_neither_a_command_nor_a_file_is_refused_with_help() {
    for (word, tip) in [
        ("shwo", "a similar subcommand exists: 'show'"),
        ("run.eventlog", "there is no such file"),
        ("run", "no file of the name"),
    ] {
        let output = program().arg(word).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let errors = text(&output.stderr);
        assert!(errors.contains(word) && errors.contains(tip), "{errors}");
    }
}

#[test]
fn a_command_wins_over_a_file_of_its_name() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(case("threaded"), folder.path().join("licences")).unwrap();
    let said = |word: &str| text(&program().arg(word).current_dir(folder.path()).output().unwrap().stdout);
    assert!(said("licences").starts_with("ghc-eventlog "));
    assert!(said("./licences").starts_with("./licences\n"));
}

#[test]
fn quiet_leaves_out_what_the_exit_code_does_not_depend_on() {
    for (log, options, said) in [
        // Mended parts are reported, but are no loss.
        ("malformed-09-first-mark-damaged", &[][..], false),
        ("cut-in-event", &["--lenient"], false),
        ("cut-in-event", &[], true),
        ("torn", &["--lenient"], true),
    ] {
        for command in ["show", "inc", "summary"] {
            let arguments = [&[command], options].concat();
            let loud = run(&arguments, log);
            let quiet = run(&[&arguments[..], &["--quiet"]].concat(), log);
            assert!(!loud.stderr.is_empty(), "{log}: {arguments:?}");
            assert_eq!((loud.status, &loud.stdout), (quiet.status, &quiet.stdout), "{log}: {arguments:?}");
            let expected = if said { text(&loud.stderr) } else { String::new() };
            assert_eq!(text(&quiet.stderr), expected, "{log}: {arguments:?}");
        }
    }
    let missing = program().args(["-q", "show", "no-such-file"]).output().unwrap();
    assert!(missing.status.code() == Some(2) && !missing.stderr.is_empty());
}

const COMMANDS: [&str; 8] = ["show", "find", "inc", "check", "summary", "report", "export", "licences"];

#[test]
fn completions_know_the_commands_and_their_options() {
    for shell in ["bash", "zsh", "fish"] {
        let output = program().args(["generate", "completions", shell]).output().unwrap();
        assert!(output.status.success());
        let script = text(&output.stdout);
        for word in COMMANDS.iter().chain(&["span-words", "quiet", "speedscope"]) {
            assert!(script.contains(word), "{shell}: {word}");
        }
        assert!(!script.contains("generate"), "{shell}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let man = folder.path().join("man");
    assert!(program().args(["generate", "man"]).arg(&man).status().unwrap().success());
    let mut pages: Vec<String> =
        fs::read_dir(&man).unwrap().map(|page| page.unwrap().file_name().into_string().unwrap()).collect();
    pages.sort();
    let mut expected = vec!["ghc-eventlog.1".to_string()];
    expected.extend(COMMANDS.map(|command| format!("ghc-eventlog-{command}.1")));
    expected.sort();
    assert_eq!(pages, expected);
    let summary = fs::read_to_string(man.join("ghc-eventlog-summary.1")).unwrap();
    assert!(summary.contains("range") && summary.contains("Exit codes"), "{summary}");
    let output = program().args(["generate", "man", "/dev/null/man"]).output().unwrap();
    assert!(!output.status.success() && text(&output.stderr).contains("cannot write into"), "{output:?}");
}
