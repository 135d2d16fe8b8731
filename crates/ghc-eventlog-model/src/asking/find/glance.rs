//! Finds hits without following which threads run on the capabilities, which takes half of the time. Most segments have no hit, or
//! only some that name their threads themselves.

use super::{
    event::SeenEvent,
    finder::{Finder, Prepared},
    found::FoundHits,
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
    /// The segment's hits, if they can be found without following capabilities. `None` if one does not name its thread, or if the query
    /// needs more than events. `chunk` begins with the segment; `found` is an empty part of the search's hits.
    ///
    /// # Errors
    /// When the segment goes on beyond the chunk, or is not as it was when the log was first read.
    pub(super) fn hits_that_name_threads(
        &self,
        chunk: Chunk<'_>,
        text: &mut Vec<u8>,
        mut found: FoundHits,
    ) -> Result<Option<FoundHits>, Failure> {
        let Self { known, finder, reader, segment, .. } = *self;
        let Some(of) = known.index.segment(segment).filter(|_| finder.decides_by_event()) else { return Ok(None) };
        let mut part = PartDecoder::new(reader, of.at, of.end);
        let mut header = part.header().clone();
        let mut numbering = known.index.processes.numbering(part.offset());
        let mut needs_more = false;
        let mut look = |record: &Record<'_>, header: &Header, numbering| {
            let seen = SeenEvent { record, header, running: None, numbering };
            if !finder.finds_event(seen, &known.stores.threads, text) {
                return false;
            }
            let thread = seen.thread(finder.plan(record.tag).names_thread);
            if thread.is_some() {
                self.add_event(seen, thread, text, &mut found);
            }
            thread.is_none()
        };
        loop {
            part.each_plain(chunk, |record| needs_more = needs_more || look(&record, &header, numbering));
            match part.next(chunk) {
                _ if needs_more => return Ok(None),
                Step::Event(record) => needs_more = look(&record, &header, numbering),
                Step::Header => {
                    header = part.header().clone();
                    numbering = known.index.processes.numbering(part.offset());
                }
                Step::Notice(_) => {}
                Step::Need(bytes) => return Err(Failure::of_need(&part, bytes, of.end)),
                Step::End if of.is_as_it_was(&part) => return Ok(Some(found)),
                Step::End => return Err(Failure::Changed),
            }
        }
    }
}
