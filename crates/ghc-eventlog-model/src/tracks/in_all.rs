//! Rates of all capabilities together.
//!
//! ```text
//! cap 0     |---30-----|-2--|
//! cap 1       |--10------|
//! together  |30|--40---|12|2|           the mean of each bucket of time: nearly simultaneous, since all
//!                                       capabilities log their totals at a collection
//! ```

use super::{
    groups::Heading,
    kind::Tracks,
    line::{Named, held},
    line_pixels::{forget, is_within},
};
use crate::{
    keeping::{
        ring::{BucketValue, Envelope},
        samples,
    },
    known::Known,
    known::arrangement::Arranged,
    terms::{
        machine::{Placed, Watched},
        place::{Direction, Found, Pixel, Place},
        track::{Note, Shape, Track, TrackId},
        value::Unit,
        window::{Plan, Window},
    },
};
use alloc::vec::Vec;
use core::marker::PhantomData;
use ghc_eventlog::Nanos;

/// The line with the sum of all lines of a kind.
pub(crate) struct InAll<K> {
    /// The number of the kind whose sum it is.
    pub(crate) number: u8,
    pub(crate) heading: &'static Heading,
    pub(crate) line: Named,
    pub(crate) unit: Unit,
    pub(crate) of: PhantomData<K>,
}

impl<K: Placed> InAll<K> {
    fn of_kind(&self, known: &Known) -> Option<samples::LinesTogether> {
        known.stores.samples.in_all(K::NUMBER)
    }

    fn most(&self, known: &Known) -> Option<u64> {
        let all = self.of_kind(known)?;
        let rates = known.stores.samples.rates(all, all.from, all.to).map(|(_, _, rate)| rate);
        Some(rates.fold(0.0, f32::max) as u64)
    }

    /// The buckets that overlap a time, taken together: from when to when they go, and the mean rate in them.
    fn mean(&self, known: &Known, from: Nanos, to: Nanos) -> Option<Place> {
        let all = self.of_kind(known)?;
        let (mut times, mut amount) = (None::<(Nanos, Nanos)>, 0.0);
        for (since, until, rate) in known.stores.samples.rates(all, from, to) {
            times = Some((times.map_or(since, |(first, _)| first), until));
            amount += f64::from(rate) * until.since(since).0 as f64;
        }
        let (since, until) = times?;
        let rate = (amount / until.since(since).0 as f64) as u64;
        Some(Place::Span(held(since, until, &self.unit.value(rate).text(Nanos(0)), &self.line)))
    }
}

impl<K: Placed + Sync> Tracks for InAll<K> {
    fn heading(&self) -> &'static Heading {
        self.heading
    }

    fn count(&self, known: &Arranged<'_>) -> usize {
        // With one capability, the sum would be the same line.
        usize::from(self.of_kind(known).is_some() && known.stores.samples.lines_of(K::NUMBER).len() > 1)
    }

    fn nth(&self, known: &Arranged<'_>, place: usize) -> Option<u32> {
        (place < self.count(known)).then_some(0)
    }

    fn place(&self, known: &Arranged<'_>, of: u32) -> Option<usize> {
        (of == 0 && self.count(known) > 0).then_some(0)
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let times = self.of_kind(known).map(|all| (all.from, all.to));
        let most = self.most(known).unwrap_or(0);
        Track {
            id: TrackId { kind: self.number, of },
            name: self.line.name.into(),
            group: self.heading.name(),
            shape: Shape::Line { unit: self.unit, most, below: 0, role: self.line.role },
            states: &[],
            lacks: Vec::new(),
            note: Note::Most(most, self.unit),
            known: Some(times.unwrap_or_default()),
        }
    }

    fn window(&self, known: &Arranged<'_>, _: u32, plan: &Plan, _: bool) -> Window {
        let Some(all) = self.of_kind(known) else { return Window::default() };
        let mut values = Vec::with_capacity(plan.view.width * 4);
        for (from, to) in plan.view.pixels() {
            let rates = known.stores.samples.rates(all, from, to.max(from.plus(Nanos(1))));
            let of = |rate| Envelope { first: rate, low: rate, high: rate, last: rate };
            let here = rates.map(|(_, _, rate)| of(rate)).fold(Envelope::default(), BucketValue::merged);
            let Envelope { first, low, high, last } = here;
            values.extend([first, low, high, last].map(|rate| if here.is_empty() { f32::NAN } else { rate }));
        }
        forget(&mut values, plan.view, &known.stores.pauses.of_class(Watched::Collections).collect::<Vec<_>>());
        // Reading the log again would not add anything.
        Window { exact: true, values, ..Window::default() }
    }

    fn at(&self, known: &Arranged<'_>, _: u32, pixel: Pixel) -> Found {
        let pauses: Vec<_> = known.stores.pauses.of_class(Watched::Collections).collect();
        let mean = || self.mean(known, pixel.from, pixel.to).filter(|_| !is_within(&pauses, pixel.from, pixel.to));
        Found::Place(mean().unwrap_or(Place::Unknown(None)))
    }

    /// Moves from one bucket to the next.
    fn beside(&self, known: &Arranged<'_>, _: u32, time: Nanos, direction: Direction) -> Found {
        let all = self.of_kind(known);
        let next = all.and_then(|all| {
            let mut rates = known.stores.samples.rates(all, all.from, all.to);
            match direction {
                Direction::Next => rates.find(|(since, ..)| *since > time),
                Direction::Previous => rates.take_while(|(since, ..)| *since < time).last(),
            }
        });
        let place = next.and_then(|(since, until, _)| self.mean(known, since, until));
        Found::Place(place.unwrap_or(Place::Empty))
    }
}
