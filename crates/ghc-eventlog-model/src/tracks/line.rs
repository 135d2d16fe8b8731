//! Lines: a counter of each capability, whose values come once per collection or more seldom.
//!
//! ```text
//! values    3          7    1                                    drawn, for each pixel: the first, smallest, largest and
//!           |----------|----|-------------                       last value, so that no spike vanishes at any zoom
//! ```
//!
//! All values are kept as long as there is room (see [`crate::keeping::rows`]), so that nothing must be read again.

use super::{
    Note, Shape, Track, TrackId,
    groups::Heading,
    kind::{Placed, Tracks},
    machines::{Dialect, Machine, Sample, Sink},
    span::{Ending, Span},
};
use crate::{
    asking::{
        lookup::{Direction, Found, Pixel, Place, SpanInfo},
        view::View,
        window::{Plan, Window},
    },
    facts::value::{Unit, Value},
    keeping::{
        ring::{Cell, Envelope, RingId, Rings},
        samples::Series,
    },
    reading::{caps::CapEvents, session::Session},
};
use alloc::{format, vec, vec::Vec};
use core::marker::PhantomData;
use ghc_eventlog::{CapNo, Nanos, Record};

/// What is read from single events, whatever came before them: a counter's value, or what sort of point one is.
pub(crate) trait Counter: Placed + core::fmt::Debug + Copy + PartialEq {
    /// The numbers of the events that have it.
    const TAGS: &'static [u16];
    /// Whether they are things that happen, and not values: then a sum counts them, so that it is known exactly how many there
    /// are in any range.
    const POINTS: bool = false;
    /// Its value in one of them; what sort of point one is, is more than 0.
    fn value(record: Record<'_>) -> u64;
}

/// The machine of a counter: it hands on what it reads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Each<K>(PhantomData<K>);

impl<K: Counter> Machine for Each<K> {
    const TAGS: &'static [u16] = K::TAGS;
    const SUMS: usize = <K as Counter>::POINTS as usize;
    const POINTS: bool = <K as Counter>::POINTS;

    fn starting(_: Nanos) -> Self {
        Self(PhantomData)
    }

    fn step(&mut self, record: Record<'_>, _: Dialect, sink: &mut impl Sink) {
        sink.sample::<K>(Sample { time: record.time, value: K::value(record) });
        if <K as Counter>::POINTS {
            sink.add::<K>(0, 1, record.time);
        }
    }
}

/// The lines of a counter, one for each capability that has values of it other than 0.
pub(crate) struct Line<K> {
    /// The heading that they stand under.
    pub(crate) heading: &'static Heading,
    /// What is counted: "sparks in the pool".
    pub(crate) what: &'static str,
    pub(crate) unit: Unit,
    /// The flag of the runtime that has it logged.
    pub(crate) flag: &'static str,
    /// The line's role in the palette.
    pub(crate) role: &'static str,
    pub(crate) of: PhantomData<K>,
}

impl<K: Counter> Line<K> {
    /// A capability's events, and the values among them, if any is more than 0.
    fn series<'s>(&self, session: &'s Session, of: u32) -> Option<(&'s CapEvents, &'s Series)> {
        let at = session.caps.stream(Some(CapNo(u16::try_from(of).ok()?)))?;
        let series = session.keeping.samples.of_stream(K::NUMBER, at).filter(|series| series.most > 0)?;
        Some((session.caps.streams.get(at)?, series))
    }

    /// The value that a row holds, until the next one.
    fn value(&self, events: &CapEvents, kept: &[Sample], at: usize) -> Option<Place> {
        let Sample { time: start, value } = *kept.get(at)?;
        let end = kept.get(at + 1).map_or(events.last.max(start), |next| next.time);
        Some(Place::Span(SpanInfo {
            span: Span { start, end, thread: None, state: 0, ending: Ending::Next, open_start: false },
            state: self.what,
            role: self.role,
            title: format!("{value} {}", self.what),
            fields: vec![("Value", self.unit.value(value)), ("Since", Value::Time(start))],
        }))
    }
}

impl<K: Counter + Sync> Tracks for Line<K> {
    fn heading(&self) -> &'static Heading {
        self.heading
    }

    fn count(&self, session: &Session) -> usize {
        session.keeping.samples.caps_of(K::NUMBER).len()
    }

    fn nth(&self, session: &Session, place: usize) -> Option<u32> {
        session.keeping.samples.caps_of(K::NUMBER).get(place).map(|cap| cap.0.into())
    }

    fn place(&self, session: &Session, of: u32) -> Option<usize> {
        let cap = CapNo(u16::try_from(of).ok()?);
        session.keeping.samples.caps_of(K::NUMBER).binary_search(&cap).ok()
    }

    fn figure(&self, session: &Session) -> Option<Note> {
        let most = |cap: &CapNo| self.series(session, cap.0.into()).map_or(0, |(_, series)| series.most);
        let most = session.keeping.samples.caps_of(K::NUMBER).iter().map(most).max();
        most.map(|most| Note::Most(most, self.unit))
    }

    fn lacks(&self, session: &Session) -> Option<&'static str> {
        (!session.counts.has_any(K::TAGS)).then_some(self.flag)
    }

    fn describe(&self, session: &Session, of: u32) -> Track {
        let series = self.series(session, of);
        let most = series.map_or(0, |(_, series)| series.most);
        Track {
            id: TrackId::of::<K>(of),
            name: format!("HEC {of}"),
            group: self.heading.name(),
            shape: Shape::Line { unit: self.unit, most, role: self.role },
            states: &[],
            lacks: Vec::new(),
            note: Note::Most(most, self.unit),
            known: Some(series.and_then(|(events, _)| events.times()).unwrap_or_default()),
        }
    }

    fn window(&self, session: &Session, of: u32, plan: &Plan, _: bool) -> Window {
        let Some((events, Series { rows, ring, .. })) = self.series(session, of) else { return Window::default() };
        let all = &session.keeping.samples.lines;
        let values = match ring.filter(|_| all.bucket().0 as f64 <= plan.view.pixel()) {
            Some(ring) => bucket_values(all, ring, events.last, plan.view),
            None => values(rows.kept(), events.last, plan.view),
        };
        Window { exact: rows.stride() == 1, values, ..Window::default() }
    }

    fn at(&self, session: &Session, of: u32, pixel: Pixel) -> Found {
        let shown = self.series(session, of).filter(|(events, _)| pixel.from <= events.last);
        let place = shown.and_then(|(events, Series { rows, .. })| {
            // The last one that the pixel shows.
            self.value(events, rows.kept(), rows.beside(pixel.to, Direction::Previous)?)
        });
        Found::Place(place.unwrap_or(Place::Unknown(None)))
    }

    fn beside(&self, session: &Session, of: u32, time: Nanos, direction: Direction) -> Found {
        let place = self
            .series(session, of)
            .and_then(|(events, Series { rows, .. })| self.value(events, rows.kept(), rows.beside(time, direction)?));
        Found::Place(place.unwrap_or(Place::Empty))
    }

    fn what(&self) -> &'static str {
        "values"
    }
}

/// For each pixel of a view the first, the smallest, the largest and the last value of a counter, which holds until the next
/// one, the last until `end`; NaN where none is known.
fn values(kept: &[Sample], end: Nanos, view: View) -> Vec<f32> {
    let mut values = Vec::with_capacity(view.width * 4);
    let first = kept.partition_point(|sample| sample.time <= view.from);
    let mut holds = first.checked_sub(1).and_then(|at| kept.get(at)).map(|sample| sample.value);
    let mut rest = kept.get(first..).unwrap_or_default();
    for (from, to) in view.pixels() {
        // What stands on the edge holds from there on.
        let (before, inside) = rest.split_at(rest.partition_point(|sample| sample.time <= from));
        holds = before.last().map(|sample| sample.value).or(holds);
        let (here, behind) = inside.split_at(inside.partition_point(|sample| sample.time < to));
        rest = behind;
        let all = holds.into_iter().chain(here.iter().map(|sample| sample.value));
        let known = from <= end && all.clone().next().is_some();
        let (low, high) = (all.clone().min().unwrap_or(0), all.clone().max().unwrap_or(0));
        let (open, close) = (all.clone().next().unwrap_or(0), all.last().unwrap_or(0));
        values.extend([open, low, high, close].map(|value| if known { value as f32 } else { f32::NAN }));
        holds = here.last().map(|sample| sample.value).or(holds);
    }
    values
}

/// The same from buckets, none wider than a pixel.
fn bucket_values(all: &Rings<Envelope>, ring: RingId, end: Nanos, view: View) -> Vec<f32> {
    let before = all.between(ring, Nanos(0), view.from).rev().find(|cell| !cell.is_empty());
    let mut holds = before.map(|cell| Envelope { first: cell.last, low: cell.last, high: cell.last, last: cell.last });
    let mut values = Vec::with_capacity(view.width * 4);
    for (from, to) in view.pixels() {
        let here = all.between(ring, from, to).fold(holds.unwrap_or_default(), Cell::merged);
        let known = from <= end && !here.is_empty();
        let Envelope { first, low, high, last } = here;
        values.extend([first, low, high, last].map(|value| if known { value } else { f32::NAN }));
        holds = (!here.is_empty()).then_some(Envelope { first: last, low: last, high: last, last });
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    /// A line drawn in digits, one for each 10 ns: the value if a pixel has but one, `^` if it has more.
    fn draw(samples: &[(u64, u64)], end: u64, width: usize) -> String {
        let kept: Vec<Sample> = samples.iter().map(|&(time, value)| Sample { time: Nanos(time), value }).collect();
        let view = View { from: Nanos(0), to: Nanos(width as u64 * 10), width };
        let pixels = values(&kept, Nanos(end), view);
        let pixel = |pixel: &[f32]| match *pixel {
            [open, ..] if open.is_nan() => '~',
            [open, low, high, close] if low == high && open == close => char::from(b'0' + open as u8),
            _ => '^',
        };
        pixels.chunks(4).map(pixel).collect()
    }

    #[test]
    fn a_value_holds_until_the_next_one() {
        assert_eq!(draw(&[(20, 3), (50, 7), (80, 0)], 100, 12), "~~333777000~");
    }

    #[test]
    fn a_spike_is_never_lost() {
        let view = View { from: Nanos(0), to: Nanos(1000), width: 1 };
        let kept = [(0, 5), (500, 1000), (501, 0), (502, 6)].map(|(time, value)| Sample { time: Nanos(time), value });
        assert_eq!(values(&kept, Nanos(1000), view), [5.0, 0.0, 1000.0, 6.0]);
    }
}
