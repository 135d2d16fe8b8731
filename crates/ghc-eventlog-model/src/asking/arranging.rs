//! How its reader wants rows to stand, and what spans are made of.

use crate::{
    asking::range::Range,
    keeping::crossing::{
        rows::{LABEL, ThreadRows, label_of},
        spans::SpanRows,
    },
    reading::model::Model,
    terms::{messages::SpanWords, track::TrackId},
    tracks::thread::Threads,
};

impl Model {
    /// Which rows threads have on the timeline from now on, and in which order; as soon as the log has been
    /// [gone through](Self::replay). Until then all have one. What is asked for of a `range` is told of it, or of the whole log.
    pub fn arrange_threads(&mut self, wish: ThreadRows, range: Option<&Range>) {
        self.known.thread_rows = wish;
        self.known.put_threads_in_order(range.map(|range| &range.summed));
    }

    /// Whether a track is a label's, which stands for its threads: then, whether those have rows of their own, too.
    #[must_use]
    pub fn unfolds(&self, track: TrackId) -> Option<bool> {
        let label = label_of(track.of_kind::<Threads>()?)?;
        let replayed = self.known.replayed.as_ref()?;
        Some(replayed.rows.unfolded.contains(&(label | LABEL)))
    }

    /// What the rows of the user's spans are for from now on, as soon as the log has been [gone through](Self::replay); until then there
    /// is one for each label. So it stays where there are too many spans to keep them all.
    pub fn arrange_spans(&mut self, rows: SpanRows) {
        self.known.span_rows = rows;
        self.known.put_spans_in_rows();
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
        has_read
    }
}
