//! Which threads have rows when there are too many: those that weigh most.
//!
//! ```text
//! a thread's life    CREATE --- runs, waits, … --- finished      nothing that it did took longer
//! no room            the lighter half of the threads loses its rows, and there is room again
//! ```
//!
//! Of the rows that stay, half are those of the threads that lived longest: one that has not finished may still live until the end. A
//! quarter ran longest, of the others; and a quarter have labels, since a program labels the threads that it means to find again. When there
//! is no room for a label, the lighter half of the labelled threads loses theirs in the same way.
//!
//! The first pass reads the streams of capabilities one after the other. What comes of a thread that has lost its row when both its begin
//! and its end were known is within its life, and changes nothing. A thread that was not over gets a row again, if it does more.

use super::{NONE, Thread, Threads};
use crate::{
    keeping::{heaviest::Heaviest, quantiles::Quantiles},
    limits,
    sorting::{by_most, sort_by_number},
};
use alloc::{collections::BTreeMap, vec, vec::Vec};
use ghc_eventlog::{Nanos, ThreadId};

/// The threads that have lost their rows.
#[derive(Debug, Default)]
pub(super) struct Light {
    /// Those whose whole lives were known.
    over: super::numbers::Numbers,
    /// Those that had not finished by then, or were older than the log.
    open: super::numbers::Numbers,
    count: u64,
    /// The longest life of the former.
    longest: Nanos,
    /// How long each of them ran.
    ran: Quantiles,
    /// The largest number of any.
    pub(super) largest: u32,
}

/// What is known of all threads without a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithoutRow {
    /// How many there are; at most, unless `is_exact`.
    pub count: u64,
    /// Whether none of them was counted twice: their numbers have not been too far apart to remember all.
    pub is_exact: bool,
    /// How many of them may have lived longer than `longest`, since they had not finished when they lost their rows.
    pub open: u64,
    /// How long each of the others lived at most.
    pub longest: Nanos,
}

impl Light {
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    fn is_exact(&self) -> bool {
        self.over.is_exact() && self.open.is_exact()
    }

    fn add(&mut self, thread: &Thread, added: u32) {
        let id = thread.id.0;
        let is_new = match thread.life() {
            Some(life) => {
                self.longest = self.longest.max(life);
                self.ran.add(thread.ran.0);
                self.over.insert(id)
            }
            None => self.open.insert(id),
        };
        self.count += u64::from(is_new);
        if id < limits::LARGEST_THREAD.saturating_add(added) {
            self.largest = self.largest.max(id);
        }
    }

    /// A thread gets a row again.
    pub(super) fn remove(&mut self, id: ThreadId) {
        if self.count > 0 && (self.open.remove(id.0) || self.over.remove(id.0)) {
            self.count -= 1;
        }
    }

    pub(super) fn bytes_held(&self) -> usize {
        self.over.bytes_held() + self.open.bytes_held() + self.ran.bytes_held()
    }
}

impl Thread {
    /// From its creation to its end; `None` unless both are known.
    fn life(&self) -> Option<Nanos> {
        Some(self.finished?.time().since(self.created()?))
    }

    /// The longest time that it may have lived, in nanoseconds. One that has not finished may still live until any time, so the earlier it was
    /// created the more.
    fn longest_possible_life(&self) -> u64 {
        let finished = self.finished.map_or(u64::MAX, |finished| finished.time().0);
        finished.saturating_sub(self.created().unwrap_or_default().0)
    }
}

/// Which of the rows are the `count` heaviest of those at the places `left`.
fn heaviest(rows: &[Thread], mut left: Vec<u32>, count: usize) -> Vec<bool> {
    type Weight = fn(&Thread) -> u64;
    let shares: [(usize, Weight); 3] = [
        (count / 2, |thread| thread.longest_possible_life()),
        (count / 4, |thread| thread.ran.0),
        (count - count / 2 - count / 4, |thread| {
            u64::from(thread.label.is_kept()) << 63 | thread.longest_possible_life() >> 1
        }),
    ];
    let mut stays = vec![false; rows.len()];
    for (share, weight) in shares {
        let of = |place: &u32| rows.get(*place as usize).map_or(0, weight);
        // Of equal ones, the first.
        let mut heaviest = Heaviest::of(&left.iter().map(of).collect::<Vec<u64>>(), share);
        left.retain(|place| {
            let is_among = heaviest.stays(of(place));
            if let Some(stays) = stays.get_mut(*place as usize) {
                *stays = is_among;
            }
            !is_among
        });
    }
    stays
}

impl Threads {
    /// What is known of the threads that have no row; `None` if all have one.
    #[must_use]
    pub fn without_row(&self) -> Option<WithoutRow> {
        let Light { count, longest, ref open, .. } = self.light;
        let is_exact = self.light.is_exact();
        (count > 0).then_some(WithoutRow { count, is_exact, open: open.count(), longest })
    }

    /// How long each thread ran that has no row, of those whose whole lives are in the log.
    pub(crate) fn runs_without_row(&self) -> &Quantiles {
        &self.light.ran
    }

    /// The places of the `count` threads that may have waited longest, sorted: what is left of their longest possible lives besides running.
    pub(crate) fn likely_waiters(&self, count: usize) -> Vec<u32> {
        let waited = |place: u32| {
            self.rows.get(place as usize).map_or(0, |of| of.longest_possible_life().saturating_sub(of.ran.0))
        };
        let mut places = by_most(self.rows.len(), waited);
        places.truncate(count);
        sort_by_number(&mut places, |place| u64::from(*place));
        places
    }

    /// Makes room for the row of a thread that has none; returns whether it gets one. One that had lost its row with its whole life known does
    /// not, nor does any once rows are [fixed](Self::fix) and there is no room.
    pub(super) fn make_room_for(&mut self, id: ThreadId) -> bool {
        if self.light.count > 0 && (self.light.over.has(id.0) || self.is_fixed && self.light.open.has(id.0)) {
            return false;
        }
        if self.rows.len() < limits::MAX_THREADS {
            return true;
        }
        if self.is_fixed {
            // One whose number had no room was counted in the first pass; here it would count with each of its events.
            if self.light.is_exact() {
                self.light.count += u64::from(self.light.open.insert(id.0));
            }
            return false;
        }
        self.drop_light();
        true
    }

    /// A thread gets a label: it may have a row again, although its whole life is known to be short.
    pub(super) fn forget_that_it_was_over(&mut self, id: ThreadId) {
        if !self.is_fixed {
            self.light.remove(id);
        }
    }

    /// The rows stay as they are from now on, since places of rows are kept. If some threads have none, there is room for as many more: what
    /// threads do is kept in as many cells as there may be rows.
    pub(super) fn fix(&mut self) {
        if self.light.count > 0 && self.rows.len() > limits::MAX_THREADS / 2 {
            self.drop_light();
            self.rows.shrink_to_fit();
        }
        self.dense.shrink_to_fit();
        self.texts.shrink();
        self.is_fixed = true;
    }

    /// Takes the rows of the lighter half of the threads.
    #[cold]
    fn drop_light(&mut self) {
        let all = (0..self.rows.len() as u32).collect();
        let mut stays = heaviest(&self.rows, all, limits::MAX_THREADS / 2).into_iter();
        let (light, added) = (&mut self.light, self.numbering.added);
        let mut has_lost_labels = false;
        self.rows.retain(|thread| {
            let stays = stays.next().unwrap_or(true);
            if !stays {
                light.add(thread, added);
                has_lost_labels |= thread.label.is_kept();
            }
            stays
        });
        if has_lost_labels {
            let old = core::mem::take(&mut self.texts);
            self.texts.dropped = old.dropped;
            for thread in self.rows.iter_mut().filter(|thread| thread.label.is_kept()) {
                thread.label = self.texts.keep_as_it_is(old.get(thread.label), thread.label);
            }
        }
        self.dense.fill(NONE);
        let mut sparse: Vec<(u32, u32)> = Vec::new();
        for (thread, place) in self.rows.iter().zip(0..) {
            match self.dense.get_mut(thread.id.0 as usize).filter(|_| thread.id.0 < limits::DENSE_THREADS) {
                Some(entry) => *entry = place,
                None => sparse.push((thread.id.0, place)),
            }
        }
        self.sparse = BTreeMap::from_iter(sparse);
    }

    /// Takes the labels of the lighter half of the threads that have one, until half of the room for labels is free. A thread that has not
    /// finished may come to matter without its label; but the next ones have room for theirs.
    #[cold]
    pub(super) fn drop_light_labels(&mut self) {
        loop {
            let labelled = self.rows.iter().zip(0..).filter(|(thread, _)| thread.label.is_kept());
            let labelled: Vec<u32> = labelled.map(|(_, place)| place).collect();
            let count = labelled.len() / 2;
            let stays = heaviest(&self.rows, labelled, count);
            for (thread, stays) in self.rows.iter_mut().zip(stays) {
                if !stays && thread.label.is_kept() {
                    self.texts.drop_kept(&mut thread.label);
                }
            }
            if count == 0 || self.texts.is_half_free() {
                break;
            }
        }
        self.shorten_labels();
    }

    /// Gives back the room of labels that are gone, and cuts the longest, if none are.
    pub(super) fn shorten_labels(&mut self) {
        let moved = self.texts.shorten(self.rows.iter().map(|row| row.label));
        self.rows.iter_mut().for_each(|row| row.label = moved.of(row.label));
    }
}
