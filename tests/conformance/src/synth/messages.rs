//! `messages`: a server that writes a message about each request.

use super::program::{MICROSECOND, Program, WORKERS, Writing, YIELDING, workers};
use ghc_eventlog::{CapNo, Text, ThreadId, UserMsg};
use std::io::{self, Write};

const CAPS: u16 = 4;

/// Messages that a thread writes in one run.
const IN_A_RUN: u64 = 5;

/// Runs of each capability between two collections.
const BETWEEN_COLLECTIONS: u64 = 200;

/// One of this many requests fails.
const FAILS_EVERY: u64 = 100_000;

/// With at least this many messages.
pub(super) fn write(messages: u64, to: &mut dyn Write) -> io::Result<()> {
    let mut program = Program::start(CAPS, &Writing::default(), to);
    let mut number = 0;
    while number < messages {
        for cap in program.all_caps() {
            for run in 0..BETWEEN_COLLECTIONS {
                run_once(&mut program, cap, workers(cap)[run as usize % WORKERS], &mut number);
            }
        }
        program.collect();
    }
    program.end()
}

fn run_once(program: &mut Program<'_>, cap: CapNo, thread: ThreadId, number: &mut u64) {
    program.run_with(cap, thread, 20 * MICROSECOND, YIELDING, |program| {
        for _ in 0..IN_A_RUN {
            *number += 1;
            let (client, took) = (program.random.u16(..1000), program.random.u32(100..90_000));
            let how = if number.is_multiple_of(FAILS_EVERY) { "failed" } else { "done" };
            let text = format!("request {number} of client {client} {how} in {took} us");
            program.post(cap, UserMsg { text: Text(text.as_bytes()) });
            program.cap(cap).clock += 10 * MICROSECOND;
        }
    });
}
