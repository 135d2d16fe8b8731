//! Checks whether a segment has any hit, before its hits are made. Most segments have none, and this check takes half of the time of
//! making hits: it does not follow which threads run on the capabilities.

use super::{
    event::SeenEvent,
    finder::{Finder, Prepared},
    hit::HitKind,
    scan::Scan,
};
use crate::reading::again::Failure;
use alloc::vec::Vec;
use ghc_eventlog::{Chunk, Header, PartDecoder, Record, Step};

impl Finder {
    /// Whether it only finds events, and decides by the event alone: not by the thread that runs meanwhile.
    fn decides_by_event(&self) -> bool {
        let needs_lane = |test: &Prepared| matches!(test, Prepared::Thread(_) | Prepared::Threads(_));
        !self.finds(HitKind::Run)
            && !self.finds(HitKind::Collection)
            && !self.tests.iter().any(|(_, test)| needs_lane(test))
    }
}

impl Scan<'_> {
    /// Whether its segment has a hit, or may have one. `chunk` begins with the segment.
    ///
    /// # Errors
    /// When the segment goes on beyond the chunk, or is not as it was when the log was first read.
    pub(super) fn may_have_hits(&self, chunk: Chunk<'_>, text: &mut Vec<u8>) -> Result<bool, Failure> {
        let Self { known, finder, reader, segment, .. } = *self;
        let Some(of) = known.index.segment(segment).filter(|_| finder.decides_by_event()) else { return Ok(true) };
        let mut part = PartDecoder::new(reader, of.at, of.end);
        let mut header = part.header().clone();
        let mut numbering = known.index.processes.numbering(part.offset());
        let mut may = false;
        let mut look = |record: &Record<'_>, header: &Header, numbering| {
            let seen = SeenEvent { record, header, running: None, numbering };
            finder.finds_event(seen, &known.stores.threads, text)
        };
        loop {
            part.each_plain(chunk, |record| may = may || look(&record, &header, numbering));
            match part.next(chunk) {
                _ if may => return Ok(true),
                Step::Event(record) => may = look(&record, &header, numbering),
                Step::Header => {
                    header = part.header().clone();
                    numbering = known.index.processes.numbering(part.offset());
                }
                Step::Notice(_) => {}
                Step::Need(bytes) => return Err(Failure::of_need(&part, bytes, of.end)),
                Step::End if of.is_as_it_was(&part) => return Ok(false),
                Step::End => return Err(Failure::Changed),
            }
        }
    }
}
