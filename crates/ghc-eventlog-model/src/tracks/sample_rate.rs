//! How many samples the time profile has per second, for all capabilities and threads together: few where the runtime's ticks
//! stopped.

use super::{
    groups::{self, Heading},
    kind::{Kind, Tracks},
};
use crate::{
    known::Known,
    known::arrangement::Arranged,
    terms::{
        place::{Found, Pixel, Place, SpanInfo},
        span::{Ending, Span},
        track::{Note, Shape, State, Track, TrackId},
        value::{Unit, Value},
        window::{Plan, Window},
    },
};
use alloc::{format, vec, vec::Vec};
use ghc_eventlog::Nanos;

/// The track of the rate.
pub(crate) struct SampleRate;

/// The most pieces of time in which a log is counted.
const MOST_PIECES: u64 = 2000;

/// A piece of time has at least this many ticks: a piece of one tick would have one sample or none.
const TICKS: u64 = 10;

impl Kind for SampleRate {
    const NAME: &'static str = "Samples per second";
    const ABOUT: &'static str = "How many samples the time profile has per second.";
    type Machine = ();
    type Tracks = Self;
    const TRACKS: Self = Self;
}

/// The number of samples in each of many pieces of time, from all samples.
struct Pieces {
    /// The begin of each piece, and the end of the last one.
    edges: Vec<Nanos>,
    counts: Vec<u64>,
}

impl Pieces {
    fn of(known: &Known) -> Option<Self> {
        let time = &known.stores.profiles.time;
        let (from, last) = time.times?;
        let tick = time.tick().unwrap_or(Nanos(1)).0.max(1);
        let to = last.plus(Nanos(tick));
        // Pieces begin where buckets do. The first and the last one are made longer, rather than leaving short rests.
        let least = tick.saturating_mul(TICKS).max(to.since(from).0 / MOST_PIECES);
        let bucket = time.bucket().0;
        let lasts = least.div_ceil(bucket).saturating_mul(bucket);
        let mut edges = vec![from];
        let mut next = (from.0 / lasts + 1).saturating_mul(lasts);
        while next.saturating_add(lasts / 2) < to.0 {
            if next - from.0 > lasts / 2 {
                edges.push(Nanos(next));
            }
            next = next.saturating_add(lasts);
        }
        edges.push(to);
        let begin = |edge: &Nanos| Nanos(edge.0 / bucket * bucket);
        let count = |pair: &[Nanos]| match pair {
            [from, to] => time.count_between(begin(from), *to),
            _ => 0,
        };
        let counts = edges.windows(2).map(count).collect();
        Some(Self { edges, counts })
    }

    /// The begin of the first piece, and the end of the last one.
    fn extent(&self) -> (Nanos, Nanos) {
        let edge = |edge: Option<&Nanos>| edge.copied().unwrap_or_default();
        (edge(self.edges.first()), edge(self.edges.last()))
    }

    fn has(&self, from: Nanos, to: Nanos) -> bool {
        let (first, end) = self.extent();
        first < to && from < end
    }

    /// A piece's begin, its end, and its number of samples.
    fn piece(&self, at: usize) -> (Nanos, Nanos, u64) {
        let edge = |at: usize| self.edges.get(at).copied().unwrap_or_default();
        (edge(at), edge(at + 1), self.counts.get(at).copied().unwrap_or(0))
    }

    fn rate(&self, at: usize) -> u64 {
        let (from, to, count) = self.piece(at);
        (count as f64 * 1e9 / to.since(from).0.max(1) as f64) as u64
    }

    fn most(&self) -> u64 {
        (0..self.counts.len()).map(|at| self.rate(at)).max().unwrap_or(0)
    }

    /// The piece at a time, or the nearest one.
    fn at(&self, time: Nanos) -> usize {
        self.edges.partition_point(|edge| *edge <= time).clamp(1, self.counts.len()) - 1
    }
}

impl Tracks for SampleRate {
    fn heading(&self) -> &'static Heading {
        &groups::TIME_PROFILE
    }

    fn count(&self, known: &Arranged<'_>) -> usize {
        usize::from(known.stores.profiles.time.samples > 0)
    }

    fn nth(&self, known: &Arranged<'_>, place: usize) -> Option<u32> {
        (place < self.count(known)).then_some(0)
    }

    fn place(&self, known: &Arranged<'_>, of: u32) -> Option<usize> {
        (of == 0 && self.count(known) > 0).then_some(0)
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let pieces = Pieces::of(known);
        let most = pieces.as_ref().map_or(0, Pieces::most);
        Track {
            id: TrackId::of::<Self>(of),
            name: "Samples per second".into(),
            group: groups::TIME_PROFILE.name(),
            shape: Shape::Line { unit: Unit::PerSecond, most, below: 0, role: "band-rest" },
            states: &[],
            lacks: Vec::new(),
            note: Note::Most(most, Unit::PerSecond),
            known: pieces.map(|pieces| pieces.extent()),
        }
    }

    fn window(&self, known: &Arranged<'_>, _: u32, plan: &Plan, _: bool) -> Window {
        let mut values = Vec::with_capacity(plan.view.width * 4);
        let pieces = Pieces::of(known);
        for (from, to) in plan.view.pixels() {
            let Some(pieces) = pieces.as_ref().filter(|pieces| pieces.has(from, to)) else {
                values.extend([f32::NAN; 4]);
                continue;
            };
            let last = pieces.at(Nanos(to.0.saturating_sub(1)));
            let rates: Vec<f32> = (pieces.at(from).min(last)..=last).map(|at| pieces.rate(at) as f32).collect();
            let (low, high) =
                rates.iter().fold((f32::MAX, 0f32), |(low, high), rate| (low.min(*rate), high.max(*rate)));
            let ends = [rates.first(), rates.last()].map(|rate| rate.copied().unwrap_or(0.0));
            values.extend([ends[0], low, high, ends[1]]);
        }
        Window { exact: true, values, ..Window::default() }
    }

    fn at(&self, known: &Arranged<'_>, _: u32, pixel: Pixel) -> Found {
        let pieces = Pieces::of(known).filter(|pieces| pieces.has(pixel.at, pixel.at.plus(Nanos(1))));
        Found::Place(pieces.map_or(Place::Unknown(None), |pieces| {
            let at = pieces.at(pixel.at);
            let (start, end, count) = pieces.piece(at);
            let span = Span { start, end, thread: None, state: 0, ending: Ending::Next, open_start: false };
            let title = format!("{} samples per second", pieces.rate(at));
            let fields = vec![("Samples", Value::Count(count))];
            Place::Span(SpanInfo::of(span, State { name: "rate", role: "band-rest" }, title, fields))
        }))
    }
}
