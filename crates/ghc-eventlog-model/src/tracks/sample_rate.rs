//! How many samples the time profile has per second, of all capabilities and threads together: few where the runtime's ticks stopped.

use super::{
    Note, Shape, Track, TrackId,
    groups::{self, Heading},
    kind::{Kind, Tracks},
    span::{Ending, Span},
};
use crate::{
    asking::{
        lookup::{Found, Pixel, Place, SpanInfo},
        window::{Plan, Window},
    },
    facts::value::{Unit, Value},
    reading::session::Session,
};
use alloc::{format, string::ToString, vec, vec::Vec};
use ghc_eventlog::Nanos;

/// The track of the rate.
pub(crate) struct SampleRate;

/// Most pieces of time that a log is counted in.
const MOST_PIECES: u64 = 2000;

/// A piece of time has at least so many ticks: of one tick there would be one sample or none.
const TICKS: u64 = 10;

impl Kind for SampleRate {
    type Machine = ();
    type Tracks = Self;
    const TRACKS: Self = Self;
}

/// How many samples there were in each of many pieces of time.
struct Pieces {
    from: Nanos,
    to: Nanos,
    /// How long each is.
    lasts: u64,
    counts: Vec<u64>,
}

impl Pieces {
    fn of(session: &Session) -> Option<Self> {
        let time = &session.profiles.time;
        let (from, last) = time.times?;
        let tick = time.tick().unwrap_or(Nanos(1)).0.max(1);
        let to = last.plus(Nanos(tick));
        let all = to.since(from).0.max(1);
        let count = (all / tick.saturating_mul(TICKS)).clamp(1, MOST_PIECES);
        let lasts = all.div_ceil(count);
        let mut counts = vec![0; count as usize];
        for row in time.rows.kept() {
            if let Some(count) = counts.get_mut((row.time.since(from).0 / lasts) as usize) {
                *count += time.rows.stride();
            }
        }
        Some(Self { from, to, lasts, counts })
    }

    /// From when to when a piece goes: the last one to the end.
    fn times(&self, at: usize) -> (Nanos, Nanos) {
        let begin = |at: usize| self.from.plus(Nanos(self.lasts.saturating_mul(at as u64))).min(self.to);
        (begin(at), begin(at + 1))
    }

    fn rate(&self, at: usize) -> u64 {
        let (from, to) = self.times(at);
        let count = self.counts.get(at).copied().unwrap_or(0);
        (count as f64 * 1e9 / to.since(from).0.max(1) as f64) as u64
    }

    fn rates(&self) -> impl Iterator<Item = u64> {
        (0..self.counts.len()).map(|at| self.rate(at))
    }

    /// The first piece that is not over at a time.
    fn at(&self, time: Nanos) -> usize {
        (time.since(self.from).0 / self.lasts) as usize
    }
}

impl Tracks for SampleRate {
    fn heading(&self) -> &'static Heading {
        &groups::TIME_PROFILE
    }

    fn count(&self, session: &Session) -> usize {
        usize::from(session.profiles.time.samples > 0)
    }

    fn nth(&self, session: &Session, place: usize) -> Option<u32> {
        (place < self.count(session)).then_some(0)
    }

    fn place(&self, session: &Session, of: u32) -> Option<usize> {
        (of == 0 && self.count(session) > 0).then_some(0)
    }

    fn describe(&self, session: &Session, of: u32) -> Track {
        let pieces = Pieces::of(session);
        let most = pieces.as_ref().and_then(|pieces| pieces.rates().max()).unwrap_or(0);
        Track {
            id: TrackId::of::<Self>(of),
            name: "Samples per second".to_string(),
            group: groups::TIME_PROFILE.name(),
            shape: Shape::Line { unit: Unit::PerSecond, most, role: "band-rest" },
            states: &[],
            lacks: Vec::new(),
            note: Note::Most(most, Unit::PerSecond),
            known: pieces.map(|pieces| (pieces.from, pieces.to)),
        }
    }

    fn window(&self, session: &Session, _: u32, plan: &Plan, _: bool) -> Window {
        let mut values = Vec::with_capacity(plan.view.width * 4);
        let pieces = Pieces::of(session);
        for (from, to) in plan.view.pixels() {
            let here = pieces.as_ref().filter(|pieces| pieces.from < to && from < pieces.to);
            let Some(pieces) = here else {
                values.extend([f32::NAN; 4]);
                continue;
            };
            let last = pieces.at(Nanos(to.0.saturating_sub(1))).min(pieces.counts.len() - 1);
            let rates: Vec<f32> = (pieces.at(from).min(last)..=last).map(|at| pieces.rate(at) as f32).collect();
            let (low, high) =
                rates.iter().fold((f32::MAX, 0f32), |(low, high), rate| (low.min(*rate), high.max(*rate)));
            let ends = [rates.first(), rates.last()].map(|rate| rate.copied().unwrap_or(0.0));
            values.extend([ends[0], low, high, ends[1]]);
        }
        Window { exact: session.profiles.time.rows.stride() == 1, values, ..Window::default() }
    }

    fn at(&self, session: &Session, _: u32, pixel: Pixel) -> Found {
        let pieces = Pieces::of(session).filter(|pieces| pieces.from <= pixel.at && pixel.at < pieces.to);
        Found::Place(pieces.map_or(Place::Unknown(None), |pieces| {
            let at = pieces.at(pixel.at);
            let (start, end) = pieces.times(at);
            Place::Span(SpanInfo {
                span: Span { start, end, thread: None, state: 0, ending: Ending::Next, open_start: false },
                state: "rate",
                role: "band-rest",
                title: format!("{} samples per second", pieces.rate(at)),
                fields: vec![("Samples", Value::Count(pieces.counts.get(at).copied().unwrap_or(0)))],
            })
        }))
    }
}
