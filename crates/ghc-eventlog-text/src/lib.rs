//! Writes one event as a line of text, byte for byte as the reference implementation prints it (SHOW 3 to 8). Also has
//! [`LogText`], the type of all texts that come from a log, and the doors that turn them into output.

#![no_std]

extern crate alloc;

mod body;
pub mod doors;
mod flaw;
mod log_text;
mod middle;
mod names;
mod strings;

use alloc::{borrow::Cow, format, string::String, vec::Vec};
pub use flaw::flaw;
use ghc_eventlog::{CapNo, EventType, Header, Nanos, Record, UserMsg};
pub use log_text::LogText;
pub use middle::{middle, shortened};

/// How lines are written.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    /// Write times as seconds, milliseconds and so on.
    pub pretty_time: bool,
    /// Write what ghc-events 0.21 writes: no block markers, and older words for stop reasons.
    pub old: bool,
    /// Name events without a decoder by their number instead of their description.
    pub numbers_unknown: bool,
    /// Escape hidden characters, for a terminal: then an event is one line and only text. The reference prints such
    /// bytes as they are.
    pub visible: bool,
}

impl Style {
    /// The header's description of an event type.
    #[must_use]
    pub fn description<'d>(self, declared: &'d EventType) -> Cow<'d, str> {
        if self.visible {
            Cow::Owned(LogText::from(&*declared.description).for_terminal())
        } else {
            Cow::Borrowed(&*declared.description)
        }
    }
}

/// Appends an event's line, with its line end, to `out`. Returns what is wrong with its fields, if anything.
pub fn line(out: &mut Vec<u8>, record: &Record<'_>, header: &Header, style: Style) -> Option<String> {
    if style.old && record.is_block_marker() {
        return None;
    }
    head(out, record.time, record.cap, style);
    let loss = fields_to(out, record, header, style);
    out.push(b'\n');
    loss
}

/// Appends the begin of an event's line to `out`: its time and its capability, each with a colon and a blank.
pub fn head(out: &mut Vec<u8>, time: Nanos, cap: Option<CapNo>, style: Style) {
    if style.pretty_time {
        pretty_time(out, time)
    } else {
        number(out, time.0)
    }
    out.extend_from_slice(b": ");
    if let Some(cap) = cap {
        out.extend_from_slice(b"cap ");
        number(out, cap.0.into());
        out.extend_from_slice(b": ");
    }
}

/// Appends the part of an event's line after its time and its capability to `out`. Returns what is wrong with its fields, if
/// anything.
pub fn fields_to(out: &mut Vec<u8>, record: &Record<'_>, header: &Header, style: Style) -> Option<String> {
    let from = out.len();
    let loss = body::body(out, record, header, style);
    // A block marker has our own line end within it, and no text from the log.
    if style.visible && !record.is_block_marker() {
        doors::make_visible(out, from);
    }
    loss
}

/// The part of an event's line after its time and its capability.
#[must_use]
pub fn fields(record: &Record<'_>, header: &Header) -> LogText<'static> {
    let mut out = Vec::new();
    body::body(&mut out, record, header, Style::default());
    String::from_utf8(out).unwrap_or_default().into()
}

/// The text of a message of which [`fields_to`] writes the text and nothing else. Bytes that are not UTF-8 are as they are in the log.
#[must_use]
pub fn said<'a>(record: &Record<'a>) -> Option<&'a [u8]> {
    (record.known && record.tag == UserMsg::TAG).then(|| UserMsg::read(record.payload).text.0)
}

pub(crate) fn number(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Seconds, milliseconds and microseconds are padded on the left, nanoseconds on the right with blanks: 5 ns is `.5
/// us`. The reference does it this way.
fn pretty_time(out: &mut Vec<u8>, time: Nanos) {
    let (us, ns) = (time.0 / 1000, time.0 % 1000);
    let (ms, s) = (us / 1000, us / 1_000_000);
    out.extend_from_slice(format!("{s:>3}s {:>3}ms {:>3}.{ns:<3}us", ms % 1000, us % 1000).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pretty_times_are_padded_as_the_reference_pads_them() {
        let pretty = |ns| {
            let mut out = Vec::new();
            pretty_time(&mut out, Nanos(ns));
            String::from_utf8(out).unwrap()
        };
        assert_eq!(pretty(0), "  0s   0ms   0.0  us");
        assert_eq!(pretty(5), "  0s   0ms   0.5  us");
        assert_eq!(pretty(42), "  0s   0ms   0.42 us");
        assert_eq!(pretty(12_345_678), "  0s  12ms 345.678us");
        assert_eq!(pretty(1_234_567_890), "  1s 234ms 567.890us");
        assert_eq!(pretty(12_345_678_901_234), "12345s 678ms 901.234us");
    }
}
