//! How the reader of a log has arranged its tracks, and the rows that come of it.
//!
//! The log itself knows nothing of that: an [`Arrangement`] comes with each question about tracks, so that there may be several.

use crate::{
    keeping::crossing::{
        Replayed,
        doing::Doing,
        rows::{LABEL, NONE, Presence, ThreadOrder, ThreadRowList, ThreadRows, label_of},
        spans::{SpanLanes, SpanRows},
    },
    known::{Known, summed::SummedRange},
    sorting::{by_least, sort_by_number},
    terms::track::TrackId,
    tracks::thread::ThreadTracks,
};
use alloc::{string::String, sync::Arc, vec, vec::Vec};
use core::ops::Deref;
use ghc_eventlog::Nanos;

/// What a reader wants to see of a log: [`Model::arrange`](crate::Model::arrange) makes rows of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wishes {
    /// Which threads have rows, and in which order.
    pub threads: ThreadRows,
    /// What the rows of the program's own spans are for.
    pub spans: SpanRows,
    /// The label of the spans whose durations are shown as a histogram, as the column `label` of the table `spans` has it.
    pub histogram_of: Option<String>,
}

/// The rows of threads and of the program's own spans, as a reader wants them. It goes with each question about tracks.
///
/// Such rows can only be made once the log has been [gone through](crate::Model::replay). Until then, and by default, each thread and
/// each label of spans has a row, in the order of the file. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Arrangement(Arc<Made>);

#[derive(Debug, Default)]
struct Made {
    wishes: Wishes,
    /// What the log [was](Known::revision) when they were made.
    revision: u64,
    rows: Option<CrossingRows>,
}

/// The rows of what crosses capabilities.
#[derive(Debug)]
pub(crate) struct CrossingRows {
    pub(crate) threads: ThreadRowList,
    pub(crate) spans: SpanLanes,
}

impl Arrangement {
    /// Threads are looked for in `range`, or in the whole log.
    pub(crate) fn of(known: &Known, wishes: Wishes, range: Option<&SummedRange>) -> Self {
        let replayed = known.replayed.as_ref().filter(|replayed| replayed.is_done);
        let rows = replayed.map(|replayed| CrossingRows {
            threads: Arranging { known, replayed, wish: &wishes.threads, range }.rows(),
            spans: replayed.spans.lanes(wishes.spans, &known.stores.threads),
        });
        Self(Arc::new(Made { wishes, revision: known.revision, rows }))
    }

    /// What was wanted.
    #[must_use]
    pub fn wishes(&self) -> &Wishes {
        &self.0.wishes
    }

    /// The [revision](crate::Model::revision) of the log of which its rows were made: of a later one they may be others.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.0.revision
    }

    /// Whether a track is a label's, which stands for its threads: then, whether those have rows of their own, too.
    #[must_use]
    pub fn unfolds(&self, track: TrackId) -> Option<bool> {
        let label = label_of(track.of_kind::<ThreadTracks>()?)?;
        Some(self.rows()?.threads.unfolded.contains(&(label | LABEL)))
    }

    /// The bytes that its rows take.
    #[must_use]
    pub fn bytes_held(&self) -> usize {
        self.rows().map_or(0, |rows| rows.threads.bytes_held() + rows.spans.bytes_held())
    }

    /// Its rows; `None` if the log had not been gone through.
    pub(crate) fn rows(&self) -> Option<&CrossingRows> {
        self.0.rows.as_ref()
    }
}

/// A log as its reader has arranged it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arranged<'a> {
    known: &'a Known,
    pub(crate) by: &'a Arrangement,
}

impl Deref for Arranged<'_> {
    type Target = Known;

    fn deref(&self) -> &Known {
        self.known
    }
}

impl<'a> Arranged<'a> {
    /// What crosses capabilities, and its rows: once the log has been gone through, and rows have been made.
    pub(crate) fn crossing(&self) -> Option<(&'a Replayed, &'a CrossingRows)> {
        let replayed = self.known.replayed.as_ref().filter(|replayed| replayed.is_done)?;
        Some((replayed, self.by.rows()?))
    }

    /// The time that the rows of threads are sorted by, of one; the time that it ran if they are sorted by something else.
    pub(crate) fn time_of_row(&self, place: usize) -> Nanos {
        let order = self.by.wishes().threads.order;
        let sorted_by = self.replayed.as_ref().and_then(|replayed| time_of(replayed, order, place));
        sorted_by.or_else(|| Some(self.stores.threads.rows().get(place)?.ran)).unwrap_or_default()
    }
}

impl Known {
    /// The log, for a question of a reader who has arranged it so.
    pub(crate) fn arranged<'a>(&'a self, by: &'a Arrangement) -> Arranged<'a> {
        Arranged { known: self, by }
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
    range: Option<&'a SummedRange>,
}

impl Arranging<'_> {
    fn rows(&self) -> ThreadRowList {
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
        let mut rows = ThreadRowList { shown: places.len(), of_thread: vec![NONE; count], ..ThreadRowList::default() };
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
    fn group(&self, rows: &mut ThreadRowList, places: &mut [u32], labels: Vec<u32>) {
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
            let is_unfolded = self.wish.unfolded.contains(&TrackId::of::<ThreadTracks>(row));
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
