//! Which rows spans have on the timeline: each label or thread gets as many rows as it has spans at once, so that none hides
//! another.
//!
//! ```text
//! START a   START b   START a   STOP a   STOP b   STOP a
//!
//! by label                         by thread
//!   a      |-------------------|     1 main      |-a-----------------|
//!   a · 2            |---|           1 main · 2      |-b---------|
//!   b          |-----------|         1 main · 3          |-a-|
//! ```

use super::{UserSpan, UserSpans};
use crate::{
    keeping::threads::Threads,
    limits::{MAX_SPAN_LANES, MAX_USER_SPANS},
    sorting::sort_by_number,
};
use alloc::vec::Vec;
use ghc_eventlog::Nanos;

/// How the rows of spans are grouped: see [`Wishes`](crate::Wishes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SpanRows {
    /// By label.
    #[default]
    ByLabel,
    /// By the thread that began the spans.
    ByThread,
}

/// What the spans of a row have in common: a label, or a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SpanOwner {
    Label(u16),
    /// The thread at a place.
    Thread(u32),
    /// Spans without a known thread.
    Nobody,
}

/// A row of spans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SpanLane {
    pub(crate) whose: SpanOwner,
    /// How many rows of the same owner are above it.
    pub(crate) depth: u32,
}

/// The bit that marks a lane of a thread. Places of threads are below [`limits::MAX_THREADS`](crate::limits::MAX_THREADS);
/// all ones mean "no thread".
///
/// ```text
/// | 31 .. 27: depth | 26: of a thread | 25 .. 0: its place, or a label's number |
/// ```
const BY_THREAD: u32 = 1 << 26;
const KEY: u32 = BY_THREAD - 1;
const DEPTH_SHIFT: u32 = 27;

impl SpanLane {
    /// The only row of a label, for spans that have no rows of their own.
    pub(crate) fn of_label(label: u16) -> Self {
        Self { whose: SpanOwner::Label(label), depth: 0 }
    }

    /// The number of its track.
    pub(crate) fn number(self) -> u32 {
        let key = match self.whose {
            SpanOwner::Label(label) => label.into(),
            SpanOwner::Thread(place) => BY_THREAD | place,
            SpanOwner::Nobody => BY_THREAD | KEY,
        };
        key | self.depth << DEPTH_SHIFT
    }

    /// The reverse of `number`.
    pub(crate) fn numbered(number: u32) -> Self {
        let key = number & KEY;
        let whose = match number & BY_THREAD {
            0 => SpanOwner::Label(u16::try_from(key).unwrap_or(u16::MAX)),
            _ if key == KEY => SpanOwner::Nobody,
            _ => SpanOwner::Thread(key),
        };
        Self { whose, depth: number >> DEPTH_SHIFT }
    }
}

/// The rows of the spans that are kept.
#[derive(Debug, Default)]
pub(crate) struct SpanLanes {
    /// From top to bottom.
    list: Vec<LaneSpans>,
    /// The places of spans, row by row; within a row by their begins.
    places: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct LaneSpans {
    /// The lane's number.
    number: u32,
    /// The end of its spans in the list of places: they begin where the previous row's spans end.
    end: u32,
}

/// The most bytes that the rows take for each span.
#[cfg(test)]
pub(crate) const LANE_BYTES: usize = size_of::<LaneSpans>() + size_of::<u32>();

impl SpanLanes {
    /// Makes rows for spans that are sorted by their begins. Owners are ordered by their first span.
    fn of(spans: &[UserSpan], whose: impl Fn(&UserSpan) -> SpanOwner) -> Self {
        let mut all: Vec<(SpanOwner, u32)> = spans.iter().map(whose).zip(0..).collect();
        sort_by_number(&mut all, |(whose, _)| SpanLane { whose: *whose, depth: 0 }.number().into());
        let mut lanes = Self::default();
        let mut groups: Vec<&[(SpanOwner, u32)]> = all.chunk_by(|one, other| one.0 == other.0).collect();
        sort_by_number(&mut groups, |group| group.first().map_or(0, |(_, place)| (*place).into()));
        for group in groups {
            lanes.add(spans, group);
        }
        lanes
    }

    /// Adds the rows of one owner's spans.
    fn add(&mut self, spans: &[UserSpan], group: &[(SpanOwner, u32)]) {
        let Some((whose, _)) = group.first() else { return };
        let span = |place: u32| spans.get(place as usize).copied();
        let mut places: Vec<u32> = group.iter().map(|(_, place)| *place).collect();
        // If several begin at once, the longest is above.
        let start = |place: &u32| span(*place).map_or(0, |span| span.start.0);
        for at_once in places.chunk_by_mut(|one, other| start(one) == start(other)) {
            sort_by_number(at_once, |place| span(*place).map_or(0, |span| !span.end.0));
        }
        let (depths, count) = depths(places.iter().filter_map(|place| span(*place)));
        for depth in 0..count {
            let mine = places.iter().zip(&depths).filter(|(_, of)| **of == depth);
            self.places.extend(mine.map(|(place, _)| *place));
            let number = SpanLane { whose: *whose, depth }.number();
            self.list.push(LaneSpans { number, end: self.places.len() as u32 });
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn nth(&self, row: usize) -> Option<SpanLane> {
        self.list.get(row).map(|listed| SpanLane::numbered(listed.number))
    }

    pub(crate) fn row_of(&self, lane: SpanLane) -> Option<usize> {
        self.list.iter().position(|listed| listed.number == lane.number())
    }

    /// The row of the span of a label at a place. If spans have no rows of their own: the row of its label.
    pub(crate) fn of_span(&self, place: u32, label: u16) -> Option<SpanLane> {
        let listed = match self.places.iter().position(|other| *other == place) {
            Some(at) => self.list.iter().find(|listed| at < listed.end as usize)?,
            None => self.list.iter().find(|listed| listed.number == SpanLane::of_label(label).number())?,
        };
        Some(SpanLane::numbered(listed.number))
    }

    /// The places of all spans of a lane's owner.
    pub(crate) fn places_of_all(&self, lane: SpanLane) -> impl Iterator<Item = u32> {
        let lanes = self.list.iter().map(|listed| SpanLane::numbered(listed.number));
        lanes.filter(move |other| other.whose == lane.whose).flat_map(|lane| self.places(lane)).copied()
    }

    /// The places of a row's spans, in order of their begins.
    pub(crate) fn places(&self, lane: SpanLane) -> &[u32] {
        let Some(row) = self.row_of(lane) else { return &[] };
        let end = |row: usize| self.list.get(row).map(|listed| listed.end as usize);
        let first = row.checked_sub(1).and_then(end).unwrap_or(0);
        self.places.get(first..end(row).unwrap_or(first)).unwrap_or_default()
    }

    pub(crate) fn bytes_held(&self) -> usize {
        self.list.capacity() * size_of::<LaneSpans>() + self.places.capacity() * size_of::<u32>()
    }
}

/// How many rows of the same owner are above each of some spans, and how many rows there are. The spans are in order of their begins; if
/// several begin at once, the longest comes first.
fn depths(spans: impl Iterator<Item = UserSpan>) -> (Vec<u32>, u32) {
    let mut ends: Vec<Nanos> = Vec::new();
    let mut depths: Vec<u32> = Vec::new();
    for span in spans {
        let free = ends.iter().position(|end| *end <= span.start);
        let at = free.unwrap_or(ends.len()).min(MAX_SPAN_LANES - 1);
        match ends.get_mut(at) {
            Some(end) => *end = span.end.max(*end),
            None => ends.push(span.end),
        }
        depths.push(at as u32);
    }
    (depths, ends.len() as u32)
}

impl SpanLane {
    /// Of spans in order of their begins, those on this row, which is a label's.
    pub(crate) fn rows_among(self, spans: &[UserSpan]) -> Vec<UserSpan> {
        let mut its: Vec<UserSpan> =
            spans.iter().filter(|span| SpanOwner::Label(span.label) == self.whose).copied().collect();
        for at_once in its.chunk_by_mut(|one, other| one.start == other.start) {
            sort_by_number(at_once, |span| !span.end.0);
        }
        let (depths, _) = depths(its.iter().copied());
        its.into_iter().zip(depths).filter(|(_, depth)| *depth == self.depth).map(|(span, _)| span).collect()
    }
}

impl UserSpans {
    /// The rows of spans, once all spans are known. If there are too many to keep them all, labels have rows.
    pub(crate) fn lanes(&self, wish: SpanRows, threads: &Threads) -> SpanLanes {
        let spans = self.rows.kept();
        match wish {
            _ if self.rows.stride() > 1 => {
                let count = |label: u16| self.open_times.most_open(label).clamp(1, MAX_SPAN_LANES as u32);
                let is_many = self.order.iter().map(|label| count(*label) as usize).sum::<usize>() > MAX_USER_SPANS;
                let lanes = |label: &u16| {
                    let (whose, count) = (SpanOwner::Label(*label), if is_many { 1 } else { count(*label) });
                    (0..count).map(move |depth| LaneSpans { number: SpanLane { whose, depth }.number(), end: 0 })
                };
                SpanLanes { list: self.order.iter().flat_map(lanes).collect(), places: Vec::new() }
            }
            SpanRows::ByLabel => SpanLanes::of(spans, |span| SpanOwner::Label(span.label)),
            SpanRows::ByThread => SpanLanes::of(spans, |span| {
                // No thread has the number 0, although a damaged log may name one.
                let thread = Some(span.thread).filter(|thread| thread.0 > 0);
                let place = thread.and_then(|thread| threads.known_place(thread));
                place.map_or(SpanOwner::Nobody, |place| SpanOwner::Thread(place as u32))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, string::String};
    use ghc_eventlog::ThreadId;

    /// Each row as its depth and its spans, written from-to. Spans are given in order of their begins, with their thread's
    /// number.
    fn rows(spans: &[(u32, u64, u64)]) -> Vec<String> {
        let spans: Vec<_> =
            spans.iter().map(|(thread, from, to)| UserSpan::of(ThreadId(*thread), *from, *to)).collect();
        let lanes = SpanLanes::of(&spans, |span| SpanOwner::Thread(span.thread.0));
        let tell = |row| {
            let lane = lanes.nth(row).unwrap();
            assert_eq!((lanes.row_of(lane), SpanLane::numbered(lane.number())), (Some(row), lane));
            let SpanOwner::Thread(thread) = lane.whose else { panic!() };
            let told = lanes.places(lane).iter().map(|place| spans[*place as usize]);
            let told: Vec<_> = told.map(|span| format!("{}-{}", span.start.0, span.end.0)).collect();
            format!("{thread}.{}: {}", lane.depth, told.join(" "))
        };
        (0..lanes.count()).map(tell).collect()
    }

    #[test]
    fn nested_spans_are_below() {
        assert_eq!(
            rows(&[(1, 0, 9), (1, 2, 8), (1, 3, 4), (1, 5, 6), (1, 9, 12)]),
            ["1.0: 0-9 9-12", "1.1: 2-8", "1.2: 3-4 5-6"]
        );
        assert_eq!(rows(&[(1, 0, 4), (1, 0, 9), (1, 2, 12)]), ["1.0: 0-9", "1.1: 0-4", "1.2: 2-12"]);
        assert_eq!(rows(&[(7, 0, 4), (2, 1, 3), (7, 2, 5)]), ["7.0: 0-4", "7.1: 2-5", "2.0: 1-3"]);
        assert!(rows(&[]).is_empty());
    }

    #[test]
    fn the_last_row_has_the_spans_without_a_row_of_their_own() {
        let many: Vec<_> = (0..100).map(|at| (1, at, 1000)).collect();
        let rows = rows(&many);
        assert_eq!(rows.len(), MAX_SPAN_LANES);
        assert_eq!(rows[MAX_SPAN_LANES - 1].split(' ').count(), 1 + 100 - (MAX_SPAN_LANES - 1));
    }

    #[test]
    fn rows_have_unique_numbers() {
        for whose in [
            SpanOwner::Label(0),
            SpanOwner::Label(u16::MAX),
            SpanOwner::Thread(0),
            SpanOwner::Thread(1 << 18),
            SpanOwner::Nobody,
        ] {
            for depth in [0, 1, MAX_SPAN_LANES as u32 - 1] {
                let lane = SpanLane { whose, depth };
                assert_eq!(SpanLane::numbered(lane.number()), lane);
            }
        }
    }
}
