//! An event's fields as columns, where all events of the list are of one type.

use crate::{
    asking::find::event::SeenEvent,
    limits,
    terms::{
        numbering::Numbering,
        table::Column,
        value::{Unit, Value},
    },
};
use alloc::{format, string::String, vec, vec::Vec};
use ghc_eventlog::{Header, Nanos, Record, Text, info};
use ghc_eventlog_text::LogText;

/// The columns of a type's fields; none if its fields are not known.
pub(super) fn columns(tag: u16, has_other_fields: bool) -> Vec<Column> {
    let Some(info) = info(tag).filter(|_| !has_other_fields) else { return Vec::new() };
    // The table of events does not have the kinds of fields: a record does, whatever its values.
    let zeros = vec![0; info.wire.iter().map(|field| field.newest_size()).sum()];
    let record = Record { offset: 0, time: Nanos(0), tag, cap: None, known: true, payload: &zeros };
    let mut columns = Vec::new();
    record.visit(|name, value| {
        columns.push(Column { key: name, name, unit: unit_of(name, &value), role: None, part: false });
    });
    columns
}

/// The values of a record's fields, as many as there are columns.
pub(super) fn values(seen: SeenEvent<'_>, columns: &[Column]) -> Vec<Value> {
    let SeenEvent { record, numbering, .. } = seen;
    let mut values = Vec::with_capacity(columns.len());
    record.visit(|name, value| values.push(value_of(name, &value, numbering, Some(limits::MAX_EVENT_TEXT))));
    // A record may be in a form that has none of them.
    if !record.known {
        values.clear();
    }
    values.resize(columns.len(), Value::Unknown);
    values
}

/// All fields of an event, with their names, and their texts as long as they are.
pub(super) fn all(seen: SeenEvent<'_>) -> Vec<(&'static str, Value)> {
    let SeenEvent { record, numbering, .. } = seen;
    let mut fields = Vec::new();
    if record.known {
        record.visit(|name, value| fields.push((name, value_of(name, &value, numbering, None))));
    }
    fields
}

/// Whether any of the log's headers says that events of a type have other fields than GHC's.
pub(super) fn any_has_other_fields<'h>(mut headers: impl Iterator<Item = &'h Header>, tag: u16) -> bool {
    headers.any(|header| header.has_other_fields(tag))
}

fn unit_of(name: &str, value: &ghc_eventlog::Value<'_>) -> Unit {
    match value {
        ghc_eventlog::Value::Number(_) if is_size(name) => Unit::Bytes,
        ghc_eventlog::Value::Number(_) | ghc_eventlog::Value::Capset(_) | ghc_eventlog::Value::Absent => Unit::Count,
        ghc_eventlog::Value::Time(_) if name == "time" || name.ends_with("_time") => Unit::Time,
        ghc_eventlog::Value::Time(_) => Unit::Duration,
        ghc_eventlog::Value::Thread(_) => Unit::Thread,
        ghc_eventlog::Value::Cap(_) => Unit::Capability,
        _ => Unit::Text,
    }
}

/// Whether numbers of this name are bytes.
fn is_size(name: &str) -> bool {
    name == "bytes" || name.ends_with("_bytes")
}

/// A field's value; a text is cut if it is longer than `most` bytes.
fn value_of(name: &str, value: &ghc_eventlog::Value<'_>, numbering: Numbering, most: Option<usize>) -> Value {
    let words = |text: LogText<'static>| Value::Text(most.map_or(text.clone(), |most| text.cut(most)));
    match value {
        ghc_eventlog::Value::Number(number) | ghc_eventlog::Value::Time(Nanos(number)) => {
            unit_of(name, value).value(*number)
        }
        ghc_eventlog::Value::Thread(thread) => Value::Thread(numbering.of(*thread)),
        ghc_eventlog::Value::Cap(cap) => Value::Capability(*cap),
        ghc_eventlog::Value::Capset(capset) => Value::Count(capset.0.into()),
        ghc_eventlog::Value::Task(task) => Value::words(format!("0x{:x}", task.0)),
        ghc_eventlog::Value::Address(address) => Value::words(format!("0x{address:x}")),
        ghc_eventlog::Value::Name(Some(name), _) => Value::words(*name),
        ghc_eventlog::Value::Name(None, number) => Value::words(format!("{number}")),
        ghc_eventlog::Value::Text(text) => words(text_of(*text)),
        ghc_eventlog::Value::List(texts) => {
            let texts: Vec<LogText<'static>> = texts.iter().map(text_of).collect();
            words(LogText::joined(&texts, " "))
        }
        ghc_eventlog::Value::Stack(stack) => {
            let centres: Vec<String> = stack.iter().map(|centre| format!("{}", centre.0)).collect();
            words(centres.join(", ").into())
        }
        ghc_eventlog::Value::Raw(bytes) => words(hexadecimal(bytes, most.unwrap_or(usize::MAX)).into()),
        ghc_eventlog::Value::Absent => Value::Unknown,
    }
}

fn text_of(text: Text<'_>) -> LogText<'static> {
    let mut shown = String::new();
    // Writing into a string cannot fail.
    let _ = text.write_lossy(&mut shown);
    shown.into()
}

/// Bytes in hexadecimal; at most some.
pub(super) fn hexadecimal(bytes: &[u8], most: usize) -> String {
    let shown = bytes.get(..most).unwrap_or(bytes);
    let mut text = shown.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    if shown.len() < bytes.len() {
        text += &format!(" … ({} bytes)", bytes.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghc_eventlog::{GcStats, MigrateThread, ThreadLabel, UserMsg};

    #[test]
    fn fields_have_the_units_of_what_they_are() {
        let units = |tag: u16| -> Vec<(&str, Unit)> {
            columns(tag, false).iter().map(|column| (column.name, column.unit)).collect()
        };
        assert_eq!(units(MigrateThread::TAG), [("thread", Unit::Thread), ("cap", Unit::Capability)]);
        assert_eq!(units(ThreadLabel::TAG), [("thread", Unit::Thread), ("label", Unit::Text)]);
        assert_eq!(units(UserMsg::TAG), [("text", Unit::Text)]);
        let stats = units(GcStats::TAG);
        assert!(stats.contains(&("copied_bytes", Unit::Bytes)) && stats.contains(&("generation", Unit::Count)));
        assert_eq!(columns(MigrateThread::TAG, true), []);
    }

    #[test]
    fn every_type_has_a_column_for_each_field() {
        for info in ghc_eventlog::EVENTS {
            let columns = columns(info.tag, false);
            let names: Vec<&str> = columns.iter().map(|column| column.key).collect();
            assert_eq!(names, info.fields, "{}", info.name);
        }
    }

    #[test]
    fn bytes_are_cut_where_there_is_no_room() {
        assert_eq!(hexadecimal(&[1, 0xab], 2), "01 ab");
        assert_eq!(hexadecimal(&[1, 0xab, 3], 2), "01 ab … (3 bytes)");
    }
}
