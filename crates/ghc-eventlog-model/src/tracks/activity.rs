//! Mean utilisation of all capabilities: the share of the known ones that ran, at each moment.
//!
//! ```text
//! cap 0   |rrrrrr....rrrr|         drawn   |▄▄▄▄▄▄▄▄▄▄████|
//! cap 1   |....rrrrrrrrrr|                  half    all
//! ```
//!
//! Disabled capabilities do not count.

use super::{
    capability::{self, FOUND},
    groups::{self, Heading},
    kind::{Kind, Tracks},
};
use crate::{
    keeping::sorted::Sorted,
    known::arrangement::Arranged,
    known::{Known, caps::CapEvents, preview::Glimpse},
    terms::{
        place::{Found, Pixel, Place},
        span::Span,
        track::{Shape, State, Track, TrackId},
        view::View,
        window::{Plan, WideSpans, Window, shares},
    },
};
use alloc::{vec, vec::Vec};
use ghc_eventlog::Nanos;

const RUNNING: usize = capability::RUNNING as usize;
const LOST: usize = capability::LOST as usize;

/// The states of the mean of all capabilities.
const STATES: &[State] = &[State { name: "running", role: "running" }, State { name: "not running", role: "idle" }];

/// The track of the mean.
pub(crate) struct Activity;

impl Kind for Activity {
    const NAME: &'static str = "Activity";
    const ABOUT: &'static str = "The share of capabilities that run a Haskell thread: 100 % if all of them do.";
    type Machine = ();
    type Tracks = Self;
    const TRACKS: Self = Self;
}

impl Tracks for Activity {
    fn heading(&self) -> &'static Heading {
        &groups::ACTIVITY
    }

    fn count(&self, _: &Arranged<'_>) -> usize {
        1
    }

    fn nth(&self, _: &Arranged<'_>, place: usize) -> Option<u32> {
        (place == 0).then_some(0)
    }

    fn place(&self, _: &Arranged<'_>, of: u32) -> Option<usize> {
        (of == 0).then_some(0)
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let logged = known.logged_classes();
        Track {
            id: TrackId::of::<Self>(of),
            name: "Activity".into(),
            group: groups::ACTIVITY.name(),
            shape: Shape::Level,
            states: STATES,
            lacks: vec![logged.lacks(capability::RUNNING); STATES.len()],
            note: known.share_running(known.caps.lanes().map(|(_, events)| events)),
            known: None,
        }
    }

    fn window(&self, known: &Arranged<'_>, _: u32, plan: &Plan, exact: bool) -> Window {
        let columns: Vec<f64> = known.running(plan, exact).iter().flat_map(|running| running.shared()).collect();
        let exact = exact && known.is_idle_for_good(plan.view.to);
        Window { exact, states: STATES.len(), shares: shares(&columns, plan.view.pixel()), ..Window::default() }
    }

    fn at(&self, known: &Arranged<'_>, _: u32, pixel: Pixel) -> Found {
        Found::Place(known.level_at(pixel))
    }
}

impl Known {
    /// What all lanes together did in each pixel.
    fn running(&self, plan: &Plan, exact: bool) -> Vec<Running> {
        let mut mean = vec![Running::default(); plan.view.width];
        if !self.logged_classes().threads {
            return mean;
        }
        for (cap, stream) in self.caps.lanes() {
            let Some(at) = self.caps.stream(Some(cap)) else { continue };
            let columns = self.found_columns(at, plan, exact, &mut WideSpans::none(plan.view));
            let lasts = self.lasting_columns(stream, plan.view);
            let disabled = self.disabled_columns(stream, plan.view);
            let could = lasts.into_iter().zip(disabled).map(|(lasts, disabled)| lasts - disabled);
            let lane = columns.chunks(FOUND).zip(could);
            mean.iter_mut().zip(lane).for_each(|(mean, (found, could))| mean.add(found[RUNNING], could - found[LOST]));
        }
        self.running_ahead(plan.view, &mut mean);
        mean
    }

    /// Adds what lanes did in the time that has not been read yet, as far as the preview shows it.
    fn running_ahead(&self, view: View, mean: &mut [Running]) {
        if self.preview.is_empty() {
            return;
        }
        let read = self.caps.lanes().filter_map(|(cap, stream)| {
            let (from, to) = stream.times()?;
            Some((cap, Some(Glimpse::of(cap, from, to, &stream.sums))))
        });
        let mut lanes = Sorted::<_, Option<Glimpse>>::new();
        for (cap, known) in self.preview.caps().map(|cap| (cap, None)).chain(read) {
            lanes.insert(cap, known);
        }
        let states = capability::STATES.len();
        for (cap, known) in lanes.iter() {
            let mut columns = vec![0.0; view.width * states];
            self.preview.columns_throughout(*cap, *known, view, &mut columns);
            let lane = columns.chunks(states);
            mean.iter_mut()
                .zip(lane)
                .for_each(|(mean, lane)| mean.add(lane[RUNNING], lane.iter().sum::<f64>() - lane[LOST]));
        }
    }

    /// The mean of the lanes in a pixel; exact if the window is drawn exactly.
    fn level_at(&self, pixel: Pixel) -> Place {
        let view = View { from: pixel.from, to: pixel.to, width: 1 };
        let segments = self.segments_in(view);
        let exact =
            pixel.to <= self.exact_until() && segments.iter().all(|segment| self.details.get(*segment).is_some());
        let plan = Plan::of(view, exact, segments);
        let here = self.running(&plan, exact).first().copied().unwrap_or_default();
        if here.known <= 0.0 {
            let read = self.extent().is_none_or(|(_, last)| pixel.from <= last);
            let lacks = self.logged_classes().lacks(capability::RUNNING);
            return if self.is_finished() || read { Place::Unknown(lacks) } else { Place::Unread };
        }
        let could = |stream: &CapEvents| {
            let inside = |span: Span| span.end.min(pixel.to).since(span.start.max(pixel.from));
            let disabled = self.disabled(stream).into_iter().map(inside).fold(Nanos(0), Nanos::plus);
            self.lane_lasts(stream, pixel.from, pixel.to) > disabled
        };
        let known = self.caps.lanes().filter(|(_, stream)| could(stream)).count() as u64;
        // Before any lane has been read, those of the preview count.
        let of = if known > 0 { known } else { self.caps.count() as u64 };
        Place::Level { running: here.ran / here.known * of as f64, of, what: "capabilities" }
    }
}

/// What some lanes did in a pixel, in nanoseconds.
#[derive(Debug, Clone, Copy, Default)]
struct Running {
    /// The sum of the times that they ran.
    ran: f64,
    /// The sum of the times for which they are known.
    known: f64,
    /// The time for which any of them is known.
    any: f64,
}

impl Running {
    /// Adds what is known of a lane. A bucket that lies across a pixel's edge may count more running time than known time.
    fn add(&mut self, ran: f64, known: f64) {
        let ran = ran.min(known.max(0.0));
        self.ran += ran;
        self.known += known;
        self.any = self.any.max(known);
    }

    /// The mean time that the known lanes ran, and the mean time that they did not.
    fn shared(&self) -> [f64; 2] {
        if self.known <= 0.0 {
            return [0.0; 2];
        }
        let ran = self.ran / self.known * self.any;
        [ran, (self.any - ran).max(0.0)]
    }
}
