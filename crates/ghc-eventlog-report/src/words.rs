//! Values in words.

use ghc_eventlog::Nanos;
use ghc_eventlog_model::Value;

/// A value in words, safe to print on a terminal; empty if it is not known. `origin` is the moment that is shown as 0.
#[must_use]
pub fn words(value: &Value, origin: Nanos) -> String {
    match value {
        Value::Count(number) => grouped(*number),
        value => value.text(origin),
    }
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
