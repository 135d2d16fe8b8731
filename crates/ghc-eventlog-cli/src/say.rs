//! What is said on standard error, and how names of files are written there.

use ghc_eventlog_text::LogText;
use std::{
    ffi::OsStr,
    fmt::Display,
    io::{self, ErrorKind, Write},
};

/// Writes a line on standard error. If that is closed or full there is nobody to tell, and the work goes on.
pub(crate) fn say(line: impl Display) {
    // In one piece, so that lines of several programs do not mix.
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// A file's name for people: what is no text, or would do something to a terminal, is escaped.
pub(crate) fn shown(name: &OsStr) -> String {
    LogText::of_bytes(name.as_encoded_bytes()).for_terminal()
}

/// An error as a colleague would say it, without the system's numbers.
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

/// A number of things: `1 stream`, `2 streams`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_nothing_to_a_terminal() {
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
    fn errors_are_said_without_numbers() {
        let error = io::Error::from_raw_os_error(28);
        assert!(!plainly(&error).contains("os error"), "{}", plainly(&error));
        assert_eq!(plainly(&io::Error::from_raw_os_error(2)), "there is no such file");
    }

    #[test]
    fn one_thing_is_not_many() {
        assert_eq!([0, 1, 2].map(|number| counted(number, "stream")), ["0 streams", "1 stream", "2 streams"]);
    }
}
