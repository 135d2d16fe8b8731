//! Values in words.

use ghc_eventlog::Nanos;
use ghc_eventlog_model::{Evidence, Section, Value};

/// A value in words, safe to print on a terminal; empty if it is not known. `origin` is the moment that is shown as 0.
#[must_use]
pub fn words(value: &Value, origin: Nanos) -> String {
    match value {
        Value::Count(number) => grouped(*number),
        value => value.text(origin),
    }
}

/// Why a section lacks figures, and what would add them; `None` if nothing is to be said.
#[must_use]
pub fn lacking(section: &Section) -> Option<String> {
    let what = match section.figures.iter().any(|figure| figure.value != Value::Unknown) {
        true => "the rest is not in this log",
        false => "not in this log",
    };
    let flag = section.flag.map(|flag| format!("{what}: run the program with +RTS {flag}"));
    match (section.none, flag) {
        (Some(none), Some(_)) => Some(format!("{none} Or it was not logged: then run it with +RTS {}", section.flag?)),
        (Some(none), None) => Some(none.to_string()),
        (None, flag) => flag,
    }
}

/// Where to look for what a finding says, safe to print on a terminal: "a major collection, 1.2 s to 1.4 s, cap 0, thread 7".
#[must_use]
pub fn where_to_look(evidence: &Evidence, origin: Nanos) -> String {
    let time = |time| words(&Value::Time(time), origin);
    let mut text = evidence.label.for_terminal();
    if !text.is_empty() {
        text += ", ";
    }
    text += &time(evidence.from);
    if evidence.to > evidence.from {
        text += &format!(" to {}", time(evidence.to));
    }
    text += &evidence.cap.map(|cap| format!(", cap {cap}")).unwrap_or_default();
    text += &evidence.thread.map(|thread| format!(", thread {thread}")).unwrap_or_default();
    text
}

/// A number in the style of `+RTS -s`: 12,345.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 123_456, 1_234_567].map(grouped), ["0", "999", "1,000", "123,456", "1,234,567"]);
    }

    #[test]
    fn texts_are_safe_on_a_terminal() {
        let stack = Value::Stack(vec!["a\u{9b}".into(), "b\u{202e}".into()]);
        let texts = [Value::words("\u{1b}[31m"), stack].map(|text| words(&text, Nanos(0)));
        assert_eq!(texts, ["\\u{1b}[31m", "a\\u{9b} › b\\u{202e}"]);
    }
}
