//! Finds some rows of a list in order of time, without putting all of it in order.
//!
//! ```text
//! segments, by time    |---- 0 ----|
//!                         |---- 1 ----|
//!                                  |---- 2 ----|
//!                                     |---- 3 ----|
//! wanted rows                      ^^^
//! the window they are in         |========|            its segments are read: 0, 1, 2, 3; those before it are only counted
//! ```
//!
//! How many events each segment has, and between which times, says in which window of time the wanted rows must be. Where that
//! has more events than there is room for, they are counted in equal parts of the window first, and then only some parts are
//! read. Events of one time are in the order of the file: a key is a time, and an offset in the file.

use crate::known::counted::SegmentCount;
use crate::sorting::sort_by_number;
use alloc::{vec, vec::Vec};
use core::ops::Range;
use ghc_eventlog::Nanos;

/// The events of a window are counted in 2 to the power of this many equal parts.
const PARTS: u32 = 12;

/// Where an event is in order of time.
pub(super) fn key(time: Nanos, offset: u64) -> u128 {
    u128::from(time.0) << 64 | u128::from(offset)
}

/// The offset in the file of an event with a key.
pub(super) fn offset_of(key: u128) -> u64 {
    key as u64
}

/// The keys of some rows in order of time, while they are looked for.
#[derive(Debug, Clone, Default)]
pub(super) struct InTime {
    /// The most keys that are held at once.
    most: usize,
    /// The windows that have not been read; the next one is last.
    windows: Vec<OrderWindow>,
    /// The rows that have been found, each with its key.
    found: Vec<(u64, u128)>,
    /// The keys of the window that was read last, and how many events come before them.
    keys: Option<(u64, Vec<u128>)>,
}

/// A window of time in which some rows are.
#[derive(Debug, Clone)]
struct OrderWindow {
    /// From a key to before another.
    keys: Range<u128>,
    rows: Range<u64>,
    /// How many events come before the window, as far as known.
    before: u64,
    /// The segments that have not been read.
    segments: Vec<u32>,
    seen: Seen,
}

/// What is known of the events of a window.
#[derive(Debug, Clone)]
enum Seen {
    /// Their keys.
    Keys(Vec<u128>),
    /// How many there are in each of its parts; a part has 2 to the power of `shift` keys.
    Counts { parts: Vec<u64>, shift: u32 },
}

impl InTime {
    /// Begins to look for some rows, at most `rows.end` of which are settled. `most` is the number of keys that may be held; more
    /// than a page has.
    pub(super) fn new(counts: &[Option<SegmentCount>], rows: Range<u64>, settled: u64, most: usize) -> Self {
        let mut order = Self { most, ..Self::default() };
        if rows.start >= rows.end {
            return order;
        }
        // Usually the rows around these are wanted next.
        let around = most as u64 / 8;
        let wide = rows.start.saturating_sub(around)..rows.end.saturating_add(around).min(settled);
        let of = |wide: &Range<u64>| window_of(counts, keys_of(counts, wide), rows.clone());
        let (window, estimate) = of(&wide);
        let (window, estimate) = if estimate > most as u64 { of(&rows) } else { (window, estimate) };
        order.begin(window, estimate);
        order
    }

    /// The segments of the next window that have not been read.
    pub(super) fn segments(&self) -> &[u32] {
        self.windows.last().map_or(&[], |window| &window.segments)
    }

    pub(super) fn is_done(&self) -> bool {
        self.windows.is_empty()
    }

    /// The rows that have been found.
    pub(super) fn take(&mut self) -> Vec<(u64, u128)> {
        core::mem::take(&mut self.found)
    }

    /// The keys of the window that was read last, in order, and how many events come before them. They are taken once.
    pub(super) fn take_keys(&mut self) -> Option<(u64, Vec<u128>)> {
        self.keys.take()
    }

    /// Takes the keys of a segment's events, in any order.
    pub(super) fn add(&mut self, segment: u32, events: &[u128], counts: &[Option<SegmentCount>]) {
        let Some(window) = self.windows.last_mut() else { return };
        let Some(place) = window.segments.iter().position(|other| *other == segment) else { return };
        window.segments.remove(place);
        events.iter().for_each(|key| window.add(*key));
        if window.segments.is_empty()
            && let Some(window) = self.windows.pop()
        {
            self.finish(window, counts);
        }
    }

    fn begin(&mut self, mut window: OrderWindow, estimate: u64) {
        let length = window.keys.end - window.keys.start;
        if estimate > self.most as u64 {
            let shift = (u128::BITS - (length - 1).leading_zeros()).saturating_sub(PARTS);
            window.seen = Seen::Counts { parts: vec![0; 1 << PARTS], shift };
        }
        self.windows.push(window);
    }

    /// All segments of a window have been read.
    fn finish(&mut self, window: OrderWindow, counts: &[Option<SegmentCount>]) {
        let OrderWindow { keys: Range { start, end }, rows, before, seen, .. } = window;
        match seen {
            Seen::Keys(mut keys) => {
                keys.sort_unstable();
                let place = |row: u64| usize::try_from(row.saturating_sub(before)).unwrap_or(usize::MAX);
                let found = keys.get(place(rows.start)..place(rows.end).min(keys.len())).unwrap_or_default();
                self.found.extend((rows.start..).zip(found.iter().copied()));
                keys.shrink_to_fit();
                self.keys = Some((before, keys));
            }
            Seen::Counts { parts, shift } => {
                let narrow = Narrow::of(&parts, before, &rows, self.most as u64);
                let after = |part: usize| (part as u128).checked_mul(1 << shift)?.checked_add(start);
                let bound = |part: usize| after(part).map_or(end, |key| key.min(end));
                // The last one is read first.
                for (parts, rows, estimate) in narrow.0.into_iter().rev() {
                    let (window, _) = window_of(counts, bound(parts.start)..bound(parts.end), rows);
                    self.begin(window, estimate);
                }
            }
        }
    }
}

impl OrderWindow {
    fn add(&mut self, key: u128) {
        if key < self.keys.start {
            self.before += 1;
        } else if key < self.keys.end {
            match &mut self.seen {
                Seen::Keys(keys) => keys.push(key),
                Seen::Counts { parts, shift } => {
                    let part = ((key - self.keys.start) >> *shift) as usize;
                    parts.get_mut(part).into_iter().for_each(|count| *count += 1);
                }
            }
        }
    }
}

/// The parts of a window that some rows are in: one window, or several if one would have too many events. Each has its parts,
/// its rows, and how many events it has.
struct Narrow(Vec<(Range<usize>, Range<u64>, u64)>);

impl Narrow {
    fn of(parts: &[u64], before: u64, rows: &Range<u64>, most: u64) -> Self {
        // The row at which each part begins.
        let mut begins = Vec::with_capacity(parts.len() + 1);
        let mut row = before;
        for count in parts {
            begins.push(row);
            row += count;
        }
        begins.push(row);
        let part_of = |row: u64| begins.partition_point(|begin| *begin <= row).saturating_sub(1);
        let (first, last) = (part_of(rows.start), part_of(rows.end - 1));
        let begin = |part: usize| begins.get(part).copied().unwrap_or(row);
        let events = |from: usize, to: usize| begin(to) - begin(from);
        if events(first, last + 1) <= most {
            // As many of the rows after them and before them as there is room for.
            let (mut from, mut to) = (first, last + 1);
            while to < parts.len() && events(from, to + 1) <= most.midpoint(events(first, last + 1)) {
                to += 1;
            }
            while from > 0 && events(from - 1, to) <= most {
                from -= 1;
            }
            return Self([(from..to, rows.clone(), events(from, to))].into());
        }
        // Both ends may have many events; between them are no more than the rows.
        let second = first + 1;
        let ends = [first..second, second..last.max(second), last.max(second)..(last + 1).max(second)];
        let part = |parts: Range<usize>| {
            let (from, to) = (begin(parts.start), begin(parts.end));
            (parts, rows.start.max(from)..rows.end.min(to), to - from)
        };
        Self(ends.into_iter().map(part).filter(|(_, rows, _)| rows.start < rows.end).collect())
    }
}

/// The keys between which some rows must be.
fn keys_of(counts: &[Option<SegmentCount>], rows: &Range<u64>) -> Range<u128> {
    let mut known: Vec<SegmentCount> = counts.iter().flatten().filter(|of| of.count > 0).copied().collect();
    sort_by_number(&mut known, |of| of.first.0);
    let mut before = 0;
    // At most `before` events precede the first one of the segment that is found.
    let from = known.iter().find(|of| {
        before += of.count;
        before > rows.start
    });
    let from = from.map_or(0, |of| key(of.first, 0));
    sort_by_number(&mut known, |of| of.last.0);
    before = 0;
    // At least `before` events precede the end of the segment that is found.
    let to = known.iter().find(|of| {
        before += of.count;
        before >= rows.end
    });
    from..to.map_or(u128::MAX, |of| key(of.last, u64::MAX))
}

/// A window, and how many events it may have.
fn window_of(counts: &[Option<SegmentCount>], keys: Range<u128>, rows: Range<u64>) -> (OrderWindow, u64) {
    let (mut before, mut estimate, mut segments) = (0, 0, Vec::new());
    for (number, of) in (0..).zip(counts) {
        let Some(of) = of.filter(|of| of.count > 0) else { continue };
        if key(of.last, u64::MAX) < keys.start {
            before += of.count;
        } else if key(of.first, 0) < keys.end {
            segments.push(number);
            estimate += of.count;
        }
    }
    (OrderWindow { keys, rows, before, segments, seen: Seen::Keys(Vec::new()) }, estimate)
}

/// How many rows are known to come first in order of time, whatever is in the segments that have not been counted: these are
/// not before `horizon`.
pub(super) fn settled(counts: &[Option<SegmentCount>], horizon: Nanos) -> u64 {
    let before = counts.iter().flatten().filter(|of| of.last < horizon || horizon == Nanos::MAX);
    before.map(|of| of.count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads segments with events at these times, until some rows are found.
    fn rows_of(log: &[&[u64]], rows: Range<u64>, most: usize) -> (Vec<u128>, usize) {
        let mut offset = 0;
        let mut keys_of = |times: &&[u64]| -> Vec<u128> {
            let key_of = |time: &u64| {
                offset += 1;
                key(Nanos(*time), offset)
            };
            times.iter().map(key_of).collect()
        };
        let keys: Vec<Vec<u128>> = log.iter().map(&mut keys_of).collect();
        let count = |times: &&[u64]| {
            let mut count = SegmentCount::NONE;
            times.iter().for_each(|time| count.add(Nanos(*time)));
            Some(count)
        };
        let counts: Vec<Option<SegmentCount>> = log.iter().map(count).collect();
        let all = settled(&counts, Nanos::MAX);
        let mut order = InTime::new(&counts, rows, all, most);
        let mut reads = 0;
        while let Some(&segment) = order.segments().first() {
            reads += 1;
            assert!(reads < 1000, "it does not end");
            order.add(segment, &keys[segment as usize], &counts);
        }
        assert!(order.is_done());
        let mut found = order.take();
        found.sort_unstable();
        (found.into_iter().map(|(_, key)| key).collect(), reads)
    }

    #[test]
    fn rows_are_those_of_a_stable_sort_however_little_room_there_is() {
        let same: Vec<u64> = vec![7; 300];
        let wide: Vec<u64> = (0..300).map(|at| if at < 150 { 5 } else { u64::MAX - 1 }).collect();
        let mixed: Vec<u64> = (0..300).map(|at| at * 7919 % 301).collect();
        let log: [&[u64]; 5] = [&same, &[], &wide, &mixed, &same];
        let mut offset = 0;
        let mut all: Vec<u128> = Vec::new();
        for time in log.iter().copied().flatten() {
            offset += 1;
            all.push(key(Nanos(*time), offset));
        }
        all.sort_unstable();
        for most in [40, 100, 700, 10_000] {
            for from in (0..all.len()).step_by(17) {
                let to = (from + 20).min(all.len());
                let (found, _) = rows_of(&log, from as u64..to as u64, most);
                assert_eq!(found, all[from..to], "from {from}, {most} at once");
            }
        }
    }

    #[test]
    fn only_the_segments_of_that_time_are_read() {
        let log: Vec<Vec<u64>> = (0..100).map(|segment| (0..50).map(|at| segment * 40 + at).collect()).collect();
        let log: Vec<&[u64]> = log.iter().map(Vec::as_slice).collect();
        let (found, reads) = rows_of(&log, 2500..2510, 100);
        assert_eq!(found.len(), 10);
        assert!(reads < 20, "{reads} of 100");
    }
}
