//! Values in words.

use ghc_eventlog::Nanos;
use ghc_eventlog_model::Value;

/// A value in words that do nothing to a terminal; empty if it is not known. `origin` is the moment that is told as 0.
#[must_use]
pub fn words(value: &Value, origin: Nanos) -> String {
    match value {
        Value::Count(number) => grouped(*number),
        Value::Text(text) => visible(text.as_bytes()),
        value => value.text(origin),
    }
}

/// A number as `+RTS -s` writes it: 12,345.
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

/// A text from outside, a file's name for instance, for people: what is no UTF-8, or would do something to a terminal or to the text
/// around it, is escaped.
#[must_use]
pub fn visible(text: &[u8]) -> String {
    let mut out = String::new();
    for chunk in text.utf8_chunks() {
        for letter in chunk.valid().chars() {
            if is_harmless(letter) {
                out.push(letter);
            } else {
                out.extend(letter.escape_default());
            }
        }
        for byte in chunk.invalid() {
            out.push_str(&format!("\\x{byte:02x}"));
        }
    }
    out
}

/// Neither a control character nor one that reverses or hides the text around it.
fn is_harmless(letter: char) -> bool {
    let turns_text = matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
    !letter.is_control() && !turns_text && letter != '\u{feff}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 123_456, 1_234_567].map(grouped), ["0", "999", "1,000", "123,456", "1,234,567"]);
    }

    #[test]
    fn texts_do_nothing_to_a_terminal() {
        let texts: [&[u8]; 4] =
            ["übung 1.eventlog".as_bytes(), b"a\nb\x1b[2J", "gpj\u{202e}.exe".as_bytes(), b"a\xff\xc3.log"];
        assert_eq!(texts.map(visible), ["übung 1.eventlog", "a\\nb\\u{1b}[2J", "gpj\\u{202e}.exe", "a\\xff\\xc3.log"]);
        assert_eq!(words(&Value::Text("\u{1b}[31m".to_string()), Nanos(0)), "\\u{1b}[31m");
    }
}
