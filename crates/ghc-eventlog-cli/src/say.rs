//! Messages on standard error, and how file names are written in them.

use crate::progress;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use ghc_eventlog_text::LogText;
use std::{
    ffi::OsStr,
    fmt::Display,
    io::{self, ErrorKind, Write},
};

/// The same style as in clap's help.
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// Writes a line on standard error: what is wrong with `what`.
pub(crate) fn error(what: &str, error: impl Display) {
    say(|colours| format!("{} {error}", painted(format_args!("{what}:"), ERROR, colours)));
}

/// Writes a line on standard error: what is worth knowing about `what`.
pub(crate) fn warning(what: &str, text: impl Display) {
    say(|colours| format!("{what}: {} {text}", painted("warning:", WARNING, colours)));
}

/// Writes a line on standard error, in colours if it supports them. If standard error is closed or full, the message is
/// lost and the work continues.
fn say(line: impl FnOnce(bool) -> String) {
    // Written at once, so that lines of several programs do not mix.
    let line = line(has_colours(&io::stderr())) + "\n";
    progress::above(|| _ = io::stderr().write_all(line.as_bytes()));
}

/// Whether to write colours to it: yes on terminals, unless NO_COLOR or similar variables say no.
pub(crate) fn has_colours(stream: &impl anstream::stream::RawStream) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}

/// A text in a style if `colours`, otherwise plain.
fn painted(text: impl Display, style: Style, colours: bool) -> String {
    let style = if colours { style } else { Style::new() };
    format!("{style}{text}{style:#}")
}

/// A file's name for people. Bytes that are not text, and characters that control a terminal, are escaped.
pub(crate) fn shown(name: &OsStr) -> String {
    LogText::of_bytes(name.as_encoded_bytes()).for_terminal()
}

/// An error in plain words, without the system's numbers.
pub(crate) fn plainly(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound if error.raw_os_error().is_some() => "there is no such file".to_string(),
        ErrorKind::PermissionDenied if error.raw_os_error().is_some() => {
            "you have no permission to read it".to_string()
        }
        ErrorKind::IsADirectory => "this is a folder, not a file".to_string(),
        _ => without_number(&error.to_string()),
    }
}

/// The system's text without its ` (os error 28)`.
pub(crate) fn without_number(text: &str) -> String {
    text.split_once(" (os error").map_or(text, |(text, _)| text).to_string()
}

/// A number with its noun: `1 stream`, `2 streams`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_on_a_terminal() {
        assert_eq!(shown(OsStr::new("übung 1.eventlog")), "übung 1.eventlog");
        assert_eq!(shown(OsStr::new("a\nb\x1b[2J")), "a\\nb\\u{1b}[2J");
        assert_eq!(shown(OsStr::new("gpj\u{202e}.exe")), "gpj\\u{202e}.exe");
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_text_are_shown_byte_by_byte() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(shown(OsStr::from_bytes(b"a\xff\xc3.log")), "a\\xff\\xc3.log");
    }

    #[test]
    fn errors_are_shown_without_numbers() {
        let error = io::Error::from_raw_os_error(28);
        assert!(!plainly(&error).contains("os error"), "{}", plainly(&error));
        assert_eq!(plainly(&io::Error::from_raw_os_error(2)), "there is no such file");
    }

    #[test]
    fn without_colours_a_text_is_unchanged() {
        assert_eq!(painted("warning:", WARNING, false), "warning:");
        assert_eq!(painted("warning:", WARNING, true), "\u{1b}[1m\u{1b}[33mwarning:\u{1b}[0m");
    }

    #[test]
    fn one_thing_is_in_the_singular() {
        assert_eq!([0, 1, 2].map(|number| counted(number, "stream")), ["0 streams", "1 stream", "2 streams"]);
    }
}
