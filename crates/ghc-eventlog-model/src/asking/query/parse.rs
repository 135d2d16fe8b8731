//! Reads queries.

use super::{Condition, QueryError, Test, ThreadTest, pattern::Pattern, types::TypeName};
use crate::{
    limits,
    terms::written_time::{WrittenTime, written_duration},
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use ghc_eventlog::{CapNo, EVENTS, Nanos, ThreadId};

/// A condition's name, and what comes after it.
pub(super) struct ConditionName {
    pub(super) name: &'static str,
    pub(super) expects: &'static str,
}

/// The names of conditions.
pub(super) const NAMES: [ConditionName; 9] = [
    of("thread", "the number of a thread, or its label"),
    of("cap", "the number of a capability"),
    of("type", "the name of an event type such as GC_START, or GC, run, span, message, marker"),
    of("text", "a text of a message or another event"),
    of("label", "the label of a span or a thread"),
    of("longer", "a length of time such as 10ms"),
    of("shorter", "a length of time such as 10ms"),
    of("from", "a time such as 1.5s, counted from the first event, or @1.5s on the runtime's clock"),
    of("to", "a time such as 1.5s, counted from the first event, or @1.5s on the runtime's clock"),
];

const fn of(name: &'static str, expects: &'static str) -> ConditionName {
    ConditionName { name, expects }
}

/// A value after a condition's name, or a text alone.
enum WrittenValue<'q> {
    Bare(&'q str),
    Quoted(String),
    Expression(Pattern),
}

pub(super) fn query(text: &str) -> Result<Vec<Condition>, QueryError> {
    if text.len() > limits::MAX_QUERY {
        let reason = format!("a query has at most {} bytes", limits::MAX_QUERY);
        return Err(QueryError { at: text.floor_char_boundary(limits::MAX_QUERY), reason: reason.into() });
    }
    let mut reader = QueryReader { text, at: 0 };
    let mut conditions = Vec::new();
    while reader.skip_blanks() {
        let holds = !reader.takes_minus();
        conditions.push(Condition { holds, test: reader.test()? });
    }
    Ok(conditions)
}

struct QueryReader<'q> {
    text: &'q str,
    at: usize,
}

impl<'q> QueryReader<'q> {
    fn rest(&self) -> &'q str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Whether anything comes after the blanks.
    fn skip_blanks(&mut self) -> bool {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        !self.rest().is_empty()
    }

    /// Takes a minus before a condition. A minus alone is a text.
    fn takes_minus(&mut self) -> bool {
        let rest = self.rest().strip_prefix('-');
        let is_there = rest.is_some_and(|rest| rest.chars().next().is_some_and(|next| !next.is_whitespace()));
        self.at += usize::from(is_there);
        is_there
    }

    fn test(&mut self) -> Result<Test, QueryError> {
        let begin = self.at;
        let Some((name, mark)) = self.takes_name() else {
            return Ok(match self.written()? {
                // The list of events has these names; as texts, they need quotes.
                Some(WrittenValue::Bare(name)) if EVENTS.iter().any(|info| info.name == name) => {
                    Test::Type(TypeName::new(name), begin)
                }
                written => Test::Text(written.map_or_else(|| Pattern::plain(""), WrittenValue::pattern)),
            });
        };
        let known = NAMES.iter().find(|known| known.name.eq_ignore_ascii_case(name));
        let value = self.at;
        if mark == '=' {
            let written = self.written()?.map_or_else(|| Pattern::plain(""), WrittenValue::pattern);
            return Ok(Test::Field(name.to_string(), written.whole()));
        }
        let Some(known) = known else {
            let names: Vec<&str> = NAMES.iter().map(|known| known.name).collect();
            let reason = format!(
                "no condition is called {name}: expected {}, or quotes around a text with a colon; a field or a tag is {name}=…",
                names.join(", ")
            );
            return Err(QueryError { at: begin, reason: reason.into() });
        };
        let wrong = |why: &str| QueryError { at: value, reason: why.to_string().into() };
        let expected = || wrong(&format!("expected {} after {}:", known.expects, known.name));
        let written = self.written()?.ok_or_else(expected)?;
        let time = |written: &WrittenValue<'_>| {
            let length = written_duration(written.text()).map_err(|_| expected())?;
            // `longer:10` is not meant as ten nanoseconds.
            match written.text() {
                text if length.0 > 0 && text.bytes().all(|letter| letter.is_ascii_digit() || letter == b'.') => {
                    Err(wrong(&format!("{text} needs a unit: {text}ms, {text}us or {text}ns")))
                }
                _ => Ok(length),
            }
        };
        let moment = |written: &WrittenValue<'_>| written.text().parse::<WrittenTime>().map_err(|_| expected());
        Ok(match known.name {
            "thread" => match written {
                WrittenValue::Bare(number) if number.bytes().all(|digit| digit.is_ascii_digit()) => {
                    let number = number.parse().map_err(|_| expected())?;
                    Test::Thread(ThreadTest::Number(ThreadId(number)))
                }
                label => Test::Thread(ThreadTest::Label(label.pattern())),
            },
            "cap" => Test::Cap(CapNo(written.text().parse().map_err(|_| expected())?)),
            "type" => match written {
                WrittenValue::Expression(_) => return Err(expected()),
                name => Test::Type(TypeName::new(name.text()), value),
            },
            "text" => Test::Said(written.pattern()),
            "label" => Test::Label(written.pattern()),
            "longer" => Test::Longer(time(&written)?),
            "shorter" => match time(&written)? {
                Nanos(0) => return Err(wrong("nothing is shorter than 0 ns: expected a length of time such as 10ms")),
                time => Test::Shorter(time),
            },
            "from" => Test::From(moment(&written)?),
            _ => Test::To(moment(&written)?),
        })
    }

    /// A name and the colon or equals sign after it, if these come next.
    fn takes_name(&mut self) -> Option<(&'q str, char)> {
        let rest = self.rest();
        let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-');
        let end = rest.find(|letter| !is_name(letter))?;
        let (name, after) = rest.split_at(end);
        let mark = after.chars().next().filter(|mark| matches!(mark, ':' | '='))?;
        if name.is_empty() {
            return None;
        }
        self.at += end + 1;
        Some((name, mark))
    }

    /// What comes up to the next blank; `None` if that comes at once.
    fn written(&mut self) -> Result<Option<WrittenValue<'q>>, QueryError> {
        let begin = self.at;
        let written = match self.rest().chars().next() {
            None => return Ok(None),
            Some(blank) if blank.is_whitespace() => return Ok(None),
            Some('"') => WrittenValue::Quoted(self.up_to('"', "expected \" at the end of what begins with \"")?),
            Some('/') if let Some(text) = self.expression() => {
                let pattern = Pattern::expression(&text);
                let wrong = |reason| QueryError {
                    at: begin,
                    reason: format!("this regular expression cannot be read: {reason}").into(),
                };
                WrittenValue::Expression(pattern.map_err(wrong)?)
            }
            Some(_) => {
                let rest = self.rest();
                let bare = rest.split(char::is_whitespace).next().unwrap_or_default();
                self.at += bare.len();
                return Ok(Some(WrittenValue::Bare(bare)));
            }
        };
        if self.rest().chars().next().is_some_and(|next| !next.is_whitespace()) {
            let reason =
                "expected a blank here; a text with quotes in it needs quotes around it, and \\ before a quote";
            return Err(QueryError { at: self.at, reason: reason.into() });
        }
        Ok(Some(written))
    }

    /// A regular expression between slashes, with a blank or nothing after it. Otherwise it is a text, such as the path of a web server.
    fn expression(&mut self) -> Option<String> {
        let begin = self.at;
        let text = self.up_to('/', "").ok().filter(|_| !self.rest().starts_with(|next: char| !next.is_whitespace()));
        if text.is_none() {
            self.at = begin;
        }
        text
    }

    /// What comes between two marks, the first of which comes next. A backslash before a mark stands for the mark.
    fn up_to(&mut self, mark: char, without_end: &str) -> Result<String, QueryError> {
        let begin = self.at;
        let mut text = String::new();
        let mut letters = self.rest().char_indices().skip(1);
        while let Some((at, letter)) = letters.next() {
            match letter {
                letter if letter == mark => {
                    self.at = begin + at + 1;
                    return Ok(text);
                }
                '\\' => match letters.next() {
                    Some((_, next)) if next == mark || next == '\\' && mark == '"' => text.push(next),
                    // The others are for the expression.
                    Some((_, next)) => text.extend(['\\', next]),
                    None => break,
                },
                letter => text.push(letter),
            }
        }
        Err(QueryError { at: self.text.len(), reason: without_end.to_string().into() })
    }
}

impl WrittenValue<'_> {
    fn pattern(self) -> Pattern {
        match self {
            Self::Bare(text) => Pattern::glob(text),
            Self::Quoted(text) => Pattern::plain(&text),
            Self::Expression(pattern) => pattern,
        }
    }

    /// The text; none for an expression.
    fn text(&self) -> &str {
        match self {
            Self::Bare(text) => text,
            Self::Quoted(text) => text,
            Self::Expression(_) => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The conditions of a query, each as its first word and whether it must hold.
    fn read(text: &str) -> String {
        let conditions = query(text).unwrap();
        let name = |condition: &Condition| {
            let debug = format!("{:?}", condition.test);
            let name = debug.split(['(', ' ']).next().unwrap_or_default().to_string();
            if condition.holds { name } else { format!("-{name}") }
        };
        conditions.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn conditions_stand_one_after_the_other() {
        for (text, expected) in [
            ("", ""),
            ("  timeout  after ", "Text Text"),
            ("type:GC longer:10ms", "Type Longer"),
            ("-text:\"a b\" -/x y/ -", "-Said -Text Text"),
            ("thread:12 -thread:worker cap:0", "Thread -Thread Cap"),
            ("retry=1 url=\"a b\" none= x=", "Field Field Field Field"),
            ("from:1.5s to:@2s shorter:3us", "From To Shorter"),
            (r#"/a\/b/ "a\"b" label:/x/"#, "Text Text Label"),
            ("=5 :x a/b", "Text Text Text"),
            ("GET /users/12 -/user label:/users/12?page=1 /a b/", "Text Text -Text Label Text"),
            ("TYPE:run", "Type"),
            ("GC_START -USER_MSG \"GC_START\" gc_start GC_STARTS", "Type -Type Text Text Text"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn an_error_says_where_and_what_is_expected() {
        for (text, at, what) in [
            ("longer:", 7, "a length of time"),
            ("a longer:soon", 9, "a length of time"),
            ("shorter:0", 8, "nothing is shorter"),
            ("longer:10 ms", 7, "10 needs a unit: 10ms"),
            ("shorter:2.5", 8, "2.5 needs a unit"),
            ("cap:x", 4, "number of a capability"),
            ("cap:70000", 4, "number of a capability"),
            ("thread:99999999999", 7, "number of a thread"),
            ("\"a", 2, "expected \""),
            ("/(/", 0, "regular expression"),
            ("\"a\"b", 3, "a blank"),
            ("colour:red", 0, "no condition is called colour"),
            ("user:anna", 0, "a field or a tag is user=…"),
            ("type:/GC/", 5, "the name of an event type"),
            ("from: x", 5, "a time"),
            (&"λ".repeat(2049), 4096, "at most 4096 bytes"),
        ] {
            let error = query(text).unwrap_err();
            assert_eq!(error.at, at, "{text}: {error}");
            assert!(error.to_string().contains(what), "{text}: {error}");
        }
    }

    #[test]
    fn texts_stay_as_they_were_written() {
        let matches = |query_text: &str, text: &str| match &query(query_text).unwrap()[0].test {
            Test::Text(pattern) | Test::Said(pattern) | Test::Field(_, pattern) => pattern.matches(text.as_bytes()),
            test => panic!("{test:?}"),
        };
        assert!(matches(r#""a\"b""#, "xa\"bx") && matches(r#""a\\b""#, r"a\b") && matches(r#""a\d""#, r"a\d"));
        assert!(matches("/users/1", "GET /users/12") && !matches("/users/1", "users") && matches("/users", "/users/7"));
        assert!(matches(r"/a\/\d/", "a/7") && matches("\"*\"", "a*") && !matches("\"*\"", "a"));
        assert!(matches("retry=1*", "12") && !matches("retry=1", "12") && matches("x=", ""));
    }
}
