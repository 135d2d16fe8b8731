//! What is kept of the program's messages besides their places: the labels of spans, the texts that are said of them, and the
//! names of instruments and of other numbers.

mod families;
mod labels;

use super::{instruments::DeclaredInstruments, sightings::Sightings, valued::NumberedWords, wordings::Wordings};
use crate::{
    keeping::{
        places::hash,
        store::{Event, Purpose, Store, Streams},
    },
    limits,
    terms::{
        messages::{Message, Noted, SpanWords},
        tags::Tags,
    },
};
use alloc::vec::Vec;
use ghc_eventlog::{UserBinaryMsg, UserMarker, UserMsg};
pub(crate) use labels::{Labels, OTHERS, is_not_kept, label_of_mark};

/// The labels and words of spans, and the names of values.
#[derive(Debug)]
pub(crate) struct Messages {
    /// The words that the reader adds to the known ones.
    words: SpanWords,
    pub(crate) labels: Labels,
    /// Which common words were seen with which label: bit 0 for one that begins a span, bit 1 for one that ends it.
    common: Sightings,
    /// Whether labels are missing, because the log was read with other words.
    pub(crate) lacks_labels: bool,
    /// Whether any message may say something of spans or values. In many logs none does, and then none is read again.
    pub(crate) may_tell: bool,
    /// Messages about spans and instruments that are cut, or have no number.
    pub(crate) malformed: u64,
    /// Messages of opentelemetry-haskell of an unknown type, or about a kind of instrument that is not known.
    pub(crate) unknown: u64,
    /// The texts of tags and instants: `key=value`.
    pub(crate) noted: Wordings,
    pub(crate) instruments: DeclaredInstruments,
    pub(crate) numbers: NumberedWords,
}

impl Default for Messages {
    fn default() -> Self {
        Self {
            words: SpanWords::default(),
            labels: Labels::default(),
            common: Sightings::default(),
            lacks_labels: false,
            may_tell: false,
            malformed: 0,
            unknown: 0,
            noted: Wordings::with_room(limits::MAX_NOTE_TEXTS, limits::NOTE_TEXT_BYTES),
            instruments: DeclaredInstruments::default(),
            numbers: NumberedWords::default(),
        }
    }
}

impl Messages {
    /// Keeps the label of what an event says, if that begins a span.
    pub(crate) fn label(&mut self, message: &Message<'_>) {
        // An end needs no label if no begin has that label.
        let label = match message {
            Message::Begin { label, .. } | Message::OfThread { begins: true, needs_both: false, label, .. } => {
                Some(label)
            }
            Message::OfThread { needs_both: true, label, .. } => Some(label).filter(|label| self.has_both(label)),
            _ => None,
        };
        if let Some(label) = label {
            self.labels.keep(label);
        }
    }

    /// What an event says about spans and values.
    pub(crate) fn read<'a>(&self, tag: u16, payload: &'a [u8]) -> Message<'a> {
        Message::read(tag, payload, &self.words)
    }

    /// Whether a text begins a span, or ends one; `None` if it is about no span.
    pub(crate) fn begins_or_ends(&self, text: &[u8]) -> Option<bool> {
        match Message::of_text(text, &self.words) {
            Message::Begin { .. } => Some(true),
            Message::End { .. } => Some(false),
            Message::OfThread { begins, needs_both, label, .. } => {
                Some(begins).filter(|_| !needs_both || self.has_both(label))
            }
            _ => None,
        }
    }

    pub(crate) fn words(&self) -> &SpanWords {
        &self.words
    }

    /// Changes the words. `has_read` says whether there were messages before: then their labels are missing.
    pub(crate) fn look_for(&mut self, words: SpanWords, has_read: bool) {
        (self.words, self.labels, self.lacks_labels) = (words, Labels::default(), has_read);
        self.may_tell |= has_read;
    }

    /// Whether the log has both of the common words with a label: only then do they begin and end its spans.
    pub(crate) fn has_both(&self, label: &[u8]) -> bool {
        self.common.get(hash(label)) == 3
    }

    /// Notes what does not depend on the reader's words, which may be changed later.
    fn see(&mut self, message: &Message<'_>) {
        match message {
            Message::OfThread { begins, needs_both: true, label, .. } => {
                let bit = if *begins { 1 } else { 2 };
                self.common.see(hash(label), limits::MAX_COMMON_LABELS, |seen| seen | bit, |seen| seen == 3);
            }
            Message::Number { word, .. } => self.numbers.count(word),
            Message::Declare { instrument, kind, name } => self.instruments.declare(*instrument, *kind, name),
            Message::Value { instrument, .. } => self.instruments.count(*instrument),
            _ => {}
        }
    }
}

/// The text of a tag or an instant; `None` for numbers.
pub(crate) fn noted_text(noted: &Noted<'_>) -> Option<Vec<u8>> {
    match noted {
        Noted::Tag(key, value) | Noted::Instant(key, value) => Some([key, &b"="[..], value].concat()),
        Noted::Parent { .. } | Noted::Trace(_) | Noted::SpanId(_) => None,
    }
}

impl Store for Messages {
    const TAGS: Tags = Tags::of(&[UserMsg::TAG, UserMarker::TAG, UserBinaryMsg::TAG]);

    fn of(_: Purpose) -> Self {
        Self::default()
    }

    fn step(&mut self, event: Event<'_>) {
        let plain = Message::read(event.tag, event.payload, &SpanWords::default());
        self.see(&plain);
        let message = if self.words.are_added() { self.read(event.tag, event.payload) } else { plain };
        self.label(&message);
        match message {
            Message::Malformed => self.malformed += 1,
            Message::Unknown => self.unknown += 1,
            Message::Note { noted, .. } => {
                self.may_tell = true;
                noted_text(&noted).map(|text| self.noted.place(&text));
            }
            Message::Number { .. }
            | Message::OfThread { .. }
            | Message::Begin { .. }
            | Message::End { .. }
            | Message::Value { .. } => self.may_tell = true,
            Message::Other | Message::Declare { .. } => {}
        }
    }

    fn finish(&mut self, _: Streams<'_>) {
        self.instruments.finish();
        self.numbers.finish();
    }

    fn bytes_held(&self) -> usize {
        self.labels.bytes_held()
            + self.noted.bytes_held()
            + self.common.bytes_held()
            + self.instruments.bytes_held()
            + self.numbers.bytes_held()
    }
}

#[cfg(test)]
mod tests {
    use super::{labels::NOT_KEPT, *};
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
    fn labels_beyond_the_limit_share_one_or_that_of_their_family() {
        let mut messages = Messages::default();
        let most = limits::MAX_SPAN_LABELS;
        (0..most + 2)
            .for_each(|at| messages.step(Event::of(UserMsg::TAG, Nanos(1), format!("START l{at}").as_bytes())));
        messages.step(Event::of(UserMsg::TAG, Nanos(1), b"START other"));
        let labels = &messages.labels;
        assert_eq!((labels.count(), labels.nth(most), labels.place(OTHERS)), (most + 2, Some(OTHERS), Some(most)));
        let of = |text: &str| labels.text(label_of_mark(labels.mark(text.as_bytes())));
        assert_eq!(["l7", "l9999999", "other", "m1"].map(of), ["l7", "l# (others)", "All others", "All others"]);
        let family = labels.nth(most + 1).unwrap();
        assert_eq!(
            (labels.place(family), labels.family(family), labels.family(0)),
            (Some(most + 1), "l#".into(), "l#".into())
        );
        assert!(labels.are_all_of("l#") && labels.are_all_of("m#"));
        // There is no room for more families than that: those of fewest spans are forgotten.
        let more = |messages: &mut Messages, text: alloc::string::String| {
            messages.step(Event::of(UserMsg::TAG, Nanos(1), text.as_bytes()))
        };
        let mut messages = messages;
        (0..limits::MAX_SPAN_FAMILIES).for_each(|at| more(&mut messages, format!("START {} 1", "f".repeat(at + 1))));
        let labels = &messages.labels;
        assert!(labels.count() <= most + 1 + limits::MAX_SPAN_FAMILIES);
        let last = format!("{} #", "f".repeat(limits::MAX_SPAN_FAMILIES));
        assert_eq!(["l#", "f #", &last].map(|family| labels.are_all_of(family)), [true, false, true]);
        let [last, beyond] = [most - 1, most].map(|at| labels.find(format!("l{at}").as_bytes()));
        assert_eq!((usize::from(last), beyond, labels.text(OTHERS)), (most - 1, OTHERS, "All others"));
    }

    /// Labels are cut where they are long; that is no reason to take one for another.
    #[test]
    fn the_heaviest_labels_are_kept_once_they_are_known() {
        let mut messages = Messages::default();
        let label = |at: usize| format!("START {}{at}", "long ".repeat(if at.is_multiple_of(50) { 100 } else { 1 }));
        let most = limits::MAX_SPAN_LABELS;
        let begin = |messages: &mut Messages, at: usize| {
            messages.step(Event::of(UserMsg::TAG, Nanos(1), label(at).as_bytes()));
        };
        (0..most + 100).for_each(|at| begin(&mut messages, at));
        let mark = |messages: &Messages, at: usize| messages.labels.mark(label(at).get(6..).unwrap().as_bytes()).0;
        let missed: Vec<(u32, u64)> =
            (most..most + 100).map(|at| (mark(&messages, at), if at % 2 == 0 { 1000 } else { 0 })).collect();
        // Fifty of them are heavier than the fifty lightest, which weigh 0 to 49.
        let gain = 50 * 1000 - (0..50).sum::<u64>();
        assert!(!messages.labels.choose(|place| place.into(), &missed, (gain, false)), "it is not worth it");
        assert!(messages.labels.may_be_chosen() && messages.labels.choose(|place| place.into(), &missed, (0, true)));
        assert!(!messages.labels.may_be_chosen());
        (0..most + 100).for_each(|at| begin(&mut messages, at));
        let is_kept = |at: usize| mark(&messages, at) & NOT_KEPT == 0;
        assert!((50..most).all(is_kept) && !(0..10).any(is_kept));
        assert!((most..most + 100).all(|at| is_kept(at) == (at % 2 == 0)));
        // One for all others, and one of each family.
        assert_eq!(messages.labels.count(), most + 3);
        assert!(!messages.labels.choose(|_| 0, &[(NOT_KEPT, 7)], (0, true)), "once is enough");
    }

    #[test]
    fn common_words_need_both() {
        let mut messages = Messages::default();
        let mut say = |text: &str| messages.step(Event::of(UserMsg::TAG, Nanos(1), text.as_bytes()));
        // In any order of the file, and however many others there are.
        let texts = ["server started", "parsing ended", "parsing started", "parsing started", "b started", "b ended"];
        texts.into_iter().for_each(&mut say);
        (0..limits::MAX_COMMON_LABELS * 3).for_each(|at| say(&format!("{at}x started")));
        assert_eq!(messages.labels.count(), 2);
        assert_eq!([b"parsing", b"server "].map(|text| messages.labels.find(text)), [0, OTHERS]);
        assert_eq!(["parsing", "server", "b"].map(|label| messages.has_both(label.as_bytes())), [true, false, true]);
    }
}
