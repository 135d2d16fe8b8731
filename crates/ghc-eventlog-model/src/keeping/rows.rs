//! Rows of things that happen about once per collection or less often, in order of time. All are kept as long as there is
//! room; then fewer, as evenly as they came, but always the extremes, if one can weigh more than another; and of some things the heaviest,
//! even where they come one right after the other.
//!
//! ```text
//! kept, most 8   1 5 2 9 3 7 4 6        the ninth one comes: the smallest and the largest of each four stay
//!                1 9 3 7                the same for the next four that come; then for each eight, and so on
//! ```

use super::heaviest::Heaviest;
use crate::{sorting::sort_by_number, terms::place::Direction};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// What can be kept in rows.
pub(crate) trait Kept: Copy {
    /// Whether the heaviest have room of their own, an eighth of all. Half of that may be free.
    const KEEPS_HEAVIEST: bool = false;

    /// Its time, or its begin.
    fn time(&self) -> Nanos;
    /// The number by which extremes are found.
    fn weight(&self) -> u64;
}

/// Rows; the owner sets the maximum number.
#[derive(Debug)]
pub(crate) struct Rows<T> {
    rows: Vec<T>,
    /// How many of the rows are sorted by time: they arrive in file order.
    settled: usize,
    /// How many rows arrived for each that is kept.
    stride: u64,
    /// The smallest and the largest of the last rows, and how many rows those are; each two strides keep at most these two.
    group: Option<(T, T, u64)>,
    /// Rows that weigh more than `light`, whether they are among the others or not, once some rows are missing. Those that are not come to
    /// them at the [end](Self::finish).
    heaviest: Vec<T>,
    light: u64,
    /// How many more rows [`Self::push_evenly`] lets pass before the next one that is kept.
    passing: u64,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), settled: 0, stride: 1, group: None, heaviest: Vec::new(), light: 0, passing: 0 }
    }
}

impl<T: Kept> Rows<T> {
    /// The kept rows, in order of time once they have been [settled](Self::settle).
    pub(crate) fn kept(&self) -> &[T] {
        &self.rows
    }

    /// The kept rows.
    pub(crate) fn into_kept(mut self) -> Vec<T> {
        self.end_group();
        self.rows
    }

    /// Adds rows that are all kept.
    pub(crate) fn add_all(&mut self, mut more: Vec<T>) {
        self.rows.reserve_exact(more.len());
        self.rows.append(&mut more);
        self.settle();
    }

    /// Passes each row to `change`, including those that are kept until their group is full.
    pub(crate) fn each_mut(&mut self, mut change: impl FnMut(&mut T)) {
        self.rows.iter_mut().for_each(&mut change);
        if let Some((low, high, _)) = &mut self.group {
            change(low);
            change(high);
        }
        if T::KEEPS_HEAVIEST {
            self.heaviest.iter_mut().for_each(change);
        }
    }

    /// How many rows arrived for each that is kept: 1 as long as none is missing.
    pub(crate) fn stride(&self) -> u64 {
        self.stride
    }

    /// The place of the first kept row after a time, or of the last one before it.
    pub(crate) fn beside(&self, time: Nanos, direction: Direction) -> Option<usize> {
        match direction {
            Direction::Next => Some(self.rows.partition_point(|row| row.time() <= time)),
            Direction::Previous => self.rows.partition_point(|row| row.time() < time).checked_sub(1),
        }
    }

    /// Whether adding a row will drop some rows for the first time.
    pub(crate) fn is_full(&self, most: usize) -> bool {
        self.stride == 1 && self.rows.len() >= most.max(4)
    }

    pub(crate) fn bytes_held(&self) -> usize {
        (self.rows.capacity() + self.heaviest.capacity()) * size_of::<T>()
    }

    /// Adds a row; at most `most` are kept, once its group is full. Not in line: that made the wasm larger, not faster.
    #[inline(never)]
    pub(crate) fn push(&mut self, row: T, most: usize) {
        let room = if T::KEEPS_HEAVIEST { most / 8 } else { 0 };
        if room > 0 && self.stride > 1 && row.weight() > self.light {
            self.push_heavy(row, room);
        }
        let Some((low, high, count)) = &mut self.group else { return self.push_first(row, most, room) };
        if row.weight() < low.weight() {
            *low = row;
        }
        if row.weight() >= high.weight() {
            *high = row;
        }
        *count += 1;
        if *count >= 2 * self.stride {
            self.end_group();
        }
    }

    /// Adds a row that is kept itself, or begins a group.
    fn push_first(&mut self, row: T, most: usize, room: usize) {
        while self.rows.len() + usize::from(self.stride > 1) >= self.most_beside(room, most) {
            if room > 0 && self.stride == 1 {
                let rows = core::mem::take(&mut self.rows);
                rows.iter().chain([&row]).for_each(|row| self.push_heavy(*row, room));
                self.rows = rows;
            }
            self.thin();
            if T::KEEPS_HEAVIEST {
                // What the heaviest need comes from the room for all.
                self.rows.shrink_to(self.most_beside(room, most));
            }
        }
        if self.stride == 1 {
            self.rows.push(row);
        } else {
            self.group = Some((row, row, 1));
        }
    }

    /// The most rows besides the heaviest, which need room once some rows are missing.
    fn most_beside(&self, room: usize, most: usize) -> usize {
        if self.stride == 1 { most.max(4) } else { most.max(4) - room }
    }

    /// Notes one of the heaviest; of too many, the lighter half is forgotten.
    fn push_heavy(&mut self, row: T, room: usize) {
        if self.heaviest.len() >= room {
            let mut half = Heaviest::half_of(self.heaviest.iter().map(T::weight).collect());
            self.heaviest.retain(|row| half.stays(row.weight()));
            self.light = half.least();
        }
        if row.weight() > self.light {
            self.heaviest.push(row);
        }
    }

    /// Adds a row where none weighs more than another: the first of each stride is kept. An owner uses either this or
    /// [`Self::push`], not both.
    #[inline(always)]
    pub(crate) fn push_evenly(&mut self, row: T, most: usize) {
        match self.passing.checked_sub(1) {
            Some(passing) => self.passing = passing,
            None => self.push_due(row, most),
        }
    }

    /// Adds a row that is kept because its turn has come.
    fn push_due(&mut self, row: T, most: usize) {
        if self.rows.len() >= most.max(4) {
            self.thin();
        }
        self.rows.push(row);
        self.passing = self.stride - 1;
    }

    /// No more rows will come: adds those of the last group, and the heaviest that are missing.
    pub(crate) fn finish(&mut self) {
        self.end_group();
        self.settle();
        if T::KEEPS_HEAVIEST {
            self.add_heaviest();
        }
    }

    fn add_heaviest(&mut self) {
        let mut heaviest = core::mem::take(&mut self.heaviest);
        heaviest.retain(|row| {
            let from = self.rows.partition_point(|other| other.time() < row.time());
            let mut at_once = self.rows.iter().skip(from).take_while(|other| other.time() == row.time());
            !at_once.any(|other| other.weight() == row.weight())
        });
        self.add_all(heaviest);
    }

    fn end_group(&mut self) {
        if let Some((low, high, count)) = self.group.take() {
            let both = if low.time() <= high.time() { [low, high] } else { [high, low] };
            self.rows.extend(both.into_iter().take(count.min(2) as usize));
        }
    }

    /// Keeps the smallest and the largest of each four rows in order.
    fn thin(&mut self) {
        self.end_group();
        self.settle();
        let mut kept = 0;
        for from in (0..self.rows.len()).step_by(4) {
            let four = from..self.rows.len().min(from + 4);
            let weight = |at: &usize| self.rows.get(*at).map(T::weight);
            let (low, high) = (four.clone().min_by_key(weight), four.clone().max_by_key(weight));
            for at in four.filter(|at| Some(*at) == low || Some(*at) == high) {
                // `kept` is never larger than `at`: no row moves before it has been looked at.
                self.rows.swap(kept, at);
                kept += 1;
            }
        }
        self.rows.truncate(kept);
        self.settled = kept;
        self.stride *= 2;
    }

    /// Sorts the rows after some have come: the new ones, and the few older ones that they fall among.
    pub(crate) fn settle(&mut self) {
        let (settled, new) = self.rows.split_at(self.settled);
        let Some(earliest) = new.iter().map(T::time).min() else { return };
        let from = settled.partition_point(|row| row.time() <= earliest);
        if let Some(unsettled) = self.rows.get_mut(from..) {
            sort_by_number(unsettled, |row| row.time().0);
        }
        self.settled = self.rows.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq)]
    struct At(u64, u64);

    impl Kept for At {
        fn time(&self) -> Nanos {
            Nanos(self.0)
        }

        fn weight(&self) -> u64 {
            self.1
        }
    }

    fn kept(weights: impl IntoIterator<Item = u64>, most: usize) -> Rows<At> {
        let mut rows = Rows::default();
        for (at, weight) in weights.into_iter().enumerate() {
            rows.push(At(at as u64, weight), most);
        }
        rows.finish();
        rows
    }

    fn weights(rows: &Rows<At>) -> Vec<u64> {
        rows.kept().iter().map(|row| row.1).collect()
    }

    #[test]
    fn all_are_kept_as_long_as_there_is_room() {
        let rows = kept([3, 1, 2], 8);
        assert_eq!((weights(&rows), rows.stride()), ([3, 1, 2].to_vec(), 1));
    }

    #[test]
    fn the_smallest_and_the_largest_of_each_four_stay() {
        let rows = kept([1, 5, 2, 9, 3, 7, 4, 6, 8, 8, 0, 8], 8);
        assert_eq!((weights(&rows), rows.stride()), ([1, 9, 3, 7, 0, 8].to_vec(), 2));
    }

    #[test]
    fn any_number_of_rows_is_thinned_evenly_and_keeps_the_extremes() {
        for count in [10, 100, 1000, 12_345, 100_000] {
            let spike = count * 2 / 3;
            let rows = kept((0..count).map(|at| if at == spike { 1000 } else { 10 + at % 7 }), 64);
            assert!((16..=64).contains(&rows.kept().len()) || count < 64, "{count}: {}", rows.kept().len());
            assert!(weights(&rows).contains(&1000), "{count}");
            let times: Vec<u64> = rows.kept().iter().map(|row| row.0).collect();
            assert!(times.is_sorted());
            let gaps = times.windows(2).map(|pair| pair[1] - pair[0]);
            assert!(gaps.max().unwrap() <= 4 * rows.stride(), "{count}");
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    struct Long(At);

    impl Kept for Long {
        const KEEPS_HEAVIEST: bool = true;

        fn time(&self) -> Nanos {
            self.0.time()
        }

        fn weight(&self) -> u64 {
            self.0.weight()
        }
    }

    fn long(count: u64, weight: impl Fn(u64) -> u64) -> Rows<Long> {
        let mut rows = Rows::default();
        (0..count).for_each(|at| rows.push(Long(At(at, weight(at))), 64));
        rows.finish();
        rows
    }

    /// Whether they come first, last, or between others, and however many others there are.
    #[test]
    fn the_heaviest_stay_even_if_they_come_one_after_the_other() {
        for count in [100u64, 1000, 12_345, 100_000] {
            // Also where they are the first for which there is no room.
            for first in [0, 61, 62, 63, 64, count / 2, count - 3] {
                let is_heavy = |at: u64| (first..first + 3).contains(&at);
                let rows = long(count, |at| if is_heavy(at) { 1000 + at } else { 10 + at * 7919 % 89 });
                let heavy = rows.kept().iter().filter(|row| is_heavy(row.0.0)).count();
                assert_eq!(heavy, 3, "{count}, {first}");
                assert!((16..=64).contains(&rows.kept().len()) && rows.stride() > 1, "{}", rows.kept().len());
                assert!(rows.bytes_held() <= 64 * size_of::<Long>(), "{}", rows.bytes_held());
                assert!(rows.kept().windows(2).all(|pair| pair[0].time() < pair[1].time()));
            }
        }
    }

    /// Each one is heavier than all before it, or lighter, or all weigh the same.
    #[test]
    fn whatever_is_heaviest_the_others_are_thinned_evenly() {
        for weight in [|at: u64| at, |_| 7, |at: u64| u64::MAX - at] {
            let rows = long(100_000, weight);
            assert!((16..=64).contains(&rows.kept().len()), "{}", rows.kept().len());
            let gaps = rows.kept().windows(2).map(|pair| pair[1].time().since(pair[0].time()).0);
            assert!(gaps.max().unwrap() <= 4 * rows.stride() && rows.stride() <= 4096);
        }
    }

    #[test]
    fn rows_without_weight_are_kept_evenly() {
        for count in [3, 8, 9, 1000, 12_345] {
            let mut rows = Rows::default();
            (0..count).for_each(|at| rows.push_evenly(At(at, at), 8));
            rows.finish();
            let times: Vec<u64> = rows.kept().iter().map(|row| row.0).collect();
            assert!((4..=8).contains(&times.len()) || count < 8, "{count}: {times:?}");
            assert!(times.is_sorted() && times.first() == Some(&0));
            let ends = times.into_iter().chain([count]).collect::<Vec<_>>();
            assert!(ends.windows(2).all(|pair| pair[1] - pair[0] <= 2 * rows.stride()), "{count}: {ends:?}");
            assert_eq!(rows.stride() == 1, count <= 8);
        }
    }

    #[test]
    fn rows_of_several_capabilities_are_sorted() {
        let mut rows = Rows::default();
        for time in [10, 30, 20, 5, 40] {
            rows.push(At(time, 0), 8);
            rows.settle();
        }
        assert_eq!(rows.kept().iter().map(|row| row.0).collect::<Vec<_>>(), [5, 10, 20, 30, 40]);
    }
}
