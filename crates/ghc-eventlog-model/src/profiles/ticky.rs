//! Ticky counters: how often each closure was entered, and what it allocated. The log has the increase since the previous
//! sample.
//!
//! A program has one for each function and thunk: GHC itself has 200 000, of which a few thousand count anything. When there are too many,
//! the lighter half is forgotten:
//!
//! ```text
//! definitions   1 … 16 384 are kept, 16 385 … are only counted
//! samples       20 000 is not kept: half of the others make room, and it is counted from here on, without a name
//! at the end    those that count most come first; definitions are read again for those that have none
//! ```

use super::names::Names;
use crate::{
    keeping::{
        heaviest::{Heaviest, half_that_counts},
        places::Places,
        rows::{Kept, Rows},
        texts::TextId,
    },
    limits,
    sorting::by_most,
};
use alloc::vec::Vec;
use ghc_eventlog::{InfoTable, Nanos, TickyCounterDef, TickyCounterSample};

/// A counter and its counts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counter {
    pub(crate) id: u64,
    /// `None` for a counter that the log does not define, or whose definition is not kept.
    pub(crate) defined: Option<Definition>,
    /// Whether there is no room for its name, since others count more.
    is_nameless: bool,
    pub(crate) counts: Counts,
    /// The most that it may have counted before it came, in its weight: as a counter that was forgotten.
    before: u64,
}

impl Counter {
    /// How much it may matter, never too little.
    fn weight(&self) -> u64 {
        self.counts.weight().saturating_add(self.before)
    }
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

    /// How much it matters: what allocates much, is allocated often, or is entered often.
    fn weight(&self) -> u64 {
        self.allocs.max(self.allocd).max(self.entries)
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
    /// Whether counts are missing: those that a counter had before it was forgotten.
    pub(crate) lacks_counts: bool,
    /// Whether definitions are missing: those that came when there was no room, and those of counters that were forgotten.
    lacks_definitions: bool,
    /// Whether there was no room for the names of all, so that some counters are nameless.
    are_some_nameless: bool,
    /// No counter that was forgotten weighs more.
    forgotten: u64,
}

/// How many counters have names if there is no room for the names of all.
const NAMED: usize = limits::MAX_COUNTERS / 4;

impl TickyCounters {
    pub(crate) fn counters(&self) -> &[Counter] {
        &self.counters
    }

    /// The place of a counter, which is added if there is room.
    fn find(&mut self, id: u64) -> Option<u32> {
        if let Some(at) = self.by_id.find_number(id) {
            return Some(at);
        }
        if self.counters.len() >= limits::MAX_COUNTERS {
            return None;
        }
        let at = self.counters.len() as u32;
        self.counters.push(Counter { id, before: self.forgotten, ..Counter::default() });
        self.by_id.insert_number(id, at);
        Some(at)
    }

    /// Makes room for others: forgets [half](half_that_counts). One that comes then may be one of these, and so it begins with the weight of
    /// the heaviest of them. A function of its own, since the page loads it late.
    #[inline(never)]
    fn forget_light(&mut self) {
        let weights: Vec<(u64, u64)> =
            self.counters.iter().map(|counter| (counter.counts.weight(), counter.before)).collect();
        let places = half_that_counts(&weights);
        let Self { counters, by_id, rows, lacks_counts, lacks_definitions, forgotten, .. } = self;
        by_id.retain(&|place| places.get(place));
        places.drop_from(counters, |counter| {
            *lacks_counts |= counter.counts != Counts::default();
            *lacks_definitions |= counter.defined.is_some();
            *forgotten = counter.weight().max(*forgotten);
        });
        rows.each_mut(|row| row.counter = places.get(row.counter).unwrap_or(u32::MAX));
    }

    /// Defines a counter. If it is defined again, as after a restart, the last definition counts. It takes no other counter's place: most
    /// never count anything. Once some are forgotten, it gets no place either: it may be one of these, and have counted.
    pub(crate) fn define(&mut self, defined: TickyCounterDef<'_>, names: &mut Names) {
        let at = if self.lacks_counts { self.by_id.find_number(defined.id) } else { self.find(defined.id) };
        if at.is_none() || names.is_full() {
            self.leave_out(at, &defined, names);
        } else {
            self.define_at(at, defined, names);
        }
    }

    /// There is no room for a definition: what an earlier one said does not count any more.
    #[inline(never)]
    fn leave_out(&mut self, at: Option<u32>, defined: &TickyCounterDef<'_>, names: &Names) {
        if at.is_none() || self.wants(defined, names) {
            self.lacks_definitions = true;
            if let Some(counter) = at.and_then(|at| self.counters.get_mut(at as usize)) {
                counter.defined = None;
            }
        }
    }

    /// How many counters have no definition although the log may have one; 0 if none was left out.
    pub(crate) fn undefined(&self) -> u64 {
        let count = self.counters.iter().filter(|counter| counter.defined.is_none()).count();
        if self.lacks_definitions { count as u64 } else { 0 }
    }

    /// Whether a definition says something of a counter that is not known, and that there may be room for.
    pub(super) fn wants(&self, defined: &TickyCounterDef<'_>, names: &Names) -> bool {
        let at = self.by_id.find_number(defined.id);
        let counter = at.and_then(|at| self.counters.get(at as usize)).filter(|counter| !counter.is_nameless);
        let texts = [defined.name, defined.arguments].map(|text| text.0.0);
        let is_known = |known: Definition| [known.name, known.arguments].map(|id| names.text(id).as_bytes()) == texts;
        counter.is_some_and(|counter| !counter.defined.is_some_and(is_known))
    }

    /// Takes such a definition. Those of a counter come in the order of the file: the last one counts.
    pub(super) fn define_again(&mut self, defined: TickyCounterDef<'_>, names: &mut Names) {
        if self.wants(&defined, names) {
            self.define(defined, names);
            let counter = self.by_id.find_number(defined.id).and_then(|at| self.counters.get_mut(at as usize));
            // There is no room for its name either.
            counter.into_iter().for_each(|counter| counter.is_nameless = counter.defined.is_none());
        }
    }

    /// How many counters have no name, although the log defines them: there is no room.
    pub(crate) fn nameless(&self) -> u64 {
        self.counters.iter().filter(|counter| counter.is_nameless).count() as u64
    }

    /// Takes the names of those away that count least, once. Returns whether it did.
    pub(super) fn leave_names_to_heaviest(&mut self) -> bool {
        if self.are_some_nameless {
            return false;
        }
        let weights: Vec<u64> = self.counters.iter().map(|counter| counter.counts.weight()).collect();
        let mut heaviest = Heaviest::of(&weights, NAMED);
        for counter in &mut self.counters {
            counter.is_nameless = !heaviest.stays(counter.counts.weight());
            counter.defined = counter.defined.filter(|_| !counter.is_nameless);
        }
        self.are_some_nameless = true;
        true
    }

    fn define_at(&mut self, at: Option<u32>, defined: TickyCounterDef<'_>, names: &mut Names) {
        let TickyCounterDef { arity, arguments, name, info_table, json, .. } = defined;
        if let Some(counter) = at.and_then(|at| self.counters.get_mut(at as usize)) {
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
        let known = self.find(id).or_else(|| {
            if counts == Counts::default() {
                return None;
            }
            self.forget_light();
            self.find(id)
        });
        let Some(at) = known else { return };
        if let Some(counter) = self.counters.get_mut(at as usize) {
            counter.counts.add(counts);
        }
        self.rows.push(TickySample { time, counter: at, counts }, limits::MAX_TICKY_SAMPLES);
    }

    /// Whether all samples are kept, and their counters.
    pub(crate) fn has_all(&self) -> bool {
        self.rows.stride() == 1 && !self.lacks_counts
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
        self.put_heaviest_first();
    }

    /// Those that count equally much stay in the order of the log.
    fn put_heaviest_first(&mut self) {
        let weight = |place: u32| self.counters.get(place as usize).map_or(0, |counter| counter.counts.weight());
        let order = by_most(self.counters.len(), weight);
        let mut now = alloc::vec![u32::MAX; order.len()];
        for (old, new) in order.iter().zip(0..) {
            now.get_mut(*old as usize).into_iter().for_each(|place| *place = new);
        }
        self.counters = order.iter().filter_map(|old| self.counters.get(*old as usize).copied()).collect();
        self.by_id.retain(&|place| now.get(place as usize).copied());
        self.rows.each_mut(|row| row.counter = now.get(row.counter as usize).copied().unwrap_or(u32::MAX));
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.counters.capacity() * size_of::<Counter>() + self.by_id.bytes_held() + self.rows.bytes_held()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use ghc_eventlog::{CStr, Text};

    fn define(ticky: &mut TickyCounters, id: u64, names: &mut Names) {
        ticky.define(defined(id, &format!("f{id}")), names);
    }

    /// The heaviest ones are defined last, and counted last.
    #[test]
    fn those_that_count_most_are_kept_wherever_they_come() {
        let (mut ticky, mut names) = (TickyCounters::default(), Names::default());
        let all = limits::MAX_COUNTERS as u64 * 3;
        (0..all).for_each(|id| define(&mut ticky, id, &mut names));
        assert_eq!(ticky.undefined(), 0);
        for time in 0..3 {
            // As many count as there is room for, and a few more.
            (0..all).filter(|id| id % 3 == 0 || *id > all - 5).for_each(|id| {
                ticky.sample(Nanos(time), sample(id, if id > all - 5 { 1000 + id } else { 1 }));
            });
        }
        assert!(ticky.counters().len() <= limits::MAX_COUNTERS);
        let heavy = ticky.counters().iter().filter(|counter| counter.counts.entries > 1000).map(|counter| counter.id);
        assert_eq!(heavy.collect::<Vec<_>>(), (all - 4..all).collect::<Vec<_>>());
        let exact = |counter: &Counter| counter.counts.entries == 3 * (1000 + counter.id);
        assert!(ticky.counters().iter().filter(|counter| counter.counts.entries > 1000).all(exact));
        assert_eq!(
            ticky.all.entries,
            3 * (0..all).filter(|id| id % 3 == 0 && *id <= all - 5).count() as u64
                + 3 * (all - 4..all).map(|id| 1000 + id).sum::<u64>()
        );
        assert!(ticky.undefined() >= 4);
    }

    fn named<'a>(ticky: &TickyCounters, names: &'a Names, id: u64) -> Option<&'a str> {
        let counter = ticky.counters().iter().find(|counter| counter.id == id)?;
        counter.defined.map(|defined| names.text(defined.name))
    }

    fn defined(id: u64, name: &str) -> TickyCounterDef<'_> {
        let (name, none) = (CStr(Text(name.as_bytes())), CStr(Text(b"")));
        TickyCounterDef { id, arity: 0, arguments: none, name, info_table: None, json: None }
    }

    /// As of two runs in one file, in which the numbers mean other functions.
    #[test]
    fn of_definitions_that_are_read_again_the_last_one_counts() {
        let (mut ticky, mut names) = (TickyCounters::default(), Names::default());
        (0..limits::MAX_COUNTERS as u64).for_each(|id| define(&mut ticky, id, &mut names));
        ticky.define(defined(70_000, "f"), &mut names);
        ticky.define(defined(70_000, "g"), &mut names);
        ticky.sample(Nanos(1), sample(70_000, 1));
        assert_eq!((named(&ticky, &names, 70_000), ticky.undefined()), (None, 1));
        for name in ["f", "g"] {
            assert!(ticky.wants(&defined(70_000, name), &names));
            ticky.define_again(defined(70_000, name), &mut names);
        }
        assert_eq!((named(&ticky, &names, 70_000), ticky.undefined()), (Some("g"), 0));
        assert!(!ticky.wants(&defined(70_000, "g"), &names), "nothing new");
    }

    /// Each comes again and again, and there is not quite enough room for all.
    #[test]
    fn those_that_count_more_later_are_kept() {
        let mut ticky = TickyCounters::default();
        let all = limits::MAX_COUNTERS as u64 * 5 / 4;
        let heavy = all / 2..all / 2 + 300;
        for time in 0..40 {
            (0..all).for_each(|id| {
                let count = if time >= 20 && heavy.contains(&id) { 100 } else { 10 };
                ticky.sample(Nanos(time), sample(id, count));
            });
        }
        ticky.finish();
        let kept =
            |ids: core::ops::Range<u64>| ticky.counters().iter().filter(|counter| ids.contains(&counter.id)).count();
        assert_eq!(kept(heavy.clone()), 300);
        let entries = |counter: &Counter| counter.counts.entries;
        assert!(ticky.counters().iter().map(entries).is_sorted_by(|one, next| one >= next), "the heaviest come first");
        assert!(ticky.counters().iter().take(300).all(|counter| heavy.contains(&counter.id)));
        // One that is defined after its counts have been forgotten is no row with zeros.
        let mut names = Names::default();
        (0..all).for_each(|id| define(&mut ticky, id, &mut names));
        assert!(ticky.counters().iter().all(|counter| counter.counts.entries > 0));
    }

    /// As many as there is room for count much, and then many more count little.
    #[test]
    fn those_that_count_little_do_not_drive_out_the_heavy_ones() {
        let mut ticky = TickyCounters::default();
        let heavy = limits::MAX_COUNTERS as u64 / 3;
        (0..heavy).for_each(|id| ticky.sample(Nanos(0), sample(id, 1000)));
        (heavy..20 * heavy).for_each(|id| ticky.sample(Nanos(1), sample(id, 1)));
        ticky.finish();
        assert_eq!(ticky.counters().iter().take_while(|counter| counter.counts.entries == 1000).count() as u64, heavy);
    }

    /// Only a definition that is new needs room, and one for which there is none is missing.
    #[test]
    fn a_definition_without_room_does_not_leave_an_older_one() {
        let (mut ticky, mut names) = (TickyCounters::default(), Names::default());
        define(&mut ticky, 1, &mut names);
        define(&mut ticky, 2, &mut names);
        let mut number = 0;
        while !names.is_full() {
            number += 1;
            names.keep(Text(format!("{number:200}").as_bytes()));
        }
        ticky.define(defined(1, "f1"), &mut names);
        ticky.define(defined(2, "other"), &mut names);
        assert_eq!([1, 2].map(|id| named(&ticky, &names, id)), [Some("f1"), None]);
        assert_eq!(ticky.undefined(), 1);
    }

    /// Also if many count equally much.
    #[test]
    fn where_there_is_no_room_for_all_names_a_fixed_number_of_counters_has_some() {
        for heavier in [0, 300, 2 * NAMED as u64] {
            let (mut ticky, mut names) = (TickyCounters::default(), Names::default());
            for id in 0..10_000 {
                define(&mut ticky, id, &mut names);
                ticky.sample(Nanos(1), sample(id, if id >= 10_000 - heavier { 5 } else { 1 }));
            }
            assert!(ticky.leave_names_to_heaviest() && !ticky.leave_names_to_heaviest());
            let has_name = |id: u64| named(&ticky, &names, id).is_some();
            let count = |ids: core::ops::Range<u64>| ids.filter(|id| has_name(*id)).count();
            let most = heavier.min(NAMED as u64) as usize;
            assert_eq!((count(0..10_000), count(10_000 - heavier..10_000)), (NAMED, most));
        }
    }

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
        ticky.sample(Nanos(9), sample(8, 1));
        ticky.finish();
        let [go, unknown] = ticky.counters() else { panic!("{ticky:?}") };
        assert_eq!(go.defined.map(|defined| names.text(defined.name)), Some("again"));
        assert_eq!((go.counts, unknown.defined.is_none()), (Counts { entries: 3, allocs: 30, allocd: 0 }, true));
        assert_eq!((ticky.all.entries, ticky.samples), (4, 3));
        let entries = |from, to| {
            ticky.within(Nanos(from), Nanos(to)).unwrap().iter().map(|counts| counts.entries).collect::<Vec<_>>()
        };
        assert_eq!((entries(0, 9), entries(9, 10)), (alloc::vec![1, 0], alloc::vec![2, 1]));
    }
}
