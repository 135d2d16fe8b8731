//! Collections of a made-up program: parallel ones, of the capabilities that have been busy.

use super::program::{HEAP_OVERFLOW, MICROSECOND, MILLISECOND, PROCESS, Program, workers};
use ghc_eventlog::{
    BlocksSize, CapNo, GcDone, GcEnd, GcGlobalSync, GcIdle, GcStart, GcStats, GcWork, HeapAllocated, HeapLive,
    HeapSize, RequestParGc,
};

/// Every n-th collection is of both generations.
const MAJOR_EVERY: u64 = 20;

/// When the initiator's part begins and ends, in nanoseconds, and of what.
#[derive(Clone, Copy)]
struct Collection {
    start: u64,
    end: u64,
    major: bool,
}

impl Program<'_> {
    /// Stops all capabilities for a collection. All continue at the same time after it.
    pub(super) fn collect(&mut self) {
        let initiator = CapNo(self.random.u16(..self.caps.len() as u16));
        self.run(initiator, workers(initiator)[0], 10 * MICROSECOND, HEAP_OVERFLOW);
        let (now, major) = (self.now(), self.collections % MAJOR_EVERY == MAJOR_EVERY - 1);
        let pause = self.random.u64(100 * MICROSECOND..400 * MICROSECOND) + if major { 3 * MILLISECOND } else { 0 };
        let start = now + 10 * MICROSECOND;
        let collection = Collection { start, end: start + pause, major };
        self.post_at(initiator, now, RequestParGc {});
        for cap in self.all_caps() {
            self.collect_on(cap, cap == initiator, collection);
            self.cap(cap).busy = false;
        }
        self.idle_until(collection.end + 2 * MICROSECOND);
        self.collections += 1;
    }

    /// Posts a capability's events of a collection. The others arrive before the initiator, and wait for it.
    fn collect_on(&mut self, cap: CapNo, initiates: bool, collection: Collection) {
        let Collection { start, end, .. } = collection;
        let (busy, bytes) = (self.cap(cap).busy, self.cap(cap).allocated);
        if busy {
            let early = if initiates { 0 } else { self.random.u64(1..9 * MICROSECOND) };
            let done = self.random.u64(start + (end - start) / 2..end - MICROSECOND);
            self.post_at(cap, start - early, GcStart {});
            self.post_at(cap, start + MICROSECOND, GcWork {});
            self.post_at(cap, done, GcIdle {});
            self.post_at(cap, done + 500, GcDone {});
        }
        self.post_at(cap, end - 200, HeapAllocated { capset: PROCESS, bytes });
        if initiates {
            self.figures(cap, collection);
        } else if busy {
            self.post_at(cap, end + MICROSECOND, GcEnd {});
        }
    }

    /// Posts the initiator's events at the end of a collection.
    fn figures(&mut self, cap: CapNo, Collection { start, end, major }: Collection) {
        let capset = PROCESS;
        // Grows between major collections, and a little in the long run.
        let live = (40 << 20) + ((self.collections / MAJOR_EVERY % 16) << 20);
        let blocks = live + ((self.collections % MAJOR_EVERY) << 20);
        let copied = if major { live } else { (end - start) / 2 };
        self.post_at(cap, end + 300, GcGlobalSync {});
        let stats = GcStats {
            capset,
            generation: u16::from(major),
            copied_bytes: copied,
            slop_bytes: copied / 64,
            fragmentation_bytes: 1 << 20,
            par_threads: self.caps.len() as u32,
            par_max_copied_bytes: copied / 2,
            par_total_copied_bytes: copied,
            par_balanced_copied_bytes: Some(copied / 4),
        };
        self.post_at(cap, end + 600, stats);
        // Its time is taken before the two above are posted, as in every log of GHC 8.2 and later.
        self.post_at(cap, end, GcEnd {});
        if major {
            self.post_at(cap, end + 700, HeapLive { capset, bytes: live });
        }
        self.post_at(cap, end + 800, HeapSize { capset, bytes: 2 * live });
        self.post_at(cap, end + 900, BlocksSize { capset, bytes: blocks });
    }
}
