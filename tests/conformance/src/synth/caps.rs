//! `caps`: as many capabilities as large machines have.

use super::program::{MICROSECOND, MILLISECOND, Program, Writing};
use std::io::{self, Write};

const CAPS: u16 = 64;

/// Nanoseconds of work between collections.
const WORK: u64 = 5 * MILLISECOND;

/// With this many collections.
pub(super) fn write(collections: u64, to: &mut dyn Write) -> io::Result<()> {
    let mut program = Program::start(CAPS, &Writing::default(), to);
    for _ in 0..collections {
        let until = program.now() + WORK;
        for cap in program.all_caps() {
            // The first are nearly always busy, the last nearly never.
            if program.random.u16(..CAPS) >= cap.0 {
                program.work(cap, until, 50 * MICROSECOND..500 * MICROSECOND);
            }
        }
        program.collect();
    }
    program.end()
}
