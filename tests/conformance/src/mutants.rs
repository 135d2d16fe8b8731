//! Makes hundreds of damaged logs. The kind of change is random, and its place is chosen by what is there.

use ghc_eventlog::{BlockMarker, Chunk, Decoder, Step};

/// Makes any number of mutants of a log.
pub struct Mutants<'a> {
    log: &'a [u8],
    /// Where its records begin, with their numbers.
    records: Vec<(usize, u16)>,
    random: fastrand::Rng,
}

impl<'a> Mutants<'a> {
    /// Mutants of this log; the same ones for the same seed.
    pub fn new(log: &'a [u8], seed: u64) -> Self {
        let chunk = Chunk { bytes: log, offset: 0, last: true };
        let mut decoder = Decoder::new();
        let mut records = Vec::new();
        while let Ok(step) = decoder.next(chunk) {
            match step {
                Step::Event(record) => records.push((record.offset as usize, record.tag)),
                Step::Header | Step::Notice(_) => {}
                Step::Need(_) | Step::End => break,
            }
        }
        Self { log, records, random: fastrand::Rng::with_seed(seed) }
    }

    /// Where the log's records begin.
    pub fn places(&self) -> Vec<usize> {
        self.records.iter().map(|(offset, _)| *offset).collect()
    }

    /// The offset of a record, or a random one.
    fn place(&mut self, log: &[u8]) -> usize {
        let record = self.random.choice(&self.records).map_or(0, |(offset, _)| *offset);
        let at = if self.random.u8(..4) == 0 { self.random.usize(..log.len().max(1)) } else { record };
        at.min(log.len())
    }

    fn change(&mut self, log: &mut Vec<u8>) {
        if log.len() < 40 {
            return;
        }
        let at = self.place(log);
        let end = (at + self.random.usize(1..200)).min(log.len());
        match self.random.u8(..10) {
            0 => self.flip(log, at),
            // A record's number, time, length.
            1 => self.put(log, at, 2),
            2 => self.put(log, at + 2, 8),
            3 => {
                let small = self.random.u16(..300).to_be_bytes();
                overwrite(log, at + 10, &small);
            }
            // A block's size, end, capability.
            4 => {
                let blocks: Vec<usize> =
                    self.records.iter().filter(|(_, tag)| *tag == BlockMarker::TAG).map(|(at, _)| *at).collect();
                let Some(block) = self.random.choice(blocks) else { return };
                let field = *self.random.choice(&[(10, 4), (13, 1), (14, 8), (22, 2)]).unwrap_or(&(10, 4));
                self.put(log, block + field.0, field.1);
            }
            // Removes bytes, doubles them, zeroes them, or puts other bytes between them.
            5 => drop(log.drain(at..end)),
            6 => {
                let piece = log[at..end].to_vec();
                log.splice(end..end, piece);
            }
            7 => log[at..end].fill(0),
            8 => {
                let piece = log[at..end].to_vec();
                let other = self.place(log);
                log.splice(other..other, piece);
            }
            _ if self.random.u8(..4) == 0 => log.truncate(at),
            _ => {
                let bytes: Vec<u8> = (0..self.random.usize(1..6)).map(|_| self.random.u8(..)).collect();
                log.splice(at..at, bytes);
            }
        }
    }

    fn flip(&mut self, log: &mut [u8], at: usize) {
        let at = at + self.random.usize(..24);
        if let Some(byte) = log.get_mut(at) {
            *byte ^= 1 << self.random.u8(..8);
        }
    }

    /// Changes a few bytes: a little more or less than before, or random ones.
    fn put(&mut self, log: &mut [u8], at: usize, count: usize) {
        let Some(bytes) = log.get_mut(at..at + count) else { return };
        if self.random.bool() {
            let last = count - 1;
            bytes[last] = bytes[last].wrapping_add(self.random.u8(..));
        } else {
            self.random.fill(bytes);
        }
    }
}

impl Iterator for Mutants<'_> {
    type Item = Vec<u8>;

    /// The next mutant, with one to four changes. There is always a next one.
    fn next(&mut self) -> Option<Vec<u8>> {
        let mut log = self.log.to_vec();
        for _ in 0..self.random.usize(1..=4) {
            self.change(&mut log);
        }
        Some(log)
    }
}

fn overwrite(log: &mut [u8], at: usize, by: &[u8]) {
    if let Some(bytes) = log.get_mut(at..at + by.len()) {
        bytes.copy_from_slice(by);
    }
}
