//! Garbage collections (STATISTICS, "The rule that makes them right"; FORMAT 4.2).
//!
//! ```text
//! REQUEST   GC_START          GC_GLOBAL_SYNC  GC_STATS  GC_END
//!    |          |====================|==========|=========|      the collecting capability
//!    |      GC_START                                    GC_END
//!    |          |-----------------------------------------|      a helping one: no collection of its own
//! ```
//!
//! On the collecting capability GC_END follows GC_STATS in the file though its time is earlier: file order is the order.

use super::{Dialect, State};
use crate::tracks::span::Collection;
use ghc_eventlog::{GcEnd, GcGlobalSync, GcStart, GcStats, Nanos, RequestParGc, RequestSeqGc};

/// The track's states, by number: see [`state`].
pub(crate) const STATES: &[State] =
    &[State { name: "minor GC", role: "gc-working" }, State { name: "major GC", role: "gc-major" }];

/// The number of the state of a major collection, or of a minor one.
pub(crate) fn state(is_major: bool) -> u8 {
    u8::from(is_major)
}

/// Sums by state, of sums by kind, of which `majors` is the first that is major.
pub(crate) fn by_state<T: Copy + core::iter::Sum<T>>(by_kind: &[T], majors: usize) -> [T; STATES.len()] {
    let (minor, major) = by_kind.split_at(majors.min(by_kind.len()));
    [minor.iter().copied().sum(), major.iter().copied().sum()]
}

/// Follows the collections that one capability does or helps with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Collector {
    requested: Option<Nanos>,
    start: Option<Nanos>,
    /// Whether this capability is the collecting one.
    collecting: bool,
    generation: Option<u16>,
    par_threads: u32,
    copied_bytes: u64,
    /// Whether this capability has ever requested a collection: the non-threaded runtime never does.
    requests: bool,
    /// When the last collection ended, or what is known of this capability began: none begins before.
    idle_since: Nanos,
}

impl Collector {
    pub(crate) const WANTS: &[u16] =
        &[RequestSeqGc::TAG, RequestParGc::TAG, GcStart::TAG, GcGlobalSync::TAG, GcStats::TAG, GcEnd::TAG];

    /// Of a capability whose first event has this time.
    pub(crate) fn starting(at: Nanos) -> Self {
        Self { idle_since: at, ..Self::default() }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.start.is_some()
    }

    /// When the collection under way began.
    pub(crate) fn start(&self) -> Option<Nanos> {
        self.start
    }

    /// Follows one event; the collection that it ends, if this capability did it.
    pub(crate) fn step(&mut self, tag: u16, time: Nanos, payload: &[u8], dialect: Dialect) -> Option<Collection> {
        match tag {
            RequestSeqGc::TAG | RequestParGc::TAG => {
                self.requested = Some(time);
                self.requests = true;
                None
            }
            // A second start within a collection is impossible; seen where records were lost: the first one's end is.
            GcStart::TAG => {
                self.forget();
                self.start = Some(time.max(self.idle_since));
                None
            }
            GcGlobalSync::TAG => {
                self.collecting = true;
                None
            }
            GcStats::TAG => {
                let stats = GcStats::read(payload);
                self.collecting = true;
                self.generation = Some(stats.generation);
                self.par_threads = stats.par_threads;
                self.copied_bytes = stats.copied_bytes;
                None
            }
            GcEnd::TAG => {
                let collection = self.ended(time, dialect);
                self.idle_since = self.start.map_or(self.idle_since, |start| start.max(time));
                self.forget();
                self.requested = None;
                collection
            }
            _ => None,
        }
    }

    /// Forgets the collection, but not that it was requested.
    fn forget(&mut self) {
        self.start = None;
        self.collecting = false;
        self.generation = None;
        self.par_threads = 0;
        self.copied_bytes = 0;
    }

    /// Logs older than GC_GLOBAL_SYNC tell the collecting capability by its request only, and those of the non-threaded
    /// runtime, which has but one, not at all.
    fn ended(&self, end: Nanos, dialect: Dialect) -> Option<Collection> {
        let start = self.start?;
        let alone = dialect.one_capability && !self.requests;
        let collecting = self.collecting || !dialect.has_global_sync && (self.requested.is_some() || alone);
        collecting.then(|| Collection {
            start,
            end: end.max(start),
            requested: self.requested.filter(|requested| *requested <= start),
            cap: None,
            generation: self.generation,
            par_threads: self.par_threads,
            copied_bytes: self.copied_bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use ghc_eventlog::StatusNumbering;

    const TODAY: Dialect = Dialect { numbering: StatusNumbering::Usual, has_global_sync: true, one_capability: false };
    const OLD: Dialect = Dialect { has_global_sync: false, ..TODAY };

    fn play(dialect: Dialect, events: &[(u16, u64, &[u8])]) -> Vec<Collection> {
        let mut collector = Collector::default();
        let step = |&(tag, time, payload): &(u16, u64, &[u8])| collector.step(tag, Nanos(time), payload, dialect);
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
        assert_eq!(gc.requested, Some(Nanos(50)));
    }

    #[test]
    fn a_helping_capability_does_not_count() {
        assert!(play(TODAY, &[(GcStart::TAG, 100, &[]), (GcEnd::TAG, 300, &[])]).is_empty());
    }

    #[test]
    fn a_lost_end_costs_its_own_collection_only() {
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

    /// Times that go back are false, unless by a little: whatever they say, a capability does one collection at a time.
    #[test]
    fn collections_of_a_capability_do_not_overlap() {
        let collect =
            |start, end| [(GcStart::TAG, start, &[][..]), (GcGlobalSync::TAG, start, &[]), (GcEnd::TAG, end, &[])];
        let found = play(TODAY, &[collect(100, 500), collect(200, 600), collect(550, 560)].concat());
        let times: Vec<_> = found.iter().map(|gc| (gc.start.0, gc.end.0)).collect();
        assert_eq!(times, [(100, 500), (500, 600), (600, 600)]);
    }

    #[test]
    fn old_logs_tell_by_the_request_or_by_having_one_capability_only() {
        let helped: &[(u16, u64, &[u8])] = &[(GcStart::TAG, 100, &[]), (GcEnd::TAG, 300, &[])];
        let asked = [&[(RequestSeqGc::TAG, 90, &[][..])], helped].concat();
        assert!(play(OLD, helped).is_empty());
        assert_eq!(play(OLD, &asked).len(), 1);
        assert_eq!(play(Dialect { one_capability: true, ..OLD }, helped).len(), 1);
    }
}
