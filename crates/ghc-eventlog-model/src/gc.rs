//! The collections of a log: exact totals, and a row each up to a stated cap.

use crate::{
    limits,
    overview::{Overview, SeriesId},
    span::Collection,
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// All collections.
#[derive(Debug)]
pub struct Collections {
    /// Generations of the heap, from HEAP_INFO_GHC; `None` if the log does not tell.
    pub generations: Option<u16>,
    rows: Vec<Collection>,
    total: Totals,
    by_generation: [Totals; KINDS],
    pub(crate) series: SeriesId,
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

/// Generations told apart: 0, 1, and all older ones.
pub(crate) const KINDS: usize = 3;

impl Collections {
    pub(crate) fn new(overview: &mut Overview) -> Self {
        Self {
            generations: None,
            rows: Vec::new(),
            total: Totals::default(),
            by_generation: [Totals::default(); KINDS],
            series: overview.add_series(KINDS),
        }
    }

    /// Totals of all collections.
    #[must_use]
    pub fn total(&self) -> Totals {
        self.total
    }

    /// Totals of generations 0, 1, and older.
    #[must_use]
    pub fn by_generation(&self) -> [Totals; KINDS] {
        self.by_generation
    }

    /// Whether there are more collections than [`limits::MAX_COLLECTIONS`]: rows are missing.
    #[must_use]
    pub fn is_capped(&self) -> bool {
        self.total.count > self.rows.len() as u64
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

    pub(crate) fn add(&mut self, collection: Collection, overview: &mut Overview) {
        let kind = kind(&collection);
        overview.add(self.series, kind, collection.start, collection.end);
        self.total.add(&collection);
        if let Some(totals) = self.by_generation.get_mut(kind) {
            totals.add(&collection);
        }
        if self.rows.len() < limits::MAX_COLLECTIONS {
            // They come in order of the file, which is nearly that of time: the place is near the end.
            let later = self.rows.iter().rev().take_while(|row| row.start > collection.start).count();
            self.rows.insert(self.rows.len() - later, collection);
        }
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.rows.capacity() * size_of::<Collection>()
    }
}

fn kind(collection: &Collection) -> usize {
    usize::from(collection.generation.unwrap_or(0)).min(KINDS - 1)
}

impl Totals {
    fn add(&mut self, collection: &Collection) {
        self.count += 1;
        self.elapsed = self.elapsed.plus(collection.elapsed());
        self.longest = self.longest.max(collection.elapsed());
        self.copied_bytes = self.copied_bytes.saturating_add(collection.copied_bytes);
    }
}
