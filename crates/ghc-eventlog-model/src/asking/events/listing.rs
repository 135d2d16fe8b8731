//! The list of all events: its columns, its filter, and the contents of a row.

use crate::{
    limits,
    reading::model::Model,
    terms::{
        table::{Column, TableInfo},
        value::{Unit, Value},
    },
};
use alloc::{vec, vec::Vec};
use ghc_eventlog::{Header, Record};
use ghc_eventlog_text::LogText;

/// A table whose rows are not kept: they are read from the log again, by a [`Job`](crate::Job) that [`Model::read_rows`]
/// begins. They have a fixed order, and are filtered by choices, not by text.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// The table's description; its number of rows is what can be read by now.
    pub table: TableInfo,
    /// The choices for filtering: a [filter](crate::TableQuery::filter) is a comma-separated list of their keys.
    pub choices: Vec<Choice>,
}

/// A choice for filtering rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Its key in a filter.
    pub key: u16,
    /// Its name for people.
    pub name: LogText<'static>,
    /// How many such rows there are.
    pub count: u64,
}

/// The table's key.
pub(crate) const KEY: &str = "log";

/// What people call it.
pub(crate) const NAME: &str = "All events";

/// What it has rows of, in a sentence for people. The page has these texts from elsewhere: nothing in the binding may use them.
pub(crate) const ABOUT: &str = "Every event of the log, or of the selected range, in the order of the file.";

const fn column(key: &'static str, name: &'static str, unit: Unit) -> Column {
    Column { key, name, unit, role: None, part: false }
}

/// The column of times, by which rows are selected with a [range](crate::TableQuery::within).
pub(super) const TIME: &str = "time_ns";

pub(crate) static COLUMNS: [Column; 6] = [
    column(TIME, "Time", Unit::Time),
    column("cap", "Capability", Unit::Capability),
    column("type", "Type", Unit::Text),
    column("event", "Event", Unit::Text),
    column("offset_bytes", "Byte", Unit::Offset),
    column("number", "Number", Unit::Count),
];

/// What is in each of them.
pub(crate) const ABOUT_COLUMNS: [&str; COLUMNS.len()] = [
    "The moment at which the event happened.",
    "The capability that logged the event, unless it is one of the whole process.",
    "The name that GHC gives to events of this type.",
    "What the event says: its fields in words.",
    "Where the event is in the file: the number of the byte at which it begins, in the unpacked log.",
    "The place of the event among all events of the log, in the order of the file.",
];

impl Listing {
    /// Whether it has the rows of a table, by its key.
    #[must_use]
    pub fn has(table: &str) -> bool {
        table == KEY
    }

    /// The log's events, as far as they can be read again by now.
    pub(crate) fn events(model: &Model) -> Self {
        let rows = rows(model.known.index.events());
        let table = TableInfo { key: KEY, name: NAME, columns: COLUMNS.to_vec(), rows, picks: None, kept: "" };
        let choice = |(key, count)| Choice { key, name: model.known.type_name(key), count };
        Self { table, choices: model.counts().take(limits::MAX_CHOICES).map(choice).collect() }
    }
}

/// A number of rows as a `usize`, or the largest one.
pub(super) fn rows(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// The contents of a row's columns.
pub(super) fn cells(record: &Record<'_>, number: u64, header: &Header, name: LogText<'static>) -> Vec<Value> {
    vec![
        Value::Time(record.time),
        record.cap.map_or(Value::Unknown, Value::Capability),
        Value::words(name),
        Value::words(text(record, header)),
        Value::Offset(record.offset),
        Value::Count(number),
    ]
}

/// An event's fields, as `show` prints them; a very long text is cut.
pub(super) fn text(record: &Record<'_>, header: &Header) -> LogText<'static> {
    ghc_eventlog_text::fields(record, header).cut(limits::MAX_EVENT_TEXT)
}
