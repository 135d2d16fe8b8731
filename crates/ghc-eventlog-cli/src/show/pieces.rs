//! A log cut into pieces that can be decoded on their own.

use crate::{
    input::Source,
    loss::Losses,
    reading::{Pause, Reading},
};
use ghc_eventlog::{CapNo, Chunk, Decoder, Error, Header, Nanos, Position, Record, Step};
use std::io;

/// A piece ends at the first record behind this many bytes.
const PIECE: u64 = 128 << 10;

/// A run of records.
pub(crate) struct Piece {
    at: Position,
    end: u64,
    /// The smallest time in it.
    first: Nanos,
    /// The capabilities of its events, each once.
    pub(crate) caps: Vec<Option<CapNo>>,
}

/// All pieces of a log, in order of their first times.
pub(crate) struct Pieces {
    pub(crate) list: Vec<Piece>,
    /// Has read all headers, and can go on from any piece.
    decoder: Decoder,
    header: Header,
}

impl Pieces {
    /// Reads a log, telling of losses; or why it cannot be read.
    pub(crate) fn of(source: &mut Source, losses: &mut Losses) -> io::Result<Result<Self, Error>> {
        let mut reading = Reading::new(source.start()?);
        let mut list: Vec<Piece> = Vec::new();
        let mut open: Option<Piece> = None;
        let mut next = reading.decoder.position();
        let mut header: Option<Header> = None;
        let pause = reading.all(|decoder, step| {
            match step {
                Step::Event(record) => {
                    let piece = open.get_or_insert_with(|| Piece { at: next, end: 0, first: Nanos::MAX, caps: vec![] });
                    piece.add(&record, decoder.offset());
                    if piece.end - piece.at.offset >= PIECE {
                        list.extend(open.take());
                        next = decoder.position();
                    }
                }
                Step::Header => {
                    header.get_or_insert_with(|| decoder.header().clone());
                    list.extend(open.take());
                    next = decoder.position();
                }
                Step::Notice(notice) => losses.notice(notice),
                Step::Need(_) | Step::End => {}
            }
            Ok(())
        })?;
        if let Pause::Unreadable(error) = pause {
            return Ok(Err(error));
        }
        list.extend(open);
        list.sort_by_key(Piece::key);
        Ok(Ok(Self { list, decoder: reading.decoder, header: header.unwrap_or_default() }))
    }

    /// The log's first header.
    pub(crate) fn header(&self) -> &Header {
        &self.header
    }
}

impl Piece {
    /// A time and place that none of its records comes before.
    pub(crate) fn key(&self) -> (Nanos, u64) {
        (self.first, self.at.offset)
    }

    fn add(&mut self, record: &Record<'_>, end: u64) {
        self.end = end;
        self.first = self.first.min(record.time);
        if self.caps.last() != Some(&record.cap) && !self.caps.contains(&record.cap) {
            self.caps.push(record.cap);
        }
    }
}

/// A piece in memory, its records in order of time.
pub(crate) struct Loaded {
    bytes: Vec<u8>,
    offset: u64,
    records: Vec<Place>,
    next: usize,
    pub(crate) header: Header,
}

/// A record's place in its piece.
#[derive(Clone, Copy)]
struct Place {
    time: Nanos,
    at: u32,
    payload: u32,
    length: u16,
    tag: u16,
    cap: Option<CapNo>,
    known: bool,
}

impl Loaded {
    /// Reads a piece.
    pub(crate) fn of(source: &mut Source, pieces: &Pieces, piece: &Piece) -> io::Result<Self> {
        let bytes = source.range(piece.at.offset, piece.end)?;
        let offset = piece.at.offset;
        let mut decoder = pieces.decoder.resumed(piece.at);
        let mut records = Vec::with_capacity(bytes.len() / 16);
        let chunk = Chunk { bytes: &bytes, offset, last: true };
        while let Ok(step) = decoder.next(chunk) {
            match step {
                Step::Event(record) => records.push(Place::of(&record, offset, decoder.offset())),
                Step::Header | Step::Notice(_) => {}
                Step::Need(_) | Step::End => break,
            }
        }
        // Stable: what is equal stays in order of the file.
        records.sort_by_key(|place| place.time);
        let header = decoder.header().clone();
        Ok(Self { bytes, offset, records, next: 0, header })
    }

    /// Time and place of the next record; `None` at the end.
    pub(crate) fn key(&self) -> Option<(Nanos, u64)> {
        self.records.get(self.next).map(|place| (place.time, self.offset + u64::from(place.at)))
    }

    /// Goes past the next record, and returns it.
    pub(crate) fn take(&mut self) -> Option<Record<'_>> {
        let place = *self.records.get(self.next)?;
        self.next += 1;
        let from = place.payload as usize;
        Some(Record {
            offset: self.offset + u64::from(place.at),
            time: place.time,
            tag: place.tag,
            cap: place.cap,
            known: place.known,
            payload: self.bytes.get(from..from + usize::from(place.length)).unwrap_or_default(),
        })
    }
}

impl Place {
    fn of(record: &Record<'_>, offset: u64, end: u64) -> Self {
        Self {
            time: record.time,
            at: (record.offset - offset) as u32,
            payload: (end - offset) as u32 - record.payload.len() as u32,
            length: record.payload.len() as u16,
            tag: record.tag,
            cap: record.cap,
            known: record.known,
        }
    }
}
