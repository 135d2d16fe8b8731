//! Sentences with figures in them, which each output writes in its own way.

use crate::{
    facts::markdown,
    terms::{
        grouped::{THIN, grouped},
        value::Value,
    },
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use ghc_eventlog::Nanos;
use ghc_eventlog_text::{LogText, doors::Door};

/// A sentence, or a few: words of ours with values in place of each `{}`. After a count, words may depend on it: `{} [thread|threads]`
/// has the first form for one, and the second for any other number.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sentence {
    words: Vec<&'static str>,
    values: Vec<Value>,
}

impl Sentence {
    /// With as many values as the words have `{}`.
    pub(crate) fn new(words: &'static str, values: impl IntoIterator<Item = Value>) -> Self {
        let mut sentence = Self::default();
        sentence.add(words, values);
        sentence
    }

    /// Appends more of the same kind.
    pub(crate) fn add(&mut self, words: &'static str, values: impl IntoIterator<Item = Value>) {
        self.words.push(words);
        self.values.extend(values);
    }

    /// For a terminal or a writer of HTML; times are counted from `origin`.
    #[must_use]
    pub fn text(&self, origin: Nanos) -> String {
        self.written(origin, LogText::write_visible, ",")
    }

    /// For the page, which shows it as text.
    #[must_use]
    pub fn for_page(&self, origin: Nanos) -> String {
        self.written(origin, LogText::write_for_page, THIN)
    }

    /// For a JSON serializer: see [`LogText::for_json`].
    #[must_use]
    pub fn for_json(&self, origin: Nanos) -> String {
        self.written(
            origin,
            |text, out| {
                out.push_str(&text.for_json());
                Ok(())
            },
            ",",
        )
    }

    /// For Markdown, on a line.
    #[must_use]
    pub fn for_markdown(&self, origin: Nanos) -> String {
        let words = |value: &Value| match value {
            Value::Count(count) => grouped(*count, ","),
            value => markdown::words(value, origin),
        };
        self.with(&words, &markdown::escaped)
    }

    fn written(&self, origin: Nanos, door: Door, mark: &str) -> String {
        let value = |value: &Value| {
            if let Value::Count(count) = value {
                return grouped(*count, mark);
            }
            let mut out = String::new();
            // Writing into a string cannot fail.
            let _ = value.write(origin, door, &mut out);
            out
        };
        self.with(&value, &|words| words.to_string())
    }

    /// With the values and the words between them as these functions write them.
    fn with(&self, value: &dyn Fn(&Value) -> String, between: &dyn Fn(&str) -> String) -> String {
        let (mut out, mut values, mut is_one) = (String::new(), self.values.iter(), false);
        for words in &self.words {
            for (at, piece) in words.split("{}").enumerate() {
                if at > 0 {
                    let next = values.next();
                    if let Some(Value::Count(count)) = next {
                        is_one = *count == 1;
                    }
                    out += &next.map(value).unwrap_or_default();
                }
                out += &between(&numbered(piece, is_one));
            }
        }
        out
    }
}

/// Words with the form of each `[one|many]` that fits.
fn numbered(words: &str, is_one: bool) -> String {
    let (mut out, mut rest) = (String::new(), words);
    while let Some((before, after)) = rest.split_once('[') {
        let Some((forms, later)) = after.split_once(']') else { break };
        let (one, many) = forms.split_once('|').unwrap_or((forms, forms));
        out += before;
        out += if is_one { one } else { many };
        rest = later;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_after_a_count_have_its_number() {
        let text = |count| {
            let words = "{} [thread waits|threads wait] for {}, {} [time|times].";
            let values = [Value::Count(count), Value::Duration(Nanos(1500)), Value::Count(3 - count)];
            Sentence::new(words, values).text(Nanos(0))
        };
        assert_eq!(text(1), "1 thread waits for 1.500 µs, 2 times.");
        assert_eq!(text(2), "2 threads wait for 1.500 µs, 1 time.");
    }

    #[test]
    fn values_stand_where_they_belong_in_every_output() {
        let label = Value::words("a\u{1b}*b|");
        let mut sentence = Sentence::new("{} of {}_", [Value::Share(0.25), label]);
        sentence.add(" took {}.", [Value::Duration(Nanos(1500))]);
        assert_eq!(sentence.text(Nanos(0)), "25.0 % of a\\u{1b}*b|_ took 1.500 µs.");
        assert_eq!(sentence.for_page(Nanos(0)), "25.0 % of a␛*b|_ took 1.500 µs.");
        assert_eq!(sentence.for_json(Nanos(0)), "25.0 % of a\u{1b}*b|_ took 1.500 µs.");
        assert_eq!(sentence.for_markdown(Nanos(0)), "25.0 % of `a\\u{1b}*b\\|`\\_ took 1.500 µs.");
    }
}
