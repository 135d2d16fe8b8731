//! What comes before a collection: from its request until the collecting capability has stopped all others and begins.
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
    known::arrangement::Arranged,
    known::{Known, summed::SummedRange},
    terms::{
        place::{Direction, Found, Pixel, SpanInfo},
        range::RangeTotals,
        span::{Collection, Ending, Span},
        track::{Note, Shape, State, Track, TrackId},
        value::Value,
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

/// The track of these times.
pub(crate) struct GcSync;

impl Kind for GcSync {
    const NAME: &'static str = "GC sync";
    const ABOUT: &'static str = "From the request for a collection until all capabilities have stopped. It is long if one of them takes \
        long to stop. Each time has the capability that stopped last, and the thread that ran there: all others waited for \
        it.";
    /// The collector's machine finds them.
    type Machine = ();
    type Tracks = Self;
    const TRACKS: Self = Self;
}

const STATES: &[State] = &[State { name: "GC sync", role: "gc-sync" }];

fn span(gc: &Collection) -> Option<Span> {
    let start = gc.requested?.time();
    Some(Span { start, end: gc.start, thread: None, state: 0, ending: Ending::Next, open_start: false })
}

fn spans(known: &Known) -> impl Iterator<Item = Span> {
    known.stores.collections.rows().iter().filter_map(span)
}

/// The collection that a span comes before.
fn collection<'k>(known: &'k Known, span: &Span) -> Option<&'k Collection> {
    let rows = known.stores.collections.rows();
    let from = rows.partition_point(|gc| gc.start < span.end);
    let mut same = rows.get(from..)?.iter().take_while(|gc| gc.start == span.end);
    same.find(|gc| gc.requested.is_some_and(|requested| requested.time() == span.start))
}

/// Who was waited for, as far as that is known.
fn text(known: &Known, span: &Span) -> String {
    let stop = collection(known, span).and_then(|gc| known.last_to_stop(gc));
    stop.map_or(few::state_of(STATES, span).name.to_string(), |stop| format!("waited for {}", known.stop_text(stop)))
}

fn info(known: &Known, span: Span) -> SpanInfo {
    let State { name, role } = few::state_of(STATES, &span);
    let waited = span.end.since(span.start);
    let mut fields = vec![("Start", Value::Time(span.start)), ("Waited for the others", Value::Duration(waited))];
    fields.extend(collection(known, &span).map_or(Vec::new(), |gc| known.last_to_stop_fields(gc)));
    SpanInfo::of(span, State { name, role }, name, fields)
}

impl Tracks for GcSync {
    fn heading(&self) -> &'static Heading {
        &groups::COLLECTIONS
    }

    fn count(&self, known: &Arranged<'_>) -> usize {
        usize::from(known.stores.collections.waits.is_some())
    }

    fn nth(&self, known: &Arranged<'_>, place: usize) -> Option<u32> {
        (place < self.count(known)).then_some(0)
    }

    fn place(&self, known: &Arranged<'_>, of: u32) -> Option<usize> {
        (of == 0 && self.count(known) > 0).then_some(0)
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let waited = self.totals(known, of).first().copied().unwrap_or_default();
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

    fn window(&self, known: &Arranged<'_>, _: u32, plan: &Plan, exact: bool) -> Window {
        let collections = &known.stores.collections;
        let coarse = collections.waits.filter(|_| collections.is_capped());
        let coarse = coarse.map(|series| (&known.stores.overview, series));
        few::window(plan, exact, STATES, spans(known), coarse, |span| text(known, span))
    }

    fn totals(&self, known: &Arranged<'_>, _: u32) -> Vec<Nanos> {
        vec![Nanos(known.caps.streams.iter().map(|stream| stream.sums.get(WAITED)).sum())]
    }

    fn in_range(&self, _: &Arranged<'_>, _: u32, range: &SummedRange) -> RangeTotals {
        RangeTotals { states: vec![Nanos(range.of_all().get(WAITED))], count: None }
    }

    fn at(&self, known: &Arranged<'_>, _: u32, pixel: Pixel) -> Found {
        few::at(spans(known), pixel, known.stores.collections.is_capped(), "waits", |span| info(known, span))
    }

    fn beside(&self, known: &Arranged<'_>, _: u32, time: Nanos, direction: Direction) -> Found {
        few::beside(spans(known), time, direction, |span| info(known, span))
    }
}
