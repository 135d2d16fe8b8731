//! `long`: a service that was watched for a night.

use super::program::{MICROSECOND, MILLISECOND, Program, SECOND, Writing};
use std::io::{self, Write};

const CAPS: u16 = 4;

const HOUR: u64 = 3600 * SECOND;

/// How long the program runs, in nanoseconds.
const LENGTH: u64 = 10 * HOUR;

/// The hour, counted from 0, in which nothing happens.
const QUIET_HOUR: u64 = 4;

/// With this many collections, a few fewer for the quiet hour, each after a little work.
pub(super) fn write(collections: u64, to: &mut dyn Write) -> io::Result<()> {
    let mut program = Program::start(CAPS, &Writing::default(), to);
    for number in 0..collections {
        let begins = LENGTH / collections * number;
        if begins / HOUR == QUIET_HOUR {
            continue;
        }
        program.idle_until(begins);
        let until = program.now() + 2 * MILLISECOND;
        for cap in program.all_caps().filter(|cap| u64::from(cap.0) <= number % 4) {
            program.work(cap, until, 100 * MICROSECOND..MILLISECOND);
        }
        program.collect();
    }
    program.idle_until(LENGTH);
    program.end()
}
