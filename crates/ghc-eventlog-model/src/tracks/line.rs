//! Lines: counters of each capability, or of the whole log, with a value about once per collection or less often; and the
//! rates at which running totals grow.
//!
//! ```text
//! values    3          7    1                                    drawn, for each pixel: the first, smallest, largest and
//!           |----------|----|-------------                       last value, so that no spike vanishes at any zoom
//!
//! totals    100        400  410          rates of growth hold from one total to the next; after the last, none is known
//!           |---30-----|-2--|
//! ```
//!
//! All values are kept as long as there is room (see [`crate::keeping::rows`]), so nothing must be read again. Values of the
//! whole log may be in any capability's stream: they are sorted by time. But within a bucket that has no rows, the first and
//! the last value are those in file order.

use super::{
    groups::Heading,
    kind::Tracks,
    line_pixels::{bucket_values, forget, is_within, values},
};
use crate::{
    keeping::rts_flags::TraceClass,
    keeping::{
        ring::{BucketValue, Envelope, RingId, Rings},
        samples::{LineNo, Series, is_few, per_second},
    },
    known::Known,
    known::arrangement::Arranged,
    limits,
    terms::absence::Absence,
    terms::{
        machine::{Dialect, Machine, Placed, PlacedKind, Sink, Watched},
        place::{Direction, Found, Pixel, Place, SpanInfo},
        sample::Sample,
        span::{Ending, Span},
        track::{Note, Shape, State, Track, TrackId},
        value::{Unit, Value},
        view::View,
        window::{Plan, Window},
    },
};
use alloc::{format, string::String, vec, vec::Vec};
use core::marker::PhantomData;
use ghc_eventlog::{Nanos, Record};

/// A value that is read from single events, independently of other events: a counter's value, or the sort of a point.
pub(crate) trait EventValue: Placed + core::fmt::Debug + Copy + PartialEq {
    /// The numbers of the events that have it.
    const TAGS: &'static [u16];
    /// Whether they are events at a moment, not values. Then a sum counts them, so that their exact number is known for any
    /// range.
    const POINTS: bool = false;
    /// Whether its values are about the whole log, on whichever capability they are logged.
    const OF_LOG: bool = false;
    /// The value in an event. For points: the sort of point, which is greater than 0.
    fn value(record: Record<'_>) -> u64;
}

/// The machine of a counter: it passes on the values that it reads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Each<K>(PhantomData<K>);

impl<K: EventValue> Machine for Each<K> {
    const TAGS: &'static [u16] = K::TAGS;
    const SUMS: usize = <K as EventValue>::POINTS as usize;
    const POINTS: bool = <K as EventValue>::POINTS;
    const OF_LOG: bool = <K as EventValue>::OF_LOG;

    fn starting(_: Nanos) -> Self {
        Self(PhantomData)
    }

    #[inline(always)]
    fn step(&mut self, record: Record<'_>, _: Dialect, sink: &mut impl Sink) {
        sink.sample::<K>(Sample { time: record.time, value: K::value(record) });
        if <K as EventValue>::POINTS {
            sink.add::<K>(0, 1, record.time);
        }
    }
}

/// Running totals of each capability, all in one event. Each total is a sum, so that its exact increase is known for any
/// range, and a line with its rate. One more sum counts the events: a range without any does not tell how much a total grew
/// in it, which is not 0.
pub(crate) trait Growing: Placed + core::fmt::Debug + Copy + PartialEq {
    /// The number of the event.
    const TAG: u16;
    /// How many totals there are.
    const COUNT: usize;
    /// Whether the rate of all capabilities together is kept, too.
    const IN_ALL: bool = false;
    /// In how many parts of one rates are kept. With more than one, what grows is counted one by one, and may be few: see
    /// [`is_few`].
    const PARTS: u64 = 1;
    /// The type of all totals: `[u64; COUNT]`.
    type Totals: AsRef<[u64]>;
    /// All totals of an event, by number.
    fn totals(record: Record<'_>) -> Self::Totals;
}

/// The machine of running totals. The sums have the previous totals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rates<K> {
    /// The largest time of these events so far; the largest time there is before the first one.
    since: Nanos,
    of: PhantomData<K>,
}

impl<K: Growing> Machine for Rates<K> {
    const TAGS: &'static [u16] = &[K::TAG];
    const SUMS: usize = K::COUNT + 1;
    const LINES: usize = K::COUNT;
    const IN_ALL: bool = <K as Growing>::IN_ALL;
    const PARTS: u64 = <K as Growing>::PARTS;

    fn starting(_: Nanos) -> Self {
        Self { since: Nanos::MAX, of: PhantomData }
    }

    #[inline(always)]
    fn step(&mut self, record: Record<'_>, _: Dialect, sink: &mut impl Sink) {
        sink.grow::<K>(K::totals(record).as_ref(), self.since, record.time);
        // After the totals: a reader of both knows the growth when it learns of the event.
        sink.add::<K>(K::COUNT, 1, record.time);
        self.since = if self.since == Nanos::MAX { record.time } else { self.since.max(record.time) };
    }
}

impl<K> Rates<K> {
    /// The largest time of these events so far; `None` before the first one.
    pub(crate) fn until(&self) -> Option<Nanos> {
        (self.since < Nanos::MAX).then_some(self.since)
    }
}

/// The lines of a kind: for each capability those with values other than 0, or those of the whole log.
pub(crate) struct Line {
    /// The heading of their group.
    pub(crate) heading: &'static Heading,
    /// Each of the lines.
    pub(crate) lines: &'static [Named],
    /// The name of the first line if it is the only one.
    pub(crate) alone: Option<&'static str>,
    pub(crate) unit: Unit,
    /// The class of their events.
    pub(crate) class: TraceClass,
    /// In how many parts of one its rates are: more than one if what is counted may be [few](is_few).
    pub(crate) parts: u64,
    pub(crate) of: PlacedKind,
}

/// What a line shows.
pub(crate) struct Named {
    /// The track's name; it comes after the capability's name if the line is a capability's.
    pub(crate) name: &'static str,
    /// What its values are: "sparks in the pool".
    pub(crate) what: &'static str,
    /// Its role in the palette.
    pub(crate) role: &'static str,
}

/// A line's values, and the time for which they are known.
struct OfLine<'s> {
    series: &'s Series,
    from: Nanos,
    to: Nanos,
    /// Whether the last value ends then: unless it is a rate, it may continue.
    ends: bool,
}

impl OfLine<'_> {
    /// The time in which a row's value holds.
    fn stretch(&self, at: usize) -> (Nanos, Nanos) {
        let kept = self.series.rows.kept();
        let start = kept.get(at).map_or(self.to, |row| row.time);
        (start, kept.get(at + 1).map_or(self.to, |next| next.time).max(start))
    }

    /// The ring from which pixels of this width are drawn, if not from the rows: no value is missing in its buckets.
    fn drawn_from(&self, all: &Rings<Envelope>, pixel: f64) -> Option<RingId> {
        self.series.ring.filter(|_| all.bucket().0 as f64 <= pixel)
    }
}

impl Line {
    /// A line's values, if any is more than 0.
    fn of_line<'s>(&self, known: &'s Known, of: u32) -> Option<OfLine<'s>> {
        let LineNo { cap, line } = LineNo::from_number(of);
        let stream = if self.of.of_log { 0 } else { known.caps.stream(Some(cap))? };
        let series = known.stores.samples.series_of(self.of, stream, line.into()).filter(|series| series.most > 0)?;
        let lasts = || {
            let here = known.caps.streams.get(stream).map_or(Nanos(0), |events| events.last);
            if self.of.of_log { known.extent().map_or(here, |(_, last)| last) } else { here }
        };
        let until = known.stores.samples.until(self.of.number, stream);
        Some(OfLine { series, from: series.first, to: until.unwrap_or_else(lasts), ends: until.is_some() })
    }

    /// When a line's values are not known, since their class of events was switched off meanwhile. A rate over such a time is a true
    /// mean, but not known at any moment of it.
    fn unlogged(&self, known: &Known) -> Vec<(Nanos, Nanos)> {
        let class = match self.class {
            TraceClass::Collections => Watched::Collections,
            TraceClass::Sparks => Watched::Sparks,
            _ => return Vec::new(),
        };
        known.stores.pauses.of_class(class).collect()
    }

    fn named(&self, of: u32) -> Option<&'static Named> {
        self.lines.get(usize::from(LineNo::from_number(of).line))
    }

    fn name(&self, known: &Arranged<'_>, of: u32) -> String {
        let name = self.named(of).map_or("", |named| named.name);
        match self.alone.filter(|_| self.count(known) == 1) {
            Some(name) => name.into(),
            None if self.of.of_log => name.into(),
            None => format!("Cap {} {name}", LineNo::from_number(of).cap),
        }
    }

    /// The value of a row, which holds until the next row. If rows are missing, it is only known at its own time.
    fn value(&self, known: &Known, of: u32, of_line: &OfLine<'_>, at: usize) -> Option<Place> {
        let rows = &of_line.series.rows;
        let Sample { time: start, value } = *rows.kept().get(at)?;
        let unlogged = self.unlogged(known);
        if of_line.ends && unlogged.iter().any(|(from, to)| *from <= start && start < *to) {
            return Some(Place::Unknown(None));
        }
        let stops = unlogged.iter().map(|(from, _)| *from).find(|from| *from >= start);
        let next = rows.kept().get(at + 1).map(|next| next.time).into_iter().chain(stops).min();
        let end = next.unwrap_or(of_line.to.max(start));
        let named = self.named(of)?;
        let held = match value {
            // One of them is no "sparks".
            1 if self.parts > 1 => {
                titled(start, end, format!("1 {}", named.what.replacen("sparks", "spark", 1)), named)
            }
            few if self.parts > 1 && is_few(few) => titled(start, end, format!("{few} {}", named.what), named),
            _ => held(start, end, &self.text(value), named),
        };
        let fields = match rows.stride() {
            1 if next.is_some() || of_line.ends => held.fields,
            1 => vec![("Since", Value::Time(start))],
            _ => vec![("Time", Value::Time(start))],
        };
        Some(Place::Span(SpanInfo { fields, ..held }))
    }

    /// What a pixel shows that is drawn from buckets: the range from its smallest to its largest value.
    fn values_in(&self, known: &Known, of: u32, of_line: &OfLine<'_>, ring: RingId, pixel: Pixel) -> Option<Place> {
        let view = View { from: pixel.from, to: pixel.to, width: 1 };
        let values = bucket_values(&known.stores.samples.lines, ring, of_line.to, view);
        let [_, low, high, _] = values[..] else { return None };
        if low.is_nan() {
            return None;
        }
        if self.parts > 1 && is_few(high as u64) {
            // Of these, what is kept is shown.
            let rows = &of_line.series.rows;
            let kept = rows.beside(pixel.to, Direction::Previous);
            let kept = kept.filter(|at| rows.kept().get(*at).is_some_and(|row| row.time >= pixel.from));
            let named = self.named(of)?;
            return match kept {
                Some(at) => self.value(known, of, of_line, at),
                None => Some(Place::Span(titled(pixel.from, pixel.to, format!("few {}", named.what), named))),
            };
        }
        let of_series = |value: f32| (value as u64).min(of_line.series.most);
        let [low, high] = [low, high].map(|value| self.text(of_series(value)));
        let text = if low == high { low } else { format!("{low} to {high}") };
        Some(Place::Span(held(pixel.from, pixel.to.min(of_line.to), &text, self.named(of)?)))
    }

    fn text(&self, value: u64) -> String {
        self.unit.value(self.whole(value)).text(Nanos(0))
    }

    /// A value in ones, rounded.
    fn whole(&self, value: u64) -> u64 {
        value.saturating_add(self.parts / 2) / self.parts
    }

    /// The largest value of a line that is drawn as one: of a rate, among those of more than a few things.
    fn most(&self, series: &Series) -> u64 {
        self.whole(if self.parts > 1 { series.steady } else { series.most })
    }

    /// What a header says of a line: its largest value, or how many things there were if they were always few.
    fn note(&self, known: &Known, of: u32, most: u64) -> Note {
        let LineNo { cap, line } = LineNo::from_number(of);
        let events = known.caps.stream(Some(cap)).and_then(|stream| known.caps.streams.get(stream));
        let is_few = || self.of_line(known, of).is_none_or(|of_line| of_line.series.most < limits::FEW);
        match events.filter(|_| self.parts > 1 && is_few()) {
            Some(events) => Note::Number(events.sums.get(self.of.sums_from + usize::from(line))),
            None => Note::Most(most, self.unit),
        }
    }
}

/// A value that a line has for some time, in words.
pub(crate) fn held(start: Nanos, end: Nanos, value: &str, named: &Named) -> SpanInfo {
    titled(start, end, format!("{value} {}", named.what), named)
}

/// The same, with its whole title.
fn titled(start: Nanos, end: Nanos, title: String, named: &Named) -> SpanInfo {
    let length = Value::Duration(end.since(start));
    let span = Span { start, end, thread: None, state: 0, ending: Ending::Next, open_start: false };
    let fields = vec![("Start", Value::Time(start)), ("End", Value::Time(end)), ("Duration", length)];
    SpanInfo::of(span, State { name: named.what, role: named.role }, title, fields)
}

impl Tracks for Line {
    fn heading(&self) -> &'static Heading {
        self.heading
    }

    fn count(&self, known: &Arranged<'_>) -> usize {
        known.stores.samples.lines_of(self.of.number).len()
    }

    fn nth(&self, known: &Arranged<'_>, place: usize) -> Option<u32> {
        known.stores.samples.lines_of(self.of.number).get(place).map(|line| line.number())
    }

    fn place(&self, known: &Arranged<'_>, of: u32) -> Option<usize> {
        known.stores.samples.lines_of(self.of.number).binary_search(&LineNo::from_number(of)).ok()
    }

    fn figure(&self, known: &Arranged<'_>) -> Option<Note> {
        let most = |line: &LineNo| self.of_line(known, line.number()).map_or(0, |of_line| self.most(of_line.series));
        let most = known.stores.samples.lines_of(self.of.number).iter().map(most).max();
        most.filter(|most| *most > 0).map(|most| Note::Most(most, self.unit))
    }

    fn alike(&self, known: &Arranged<'_>, of: u32) -> Option<u64> {
        let LineNo { line, .. } = LineNo::from_number(of);
        let all = known.stores.samples.lines_of(self.of.number).iter().filter(|other| other.line == line);
        let most = |other: &LineNo| self.of_line(known, other.number()).map(|of_line| self.most(of_line.series));
        if self.of.of_log { None } else { all.filter_map(most).max() }
    }

    fn lacks(&self, known: &Arranged<'_>) -> Option<Absence> {
        known.absence(self.of.tags, self.class)
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let of_line = self.of_line(known, of);
        let most = of_line.as_ref().map_or(0, |of_line| self.most(of_line.series));
        let role = self.named(of).map_or("muted", |named| named.role);
        Track {
            id: TrackId { kind: self.of.number, of },
            name: self.name(known, of).into(),
            group: self.heading.name(),
            shape: Shape::Line { unit: self.unit, most, below: 0, role },
            states: &[],
            lacks: Vec::new(),
            note: self.note(known, of, most),
            known: Some(of_line.map(|of_line| (of_line.from, of_line.to)).unwrap_or_default()),
        }
    }

    fn window(&self, known: &Arranged<'_>, of: u32, plan: &Plan, _: bool) -> Window {
        let Some(of_line) = self.of_line(known, of) else { return Window::default() };
        let (all, rows) = (&known.stores.samples.lines, &of_line.series.rows);
        let ring = of_line.drawn_from(all, plan.view.pixel());
        let mut values = match ring {
            Some(ring) => bucket_values(all, ring, of_line.to, plan.view),
            None => values(rows.kept(), of_line.to, plan.view),
        };
        let counts = if self.parts > 1 {
            few_apart(&of_line, self.parts, ring.map(|ring| (all, ring)), plan.view, &mut values)
        } else {
            Vec::new()
        };
        forget(&mut values, plan.view, &self.unlogged(known));
        Window { exact: rows.stride() == 1, values, counts, ..Window::default() }
    }

    fn at(&self, known: &Arranged<'_>, of: u32, pixel: Pixel) -> Found {
        let shown = self.of_line(known, of).filter(|of_line| pixel.from <= of_line.to);
        let shown = shown.filter(|_| !is_within(&self.unlogged(known), pixel.from, pixel.to));
        let place = shown.and_then(|of_line| {
            let width = pixel.to.since(pixel.from).0 as f64;
            match of_line.drawn_from(&known.stores.samples.lines, width) {
                Some(ring) => self.values_in(known, of, &of_line, ring, pixel),
                // The last value that the pixel shows.
                None => self.value(known, of, &of_line, of_line.series.rows.beside(pixel.to, Direction::Previous)?),
            }
        });
        Found::Place(place.unwrap_or(Place::Unknown(None)))
    }

    fn beside(&self, known: &Arranged<'_>, of: u32, time: Nanos, direction: Direction) -> Found {
        let place = self
            .of_line(known, of)
            .and_then(|of_line| self.value(known, of, &of_line, of_line.series.rows.beside(time, direction)?));
        Found::Place(place.unwrap_or(Place::Empty))
    }
}

/// Takes what is few out of a line, whose rate is 0 in pixels that show nothing else: returns for each pixel how many things came to be
/// counted there, as far as these stretches are kept, or as many as its buckets have at once. Where many of them lie in one pixel, they
/// are a rate. The values are in parts of one before, and in ones afterwards.
fn few_apart(
    of_line: &OfLine<'_>,
    parts: u64,
    ring: Option<(&Rings<Envelope>, RingId)>,
    view: View,
    values: &mut [f32],
) -> Vec<u32> {
    let rows = &of_line.series.rows;
    let (kept, all) = (rows.kept(), rows.stride() == 1);
    let mut counts = vec![0u32; view.width];
    let pixels: Vec<(Nanos, Nanos)> = view.pixels().collect();
    for ((at, (from, to)), values) in pixels.iter().enumerate().zip(values.chunks_mut(4)) {
        let is_line = values.iter().any(|value| *value >= limits::FEW as f32);
        for value in values.iter_mut().filter(|value| !value.is_nan()) {
            *value = if *value < limits::FEW as f32 { 0.0 } else { *value / parts as f32 };
        }
        if is_line {
            continue;
        }
        // Where a stretch ends is only known if the next one is kept, too.
        let begins = kept.partition_point(|row| row.time < *from);
        let first = if all { begins.saturating_sub(1) } else { begins };
        let end = kept.partition_point(|row| row.time < *to);
        let here = kept.get(first..end).unwrap_or_default().iter().zip(first..);
        let few = here
            .filter(|(row, _)| is_few(row.value))
            .map(|(row, at)| (row, if all { of_line.stretch(at).1 } else { row.time }));
        let together: u64 = few.clone().filter(|(_, counted)| counted > from || !all).map(|(row, _)| row.value).sum();
        if together >= limits::FEW {
            values.fill(per_second(together, to.since(*from)).unwrap_or(0) as f32);
            continue;
        }
        for (row, counted) in few {
            // It is counted where its stretch ends, which may be where the next pixel begins.
            let is_here = !all
                || *from < counted && (counted < *to || pixels.get(at + 1).is_none_or(|(next, _)| counted <= *next));
            if let Some(count) = counts.get_mut(at).filter(|_| is_here) {
                *count += row.value as u32;
            }
        }
        if let (Some((all, ring)), Some(count)) = (ring, counts.get_mut(at)) {
            let here = all.between(ring, *from, *to).fold(Envelope::default(), BucketValue::merged);
            *count = (*count).max(if here.is_empty() { 0 } else { here.high as u32 });
        }
    }
    counts
}
