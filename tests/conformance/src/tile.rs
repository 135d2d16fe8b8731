//! A log made longer by repeating its data section.
//!
//! Every repetition repeats the events that a log has once: the program's arguments, the wall clock, capability sets,
//! definitions. Running totals (allocation, sparks) begin again, as they do when a log continues with a new process.

mod places;

use clap::ValueEnum;
use ghc_eventlog::{Chunk, Decoder, Error, Notice, Step};
use places::Places;
use std::{
    fmt,
    io::{self, Write},
};

/// Nanoseconds between the last event of one repetition and the first of the next.
const GAP: u64 = 1_000_000;

/// How the repetitions number their threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Threads {
    /// All use the same numbers, so there are as many threads as in the log
    Keep,
    /// Each has its own numbers, so a longer log has more threads
    Grow,
}

/// A log, taken apart to be repeated.
#[derive(Debug, Clone)]
pub struct Tile {
    /// The header, including the mark before the data.
    header: Vec<u8>,
    /// The data section without the end mark.
    data: Vec<u8>,
    /// The offsets of times in it, each of eight bytes.
    times: Vec<usize>,
    /// The offsets of thread numbers in it, each of four bytes.
    threads: Vec<usize>,
    /// The latest time, in nanoseconds.
    last_time: u64,
    /// Nanoseconds from one repetition to the next.
    period: u64,
    /// The largest thread number.
    largest_thread: u32,
}

/// The log with its data section repeated `times` times, each time later by the log's length: one valid log.
pub fn tiled(log: &[u8], times: u64) -> Vec<u8> {
    let mut tiled = Vec::new();
    let written = Tile::of(log).map(|tile| tile.write(times, Threads::Keep, &mut tiled));
    assert!(matches!(written, Ok(Ok(()))), "{written:?}");
    tiled
}

/// Why a log cannot be repeated.
#[derive(Debug, Clone, Copy)]
pub enum Unrepeatable {
    /// It cannot be read.
    Unreadable(Error),
    /// It is damaged, or not one plain stream of events.
    Unsound(Notice),
    /// It has no events.
    Empty,
}

impl fmt::Display for Unrepeatable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "the log cannot be read: {error}"),
            Self::Unsound(notice) => write!(f, "only a sound log of one stream can be repeated: {notice}"),
            Self::Empty => write!(f, "the log has no events that could be repeated"),
        }
    }
}

impl std::error::Error for Unrepeatable {}

impl Tile {
    /// Takes a log apart.
    ///
    /// # Errors
    /// When its repetition would not be one valid log: it is damaged, cut off, of several streams, or empty.
    pub fn of(log: &[u8]) -> Result<Self, Unrepeatable> {
        let (header, places) = walk(log)?;
        let (first, last_time) = places.extent.ok_or(Unrepeatable::Empty)?;
        let end = log.len() - 2;
        let mut data = log[header..end].to_vec();
        if let Some((at, size)) = places.last_block.filter(|(at, size)| at + *size as usize > end) {
            // GHC 9.2 and later count the end mark in the last block; here it comes after all blocks.
            let size_field = at - header + 10;
            data[size_field..size_field + 4].copy_from_slice(&(size - 2).to_be_bytes());
        }
        let inside = |places: Vec<usize>| places.into_iter().map(|at| at - header).collect();
        Ok(Self {
            header: log[..header].to_vec(),
            data,
            times: inside(places.times),
            threads: inside(places.threads),
            last_time,
            period: (last_time - first).saturating_add(GAP),
            largest_thread: places.largest_thread,
        })
    }

    /// The fewest repetitions with which the log has this many bytes.
    #[must_use]
    pub fn times_for(&self, bytes: u64) -> u64 {
        let once = self.header.len() as u64 + 2;
        bytes.saturating_sub(once).div_ceil(self.data.len() as u64).max(1)
    }

    /// Writes the log with its data section repeated `times` times. Holds only one repetition in memory.
    ///
    /// # Errors
    /// When `to` fails, or a time or a thread's number would become too large.
    pub fn write(&self, times: u64, threads: Threads, to: &mut impl Write) -> io::Result<()> {
        let step = if threads == Threads::Grow { self.largest_thread } else { 0 };
        self.fits(times, step)?;
        to.write_all(&self.header)?;
        let mut data = self.data.clone();
        for round in 0..times {
            if round > 0 {
                self.times.iter().for_each(|at| shift_time(&mut data, *at, self.period));
            }
            if round > 0 && step > 0 {
                self.threads.iter().for_each(|at| shift_thread(&mut data, *at, step));
            }
            to.write_all(&data)?;
        }
        to.write_all(&[0xff, 0xff])
    }

    fn fits(&self, times: u64, step: u32) -> io::Result<()> {
        let last_shift = times.saturating_sub(1).checked_mul(self.period);
        last_shift.and_then(|shift| shift.checked_add(self.last_time)).ok_or_else(|| too_many("times of 64 bits"))?;
        let threads = u32::try_from(times.saturating_mul(step.into()));
        threads.map(drop).map_err(|_| too_many("thread numbers of 32 bits"))
    }
}

/// Where the data begin, and what must be changed in them for each repetition.
fn walk(log: &[u8]) -> Result<(usize, Places), Unrepeatable> {
    let chunk = Chunk { bytes: log, offset: 0, last: true };
    let (mut decoder, mut header, mut places) = (Decoder::new(), 0, Places::default());
    loop {
        match decoder.next(chunk).map_err(Unrepeatable::Unreadable)? {
            Step::Header => header = decoder.offset() as usize,
            Step::Event(record) => {
                // Not from the declared length: some runtimes write less.
                let payload = decoder.offset() as usize - record.payload.len();
                places.add(&record, payload, decoder.header().status_numbering());
            }
            Step::Notice(notice) => return Err(Unrepeatable::Unsound(notice)),
            Step::Need(_) | Step::End => return Ok((header, places)),
        }
    }
}

fn too_many(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("so many repetitions do not fit {what}"))
}

fn shift_time(data: &mut [u8], at: usize, by: u64) {
    if let Some(time) = data[at..].first_chunk_mut::<8>() {
        *time = u64::from_be_bytes(*time).wrapping_add(by).to_be_bytes();
    }
}

fn shift_thread(data: &mut [u8], at: usize, by: u32) {
    if let Some(thread) = data[at..].first_chunk_mut::<4>() {
        *thread = u32::from_be_bytes(*thread).wrapping_add(by).to_be_bytes();
    }
}
