//! Reads the command line: a log without a command is summed up, and options of `find` may come after its log.

use crate::arguments::Arguments;
use clap::{
    Command, CommandFactory, Error, Parser,
    builder::StyledStr,
    error::{ContextKind, ContextValue, ErrorKind},
};
use std::{
    env,
    ffi::{OsStr, OsString},
    path::Path,
};

/// The program's arguments. Ends the program if it does not know them.
pub(crate) fn arguments() -> Arguments {
    let program = Arguments::command();
    let words = of_a_command(&program, env::args_os().collect(), |word| Path::new(word).exists());
    let words = options_of_find_first(&program, words);
    Arguments::try_parse_from(words).unwrap_or_else(|error| about_files_too(error).exit())
}

/// Puts `summary` before a log that has no command. If a file has the name of a command, the command is meant.
fn of_a_command(program: &Command, mut words: Vec<OsString>, is_there: impl Fn(&OsStr) -> bool) -> Vec<OsString> {
    let own = |word: &OsString| word == "-q" || word == "--quiet";
    let Some(at) = words.iter().skip(1).position(|word| !own(word)).map(|at| at + 1) else { return words };
    let is_log = words.get(at).is_some_and(|word| {
        let is_command = word == "help" || program.find_subcommand(word).is_some();
        let is_option = word != "-" && word.as_encoded_bytes().starts_with(b"-");
        // No command has such a character: of a file that is not there, that is said.
        let is_name = word.as_encoded_bytes().iter().any(|byte| matches!(byte, b'.' | b'/' | b'\\'));
        !is_command && !is_option && (word == "-" || is_name || is_there(word))
    });
    if is_log {
        words.insert(at, "summary".into());
    }
    words
}

/// Moves options of `find` that come after its log before it: a query takes all words after the log, also those with a minus, and would
/// take `--count` for a text that must not occur. What comes after `--` is the query's.
fn options_of_find_first(program: &Command, mut words: Vec<OsString>) -> Vec<OsString> {
    let Some(find) = program.find_subcommand("find") else { return words };
    // Before the command, there are only options.
    let is_option = |word: &OsString| word.as_encoded_bytes().starts_with(b"-");
    let Some(command) = words.iter().skip(1).position(|word| !is_option(word)).map(|at| at + 1) else { return words };
    if words.get(command).is_none_or(|word| word != "find") {
        return words;
    }
    let mut rest = words.split_off(command + 1).into_iter();
    let mut others = Vec::new();
    while let Some(word) = rest.next() {
        if word == "--" {
            others.push(word);
            others.extend(rest);
            break;
        }
        let (name, has_value) = match word.to_str().and_then(|word| word.strip_prefix("--")) {
            Some(name) => name.split_once('=').map_or((name, false), |(name, _)| (name, true)),
            None => ("", false),
        };
        let known = find.get_arguments().find(|option| option.get_long().is_some_and(|long| long == name));
        match known {
            None if matches!(name, "quiet" | "help") => words.push(word),
            None => others.push(word),
            Some(option) => {
                words.push(word);
                let takes_value = option.get_action().takes_values() && !has_value;
                words.extend(if takes_value { rest.next() } else { None });
            }
        }
    }
    words.extend(others);
    words
}

/// Adds to the error that an unknown command may have been meant as a log.
fn about_files_too(mut error: Error) -> Error {
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
    {
        let tip = StyledStr::from(format!("there is no file of the name '{}' either", word.escape_debug()));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "that is how tests fail")]
mod tests {
    use super::*;

    fn read(line: &str) -> String {
        let words = line.split(' ').map(OsString::from).collect();
        let is_there = |word: &OsStr| ["run.eventlog", "show", "-q"].iter().any(|file| word == *file);
        let read = of_a_command(&Arguments::command(), words, is_there);
        read.join(OsStr::new(" ")).into_string().unwrap()
    }

    #[test]
    fn a_file_alone_is_summed_up() {
        assert_eq!(read("ghc-eventlog run.eventlog --json"), "ghc-eventlog summary run.eventlog --json");
        assert_eq!(read("ghc-eventlog -q run.eventlog"), "ghc-eventlog -q summary run.eventlog");
        assert_eq!(read("ghc-eventlog -"), "ghc-eventlog summary -");
        // What is said then is that there is no such file.
        for name in ["no.eventlog", "./no", "logs/no"] {
            assert_eq!(read(&format!("ghc-eventlog {name}")), format!("ghc-eventlog summary {name}"));
        }
    }

    #[test]
    fn other_arguments_are_unchanged() {
        for line in [
            "ghc-eventlog",
            "ghc-eventlog -q",
            "ghc-eventlog --quiet --version",
            "ghc-eventlog show run.eventlog",
            "ghc-eventlog show",
            "ghc-eventlog help",
            "ghc-eventlog shwo",
        ] {
            assert_eq!(read(line), line);
        }
    }

    fn find(line: &str) -> String {
        let words = line.split(' ').map(OsString::from).collect();
        options_of_find_first(&Arguments::command(), words).join(OsStr::new(" ")).into_string().unwrap()
    }

    #[test]
    fn options_of_find_may_come_last() {
        for (line, expected) in [
            ("e find run.eventlog type:GC --count", "e find --count run.eventlog type:GC"),
            ("e -q find --lenient a.log x --json", "e -q find --lenient --json a.log x"),
            ("e find a.log --range 1s..2s x --entry=b", "e find --range 1s..2s --entry=b a.log x"),
            ("e find a.log -x --y --quiet", "e find --quiet a.log -x --y"),
            ("e find a.log -- --count", "e find a.log -- --count"),
            ("e show a.log --where find", "e show a.log --where find"),
            ("e find a.log x --range", "e find --range a.log x"),
        ] {
            assert_eq!(find(line), expected);
        }
    }

    #[test]
    fn arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
