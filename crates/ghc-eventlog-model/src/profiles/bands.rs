//! The heap profile: bands, each with what it held in all censuses.
//!
//! ```text
//! 162 begin ─ 164 "Maybe" 40 ─ 164 "IO" 8 ─ 164 "Maybe" 2 ─ 165 end      a census: Maybe 42, IO 8
//! ```
//!
//! A band that a census does not name holds 0 bytes then. Between two censuses a band is a straight line, so its integral is a sum of
//! trapezoids from the begin of the first census to that of the last.

use super::{
    begins::{Around, Begins},
    censuses::{Censuses, Entry},
    places::{Places, hash},
    totals::{Held, Times},
};
use crate::{
    asking::censuses::Census,
    keeping::texts::{TextId, Texts},
    limits,
};
use alloc::vec::Vec;
use ghc_eventlog::{
    Breakdown, CostCentreId, CostCentreStack, HeapProfSampleCostCentre, HeapProfSampleString, Nanos, Text,
};

/// What identifies a band.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Key {
    /// A label, cut to what is kept, and its full length in bytes.
    Label(TextId, u32),
    /// A stack of cost centres, innermost first: its place in [`HeapProfile::stacks`], and its depth.
    Stack(u32, u8),
    /// Every band for which there was no room ([`limits::MAX_BANDS`], or [`limits::MAX_STACK_ENTRIES`] for stacks), as one.
    Rest,
}

/// One of the bands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Band {
    pub(crate) key: Key,
    pub(crate) held: Held,
    /// Bytes in the open census, and that census' number: older bytes do not count.
    here: (u64, u64),
    /// The band that came after it the last time: the best guess for the next label.
    next: u32,
}

/// All bands of a log, with exact totals, and as many censuses as are kept.
#[derive(Debug)]
pub(crate) struct HeapProfile {
    breakdown: Option<Breakdown>,
    bands: Vec<Band>,
    by_key: Places,
    labels: Texts,
    /// The cost centres of all stacks, one stack after the other.
    stacks: Vec<CostCentreId>,
    /// Time of the open census; `None` between censuses.
    open: Option<Nanos>,
    /// Bands in the open census so far, each once; and the entries of the census before it.
    named: Vec<Entry>,
    before: Vec<Entry>,
    /// The band of the last sample. Censuses list bands in nearly the same order, so [`Band::next`] of it is nearly always right.
    latest: u32,
    pub(crate) times: Times,
    /// All bands together.
    pub(crate) all: Held,
    pub(crate) censuses: Censuses,
    /// File offsets of the censuses.
    begins: Begins,
    /// Whether a census is earlier than the one before it in the file.
    is_unsorted: bool,
    /// Samples outside of any census.
    pub(crate) outside: u64,
    /// Whether the last census has no end event, though others have one: the log was cut there.
    pub(crate) is_cut: bool,
    tells_ends: bool,
}

impl Default for HeapProfile {
    fn default() -> Self {
        Self {
            breakdown: None,
            bands: Vec::new(),
            by_key: Places::default(),
            labels: Texts::with_room(limits::LABEL_BYTES),
            stacks: Vec::new(),
            open: None,
            named: Vec::new(),
            before: Vec::new(),
            latest: 0,
            times: Times::default(),
            all: Held::default(),
            censuses: Censuses::default(),
            begins: Begins::default(),
            is_unsorted: false,
            outside: 0,
            is_cut: false,
            tells_ends: false,
        }
    }
}

impl HeapProfile {
    /// Takes the breakdown of HEAP_PROF_BEGIN; the first one counts.
    pub(crate) fn tell(&mut self, breakdown: Breakdown) {
        self.breakdown.get_or_insert(breakdown);
    }

    /// What the profile is broken down by; `None` without HEAP_PROF_BEGIN.
    pub(crate) fn breakdown(&self) -> Option<Breakdown> {
        self.breakdown
    }

    pub(crate) fn bands(&self) -> &[Band] {
        &self.bands
    }

    /// A band's label, as far as it is kept; `None` for stacks and for [`Key::Rest`].
    pub(crate) fn label_of(&self, band: &Band) -> Option<&str> {
        match band.key {
            Key::Label(id, _) => Some(self.labels.get(id)),
            Key::Stack(..) | Key::Rest => None,
        }
    }

    /// A band's cost centres, innermost first; empty for labels, and for MAIN, the empty stack.
    pub(crate) fn stack_of(&self, band: &Band) -> &[CostCentreId] {
        match band.key {
            Key::Stack(from, depth) => {
                let from = from as usize;
                self.stacks.get(from..from + usize::from(depth)).unwrap_or_default()
            }
            Key::Label(..) | Key::Rest => &[],
        }
    }

    /// Whether bands are stacks of cost centres.
    pub(crate) fn is_of_stacks(&self) -> bool {
        self.bands.iter().any(|band| matches!(band.key, Key::Stack(..)))
    }

    /// Whether there were more than [`limits::MAX_BANDS`] bands: the others are one band, [`Key::Rest`].
    pub(crate) fn is_capped(&self) -> bool {
        self.bands.iter().any(|band| matches!(band.key, Key::Rest))
    }

    /// Begins a census whose first event is at a file offset.
    pub(crate) fn begin(&mut self, time: Nanos, offset: u64) {
        // Several begins at one time are pieces of one census.
        if self.open != Some(time) {
            self.close();
            self.open = Some(time);
            self.begins.push(time, offset);
        }
    }

    /// Ends the open census.
    pub(crate) fn end(&mut self) {
        self.tells_ends = true;
        self.close();
    }

    /// Adds a sample to the band of its label.
    pub(crate) fn label(&mut self, time: Nanos, label: Text<'_>, bytes: u64) {
        let band = self.next(|key| self.is_label(key, label)).or_else(|| self.look_for_label(label));
        self.count(time, band, bytes);
    }

    /// The band of a label, made if there is none; `None` if there are too many.
    #[inline(never)]
    fn look_for_label(&mut self, label: Text<'_>) -> Option<u32> {
        let hash = hash(label.0);
        self.of_label(hash, label).or_else(|| {
            let has_room = self.bands.len() < limits::MAX_BANDS;
            has_room.then(|| Key::Label(self.labels.keep(label), label.0.len() as u32)).map(|key| self.add(hash, key))
        })
    }

    /// Whether a band has exactly this label, none of which was cut.
    #[inline]
    fn is_label(&self, key: Key, label: Text<'_>) -> bool {
        matches!(key, Key::Label(id, of) if of == label.0.len() as u32 && self.labels.is(id, label.0))
    }

    /// The guess for this sample's band, if it is right.
    #[inline]
    fn next(&self, is_same: impl Fn(Key) -> bool) -> Option<u32> {
        let next = self.bands.get(self.latest as usize)?.next;
        self.bands.get(next as usize).is_some_and(|band| is_same(band.key)).then_some(next)
    }

    /// Looks a label up by its hash.
    fn of_label(&self, hash: u64, label: Text<'_>) -> Option<u32> {
        let (labels, length) = (&self.labels, label.0.len() as u32);
        // Long labels are cut, and bytes that are no UTF-8 replaced: of those, hash and length must do.
        let is_same = |key: Key| match key {
            Key::Label(id, of) if of == length => {
                let kept = labels.get(id).as_bytes();
                kept == label.0 || kept.len() != label.0.len() || label.0.utf8_chunks().count() > 1
            }
            _ => false,
        };
        self.find(hash, is_same)
    }

    /// Adds a sample to the band of its stack.
    pub(crate) fn stack(&mut self, time: Nanos, stack: CostCentreStack<'_>, bytes: u64) {
        let band = self.next(|key| self.is_stack(key, stack)).or_else(|| self.look_for_stack(stack));
        self.count(time, band, bytes);
    }

    /// The band of a stack, made if there is none; `None` if there are too many.
    #[inline(never)]
    fn look_for_stack(&mut self, stack: CostCentreStack<'_>) -> Option<u32> {
        let (hash, depth) = (hash(stack.0.as_flattened()), stack.depth());
        self.of_stack(hash, stack).or_else(|| {
            let from = self.stacks.len();
            if self.bands.len() >= limits::MAX_BANDS || from + depth > limits::MAX_STACK_ENTRIES {
                return None;
            }
            self.stacks.extend(stack.iter());
            Some(self.add(hash, Key::Stack(from as u32, depth as u8)))
        })
    }

    /// Whether a band is that of a stack.
    #[inline]
    fn is_stack(&self, key: Key, stack: CostCentreStack<'_>) -> bool {
        match key {
            Key::Stack(from, of) if usize::from(of) == stack.depth() => {
                let kept = self.stacks.get(from as usize..).unwrap_or_default();
                stack.iter().zip(kept).all(|(id, kept)| id == *kept)
            }
            _ => false,
        }
    }

    /// Looks a stack up by its hash.
    fn of_stack(&self, hash: u64, stack: CostCentreStack<'_>) -> Option<u32> {
        self.find(hash, |key| self.is_stack(key, stack))
    }

    /// Band and bytes of a sample that is read again; `None` for other events. Bands that were not kept are [`Key::Rest`].
    pub(crate) fn entry_of(&self, tag: u16, payload: &[u8]) -> Option<Entry> {
        let (band, bytes) = match tag {
            HeapProfSampleString::TAG => {
                let HeapProfSampleString { label, bytes, .. } = HeapProfSampleString::read(payload);
                (self.of_label(hash(label.0.0), label.0), bytes)
            }
            HeapProfSampleCostCentre::TAG => {
                let HeapProfSampleCostCentre { stack, bytes, .. } = HeapProfSampleCostCentre::read(payload);
                (self.of_stack(hash(stack.0.as_flattened()), stack), bytes)
            }
            _ => return None,
        };
        Some(Entry { band: band.or_else(|| self.rest())?, bytes })
    }

    /// The band [`Key::Rest`], if there is one.
    fn rest(&self) -> Option<u32> {
        let rest = self.bands.iter().rposition(|band| matches!(band.key, Key::Rest));
        rest.map(|rest| rest as u32)
    }

    fn find(&self, hash: u64, is_same: impl Fn(Key) -> bool) -> Option<u32> {
        self.by_key.find(hash, |at| self.bands.get(at as usize).is_some_and(|band| is_same(band.key)))
    }

    /// Adds a band.
    fn add(&mut self, hash: u64, key: Key) -> u32 {
        let at = self.bands.len() as u32;
        self.bands.push(Band { key, held: Held::default(), here: (0, 0), next: at });
        self.by_key.insert(hash, at);
        at
    }

    /// Adds bytes to a band in the open census; `None` is [`Key::Rest`].
    fn count(&mut self, time: Nanos, band: Option<u32>, bytes: u64) {
        if self.open.is_none() {
            self.outside += 1;
            self.open = Some(time);
        }
        let band = band.or_else(|| self.rest()).unwrap_or_else(|| self.add(0, Key::Rest));
        let number = self.times.count + 1;
        if let Some(latest) = self.bands.get_mut(self.latest as usize) {
            latest.next = band;
        }
        self.latest = band;
        let Some(Band { here, .. }) = self.bands.get_mut(band as usize) else { return };
        if here.1 != number {
            *here = (0, number);
            self.named.push(Entry { band, bytes: 0 });
        }
        here.0 = here.0.saturating_add(bytes);
    }

    /// Completes the open census, if there is one.
    fn close(&mut self) {
        let Some(time) = self.open.take() else { return };
        let mut named = core::mem::take(&mut self.named);
        self.is_unsorted |= self.times.count > 0 && time < self.times.last;
        for entry in &mut named {
            entry.bytes = self.bands.get(entry.band as usize).map_or(0, |band| band.here.0);
        }
        let before = core::mem::take(&mut self.before);
        self.pass(&before, time, &named);
        self.censuses.push(time, &named);
        (self.before, self.named) = (named, before);
        self.named.clear();
    }

    /// Adds the trapezoid between two censuses, half for the entries of each, and the second census to all totals.
    fn pass(&mut self, before: &[Entry], time: Nanos, entries: &[Entry]) {
        let since = self.times.add(time);
        // In one loop: both list the same bands in nearly the same order, so each band is in the processor's cache for the second half.
        for at in 0..before.len().max(entries.len()) {
            if let Some(entry) = before.get(at)
                && let Some(band) = self.bands.get_mut(entry.band as usize)
            {
                band.held.area_of(entry.bytes, since);
            }
            if let Some(entry) = entries.get(at)
                && let Some(band) = self.bands.get_mut(entry.band as usize)
            {
                band.held.add(entry.bytes, since, &self.times);
            }
        }
        self.all.area_of(sum(before), since);
        self.all.add(sum(entries), since, &self.times);
    }

    /// Ends the profile.
    pub(crate) fn finish(&mut self) {
        self.is_cut = self.tells_ends && self.open.is_some();
        self.close();
        // Biographical censuses are all written at the end of the log. If they are not in order, totals are computed anew, provided all
        // censuses were kept.
        if self.is_unsorted {
            self.censuses.sort();
        }
        if self.is_unsorted && self.censuses.stride() == 1 {
            self.count_anew();
        }
    }

    fn count_anew(&mut self) {
        let censuses = core::mem::take(&mut self.censuses);
        (self.times, self.all) = (Times::default(), Held::default());
        self.bands.iter_mut().for_each(|band| band.held = Held::default());
        let mut before: &[Entry] = &[];
        for (time, entries) in censuses.iter() {
            self.pass(before, time, entries);
            before = entries;
        }
        self.censuses = censuses;
    }

    /// Totals of each band and of all together for `from..to`. Integrals are over just that time, lines from censuses outside included.
    /// `censuses` are those within, the one before and the one after.
    pub(crate) fn within(&self, censuses: &[Census<'_>], from: Nanos, to: Nanos) -> (Vec<Held>, Held, Times) {
        let mut part = Part { held: alloc::vec![Held::default(); self.bands.len()], all: Held::default() };
        let mut times = Times::default();
        let mut before: Option<(Nanos, &[Entry])> = None;
        let mut length = Nanos(0);
        for (time, entries) in censuses {
            let (time, entries) = (*time, &**entries);
            if let Some((start, first)) = before {
                let (left, right) = weights((start, time), (from, to));
                part.area_of(first, left);
                part.area_of(entries, right);
                length = length.plus(Nanos(time.min(to).since(start.max(from)).0));
            }
            if from <= time && time < to {
                times.add(time);
                part.add(entries, &times);
            }
            before = Some((time, entries));
        }
        (part.held, part.all, times.over(length))
    }

    /// Whether censuses are out of order and were too many to be counted anew: integrals are wrong then.
    pub(crate) fn is_in_no_order(&self) -> bool {
        self.is_unsorted && self.censuses.stride() > 1
    }

    /// Where to read the censuses around a time again, if not all are kept; `None` if they are out of order.
    pub(crate) fn begins_around(&self, from: Nanos, to: Nanos) -> Option<Around> {
        (self.censuses.stride() > 1 && !self.is_unsorted).then(|| self.begins.around(from, to))
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.bands.capacity() * size_of::<Band>()
            + self.by_key.bytes_held()
            + self.labels.bytes_held()
            + self.stacks.capacity() * size_of::<CostCentreId>()
            + self.named.capacity() * size_of::<Entry>()
            + self.before.capacity() * size_of::<Entry>()
            + self.censuses.bytes_held()
            + self.begins.bytes_held()
    }
}

/// Totals of a part of a profile.
struct Part {
    held: Vec<Held>,
    all: Held,
}

impl Part {
    /// Adds a census, which `times` has already.
    fn add(&mut self, entries: &[Entry], times: &Times) {
        for entry in entries {
            if let Some(held) = self.held.get_mut(entry.band as usize) {
                held.add(entry.bytes, Nanos(0), times);
            }
        }
        self.all.add(sum(entries), Nanos(0), times);
    }

    /// Adds one half of the trapezoids over `time`.
    fn area_of(&mut self, entries: &[Entry], time: Nanos) {
        for entry in entries {
            if let Some(held) = self.held.get_mut(entry.band as usize) {
                held.area_of(entry.bytes, time);
            }
        }
        self.all.area_of(sum(entries), time);
    }
}

/// Bytes of a census, all bands together.
pub(crate) fn sum(entries: &[Entry]) -> u64 {
    entries.iter().fold(0, |all, entry| all.saturating_add(entry.bytes))
}

/// Of the time between two censuses, as far as it is within a range: twice the time for which what the first of them held counts,
/// and twice that of the second one. What is between goes in a straight line.
fn weights((start, end): (Nanos, Nanos), (from, to): (Nanos, Nanos)) -> (Nanos, Nanos) {
    let (first, last) = (start.max(from), end.min(to));
    let inside = u128::from(last.since(first).0);
    if inside == 0 {
        return (Nanos(0), Nanos(0));
    }
    let rest = u128::from(end.since(first).0) + u128::from(end.since(last).0);
    let whole = u128::from(end.since(start).0);
    // No clock goes so far that this overflows; a damaged time does.
    let left = inside.checked_mul(rest).map_or(inside, |product| product / whole);
    (Nanos(u64::try_from(left).unwrap_or(u64::MAX)), Nanos(u64::try_from(2 * inside - left).unwrap_or(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    /// A profile of censuses, each with its time, its labels and their bytes.
    fn profile(censuses: &[(u64, &[(&str, u64)])]) -> HeapProfile {
        let mut profile = HeapProfile::default();
        for (time, entries) in censuses {
            profile.begin(Nanos(*time), 0);
            entries.iter().for_each(|(label, bytes)| profile.label(Nanos(*time), Text(label.as_bytes()), *bytes));
            profile.end();
        }
        profile.finish();
        profile
    }

    fn band<'p>(profile: &'p HeapProfile, label: &str) -> &'p Held {
        let found = profile.bands().iter().find(|band| profile.label_of(band) == Some(label));
        &found.expect("there is such a band").held
    }

    fn within(profile: &HeapProfile, from: Nanos, to: Nanos) -> (Vec<Held>, Held, Times) {
        let censuses: Vec<Census<'_>> = profile.censuses.iter().map(|(time, entries)| (time, entries.into())).collect();
        profile.within(&censuses, from, to)
    }

    const SECOND: u64 = Nanos::SECOND.0;

    #[test]
    fn a_band_has_its_most_its_last_its_mean_its_integral_and_its_slope() {
        let profile = profile(&[
            (SECOND, &[("a", 10), ("b", 5), ("a", 2)]),
            (3 * SECOND, &[("a", 20)]),
            (4 * SECOND, &[("b", 7), ("a", 0)]),
        ]);
        let (a, b, times) = (band(&profile, "a"), band(&profile, "b"), &profile.times);
        assert_eq!((a.most, a.most_at, a.last(times), a.mean(times)), (20, Nanos(3 * SECOND), 0, 10));
        assert_eq!((b.most, b.most_at, b.last(times), b.mean(times)), (7, Nanos(4 * SECOND), 7, 4));
        // (12 + 20) / 2 × 2 s + 20 / 2 × 1 s, and 5 / 2 × 2 s + 7 / 2 × 1 s.
        assert_eq!((a.integral(), b.integral()), (42 * u128::from(SECOND), 17 * u128::from(SECOND) / 2));
        assert_eq!(
            (profile.all.most, profile.all.last(times), profile.all.integral()),
            (20, 7, 101 * u128::from(SECOND) / 2)
        );
        // Through (0, 12), (2, 20), (3, 0), by hand.
        let slope = a.slope(times).unwrap();
        assert!((slope + 20.0 / 7.0).abs() < 1e-9, "{slope}");
    }

    #[test]
    fn of_a_single_census_there_is_no_slope() {
        let profile = profile(&[(5, &[("a", 10)])]);
        let a = band(&profile, "a");
        assert_eq!((a.slope(&profile.times), a.integral(), a.mean(&profile.times)), (None, 0, 10));
    }

    #[test]
    fn pieces_of_one_census_are_one_and_what_stands_in_none_is_told() {
        let mut profile = HeapProfile::default();
        let a = |profile: &mut HeapProfile, time: u64| profile.label(Nanos(time), Text(b"a"), 1);
        a(&mut profile, 3);
        profile.begin(Nanos(5), 0);
        a(&mut profile, 5);
        profile.begin(Nanos(5), 0);
        a(&mut profile, 6);
        profile.end();
        profile.begin(Nanos(8), 0);
        a(&mut profile, 8);
        profile.finish();
        let kept: Vec<_> = profile.censuses.iter().map(|(time, entries)| (time.0, entries[0].bytes)).collect();
        assert_eq!(kept, [(3, 1), (5, 2), (8, 1)]);
        assert_eq!((profile.outside, profile.is_cut), (1, true));
    }

    #[test]
    fn censuses_that_come_in_another_order_are_counted_in_order_of_time() {
        let censuses: [(u64, &[(&str, u64)]); 4] =
            [(10, &[("a", 10)]), (20, &[("b", 5)]), (30, &[("a", 3), ("b", 1)]), (50, &[("a", 8)])];
        let in_order = profile(&censuses);
        let other = profile(&[censuses[2], censuses[0], censuses[3], censuses[1]]);
        for label in ["a", "b"] {
            assert_eq!(band(&other, label), band(&in_order, label), "{label}");
        }
        assert_eq!((other.all, other.times), (in_order.all, in_order.times));
    }

    #[test]
    fn the_integrals_of_the_parts_add_up_to_that_of_the_whole() {
        let profile =
            profile(&[(100, &[("a", 7)]), (200, &[("a", 1001), ("b", 13)]), (350, &[("b", 5)]), (700, &[("a", 99)])]);
        let ends = [0, 100, 130, 200, 201, 349, 350, 351, 699, 700, 5000];
        let parts: Vec<_> = ends.windows(2).map(|ends| within(&profile, Nanos(ends[0]), Nanos(ends[1]))).collect();
        for (at, band) in profile.bands().iter().enumerate() {
            let sum: u128 = parts.iter().map(|(held, ..)| held[at].area).sum();
            // Each cut is rounded to a nanosecond of what was held.
            assert!(sum.abs_diff(band.held.area) <= u128::from(band.held.most) * ends.len() as u128, "{sum} {band:?}");
        }
        let (held, all, times) = within(&profile, Nanos(0), Nanos(701));
        assert_eq!(
            (held, all, times),
            (profile.bands().iter().map(|band| band.held).collect(), profile.all, profile.times)
        );
        let (held, _, times) = within(&profile, Nanos(150), Nanos(300));
        // From 504 to 1001 in 50 ns, and from there down by two thirds in 100.
        assert_eq!((held[0].most, held[0].last(&times), times.count), (1001, 1001, 1));
        let by_hand = (504.0 + 1001.0) / 2.0 * 50.0 + (1001.0 + 1001.0 / 3.0) / 2.0 * 100.0;
        assert!((held[0].integral() as f64 - by_hand).abs() < 1100.0, "{} {by_hand}", held[0].integral());
    }

    #[test]
    fn stacks_are_told_apart_and_labels_that_are_cut_too() {
        let mut profile = HeapProfile::default();
        profile.begin(Nanos(1), 0);
        let ids = [[0, 0, 0, 1], [0, 0, 0, 2]];
        for stack in [&ids[..], &ids[..1], &[], &ids[1..], &ids[..]] {
            profile.stack(Nanos(1), CostCentreStack(stack), 1);
        }
        let long = |end: &str| "x".repeat(1000) + end;
        for label in [long("a"), long("b"), long("a")] {
            profile.label(Nanos(1), Text(label.as_bytes()), 1);
        }
        for label in [[b'y', 0xff], [b'y', 0xfe], [b'y', 0xff]] {
            profile.label(Nanos(1), Text(&label), 1);
        }
        profile.finish();
        let most: Vec<u64> = profile.bands().iter().map(|band| band.held.most).collect();
        assert_eq!(most, [2, 1, 1, 1, 2, 1, 2, 1]);
        let depths: Vec<usize> = profile.bands().iter().map(|band| profile.stack_of(band).len()).collect();
        assert_eq!(depths[..4], [2, 1, 0, 1]);
    }

    #[test]
    fn what_there_is_no_room_for_is_one_band_and_nothing_is_lost() {
        let mut profile = HeapProfile::default();
        profile.begin(Nanos(1), 0);
        for number in 0..limits::MAX_BANDS + 10 {
            profile.label(Nanos(1), Text(number.to_string().as_bytes()), 2);
        }
        profile.finish();
        assert!(profile.is_capped() && profile.bands().len() == limits::MAX_BANDS + 1);
        assert_eq!(profile.bands().last().map(|band| band.held.most), Some(20));
        assert_eq!(profile.all.most, 2 * (limits::MAX_BANDS as u64 + 10));
    }

    #[test]
    fn sizes_that_no_heap_has_bring_no_overflow() {
        let profile = profile(&[(0, &[("a", u64::MAX), ("a", 1), ("b", 9)]), (u64::MAX, &[("a", u64::MAX)])]);
        let a = band(&profile, "a");
        assert_eq!((a.most, profile.all.most), (u64::MAX, u64::MAX));
        assert_eq!(a.integral(), u128::MAX / 2);
        assert!(within(&profile, Nanos(1), Nanos(u64::MAX)).0.len() == 2);
    }
}
