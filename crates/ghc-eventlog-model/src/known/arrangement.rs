//! How a user has arranged the tracks of a log, and the resulting rows.
//!
//! The log itself does not store this: an [`Arrangement`] is passed with each question about tracks, so there may be several.

use crate::{
    keeping::crossing::{
        Replayed,
        doing::Doing,
        rows::{LABEL, NONE, Presence, ThreadOrder, ThreadRowList, ThreadRows, label_of},
        spans::{SpanLanes, SpanRows},
    },
    known::{Known, summed::SummedRange},
    sorting::{by_least, sort_by_number, sort_places},
    terms::small_letters::small_letters,
    terms::track::TrackId,
    tracks::thread::ThreadTracks,
};
use alloc::{string::String, sync::Arc, vec, vec::Vec};
use core::ops::Deref;
use ghc_eventlog::Nanos;

/// What a user wants to see of a log: [`Model::arrange`](crate::Model::arrange) makes rows from it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wishes {
    /// Which threads have rows, and in which order.
    pub threads: ThreadRows,
    /// How the rows of user spans are grouped.
    pub spans: SpanRows,
    /// The label of the spans whose durations are shown as a histogram, as in the column `label` of the table `spans`.
    pub histogram_of: Option<String>,
    /// The names of counters without a line, as in the column `name` of the tables `instruments` and `numbers`.
    pub hidden_counters: Vec<String>,
    /// The share of the capabilities, in percent, below which the table `low_use` has stretches: a multiple of ten; `None` for half of
    /// them.
    pub low_use_percent: Option<u8>,
}

/// The rows of threads and of user spans, as a user wants them. It is passed with each question about tracks.
///
/// Such rows can only be made after the [replay](crate::Model::replay). Until then, and by default, each thread and each
/// label of spans has a row, in the order of the file. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Arrangement(Arc<Made>);

#[derive(Debug, Default)]
struct Made {
    wishes: Wishes,
    /// The log's [revision](Known::revision) when they were made.
    revision: u64,
    rows: Option<CrossingRows>,
}

/// The rows of threads and user spans.
#[derive(Debug)]
pub(crate) struct CrossingRows {
    pub(crate) threads: ThreadRowList,
    pub(crate) spans: SpanLanes,
}

impl Arrangement {
    /// Filters threads by what they did in `range`, or in the whole log.
    pub(crate) fn of(known: &Known, wishes: Wishes, range: Option<&SummedRange>) -> Self {
        let replayed = known.replayed.as_ref().filter(|replayed| replayed.is_done);
        let rows = replayed.map(|replayed| CrossingRows {
            threads: Arranging { known, replayed, wish: &wishes.threads, range }.rows(),
            spans: replayed.spans.lanes(wishes.spans, &known.stores.threads),
        });
        Self(Arc::new(Made { wishes, revision: known.revision, rows }))
    }

    /// The wishes that it was made from.
    #[must_use]
    pub fn wishes(&self) -> &Wishes {
        &self.0.wishes
    }

    /// The [revision](crate::Model::revision) of the log from which its rows were made: for a later revision, rows may
    /// differ.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.0.revision
    }

    /// `None` if the track is not a label's. Otherwise, whether the label is unfolded: its threads have rows of their own,
    /// too.
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

    /// Its rows; `None` if the replay was not done.
    pub(crate) fn rows(&self) -> Option<&CrossingRows> {
        self.0.rows.as_ref()
    }
}

/// A log with a user's arrangement.
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
    /// What the replay found, and its rows; `None` before the replay, or before rows have been made.
    pub(crate) fn crossing(&self) -> Option<(&'a Replayed, &'a CrossingRows)> {
        let replayed = self.known.replayed.as_ref().filter(|replayed| replayed.is_done)?;
        Some((replayed, self.by.rows()?))
    }

    /// The time of a thread by which rows are sorted; its running time if they are sorted by something else.
    pub(crate) fn time_of_row(&self, place: usize) -> Nanos {
        let order = self.by.wishes().threads.order;
        let sorted_by = self.replayed.as_ref().and_then(|replayed| time_of(replayed, order, place));
        sorted_by.or_else(|| Some(self.stores.threads.rows().get(place)?.ran)).unwrap_or_default()
    }
}

impl Known {
    /// The log with an arrangement, for a question.
    pub(crate) fn arranged<'a>(&'a self, by: &'a Arrangement) -> Arranged<'a> {
        Arranged { known: self, by }
    }

    /// A thread's label; empty if it has none.
    fn label_at(&self, place: u32) -> &str {
        let thread = self.thread_at(place as usize);
        thread.and_then(|thread| self.stores.threads.label_text(thread)).unwrap_or_default()
    }
}

/// The time of a thread in a sort order; `None` if the order is not by time.
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
        // Threads of which only a label is known come last.
        let mut places = by_least(count, |place| self.first(place).0);
        let text = small_letters(&self.wish.text);
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

    /// Puts threads with the same label together: where the first of them would be, or where their total would be.
    fn group(&self, rows: &mut ThreadRowList, places: &mut [u32], labels: Vec<u32>) {
        let count = labels.iter().max().map_or(0, |most| *most as usize + 1);
        let label = |place: u32| labels.get(place as usize).copied().unwrap_or(NONE);
        // For each label: its sort key, how many of its threads are shown, and its first thread in the file, shown or not,
        // which identifies the row.
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

    /// The number of each thread's label, in alphabetical order; threads without one come last.
    fn labels(&self, count: usize) -> Vec<u32> {
        let text = |place: u32| self.known.label_at(place).as_bytes();
        let mut places: Vec<u32> = (0..count as u32).collect();
        // Empty texts come last.
        let key = |place: u32| (text(place).is_empty(), text(place));
        sort_places(&mut places, &|one, other| key(one).cmp(&key(other)));
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

    /// When a thread was first seen.
    fn first(&self, place: u32) -> Nanos {
        self.replayed.lives.get(place as usize).map_or(Nanos::MAX, |life| life.first)
    }

    /// The time by which threads are sorted, if the order is by time.
    fn time(&self, place: u32) -> Option<Nanos> {
        time_of(self.replayed, self.wish.order, place as usize)
    }

    /// The sort key: smaller keys come first.
    fn worth(&self, place: u32, label: u32) -> u64 {
        self.time(place).map_or(label.into(), |time| !time.0)
    }

    fn is_shown(&self, place: u32, text: &str) -> bool {
        let Self { known, replayed, wish, range } = self;
        let Some(thread) = known.thread_at(place as usize) else { return false };
        if !text.is_empty() && !small_letters(&known.thread_text(thread)).contains(text) {
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
                // It is not known what threads did in the range: none is left out because of that.
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
