//! What comes before a collection: from its request until the collecting capability has all others, and begins.
//!
//! ```text
//! REQUEST        GC_START          GC_END
//!    |==============|-----------------|
//!      drawn here      the collection
//! ```

use super::{
    collected::WAITED,
    few,
    groups::{self, Heading},
    kind::{Kind, Tracks},
};
use crate::{
    asking::range::{Range, RangeTotals},
    reading::session::Session,
    terms::{
        place::{Direction, Found, Pixel, SpanInfo},
        span::{Collection, Ending, Span},
        track::{Note, Shape, State, Track, TrackId},
        value::Value,
        window::{Plan, Window},
    },
};
use alloc::{string::ToString, vec, vec::Vec};
use ghc_eventlog::Nanos;

/// The track of all of them.
pub(crate) struct GcSync;

impl Kind for GcSync {
    /// It is the collector that finds them.
    type Machine = ();
    type Tracks = Self;
    const TRACKS: Self = Self;
}

const STATES: &[State] = &[State { name: "GC sync", role: "gc-sync" }];

fn span(gc: &Collection) -> Option<Span> {
    let start = gc.requested?.time();
    Some(Span { start, end: gc.start, thread: None, state: 0, ending: Ending::Next, open_start: false })
}

fn spans(session: &Session) -> impl Iterator<Item = Span> {
    session.keeping.collections.rows().iter().filter_map(span)
}

fn info(span: Span) -> SpanInfo {
    let State { name, role } = few::state_of(STATES, &span);
    let waited = span.end.since(span.start);
    let fields = vec![("Start", Value::Time(span.start)), ("Waited for the others", Value::Duration(waited))];
    SpanInfo { span, state: name, role, title: name.into(), fields }
}

impl Tracks for GcSync {
    fn heading(&self) -> &'static Heading {
        &groups::COLLECTIONS
    }

    fn count(&self, session: &Session) -> usize {
        usize::from(session.keeping.collections.waits.is_some())
    }

    fn nth(&self, session: &Session, place: usize) -> Option<u32> {
        (place < self.count(session)).then_some(0)
    }

    fn place(&self, session: &Session, of: u32) -> Option<usize> {
        (of == 0 && self.count(session) > 0).then_some(0)
    }

    fn describe(&self, session: &Session, of: u32) -> Track {
        let waited = self.totals(session, of).first().copied().unwrap_or_default();
        Track {
            id: TrackId::of::<Self>(of),
            name: "GC sync".into(),
            group: groups::COLLECTIONS.name(),
            shape: Shape::States,
            states: STATES,
            lacks: vec![None; STATES.len()],
            note: Note::Time(waited),
            known: None,
        }
    }

    fn window(&self, session: &Session, _: u32, plan: &Plan, exact: bool) -> Window {
        let collections = &session.keeping.collections;
        let coarse = collections.waits.filter(|_| collections.is_capped());
        let coarse = coarse.map(|series| (&session.keeping.overview, series));
        few::window(plan, exact, STATES, spans(session), coarse, |span| few::state_of(STATES, span).name.to_string())
    }

    fn totals(&self, session: &Session, _: u32) -> Vec<Nanos> {
        vec![Nanos(session.caps.streams.iter().map(|stream| stream.sums.get(WAITED)).sum())]
    }

    fn in_range(&self, _: &Session, _: u32, range: &Range) -> RangeTotals {
        RangeTotals { states: vec![Nanos(range.of_all().get(WAITED))], count: None }
    }

    fn at(&self, session: &Session, _: u32, pixel: Pixel) -> Found {
        few::at(spans(session), pixel, session.keeping.collections.is_capped(), "waits", info)
    }

    fn beside(&self, session: &Session, _: u32, time: Nanos, direction: Direction) -> Found {
        few::beside(spans(session), time, direction, info)
    }
}
