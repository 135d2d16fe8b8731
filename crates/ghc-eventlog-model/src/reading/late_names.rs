//! Reads definitions again, of a log that has too many to keep them all: see `profiles/names/late.rs`.

use super::{
    again::Failure,
    job::{Changed, Job},
    model::Model,
};
use crate::{
    keeping::diagnostics::DiagnosticKind,
    known::{Known, used_names::Lacking},
    limits,
    profiles::names::late::{LateDefinition, UsedNames},
    terms::progress::Progress,
};
use alloc::vec::Vec;
use ghc_eventlog::{Chunk, CostCentre, Decoder, Ipe, PartDecoder, Record, Step, TickyCounterDef};

/// Looks for names that profiles use, as a [`Job`]. See [`Model::late_names`].
#[derive(Debug)]
pub struct LateNames {
    used: UsedNames,
    lacking: Lacking,
    /// The segments that are to be read, the next one last. They are read in the order of the file, since the last definition of a name counts.
    waiting: Vec<u32>,
    all: usize,
}

impl Model {
    /// Looks for names that profiles and ticky counters use and that were not kept while the log was read, since it defines too many: programs
    /// built with -finfo-table-map define hundreds of thousands. It is a [`Job`]; to be done before anything else is asked. `None` as long as
    /// the log has not been read, and if no name is missing.
    #[must_use]
    pub fn late_names(&mut self) -> Option<LateNames> {
        let known = &mut self.known;
        let (used, lacking) = known.used_names().filter(|_| known.is_finished())?;
        let segments = (0..known.index.segments().len()).rev();
        let waiting = segments.filter(|at| known.index.types_of(*at).iter().any(|of| lacking.is_defined_by(of.tag)));
        let waiting: Vec<u32> = waiting.map(|at| at as u32).collect();
        if lacking.centres || lacking.tables {
            known.stores.profiles.forget_unused(&used);
        }
        known.revision += 1;
        Some(LateNames { used, lacking, all: waiting.len(), waiting })
    }
}

impl Known {
    /// All definitions have been read again.
    fn finish_late_names(&mut self, used: &UsedNames) {
        let profiles = &mut self.stores.profiles;
        profiles.heap.infer(&profiles.names);
        profiles.names.is_read_again = true;
        let left_out = used.left_out(&profiles.names) + profiles.ticky.nameless();
        self.stores.diagnostics.replace_missing_names((left_out > 0).then_some(DiagnosticKind::TooManyNames(left_out)));
    }

    /// Takes the definitions of a segment from a chunk that begins with it.
    fn define_late(
        &mut self,
        number: u32,
        chunk: Chunk<'_>,
        reader: &Decoder,
        (used, lacking): (&mut UsedNames, Lacking),
    ) -> Result<(), Failure> {
        let Some(segment) = self.index.segment(number) else { return Ok(()) };
        let profiles = &mut self.stores.profiles;
        let mut take = |Record { tag, payload, known, .. }: Record<'_>| match tag {
            _ if !known || !lacking.is_defined_by(tag) => {}
            CostCentre::TAG => profiles.define_late(used, LateDefinition::Centre(CostCentre::read(payload))),
            Ipe::TAG => profiles.define_late(used, LateDefinition::Table(Ipe::read(payload))),
            TickyCounterDef::TAG => profiles.define_counter_late(used, TickyCounterDef::read(payload)),
            _ => {}
        };
        let mut part = PartDecoder::new(reader, segment.at, segment.end);
        loop {
            part.each_plain(chunk, &mut take);
            match part.next(chunk) {
                Step::Event(record) => take(record),
                Step::Need(bytes) => return Err(Failure::of_need(&part, bytes, segment.end)),
                Step::End if segment.is_as_it_was(&part) => return Ok(()),
                Step::End => return Err(Failure::Changed),
                Step::Header | Step::Notice(_) => {}
            }
        }
    }
}

impl Job for LateNames {
    /// One piece at a time, in the order of the file.
    fn reads(&mut self, model: &mut Model) -> Vec<(u64, u64)> {
        let mut piece: Option<(u64, u64)> = None;
        for segment in self.waiting.iter().rev() {
            let Some((offset, length)) = model.known.read_of(*segment) else { continue };
            let end = offset + length;
            piece = match piece {
                None => Some((offset, length)),
                Some((from, so_far)) if offset <= from + so_far && end <= from + limits::DEFINITIONS_AHEAD => {
                    Some((from, end - from))
                }
                Some(_) => break,
            };
        }
        piece.into_iter().collect()
    }

    fn give(&mut self, model: &mut Model, offset: u64, bytes: &[u8]) -> Result<(), Changed> {
        let Model { known, decoder, .. } = model;
        let end = offset + bytes.len() as u64;
        let there = known.index.segments_within(offset, end);
        while let Some(&number) = self.waiting.last().filter(|number| there.contains(number)) {
            let Some(segment) = known.index.segment(number) else { break };
            // The first pass did not look beyond what was fed, either.
            let chunk = Chunk { bytes, offset, last: end >= known.fed }.from(segment.at.offset);
            match known.define_late(number, chunk, decoder, (&mut self.used, self.lacking)) {
                Ok(()) => self.waiting.pop(),
                Err(Failure::Need(ahead)) => {
                    known.index.look_further(number, ahead);
                    break;
                }
                Err(Failure::Changed) => return Err(Changed),
            };
        }
        known.revision += 1;
        if self.waiting.is_empty() {
            known.finish_late_names(&self.used);
        }
        Ok(())
    }

    /// Everything that it needs was passed to `give`.
    fn take(&mut self, _: &Model) {}

    fn progress(&self) -> Progress {
        Progress { done: self.all - self.waiting.len(), of: self.all }
    }
}
