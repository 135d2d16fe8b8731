//! Values, and objects of them.

use super::super::Summary;
use ghc_eventlog::Nanos;
use ghc_eventlog_model::{LogText, Section, Value};
use serde_json::{Map, Number, Value as Json, json};

/// The numbers in a text, which are between commas.
pub(super) fn numbers(text: &str) -> Json {
    text.split(", ").filter_map(|number| number.parse::<u64>().ok()).collect::<Vec<_>>().into()
}

/// Times by label. Labels that read alike share a key, which has the sum of their times.
pub(super) fn nested(times: Option<Vec<(LogText<'static>, Nanos)>>) -> Json {
    let Some(times) = times else { return Json::Null };
    let mut object = Map::new();
    for (label, time) in times {
        let sum = object.entry(label.for_json()).or_insert_with(|| 0.into());
        *sum = sum.as_u64().unwrap_or(0).saturating_add(time.0).into();
    }
    object.into()
}

/// A generation's number, as a number.
pub(super) fn generation(text: &str) -> Json {
    text.parse::<u64>().map_or_else(|_| text.into(), Json::from)
}

/// A section's figures. Those with `keys` come first and are always there.
pub(super) fn figures(section: &Section, keys: &[&str], summary: &Summary) -> Map<String, Json> {
    let mut object = empty(keys);
    for figure in &section.figures {
        put(&mut object, figure.key, plain(&figure.value, summary.origin()));
    }
    object
}

pub(super) fn empty(keys: &[&str]) -> Map<String, Json> {
    let mut object = Map::new();
    keys.iter().for_each(|key| put(&mut object, key, Json::Null));
    object
}

/// Sets a value. Dots in the key separate the names of nested objects.
pub(super) fn put(object: &mut Map<String, Json>, key: &str, value: Json) {
    match key.split_once('.') {
        // The object itself, which may stay empty.
        None if key == "{}" => {}
        None => {
            object.insert(key.to_string(), value);
        }
        Some((head, rest)) => {
            let inner = object.entry(head).or_insert_with(|| Map::new().into());
            if !inner.is_object() {
                *inner = Map::new().into();
            }
            if let Json::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}

/// A value without its unit, which is in the key. Times count from the log's first moment.
pub(super) fn plain(value: &Value, origin: Nanos) -> Json {
    match value {
        Value::Unknown => Json::Null,
        Value::Text(text) => text.for_json().into(),
        Value::Time(time) => time.since(origin).0.into(),
        Value::Duration(duration) => duration.0.into(),
        Value::Bytes(number) | Value::Count(number) | Value::Offset(number) => (*number).into(),
        Value::BytesPerSecond(number) | Value::PerSecond(number) => (*number).into(),
        Value::Between(least, most) => json!([least, most]),
        Value::Share(share) => (*share).into(),
        Value::Thread(thread) => thread.0.into(),
        Value::Capability(cap) => cap.0.into(),
        // It may be more than 64 bits: a gibibyte for twenty seconds is.
        Value::ByteTime(area) => Number::from_u128(*area).map_or(Json::Null, Json::from),
        Value::Growth(number) | Value::Change(number) | Value::Integer(number) => (*number).into(),
        Value::Stack(names) => texts(names),
        Value::Levels(levels) => json!(levels),
    }
}

pub(super) fn texts(texts: &[LogText<'_>]) -> Json {
    texts.iter().map(LogText::for_json).collect::<Vec<_>>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_read_alike_lose_no_time() {
        let times = [("parse", 7), ("same", 20), ("same", 3)].map(|(label, time)| (LogText::from(label), Nanos(time)));
        assert_eq!(nested(Some(times.to_vec())), json!({ "parse": 7, "same": 23 }));
        assert_eq!(nested(None), Json::Null);
    }
}
