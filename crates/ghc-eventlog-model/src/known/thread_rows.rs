//! The rows of threads, put in order.

use crate::{
    keeping::crossing::{
        Replayed,
        doing::Doing,
        rows::{LABEL, NONE, Presence, Rows, ThreadOrder, ThreadRows},
    },
    known::{Known, summed::Summed},
    sorting::{by_least, sort_by_number},
    terms::track::TrackId,
    tracks::thread::Threads,
};
use alloc::{vec, vec::Vec};
use ghc_eventlog::Nanos;

impl Known {
    /// Makes the rows of threads anew, if the log has been gone through.
    pub(crate) fn put_threads_in_order(&mut self, range: Option<&Summed>) {
        let Some(replayed) = self.replayed.as_ref().filter(|replayed| replayed.is_done) else { return };
        let rows = Arranging { known: self, replayed, wish: &self.thread_rows, range }.rows();
        if let Some(replayed) = &mut self.replayed {
            replayed.rows = rows;
        }
    }

    /// The time that the rows of threads are sorted by, of one; the time that it ran if they are sorted by something else.
    pub(crate) fn time_of_row(&self, place: usize) -> Nanos {
        let sorted_by = self.replayed.as_ref().and_then(|replayed| time_of(replayed, self.thread_rows.order, place));
        sorted_by.or_else(|| Some(self.stores.threads.rows().get(place)?.ran)).unwrap_or_default()
    }

    /// A thread's label; empty if it has none.
    fn label_at(&self, place: u32) -> &str {
        let thread = self.thread_at(place as usize);
        thread.and_then(|thread| self.stores.threads.label_text(thread)).unwrap_or_default()
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
    range: Option<&'a Summed>,
}

impl Arranging<'_> {
    fn rows(&self) -> Rows {
        let count = self.known.stores.threads.rows().len();
        // Those of which nothing but a label is known come last.
        let mut places = by_least(count, |place| self.first(place).0);
        let text = self.wish.text.to_lowercase();
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
        places.sort_by_key(|place| key(*place));
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
        if !text.is_empty() && !known.thread_text(thread).to_lowercase().contains(text) {
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

impl Known {
    /// Makes the rows of spans anew, if the log has been gone through.
    pub(crate) fn put_spans_in_rows(&mut self) {
        if let Some(replayed) = self.replayed.as_mut().filter(|replayed| replayed.is_done) {
            replayed.spans.arrange(self.span_rows, &self.stores.threads);
        }
    }
}
