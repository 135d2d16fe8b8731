//! Values in order of time: of opentelemetry's instruments, and numbers after a word.
//!
//! ```text
//! kind            values    1    1   -1    1
//! up-down counter   drawn   1    2    1    2       each is a difference
//! value observer    drawn   1    1   -1    1       each is the value
//! ```

use super::marks::{CounterId, Mark, NOWHERE};
use crate::{
    keeping::{
        messages::Messages,
        ring::{Envelope, RingId, Rings},
        rows::{Kept, Rows},
        sorted::{self, Sorted},
        valued::LEAST_VALUES,
    },
    limits,
    terms::messages::instrument_kind,
};
use ghc_eventlog::Nanos;

/// A value at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Measured {
    pub(crate) time: Nanos,
    pub(crate) value: i64,
}

impl Kept for Measured {
    fn time(&self) -> Nanos {
        self.time
    }

    fn weight(&self) -> u64 {
        // Negative ones before the others.
        self.value.cast_unsigned() ^ 1 << 63
    }
}

/// The values of an instrument, or after a word.
#[derive(Debug, Default)]
pub(crate) struct CounterValues {
    pub(crate) rows: Rows<Measured>,
    /// How many there are.
    pub(crate) count: u64,
    /// The smallest and the largest, the last, and when the first was.
    pub(crate) least: i64,
    pub(crate) most: i64,
    pub(crate) last: i64,
    pub(crate) first: Nanos,
    /// The ring with all of them, once not all have a row.
    pub(crate) ring: Option<RingId>,
}

/// All values.
#[derive(Debug)]
pub(crate) struct CounterStore {
    all: Sorted<CounterId, CounterValues>,
    pub(crate) rings: Rings<Envelope>,
    /// Values of instruments that were never declared, or are not kept.
    pub(crate) undeclared: u64,
}

impl Default for CounterStore {
    fn default() -> Self {
        let rings = Rings::new(limits::COUNTER_LOG2, limits::COUNTER_RINGS_BYTES);
        Self { all: Sorted::new(), rings, undeclared: 0 }
    }
}

impl CounterStore {
    /// Takes a value. To be called in order of time.
    pub(crate) fn add(&mut self, mark: &Mark, time: Nanos, messages: &Messages) {
        if mark.place == NOWHERE {
            self.undeclared += 1;
            return;
        }
        let id = CounterId::numbered(mark.place);
        if !self.all.contains_key(&id) {
            self.all.insert(id, CounterValues { first: time, ..CounterValues::default() });
        }
        let most = limits::COUNTER_BYTES / size_of::<Measured>() / self.all.len().max(1);
        let most = most.clamp(limits::MIN_COUNTER_VALUES, limits::MAX_COUNTER_VALUES);
        let is_difference = match id {
            CounterId::Instrument(at) => messages.instruments.get(at).is_some_and(|of| instrument_kind(of.kind).1),
            CounterId::Number(_) => false,
        };
        let Some(values) = self.all.get_mut(&id) else { return };
        let value = mark.key.cast_signed();
        let value = if is_difference { values.last.saturating_add(value) } else { value };
        values.add(Measured { time, value }, most, &mut self.rings);
    }

    /// Those that have a line, in order.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (CounterId, &CounterValues)> {
        let all = self.all.iter().map(|(id, values)| (*id, values));
        // A message and a marker may have said the same, so that there are fewer values than messages.
        all.filter(|(id, values)| matches!(id, CounterId::Instrument(_)) || values.count >= LEAST_VALUES.into())
    }

    /// The values of one; `None` if there are none.
    pub(crate) fn get(&self, id: CounterId) -> Option<&CounterValues> {
        self.all.get(&id)
    }

    /// No more values will come.
    pub(crate) fn finish(&mut self) {
        self.all.iter_mut().for_each(|(_, values)| values.rows.finish());
    }

    pub(crate) fn bytes_held(&self) -> usize {
        let rows = self.all.values().map(|values| values.rows.bytes_held());
        rows.sum::<usize>() + sorted::bytes_held(&self.all) + self.rings.bytes_held()
    }
}

impl CounterValues {
    fn add(&mut self, measured: Measured, most: usize, rings: &mut Rings<Envelope>) {
        let Measured { time, value } = measured;
        let (least, greatest) = if self.count == 0 { (value, value) } else { (self.least, self.most) };
        (self.least, self.most, self.last) = (least.min(value), greatest.max(value), value);
        self.count += 1;
        if self.ring.is_none() && self.rows.is_full(most) {
            let ring = rings.add_ring();
            self.rows.kept().iter().for_each(|row| rings.add(ring, row.time, Envelope::of_height(row.value as f32)));
            self.ring = Some(ring);
        }
        if let Some(ring) = self.ring {
            rings.add(ring, time, Envelope::of_height(value as f32));
        }
        self.rows.push(measured, most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keeping::{
        crossing::repeats::MarkFlags,
        store::{Event, Store},
    };
    use ghc_eventlog::{UserMarker, UserMsg};

    fn messages(texts: &[&str]) -> Messages {
        let mut messages = Messages::default();
        texts.iter().for_each(|text| messages.step(Event::of(UserMsg::TAG, Nanos(0), text.as_bytes())));
        messages.finish(&[]);
        messages
    }

    fn play(texts: &[&str]) -> (CounterStore, Messages) {
        let (messages, mut counters) = (messages(texts), CounterStore::default());
        for (text, time) in texts.iter().zip(0..) {
            let [mark, _] = Mark::read(UserMsg::TAG, text.as_bytes(), 0, &messages);
            mark.iter().for_each(|mark| counters.add(mark, Nanos(time), &messages));
        }
        counters.finish();
        (counters, messages)
    }

    #[test]
    fn some_kinds_of_instruments_have_differences() {
        let (counters, messages) = play(&[
            "ot2 metric capture b 5",
            "ot2 metric create UpDownCounter a in flight",
            "ot2 metric create ValueObserver b size",
            "ot2 metric create Counter a other name",
            "ot2 metric capture a 2",
            "ot2 metric capture a -3",
            "ot2 metric capture a 7",
            "ot2 metric capture b -5",
            "ot2 metric capture c 1",
        ]);
        let told: alloc::vec::Vec<_> =
            counters.lines().map(|(id, of)| (id, of.count, of.least, of.most, of.last)).collect();
        assert_eq!(told, [(CounterId::Instrument(0), 3, -1, 6, 6), (CounterId::Instrument(1), 2, -5, 5, -5)]);
        assert_eq!(counters.undeclared, 1);
        let instruments = &messages.instruments;
        let names = [0, 1].map(|at| (instruments.name(at), instrument_kind(instruments.get(at).unwrap().kind).0));
        assert_eq!(names, [("in flight", "up-down counter"), ("size", "value observer")]);
    }

    #[test]
    fn a_word_needs_three_numbers() {
        let (counters, messages) = play(&["queue 3", "depth 1", "queue 1", "depth 2", "queue 0"]);
        let lines: alloc::vec::Vec<_> = counters.lines().map(|(id, of)| (id, of.count, of.most, of.last)).collect();
        assert_eq!(lines, [(CounterId::Number(0), 3, 3, 0)]);
        assert_eq!(messages.numbers.word(0), "queue");
        let [marker, _] = Mark::read(UserMarker::TAG, b"queue 4", 0, &messages);
        assert!(marker.is_some_and(|mark| mark.flags == MarkFlags::MARKER && mark.key == 4));
    }

    #[test]
    fn lines_and_their_values_are_bounded() {
        let texts: alloc::vec::Vec<_> =
            (0..1000).flat_map(|at| [alloc::format!("word-{at} 1"), "q 1".into()]).collect();
        let texts: alloc::vec::Vec<&str> = texts.iter().map(alloc::string::String::as_str).collect();
        let (counters, _) = play(&[&texts[..], &texts, &texts, &["q 70"]].concat());
        assert_eq!(counters.lines().count(), limits::MAX_NUMBER_LINES);
        let q = counters.get(CounterId::Number(0)).unwrap();
        assert_eq!((q.count, q.most, q.last), (3001, 70, 70));
        assert!(q.rows.kept().len() <= limits::MAX_COUNTER_VALUES);
        let many = alloc::vec!["q 1"; limits::MAX_COUNTER_VALUES * 2];
        let (counters, _) = play(&[&many[..], &["q -70"]].concat());
        let q = counters.get(CounterId::Number(0)).unwrap();
        assert!(q.ring.is_some() && q.rows.kept().len() <= limits::MAX_COUNTER_VALUES && q.least == -70);
        assert!(counters.bytes_held() > q.rows.bytes_held());
    }
}
