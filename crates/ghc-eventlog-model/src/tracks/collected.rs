//! Garbage collections: the track of all of them, and what is added up of them (STATISTICS, "The rule that makes them right").
//! `collector.rs` finds them.

use super::{
    capability::{GC_WORKING, RUNNING},
    collector::Collector,
    groups::{self, Heading},
    kind::{Kind, Tracks},
};
use crate::{
    keeping::{
        bins::Bins,
        collections::AGES,
        crossing::stops::{LastStop, LateFor},
    },
    known::arrangement::Arranged,
    known::{Known, summed::SummedRange, sums::Sums},
    terms::{
        machine::{KeptRow, Placed},
        place::{Direction, Found, Item, Pixel, Place, Source, SpanInfo},
        range::RangeTotals,
        span::{Collection, Ending, Span},
        track::{Note, Shape, State, Track, TrackId},
        value::Value,
        window::{Plan, WideSpans, Window, add},
    },
};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use ghc_eventlog::{Nanos, RequestParGc, RequestSeqGc};

/// The track's states, by number: see [`state`].
const STATES: &[State] =
    &[State { name: "minor GC", role: "gc-working" }, State { name: "major GC", role: "gc-major" }];

/// The number of the state of a major collection, or of a minor one.
fn state(is_major: bool) -> u8 {
    u8::from(is_major)
}

/// Turns sums by age into sums by state; `majors` is the first major age.
fn by_state<T: Copy + core::iter::Sum<T>>(by_age: &[T], majors: usize) -> [T; STATES.len()] {
    let (minor, major) = by_age.split_at(majors.min(by_age.len()));
    [minor.iter().copied().sum(), major.iter().copied().sum()]
}

/// Turns histograms by age into histograms by state: see [`by_state`].
pub(crate) fn bins(by_age: &[Bins; AGES], majors: usize) -> Vec<(State, Bins)> {
    let (minor, major) = by_age.split_at(majors.min(AGES));
    let all = |bins: &[Bins]| bins.iter().fold(Bins::default(), |all, bins| all.with(bins));
    STATES.iter().copied().zip([all(minor), all(major)]).collect()
}

/// The track of all collections.
pub(crate) struct CollectionsTrack;

impl Kind for CollectionsTrack {
    const NAME: &'static str = "Collections";
    const ABOUT: &'static str = "Each collection, minor or major. The program stands still meanwhile.";
    type Machine = Collector;
    type Tracks = Self;
    const TRACKS: Self = Self;
}

/// Its sums: the number of collections, and then the pauses by age.
pub(super) const COUNT: usize = CollectionsTrack::SUMS_FROM;
pub(crate) const PAUSES: usize = COUNT + 1;
/// The bytes that they copied, and their slop.
pub(crate) const COPIED: usize = PAUSES + AGES;
pub(crate) const SLOP: usize = COPIED + 1;
/// The time from their requests to their begins, and to GC_GLOBAL_SYNC; and the number of collections for which each is
/// known.
pub(crate) const WAITED: usize = SLOP + 1;
pub(crate) const SYNC: usize = WAITED + 1;
pub(crate) const SYNCED: usize = SYNC + 1;
/// For collections with more than one thread: how many have GC_STATS, the bytes that all threads copied, the sum of what the
/// busiest threads copied, and what was shared evenly; and how many have GC_STATS with that number.
pub(crate) const PARALLEL: usize = SYNCED + 1;
pub(crate) const PAR_COPIED: usize = PARALLEL + 1;
pub(crate) const PAR_MAX_COPIED: usize = PAR_COPIED + 1;
pub(crate) const PAR_BALANCED: usize = PAR_MAX_COPIED + 1;
pub(crate) const PAR_BALANCES: usize = PAR_BALANCED + 1;
pub(super) const SUMS: usize = 1 + AGES + 10;
const _: () = assert!(PAR_BALANCES + 1 - COUNT == SUMS);

/// Whether some slop is a number below zero, which some runtimes write for the non-moving collector; a sum with one is so, too.
pub(crate) const fn is_below_zero(slop: u64) -> bool {
    slop > i64::MAX as u64
}

/// Adds a collection of some age to a stream's sums. With a range, it counts as far as it is in it: its pause with the part
/// inside, and the rest if it begins there.
pub(crate) fn count(sums: &mut Sums, age: usize, gc: &Collection, range: Option<(Nanos, Nanos)>) {
    let inside = |start: Nanos, end: Nanos| match range {
        Some((from, to)) => end.min(to).since(start.max(from)).0,
        None => end.since(start).0,
    };
    sums.add(PAUSES + age, inside(gc.start, gc.end));
    sums.add(WAITED, gc.requested.map_or(0, |requested| inside(requested.time(), gc.start)));
    if range.is_none_or(|(from, to)| from <= gc.start && gc.start < to) {
        sums.add(COUNT, 1);
        sums.add(COPIED, gc.copied_bytes);
        sums.add(SLOP, gc.slop_bytes);
        sums.add(SYNC, gc.sync().map_or(0, |sync| sync.0));
        sums.add(SYNCED, gc.sync().map_or(0, |_| 1));
    }
}

/// How many collections there are, according to some sums.
pub(crate) fn counted(sums: &Sums) -> u64 {
    sums.get(COUNT)
}

impl Tracks for CollectionsTrack {
    fn heading(&self) -> &'static Heading {
        &groups::COLLECTIONS
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

    fn figure(&self, known: &Arranged<'_>) -> Option<Note> {
        let total = known.stores.collections.total();
        Some(known.logged_classes().lacks(GC_WORKING).map_or(Note::Count(total.count, total.longest), Note::Lacks))
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let lacks = known.logged_classes().lacks(GC_WORKING);
        Track {
            id: TrackId::of::<Self>(of),
            name: "Collections".into(),
            group: groups::COLLECTIONS.name(),
            shape: Shape::States,
            states: STATES,
            lacks: vec![lacks; STATES.len()],
            note: self.figure(known).unwrap_or(Note::Number(0)),
            known: None,
        }
    }

    fn window(&self, known: &Arranged<'_>, _: u32, plan: &Plan, exact: bool) -> Window {
        let view = plan.view;
        let collections = &known.stores.collections;
        if !exact {
            let mut ages = vec![0.0; view.width * AGES];
            if let Some(series) = collections.series {
                known.stores.overview.columns(series, view, &mut ages);
            }
            let majors = collections.majors();
            let columns: Vec<f64> = ages.chunks(AGES).flat_map(|ages| by_state(ages, majors)).collect();
            return WideSpans::none(view).into_window(false, &columns, STATES.len(), |_| String::new());
        }
        let mut columns = vec![0.0; view.width * STATES.len()];
        let mut spans = WideSpans::new(view);
        let details = plan.segments.iter().filter_map(|segment| known.details.get(*segment));
        for (_, row) in details.flat_map(|detail| &detail.rows) {
            let KeptRow::Collection(collection) = row else { continue };
            let span = span(known, collection);
            add(view, span.start, span.end, usize::from(span.state), STATES.len(), &mut columns);
            spans.offer(span);
        }
        spans.sort();
        spans.into_window(true, &columns, STATES.len(), |span| name(span).to_string())
    }

    fn totals(&self, known: &Arranged<'_>, _: u32) -> Vec<Nanos> {
        let elapsed = known.stores.collections.by_age().map(|totals| totals.elapsed.0);
        by_state(&elapsed, known.stores.collections.majors()).map(Nanos).to_vec()
    }

    fn in_range(&self, known: &Arranged<'_>, _: u32, range: &SummedRange) -> RangeTotals {
        let all = range.of_all();
        let states = by_state(all.of(PAUSES, AGES), known.stores.collections.majors()).map(Nanos).to_vec();
        RangeTotals { states, count: Some(counted(&all)) }
    }

    fn at(&self, known: &Arranged<'_>, _: u32, _: Pixel) -> Found {
        match known.logged_classes().lacks(GC_WORKING) {
            Some(flag) => Found::Place(Place::Unknown(Some(flag))),
            None => Found::In(Source::Rows),
        }
    }

    fn beside(&self, _: &Arranged<'_>, _: u32, _: Nanos, _: Direction) -> Found {
        Found::In(Source::Rows)
    }

    fn info(&self, known: &Arranged<'_>, item: &Item) -> SpanInfo {
        let name = name(&item.span);
        let role = STATES.get(usize::from(item.span.state)).map_or(State::UNKNOWN.role, |state| state.role);
        let mut fields = vec![("Start", Value::Time(item.span.start))];
        if let Some(KeptRow::Collection(gc)) = item.row {
            fields.push(("Pause", Value::Duration(gc.elapsed())));
            fields.extend(gc.waited().map(|waited| ("Waited for the others", Value::Duration(waited))));
            fields.extend(known.last_to_stop_fields(&gc));
            if let Some(generation) = gc.generation {
                fields.push(("Generation", Value::words(generation.to_string())));
                fields.push(("Copied", Value::Bytes(gc.copied_bytes)));
                if !is_below_zero(gc.slop_bytes) {
                    fields.push(("Slop", Value::Bytes(gc.slop_bytes)));
                }
                fields.push(("Fragmentation", Value::Bytes(gc.fragmentation_bytes)));
                fields.push(("Threads", Value::words(gc.par_threads.to_string())));
                fields.extend(gc.balance().map(|balance| ("Balance", Value::Share(balance))));
            }
            fields.extend(gc.cap.map(|cap| ("Collected by", Value::Capability(cap))));
        }
        SpanInfo::of(item.span, State { name, role }, name, fields)
    }

    fn what(&self) -> &'static str {
        "collections"
    }
}

impl Known {
    /// Whether the log may say who stopped last before collections: it has requests and runs.
    pub(crate) fn tells_last_to_stop(&self) -> bool {
        let logged = self.logged_classes();
        self.counts.has_any(&[RequestSeqGc::TAG, RequestParGc::TAG])
            && logged.lacks(RUNNING).or(logged.lacks(GC_WORKING)).is_none()
    }

    /// Who stopped last before a collection; `None` if that is not known, or not yet.
    pub(crate) fn last_to_stop(&self, gc: &Collection) -> Option<LastStop> {
        self.replayed.as_ref()?.stops.before(&self.stores.collections, gc)
    }

    /// The same for tooltips.
    pub(super) fn last_to_stop_fields(&self, gc: &Collection) -> Vec<(&'static str, Value)> {
        let Some(stop) = self.last_to_stop(gc) else { return Vec::new() };
        let mut fields = vec![
            ("Last to stop", Value::words(self.stop_text(stop))),
            ("It stopped after", Value::Duration(stop.after())),
        ];
        match stop.why {
            LateFor::RanOn => {}
            LateFor::BeganLater => fields.push(("It began to run", Value::words("after the request"))),
            LateFor::NotBack | LateFor::NotRun => fields.push(("Why", Value::words(stop.why.words()))),
        }
        fields
    }

    /// The capability and the thread that stopped, if it was for a thread.
    pub(super) fn stop_text(&self, stop: LastStop) -> String {
        if stop.why.is_thread() {
            return format!("cap {}, {}", stop.cap, self.thread_text(stop.thread));
        }
        format!("cap {}", stop.cap)
    }
}

/// The name of a collection.
pub(crate) fn name(span: &Span) -> &'static str {
    STATES.get(usize::from(span.state)).map_or(State::UNKNOWN.name, |state| state.name)
}

/// A collection, as a span of its track.
pub(crate) fn span(known: &Known, collection: &Collection) -> Span {
    Span {
        start: collection.start,
        end: collection.end,
        thread: None,
        state: state(known.stores.collections.is_major(collection)),
        ending: Ending::Next,
        open_start: false,
    }
}
