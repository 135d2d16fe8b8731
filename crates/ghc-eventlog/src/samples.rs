//! Small headers, records and logs for this crate's tests.

use crate::{
    events::BlockMarker,
    header::{EventType, Header},
};
use alloc::vec::Vec;

/// RUN_THREAD, of 4 bytes.
pub(crate) const RUN: u16 = 1;

/// The header that declares these numbers with these sizes.
pub(crate) fn header_of(types: &[(u16, u16)], damaged: bool) -> Header {
    let mut header = Header::default();
    for &(tag, size) in types {
        header.declare(EventType { tag, size, description: "".into() });
    }
    header.finish(damaged, false);
    header
}

/// The bytes that declare an event type.
pub(crate) fn event_type(tag: u16, size: u16, description: &[u8]) -> Vec<u8> {
    let length = (description.len() as u32).to_be_bytes();
    let head = [&b"etb\0"[..], &tag.to_be_bytes(), &size.to_be_bytes(), &length].concat();
    [&head[..], description, b"\0\0\0\0ete\0"].concat()
}

/// The bytes of a header with these types.
pub(crate) fn header_bytes(types: &[Vec<u8>]) -> Vec<u8> {
    [b"hdrbhetb", &types.concat()[..], b"hetehdredatb"].concat()
}

/// A record of fixed size.
pub(crate) fn fixed(tag: u16, time: u64, payload: &[u8]) -> Vec<u8> {
    [&tag.to_be_bytes()[..], &time.to_be_bytes(), payload].concat()
}

/// A record that carries its own length.
pub(crate) fn variable(tag: u16, time: u64, payload: &[u8]) -> Vec<u8> {
    fixed(tag, time, &[&(payload.len() as u16).to_be_bytes(), payload].concat())
}

pub(crate) fn run_thread(time: u64) -> Vec<u8> {
    fixed(RUN, time, &[0, 0, 0, 7])
}

/// A block marker of capability 0 that does not say when the block was closed.
pub(crate) fn block(time: u64, size: u32) -> Vec<u8> {
    fixed(BlockMarker::TAG, time, &[&size.to_be_bytes()[..], &[0; 10]].concat())
}
