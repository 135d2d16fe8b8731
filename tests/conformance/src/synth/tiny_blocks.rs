//! `tiny-blocks`: more block markers than anything else.

use super::program::{MICROSECOND, MILLISECOND, Program, Writing};
use std::io::{self, Write};

const CAPS: u16 = 4;

/// With at least this many blocks.
pub(super) fn write(blocks: u64, to: &mut dyn Write) -> io::Result<()> {
    let mut program = Program::start(CAPS, &Writing { tiny_blocks: true, ..Writing::default() }, to);
    while program.log.blocks() < blocks {
        let until = program.now() + 2 * MILLISECOND;
        for cap in program.all_caps() {
            program.work(cap, until, 50 * MICROSECOND..500 * MICROSECOND);
        }
        program.collect();
    }
    program.end()
}
