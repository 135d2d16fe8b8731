//! How a log's reader wants its rows, and which words begin and end spans.

use crate::{
    asking::range::Range,
    known::arrangement::{Arrangement, Wishes},
    reading::model::Model,
    terms::messages::SpanWords,
};

impl Model {
    /// The rows that a reader wants, made of what is known now: to be made again when the log has another [revision](Self::revision).
    /// Threads that are only wanted if they were there, ran, or were in a state, must have done so in `range`, or in the whole log.
    #[must_use]
    pub fn arrange(&self, wishes: Wishes, range: Option<&Range>) -> Arrangement {
        Arrangement::of(&self.known, wishes, range.map(|range| &range.summed))
    }

    /// Counts what may change figures, tables and rows: what was made of one revision holds until there is another.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.known.revision
    }

    /// Sets the words that the spans of threads begin and end with. Returns true if the log must be [gone through](Self::replay) for them,
    /// since some of it has been read already: what was found before is forgotten then, and a replay that has been begun is void.
    pub fn name_spans(&mut self, words: SpanWords) -> bool {
        let known = &mut self.known;
        if *known.stores.messages.words() == words {
            return false;
        }
        let has_read = known.fed > 0;
        known.stores.messages.look_for(words, has_read);
        known.replayed = None;
        known.revision += 1;
        has_read
    }
}
