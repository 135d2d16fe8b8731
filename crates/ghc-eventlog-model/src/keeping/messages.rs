//! What is kept of the program's messages beside their places: the labels of spans.

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

/// The label of all for which there is no room.
pub(crate) const OTHERS: u16 = limits::MAX_SPAN_LABELS as u16;

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    /// The words that spans begin and end with.
    words: SpanWords,
    pub(crate) labels: Labels,
    /// Whether labels are missing, as other words were looked for when the log was read.
    pub(crate) lacks_labels: bool,
    /// Messages of spans that are cut, or have no number.
    pub(crate) malformed: u64,
}

impl Messages {
    /// Reads an event, and keeps the label of a begin.
    pub(crate) fn label<'a>(&mut self, tag: u16, payload: &'a [u8]) -> Message<'a> {
        let message = self.read(tag, payload);
        // What fits no begin needs no label.
        if let Message::Begin { label, .. } | Message::OfThread { begins: true, label, .. } = message {
            self.labels.are_too_many |= self.labels.texts.place(label).is_none();
        }
        message
    }

    /// What an event says of spans.
    pub(crate) fn read<'a>(&self, tag: u16, payload: &'a [u8]) -> Message<'a> {
        Message::read(tag, payload, &self.words)
    }

    pub(crate) fn words(&self) -> &SpanWords {
        &self.words
    }

    /// Looks for other words from now on; `has_read` says whether there were messages before, whose labels are missing now.
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
    /// How many there are; all for which there is no room are one.
    pub(crate) fn count(&self) -> usize {
        self.texts.len() + usize::from(self.are_too_many)
    }

    /// The one at a place; the one that the others have together comes last.
    pub(crate) fn nth(&self, place: usize) -> Option<u16> {
        let label = u16::try_from(place).ok().filter(|_| place < self.texts.len());
        label.or((place < self.count()).then_some(OTHERS))
    }

    /// Where one stands.
    pub(crate) fn place(&self, label: u16) -> Option<usize> {
        let place = if label == OTHERS { self.texts.len() } else { label.into() };
        (place < self.count()).then_some(place)
    }

    /// The one with a text.
    pub(crate) fn find(&self, text: &[u8]) -> u16 {
        let found = self.texts.find(hash(text), text);
        found.and_then(|label| u16::try_from(label).ok()).unwrap_or(OTHERS)
    }

    /// What people call it.
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
    fn labels_are_those_of_begins() {
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
    fn those_that_are_too_many_are_one() {
        let mut messages = Messages::default();
        let most = limits::MAX_SPAN_LABELS;
        (0..most + 2).for_each(|at| messages.step(Event::of(UserMsg::TAG, Nanos(1), format!("START {at}").as_bytes())));
        let labels = &messages.labels;
        assert_eq!((labels.count(), labels.nth(most), labels.place(OTHERS)), (most + 1, Some(OTHERS), Some(most)));
        assert_eq!((labels.find(b"511"), labels.find(b"512"), labels.text(OTHERS)), (511, OTHERS, "All others"));
    }
}
