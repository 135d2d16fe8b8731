//! What is kept of the program's messages besides their places: the labels of spans.

use super::wordings::Wordings;
use crate::{
    keeping::{
        places::hash,
        store::{Event, Purpose, Store},
    },
    limits,
    terms::{
        messages::{Message, SpanWords},
        tags::Tags,
    },
};
use ghc_eventlog::{UserBinaryMsg, UserMsg};

/// The label shared by all labels that are not kept.
pub(crate) const OTHERS: u16 = limits::MAX_SPAN_LABELS as u16;

/// The labels and words of spans.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    /// The words that begin and end spans.
    words: SpanWords,
    pub(crate) labels: Labels,
    /// Whether labels are missing, because the log was read with other words.
    pub(crate) lacks_labels: bool,
    /// Messages about spans that are cut, or have no number.
    pub(crate) malformed: u64,
}

impl Messages {
    /// Reads an event; keeps the label if it begins a span.
    pub(crate) fn label<'a>(&mut self, tag: u16, payload: &'a [u8]) -> Message<'a> {
        let message = self.read(tag, payload);
        // An end needs no label if no begin has that label.
        if let Message::Begin { label, .. } | Message::OfThread { begins: true, label, .. } = message {
            self.labels.are_too_many |= self.labels.texts.place(label).is_none();
        }
        message
    }

    /// What an event says about spans.
    pub(crate) fn read<'a>(&self, tag: u16, payload: &'a [u8]) -> Message<'a> {
        Message::read(tag, payload, &self.words)
    }

    pub(crate) fn words(&self) -> &SpanWords {
        &self.words
    }

    /// Changes the words. `has_read` says whether there were messages before: then their labels are missing.
    pub(crate) fn look_for(&mut self, words: SpanWords, has_read: bool) {
        (self.words, self.labels, self.lacks_labels) = (words, Labels::default(), has_read);
    }
}

impl Store for Messages {
    const TAGS: Tags = Tags::of(&[UserMsg::TAG, UserBinaryMsg::TAG]);

    fn of(_: Purpose) -> Self {
        Self::default()
    }

    fn step(&mut self, event: Event<'_>) {
        self.malformed += u64::from(self.label(event.tag, event.payload) == Message::Malformed);
    }

    fn bytes_held(&self) -> usize {
        self.labels.texts.bytes_held()
    }
}

/// The labels of spans, in order of the file.
#[derive(Debug)]
pub(crate) struct Labels {
    texts: Wordings,
    are_too_many: bool,
}

impl Default for Labels {
    fn default() -> Self {
        Self { texts: Wordings::with_room(limits::MAX_SPAN_LABELS, limits::SPAN_LABEL_BYTES), are_too_many: false }
    }
}

impl Labels {
    /// How many there are; those that are not kept count as one.
    pub(crate) fn count(&self) -> usize {
        self.texts.len() + usize::from(self.are_too_many)
    }

    /// The label at a place. The one for labels that are not kept comes last.
    pub(crate) fn nth(&self, place: usize) -> Option<u16> {
        let label = u16::try_from(place).ok().filter(|_| place < self.texts.len());
        label.or((place < self.count()).then_some(OTHERS))
    }

    /// The place of a label.
    pub(crate) fn place(&self, label: u16) -> Option<usize> {
        let place = if label == OTHERS { self.texts.len() } else { label.into() };
        (place < self.count()).then_some(place)
    }

    /// The label with a text.
    pub(crate) fn find(&self, text: &[u8]) -> u16 {
        let found = self.texts.find(hash(text), text);
        found.and_then(|label| u16::try_from(label).ok()).unwrap_or(OTHERS)
    }

    /// The label's text for people.
    pub(crate) fn text(&self, label: u16) -> &str {
        if label == OTHERS { "All others" } else { self.texts.get(label.into()).unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use ghc_eventlog::Nanos;

    #[test]
    fn labels_are_taken_from_begins() {
        let mut messages = Messages::default();
        for text in ["START a", "STOP b", "START 7 a", "ot2 begin span 7 c", "a", "ot2 end span x"] {
            messages.step(Event::of(UserMsg::TAG, Nanos(1), text.as_bytes()));
        }
        let labels = &messages.labels;
        assert_eq!((labels.count(), messages.malformed), (2, 1));
        assert_eq!([b"a", b"b", b"c"].map(|text| labels.find(text)), [0, OTHERS, 1]);
        assert_eq!([labels.nth(1), labels.nth(2), labels.nth(usize::from(OTHERS))], [Some(1), None, None]);
    }

    #[test]
    fn labels_beyond_the_limit_share_one() {
        let mut messages = Messages::default();
        let most = limits::MAX_SPAN_LABELS;
        (0..most + 2).for_each(|at| messages.step(Event::of(UserMsg::TAG, Nanos(1), format!("START {at}").as_bytes())));
        let labels = &messages.labels;
        assert_eq!((labels.count(), labels.nth(most), labels.place(OTHERS)), (most + 1, Some(OTHERS), Some(most)));
        assert_eq!((labels.find(b"511"), labels.find(b"512"), labels.text(OTHERS)), (511, OTHERS, "All others"));
    }
}
