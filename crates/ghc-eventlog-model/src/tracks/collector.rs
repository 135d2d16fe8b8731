//! Finds the garbage collections of a capability (FORMAT 4.2).
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

use super::collected::{
    COUNT, CollectionsTrack, PAR_BALANCED, PAR_BALANCES, PAR_COPIED, PAR_MAX_COPIED, PARALLEL, SUMS,
};
use crate::terms::{
    machine::{Dialect, KeptRow, Machine, Sink},
    span::{Collection, Moment},
};
use ghc_eventlog::{GcEnd, GcGlobalSync, GcStart, GcStats, Nanos, Record, RequestParGc, RequestSeqGc};

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

    /// Events after `time`, the time of the last event, were lost: the next end need not be that of the same collection.
    pub(crate) fn lose_sight(&mut self, time: Nanos) {
        if self.start.is_some() {
            self.idle_since = self.idle_since.max(time);
        }
        self.forget();
        self.requested = None;
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

    /// What was lost may have been its end, and the begin of others.
    #[test]
    fn a_collection_that_is_lost_sight_of_does_not_count() {
        let mut collector = Collector::default();
        let mut at = |tag, time| collector.follow(tag, Nanos(time), &[], TODAY);
        let begun = [(RequestSeqGc::TAG, 90), (GcStart::TAG, 100), (GcGlobalSync::TAG, 110)];
        assert!(begun.map(|(tag, time)| at(tag, time)).iter().all(Option::is_none));
        collector.lose_sight(Nanos(110));
        let mut at = |tag, time| collector.follow(tag, Nanos(time), &[], TODAY);
        assert_eq!(at(GcEnd::TAG, 500_000), None);
        assert!(at(GcStart::TAG, 500_100).is_none() && at(GcGlobalSync::TAG, 500_110).is_none());
        let next = at(GcEnd::TAG, 500_200).unwrap();
        assert_eq!((next.start, next.requested), (Nanos(500_100), None));
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
