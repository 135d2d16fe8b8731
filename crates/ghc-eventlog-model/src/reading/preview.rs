//! A first look at a long log, before all of it has been read.
//!
//! ```text
//! file    |=====read=====|      look      look      look      look|
//! drawn   |==============|  ~~~~~~~~  ~~~~~~~~  ~~~~~~~~  ~~~~~~~~|      what was seen there, as if it went on so
//! ```
//!
//! A few places of the file are read, as many as cost next to nothing, and the last one, which tells how long the log is.
//! Blocks say whose events they hold and when, so that whatever stands in one can be drawn at its place. What is seen there
//! stands for its surroundings, until those are read: then it is forgotten.

use crate::{
    keeping::sorted::Sorted,
    known::sums::Sums,
    limits,
    model::Model,
    reading::cursor::Cursor,
    sorting::sort_by_number,
    terms::{
        machine::{Dialect, Lost, Placed, Row, Sink},
        sample::Sample,
        span::Span,
        view::View,
    },
    tracks::{
        Machines,
        capability::{FOUND, IDLE, LANE, STATES},
    },
};
use alloc::vec::Vec;
use ghc_eventlog::{CapNo, Chunk, Decoder, Nanos, Step};

/// What has been seen ahead of what has been read.
#[derive(Debug, Default)]
pub(crate) struct Preview {
    /// In order of time.
    glimpses: Vec<Glimpse>,
    /// The latest time that was seen.
    last: Option<Nanos>,
    /// When the log ends, if that could be seen.
    end: Option<Nanos>,
    /// Where in the file one looks for that.
    end_at: u64,
    /// How many places there are to be looked at.
    places: u64,
}

/// What one capability did for a while.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glimpse {
    cap: CapNo,
    from: Nanos,
    to: Nanos,
    /// The share of the time in each state.
    shares: [f64; STATES.len()],
}

/// A part of the file to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Where it begins, in bytes from the start of the file.
    pub offset: u64,
    /// Its bytes: enough if blocks are small.
    pub length: u64,
    /// Enough whatever the blocks' size.
    pub longer: u64,
}

impl Model {
    /// Which parts of a log of so many bytes are worth a look before they are read; none if reading it takes no time.
    /// The last one first: it tells how long the log is. `None` as long as too little has been read to tell.
    #[must_use]
    pub fn looks(&mut self, log_bytes: u64) -> Option<Vec<Look>> {
        self.extent()?;
        let count = (log_bytes / limits::LOOK_DESERVED).min(limits::LOOKS);
        if count < limits::LOOKS_WORTH || self.is_finished() {
            return Some(Vec::new());
        }
        let look = |offset: u64| Look { offset, length: limits::LOOK, longer: limits::LOOK_LONGER };
        // In the middle of as many equal parts: half of one is longer than any look.
        let middles = (0..count).map(|at| log_bytes / count * at + log_bytes / count / 2);
        let read = self.offset();
        let ahead = middles.filter(|offset| *offset > read);
        // The last block may be as long as blocks are.
        let end = Look { length: limits::LOOK_LONGER, ..look(log_bytes - limits::LOOK_LONGER) };
        self.known.preview = Preview { places: count, end_at: end.offset, ..Preview::default() };
        Some(core::iter::once(end).chain(ahead.map(look)).collect())
    }

    /// Takes the bytes of such a part; whether that was enough of them to see what a capability did.
    pub fn look(&mut self, offset: u64, bytes: &[u8]) -> bool {
        let Some(dialect) = self.cursor.as_ref().map(Cursor::dialect) else { return true };
        let seen = streams_in(Chunk { bytes, offset, last: false }, self.decoder.searching(offset), dialect);
        self.known.preview.add(offset, &seen)
    }

    /// Until when the log goes on beyond what has been read, as far as a first look tells.
    #[must_use]
    pub fn ahead(&self) -> Option<Nanos> {
        let (_, read) = self.extent()?;
        self.known.preview.last.filter(|last| *last > read)
    }
}

impl Preview {
    fn add(&mut self, offset: u64, seen: &SeenByCap) -> bool {
        let latest = seen.values().map(|stream| stream.to).max();
        if offset == self.end_at {
            self.end = latest;
        }
        // What goes beyond the log's end is damaged.
        let end = self.end.unwrap_or(Nanos::MAX);
        self.last = self.last.max(latest.filter(|latest| *latest <= end));
        let before = self.glimpses.len();
        let glimpses = seen.iter().filter_map(|(cap, stream)| Some(stream.glimpse((*cap)?)));
        let sound = glimpses.filter(|glimpse| glimpse.from < glimpse.to && glimpse.to <= end);
        self.glimpses.extend(sound.take(limits::MAX_LOOK_SAMPLES.saturating_sub(before)));
        sort_by_number(&mut self.glimpses, |glimpse| glimpse.middle().0);
        self.glimpses.len() > before
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.glimpses.capacity() * size_of::<Glimpse>()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.glimpses.is_empty()
    }

    /// The capabilities of which something was seen.
    pub(crate) fn caps(&self) -> impl Iterator<Item = CapNo> {
        self.glimpses.iter().map(|glimpse| glimpse.cap)
    }

    /// Adds to columns, as [`crate::keeping::overview::Overview::columns`] does, what was seen of a capability behind the time `read`:
    /// each glimpse stands for the time that is nearer to it than to others, as long as that is not far away.
    pub(crate) fn columns(&self, cap: CapNo, read: Nanos, view: View, columns: &mut [f64]) {
        let Some(last) = self.last.filter(|last| *last > read) else { return };
        let first = self.glimpses.first().map_or(last, |glimpse| glimpse.from);
        // As far as the next place but one: nothing may have been seen at the next.
        let next_place = Nanos(last.since(first).0 / self.places.max(1));
        self.spread(cap, read, None, next_place.plus(next_place), view, columns);
    }

    /// The same, where every time is wanted: what the capability did as far as it has been read counts as well, and all that
    /// stands for any time there is.
    pub(crate) fn columns_throughout(&self, cap: CapNo, known: Option<Glimpse>, view: View, columns: &mut [f64]) {
        let read = known.map_or(Nanos(0), |known| known.to);
        self.spread(cap, read, known, Nanos::MAX, view, columns);
    }

    fn spread(&self, cap: CapNo, read: Nanos, known: Option<Glimpse>, far: Nanos, view: View, columns: &mut [f64]) {
        let Some(last) = self.last.filter(|last| *last > read) else { return };
        // What has been read stands where that ends.
        let known = known.map(|known| Glimpse { from: known.to, ..known });
        let ahead = self.glimpses.iter().copied().filter(|glimpse| glimpse.cap == cap && glimpse.to > read);
        let mut glimpses = known.into_iter().chain(ahead).peekable();
        let mut border = read;
        while let Some(glimpse) = glimpses.next() {
            let middle = glimpse.middle();
            let reach = far.max(glimpse.to.since(glimpse.from));
            let next = glimpses.peek().map_or(last, |next| Nanos(middle.0.midpoint(next.middle().0)));
            let from = border.max(Nanos(middle.0.saturating_sub(reach.0)));
            let to = next.min(middle.plus(reach)).min(last);
            border = border.max(next);
            if from >= to {
                continue;
            }
            let length = to.since(from).0 as f64;
            view.spread(from, to, |pixel, part| {
                let columns = columns.iter_mut().skip(pixel * STATES.len());
                columns.zip(glimpse.shares).for_each(|(column, share)| *column += length * part * share);
            });
        }
    }
}

impl Glimpse {
    /// What a capability did from one time to another, of which the sums are known.
    pub(crate) fn of(cap: CapNo, from: Nanos, to: Nanos, sums: &Sums) -> Self {
        let length = to.since(from).0.max(1) as f64;
        let mut shares = [0.0; STATES.len()];
        shares.iter_mut().zip(sums.of(LANE, FOUND)).for_each(|(share, time)| *share = *time as f64 / length);
        // What is left is idle.
        shares[usize::from(IDLE)] = (1.0 - shares.iter().sum::<f64>()).max(0.0);
        Self { cap, from, to, shares }
    }

    fn middle(&self) -> Nanos {
        Nanos(self.from.0.midpoint(self.to.0))
    }
}

/// What is seen at one place, by capability; the global stream too, for its times.
type SeenByCap = Sorted<Option<CapNo>, Seen>;

struct Seen {
    machines: Machines,
    from: Nanos,
    to: Nanos,
    sums: Sums,
}

fn streams_in(chunk: Chunk<'_>, mut decoder: Decoder, dialect: Dialect) -> SeenByCap {
    let mut streams = SeenByCap::default();
    let mut opened = Nanos(0);
    while let Ok(step) = decoder.next(chunk) {
        match step {
            Step::Event(record) if record.is_block_marker() => opened = record.time,
            Step::Event(record) => {
                let Some(stream) = streams.get_or(record.cap, || Seen::starting(opened)) else { continue };
                stream.to = stream.to.max(record.time);
                if record.known {
                    let Seen { machines, sums, .. } = stream;
                    machines.step(record, dialect, &mut SumUp(sums));
                }
            }
            Step::Header | Step::Notice(_) => {}
            Step::Need(_) | Step::End => break,
        }
    }
    for Seen { machines, to, sums, .. } in streams.values_mut() {
        if let Some(open) = machines.lane.open(*to, crate::terms::span::Ending::Open) {
            SumUp(sums).span(open);
        }
    }
    streams
}

impl Seen {
    fn starting(time: Nanos) -> Self {
        Self { machines: Machines::starting(time), from: time, to: time, sums: Sums::default() }
    }

    fn glimpse(&self, cap: CapNo) -> Glimpse {
        Glimpse::of(cap, self.from, self.to, &self.sums)
    }
}

/// Spans, summed up by state.
struct SumUp<'a>(&'a mut Sums);

impl Sink for SumUp<'_> {
    fn span(&mut self, span: Span) {
        self.0.add(LANE + usize::from(span.state), span.end.since(span.start).0);
    }

    fn sample<K: Placed>(&mut self, _: Sample) {}

    fn add<K: Placed>(&mut self, _: usize, _: u64, _: Nanos) {}

    fn reach<K: Placed>(&mut self, _: usize, _: u64, _: Nanos) {}

    fn row(&mut self, _: Row) {}

    fn lost(&mut self, _: Lost) {}
}
