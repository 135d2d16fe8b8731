//! `late-cap`: all blocks of one capability come at the end of the file.

use super::program::{MICROSECOND, MILLISECOND, Program, Writing};
use ghc_eventlog::CapNo;
use std::io::{self, Write};

const CAPS: u16 = 4;

const LATE: CapNo = CapNo(2);

/// Nanoseconds of work between collections.
const WORK: u64 = 5 * MILLISECOND;

/// With this many collections.
pub(super) fn write(collections: u64, to: &mut dyn Write) -> io::Result<()> {
    let mut program = Program::start(CAPS, &Writing { late: Some(LATE), ..Writing::default() }, to);
    for _ in 0..collections {
        let until = program.now() + WORK;
        for cap in program.all_caps() {
            program.work(cap, until, 50 * MICROSECOND..500 * MICROSECOND);
        }
        program.collect();
    }
    program.end()
}
