//! Ticky counters: how often each closure was entered, and what it allocated. The log has the increase since the previous
//! sample.

use super::names::Names;
use crate::{
    keeping::{
        places::Places,
        rows::{Kept, Rows},
        texts::TextId,
    },
    limits,
};
use alloc::vec::Vec;
use ghc_eventlog::{InfoTable, Nanos, TickyCounterDef, TickyCounterSample};

/// A counter and its counts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counter {
    pub(crate) id: u64,
    /// `None` for a counter that the log does not define.
    pub(crate) defined: Option<Definition>,
    pub(crate) counts: Counts,
}

/// What the log says about a counter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Definition {
    pub(crate) arity: u16,
    pub(crate) arguments: TextId,
    pub(crate) name: TextId,
    pub(crate) info_table: Option<InfoTable>,
    /// More about it, as JSON.
    pub(crate) json: TextId,
}

/// The counts of a counter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) entries: u64,
    /// Bytes that its code allocated.
    pub(crate) allocs: u64,
    /// Bytes of its own closures that were allocated.
    pub(crate) allocd: u64,
}

impl Counts {
    fn add(&mut self, more: Self) {
        let Self { entries, allocs, allocd } = more;
        self.entries = self.entries.saturating_add(entries);
        self.allocs = self.allocs.saturating_add(allocs);
        self.allocd = self.allocd.saturating_add(allocd);
    }
}

/// A sample that is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TickySample {
    time: Nanos,
    counter: u32,
    counts: Counts,
}

impl Kept for TickySample {
    fn time(&self) -> Nanos {
        self.time
    }

    fn weight(&self) -> u64 {
        self.counts.allocs
    }
}

/// All counters of a log.
#[derive(Debug, Default)]
pub(crate) struct TickyCounters {
    counters: Vec<Counter>,
    by_id: Places,
    rows: Rows<TickySample>,
    /// The sum of all counters, including those that are not kept.
    pub(crate) all: Counts,
    pub(crate) samples: u64,
    /// How many samples and definitions belong to counters that are not kept.
    pub(crate) dropped: u64,
}

impl TickyCounters {
    pub(crate) fn counters(&self) -> &[Counter] {
        &self.counters
    }

    /// The place of a counter.
    fn find(&mut self, id: u64) -> Option<u32> {
        if let Some(at) = self.by_id.find_number(id) {
            return Some(at);
        }
        if self.counters.len() >= limits::MAX_COUNTERS {
            self.dropped += 1;
            return None;
        }
        let at = self.counters.len() as u32;
        self.counters.push(Counter { id, ..Counter::default() });
        self.by_id.insert_number(id, at);
        Some(at)
    }

    /// Defines a counter. If it is defined again, as after a restart, the last definition counts.
    pub(crate) fn define(&mut self, defined: TickyCounterDef<'_>, names: &mut Names) {
        let TickyCounterDef { id, arity, arguments, name, info_table, json } = defined;
        let at = self.find(id).unwrap_or(u32::MAX);
        let is_better = |counter: &&mut Counter| counter.defined.is_none() || !names.is_full();
        if let Some(counter) = self.counters.get_mut(at as usize).filter(is_better) {
            let (arguments, name) = (names.keep(arguments.0), names.keep(name.0));
            let json = json.map_or(TextId::default(), |json| names.keep(json.0));
            counter.defined = Some(Definition { arity, arguments, name, info_table, json });
        }
    }

    /// Texts are elsewhere now.
    pub(super) fn move_texts(&mut self, moved: &mut dyn FnMut(TextId) -> TextId) {
        for defined in self.counters.iter_mut().filter_map(|counter| counter.defined.as_mut()) {
            let Definition { arguments, name, json, .. } = defined;
            [arguments, name, json].into_iter().for_each(|text| *text = moved(*text));
        }
    }

    pub(crate) fn sample(&mut self, time: Nanos, sample: TickyCounterSample) {
        let TickyCounterSample { id, entries, allocs_bytes: allocs, allocd_bytes: allocd } = sample;
        let counts = Counts { entries, allocs, allocd };
        self.samples += 1;
        self.all.add(counts);
        let Some(at) = self.find(id) else { return };
        if let Some(counter) = self.counters.get_mut(at as usize) {
            counter.counts.add(counts);
        }
        self.rows.push(TickySample { time, counter: at, counts }, limits::MAX_TICKY_SAMPLES);
    }

    /// Whether all samples are kept.
    pub(crate) fn has_all(&self) -> bool {
        self.rows.stride() == 1 && self.dropped == 0
    }

    /// What each counter counted in the samples of `from..to`; `None` if not all samples are kept, and if there is none: it is
    /// not known then what was counted.
    pub(crate) fn within(&self, from: Nanos, to: Nanos) -> Option<Vec<Counts>> {
        let mut inside = self.rows.kept().iter().filter(|row| from <= row.time && row.time < to).peekable();
        inside.peek().filter(|_| self.has_all())?;
        let mut all = alloc::vec![Counts::default(); self.counters.len()];
        for row in inside {
            if let Some(counts) = all.get_mut(row.counter as usize) {
                counts.add(row.counts);
            }
        }
        Some(all)
    }

    /// Sorts the samples that have come.
    pub(crate) fn settle(&mut self) {
        self.rows.settle();
    }

    /// The log is over: no more samples will come.
    pub(crate) fn finish(&mut self) {
        self.rows.finish();
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.counters.capacity() * size_of::<Counter>() + self.by_id.bytes_held() + self.rows.bytes_held()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghc_eventlog::{CStr, Text};

    fn sample(id: u64, entries: u64) -> TickyCounterSample {
        TickyCounterSample { id, entries, allocs_bytes: 10 * entries, allocd_bytes: 0 }
    }

    #[test]
    fn samples_count_even_if_their_counter_is_defined_later() {
        let (mut ticky, mut names) = (TickyCounters::default(), Names::default());
        ticky.sample(Nanos(5), sample(7, 1));
        let text = |text: &'static str| CStr(Text(text.as_bytes()));
        for name in ["go", "again"] {
            let defined = TickyCounterDef {
                id: 7,
                arity: 2,
                arguments: text("ii"),
                name: text(name),
                info_table: None,
                json: None,
            };
            ticky.define(defined, &mut names);
        }
        ticky.sample(Nanos(9), sample(7, 2));
        ticky.sample(Nanos(9), sample(8, 4));
        ticky.finish();
        let [go, unknown] = ticky.counters() else { panic!("{ticky:?}") };
        assert_eq!(go.defined.map(|defined| names.text(defined.name)), Some("again"));
        assert_eq!((go.counts, unknown.defined.is_none()), (Counts { entries: 3, allocs: 30, allocd: 0 }, true));
        assert_eq!((ticky.all.entries, ticky.samples), (7, 3));
        let entries = |from, to| {
            ticky.within(Nanos(from), Nanos(to)).unwrap().iter().map(|counts| counts.entries).collect::<Vec<_>>()
        };
        assert_eq!((entries(0, 9), entries(9, 10)), (alloc::vec![1, 0], alloc::vec![2, 4]));
    }
}
