//! Which rows threads have on the timeline, and in which order: of hundreds of thousands, those that somebody looks for.
//!
//! ```text
//! in order of first appearance | by label, `worker` unfolded
//!   1 main                     |   1 main
//!   2 worker                   |   worker (2)       stands for both: a row of the label
//!   3                          |     2 worker
//!   4 worker                   |     4 worker
//!                              |   3
//! ```

use super::{Replayed, doing::Doing};
use crate::{
    asking::range::Range,
    known::Known,
    letters::{find, small},
    model::Model,
    sorting::{by_least, sort_by_number, sort_places},
    terms::track::TrackId,
    tracks::thread::Threads,
};
use alloc::{string::String, vec, vec::Vec};
use ghc_eventlog::Nanos;

/// How the rows of threads stand on the timeline: see [`Model::arrange_threads`]. As they are at first: all, by first appearance.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ThreadRows {
    /// Which come first.
    pub order: ThreadOrder,
    /// Only threads that have this in their number or label, whatever its case.
    pub text: String,
    /// Only those that were in this state, by its number among the states of a thread's track.
    pub state: Option<usize>,
    /// Only those that were there, or ran.
    pub presence: Presence,
    /// Whether threads of one label share a row, unless only one has it.
    pub by_label: bool,
    /// The rows of labels below which their threads have rows of their own, too.
    pub unfolded: Vec<TrackId>,
}

/// Which of the threads' rows come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ThreadOrder {
    /// Those that were there first.
    #[default]
    First,
    /// Those that ran for the longest time.
    Running,
    /// Those that were blocked for the longest time.
    Blocked,
    /// Those that were there for the longest time.
    Lifetime,
    /// Those whose label comes first in the alphabet; those without one last.
    Label,
}

/// Whether a thread must have been there, or have run, for it to have a row: in a range of time, or ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Presence {
    /// All threads.
    #[default]
    Any,
    /// Those that were there.
    Alive,
    /// Those that ran.
    Ran,
}

/// The mark of a row that is a label's: the rest is the place of the first thread that has it.
const LABEL: u32 = 1 << 31;

/// The rows that threads have.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// From top to bottom: places of threads, and of labels.
    list: Vec<u32>,
    /// The row of each thread; [`NONE`] if it has none.
    of_thread: Vec<u32>,
    /// The label of each thread: those of one label have the same number. Empty unless labels have rows.
    labels: Vec<u32>,
    /// Whether each thread is shown; likewise.
    is_shown: Vec<bool>,
    /// The rows of labels that are unfolded.
    unfolded: Vec<u32>,
    /// How many threads have a row, or are among those of a label's.
    pub(crate) shown: usize,
}

const NONE: u32 = u32::MAX;

impl Rows {
    pub(crate) fn bytes_held(&self) -> usize {
        let lists = [&self.list, &self.of_thread, &self.labels, &self.unfolded];
        lists.iter().map(|list| list.capacity() * size_of::<u32>()).sum::<usize>() + self.is_shown.capacity()
    }

    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn nth(&self, row: usize) -> Option<u32> {
        self.list.get(row).copied()
    }

    /// The row of a thread, or of a label.
    pub(crate) fn row_of(&self, of: u32) -> Option<usize> {
        if label_of(of).is_some() {
            return self.list.iter().position(|row| *row == of);
        }
        self.of_thread.get(of as usize).filter(|row| **row != NONE).map(|row| *row as usize)
    }

    /// The places of the threads that a label's row stands for.
    pub(crate) fn members(&self, label: u32) -> impl Iterator<Item = usize> {
        let number = self.labels.get(label as usize).copied();
        let each = self.labels.iter().zip(&self.is_shown).enumerate();
        each.filter(move |(_, (other, is_shown))| **is_shown && Some(**other) == number).map(|(place, _)| place)
    }
}

/// The place of the first thread that has a label, if it is a label's row.
pub(crate) fn label_of(of: u32) -> Option<u32> {
    (of & LABEL != 0).then_some(of & !LABEL)
}

impl Model {
    /// Which rows threads have on the timeline from now on, and in which order; as soon as the log has been
    /// [gone through](Self::replay). Until then all have one. What is asked for of a `range` is told of it, or of the whole log.
    pub fn arrange_threads(&mut self, wish: ThreadRows, range: Option<&Range>) {
        self.known.thread_rows = wish;
        self.known.put_threads_in_order(range);
    }

    /// Whether a track is a label's, which stands for its threads: then, whether those have rows of their own, too.
    #[must_use]
    pub fn unfolds(&self, track: TrackId) -> Option<bool> {
        let label = label_of(track.of_kind::<Threads>()?)?;
        let replayed = self.known.replayed.as_ref()?;
        Some(replayed.rows.unfolded.contains(&(label | LABEL)))
    }
}

impl Known {
    /// Makes the rows of threads anew, if the log has been gone through.
    pub(crate) fn put_threads_in_order(&mut self, range: Option<&Range>) {
        let Some(replayed) = self.replayed.as_ref().filter(|replayed| replayed.is_done) else { return };
        let rows = Arranging { known: self, replayed, wish: &self.thread_rows, range }.rows();
        if let Some(replayed) = &mut self.replayed {
            replayed.rows = rows;
        }
    }

    /// The time that the rows of threads are sorted by, of one; the time that it ran if they are sorted by something else.
    pub(crate) fn time_of_row(&self, place: usize) -> Nanos {
        let sorted_by = self.replayed.as_ref().and_then(|replayed| time_of(replayed, self.thread_rows.order, place));
        sorted_by.or_else(|| Some(self.keeping.threads.rows().get(place)?.ran)).unwrap_or_default()
    }

    /// A thread's label; empty if it has none.
    fn label_at(&self, place: u32) -> &str {
        let thread = self.thread_at(place as usize);
        thread.and_then(|thread| self.keeping.threads.label_text(thread)).unwrap_or_default()
    }
}

/// The time by which threads are sorted, of one; `None` if they are sorted by something else.
fn time_of(replayed: &Replayed, order: ThreadOrder, place: usize) -> Option<Nanos> {
    let did = |doing: Doing| replayed.lives.did_until(place, replayed.until).time(doing);
    match order {
        ThreadOrder::First | ThreadOrder::Label => None,
        ThreadOrder::Running => Some(did(Doing::Running)),
        ThreadOrder::Blocked => Some(did(Doing::Blocked)),
        ThreadOrder::Lifetime => {
            let life = replayed.lives.get(place);
            Some(life.map_or(Nanos(0), |life| life.finished().unwrap_or(replayed.end).since(life.first)))
        }
    }
}

struct Arranging<'a> {
    known: &'a Known,
    replayed: &'a Replayed,
    wish: &'a ThreadRows,
    range: Option<&'a Range>,
}

impl Arranging<'_> {
    fn rows(&self) -> Rows {
        let count = self.known.keeping.threads.rows().len();
        // Those of which nothing but a label is known come last.
        let mut places = by_least(count, |place| self.first(place).0);
        let text = small(&self.wish.text);
        places.retain(|place| self.is_shown(*place, &text));
        let needs_labels = self.wish.by_label || self.wish.order == ThreadOrder::Label;
        let labels = if needs_labels { self.labels(count) } else { Vec::new() };
        let label = |place: u32| labels.get(place as usize).copied().unwrap_or(NONE);
        if self.wish.order != ThreadOrder::First {
            let worth: Vec<u64> = (0..count as u32).map(|place| self.worth(place, label(place))).collect();
            sort_by_number(&mut places, |place| worth.get(*place as usize).copied().unwrap_or(u64::MAX));
        }
        let mut rows = Rows { shown: places.len(), of_thread: vec![NONE; count], ..Rows::default() };
        if self.wish.by_label {
            self.group(&mut rows, &mut places, labels);
        } else {
            rows.list = places;
        }
        for (row, of) in (0..).zip(&rows.list) {
            if let Some(at) = rows.of_thread.get_mut(*of as usize) {
                *at = row;
            }
        }
        rows
    }

    /// Threads of one label stand together, where the first of them would, or where all of them together would.
    fn group(&self, rows: &mut Rows, places: &mut [u32], labels: Vec<u32>) {
        let count = labels.iter().max().map_or(0, |most| *most as usize + 1);
        let label = |place: u32| labels.get(place as usize).copied().unwrap_or(NONE);
        // By label: what sorts it, how many threads of it are shown, and the first one in the file, shown or not: its row is known by that.
        let mut of_label = vec![(u64::MAX, 0, NONE); count];
        for (place, label) in (0..).zip(&labels) {
            if let Some((.., first)) = of_label.get_mut(*label as usize) {
                *first = place.min(*first);
            }
        }
        for (at, place) in (0..).zip(places.iter().copied()) {
            let Some((worth, members, _)) = of_label.get_mut(label(place) as usize) else { continue };
            *worth = match self.time(place) {
                None => (*worth).min(at),
                Some(time) => worth.saturating_sub(time.0),
            };
            *members += 1;
        }
        let of = |place: u32| of_label.get(label(place) as usize).copied().unwrap_or((u64::MAX, 0, NONE));
        sort_by_number(places, |place| label(*place).into());
        sort_by_number(places, |place| of(*place).0);
        let mut last = NONE;
        for place in places.iter().copied() {
            let (_, members, first) = of(place);
            let row = first | LABEL;
            let is_unfolded = self.wish.unfolded.contains(&TrackId::of::<Threads>(row));
            if members > 1 && last != label(place) {
                rows.list.push(row);
                rows.unfolded.extend(is_unfolded.then_some(row));
            }
            if members <= 1 || is_unfolded {
                rows.list.push(place);
            }
            last = label(place);
        }
        let mut is_shown = vec![false; labels.len()];
        places.iter().for_each(|place| {
            if let Some(shown) = is_shown.get_mut(*place as usize) {
                *shown = true;
            }
        });
        (rows.labels, rows.is_shown) = (labels, is_shown);
    }

    /// The number of each thread's label, in order of the alphabet; threads without one come last.
    fn labels(&self, count: usize) -> Vec<u32> {
        let text = |place: u32| self.known.label_at(place).as_bytes();
        let mut places: Vec<u32> = (0..count as u32).collect();
        // None comes after any.
        let key = |place: u32| (text(place).is_empty(), text(place));
        sort_places(&mut places, &|one, other| key(one) > key(other));
        let (mut labels, mut number, mut last) = (vec![0; count], 0, None);
        for place in places {
            number += u32::from(last.is_some_and(|last| last != text(place)));
            last = Some(text(place));
            if let Some(label) = labels.get_mut(place as usize) {
                *label = number;
            }
        }
        labels
    }

    /// When a thread was seen first.
    fn first(&self, place: u32) -> Nanos {
        self.replayed.lives.get(place as usize).map_or(Nanos::MAX, |life| life.first)
    }

    /// The time by which threads are sorted, if it is a time.
    fn time(&self, place: u32) -> Option<Nanos> {
        time_of(self.replayed, self.wish.order, place as usize)
    }

    /// What is less comes first.
    fn worth(&self, place: u32, label: u32) -> u64 {
        self.time(place).map_or(label.into(), |time| !time.0)
    }

    fn is_shown(&self, place: u32, text: &str) -> bool {
        let Self { known, replayed, wish, range } = self;
        let Some(thread) = known.thread_at(place as usize) else { return false };
        if !text.is_empty() && find(&small(&known.thread_text(thread)), text).is_none() {
            return false;
        }
        if wish.state.is_none() && wish.presence == Presence::Any {
            return true;
        }
        let Some(life) = replayed.lives.get(place as usize) else { return false };
        let (from, to) = range.map_or((replayed.begin, replayed.end), |range| (range.from, range.to));
        let is_there = life.first < to && life.finished().unwrap_or(replayed.end) > from;
        let did = match range {
            None => self.replayed.lives.did_until(place as usize, self.replayed.until),
            Some(range) => match &range.threads {
                Some(threads) => threads.by_place.get(place as usize).copied().unwrap_or_default(),
                // What threads did in the range is not known: none is left out for that.
                None => return wish.presence != Presence::Alive || is_there,
            },
        };
        let was_in = |state: usize| did.times.get(state).is_some_and(|time| *time > Nanos(0));
        wish.state.is_none_or(was_in)
            && match wish.presence {
                Presence::Any => true,
                Presence::Alive => is_there || range.is_none(),
                Presence::Ran => was_in(Doing::Running as usize),
            }
    }
}
