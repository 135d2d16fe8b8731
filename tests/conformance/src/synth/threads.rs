//! `threads`: more threads than a page can list.

use super::program::{BLOCKED, FINISHED, MICROSECOND, Program, WORKERS, Writing, first_other_thread, workers};
use ghc_eventlog::{CapNo, ThreadId, ThreadWakeup};
use std::io::{self, Write};

const CAPS: u16 = 4;

/// Threads that are created, and later run, one after the other.
const BATCH: u64 = 50;

/// How often each thread runs.
const RUNS: u64 = 3;

/// Every n-th thread has a label.
const LABEL_EVERY: u32 = 3;

/// Every n-th thread is still blocked when the program ends.
const NEVER_FINISHES_EVERY: u32 = 50;

/// With this many threads, including the capabilities' workers.
pub(super) fn write(threads: u64, to: &mut dyn Write) -> io::Result<()> {
    let mut program = Program::start(CAPS, &Writing::default(), to);
    let batches = (threads + 1).saturating_sub(first_other_thread(CAPS).into()).div_ceil(BATCH);
    let cycles = batches.div_ceil(CAPS.into()) + RUNS;
    for cycle in 0..cycles {
        for cap in program.all_caps() {
            create(&mut program, cap, cycle, batch(cycle, cap, threads));
            for run in (0..RUNS.min(cycle)).rev() {
                batch(cycle - 1 - run, cap, threads)
                    .for_each(|thread| run_once(&mut program, cap, ThreadId(thread), run));
            }
        }
        program.collect();
    }
    program.end()
}

/// The threads that a capability creates in this cycle.
fn batch(cycle: u64, cap: CapNo, threads: u64) -> impl Iterator<Item = u32> {
    let before = (cycle * u64::from(CAPS) + u64::from(cap.0)) * BATCH;
    let first = u64::from(first_other_thread(CAPS)) + before;
    (first..(first + BATCH).min(threads + 1)).map(|thread| thread as u32)
}

fn create(program: &mut Program<'_>, cap: CapNo, cycle: u64, threads: impl Iterator<Item = u32>) {
    let creator = workers(cap)[cycle as usize % WORKERS];
    program.run_with(cap, creator, MICROSECOND, BLOCKED, |program| {
        for thread in threads {
            let label = (thread % LABEL_EVERY == 0).then(|| format!("request {thread}"));
            program.create(cap, ThreadId(thread), label.as_deref());
        }
    });
}

/// The `run`th time that a thread runs, counted from 0.
fn run_once(program: &mut Program<'_>, cap: CapNo, thread: ThreadId, run: u64) {
    if run > 0 {
        program.post(cap, ThreadWakeup { thread, cap });
    }
    let finishes = run == RUNS - 1 && !thread.0.is_multiple_of(NEVER_FINISHES_EVERY);
    let duration = program.random.u64(20 * MICROSECOND..100 * MICROSECOND);
    program.run(cap, thread, duration, if finishes { FINISHED } else { BLOCKED });
}
