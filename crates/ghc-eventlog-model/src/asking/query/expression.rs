//! Regular expressions: the only file that knows which crate reads them.

use super::letters::plain;
use alloc::{string::String, vec::Vec};
use engine::{Regex, compiled};

/// What reads regular expressions. It needs the standard library, which not every target has.
#[cfg(feature = "regex")]
mod engine {
    use alloc::string::{String, ToString};
    pub(super) use regex_lite::Regex;
    use regex_lite::RegexBuilder;

    /// The most bytes that a compiled expression takes. What people type takes a few KB.
    const MOST_BYTES: usize = 1 << 20;

    pub(super) fn compiled(text: &str, folds: bool) -> Result<Regex, String> {
        let regex = RegexBuilder::new(text).case_insensitive(folds).size_limit(MOST_BYTES).build();
        regex.map_err(|error| error.to_string())
    }
}

#[cfg(not(feature = "regex"))]
mod engine {
    use alloc::string::String;

    /// There is none.
    #[derive(Debug, Clone)]
    pub(super) enum Regex {}

    impl Regex {
        pub(super) fn is_match(&self, _: &str) -> bool {
            match *self {}
        }
    }

    pub(super) fn compiled(_: &str, _: bool) -> Result<Regex, String> {
        Err(String::from("regular expressions are left out of this program"))
    }
}

/// A regular expression.
#[derive(Debug, Clone)]
pub(crate) struct Expression {
    regex: Regex,
    /// What every text has that it matches: looking for that takes a tenth of the time.
    necessary: Vec<String>,
}

impl Expression {
    /// The error says what is wrong with it.
    pub(crate) fn new(text: &str, folds: bool) -> Result<Self, String> {
        compiled(text, folds).map(|regex| Self { regex, necessary: necessary(text) })
    }

    /// Whether a part of a text is as it says. Bytes that are not UTF-8 match nothing but any character.
    pub(crate) fn matches(&self, text: &[u8]) -> bool {
        if !self.necessary.iter().all(|part| plain(part.as_bytes(), text, true, false)) {
            return false;
        }
        match core::str::from_utf8(text) {
            Ok(text) => self.regex.is_match(text),
            Err(_) => self.regex.is_match(&String::from_utf8_lossy(text)),
        }
    }

    /// Parts that every text has that it matches, in small letters.
    pub(crate) fn necessary(&self) -> Vec<String> {
        self.necessary.clone()
    }
}

/// Parts that every text has that it matches, in small letters. It knows few: letters and digits that stand for
/// themselves outside of any group, in an expression without alternatives.
fn necessary(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    if text.contains(['|', '#']) || text.contains("(?") {
        return parts;
    }
    let (mut depth, mut in_class, mut run) = (0_usize, false, String::new());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            _ if in_class => in_class = letter != ']',
            letter if letter.is_ascii_alphanumeric() && depth == 0 => {
                run.push(letter.to_ascii_lowercase());
                continue;
            }
            // The last letter may be there or not, or more than once.
            '?' | '*' | '+' | '{' => {
                run.pop();
                if letter == '{' {
                    letters.by_ref().find(|letter| *letter == '}');
                }
            }
            // Classes, places and punctuation. Others, as the numbers of characters, go on.
            '\\' if !letters.next().is_some_and(|next| !next.is_alphanumeric() || "dwsbDWSBnrt".contains(next)) => {
                return Vec::new();
            }
            '[' => {
                in_class = true;
                let rest = letters.as_str().trim_start_matches('^');
                if rest.starts_with(']') || rest.split(']').next().is_some_and(|class| class.contains(['[', '\\'])) {
                    return Vec::new();
                }
            }
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        parts.push(core::mem::take(&mut run));
    }
    parts.push(run);
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_letters_are_necessary() {
        let necessary = |text: &str| Expression::new(text, true).unwrap().necessary().join(" ");
        for (text, expected) in [
            ("timeout", "timeout"),
            ("time(out)?s", "time s"),
            ("ab+c?d", "a d"),
            ("a{2,3}bc", "bc"),
            (r"foo\d+bar", "foo bar"),
            (r"foo\x41bar", ""),
            (r"foo\.bar", "foo bar"),
            ("[]a]b", ""),
            ("[^ab]c", "c"),
            ("a[bc]d", "a d"),
            ("a|b", ""),
            ("(?i)a", ""),
            ("a.b", "a b"),
            ("^Ab$", "ab"),
        ] {
            assert_eq!(necessary(text), expected, "{text}");
        }
    }
}
