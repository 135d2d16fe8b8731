//! Checks stripped copies of any log, independently of the code that makes them: from the decoder's view of the log and
//! of the copy.

use crate::decode_in_steps;
use ghc_eventlog::{Chunk, Decoder, EVENTS, EventType, NoticeKind, Record, Step, VARIABLE, Value, ghcs_description};
use ghc_eventlog_strip::{Strip, Stripping};
use std::ops::Range;

/// The filler for bytes that are left out: in records, and everywhere else.
const FILLER: [u8; 2] = [b'*', 0xfe];

/// The copy of a log that comes `step` bytes at a time.
pub fn copy_in_steps(log: &[u8], strip: Strip, step: usize) -> Vec<u8> {
    let (mut stripping, mut copy) = (Stripping::new(strip), Vec::new());
    log.chunks(step.max(1)).for_each(|bytes| stripping.feed(bytes, &mut copy));
    stripping.finish(&mut copy);
    copy
}

/// Every choice of what is left out.
pub fn all_strips() -> [Strip; 8] {
    std::array::from_fn(|choice| Strip { env: choice & 1 > 0, args: choice & 2 > 0, messages: choice & 4 > 0 })
}

/// The parts of a log, according to the decoder.
#[derive(Default)]
struct Made {
    /// Bytes that may be in the copy: heads and known fields of events, without what is left out.
    kept: Vec<Range<usize>>,
    /// End marks.
    ends: Vec<usize>,
    /// Headers with their event types; `None` for headers that do not end.
    headers: Vec<(Range<usize>, Option<Vec<EventType>>)>,
}

/// Checks a log's copy byte by byte; returns how many bytes of records are unchanged.
///
/// # Errors
/// What is wrong with it.
pub fn check_copy(log: &[u8], strip: Strip) -> Result<usize, String> {
    let copy = copy_in_steps(log, strip, log.len());
    if copy.len() != log.len() {
        return Err(format!("the copy of {} bytes has {}", log.len(), copy.len()));
    }
    let made = made_of(log, strip);
    let mut at = 0;
    let mut pieces: Vec<(Range<usize>, Piece<'_>)> = made.kept.iter().map(|kept| (kept.clone(), Piece::Kept)).collect();
    pieces.extend(made.ends.iter().map(|end| (*end..end + 2, Piece::Kept)));
    pieces.extend(made.headers.iter().map(|(range, types)| (range.clone(), Piece::Header(types.as_deref()))));
    pieces.sort_by_key(|(range, _)| (range.start, range.end));
    let mut kept = 0;
    for (range, piece) in pieces {
        only_filler(&copy, at..range.start)?;
        match piece {
            Piece::Kept if copy[range.clone()] != log[range.clone()] => {
                return Err(format!("{range:?} should be as it was, and is {}", copy[range.clone()].escape_ascii()));
            }
            Piece::Kept => kept += range.len(),
            Piece::Header(types) => {
                check_header(&copy[range.clone()], types).map_err(|why| format!("the header at {range:?}: {why}"))?
            }
        }
        at = range.end;
    }
    only_filler(&copy, at..copy.len())?;
    Ok(kept)
}

/// Checks the copy of any bytes, for one choice of what to leave out, and that it does not depend on the size of the
/// chunks.
///
/// # Errors
/// What is wrong with it.
pub fn check_strip(log: &[u8], choice: usize) -> Result<usize, String> {
    let strips = all_strips();
    let strip = strips[choice % strips.len()];
    let kept = check_copy(log, strip)?;
    let whole = copy_in_steps(log, strip, log.len());
    let step = 1 + choice * choice;
    if copy_in_steps(log, strip, step) != whole {
        return Err(format!("the copy differs where the log comes {step} bytes at a time"));
    }
    Ok(kept)
}

enum Piece<'a> {
    Kept,
    Header(Option<&'a [EventType]>),
}

fn only_filler(copy: &[u8], range: Range<usize>) -> Result<(), String> {
    let other = copy[range.clone()].iter().position(|byte| !FILLER.contains(byte));
    let Some(at) = other.map(|at| range.start + at) else { return Ok(()) };
    Err(format!(
        "byte {at} should be left out, and is {:?}",
        copy[at..range.end.min(at + 20)].escape_ascii().to_string()
    ))
}

fn made_of(log: &[u8], strip: Strip) -> Made {
    let chunk = Chunk { bytes: log, offset: 0, last: true };
    let (mut decoder, mut made) = (Decoder::new(), Made::default());
    // The start of the open header, and the offset up to which everything is done.
    let (mut header, mut done) = (Some(0), 0);
    loop {
        let step = decoder.next(chunk);
        let (to, before) = (decoder.offset() as usize, done);
        let from = match step {
            Ok(Step::Event(record)) => {
                keep(&record, to, strip, &mut made.kept);
                record.offset as usize
            }
            _ => to,
        };
        // There is an end mark where a record was due.
        if header.is_none() && from >= before + 2 && log[before..].starts_with(&[0xff, 0xff]) {
            made.ends.push(before);
        }
        done = to;
        match step {
            Ok(Step::Header) => {
                let types = decoder.header().types().to_vec();
                made.headers.extend(header.take().map(|from| (from..to, Some(types))));
            }
            Ok(Step::Notice(notice)) => match notice.kind {
                NoticeKind::FurtherStream => header = Some(to),
                NoticeKind::Cut { tag: Some(tag), .. } => {
                    // Its number, and its length if it has one.
                    let at = notice.offset as usize;
                    made.kept.push(at..at + 2);
                    let is_variable = decoder.header().declared(tag).is_some_and(|declared| declared.size == VARIABLE);
                    if is_variable && log.len() >= at + 12 {
                        made.kept.push(at + 10..at + 12);
                    }
                }
                NoticeKind::FurtherHeader(_) => made.headers.extend(header.take().map(|from| (from..to, None))),
                _ => {}
            },
            Ok(Step::Event(_)) => {}
            Ok(Step::Need(_) | Step::End) | Err(_) => break,
        }
    }
    made.headers.extend(header.map(|from| (from..log.len(), None)));
    made
}

/// Collects the bytes of a record ending at `end` that may be in the copy.
fn keep(record: &Record<'_>, end: usize, strip: Strip, kept: &mut Vec<Range<usize>>) {
    let payload = end - record.payload.len();
    let mut at = record.offset as usize;
    if record.known && is_left_out(record.tag, strip) {
        record.visit(|_, value| {
            for text in texts(record.tag, value).into_iter().filter(|text| !text.is_empty()) {
                let from = payload + (text.as_ptr() as usize - record.payload.as_ptr() as usize);
                kept.push(at..from);
                at = from + text.len();
            }
        });
        // There was no text, or NULs separate texts.
        if at < payload || matches!(record.tag, 30 | 160) {
            kept.push(at..payload + record.decode().used);
        }
    } else {
        let used = if record.known { record.decode().used } else { 0 };
        kept.push(at..payload + used);
    }
}

/// The texts of a field that is left out: each argument of a list, but the environment as a whole.
fn texts(tag: u16, value: Value<'_>) -> Vec<&[u8]> {
    match value {
        Value::Text(text) => vec![text.0],
        Value::List(list) if tag == 30 => list.iter().map(|text| text.0).collect(),
        Value::List(list) => vec![list.0],
        Value::Raw(bytes) => vec![bytes],
        _ => Vec::new(),
    }
}

/// Whether the texts of an event are left out, by its name.
fn is_left_out(tag: u16, strip: Strip) -> bool {
    match ghc_eventlog::info(tag).map_or("", |info| info.name) {
        "PROGRAM_ENV" => strip.env,
        "PROGRAM_ARGS" | "PROGRAM_INVOCATION" | "HEAP_PROF_BEGIN" => strip.args,
        "LOG_MSG" | "USER_MSG" | "USER_MARKER" | "USER_BINARY_MSG" => strip.messages,
        _ => false,
    }
}

/// Checks a header of a copy: it may only have empty blocks before it, marks, event types with known or empty
/// descriptions, and filler, and must have the same event types.
fn check_header(copy: &[u8], types: Option<&[EventType]>) -> Result<(), String> {
    let (mut rest, mut found) = (copy, Vec::new());
    while let Some(first) = rest.first() {
        let skip = match rest {
            _ if rest.starts_with(b"hdrbhetb") => 8,
            _ if rest.starts_with(b"hetehdredatb") => 12,
            _ if rest.starts_with(b"etb\0") => {
                let (tag, size, bytes) = check_type(rest)
                    .ok_or_else(|| format!("no event type: {}", rest[..rest.len().min(80)].escape_ascii()))?;
                found.push((tag, size));
                bytes
            }
            // An empty block before it, which has only its number from the log.
            _ if found.is_empty() && rest.strip_prefix(&[0, 18]).is_some_and(|rest| rest.starts_with(&[0; 22])) => 24,
            _ if *first == 0xfe => 1,
            _ => return Err(format!("{} is no part of one", rest[..rest.len().min(40)].escape_ascii())),
        };
        rest = &rest[skip..];
    }
    let differs = types.is_some_and(|types| !types.iter().map(|each| (each.tag, each.size)).eq(found.iter().copied()));
    if differs { Err(format!("other event types: {found:?} for {types:?}")) } else { Ok(()) }
}

/// Number, size and length of the event type at the front, if it contains nothing else.
fn check_type(bytes: &[u8]) -> Option<(u16, u16, usize)> {
    let number = |at: usize| Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
    let text = |at: usize| {
        let length = u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?) as usize;
        bytes.get(at + 4..at + 4 + length)
    };
    let description = text(8)?;
    let extra = text(12 + description.len())?;
    let end = 16 + description.len() + extra.len();
    let ours = EVENTS.iter().any(|info| [info.doc, info.name].iter().any(|own| own.as_bytes() == description));
    let ghcs = ghcs_description(description).is_some_and(|words| words.as_bytes() == description);
    let says_nothing = ours || ghcs || description.iter().all(|byte| *byte == b'*');
    let ends = bytes[end..].starts_with(b"ete\0") || bytes[end..].starts_with(&[0xfe; 4]);
    (says_nothing && ends && extra.iter().all(|byte| *byte == 0)).then_some((number(4)?, number(6)?, end + 4))
}

/// Checks that the decoder finds the same events in a copy as in the log, except for what is left out.
///
/// # Errors
/// What differs first.
pub fn check_events(log: &[u8], strip: Strip) -> Result<usize, String> {
    let copy = copy_in_steps(log, strip, log.len());
    let events = |log: &[u8]| {
        decode_in_steps(log, log.len().max(1), |decoder, record| {
            let end = decoder.offset();
            (record.offset, end, record.time, record.tag, record.cap, record.known)
        })
    };
    let (before, after) = (events(log), events(&copy));
    let same = before.events.iter().zip(&after.events).take_while(|(one, other)| one == other).count();
    if same < before.events.len().max(after.events.len()) {
        return Err(format!("event {same} is {:?}, and was {:?}", after.events.get(same), before.events.get(same)));
    }
    if before.error.is_some() != after.error.is_some() {
        return Err(format!("{:?}, and was {:?}", after.error, before.error));
    }
    Ok(same)
}
