//! `wake-ups`: threads that run for some microseconds and wake one another up, as in a busy server.

use super::program::{BLOCKED, MICROSECOND, Program, WORKERS, Writing, workers};
use ghc_eventlog::{CapNo, ThreadWakeup};
use std::io::{self, Write};

const CAPS: u16 = 4;

/// Runs of each capability between two collections.
const BETWEEN_COLLECTIONS: u64 = 60;

/// With this many runs. Of the events, about half are runs and stops, and two in five are wake-ups.
pub(super) fn write(runs: u64, to: &mut dyn Write) -> io::Result<()> {
    let mut program = Program::start(CAPS, &Writing::default(), to);
    for _ in 0..runs.div_ceil(u64::from(CAPS) * BETWEEN_COLLECTIONS) {
        for cap in program.all_caps() {
            (0..BETWEEN_COLLECTIONS).for_each(|run| run_once(&mut program, cap, run as usize));
        }
        program.collect();
    }
    program.end()
}

/// A thread runs and wakes up the one that runs next; and often another capability's, which may be awake already.
fn run_once(program: &mut Program<'_>, cap: CapNo, run: usize) {
    let duration = program.random.u64(2 * MICROSECOND..20 * MICROSECOND);
    let wakes_other = program.random.u8(..10) < 7;
    let own = workers(cap);
    program.run_with(cap, own[run % WORKERS], duration, BLOCKED, |program| {
        program.post(cap, ThreadWakeup { thread: own[(run + 1) % WORKERS], cap });
        if wakes_other {
            let other = CapNo((cap.0 + 1) % CAPS);
            program.post(cap, ThreadWakeup { thread: workers(other)[run % WORKERS], cap: other });
        }
    });
    program.cap(cap).clock += program.random.u64(..2 * MICROSECOND);
}
