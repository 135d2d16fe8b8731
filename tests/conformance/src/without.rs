//! A log without some of its events, as a runtime writes it that does not log them.

use ghc_eventlog::{BlockMarker, Chunk, Decoder, EVENTS, Record, Step};
use std::ops::Range;

/// The log without the events that `is_left_out` names by their numbers; `None` if the log is not sound.
pub fn without(log: &[u8], is_left_out: impl Fn(u16) -> bool) -> Option<Vec<u8>> {
    without_records(log, |record| is_left_out(record.tag))
}

/// The same for events by all that they have.
pub fn without_records(log: &[u8], is_left_out: impl Fn(&Record<'_>) -> bool) -> Option<Vec<u8>> {
    let chunk = Chunk { bytes: log, offset: 0, last: true };
    let mut decoder = Decoder::new();
    let (mut blocks, mut left_out): (Vec<(usize, u32)>, Vec<Range<usize>>) = Default::default();
    loop {
        match decoder.next(chunk).ok()? {
            Step::Event(record) if record.is_block_marker() => {
                blocks.push((record.offset as usize, BlockMarker::read(record.payload).size));
            }
            Step::Event(record) if is_left_out(&record) => {
                left_out.push(record.offset as usize..decoder.offset() as usize);
            }
            Step::Event(_) | Step::Header => {}
            Step::Notice(_) | Step::Need(_) => return None,
            Step::End => break,
        }
    }
    let mut copy = log.to_vec();
    for (at, size) in blocks {
        let block = at..at + size as usize;
        let inside = left_out.iter().filter(|range| block.contains(&range.start));
        let bytes: usize = inside.map(|range| range.len()).sum();
        // After the number and the time.
        copy[at + 10..at + 14].copy_from_slice(&(size - bytes as u32).to_be_bytes());
    }
    left_out.into_iter().rev().for_each(|range| drop(copy.drain(range)));
    Some(copy)
}

/// The number of an event, by its name.
///
/// # Panics
/// If there is no such event.
pub fn number_of(name: &str) -> u16 {
    EVENTS.iter().find(|info| info.name == name).unwrap_or_else(|| panic!("no event {name}")).tag
}
