//! Lines of values in the program's messages: of each instrument of opentelemetry-haskell, and of each word that comes before
//! numbers.
//!
//! ```text
//! queue 3          queue 7    queue 1                           drawn as other lines are: see `line_pixels.rs`
//!   |----------------|----------|-----------
//! ```
//!
//! Known as far as the log has been replayed in order of time, since some instruments log differences, on any capability.

use super::{
    groups::{self, Heading},
    kind::{Kind, Tracks},
    line::{Named, held},
    line_pixels::{Heights, bucket_values, values},
};
use crate::{
    keeping::{
        crossing::{
            Replayed,
            counters::{CounterValues, Measured},
            marks::CounterId,
        },
        ring::RingId,
    },
    known::{Known, arrangement::Arranged},
    limits,
    terms::{
        messages::instrument_kind,
        place::{Direction, Found, Pixel, Place, SpanInfo},
        track::{Needs, Note, Shape, Track, TrackId},
        value::{Unit, Value},
        view::View,
        window::{Plan, Window},
    },
};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use ghc_eventlog::Nanos;
use ghc_eventlog_text::LogText;

/// The lines, identified by the numbers of what their values are of.
pub(crate) struct CounterTracks;

impl Kind for CounterTracks {
    const NAME: &'static str = "Counters";
    const ABOUT: &'static str = "Values that the program logs: of opentelemetry's instruments, and numbers after the same word in at least three of its messages. The tab Messages has them in tables, where each line can be hidden.";
    /// They are followed in order of time, over all streams.
    type Machine = ();
    type Tracks = Self;
    const TRACKS: Self = Self;
}

const NAMED: Named = Named { name: CounterTracks::NAME, what: "", role: "accent" };

impl Heights for Measured {
    fn at(&self) -> (Nanos, f32) {
        (self.time, self.value as f32)
    }
}

impl Known {
    /// What has a line, or will have one once all values are known.
    pub(crate) fn counters(&self) -> Vec<CounterId> {
        match self.replayed.as_ref().filter(|replayed| replayed.is_done) {
            Some(replayed) => replayed.counters.lines().map(|(id, _)| id).collect(),
            None => {
                let messages = &self.stores.messages;
                let instruments = messages.instruments.len().min(limits::MAX_INSTRUMENTS) as u16;
                let numbers = messages.numbers.len().min(limits::MAX_NUMBER_LINES) as u16;
                (0..instruments).map(CounterId::Instrument).chain((0..numbers).map(CounterId::Number)).collect()
            }
        }
    }

    /// The name of an instrument, or the word.
    pub(crate) fn counter_name(&self, id: CounterId) -> &str {
        let messages = &self.stores.messages;
        match id {
            CounterId::Instrument(at) => messages.instruments.name(at),
            CounterId::Number(at) => messages.numbers.word(at),
        }
    }

    /// The kind of an instrument in words.
    pub(crate) fn counter_kind(&self, id: CounterId) -> Option<&'static str> {
        let CounterId::Instrument(at) = id else { return None };
        Some(instrument_kind(self.stores.messages.instruments.get(at)?.kind).0)
    }

    fn counter(&self, of: u32) -> Option<(&Replayed, &CounterValues)> {
        let replayed = self.replayed.as_ref()?;
        Some((replayed, replayed.counters.get(CounterId::numbered(of))?))
    }
}

impl Arranged<'_> {
    /// Whether the reader has chosen not to see the line of something.
    fn hides(&self, id: CounterId) -> bool {
        is_hidden(self.counter_name(id), &self.by.wishes().hidden_counters)
    }

    fn shown_counters(&self) -> impl Iterator<Item = CounterId> {
        self.counters().into_iter().filter(|id| !self.hides(*id))
    }
}

/// Whether a name is among those that the page has: from the door for it.
pub(crate) fn is_hidden(name: &str, hidden: &[String]) -> bool {
    !hidden.is_empty() && hidden.contains(&LogText::from(name).for_page())
}

impl Tracks for CounterTracks {
    fn needs(&self) -> Needs {
        Needs { replay: true, ..Needs::default() }
    }

    fn heading(&self) -> &'static Heading {
        &groups::COUNTERS
    }

    fn count(&self, known: &Arranged<'_>) -> usize {
        known.shown_counters().count()
    }

    fn nth(&self, known: &Arranged<'_>, place: usize) -> Option<u32> {
        known.shown_counters().nth(place).map(CounterId::number)
    }

    fn place(&self, known: &Arranged<'_>, of: u32) -> Option<usize> {
        known.shown_counters().position(|id| id.number() == of)
    }

    fn exists(&self, known: &Arranged<'_>, of: u32) -> bool {
        known.counters().iter().any(|id| id.number() == of)
    }

    fn figure(&self, known: &Arranged<'_>) -> Option<Note> {
        Some(Note::Number(self.count(known) as u64))
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let found = known.counter(of);
        let (least, most) = found.map_or((0, 0), |(_, values)| (values.least, values.most));
        let most = u64::try_from(most).unwrap_or(0);
        let below = least.min(0).unsigned_abs();
        Track {
            id: TrackId::of::<Self>(of),
            name: known.counter_name(CounterId::numbered(of)).to_string().into(),
            group: groups::COUNTERS.name(),
            shape: Shape::Line { unit: Unit::Count, most, below, role: NAMED.role },
            states: &[],
            lacks: Vec::new(),
            note: Note::Most(most, Unit::Count),
            known: Some(found.map_or((Nanos(0), Nanos(0)), |(replayed, values)| (values.first, end(replayed)))),
        }
    }

    fn window(&self, known: &Arranged<'_>, of: u32, plan: &Plan, _: bool) -> Window {
        let Some((replayed, of)) = known.counter(of) else { return Window::default() };
        let values = match drawn_from(of, replayed, plan.view.pixel()) {
            Some(ring) => bucket_values(&replayed.counters.rings, ring, end(replayed), plan.view),
            None => values(of.rows.kept(), end(replayed), plan.view),
        };
        Window { exact: of.rows.stride() == 1 && replayed.is_done, values, ..Window::default() }
    }

    fn at(&self, known: &Arranged<'_>, of: u32, pixel: Pixel) -> Found {
        let shown = known.counter(of).filter(|(replayed, _)| pixel.from <= end(replayed));
        let place = shown.and_then(|(replayed, values)| {
            match drawn_from(values, replayed, pixel.to.since(pixel.from).0 as f64) {
                Some(ring) => values_in(replayed, values, ring, pixel),
                // The last value that the pixel shows.
                None => value_at(replayed, values, values.rows.beside(pixel.to, Direction::Previous)?),
            }
        });
        Found::Place(place.unwrap_or(Place::Unknown(None)))
    }

    fn beside(&self, known: &Arranged<'_>, of: u32, time: Nanos, direction: Direction) -> Found {
        let place = known
            .counter(of)
            .and_then(|(replayed, values)| value_at(replayed, values, values.rows.beside(time, direction)?));
        Found::Place(place.unwrap_or(Place::Empty))
    }
}

/// Until when values are known.
fn end(replayed: &Replayed) -> Nanos {
    if replayed.is_done { replayed.end } else { replayed.until }
}

/// The ring from which pixels of this width are drawn, if not from the rows.
fn drawn_from(of: &CounterValues, replayed: &Replayed, pixel: f64) -> Option<RingId> {
    of.ring.filter(|_| replayed.counters.rings.bucket().0 as f64 <= pixel)
}

/// The value of a row, which holds until the next row. If rows are missing, it is only known at its own time.
fn value_at(replayed: &Replayed, of: &CounterValues, at: usize) -> Option<Place> {
    let Measured { time: start, value } = *of.rows.kept().get(at)?;
    let next = of.rows.kept().get(at + 1).map(|next| next.time);
    let held = held(start, next.unwrap_or(end(replayed).max(start)), &text(value), &NAMED);
    let fields = match of.rows.stride() {
        1 if next.is_some() => held.fields,
        1 => vec![("Since", Value::Time(start))],
        _ => vec![("Time", Value::Time(start))],
    };
    Some(Place::Span(SpanInfo { fields, ..held }))
}

/// What a pixel shows that is drawn from buckets.
fn values_in(replayed: &Replayed, of: &CounterValues, ring: RingId, pixel: Pixel) -> Option<Place> {
    let view = View { from: pixel.from, to: pixel.to, width: 1 };
    let found = bucket_values(&replayed.counters.rings, ring, end(replayed), view);
    let [_, low, high, _] = found[..] else { return None };
    if low.is_nan() {
        return None;
    }
    // Buckets have about 7 digits of a value.
    let [low, high] = [low, high].map(|value| text((value as i64).clamp(of.least, of.most)));
    let text = if low == high { low } else { format!("{low} to {high}") };
    Some(Place::Span(held(pixel.from, pixel.to.min(end(replayed)), &text, &NAMED)))
}

fn text(value: i64) -> String {
    Value::Integer(value).text(Nanos(0))
}
