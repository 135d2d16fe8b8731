//! The texts of a type's events, except for their numbers.

use crate::terms::small_letters::small_letters;
use alloc::{
    string::{String, ToString},
    vec,
    vec::Vec,
};
use ghc_eventlog::{EventInfo, Header, Nanos, Record, StopThread, Value, Wire, info};
use ghc_eventlog_text::{Style, fields_to};

/// A sentence about an event of a type, and the bytes of its fields.
pub(super) struct MadeUp {
    pub(super) payload: Vec<u8>,
    pub(super) text: String,
}

/// Whether events with these fields have a text of the log.
pub(super) fn has_text(info: &EventInfo) -> bool {
    info.wire.iter().any(|field| matches!(field, Wire::CStr | Wire::Open))
}

/// An event that is not in any log.
pub(super) fn made_up(tag: u16, payload: &[u8]) -> Record<'_> {
    Record { offset: 0, time: Nanos(0), tag, cap: None, known: true, payload }
}

/// What sentences about events of a type consist of, besides numbers; `None` if they have texts of the log, or words for
/// numbers.
pub(super) fn words(tag: u16, headers: &[&Header]) -> Option<String> {
    let sentences = sentences(tag, 0)?;
    let mut words: String = sentences.into_iter().map(|sentence| sentence.text + "\n").collect();
    // An event in an unknown form is shown with this description only.
    for declared in headers.iter().filter_map(|header| header.declared(tag)) {
        words.push_str(&declared.description);
        words.push('\n');
    }
    Some(words)
}

/// Sentences about events of a type whose numbers consist of a byte, in all forms of the event; `None` as for [`words`].
pub(super) fn sentences(tag: u16, byte: u8) -> Option<Vec<MadeUp>> {
    let info = info(tag).filter(|info| !has_text(info))?;
    let newest: usize = info.wire.iter().map(|field| field.newest_size()).sum();
    let filled = vec![byte; newest];
    let payloads: Vec<Vec<u8>> = if tag == StopThread::TAG {
        let stopped = |status: u8| [[byte; 4].as_slice(), &[0, status], &[byte; 4]].concat();
        (0..64).map(stopped).chain([filled]).collect()
    } else {
        let mut has_names = false;
        made_up(tag, &filled).visit(|_, value| has_names |= matches!(value, Value::Name(..)));
        if has_names {
            return None;
        }
        let oldest = filled.get(..info.min_size).unwrap_or(&filled).to_vec();
        [filled, oldest].into()
    };
    let said = |payload: Vec<u8>| {
        let mut out = Vec::new();
        fields_to(&mut out, &made_up(tag, &payload), &Header::default(), Style::default());
        MadeUp { text: String::from_utf8_lossy(&out).to_string(), payload }
    };
    Some(payloads.into_iter().map(said).collect())
}

/// Stands for a text of the log.
const TEXT: u8 = 1;

/// Sentences about events of a type with texts of the log, in small letters, with a sign in place of each text. `None` if the type has no
/// such texts, if they are lists or bytes, if one of our letters or a digit comes directly before or after one, or if the type has words
/// for numbers. All other texts have their ASCII letters as they are in the log: see `body.rs` of `ghc-eventlog-text`.
pub(super) fn sentences_around_texts(tag: u16, headers: &[&Header]) -> Option<Vec<String>> {
    let info = info(tag).filter(|info| has_text(info))?;
    let around: Option<Vec<String>> = [0, 0xff].iter().map(|byte| around_texts(info, *byte)).collect();
    // An event that is too short is shown with this description only.
    let declared = headers.iter().filter_map(|header| header.declared(tag));
    Some(around?.into_iter().chain(declared.map(|declared| small_letters(&declared.description))).collect())
}

/// One in which all numbers consist of a byte.
fn around_texts(info: &EventInfo, byte: u8) -> Option<String> {
    let mut payload = Vec::new();
    for field in info.wire {
        match field {
            Wire::CStr | Wire::Optional(Wire::CStr) => payload.extend([TEXT, 0]),
            Wire::Open => payload.push(TEXT),
            Wire::Number(size) | Wire::Optional(Wire::Number(size)) => payload.resize(payload.len() + size, byte),
            _ => return None,
        }
    }
    let event = made_up(info.tag, &payload);
    let mut are_plain = true;
    event.visit(|_, value| {
        are_plain &= !matches!(value, Value::Name(..) | Value::List(_) | Value::Raw(_) | Value::Stack(_));
    });
    let mut out = Vec::new();
    fields_to(&mut out, &event, &Header::default(), Style::default());
    let sentence = small_letters(&String::from_utf8(out).ok().filter(|_| are_plain)?);
    let is_apart = |window: &[u8]| match window {
        [TEXT, other] | [other, TEXT] => *other != TEXT && !other.is_ascii_alphanumeric(),
        _ => true,
    };
    sentence.as_bytes().windows(2).all(is_apart).then_some(sentence)
}
