//! Decoding segments again in parallel, if the caller has threads.

use crate::{
    keeping::crossing::marks::Mark,
    known::Known,
    reading::{again::Failure, model::Model},
    terms::op::{Besides, Op},
};
use alloc::vec::Vec;
use ghc_eventlog::{Chunk, Decoder};

/// The decoded contents of this many segments are in memory at once, before they are used.
pub(super) const PARTS_AT_ONCE: usize = 8;

/// A part of a [`Job`](crate::Job)'s work that is independent of the other parts: it can be done in any thread.
#[derive(Debug)]
pub struct Part<'a> {
    known: &'a Known,
    reader: &'a Decoder,
    pub(super) segment: u32,
    chunk: Chunk<'a>,
    besides: Besides,
    pub(super) found: Result<(Vec<Op>, Vec<Mark>), Failure>,
}

impl<'a> Part<'a> {
    /// A part that decodes the events about threads in a segment, and others, from a chunk that begins with it.
    pub(super) fn of(model: &'a Model, segment: u32, chunk: Chunk<'a>, besides: Besides) -> Self {
        let Model { known, decoder: reader, .. } = model;
        Self { known, reader, segment, chunk, besides, found: Ok((Vec::new(), Vec::new())) }
    }

    /// Does the work.
    pub fn work(&mut self) {
        let Self { known, reader, segment, chunk, besides, .. } = *self;
        let mut marks = Vec::new();
        let ops = known.ops(segment, chunk, reader, (besides, &mut marks));
        self.found = ops.map(|ops| (ops, marks));
    }
}

/// Does all [`Part`]s, in any order and in any number of threads, and returns when all are done.
pub type Share = fn(&mut [Part<'_>]);

/// Does one part after the other.
pub(crate) fn in_turn(parts: &mut [Part<'_>]) {
    parts.iter_mut().for_each(Part::work);
}

impl Model {
    /// Sets the function that does the parts of jobs. By default, they are done one after the other.
    ///
    /// ```
    /// use ghc_eventlog_model::{Model, Part};
    ///
    /// let mut model = Model::new();
    /// model.share_work(|parts| {
    ///     let (some, others) = parts.split_at_mut(parts.len() / 2);
    ///     std::thread::scope(|scope| {
    ///         scope.spawn(|| some.iter_mut().for_each(Part::work));
    ///         others.iter_mut().for_each(Part::work);
    ///     });
    /// });
    /// ```
    pub fn share_work(&mut self, share: Share) {
        self.share = share;
    }
}
