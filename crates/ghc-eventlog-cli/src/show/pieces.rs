//! Cuts a log into pieces that can be decoded on their own.

use super::run::{Item, Key};
use crate::{
    input::{Source, about},
    loss::Losses,
    progress,
    reading::{Pause, Reading, Visitor},
};
use ghc_eventlog::{CapNo, Chunk, Decoder, Header, Nanos, NoticeKind, PartDecoder, Position, Record, Step};
use std::io;

/// How many bytes are read beyond a piece's end. This is nearly always enough to confirm its last record.
const LOOK_AHEAD: u64 = 4 << 10;

/// A run of records.
pub(crate) struct Piece {
    start: Start,
    /// Where its last record ends.
    end: u64,
    /// The smallest time in it.
    first: Nanos,
    sum: Sum,
}

/// Where a piece can begin.
#[derive(Clone, Copy)]
struct Start {
    at: Position,
    /// The index of the header in force.
    header: u16,
}

/// The pieces of a log, in order of their first times.
pub(crate) struct Pieces {
    pub(crate) list: Vec<Piece>,
    /// A decoder that has read all headers, and can continue at any piece.
    decoder: Decoder,
    /// All different headers, the log's first one first.
    pub(crate) headers: Vec<Header>,
    /// Where the log ended when it was cut into pieces. It may have grown since.
    end: u64,
}

impl Pieces {
    /// Reads a log and reports losses; `None` if nothing of it can be read. A piece ends with the first record that
    /// ends at `piece_bytes` or later.
    pub(crate) fn of(source: &mut Source, piece_bytes: u64, losses: &mut Losses) -> io::Result<Option<Self>> {
        let name = source.name.clone();
        let mut reading = Reading::new(source.start("reading")?);
        let start = Start { at: reading.decoder.position(), header: 0 };
        let mut cutter =
            Cutter { list: Vec::new(), open: None, start, headers: Vec::new(), header: 0, piece_bytes, losses };
        let pause = reading.visit(&mut cutter).map_err(|error| about(&name, &error))?;
        cutter.close();
        let Cutter { mut list, headers, losses, .. } = cutter;
        losses.end(&pause);
        if let Pause::Unreadable(_) = pause {
            return Ok(None);
        }
        list.sort_by_key(Piece::key);
        let end = reading.bytes_read();
        Ok(Some(Self { list, decoder: reading.decoder, headers, end }))
    }

    /// Reads a piece again.
    ///
    /// # Errors
    /// When the piece has changed.
    pub(crate) fn load(&self, source: &mut Source, piece: &Piece) -> io::Result<Held> {
        let offset = piece.start.at.offset;
        let mut have = piece.end.saturating_add(LOOK_AHEAD).min(self.end);
        let mut bytes = Vec::with_capacity((have - offset) as usize);
        source.read(offset, have, &mut bytes)?;
        // Bytes that are read beyond its end belong to the next piece.
        progress::add(piece.end.saturating_sub(offset));
        let mut part = PartDecoder::new(&self.decoder, piece.start.at, piece.end);
        let mut header = piece.start.header;
        let mut places = Vec::with_capacity(piece.sum.records as usize);
        let mut sum = Sum::default();
        loop {
            match part.next(Chunk { bytes: &bytes, offset, last: have == self.end }) {
                Step::Event(record) => {
                    sum.add(&record);
                    places.push(PiecePlace::of(&record, header, offset, part.offset()));
                }
                Step::Header => {
                    header = number_of(part.header(), &self.headers).ok_or_else(|| source.changed())?;
                }
                Step::Notice(_) => {}
                Step::Need(needed) => {
                    let wanted = (part.offset() + needed as u64).max(have + LOOK_AHEAD).min(self.end);
                    if wanted <= have {
                        return Err(source.changed());
                    }
                    source.read(have, wanted, &mut bytes)?;
                    have = wanted;
                }
                Step::End => break,
            }
        }
        if sum != piece.sum {
            return Err(source.changed());
        }
        // A stable sort keeps equal times in file order.
        places.sort_by_key(|place| place.time);
        Ok(Held { bytes, offset, places, next: 0 })
    }
}

fn number_of(header: &Header, headers: &[Header]) -> Option<u16> {
    headers.iter().position(|known| known == header).map(|number| number as u16)
}

/// Cuts a log while it is read.
struct Cutter<'a> {
    list: Vec<Piece>,
    open: Option<Piece>,
    /// Where the next piece begins.
    start: Start,
    headers: Vec<Header>,
    /// The index of the header in force.
    header: u16,
    piece_bytes: u64,
    losses: &'a mut Losses,
}

impl Visitor for Cutter<'_> {
    fn pause_at(&self) -> u64 {
        self.open.as_ref().map_or(self.start.at.offset, |piece| piece.start.at.offset).saturating_add(self.piece_bytes)
    }

    #[inline]
    fn plain(&mut self, record: &Record<'_>) {
        let start = self.start;
        self.open.get_or_insert_with(|| Piece::at(start)).add(record);
    }

    fn paused(&mut self, decoder: &Decoder) {
        let Some(piece) = &mut self.open else { return };
        piece.end = decoder.offset();
        if piece.end - piece.start.at.offset >= self.piece_bytes {
            self.begin_anew(decoder);
        }
    }

    fn step(&mut self, decoder: &Decoder, step: Step<'_>) -> io::Result<()> {
        match step {
            Step::Event(record) => {
                self.plain(&record);
                self.paused(decoder);
            }
            Step::Header => self.header(decoder),
            Step::Notice(notice) => {
                self.losses.notice(notice);
                if let NoticeKind::Lost { .. } = notice.kind {
                    self.gap(decoder);
                }
            }
            Step::Need(_) | Step::End => {}
        }
        Ok(())
    }
}

impl Cutter<'_> {
    fn close(&mut self) {
        self.list.extend(self.open.take());
    }

    fn begin_anew(&mut self, decoder: &Decoder) {
        self.close();
        self.start = Start { at: decoder.position(), header: self.header };
    }

    /// Called after a header, or after lost bytes. Both may be of any length, but a piece must be bounded, so it
    /// continues after them only if they are short.
    fn gap(&mut self, decoder: &Decoder) {
        let goes_on = |piece: &Piece| decoder.offset() - piece.start.at.offset < self.piece_bytes;
        if !self.open.as_ref().is_some_and(goes_on) {
            self.begin_anew(decoder);
        }
    }

    fn header(&mut self, decoder: &Decoder) {
        self.header = number_of(decoder.header(), &self.headers).unwrap_or_else(|| {
            self.headers.push(decoder.header().clone());
            self.headers.len() as u16 - 1
        });
        self.gap(decoder);
    }
}

impl Piece {
    fn at(start: Start) -> Self {
        Self { start, end: start.at.offset, first: Nanos::MAX, sum: Sum::default() }
    }

    /// A key that is not greater than that of any of its records.
    pub(crate) fn key(&self) -> Key {
        (0, self.first, self.start.at.offset)
    }

    #[inline]
    fn add(&mut self, record: &Record<'_>) {
        self.first = self.first.min(record.time);
        self.sum.add(record);
    }
}

/// A checksum that shows whether a piece is unchanged when it is read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Sum {
    records: u32,
    bits: u64,
}

impl Sum {
    #[inline]
    fn add(&mut self, record: &Record<'_>) {
        self.records += 1;
        let place = record.time.0 ^ record.offset.rotate_left(32) ^ u64::from(record.tag).rotate_left(20);
        self.bits = self.bits.wrapping_add(mixed(place ^ all_of(record.payload)));
    }
}

/// A hash of all bytes, made for payloads, which are short.
#[inline]
fn all_of(payload: &[u8]) -> u64 {
    if let Some(last) = payload.last_chunk::<8>() {
        let (words, _) = payload.as_chunks::<8>();
        let rest = u64::from_le_bytes(*last);
        return words.iter().fold(rest, |bits, word| mixed(bits) ^ u64::from_le_bytes(*word));
    }
    if let (Some(first), Some(last)) = (payload.first_chunk::<4>(), payload.last_chunk::<4>()) {
        return u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last));
    }
    payload.iter().fold(0, |bits, &byte| bits << 8 | u64::from(byte))
}

/// Spreads a change of any bit over many (a multiplier of splitmix64's).
#[inline]
fn mixed(bits: u64) -> u64 {
    (bits ^ bits >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// A piece in memory, its records in order of time.
pub(crate) struct Held {
    bytes: Vec<u8>,
    offset: u64,
    places: Vec<PiecePlace>,
    next: usize,
}

/// A record's place in its piece.
#[derive(Clone, Copy)]
struct PiecePlace {
    time: Nanos,
    at: u32,
    payload: u32,
    length: u16,
    tag: u16,
    cap: Option<CapNo>,
    header: u16,
    known: bool,
}

impl Held {
    /// The next record's key; `None` at the end.
    #[inline]
    pub(crate) fn key(&self) -> Option<Key> {
        self.places.get(self.next).map(|place| (0, place.time, self.offset + u64::from(place.at)))
    }

    /// Returns the next record, and moves past it.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<Item<'_>> {
        let place = *self.places.get(self.next)?;
        self.next += 1;
        let from = place.payload as usize;
        let record = Record {
            offset: self.offset + u64::from(place.at),
            time: place.time,
            tag: place.tag,
            cap: place.cap,
            known: place.known,
            payload: self.bytes.get(from..from + usize::from(place.length)).unwrap_or_default(),
        };
        Some(Item { group: 0, header: place.header, record })
    }

    /// The memory that it takes, in bytes.
    pub(crate) fn bytes_held(&self) -> usize {
        self.bytes.capacity() + self.places.capacity() * size_of::<PiecePlace>()
    }
}

impl PiecePlace {
    #[inline]
    fn of(record: &Record<'_>, header: u16, offset: u64, end: u64) -> Self {
        Self {
            time: record.time,
            at: (record.offset - offset) as u32,
            payload: (end - offset) as u32 - record.payload.len() as u32,
            length: record.payload.len() as u16,
            tag: record.tag,
            cap: record.cap,
            header,
            known: record.known,
        }
    }
}
