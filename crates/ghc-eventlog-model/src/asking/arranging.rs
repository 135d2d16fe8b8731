//! How a user wants the rows of a log, and which words begin and end spans.

use crate::{
    asking::range::Range,
    known::arrangement::{Arrangement, Wishes},
    reading::model::Model,
    terms::messages::SpanWords,
};

impl Model {
    /// The rows that a user wants, made from what is known now: to be made again when the log has another
    /// [revision](Self::revision). If only threads are wanted that existed, ran, or were in a state, they must have done so
    /// in `range`, or anywhere in the log.
    #[must_use]
    pub fn arrange(&self, wishes: Wishes, range: Option<&Range>) -> Arrangement {
        Arrangement::of(&self.known, wishes, range.map(|range| &range.summed))
    }

    /// Counts changes that may affect figures, tables and rows: what was made for one revision is valid until there is
    /// another.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.known.revision
    }

    /// Sets the words that the user adds to those that are known to begin and end spans of threads. Returns true if some of the log has been read already, so that it
    /// needs a [replay](Self::replay) for them: then earlier results are dropped, and a replay in progress is void.
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
