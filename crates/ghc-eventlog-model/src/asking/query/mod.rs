//! The language of queries.
//!
//! ```text
//! timeout                  text of an event, or a name
//! "a b"   req*42   /a+b/   quoted; with * for any characters and ? for one; a regular expression
//! type:GC longer:10ms      conditions: all must hold
//! -text:debug              this must not
//! retry=1                  a field of an event, or a tag of a span
//! ```

pub(crate) mod complete;
mod expression;
pub(crate) mod letters;
mod parse;
pub(crate) mod pattern;
pub(crate) mod types;

use crate::{known::Known, reading::model::Model, terms::written_time::WrittenTime};
use alloc::{format, string::String, vec::Vec};
pub use complete::{Completion, Completions};
use core::fmt;
use ghc_eventlog::{CapNo, Nanos, ThreadId};
use ghc_eventlog_text::LogText;
use pattern::Pattern;
use types::TypeName;

/// A search: conditions that must all hold. See [`Query::parse`].
#[derive(Debug, Clone, Default)]
pub struct Query {
    pub(crate) conditions: Vec<Condition>,
}

/// One condition of a query.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    /// Whether the test must succeed, or must not.
    pub(crate) holds: bool,
    pub(crate) test: Test,
}

/// What a condition tests.
#[derive(Debug, Clone)]
pub(crate) enum Test {
    /// What `show` prints of an event; a span's label, or one of its tags.
    Text(Pattern),
    /// A text in an event: what a message says.
    Said(Pattern),
    /// The type of an event, or the kind of a span. The place is where the query has it.
    Type(TypeName, usize),
    /// The thread that an event names, or that ran meanwhile.
    Thread(ThreadTest),
    /// The capability that logged it.
    Cap(CapNo),
    /// The label of a span, or of a thread.
    Label(Pattern),
    /// A span that takes at least this long.
    Longer(Nanos),
    /// A span that takes less.
    Shorter(Nanos),
    /// At this time or later.
    From(WrittenTime),
    /// Before this time.
    To(WrittenTime),
    /// A field of an event, or a tag of a span: its name, and the whole of its value.
    Field(String, Pattern),
}

/// Which threads are meant.
#[derive(Debug, Clone)]
pub(crate) enum ThreadTest {
    Number(ThreadId),
    /// Those whose labels match.
    Label(Pattern),
}

/// Why a query cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryError {
    /// Where in the query, in bytes.
    pub at: usize,
    /// What is wrong, and what is expected there: a clause, which may have words of the query.
    pub reason: LogText<'static>,
}

impl fmt::Display for QueryError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}, at byte {} of the query", self.reason.for_terminal(), self.at)
    }
}

impl core::error::Error for QueryError {}

impl Query {
    /// Reads a query.
    ///
    /// ```
    /// use ghc_eventlog_model::Query;
    ///
    /// assert!(Query::parse("type:GC longer:10ms").is_ok());
    /// let error = Query::parse("timeout longer:soon").unwrap_err();
    /// assert_eq!(error.at, 15);
    /// ```
    ///
    /// # Errors
    /// See [`QueryError`].
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        parse::query(text).map(|conditions| Self { conditions })
    }

    /// Whether it has no conditions: then it would find everything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Whether it can only find collections, runs and spans, which have a length, and no events.
    #[must_use]
    pub fn is_of_lengths(&self) -> bool {
        self.conditions.iter().filter(|condition| condition.holds).any(|condition| match &condition.test {
            Test::Longer(_) | Test::Shorter(_) => true,
            Test::Type(name, _) => !name.types(None).kinds.is_empty(),
            _ => false,
        })
    }

    /// The same, within a range of time: from a time on, and before another.
    #[must_use]
    pub fn within(mut self, from: Nanos, to: Nanos) -> Self {
        let times = [Test::From(WrittenTime::Runtime(from)), Test::To(WrittenTime::Runtime(to))];
        self.conditions.extend(times.map(|test| Condition { holds: true, test }));
        self
    }
}

impl Model {
    /// Checks whether the types that a query names exist: in the log as far as it has been read, or in any.
    ///
    /// # Errors
    /// See [`QueryError`].
    pub fn check_query(&self, query: &Query) -> Result<(), QueryError> {
        query.conditions.iter().try_for_each(|condition| check(condition, &self.known))
    }
}

fn check(condition: &Condition, known: &Known) -> Result<(), QueryError> {
    match &condition.test {
        Test::Type(name, at) if name.types(Some(known)).is_empty() => {
            let words: Vec<&str> = types::words().map(|(word, _)| word).collect();
            let reason = format!(
                "no event type is called {}: expected a name such as GC_START or GC_*, or one of {}",
                pattern::quoted(&name.text),
                words.join(", ")
            );
            Err(QueryError { at: *at, reason: reason.into() })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_of_collections_runs_and_spans() {
        let lengths = ["type:GC", "x longer:1ms", "shorter:2us", "type:run thread:1", "type:span"];
        let events = ["x", "type:GC_START", "-type:GC", "thread:1", "type:message"];
        let is = |text: &str| Query::parse(text).unwrap().is_of_lengths();
        assert!(lengths.into_iter().all(is));
        assert!(!events.into_iter().any(is));
    }
}
