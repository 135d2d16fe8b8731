//! `many-threads`: threads that come and go, and the last one waits.

use super::program::{
    BLOCKED, FINISHED, MICROSECOND, MILLISECOND, Program, SECOND, Writing, YIELDING, first_other_thread, workers,
};
use ghc_eventlog::{CapNo, ThreadId, ThreadWakeup};
use std::{
    io::{self, Write},
    ops::Range,
};

const CAPS: u16 = 4;

/// Threads that a capability creates at once, and then runs by turns.
const BATCH: u32 = 50;

/// How often each thread runs.
const RUNS: u64 = 32;

/// Every n-th thread has a label.
const LABEL_EVERY: u32 = 3;

/// With at least this many threads, and one more that is blocked for two seconds. No other thread is ever blocked.
pub(super) fn write(threads: u64, to: &mut dyn Write) -> io::Result<()> {
    let mut program = Program::start(CAPS, &Writing::default(), to);
    let mut next = first_other_thread(CAPS);
    while u64::from(next) <= threads {
        for cap in program.all_caps() {
            serve(&mut program, cap, next..next + BATCH);
            next += BATCH;
        }
        program.collect();
    }
    // Its capability's block is the last of the file.
    wait(&mut program, CapNo(CAPS - 1), ThreadId(next));
    program.end()
}

/// Runs new threads until all of them have finished.
fn serve(program: &mut Program<'_>, cap: CapNo, threads: Range<u32>) {
    program.run_with(cap, workers(cap)[0], MICROSECOND, YIELDING, |program| {
        for thread in threads.clone() {
            let label = (thread % LABEL_EVERY == 0).then(|| format!("request {thread}"));
            program.create(cap, ThreadId(thread), label.as_deref());
        }
    });
    for run in 1..=RUNS {
        let status = if run == RUNS { FINISHED } else { YIELDING };
        for thread in threads.clone() {
            let duration = program.random.u64(2 * MICROSECOND..20 * MICROSECOND);
            program.run(cap, ThreadId(thread), duration, status);
        }
    }
}

/// A thread waits for two seconds.
fn wait(program: &mut Program<'_>, cap: CapNo, thread: ThreadId) {
    program.create(cap, thread, Some("the one that waits"));
    program.run(cap, thread, MICROSECOND, BLOCKED);
    program.cap(cap).clock += 2 * SECOND;
    program.post(cap, ThreadWakeup { thread, cap });
    program.run(cap, thread, 5 * MILLISECOND, FINISHED);
}
