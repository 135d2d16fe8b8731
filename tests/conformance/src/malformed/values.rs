//! Rows 33 to 38, 43, 47 and 48: times, orders, numbers and texts that are impossible, or look impossible.

use super::*;
use ghc_eventlog::{
    GcEnd, GcGlobalSync, GcStart, GcStats, HeapAllocated, LogMsg, TaskCreate, TaskId, ThreadLabel, UserMsg,
};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "malformed-33-collection-end-earlier",
        what: "GC_END a few µs before the event that stands before it: normal",
        make: || around(|block| collection(block, Nanos(207_500), 1000)),
    },
    Case {
        name: "malformed-34-time-back",
        what: "times that go back by 50 ms, twice",
        make: || {
            let mut log = log();
            process(&mut log);
            log.block(Block { end_time: Some(us(200_000)), time: Some(us(90)), ..hec(0) }, |block| {
                work(block, 100_000);
                block.event(us(110_000), RunThread { thread: ThreadId(2) });
                block.event(us(60_000), StopThread { thread: ThreadId(2), status: StopStatus(3), info: Some(0) });
                work(block, 60_010);
                work(block, 120_000);
                work(block, 70_000);
            });
            log.end();
            log.finish()
        },
    },
    Case {
        name: "malformed-35-far-future",
        what: "one record 100 years late",
        make: || {
            let mut log = log();
            process(&mut log);
            log.block(Block { end_time: Some(us(400)), ..hec(0) }, |block| {
                work(block, 100);
                block.event(CENTURY, create(7));
                work(block, 300);
            });
            log.end();
            log.finish()
        },
    },
    Case {
        name: "malformed-35-far-future-last",
        what: "the same as the last of its block",
        make: || outlier_last(Some(us(400))),
    },
    Case {
        name: "malformed-35-far-future-no-end",
        what: "the same in a block closed at time 0",
        make: || outlier_last(Some(Nanos(0))),
    },
    Case {
        name: "malformed-35-far-past",
        what: "one record hours too early",
        make: || {
            let day = 24 * 3600 * 1_000_000;
            let mut log = log();
            log.block(hec(0), |block| {
                work(block, day);
                work(block, day + 300);
            });
            log.block(Block { time: Some(us(day + 400)), ..hec(0) }, |block| {
                work(block, day + 400);
                block.event(us(3), create(7));
                work(block, day + 600);
            });
            log.end();
            log.finish()
        },
    },
    Case {
        name: "malformed-36-all-times-0",
        what: "every time is 0",
        make: || {
            let mut log = log();
            log.block(hec(0), |block| {
                for thread in 1..4 {
                    run(block, thread, 0, 0);
                }
            });
            log.end();
            log.finish()
        },
    },
    Case {
        name: "malformed-37-since-boot",
        what: "times count from boot, 60 years ago: normal for a forked child",
        make: || {
            let mut log = log();
            healthy(&mut log, 0, 60 * 365 * 24 * 3600 * 1_000_000);
            log.end();
            log.finish()
        },
    },
    Case {
        name: "malformed-38-runs",
        what: "a run whose stop is lost, a stop without its run, another thread's stop, a run without its stop",
        make: || {
            let mut log = log();
            log.block(hec(0), |block| {
                stop(block, 5, 100);
                start(block, 1, 110);
                start(block, 2, 120);
                stop(block, 2, 130);
                stop(block, 2, 140);
                start(block, 3, 150);
                stop(block, 4, 160);
                start(block, 1, 170);
                block.event(us(180), GcStart {}).event(us(185), GcStart {});
                start(block, 2, 190);
                block.event(us(195), GcEnd {});
                stop(block, 2, 200);
                start(block, 3, 210);
                block.event(us(220), create(4));
            });
            log.end();
            log.finish()
        },
    },
    Case {
        name: "malformed-43-not-utf8",
        what: "texts that are not UTF-8, with NULs, C0 80, control characters and markup: in the header, labels, \
               arguments and messages",
        make: not_utf8,
    },
    Case {
        name: "malformed-47-huge-numbers",
        what: "thread 4294967295, task 0, cost centres that are defined nowhere",
        make: || {
            around(|block| {
                block.event(us(200), create(u32::MAX));
                run(block, u32::MAX, 201, 210);
                block.event(us(211), TaskCreate { task: TaskId(0), cap: CapNo(65535), kernel_thread: u64::MAX });
                let stack = [u32::MAX.to_be_bytes(), [0; 4]];
                let stack = ghc_eventlog::Value::Stack(ghc_eventlog::CostCentreStack(&stack));
                block
                    .named(us(212), "PROF_SAMPLE_COST_CENTRE", &[("cap", 4_000_000_000.into()), ("stack", stack)])
                    .unwrap();
            })
        },
    },
    Case {
        name: "malformed-48-sums",
        what: "numbers whose sums are larger than 64 bits",
        make: || {
            around(|block| {
                for at in [200, 220, 240] {
                    block.event(us(at), HeapAllocated { capset: CapsetId(0), bytes: u64::MAX });
                    collection(block, us(at + 9), u64::MAX);
                }
            })
        },
    },
    Case {
        name: "malformed-48-times",
        what: "times up to the largest there is",
        make: || {
            let last = u64::MAX / 1000;
            let mut log = log();
            healthy(&mut log, 0, 100);
            log.block(hec(0), |block| {
                work(block, last - 200);
                block.event(us(last - 100), RunThread { thread: ThreadId(2) });
                block.event(Nanos::MAX, create(3));
                block.event(Nanos::MAX, create(4));
            });
            log.end();
            log.finish()
        },
    },
];

const CENTURY: Nanos = Nanos(100 * 365 * 24 * 3600 * 1_000_000_000);

/// A log in which the last event of a capability's block is a century late.
fn outlier_last(end_time: Option<Nanos>) -> Vec<u8> {
    let mut log = log();
    process(&mut log);
    log.block(Block { end_time, ..hec(0) }, |block| {
        work(block, 100);
        block.event(CENTURY, create(7));
    });
    healthy(&mut log, 1, 120);
    log.end();
    log.finish()
}

fn start(block: &mut LogWriter, thread: u32, at: u64) {
    block.event(us(at), RunThread { thread: ThreadId(thread) });
}

fn stop(block: &mut LogWriter, thread: u32, at: u64) {
    block.event(us(at), StopThread { thread: ThreadId(thread), status: StopStatus(3), info: Some(0) });
}

/// A collection of 9 µs before `end`.
fn collection(block: &mut LogWriter, end: Nanos, copied_bytes: u64) {
    let at = |before| Nanos(end.0 - before);
    block.event(at(7000), GcStart {}).event(at(500), GcGlobalSync {});
    let stats = GcStats {
        capset: CapsetId(0),
        generation: 1,
        copied_bytes,
        slop_bytes: copied_bytes,
        fragmentation_bytes: copied_bytes,
        par_threads: 1,
        par_max_copied_bytes: 0,
        par_total_copied_bytes: 0,
        par_balanced_copied_bytes: Some(0),
    };
    block.event(Nanos(end.0 + 300), stats).event(end, GcEnd {});
}

fn not_utf8() -> Vec<u8> {
    let mut log = LogWriter::empty();
    log.bytes(b"hdrbhetb");
    for declared in types() {
        log.declare(&declared);
    }
    // A description of the future, in Latin-1.
    log.bytes(b"etb\0\x01\x2c\0\0\0\0\0\x05Gr\xfc\xdfe\0\0\0\0ete\0").write_as(300, 0).bytes(b"hetehdredatb");
    log.block(Block::GLOBAL, |block| {
        let args = TextList(b"./pr\xffgram\0\0<b>\xe2\x80\xae\0");
        block.event(us(1), ProgramArgs { capset: CapsetId(0), args });
    });
    log.block(hec(0), |block| {
        block.event(
            us(100),
            ThreadLabel { thread: ThreadId(1), label: Text(b"w\xc3\xb6rker\xc0\x80\xed\xa0\x80 \x1b[31m") },
        );
        work(block, 101);
        block.event(us(200), UserMsg { text: Text(b"<script>alert(1)</script>\xff\0inner\0\0") });
        block.event(us(201), LogMsg { text: Text(b"\xf0\x9f\x98") });
        block.record(us(202), 300, ghc_eventlog::Event::Unknown(b""));
    });
    log.end();
    log.finish()
}
