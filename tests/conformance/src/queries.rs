//! Random queries about a log, each with its meaning: what they find must be what somebody finds who looks at everything that is in the
//! log. Used by the fuzz target `query` and by `queries.rs` of the tests.

mod like;
mod meant;

use crate::{model_in_steps, part_of, replay};
use ghc_eventlog::{Chunk, Decoder, Nanos, Step, Value};
use ghc_eventlog_model::{EventsWish, FindOrder, FindWishes, Hit, HitKind, Model, Query, work};
use meant::Meant;
use std::collections::HashMap;

/// The most hits for which all orders are compared.
const MOST_HITS: usize = 20_000;

/// A field of an event: its name, whether it is a text, and the ways in which its value may be written.
type FieldTexts = (&'static str, bool, Vec<String>);

/// All that is in a log, as a search sees it that has no conditions.
struct Everything {
    hits: Vec<Hit>,
    /// The fields of each event, by where it begins.
    fields: HashMap<u64, Vec<FieldTexts>>,
    /// The labels of threads, by their numbers.
    labels: HashMap<u32, String>,
    /// The name of each type.
    types: HashMap<u16, String>,
    /// The log's first time.
    first: Nanos,
    /// Whether thread numbers in events are those of the model.
    is_one_process: bool,
}

/// A hit without its words: kind, time, length, and place.
type Key = (HitKind, Nanos, Option<Nanos>, u64);

fn key(hit: &Hit) -> Key {
    (hit.kind, hit.time, hit.length, hit.place)
}

/// Checks `count` random queries about a log. Returns how many hits were compared.
///
/// # Errors
/// A text about the first difference.
pub fn check_queries(log: &[u8], count: usize, random: &mut fastrand::Rng) -> Result<usize, String> {
    let mut model = model_in_steps(log, random.usize(50..log.len().max(51)));
    if model.error().is_some() {
        return Ok(0);
    }
    replay(&mut model, log);
    let Some(all) = Everything::of(&mut model, log)? else { return Ok(0) };
    let mut compared = 0;
    for _ in 0..count {
        let conditions: Vec<(bool, Meant)> =
            (0..random.usize(1..4)).map(|_| (random.u8(..4) > 0, Meant::random(&all, random))).collect();
        compared +=
            all.check(&conditions, &mut model, log).map_err(|why| format!("{}: {why}", written(&conditions)))?;
    }
    Ok(compared)
}

fn written(conditions: &[(bool, Meant)]) -> String {
    let one = |(holds, meant): &(bool, Meant)| format!("{}{}", if *holds { "" } else { "-" }, meant.written());
    conditions.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// What a query finds, and how many it says that it found; `None` if the log cannot be searched.
fn found(model: &mut Model, log: &[u8], query: &Query, wishes: FindWishes) -> Result<Option<(Vec<Hit>, u64)>, String> {
    // With little room, hits are looked for in several steps.
    let Some(mut find) = model.find_within(query, FindWishes { most_text: usize::MAX, ..wishes }, 1 << 16) else {
        return Ok(None);
    };
    if work(&mut find, model, part_of(log)) != Ok(true) {
        return Err("the search came to no end".into());
    }
    let mut hits = find.take_hits();
    if wishes.order != FindOrder::InTime {
        hits.extend(HitKind::ALL.into_iter().flat_map(|kind| find.hits(kind)).cloned());
    } else if !hits.is_sorted_by_key(|hit| hit.time) {
        return Err("not in order of time".into());
    }
    Ok(Some((hits, find.total())))
}

/// All hits are kept.
const ALL: FindOrder = FindOrder::Nearest(Nanos(0), usize::MAX / 4);

fn in_order(order: FindOrder) -> FindWishes {
    FindWishes { order, ..FindWishes::default() }
}

impl Everything {
    fn of(model: &mut Model, log: &[u8]) -> Result<Option<Self>, String> {
        let Some((hits, total)) = found(model, log, &Query::default(), in_order(ALL))? else { return Ok(None) };
        if hits.len() as u64 != total {
            return Err(format!("{total} hits without conditions, of which there are {}", hits.len()));
        }
        let (mut decoder, mut fields, mut headers) = (Decoder::new(), HashMap::new(), 0);
        while let Ok(step) = decoder.next(Chunk { bytes: log, offset: 0, last: true }) {
            match step {
                Step::Event(record) if record.is_block_marker() => {}
                Step::Event(record) => {
                    let mut of_event: Vec<FieldTexts> = Vec::new();
                    record.visit(|name, value| of_event.push(texts(name, &value)));
                    fields.insert(record.offset, of_event);
                }
                Step::Header => headers += 1,
                Step::Notice(_) => {}
                Step::Need(_) | Step::End => break,
            }
        }
        let mut events: Vec<u64> = hits.iter().filter(|hit| !hit.kind.is_span()).map(|hit| hit.place).collect();
        let mut decoded: Vec<u64> = fields.keys().copied().collect();
        events.sort_unstable();
        decoded.sort_unstable();
        if events != decoded {
            return Err(format!("{} of {} events are found without conditions", events.len(), decoded.len()));
        }
        let threads = model.threads();
        let label = |id| Some(threads.label(id)?.for_comparing().to_owned());
        let labels = threads.rows().iter().filter_map(|row| Some((row.id.0, label(row.id)?))).collect();
        let tags = hits.iter().filter_map(|hit| hit.tag);
        let types = tags.map(|tag| (tag, model.type_name(tag).for_comparing().to_owned())).collect();
        let first = model.extent().map_or(Nanos(0), |(first, _)| first);
        Ok(Some(Self { hits, fields, labels, types, first, is_one_process: headers <= 1 }))
    }

    fn check(&self, conditions: &[(bool, Meant)], model: &mut Model, log: &[u8]) -> Result<usize, String> {
        let text = written(conditions);
        let is_readable = conditions.iter().all(|(_, meant)| meant.is_readable());
        let query = match Query::parse(&text) {
            Ok(query) if is_readable => query,
            Ok(_) => return Err("is read, although it is no query".into()),
            Err(_) if !is_readable => return Ok(0),
            Err(error) => return Err(error.to_string()),
        };
        let _ = (model.find_names(&query), model.complete(&text, text.len() / 2));
        // A type that the log does not have.
        if model.check_query(&query).is_err() {
            return Ok(0);
        }
        let finds = |hit: &&Hit| conditions.iter().all(|(holds, meant)| meant.holds(hit, self) == Some(*holds));
        let is_known = |hit: &Hit| conditions.iter().all(|(_, meant)| meant.holds(hit, self).is_some());
        let mut expected: Vec<Key> = self.hits.iter().filter(|hit| is_known(hit)).filter(finds).map(key).collect();
        expected.sort_unstable();
        let orders: &[FindOrder] = if expected.len() > MOST_HITS { &[ALL] } else { &[ALL, FindOrder::InTime] };
        let mut total = 0;
        for order in orders {
            let Some((hits, counted)) = found(model, log, &query, in_order(*order))? else { return Ok(0) };
            if hits.len() as u64 != counted {
                return Err(format!("{counted} hits, of which there are {}", hits.len()));
            }
            total = counted;
            let mut keys: Vec<Key> = hits.iter().filter(|hit| is_known(hit)).map(key).collect();
            keys.sort_unstable();
            differ(&keys, &expected).map_err(|why| format!("{order:?}: {why}"))?;
            if let Some(wrong) = hits.iter().find(|hit| !self.hits.contains(hit)) {
                return Err(format!("{wrong:?} is not in the log"));
            }
        }
        let without_room = found(model, log, &query, in_order(FindOrder::Nearest(Nanos(0), 0)))?;
        if without_room.as_ref().map(|(_, total)| *total) != Some(total) {
            return Err(format!("{total} hits, but {without_room:?} without room for them"));
        }
        // The list has all events.
        if self.hits.iter().any(|hit| !hit.kind.is_span() && !is_known(hit)) {
            return Ok(expected.len());
        }
        self.check_list(&text, expected.iter().filter(|(kind, ..)| !kind.is_span()).count(), model, log)?;
        Ok(expected.len())
    }

    /// The list of events has as many rows as there are events among the hits.
    fn check_list(&self, text: &str, expected: usize, model: &mut Model, log: &[u8]) -> Result<(), String> {
        let wish = EventsWish { by_time: true, query: text.into(), ..EventsWish::default() };
        let Some(mut count) = model.count_events(&wish).map_err(|error| error.to_string())? else { return Ok(()) };
        if work(&mut count, model, part_of(log)) != Ok(true) {
            return Err("counting events came to no end".into());
        }
        if count.found() != expected as u64 {
            return Err(format!("{} rows in the list of events, {expected} events", count.found()));
        }
        Ok(())
    }
}

fn differ(found: &[Key], expected: &[Key]) -> Result<(), String> {
    let at = found.iter().zip(expected).position(|(one, other)| one != other);
    let at = at.unwrap_or(found.len().min(expected.len()));
    match (found.get(at), expected.get(at)) {
        (None, None) => Ok(()),
        (one, other) => {
            Err(format!("{} hits instead of {}: {one:?} instead of {other:?}", found.len(), expected.len()))
        }
    }
}

/// A field as a search sees it.
fn texts(name: &'static str, value: &Value<'_>) -> FieldTexts {
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (is_text, ways) = match value {
        Value::Number(of) | Value::Time(Nanos(of)) => (false, vec![of.to_string()]),
        Value::Thread(of) => (false, vec![of.0.to_string()]),
        Value::Cap(of) => (false, vec![of.0.to_string()]),
        Value::Capset(of) => (false, vec![of.0.to_string()]),
        Value::Task(of) => (false, vec![of.0.to_string()]),
        Value::Address(of) => (false, vec![format!("{of:#x}")]),
        Value::Name(name, of) => (false, name.iter().map(ToString::to_string).chain([of.to_string()]).collect()),
        Value::Stack(stack) => (false, stack.iter().map(|centre| centre.0.to_string()).collect()),
        Value::Text(text) => (true, vec![lossy(text.0)]),
        Value::List(list) => (true, list.iter().map(|text| lossy(text.0)).collect()),
        Value::Raw(_) | Value::Absent => (false, Vec::new()),
    };
    (name, is_text, ways)
}
