//! Points: things that happen at a moment, about once per collection or less often, on any capability.
//!
//! ```text
//! cap 0   x      x              drawn, for each pixel: how many; and one by one where there is room
//! cap 1      x   x     x
//! ```

use super::{
    groups::{self, Heading},
    kind::{Kind, Tracks},
};
use crate::{
    keeping::{
        ring::{BucketValue, RingId, Rings},
        rows::Rows,
        samples::Series,
    },
    known::arrangement::Arranged,
    known::{Known, summed::SummedRange},
    terms::{
        machine::{Placed, PlacedKind},
        place::{Direction, Found, Pixel, Place, SpanInfo},
        range::RangeTotals,
        sample::Sample,
        span::{Ending, Span},
        track::{Note, Shape, State, Track, TrackId},
        value::Value,
        view::View,
        window::{Plan, Window},
    },
};
use alloc::{vec, vec::Vec};
use ghc_eventlog::{CapNo, Nanos};

/// The track of one kind of points. The kind says what a point's value means.
pub(crate) struct Points {
    pub(crate) name: &'static str,
    pub(crate) heading: &'static Heading,
    /// What they are, in the plural.
    pub(crate) what: &'static str,
    /// The name of a point, by its value.
    pub(crate) title: fn(u64) -> &'static str,
    /// The name of a point's value, if it is a number of something.
    pub(crate) amount: Option<&'static str>,
    /// Their role in the palette.
    pub(crate) role: &'static str,
    pub(crate) of: PlacedKind,
}

impl Points {
    /// Points of the collector whose value is not a number of anything.
    pub(crate) const fn of_collector<K: Kind + Placed>(
        name: &'static str,
        what: &'static str,
        title: fn(u64) -> &'static str,
        role: &'static str,
    ) -> Self {
        Self { name, heading: &groups::COLLECTIONS, what, title, amount: None, role, of: PlacedKind::of::<K>() }
    }
}

/// A point: its stream, its time, and its value.
type Point = (usize, Sample);

impl Points {
    fn series<'s>(&self, known: &'s Known) -> impl Iterator<Item = (usize, &'s Series)> {
        known.stores.samples.of(self.of.number)
    }

    fn rows<'s>(&self, known: &'s Known) -> impl Iterator<Item = (usize, &'s Rows<Sample>)> {
        self.series(known).map(|(stream, series)| (stream, &series.rows))
    }

    /// The kept points in `from..to`: how many, and the first of them.
    fn kept(&self, known: &Known, from: Nanos, to: Nanos) -> (u64, Option<Point>) {
        let (mut count, mut first) = (0, None::<Point>);
        for (stream, rows) in self.rows(known) {
            let kept = within(rows.kept(), from, to);
            count += kept.len() as u64;
            if let Some(sample) = kept.first().filter(|sample| first.is_none_or(|(_, other)| sample.time < other.time))
            {
                first = Some((stream, *sample));
            }
        }
        (count, first)
    }

    fn point_info(&self, known: &Known, (stream, sample): Point) -> SpanInfo {
        let cap = known.caps.lanes().find(|(cap, _)| known.caps.stream(Some(*cap)) == Some(stream));
        let title = (self.title)(sample.value);
        let mut fields = vec![("Time", Value::Time(sample.time))];
        fields.extend(cap.map(|(cap, _): (CapNo, _)| ("Capability", Value::Capability(cap))));
        fields.extend(self.amount.map(|name| (name, Value::Count(sample.value))));
        let span = span_at(sample.time);
        SpanInfo::of(span, State { name: title, role: self.role }, title, fields)
    }
}

/// Adds the number of points in each pixel of a view: from buckets if none is wider than a pixel, otherwise from the kept
/// points.
pub(super) fn count_into(counts: &mut [u32], rows: &Rows<Sample>, ring: Option<RingId>, all: &Rings<u32>, view: View) {
    if let Some(ring) = ring.filter(|_| all.bucket().0 as f64 <= view.pixel()) {
        for (count, (from, to)) in counts.iter_mut().zip(view.pixels()) {
            *count = all.between(ring, from, to).fold(*count, BucketValue::merged);
        }
        return;
    }
    for sample in within(rows.kept(), view.from, view.to) {
        let pixel = (sample.time.since(view.from).0 as f64 / view.pixel()) as usize;
        if let Some(count) = counts.get_mut(pixel) {
            *count = count.saturating_add(u32::try_from(rows.stride()).unwrap_or(u32::MAX));
        }
    }
}

pub(super) fn span_at(time: Nanos) -> Span {
    Span { start: time, end: time, thread: None, state: 0, ending: Ending::Next, open_start: false }
}

/// The samples in `from..to`.
pub(super) fn within(kept: &[Sample], from: Nanos, to: Nanos) -> &[Sample] {
    let first = kept.partition_point(|sample| sample.time < from);
    let end = kept.partition_point(|sample| sample.time < to);
    kept.get(first..end).unwrap_or_default()
}

impl Tracks for Points {
    fn heading(&self) -> &'static Heading {
        self.heading
    }

    fn count(&self, known: &Arranged<'_>) -> usize {
        usize::from(self.rows(known).next().is_some())
    }

    fn nth(&self, known: &Arranged<'_>, place: usize) -> Option<u32> {
        (place < self.count(known)).then_some(0)
    }

    fn place(&self, known: &Arranged<'_>, of: u32) -> Option<usize> {
        (of == 0 && self.count(known) > 0).then_some(0)
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let count = known.caps.streams.iter().map(|events| events.sums.get(self.of.sums_from)).sum();
        Track {
            id: TrackId { kind: self.of.number, of },
            name: self.name.into(),
            group: self.heading.name(),
            shape: Shape::Points { role: self.role },
            states: &[],
            lacks: Vec::new(),
            note: Note::Number(count),
            known: None,
        }
    }

    fn window(&self, known: &Arranged<'_>, _: u32, plan: &Plan, _: bool) -> Window {
        let view = plan.view;
        let mut counts = vec![0u32; view.width];
        let mut exact = true;
        let all = &known.stores.samples.points;
        for (_, Series { rows, ring, .. }) in self.series(known) {
            exact &= rows.stride() == 1;
            count_into(&mut counts, rows, *ring, all, view);
        }
        Window { exact, counts, ..Window::default() }
    }

    fn in_range(&self, _: &Arranged<'_>, _: u32, range: &SummedRange) -> RangeTotals {
        RangeTotals { states: Vec::new(), count: Some(range.of_all().get(self.of.sums_from)) }
    }

    fn at(&self, known: &Arranged<'_>, _: u32, pixel: Pixel) -> Found {
        // Points are hard to hit: if the pixel has none, those within half a pixel of it count.
        let kept = |Pixel { from, to, .. }: Pixel| self.kept(known, from, to);
        let inside = kept(pixel);
        let more = self.rows(known).any(|(_, rows)| rows.stride() > 1);
        Found::Place(match if inside.0 > 0 { inside } else { kept(pixel.wider()) } {
            (_, None) => Place::Empty,
            (1, Some(point)) if !more => Place::Span(self.point_info(known, point)),
            (count, Some(first)) => {
                Place::Many { count, more, what: self.what, longest: self.point_info(known, first) }
            }
        })
    }

    fn beside(&self, known: &Arranged<'_>, _: u32, time: Nanos, direction: Direction) -> Found {
        let next =
            |(stream, rows): (usize, &Rows<Sample>)| Some((stream, *rows.kept().get(rows.beside(time, direction)?)?));
        let all = self.rows(known).filter_map(next);
        let nearest = match direction {
            Direction::Next => all.min_by_key(|(_, sample)| sample.time),
            Direction::Previous => all.max_by_key(|(_, sample)| sample.time),
        };
        Found::Place(nearest.map_or(Place::Empty, |point| Place::Span(self.point_info(known, point))))
    }
}
