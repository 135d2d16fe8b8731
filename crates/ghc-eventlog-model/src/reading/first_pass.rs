//! What the first pass through a log does with what the machines find: it goes to the overview and to the tables.

use crate::{
    keeping::{
        collections::Collections,
        overview::{Overview, SeriesId},
        samples::Samples,
        sums::Sums,
        threads::Threads,
    },
    reading::diagnostics::Diagnostics,
    tracks::{
        capability::Lanes,
        kind::Placed,
        machines::{Lost, Row, Sample, Sink},
        span::Span,
    },
};

/// What is kept of what the machines find.
#[derive(Debug)]
pub(crate) struct Keeping {
    pub(crate) overview: Overview,
    pub(crate) threads: Threads,
    pub(crate) collections: Collections,
    pub(crate) samples: Samples,
    pub(crate) diagnostics: Diagnostics,
}

impl Keeping {
    /// Of a log of so many bytes, as far as that is known.
    pub(crate) fn new(log_bytes: Option<u64>) -> Self {
        let mut overview = Overview::new(log_bytes);
        let collections = Collections::new(&mut overview);
        Self {
            overview,
            threads: Threads::default(),
            collections,
            samples: Samples::default(),
            diagnostics: Diagnostics::default(),
        }
    }
}

/// Takes what the machines of one stream find.
pub(crate) struct FirstPass<'a> {
    pub(crate) keeping: &'a mut Keeping,
    /// The stream's place.
    pub(crate) stream: usize,
    /// Its series; events outside of blocks have no capability, and no lane.
    pub(crate) series: Option<SeriesId>,
    pub(crate) sums: &'a mut Sums,
}

impl Sink for FirstPass<'_> {
    #[inline(always)]
    fn span(&mut self, span: Span) {
        // Events outside of blocks have no capability, and no lane.
        let Some(series) = self.series else { return };
        let state = usize::from(span.state);
        let time = span.end.since(span.start);
        self.keeping.overview.add(series, state, span.start, span.end);
        self.sums.add(Lanes::SUMS_FROM + state, time.0);
        if let Some(thread) = span.thread {
            self.keeping.threads.ran(thread, time);
        }
    }

    fn sample<K: Placed>(&mut self, sample: Sample) {
        K::count(self.sums);
        self.keeping.samples.add(K::NUMBER, self.stream, sample);
    }

    fn row(&mut self, row: Row) {
        match row {
            Row::Collection(collection) => {
                let Keeping { collections, overview, .. } = &mut *self.keeping;
                collections.add(collection, overview, self.sums);
            }
        }
    }

    fn lost(&mut self, what: Lost) {
        if self.series.is_some() {
            match what {
                Lost::Begin => self.keeping.diagnostics.unbegun += 1,
                Lost::End => self.keeping.diagnostics.unended += 1,
            }
        }
    }
}
