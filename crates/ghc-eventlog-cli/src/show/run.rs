//! Sorted records in a temporary file, for what does not fit into memory until it is printed.

use crate::{
    input::{no_room, temporary},
    say::without_number,
};
use ghc_eventlog::{CapNo, Nanos, Record};
use std::{
    fs::File,
    io::{self, BufWriter, Cursor, Read, Seek, Write},
};

/// The sort key of records: group, time, offset in the file.
pub(crate) type Key = (u64, Nanos, u64);

/// A record with everything that is needed to sort and to print it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Item<'a> {
    /// The group by which records are printed together; 0 if they are not grouped.
    pub(crate) group: u64,
    /// The index of its header in [`super::pieces::Pieces::headers`].
    pub(crate) header: u16,
    pub(crate) record: Record<'a>,
}

impl Item<'_> {
    pub(crate) fn key(&self) -> Key {
        (self.group, self.record.time, self.record.offset)
    }
}

/// The bytes of an item before its payload.
const HEAD: usize = 33;

/// How many bytes are read at a time; more than the longest item has.
const BUFFER: usize = 1 << 17;

/// Writes an item as [`decoded`] reads it.
pub(crate) fn encode(item: &Item<'_>, out: &mut Vec<u8>) {
    let Item { group, header, record } = item;
    // As on the wire: the number of no capability is that of the global buffer.
    let cap = record.cap.unwrap_or(CapNo::GLOBAL).0;
    // A payload's length comes from two bytes of the log, and so fits into them.
    let length = record.payload.len() as u16;
    out.extend_from_slice(&group.to_le_bytes());
    out.extend_from_slice(&record.time.0.to_le_bytes());
    out.extend_from_slice(&record.offset.to_le_bytes());
    for number in [record.tag, cap, *header, length] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    out.push(record.known.into());
    out.extend_from_slice(record.payload);
}

/// The item at the front of `bytes`, and its length; `None` if it is not complete.
pub(crate) fn decoded(bytes: &[u8]) -> Option<(Item<'_>, usize)> {
    let (group, rest) = bytes.split_first_chunk()?;
    let (time, rest) = rest.split_first_chunk()?;
    let (offset, rest) = rest.split_first_chunk()?;
    let (tag, rest) = rest.split_first_chunk()?;
    let (cap, rest) = rest.split_first_chunk()?;
    let (header, rest) = rest.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let (&known, rest) = rest.split_first()?;
    let payload = rest.get(..usize::from(u16::from_le_bytes(*length)))?;
    let cap = CapNo(u16::from_le_bytes(*cap));
    let record = Record {
        offset: u64::from_le_bytes(*offset),
        time: Nanos(u64::from_le_bytes(*time)),
        tag: u16::from_le_bytes(*tag),
        cap: (cap != CapNo::GLOBAL).then_some(cap),
        known: known == 1,
        payload,
    };
    let (group, header) = (u64::from_le_bytes(*group), u16::from_le_bytes(*header));
    Some((Item { group, header, record }, HEAD + payload.len()))
}

/// A reader of sorted items.
pub(crate) struct Run {
    input: Box<dyn Read>,
    buffer: Vec<u8>,
    /// Where the next item begins in the buffer.
    at: usize,
    /// Its key and its length, once it has been looked at.
    next: Option<(Key, usize)>,
    /// How many merges made this run. Runs of level 0 were written from memory.
    pub(crate) level: u32,
}

impl Run {
    /// A run in memory, of encoded items.
    pub(crate) fn in_memory(items: Vec<u8>) -> Self {
        Self::of(Box::new(Cursor::new(items)), 0)
    }

    fn of(input: Box<dyn Read>, level: u32) -> Self {
        Self { input, buffer: Vec::new(), at: 0, next: None, level }
    }

    /// The next item's key; `None` at the end.
    pub(crate) fn key(&mut self) -> io::Result<Option<Key>> {
        Ok(self.look()?.map(|(key, _)| key))
    }

    /// Returns the next item, and moves past it.
    pub(crate) fn take(&mut self) -> io::Result<Option<Item<'_>>> {
        let Some((_, length)) = self.look()? else { return Ok(None) };
        let from = self.at;
        self.at += length;
        self.next = None;
        Ok(self.buffer.get(from..).and_then(decoded).map(|(item, _)| item))
    }

    fn look(&mut self) -> io::Result<Option<(Key, usize)>> {
        if self.next.is_none() {
            self.next = self.first_in_buffer();
        }
        if self.next.is_none() {
            self.fill()?;
            self.next = self.first_in_buffer();
        }
        Ok(self.next)
    }

    fn first_in_buffer(&self) -> Option<(Key, usize)> {
        self.buffer.get(self.at..).and_then(decoded).map(|(item, length)| (item.key(), length))
    }

    fn fill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.at.min(self.buffer.len()));
        self.at = 0;
        let room = BUFFER.saturating_sub(self.buffer.len()) as u64;
        self.input.by_ref().take(room).read_to_end(&mut self.buffer).map_err(|error| {
            let reason = without_number(&error.to_string());
            io::Error::new(error.kind(), format!("cannot read a temporary file: {reason}"))
        })?;
        let half_an_item = decoded(&self.buffer).is_none() && !self.buffer.is_empty();
        if half_an_item { Err(io::Error::other("a temporary file has lost its end")) } else { Ok(()) }
    }
}

/// Writes items to a temporary file. They must come in order.
pub(crate) struct Writer {
    file: BufWriter<File>,
    item: Vec<u8>,
}

impl Writer {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self { file: BufWriter::with_capacity(BUFFER, temporary()?), item: Vec::new() })
    }

    pub(crate) fn add(&mut self, item: &Item<'_>) -> io::Result<()> {
        self.item.clear();
        encode(item, &mut self.item);
        self.file.write_all(&self.item).map_err(|error| no_room(&error))
    }

    /// Adds an item that is encoded already.
    pub(crate) fn add_encoded(&mut self, item: &[u8]) -> io::Result<()> {
        self.file.write_all(item).map_err(|error| no_room(&error))
    }

    pub(crate) fn finish(self, level: u32) -> io::Result<Run> {
        let mut file = self.file.into_inner().map_err(|error| no_room(error.error()))?;
        file.rewind()?;
        Ok(Run::of(Box::new(file), level))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "that is how tests fail")]
mod tests {
    use super::*;

    #[test]
    fn items_come_back_as_they_were() {
        let long = vec![7; 0xffff];
        let payloads: [&[u8]; 4] = [b"", b"abc", &long, &long];
        let caps = [None, Some(CapNo(0)), Some(CapNo(0xfffe)), None];
        let items: Vec<Item<'_>> = (0..40_u16)
            .map(|number| {
                let which = usize::from(number) % 4;
                let record = Record {
                    offset: u64::MAX - u64::from(number),
                    time: Nanos(u64::from(number) << 50),
                    tag: number,
                    cap: caps[which],
                    known: which == 1,
                    payload: payloads[which],
                };
                Item { group: u64::from(number) << 40, header: 63, record }
            })
            .collect();
        let mut writer = Writer::new().unwrap();
        items.iter().for_each(|item| writer.add(item).unwrap());
        let mut run = writer.finish(3).unwrap();
        for item in &items {
            assert_eq!(run.key().unwrap(), Some(item.key()));
            assert_eq!(run.take().unwrap().as_ref(), Some(item));
        }
        assert_eq!(run.take().unwrap(), None);
    }

    #[test]
    fn a_run_that_ends_within_an_item_is_an_error() {
        let record = Record { offset: 0, time: Nanos(0), tag: 0, cap: None, known: true, payload: b"abc" };
        let mut bytes = Vec::new();
        encode(&Item { group: 0, header: 0, record }, &mut bytes);
        bytes.pop();
        assert!(Run::in_memory(bytes).key().is_err());
    }
}
