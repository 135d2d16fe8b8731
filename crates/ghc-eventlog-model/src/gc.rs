//! The collections of a log: exact totals, and a row each up to a stated cap.

use crate::{
    limits,
    overview::{Overview, SeriesId},
    span::Collection,
    sums::Sums,
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// All collections.
#[derive(Debug)]
pub struct Collections {
    /// Generations of the heap, from HEAP_INFO_GHC; `None` if the log does not tell.
    pub generations: Option<u16>,
    rows: Vec<Collection>,
    /// How many rows are in order of time: they come in order of the file.
    settled: usize,
    by_generation: [Totals; KINDS],
    pub(crate) series: SeriesId,
    /// Those of the stream that is being read, since its block or segment began.
    pub(crate) recent: Sums,
}

/// Exact sums, whatever is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// How many.
    pub count: u64,
    /// Their pauses together.
    pub elapsed: Nanos,
    /// The longest pause.
    pub longest: Nanos,
    /// Bytes copied.
    pub copied_bytes: u64,
}

/// Generations told apart: 0 to 4, and all older ones. GHC has two unless told otherwise.
pub(crate) const KINDS: usize = 6;

impl Collections {
    pub(crate) fn new(overview: &mut Overview) -> Self {
        Self {
            generations: None,
            rows: Vec::new(),
            settled: 0,
            by_generation: [Totals::default(); KINDS],
            series: overview.add_series(KINDS),
            recent: Sums::default(),
        }
    }

    /// Totals of all collections.
    #[must_use]
    pub fn total(&self) -> Totals {
        self.by_generation.into_iter().reduce(Totals::with).unwrap_or_default()
    }

    /// Totals by generation: 0 to 4, and all older ones.
    #[must_use]
    pub fn by_generation(&self) -> [Totals; KINDS] {
        self.by_generation
    }

    /// Whether there are more collections than [`limits::MAX_COLLECTIONS`]: rows are missing.
    #[must_use]
    pub fn is_capped(&self) -> bool {
        self.total().count > self.rows.len() as u64
    }

    /// The oldest generation there is: collections of it are the major ones. GHC has two generations unless told.
    #[must_use]
    pub fn oldest(&self) -> u16 {
        self.generations.map_or(1, |generations| generations.saturating_sub(1))
    }

    /// The rows, in order of time.
    #[must_use]
    pub fn rows(&self) -> &[Collection] {
        &self.rows
    }

    /// Puts the rows in order, once some have come: these and the few before them that they fall among.
    pub(crate) fn settle(&mut self) {
        let (settled, new) = self.rows.split_at(self.settled);
        let Some(earliest) = new.iter().map(|collection| collection.start).min() else { return };
        let from = settled.partition_point(|collection| collection.start <= earliest);
        if let Some(unsettled) = self.rows.get_mut(from..) {
            // Made of runs that are in order, as the capabilities' blocks are: that is what this sort is good at.
            unsettled.sort_by_key(|collection| collection.start);
        }
        self.settled = self.rows.len();
    }

    pub(crate) fn add(&mut self, collection: Collection, overview: &mut Overview) {
        let kind = kind(&collection);
        overview.add(self.series, kind, collection.start, collection.end);
        self.recent.collections += 1;
        self.recent.add_pause(kind, collection.elapsed());
        if let Some(totals) = self.by_generation.get_mut(kind) {
            totals.add(&collection);
        }
        if self.rows.len() < limits::MAX_COLLECTIONS {
            self.rows.push(collection);
        }
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.rows.capacity() * size_of::<Collection>()
    }
}

/// A collection's generation, as its totals are kept by.
pub(crate) fn kind(collection: &Collection) -> usize {
    usize::from(collection.generation.unwrap_or(0)).min(KINDS - 1)
}

impl Totals {
    fn add(&mut self, collection: &Collection) {
        self.count += 1;
        self.elapsed = self.elapsed.plus(collection.elapsed());
        self.longest = self.longest.max(collection.elapsed());
        self.copied_bytes = self.copied_bytes.saturating_add(collection.copied_bytes);
    }

    fn with(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            elapsed: self.elapsed.plus(other.elapsed),
            longest: self.longest.max(other.longest),
            copied_bytes: self.copied_bytes.saturating_add(other.copied_bytes),
        }
    }
}
