//! `burst`: a moment with more events than the rest of the log together.

use super::program::{MICROSECOND, MILLISECOND, Program, SECOND, WORKERS, Writing, YIELDING, workers};
use ghc_eventlog::{CapNo, RunThread, StopThread};
use std::io::{self, Write};

const CAPS: u16 = 4;

/// How long the program runs, when the burst begins, and how long that is, in nanoseconds.
const LENGTH: u64 = 10 * SECOND;
const BURST_FROM: u64 = 5 * SECOND;
const BURST: u64 = 10 * MILLISECOND;

/// Nanoseconds from one piece of work to the next.
const BEAT: u64 = 50 * MILLISECOND;

/// With `events` events in the burst.
pub(super) fn write(events: u64, to: &mut dyn Write) -> io::Result<()> {
    let mut program = Program::start(CAPS, &Writing::default(), to);
    for beat in 1..LENGTH / BEAT {
        program.idle_until(beat * BEAT);
        if beat == BURST_FROM / BEAT {
            burst(&mut program, events);
        }
        for cap in program.all_caps() {
            let until = program.cap(cap).clock + 2 * MILLISECOND;
            program.work(cap, until, 100 * MICROSECOND..MILLISECOND);
        }
        program.collect();
    }
    program.idle_until(LENGTH);
    program.end()
}

/// Runs of a few nanoseconds, in turns on all capabilities.
fn burst(program: &mut Program<'_>, events: u64) {
    let (from, runs, caps) = (program.now(), events / 2, u64::from(CAPS));
    // Each run ends half a turn after it has begun.
    let time = |slot: u64| from + slot * BURST / (runs + caps / 2);
    for run in 0..runs {
        let (turn, cap) = (run / caps, CapNo((run % caps) as u16));
        let thread = workers(cap)[turn as usize % WORKERS];
        program.post_at(cap, time(run), RunThread { thread });
        program.post_at(cap, time(run + caps / 2), StopThread { thread, status: YIELDING, info: Some(0) });
    }
    program.idle_until(from + BURST);
}
