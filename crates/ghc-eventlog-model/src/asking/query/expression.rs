//! Regular expressions: the only file that knows which crate reads them.

use super::letters::Letters;
use crate::keeping::places::hash;
use alloc::{boxed::Box, string::String, vec, vec::Vec};
use core::cell::RefCell;
use engine::{Regex, compiled};

/// What reads regular expressions. It needs the standard library, which not every target has.
#[cfg(feature = "regex")]
mod engine {
    use alloc::string::{String, ToString};
    pub(super) use regex_lite::Regex;
    use regex_lite::RegexBuilder;

    /// The most bytes that a compiled expression takes. What people type takes a few KB. A text takes time by its length
    /// multiplied by this: one of 64 KiB some seconds at worst, in which a search cannot be given up.
    const MOST_BYTES: usize = 1 << 16;

    pub(super) fn compiled(text: &str, folds: bool) -> Result<Regex, String> {
        let regex = RegexBuilder::new(text).case_insensitive(folds).size_limit(MOST_BYTES).build();
        regex.map_err(|error| error.to_string())
    }
}

#[cfg(not(feature = "regex"))]
mod engine {
    use alloc::string::String;

    /// Has no values: this program reads no regular expressions.
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
    /// Parts that every matching text has: checking for them takes a tenth of the time.
    necessary: Vec<Letters>,
    is_ascii: bool,
    /// A cache by hash: texts, and whether it matches them. Most events have the text of an earlier one.
    known: RefCell<Vec<KnownText>>,
}

/// A text, and whether an expression matches it.
type KnownText = Option<(Box<str>, bool)>;

/// How many texts are cached, and how long each is at most, in bytes: about 100 KB together.
const KNOWN: usize = 1 << 10;
const LONGEST_KNOWN: usize = 64;

impl Expression {
    /// The error says what is wrong with it.
    pub(crate) fn new(text: &str, folds: bool) -> Result<Self, String> {
        let regex = compiled(text, folds)?;
        let necessary = necessary(text).iter().map(|part| Letters::new(part)).collect();
        Ok(Self { regex, necessary, is_ascii: text.is_ascii(), known: RefCell::default() })
    }

    /// Whether it matches a part of a text.
    pub(crate) fn matches(&self, text: &str) -> bool {
        if !self.necessary.iter().all(|part| part.are_in(text.as_bytes(), true, false)) {
            return false;
        }
        if text.len() > LONGEST_KNOWN {
            return self.regex.is_match(text);
        }
        let mut known = self.known.borrow_mut();
        if known.is_empty() {
            *known = vec![None; KNOWN];
        }
        let Some(place) = known.get_mut(hash(text.as_bytes()) as usize % KNOWN) else {
            return self.regex.is_match(text);
        };
        match place {
            Some((other, matches)) if **other == *text => *matches,
            _ => {
                let matches = self.regex.is_match(text);
                *place = Some((text.into(), matches));
                matches
            }
        }
    }

    /// Whether all its letters are ASCII.
    pub(crate) fn is_ascii(&self) -> bool {
        self.is_ascii
    }

    /// Parts that every matching text has, in small letters.
    pub(crate) fn necessary(&self) -> Vec<String> {
        self.necessary.iter().map(|part| String::from_utf8_lossy(part.as_bytes()).into_owned()).collect()
    }
}

/// Parts that every matching text has, in small letters. Only some are found: letters and digits that stand for themselves
/// outside of any group, in an expression without alternatives.
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
    fn what_is_known_of_texts_is_true() {
        let expression = Expression::new("^[a-z]*[02468]$", true).unwrap();
        for _ in 0..3 {
            for number in 0..5000 {
                let text = alloc::format!("thread{number}");
                assert_eq!(expression.matches(&text), number % 2 == 0 && number < 10, "{text}");
            }
        }
    }

    /// Its time is that of its text, multiplied by the number of its states.
    #[test]
    fn an_expression_has_few_states() {
        assert!(Expression::new("(.{0,100}){0,60}x", true).is_err());
        assert!(Expression::new("(a{0,50}){0,50}b", true).is_err());
        for usual in
            [r"\w{1,200}", "(request|reply|timeout|cancelled|retried){1,20}", r"[a-z]+(\.[a-z]+){0,30}:\d{1,9}"]
        {
            assert!(Expression::new(usual, true).is_ok(), "{usual}");
        }
    }

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
