//! What is copied of a piece of a log.

use std::ops::Range;

/// In place of each byte that is left out.
const BLANK: u8 = b'*';

/// In place of each byte that is no record's. No event has a number of two of these; zeros would read as CREATE_THREAD.
const NOTHING: u8 = 0xfe;

/// EVENT_DATA_END.
const END_MARK: [u8; 2] = [0xff, 0xff];

pub(crate) struct Mask {
    /// Where the piece begins in the log.
    offset: u64,
    kept: Vec<Range<u64>>,
    blank: Vec<Range<u64>>,
}

impl Mask {
    pub(crate) fn new(offset: u64) -> Self {
        Self { offset, kept: Vec::new(), blank: Vec::new() }
    }

    pub(crate) fn keep(&mut self, range: Range<u64>) {
        match self.kept.last_mut() {
            Some(before) if before.end == range.start => before.end = range.end,
            _ => self.kept.push(range),
        }
    }

    pub(crate) fn blank(&mut self, range: Range<u64>) {
        self.blank.push(range);
    }

    /// Copies the piece: [`NOTHING`] where nothing is kept.
    pub(crate) fn copy(&self, piece: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + piece.len(), NOTHING);
        let masked = out.get_mut(start..).unwrap_or_default();
        let place = |range: &Range<u64>| {
            let at = |offset: u64| (offset.max(self.offset) - self.offset).min(piece.len() as u64) as usize;
            at(range.start)..at(range.end)
        };
        for range in &self.kept {
            if let (Some(to), Some(from)) = (masked.get_mut(place(range)), piece.get(place(range))) {
                to.copy_from_slice(from);
            }
        }
        for range in &self.blank {
            // Strings end with 0: how many there are may be known.
            let bytes = masked.get_mut(place(range)).unwrap_or_default();
            bytes.iter_mut().filter(|byte| **byte != 0).for_each(|byte| *byte = BLANK);
        }
        // The mark at a stream's end is no record.
        for end in self.kept.iter().map(|range| place(range).end).chain([0]) {
            let marked = |bytes: &[u8]| bytes.get(end..).is_some_and(|rest| rest.starts_with(&END_MARK));
            if marked(piece)
                && let Some(mark) = masked.get_mut(end..).and_then(<[u8]>::first_chunk_mut::<2>)
            {
                *mark = END_MARK;
            }
        }
    }
}
