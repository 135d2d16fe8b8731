//! What the first pass through a log does with what the machines find: it goes to the overview and to the tables.

use crate::{
    keeping::collections::Collections,
    keeping::overview::{Overview, SeriesId},
    keeping::threads::Threads,
    reading::diagnostics::Diagnostics,
    tracks::Sink,
    tracks::span::{Collection, Ending, Span},
};
use ghc_eventlog::Nanos;

/// Takes what the machines of one stream find.
pub(crate) struct FirstPass<'a> {
    pub(crate) overview: &'a mut Overview,
    pub(crate) threads: &'a mut Threads,
    pub(crate) collections: &'a mut Collections,
    /// The stream's series; events outside of blocks have no capability, and no lane.
    pub(crate) series: Option<SeriesId>,
    /// Time in each state of the stream's lane.
    pub(crate) totals: &'a mut [Nanos],
    pub(crate) diagnostics: &'a mut Diagnostics,
}

impl Sink for FirstPass<'_> {
    #[inline(always)]
    fn span(&mut self, span: Span) {
        // Events outside of blocks have no capability, and no lane.
        let Some(series) = self.series else { return };
        let state = usize::from(span.state);
        let time = span.end.since(span.start);
        self.overview.add(series, state, span.start, span.end);
        if let Some(total) = self.totals.get_mut(state) {
            *total = total.plus(time);
        }
        if let Some(thread) = span.thread {
            self.threads.ran(thread, time);
        }
        if span.ending == Ending::Lost {
            self.diagnostics.unended += 1;
        }
    }

    fn stray_stop(&mut self) {
        self.diagnostics.unbegun += 1;
    }

    fn collection(&mut self, collection: Collection) {
        self.collections.add(collection, self.overview);
    }
}
