//! Patterns for texts: plain text, text with `*` and `?`, or a regular expression.

use super::{expression::Expression, letters::Letters};
use crate::terms::small_letters::small_letters;
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// A pattern for texts. Capitals only matter if the pattern has any.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    form: Form,
    /// Whether capitals match small letters.
    folds: bool,
    /// Whether it must match the whole text, not only a part of it.
    whole: bool,
}

#[derive(Debug, Clone)]
enum Form {
    Plain(Letters),
    Glob(Vec<GlobPart>),
    Expression(Expression),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GlobPart {
    Byte(u8),
    /// One character.
    One,
    /// Any characters, or none.
    Any,
}

impl Pattern {
    /// This text, letter by letter.
    pub(crate) fn plain(text: &str) -> Self {
        let folds = !text.chars().any(char::is_uppercase);
        Self { form: Form::Plain(Letters::new(&small(text, folds))), folds, whole: false }
    }

    /// A text in which `*` stands for any characters, and `?` for one.
    pub(crate) fn glob(text: &str) -> Self {
        let plain = Self::plain(text);
        if !text.contains(['*', '?']) {
            return plain;
        }
        let part = |byte: u8| match byte {
            b'*' => GlobPart::Any,
            b'?' => GlobPart::One,
            byte => GlobPart::Byte(byte),
        };
        Self { form: Form::Glob(small(text, plain.folds).bytes().map(part).collect()), ..plain }
    }

    /// A regular expression. The error says what is wrong with it.
    pub(crate) fn expression(text: &str) -> Result<Self, String> {
        // A capital after a backslash is no letter of the text.
        let mut is_escaped = false;
        let has_capitals = text.chars().any(|letter| {
            let counts = letter.is_uppercase() && !is_escaped;
            is_escaped = letter == '\\' && !is_escaped;
            counts
        });
        let form = Form::Expression(Expression::new(text, !has_capitals)?);
        Ok(Self { form, folds: !has_capitals, whole: false })
    }

    /// The same, for the whole text.
    pub(crate) fn whole(self) -> Self {
        Self { whole: true, ..self }
    }

    /// Whether a text matches. Bytes that are not UTF-8 are compared as they are shown.
    pub(crate) fn matches(&self, text: &[u8]) -> bool {
        if let Form::Plain(letters) = &self.form
            && letters.as_bytes().is_ascii()
        {
            return letters.are_in(text, self.folds, self.whole);
        }
        let text = String::from_utf8_lossy(text);
        let text = if self.folds && !self.is_ascii() { small_letters(&text).into() } else { text };
        match &self.form {
            Form::Plain(letters) => letters.are_in(text.as_bytes(), false, self.whole),
            Form::Glob(parts) => glob(parts, text.as_bytes(), self.folds, self.whole),
            Form::Expression(expression) => expression.matches(&text),
        }
    }

    /// Whether all its letters are ASCII: their capitals are known without a table.
    fn is_ascii(&self) -> bool {
        match &self.form {
            Form::Plain(letters) => letters.as_bytes().is_ascii(),
            Form::Glob(parts) => parts.iter().all(|part| !matches!(part, GlobPart::Byte(byte) if !byte.is_ascii())),
            Form::Expression(expression) => expression.is_ascii(),
        }
    }

    /// Parts that every matching text has, in small letters. There may be others.
    pub(crate) fn necessary(&self) -> Vec<String> {
        let literal = |bytes: &[u8]| small_letters(&String::from_utf8_lossy(bytes));
        match &self.form {
            Form::Plain(letters) => [literal(letters.as_bytes())].into(),
            Form::Glob(parts) => {
                let parts = parts.split(|part| !matches!(part, GlobPart::Byte(_)));
                let bytes = |parts: &[GlobPart]| -> Vec<u8> {
                    let bytes = parts.iter().filter_map(|part| match part {
                        GlobPart::Byte(byte) => Some(*byte),
                        GlobPart::One | GlobPart::Any => None,
                    });
                    bytes.collect()
                };
                parts.map(|parts| literal(&bytes(parts))).collect()
            }
            Form::Expression(expression) => expression.necessary(),
        }
    }

    /// Runs of ASCII letters, in small letters, that every matching text has. Left out are those that may be hexadecimal digits, with or
    /// without the x of 0x.
    fn necessary_words(&self) -> Vec<String> {
        let is_of_a_number = |run: &str| run.bytes().all(|letter| letter.is_ascii_hexdigit());
        let is_word = |run: &&str| *run == "x" || !is_of_a_number(run.strip_prefix('x').unwrap_or(run));
        let parts = self.necessary();
        let runs = parts.iter().flat_map(|part| part.split(|letter: char| !letter.is_ascii_alphabetic()));
        runs.filter(is_word).map(String::from).collect()
    }

    /// Those that are in the bytes of every matching text, in small or capital letters.
    pub(crate) fn words_in_bytes(&self) -> Vec<String> {
        let mut words = self.necessary_words();
        // The small letters of \u{130} and \u{212a} are i and k, which are not in the bytes of the text. A regular expression also takes
        // \u{17f} for s.
        let has_relatives = !self.is_ascii() || self.folds && matches!(self.form, Form::Expression(_));
        words.retain(|word| !has_relatives || !word.contains(['i', 's', 'k']));
        words
    }

    /// Whether a text may match that consists of `words`, with decimal or hexadecimal numbers in between.
    pub(crate) fn may_be_in(&self, words: &str) -> bool {
        let words = small_letters(words);
        self.necessary_words().iter().all(|word| words.contains(word.as_str()))
    }
}

fn same(one: u8, other: u8, folds: bool) -> bool {
    if folds { one.eq_ignore_ascii_case(&other) } else { one == other }
}

/// A pattern's text as it is compared. Letters that are neither capital nor small (\u{1c5}) become small, too.
fn small(text: &str, folds: bool) -> String {
    if folds && !text.is_ascii() { small_letters(text) } else { text.into() }
}

/// Whether a text matches the parts of a glob. On a difference, the last `*` takes one more byte.
fn glob(parts: &[GlobPart], text: &[u8], folds: bool, whole: bool) -> bool {
    let (mut part, mut at) = (0, 0);
    let mut retry = if whole { None } else { Some((0, 0)) };
    loop {
        let here = text.get(at);
        match (parts.get(part), here) {
            (None, None) => return true,
            (None, Some(_)) if !whole => return true,
            (Some(GlobPart::Any), _) => {
                part += 1;
                retry = Some((part, at));
                continue;
            }
            (Some(GlobPart::One), Some(_)) => {
                at += 1;
                while text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80) {
                    at += 1;
                }
                part += 1;
                continue;
            }
            (Some(GlobPart::Byte(byte)), Some(letter)) if same(*byte, *letter, folds) => {
                at += 1;
                part += 1;
                continue;
            }
            _ => {}
        }
        match retry {
            Some((after, from)) if from < text.len() => {
                (part, at) = (after, from + 1);
                retry = Some((after, at));
            }
            _ => return false,
        }
    }
}

/// For completions and errors: the text as it must be written so that it stands for itself.
pub(crate) fn quoted(text: &str) -> String {
    let stands_for_itself = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | ',');
    if !text.is_empty() && text.chars().all(stands_for_itself) {
        return text.to_string();
    }
    let mut written = String::from("\"");
    for letter in text.chars() {
        if matches!(letter, '"' | '\\') {
            written.push('\\');
        }
        written.push(letter);
    }
    written + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_only_matter_if_there_are_any() {
        for (pattern, text, expected) in [
            ("time", "Request TIMEOUT", true),
            ("Time", "timeout", false),
            ("Time", "a Timeout", true),
            ("ärger", "ÄRGER", true),
            ("Ärger", "ärger", false),
            ("\u{1c5}", "\u{1c4}", true),
            ("\u{fffd}A", "\u{fffd}A", true),
            ("", "", true),
            ("", "a", true),
            ("ab", "a", false),
            ("ab", "aab", true),
            ("@", "`", false),
        ] {
            assert_eq!(Pattern::plain(pattern).matches(text.as_bytes()), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn stars_and_question_marks_stand_for_others() {
        for (pattern, text, anywhere, whole) in [
            ("req*42", "a request 42.", true, false),
            ("req*42", "req 41 42", true, true),
            ("*a*b", "xxaxxbxb", true, true),
            ("a?c", "xxabcxx", true, false),
            ("a?c", "aλc", true, true),
            ("a?c", "ac", false, false),
            ("GC_*", "GC_START", true, true),
            ("GC_*", "gc_start", false, false),
            ("gc_*", "GC_START", true, true),
            ("*", "", true, true),
            ("?", "", false, false),
            ("aab", "aaab", true, false),
            ("a*aab*", "aaaab", true, true),
            ("är*r", "ÄRGER", true, true),
            ("är?er", "ÄRGER", true, true),
            ("Är*r", "ärger", false, false),
        ] {
            let pattern_of = || Pattern::glob(pattern);
            assert_eq!(pattern_of().matches(text.as_bytes()), anywhere, "{pattern} {text}");
            assert_eq!(pattern_of().whole().matches(text.as_bytes()), whole, "{pattern} {text} whole");
        }
    }

    #[test]
    fn expressions_are_searched_for() {
        for (pattern, text, expected) in [
            ("time(out)?s", "TIMES", true),
            ("^time", "a time", false),
            (r"\Stime", "a TIME", false),
            (r"\Stime", "aTIME", true),
            ("Time", "time", false),
            (r"\d{3}", "a 12 345", true),
            ("ä(r|x)ger", "ÄRGER", true),
            ("Ärger", "ärger", false),
        ] {
            assert_eq!(Pattern::expression(pattern).unwrap().matches(text.as_bytes()), expected, "{pattern} {text}");
        }
        assert!(Pattern::expression("(").is_err());
    }

    /// What is shown of bytes that are no text can be searched for in every form.
    #[test]
    fn what_is_not_utf8_is_found_as_it_is_shown() {
        let text = b"a\xff\x80B";
        for pattern in [Pattern::plain("\u{fffd}b"), Pattern::plain("\u{fffd}B"), Pattern::glob("a??b")] {
            assert!(pattern.matches(text), "{pattern:?}");
        }
        assert!(!Pattern::glob("a?b").whole().matches(text));
        assert!(Pattern::expression("a.{2}b").unwrap().matches(text));
    }

    /// The filter may only exclude what cannot match.
    #[test]
    fn a_text_with_the_words_may_match() {
        let words = "thread  is runnable";
        for (pattern, expected) in [
            ("thread 12 is", true),
            ("Thread", true),
            ("12", true),
            // Numbers, in hexadecimal, too.
            ("0xbeef", true),
            ("0xbee", true),
            ("xbeef", true),
            ("beef", true),
            ("0xbeer", false),
            ("box", false),
            ("timeout", false),
            ("thr*able", true),
            ("thr*out", false),
            ("*", true),
        ] {
            assert_eq!(Pattern::glob(pattern).may_be_in(words), expected, "{pattern}");
        }
    }

    #[test]
    fn quotes_keep_a_text_as_it_is() {
        assert_eq!(
            ["a", "a b", "a\"b\\", "", "a:b", "-a"].map(quoted),
            ["a", "\"a b\"", r#""a\"b\\""#, "\"\"", "\"a:b\"", "\"-a\""]
        );
    }
}
