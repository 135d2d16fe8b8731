//! Garbage collections (STATISTICS, "The rule that makes them right"; FORMAT 4.2).
//!
//! ```text
//! REQUEST   GC_START          GC_GLOBAL_SYNC  GC_STATS  GC_END
//!    |          |====================|==========|=========|      the collecting capability
//!    |      GC_START                                    GC_END
//!    |          |-----------------------------------------|      a helping one: no collection of its own
//! ```
//!
//! On the collecting capability, GC_END follows GC_STATS in the file although its time is earlier: the order in the file is
//! the one that counts.

use super::{
    capability::{GC_WORKING, RUNNING},
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
        machine::{Dialect, KeptRow, Machine, Placed, Sink},
        place::{Direction, Found, Item, Pixel, Place, Source, SpanInfo},
        range::RangeTotals,
        span::{Collection, Ending, Moment, Span},
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
use ghc_eventlog::{GcEnd, GcGlobalSync, GcStart, GcStats, Nanos, Record, RequestParGc, RequestSeqGc};

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
const COUNT: usize = CollectionsTrack::SUMS_FROM;
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
const SUMS: usize = 1 + AGES + 10;
const _: () = assert!(PAR_BALANCES + 1 - COUNT == SUMS);

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
        Some(known.told().lacks(GC_WORKING).map_or(Note::Count(total.count, total.longest), Note::Lacks))
    }

    fn describe(&self, known: &Arranged<'_>, of: u32) -> Track {
        let lacks = known.told().lacks(GC_WORKING);
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
        match known.told().lacks(GC_WORKING) {
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
                fields.push(("Slop", Value::Bytes(gc.slop_bytes)));
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
        let told = self.told();
        self.counts.has_any(&[RequestSeqGc::TAG, RequestParGc::TAG])
            && told.lacks(RUNNING).or(told.lacks(GC_WORKING)).is_none()
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

/// Follows the collections that a capability does or helps with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Collector {
    requested: Option<Moment>,
    start: Option<Moment>,
    synced: Option<Moment>,
    /// Whether this capability is the collecting one.
    collecting: bool,
    generation: Option<u16>,
    balance: Option<u16>,
    par_threads: u32,
    copied_bytes: u64,
    slop_bytes: u64,
    fragmentation_bytes: u64,
    /// Whether this capability has ever requested a collection: the non-threaded runtime never logs a request.
    requests: bool,
    /// When the last collection ended, or this capability's known time began: none begins before that.
    idle_since: Nanos,
}

impl Machine for Collector {
    const TAGS: &'static [u16] =
        &[RequestSeqGc::TAG, RequestParGc::TAG, GcStart::TAG, GcGlobalSync::TAG, GcStats::TAG, GcEnd::TAG];
    const SUMS: usize = SUMS;

    /// For a capability whose first event has this time.
    fn starting(at: Nanos) -> Self {
        Self { idle_since: at, ..Self::default() }
    }

    #[inline(always)]
    fn step(&mut self, record: Record<'_>, dialect: Dialect, sink: &mut impl Sink) {
        if record.tag == GcStats::TAG
            && let Some(start) = self.start
        {
            add_parallel(&GcStats::read(record.payload), start.time(), sink);
        }
        if let Some(collection) = self.follow(record.tag, record.time, record.payload, dialect) {
            sink.row(KeptRow::Collection(Collection { cap: record.cap, ..collection }));
        }
    }

    fn is_busy(&self) -> bool {
        self.start.is_some()
    }

    fn busy_since(&self) -> Option<Nanos> {
        self.start.map(Moment::time)
    }
}

impl Collector {
    /// Follows one event. Returns the collection that it ends, if this capability did it. Not inlined: the first pass and the
    /// replay call it.
    #[inline(never)]
    pub(crate) fn follow(&mut self, tag: u16, time: Nanos, payload: &[u8], dialect: Dialect) -> Option<Collection> {
        match tag {
            RequestSeqGc::TAG | RequestParGc::TAG => {
                // Where another process follows in the file, its times may begin before those of the one before have ended.
                self.requested = Moment::at(time.max(self.idle_since));
                self.requests = true;
                None
            }
            // A second start within a collection is impossible; seen where records were lost: the end of the first one is
            // missing.
            GcStart::TAG => {
                self.forget();
                self.start = Moment::at(time.max(self.idle_since));
                None
            }
            GcGlobalSync::TAG => {
                self.collecting = true;
                self.synced = Moment::at(time);
                None
            }
            GcStats::TAG => {
                let stats = GcStats::read(payload);
                self.collecting = true;
                self.generation = Some(stats.generation);
                self.par_threads = stats.par_threads;
                self.copied_bytes = stats.copied_bytes;
                self.slop_bytes = stats.slop_bytes;
                self.fragmentation_bytes = stats.fragmentation_bytes;
                self.balance = balance(&stats);
                None
            }
            GcEnd::TAG => {
                let collection = self.ended(time, dialect);
                self.idle_since = self.start.map_or(self.idle_since, |start| start.time().max(time));
                self.forget();
                self.requested = None;
                collection
            }
            _ => None,
        }
    }

    /// Whether this capability has requested a collection that is not over.
    pub(crate) fn has_request(&self) -> bool {
        self.requested.is_some()
    }

    /// Forgets the collection, but not its request.
    fn forget(&mut self) {
        let Self { requested, requests, idle_since, .. } = *self;
        *self = Self { requested, requests, idle_since, ..Self::default() };
    }

    /// In logs from before GC_GLOBAL_SYNC, only its request identifies the collecting capability. Logs of the non-threaded
    /// runtime, which has only one capability, have no requests.
    fn ended(&self, end: Nanos, dialect: Dialect) -> Option<Collection> {
        let start = self.start?.time();
        let alone = dialect.one_capability && !self.requests;
        let collecting = self.collecting || !dialect.has_global_sync && (self.requested.is_some() || alone);
        collecting.then(|| Collection {
            start,
            end: end.max(start),
            requested: self.requested.filter(|requested| requested.time() <= start),
            synced: self.synced,
            cap: None,
            generation: self.generation,
            par_threads: self.par_threads,
            copied_bytes: self.copied_bytes,
            slop_bytes: self.slop_bytes,
            fragmentation_bytes: self.fragmentation_bytes,
            balance: self.balance,
        })
    }
}

/// If the collection had more than one thread: adds what is only kept as sums.
fn add_parallel(stats: &GcStats, start: Nanos, sink: &mut impl Sink) {
    if stats.par_threads <= 1 {
        return;
    }
    let balanced = stats.par_balanced_copied_bytes;
    for (sum, more) in [
        (PARALLEL, 1),
        (PAR_COPIED, stats.par_total_copied_bytes),
        (PAR_MAX_COPIED, stats.par_max_copied_bytes),
        (PAR_BALANCED, balanced.unwrap_or(0)),
        (PAR_BALANCES, u64::from(balanced.is_some())),
    ] {
        sink.add::<CollectionsTrack>(sum - COUNT, more, start);
    }
}

/// See [`Collection::balance`].
fn balance(stats: &GcStats) -> Option<u16> {
    let (all, evenly) = (stats.par_total_copied_bytes, stats.par_balanced_copied_bytes?);
    let share = evenly.min(all) as f64 / all as f64;
    (stats.par_threads > 1 && all > 0).then_some((share * f64::from(Collection::EVENLY)) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use ghc_eventlog::StatusNumbering;

    const TODAY: Dialect = Dialect {
        numbering: StatusNumbering::Usual,
        has_global_sync: true,
        one_capability: false,
        threads: crate::terms::numbering::Numbering { added: 0 },
        can_pause: false,
    };
    const OLD: Dialect = Dialect { has_global_sync: false, ..TODAY };

    fn play(dialect: Dialect, events: &[(u16, u64, &[u8])]) -> Vec<Collection> {
        let mut collector = Collector::default();
        let step = |&(tag, time, payload): &(u16, u64, &[u8])| collector.follow(tag, Nanos(time), payload, dialect);
        events.iter().filter_map(step).collect()
    }

    fn stats(generation: u8) -> [u8; 50] {
        let mut payload = [0; 50];
        payload[5] = generation;
        payload[13] = 9;
        payload
    }

    #[test]
    fn the_collecting_capability_counts_and_its_end_may_lie_before_its_figures() {
        let figures = stats(1);
        let collections = play(
            TODAY,
            &[
                (RequestParGc::TAG, 50, &[]),
                (GcStart::TAG, 100, &[]),
                (GcGlobalSync::TAG, 210, &[]),
                (GcStats::TAG, 220, &figures),
                (GcEnd::TAG, 200, &[]),
            ],
        );
        let [gc] = collections[..] else { panic!("{collections:?}") };
        assert_eq!((gc.elapsed(), gc.generation, gc.copied_bytes), (Nanos(100), Some(1), 9));
        assert_eq!((gc.waited(), gc.sync()), (Some(Nanos(50)), Some(Nanos(160))));
    }

    #[test]
    fn a_helping_capability_does_not_count() {
        assert!(play(TODAY, &[(GcStart::TAG, 100, &[]), (GcEnd::TAG, 300, &[])]).is_empty());
    }

    #[test]
    fn a_lost_end_only_loses_its_own_collection() {
        let collections = play(
            TODAY,
            &[
                (GcStart::TAG, 100, &[]),
                (GcGlobalSync::TAG, 110, &[]),
                (GcStart::TAG, 500, &[]),
                (GcGlobalSync::TAG, 510, &[]),
                (GcEnd::TAG, 520, &[]),
                (GcEnd::TAG, 530, &[]),
            ],
        );
        assert_eq!(collections.iter().map(|gc| gc.start).collect::<Vec<_>>(), [Nanos(500)]);
    }

    /// Times that go back by more than a little are false: whatever they say, a capability does one collection at a time.
    #[test]
    fn collections_of_a_capability_do_not_overlap() {
        let collect =
            |start, end| [(GcStart::TAG, start, &[][..]), (GcGlobalSync::TAG, start, &[]), (GcEnd::TAG, end, &[])];
        let found = play(TODAY, &[collect(100, 500), collect(200, 600), collect(550, 560)].concat());
        let times: Vec<_> = found.iter().map(|gc| (gc.start.0, gc.end.0)).collect();
        assert_eq!(times, [(100, 500), (500, 600), (600, 600)]);
    }

    #[test]
    fn in_old_logs_the_collecting_capability_is_known_by_its_request_or_because_it_is_the_only_one() {
        let helped: &[(u16, u64, &[u8])] = &[(GcStart::TAG, 100, &[]), (GcEnd::TAG, 300, &[])];
        let asked = [&[(RequestSeqGc::TAG, 90, &[][..])], helped].concat();
        assert!(play(OLD, helped).is_empty());
        assert_eq!(play(OLD, &asked).len(), 1);
        assert_eq!(play(Dialect { one_capability: true, ..OLD }, helped).len(), 1);
    }

    /// For collections with more than one thread that copied anything, if the runtime logs it.
    #[test]
    fn the_balance_is_the_share_that_was_copied_evenly() {
        let of = |threads: u32, all: u64, evenly: u64| {
            let mut payload = stats(1);
            payload[30..34].copy_from_slice(&threads.to_be_bytes());
            payload[42..50].copy_from_slice(&all.to_be_bytes());
            let payload = [&payload[..], &evenly.to_be_bytes()].concat();
            let stats = GcStats::read(&payload);
            assert_eq!((stats.par_threads, stats.par_total_copied_bytes), (threads, all));
            balance(&stats)
        };
        assert_eq!([of(2, 4000, 1000), of(8, 4000, 4000), of(2, 4000, 0)], [Some(2500), Some(10_000), Some(0)]);
        assert_eq!(of(2, 4000, 9000), Some(10_000), "no more than all");
        assert_eq!([of(1, 4000, 1000), of(2, 0, 0)], [None; 2]);
        assert_eq!(balance(&GcStats::read(&stats(1))), None);
    }
}
