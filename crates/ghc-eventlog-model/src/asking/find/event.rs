//! Whether an event is a hit.

use super::finder::{Finder, Prepared, Verdict};
use crate::{asking::query::pattern::Pattern, keeping::threads::Threads, terms::numbering::Numbering};
use alloc::{string::ToString, vec::Vec};
use ghc_eventlog::{Header, Record, ThreadId, ThreadLabel, Value};
use ghc_eventlog_text::{Style, fields_to, said};

/// An event with its surroundings.
#[derive(Clone, Copy)]
pub(in crate::asking) struct SeenEvent<'a> {
    pub(in crate::asking) record: &'a Record<'a>,
    pub(in crate::asking) header: &'a Header,
    /// The thread that runs on its capability.
    pub(in crate::asking) running: Option<ThreadId>,
    /// How its process numbers threads.
    pub(in crate::asking) numbering: Numbering,
}

impl SeenEvent<'_> {
    /// The thread that it is about, or else the one that runs on its capability.
    pub(in crate::asking) fn thread(&self, names_thread: bool) -> Option<ThreadId> {
        let mut named = None;
        if names_thread {
            self.record.visit(|name, value| {
                if let ("thread", Value::Thread(thread)) = (name, value) {
                    named = Some(self.numbering.of(thread));
                }
            });
        }
        named.or(self.running)
    }

    fn has_field(&self, mut is_it: impl FnMut(&str, &Value<'_>) -> bool) -> bool {
        let mut found = false;
        self.record.visit(|name, value| found = found || is_it(name, &value));
        found
    }
}

impl Finder {
    /// Whether it finds an event. `text` is a buffer to reuse.
    #[inline]
    pub(in crate::asking) fn finds_event(&self, seen: SeenEvent<'_>, threads: &Threads, text: &mut Vec<u8>) -> bool {
        self.decides_at_once(seen.record).unwrap_or_else(|| self.decides(seen, threads, text))
    }

    /// The same, if it can be decided by the event's type, its numbers, or a word missing from its bytes.
    #[inline]
    fn decides_at_once(&self, record: &Record<'_>) -> Option<bool> {
        let plan = self.plan(record.tag);
        match plan.verdict {
            Verdict::Always => return Some(true),
            Verdict::Never => return Some(false),
            Verdict::Maybe => {}
        }
        let lacks_digits = plan.in_numbers != 0 && !self.digits.are_in(plan.in_numbers, plan.sizes, record);
        let lacks_word = |word| record.known && !self.in_texts.is_in(word, record.payload);
        (lacks_digits || plan.in_texts.is_some_and(lacks_word)).then_some(false)
    }

    fn decides(&self, seen: SeenEvent<'_>, threads: &Threads, text: &mut Vec<u8>) -> bool {
        let record = seen.record;
        let plan = self.plan(record.tag);
        text.clear();
        self.tests.iter().all(|(holds, test)| {
            let succeeds = match test {
                Prepared::Types(types) => types.has(record.tag),
                Prepared::Cap(cap) => record.cap == Some(*cap),
                Prepared::From(time) => *time <= record.time,
                Prepared::To(time) => record.time < *time,
                Prepared::Longer(_) | Prepared::Shorter(_) => false,
                Prepared::Thread(thread) => seen.thread(plan.names_thread) == Some(*thread),
                Prepared::Threads(places) => is_among(places, seen.thread(plan.names_thread), threads),
                Prepared::Label(pattern) => {
                    record.tag == ThreadLabel::TAG
                        && seen.has_field(|name, value| name == "label" && says(pattern, value))
                }
                Prepared::Field(wanted, pattern) => {
                    seen.has_field(|name, value| name == wanted && has_value(pattern, value, seen.numbering))
                }
                Prepared::Said(pattern) => seen.has_field(|_, value| says(pattern, value)),
                Prepared::Text(pattern) => match said(record) {
                    Some(said) => pattern.matches(said),
                    None => {
                        if text.is_empty() {
                            fields_to(text, record, seen.header, Style::default());
                        }
                        pattern.matches(text)
                    }
                },
            };
            succeeds == *holds
        })
    }
}

/// Whether a thread is at one of some places.
pub(super) fn is_among(places: &[bool], thread: Option<ThreadId>, threads: &Threads) -> bool {
    let place = thread.and_then(|thread| threads.known_place(thread));
    place.and_then(|place| places.get(place)).is_some_and(|is| *is)
}

/// Whether a field is a text that looks like a pattern.
fn says(pattern: &Pattern, value: &Value<'_>) -> bool {
    match value {
        Value::Text(text) => pattern.matches(text.0),
        Value::List(texts) => texts.iter().any(|text| pattern.matches(text.0)),
        _ => false,
    }
}

/// Whether a field's value looks like a pattern, as text or as a number.
fn has_value(pattern: &Pattern, value: &Value<'_>, numbering: Numbering) -> bool {
    let number = |number: u64| pattern.matches(number.to_string().as_bytes());
    match value {
        Value::Number(of) => number(*of),
        Value::Time(time) => number(time.0),
        Value::Thread(thread) => number(numbering.of(*thread).0.into()),
        Value::Cap(cap) => number(cap.0.into()),
        Value::Capset(capset) => number(capset.0.into()),
        Value::Task(task) => number(task.0),
        Value::Address(address) => pattern.matches(alloc::format!("0x{address:x}").as_bytes()),
        Value::Name(name, of) => name.is_some_and(|name| pattern.matches(name.as_bytes())) || number(*of),
        Value::Stack(stack) => stack.iter().any(|centre| number(centre.0.into())),
        Value::Text(_) | Value::List(_) => says(pattern, value),
        Value::Raw(_) | Value::Absent => false,
    }
}
