//! The reference's words for numbers (SHOW 7).

use crate::number;
use alloc::{format, vec::Vec};
use ghc_eventlog::{Breakdown, CapsetType, MessageTag, StopThread};

/// Why a thread stopped; `None` where the reference gives up. `old` means the words of ghc-events 0.21.
pub(crate) fn stop(out: &mut Vec<u8>, stop: &StopThread, old: bool) -> Option<()> {
    let text = match stop.status.0 {
        0 | 19 => "No stop thread status",
        1 => "heap overflow",
        2 => "stack overflow",
        3 => "thread yielding",
        5 => "thread finished",
        6 => "making a foreign call",
        7 => "blocked on an MVar",
        8 => "blocked on black hole owned by thread ",
        9 => "blocked on I/O read",
        10 => "blocked on I/O write",
        11 => "blocked on threadDelay",
        12 => "blocked in STM retry",
        13 => "blocked on asyncDoProc",
        20 => "blocked reading an MVar",
        4 if old => "thread blocked",
        14 | 15 if old => "blocked in a foreign call",
        16 if old => "blocked in throwTo",
        17 if old => "thread migrating",
        18 if old => "waiting for data to be globalised",
        18 => "blocked in throwTo",
        _ if old => "No stop thread status",
        status => {
            out.extend_from_slice(format!("unknown status {status}").as_bytes());
            return None;
        }
    };
    out.extend_from_slice(text.as_bytes());
    let info = stop.info.unwrap_or(0).into();
    match stop.status.0 {
        8 => number(out, info),
        2 if !old => {
            out.extend_from_slice(b", size ");
            number(out, info);
        }
        _ => {}
    }
    Some(())
}

pub(crate) fn capset(kind: CapsetType) -> &'static str {
    match kind.0 {
        1 => "CapsetCustom",
        2 => "CapsetOsProcess",
        3 => "CapsetClockDomain",
        _ => "CapsetUnknown",
    }
}

/// What a heap profile is broken down by; `None` where the reference gives up.
pub(crate) fn breakdown(out: &mut Vec<u8>, breakdown: Breakdown) -> Option<()> {
    named(out, breakdown.text(), breakdown.0)
}

/// A message of Eden's; `None` where the reference gives up.
pub(crate) fn message(out: &mut Vec<u8>, message: MessageTag) -> Option<()> {
    named(out, message.text(), message.0.into())
}

fn named(out: &mut Vec<u8>, name: Option<&str>, value: u32) -> Option<()> {
    match name {
        Some(name) => out.extend_from_slice(name.as_bytes()),
        None => out.extend_from_slice(format!("unknown ({value})").as_bytes()),
    }
    name.map(|_| ())
}
