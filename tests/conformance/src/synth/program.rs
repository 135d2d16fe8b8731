//! A made-up program, with its events in the order in which GHC 9.10 posts them (FORMAT 4).

use super::buffers::{Buffers, FULL};
use fastrand::Rng;
use ghc_eventlog::{
    CapCreate, CapDelete, CapNo, CapsetAssignCap, CapsetCreate, CapsetId, CapsetType, CreateThread, HeapInfo,
    KnownEvent, Nanos, OsProcessPid, ProgramArgs, RtsIdentifier, RunThread, StopStatus, StopThread, Text, TextList,
    ThreadId, ThreadLabel, WallClockTime,
};
use std::{
    io::{self, Write},
    ops::Range,
};

pub(super) const HEAP_OVERFLOW: StopStatus = StopStatus(1);
pub(super) const YIELDING: StopStatus = StopStatus(3);
pub(super) const FINISHED: StopStatus = StopStatus(5);
pub(super) const FOREIGN_CALL: StopStatus = StopStatus(6);
pub(super) const BLOCKED: StopStatus = StopStatus(7);

pub(super) const MICROSECOND: u64 = 1_000;
pub(super) const MILLISECOND: u64 = 1_000_000;
pub(super) const SECOND: u64 = 1_000_000_000;

/// The set of all capabilities.
pub(super) const PROCESS: CapsetId = CapsetId(0);

/// Threads that each capability has from the start.
pub(super) const WORKERS: usize = 3;

/// How a program's log differs from the usual one.
#[derive(Default)]
pub(super) struct Writing {
    /// Each event has a block of its own.
    pub(super) tiny_blocks: bool,
    /// All blocks of this capability come last in the file.
    pub(super) late: Option<CapNo>,
}

pub(super) struct Program<'w> {
    pub(super) log: Buffers<'w>,
    pub(super) caps: Vec<Capability>,
    /// How many there were.
    pub(super) collections: u64,
    pub(super) random: Rng,
}

#[derive(Clone, Default)]
pub(super) struct Capability {
    /// How far it has come, in nanoseconds.
    pub(super) clock: u64,
    /// Bytes, since the start.
    pub(super) allocated: u64,
    /// Whether a thread has run since the last collection.
    pub(super) busy: bool,
}

impl<'w> Program<'w> {
    /// A program with `caps` capabilities, each with its [`WORKERS`], that has just started.
    pub(super) fn start(caps: u16, writing: &Writing, to: &'w mut dyn Write) -> Self {
        let full = if writing.tiny_blocks { 1 } else { FULL };
        let mut program = Self {
            log: Buffers::new(full, writing.late, to),
            caps: vec![Capability { clock: MILLISECOND, ..Capability::default() }; caps.into()],
            collections: 0,
            random: Rng::with_seed(1),
        };
        program.introduce();
        for cap in program.all_caps() {
            for worker in workers(cap) {
                program.create(cap, worker, Some(&format!("worker {worker} of capability {cap}")));
            }
        }
        program
    }

    /// Writes the runtime's events about the process, in a block of their own.
    fn introduce(&mut self) {
        let capset = PROCESS;
        self.global(RtsIdentifier { capset, text: Text(b"GHC-9.10.3 rts_thr") });
        self.global(ProgramArgs { capset, args: TextList(b"./synthetic\0+RTS\0-la\0") });
        self.global(OsProcessPid { capset, pid: 4711 });
        self.global(WallClockTime { capset, seconds: 1_700_000_000, nanoseconds: 0 });
        self.global(CapsetCreate { capset, kind: CapsetType(2) });
        for cap in self.all_caps() {
            self.global(CapCreate { cap });
            self.global(CapsetAssignCap { capset, cap });
        }
        self.global(HeapInfo {
            capset,
            generations: 2,
            max_heap_bytes: 0,
            alloc_area_bytes: 4 << 20,
            mblock_bytes: 1 << 20,
            block_bytes: 4096,
        });
        self.log.flush(None);
    }

    pub(super) fn all_caps(&self) -> impl Iterator<Item = CapNo> + use<> {
        (0..self.caps.len() as u16).map(CapNo)
    }

    pub(super) fn cap(&mut self, cap: CapNo) -> &mut Capability {
        &mut self.caps[usize::from(cap.0)]
    }

    /// The latest time of any capability.
    pub(super) fn now(&self) -> u64 {
        self.caps.iter().map(|cap| cap.clock).max().unwrap_or(0)
    }

    /// Does nothing until `time`.
    pub(super) fn idle_until(&mut self, time: u64) {
        self.caps.iter_mut().for_each(|cap| cap.clock = cap.clock.max(time));
    }

    /// An event on a capability, now.
    pub(super) fn post<'a>(&mut self, cap: CapNo, event: impl KnownEvent<'a>) {
        self.post_at(cap, self.caps[usize::from(cap.0)].clock, event);
    }

    /// An event on a capability at any time, in nanoseconds.
    pub(super) fn post_at<'a>(&mut self, cap: CapNo, time: u64, event: impl KnownEvent<'a>) {
        self.log.post(Some(cap), Nanos(time), event);
    }

    /// An event of no capability, now.
    pub(super) fn global<'a>(&mut self, event: impl KnownEvent<'a>) {
        self.log.post(None, Nanos(self.now()), event);
    }

    pub(super) fn create(&mut self, cap: CapNo, thread: ThreadId, label: Option<&str>) {
        self.post(cap, CreateThread { thread });
        if let Some(label) = label {
            self.post(cap, ThreadLabel { thread, label: Text(label.as_bytes()) });
        }
        self.cap(cap).clock += MICROSECOND;
    }

    /// Runs a thread for `duration` nanoseconds.
    pub(super) fn run(&mut self, cap: CapNo, thread: ThreadId, duration: u64, status: StopStatus) {
        self.run_with(cap, thread, duration, status, |_| {});
    }

    /// Runs a thread for `duration` nanoseconds; it does something at the beginning.
    pub(super) fn run_with(
        &mut self,
        cap: CapNo,
        thread: ThreadId,
        duration: u64,
        status: StopStatus,
        contents: impl FnOnce(&mut Self),
    ) {
        self.post(cap, RunThread { thread });
        contents(self);
        let capability = self.cap(cap);
        capability.clock += duration;
        capability.busy = true;
        // One byte per nanosecond, 1 GB/s, is what a busy Haskell program allocates.
        capability.allocated += duration;
        self.post(cap, StopThread { thread, status, info: Some(0) });
    }

    /// Runs a capability's workers by turns, with pauses between them, up to the time `until`.
    pub(super) fn work(&mut self, cap: CapNo, until: u64, slice: Range<u64>) {
        while self.cap(cap).clock < until {
            let left = until - self.cap(cap).clock;
            let duration = self.random.u64(slice.clone()).min(left);
            let worker = workers(cap)[self.random.usize(..WORKERS)];
            let status = [YIELDING, BLOCKED, BLOCKED, FOREIGN_CALL, HEAP_OVERFLOW][self.random.usize(..5)];
            self.run(cap, worker, duration, status);
            self.cap(cap).clock += self.random.u64(..duration / 4 + 1);
        }
    }

    /// The program is over; its log is complete.
    ///
    /// # Errors
    /// When anything of it could not be written.
    pub(super) fn end(mut self) -> io::Result<()> {
        for cap in self.all_caps() {
            self.global(CapDelete { cap });
        }
        self.log.finish()
    }
}

/// The threads that a capability has from the start.
pub(super) fn workers(cap: CapNo) -> [ThreadId; WORKERS] {
    let before = usize::from(cap.0) * WORKERS;
    std::array::from_fn(|number| ThreadId((before + number) as u32 + 1))
}

/// The first thread number after the workers of `caps` capabilities.
pub(super) fn first_other_thread(caps: u16) -> u32 {
    workers(CapNo(caps))[0].0
}
