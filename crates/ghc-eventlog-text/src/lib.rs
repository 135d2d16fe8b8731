//! One event as a line of text, byte for byte as the reference prints it (SHOW 3 to 8); and [`LogText`], the type of all texts that come
//! from a log, with the doors through which they get out.

#![no_std]

extern crate alloc;

mod body;
pub mod doors;
mod flaw;
mod log_text;
mod names;
mod strings;

use alloc::{borrow::Cow, format, string::String, vec::Vec};
pub use flaw::flaw;
use ghc_eventlog::{EventType, Header, Nanos, Record};
pub use log_text::LogText;

/// How lines are written.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    /// Times as seconds, milliseconds and so on.
    pub pretty_time: bool,
    /// As ghc-events 0.21: no block markers, older words for reasons to stop.
    pub old: bool,
    /// Events without a decoder by their number instead of their description.
    pub numbers_unknown: bool,
    /// For a terminal: whatever could do something to it is made visible, so that an event is one line, and nothing but text. The
    /// reference prints such bytes as they are.
    pub visible: bool,
}

impl Style {
    /// What a header calls an event type.
    #[must_use]
    pub fn description<'d>(self, declared: &'d EventType) -> Cow<'d, str> {
        if self.visible {
            Cow::Owned(LogText::from(&*declared.description).for_terminal())
        } else {
            Cow::Borrowed(&*declared.description)
        }
    }
}

/// Puts an event's line, with its line end, behind `out`; what about it is not as it should be.
pub fn line(out: &mut Vec<u8>, record: &Record<'_>, header: &Header, style: Style) -> Option<String> {
    if style.old && record.is_block_marker() {
        return None;
    }
    if style.pretty_time {
        pretty_time(out, record.time)
    } else {
        number(out, record.time.0)
    }
    out.extend_from_slice(b": ");
    if let Some(cap) = record.cap {
        out.extend_from_slice(b"cap ");
        number(out, cap.0.into());
        out.extend_from_slice(b": ");
    }
    let from = out.len();
    let loss = body::body(out, record, header, style);
    // A block marker has a line end of ours, and no text.
    if style.visible && !record.is_block_marker() {
        doors::make_visible(out, from);
    }
    out.push(b'\n');
    loss
}

/// What stands on an event's line behind its time and its capability.
#[must_use]
pub fn fields(record: &Record<'_>, header: &Header) -> LogText<'static> {
    let mut out = Vec::new();
    body::body(&mut out, record, header, Style::default());
    String::from_utf8(out).unwrap_or_default().into()
}

pub(crate) fn number(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Seconds, milliseconds and microseconds are padded to the left, the nanoseconds to the right, and with blanks: 5 ns
/// read `.5  us`. That is how the reference does it.
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
