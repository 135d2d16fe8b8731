//! The list of all events: its columns, its filter, and the contents of a row.

use super::{fields, part::ListedEvent};
use crate::{
    asking::find::{event::SeenEvent, finder::names_thread, hit::HitKind},
    known::Known,
    limits,
    reading::model::Model,
    terms::{
        table::{Column, TableInfo},
        value::{Unit, Value},
    },
};
use alloc::{format, string::String, vec, vec::Vec};
use ghc_eventlog::{Header, Record};
use ghc_eventlog_text::{LogText, doors::safe_json};

/// A table whose rows are not kept: they are read from the log again, by a [`Job`](crate::Job) that [`Model::event_rows`]
/// begins. They are in order of time or of the file, and are filtered by choices and by a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// The table's description; its number of rows is what can be read by now.
    pub table: TableInfo,
    /// The types that events can be filtered by.
    pub choices: Vec<Choice>,
}

/// A choice for filtering rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The type's number.
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
pub(crate) const ABOUT: &str = "Every event of the log, or of the selected range, in order of time or of the file.";

const fn column(key: &'static str, name: &'static str, unit: Unit) -> Column {
    Column { key, name, unit, role: None, part: false }
}

pub(crate) static COLUMNS: [Column; 8] = [
    column("time_ns", "Time", Unit::Time),
    column("cap", "Capability", Unit::Capability),
    column("ran", "Thread", Unit::Thread),
    column("ran_label", "Label", Unit::Text),
    column("type", "Type", Unit::Text),
    column("event", "Event", Unit::Text),
    column("offset_bytes", "Byte", Unit::Offset),
    column("number", "Number", Unit::Count),
];

/// What is in each of them.
pub(crate) const ABOUT_COLUMNS: [&str; COLUMNS.len()] = [
    "The moment at which the event happened.",
    "The capability that logged the event, unless it is one of the whole process.",
    "The thread that ran there; for the begin of a run, the thread that it runs.",
    "The label of the thread that ran there.",
    "The name that GHC gives to events of this type.",
    "What the event says: its fields in words.",
    "Where the event is in the file: the number of the byte at which it begins, in the unpacked log.",
    "The place of the event among all events of the log, in the order of the file.",
];

impl Listing {
    /// The log's events, as far as they can be read again by now.
    pub(crate) fn events(model: &Model) -> Self {
        let rows = rows(model.known.index.events());
        let table =
            TableInfo { key: KEY, name: NAME, columns: COLUMNS.to_vec(), rows, picks: None, kept: "", heaviest: None };
        let choice = |(key, count)| Choice { key, name: model.known.type_name(key), count };
        Self { table, choices: model.counts().take(limits::MAX_CHOICES).map(choice).collect() }
    }
}

/// A number of rows as a `usize`, or the largest one.
pub(super) fn rows(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// The columns of a list in which all events have these fields: they take the place of the type.
pub(super) fn columns(fields: &[Column]) -> Vec<Column> {
    let type_at = COLUMNS.iter().position(|column| column.key == "type").unwrap_or_default();
    let (before, rest) = COLUMNS.split_at(type_at);
    match fields {
        [] => COLUMNS.to_vec(),
        _ => before.iter().chain(fields).chain(rest.iter().skip(1)).copied().collect(),
    }
}

/// The contents of a row's columns.
pub(super) fn cells(event: ListedEvent<'_>, known: &Known, fields: &[Column]) -> Vec<Value> {
    let ListedEvent { number, seen, ran } = event;
    let SeenEvent { record, header, .. } = seen;
    let label = ran.and_then(|thread| known.stores.threads.label_text(thread));
    let mut cells = vec![
        Value::Time(record.time),
        record.cap.map_or(Value::Unknown, Value::Capability),
        ran.map_or(Value::Unknown, Value::Thread),
        label.map_or(Value::Unknown, Value::words),
    ];
    match fields {
        [] => cells.push(Value::words(known.type_name(record.tag))),
        _ => cells.extend(fields::values(seen, fields)),
    }
    cells.extend([Value::words(text(record, header)), Value::Offset(record.offset), Value::Count(number)]);
    cells
}

/// An event for programs: a line as `find --json` prints it, with the offset of the event in the file and its number.
pub(super) fn line(event: ListedEvent<'_>, known: &Known) -> String {
    let SeenEvent { record, header, .. } = event.seen;
    let number = |number: Option<u64>| number.map_or_else(|| "null".into(), |number| format!("{number}"));
    let quoted = |text: LogText<'_>| quoted(&text.for_json());
    let thread = event.seen.thread(names_thread(record.tag));
    let line = format!(
        "{{\"time_ns\":{},\"kind\":\"{}\",\"type\":{},\"length_ns\":null,\"cap\":{},\"thread\":{},\"text\":{},\"offset\":{},\"number\":{}}}",
        record.time.0,
        HitKind::of_event(record.tag).name(),
        quoted(known.type_name(record.tag)),
        number(record.cap.map(|cap| cap.0.into())),
        number(thread.map(|thread| thread.0.into())),
        quoted(ghc_eventlog_text::fields(record, header)),
        record.offset,
        event.number,
    );
    safe_json(&line).into_owned()
}

/// A text as a JSON string, with its quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            letter if letter < ' ' => out += &format!("\\u{:04x}", u32::from(letter)),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// An event's fields, as `show` prints them; a very long text is cut.
pub(super) fn text(record: &Record<'_>, header: &Header) -> LogText<'static> {
    ghc_eventlog_text::fields(record, header).cut(limits::MAX_EVENT_TEXT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_as_json_has_them() {
        assert_eq!(quoted("a \"b\" \\ \n\u{1}ä"), r#""a \"b\" \\ \u000a\u0001ä""#);
    }
}
