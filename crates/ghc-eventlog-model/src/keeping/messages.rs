//! What is kept of the program's messages besides their places: the labels of spans, the texts that are said of them, and the
//! names of instruments and of other numbers.

use super::{
    sightings::Sightings,
    valued::{DeclaredInstruments, NumberedWords},
    wordings::Wordings,
};
use crate::{
    keeping::{
        places::hash,
        store::{Event, Purpose, Store, Streams},
    },
    limits,
    sorting::{sort_by_key, sort_by_number},
    terms::{
        messages::{Message, Noted, SpanWords},
        tags::Tags,
    },
};
use alloc::vec::Vec;
use core::cmp::Reverse;
use ghc_eventlog::{UserBinaryMsg, UserMarker, UserMsg};

/// The label shared by all labels that are not kept.
pub(crate) const OTHERS: u16 = limits::MAX_SPAN_LABELS as u16;

/// The bit by which marks tell the labels that are not kept. The other bits are a part of the label's hash, which tells most of them
/// apart.
pub(crate) const NOT_KEPT: u32 = 1 << 31;

/// What marks have for a label that is not kept.
fn not_kept(hash: u64) -> u32 {
    NOT_KEPT | hash as u32
}

/// The label of a mark.
pub(crate) fn label_of_mark(mark: u32) -> u16 {
    if mark & NOT_KEPT == 0 { mark as u16 } else { OTHERS }
}

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
        let texts = [&self.labels.texts, &self.noted].map(Wordings::bytes_held);
        texts.into_iter().sum::<usize>()
            + self.labels.chosen.as_ref().map_or(0, Vec::capacity) * size_of::<u32>()
            + self.common.bytes_held()
            + self.instruments.bytes_held()
            + self.numbers.bytes_held()
    }
}

/// The labels of spans, in order of the file.
#[derive(Debug)]
pub(crate) struct Labels {
    texts: Wordings,
    /// Whether some are not kept.
    pub(crate) are_too_many: bool,
    /// If they have been [chosen](Self::choose): those that are kept, as [`not_kept`] has them, in order.
    chosen: Option<Vec<u32>>,
    /// Whether all of the log was taken into account: then only missing room for texts leads to another choice.
    is_settled: bool,
    /// Whether there was no room for the text of a chosen one.
    lacks_chosen: bool,
}

impl Default for Labels {
    fn default() -> Self {
        let texts = Wordings::with_room(limits::MAX_SPAN_LABELS, limits::SPAN_LABEL_BYTES);
        Self { texts, are_too_many: false, chosen: None, is_settled: false, lacks_chosen: false }
    }
}

impl Labels {
    /// Forgets all labels, unless these are the best already. Of those that come then, the heaviest are kept, given with their weights:
    /// those that are kept now, by their numbers, and others. They are the best if as many others together weigh no more than `worth` beyond
    /// them. `is_over` says whether the weights are those of all of the log.
    pub(crate) fn choose(
        &mut self,
        kept: impl Fn(u16) -> u64,
        missed: &[(u32, u64)],
        (worth, is_over): (u64, bool),
    ) -> bool {
        let mut all: Vec<(u32, u64)> =
            self.texts.hashes().map(|(hash, place)| (not_kept(hash), kept(place as u16))).collect();
        let sum = |some: &[(u32, u64)]| some.iter().fold(0, |sum: u64, (_, weight)| sum.saturating_add(*weight));
        let (count, before) = (all.len(), sum(&all));
        all.extend_from_slice(missed);
        sort_by_key(&mut all, |(label, weight)| (Reverse(*weight), *label));
        let best = all.get(..count).map_or(before, sum);
        let is_better = !self.is_settled && best.saturating_sub(before) > worth;
        self.is_settled |= is_over;
        if !is_better && !self.lacks_chosen {
            return false;
        }
        // If there was no room for the texts of all: as many as there is room for, however long they are.
        let fitting = limits::SPAN_LABEL_BYTES / (3 * limits::MAX_TEXT) - 1;
        let most = if self.lacks_chosen { fitting } else { limits::MAX_SPAN_LABELS };
        let mut chosen: Vec<u32> = all.into_iter().take(most).map(|(label, _)| label).collect();
        sort_by_number(&mut chosen, |label| u64::from(*label));
        *self = Self { are_too_many: true, chosen: Some(chosen), is_settled: is_over, ..Self::default() };
        true
    }

    /// Whether some have been chosen, perhaps [not for good](Self::may_be_chosen).
    pub(crate) fn are_chosen(&self) -> bool {
        self.chosen.is_some()
    }

    /// Whether some were chosen, and all of these have come.
    pub(crate) fn has_all_chosen(&self) -> bool {
        let Some(chosen) = self.chosen.as_ref().filter(|chosen| chosen.len() <= self.texts.len()) else { return false };
        let mut come: Vec<u32> = self.texts.hashes().map(|(hash, _)| not_kept(hash)).collect();
        sort_by_number(&mut come, |label| u64::from(*label));
        chosen.iter().all(|label| come.binary_search(label).is_ok())
    }

    fn keep(&mut self, label: &[u8]) {
        let is_chosen = |chosen: &Vec<u32>| chosen.binary_search(&not_kept(hash(label))).is_ok();
        if self.chosen.as_ref().is_none_or(is_chosen) {
            let is_missed = self.texts.place(label).is_none();
            self.are_too_many |= is_missed;
            // If there are already as many as were chosen, another label has the hash of one of them: fewer would not help.
            self.lacks_chosen |= is_missed && self.are_chosen() && self.texts.len() < limits::MAX_SPAN_LABELS;
        }
    }

    /// Whether the log may have to be gone through once more, since it is not decided yet which labels are kept.
    pub(crate) fn may_be_chosen(&self) -> bool {
        self.are_too_many && !self.is_settled
    }

    /// What a mark has for a label.
    pub(crate) fn mark(&self, label: &[u8]) -> u32 {
        match self.find(label) {
            OTHERS => not_kept(hash(label)),
            kept => kept.into(),
        }
    }

    /// How many there are; those that are not kept count as one.
    pub(crate) fn count(&self) -> usize {
        self.texts.len() + usize::from(self.are_too_many)
    }

    /// The label at a place. The one for labels that are not kept comes last.
    pub(crate) fn nth(&self, place: usize) -> Option<u16> {
        let label = u16::try_from(place).ok().filter(|_| place < self.texts.len());
        label.or((place < self.count()).then_some(OTHERS))
    }

    /// The texts of all labels, in order of their places.
    pub(crate) fn all_texts(&self) -> impl Iterator<Item = &str> {
        (0..self.count()).filter_map(|place| self.nth(place)).map(|label| self.text(label))
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
        (0..most + 2)
            .for_each(|at| messages.step(Event::of(UserMsg::TAG, Nanos(1), format!("START l{at}").as_bytes())));
        let labels = &messages.labels;
        assert_eq!((labels.count(), labels.nth(most), labels.place(OTHERS)), (most + 1, Some(OTHERS), Some(most)));
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
        let mark = |messages: &Messages, at: usize| messages.labels.mark(label(at).get(6..).unwrap().as_bytes());
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
        assert_eq!(messages.labels.count(), most + 1);
        assert!(!messages.labels.choose(|_| 0, &[(NOT_KEPT, 7)], (0, true)), "once is enough");
    }

    #[test]
    fn labels_with_long_texts_are_fewer() {
        let mut labels = Labels::default();
        let label = |at: usize| format!("{at} {}", "x".repeat(1000));
        let fitting = limits::SPAN_LABEL_BYTES / limits::MAX_TEXT;
        (0..fitting + 10).for_each(|at| labels.keep(format!("{at}").as_bytes()));
        let missed: Vec<(u32, u64)> = (0..limits::MAX_SPAN_LABELS)
            .map(|at| (labels.mark(label(at).as_bytes()), 1000 - at as u64 % 1000))
            .collect();
        assert!(labels.choose(|_| 0, &missed, (0, true)));
        let keep_all =
            |labels: &mut Labels| (0..limits::MAX_SPAN_LABELS).for_each(|at| labels.keep(label(at).as_bytes()));
        keep_all(&mut labels);
        assert!(labels.lacks_chosen);
        let weight = |place: u16| 1000 - u64::from(place) % 1000;
        let missed: Vec<(u32, u64)> = missed.into_iter().filter(|(label, _)| label & NOT_KEPT != 0).collect();
        assert!(labels.choose(weight, &missed, (0, true)));
        keep_all(&mut labels);
        assert!(!labels.lacks_chosen && labels.find(label(0).as_bytes()) != OTHERS);
        assert!(!labels.choose(weight, &[], (0, true)));
    }

    /// Marks have 31 bits of a label's hash: of 100 000 labels, some have the same.
    #[test]
    fn two_labels_with_the_same_bits_cost_one_of_them_its_totals_only() {
        let mut seen = alloc::collections::BTreeMap::new();
        let [one, other] = (0..1_000_000u32)
            .find_map(|at| {
                let label = format!("user {at}");
                let before = seen.insert(not_kept(hash(label.as_bytes())), label.clone())?;
                Some([before, label])
            })
            .unwrap();
        let mut labels = Labels::default();
        let common = |at: usize| format!("common {at}");
        (0..=limits::MAX_SPAN_LABELS).for_each(|at| labels.keep(common(at).as_bytes()));
        let missed = [(labels.mark(one.as_bytes()), 5000)];
        assert!(labels.choose(|place| 1 + u64::from(place), &missed, (0, true)));
        for label in [&one, &other] {
            labels.keep(label.as_bytes());
        }
        (0..limits::MAX_SPAN_LABELS).for_each(|at| labels.keep(common(at).as_bytes()));
        assert_eq!(labels.count(), limits::MAX_SPAN_LABELS + 1);
        assert!(!labels.choose(|_| 1, &[], (0, true)), "it is not gone through once more with fewer labels");
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
