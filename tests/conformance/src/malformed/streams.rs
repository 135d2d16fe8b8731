//! Rows 39 to 42 and 44 to 46: what follows an end mark, and logs that other tools wrote.

use super::*;
use ghc_eventlog::WallClockTime;

pub(super) const CASES: &[Case] = &[
    Case {
        name: "malformed-39-second-stream",
        what: "a second stream right behind the end mark within the last block, as GHC 9.2 and later leave it, with \
               another header",
        make: || {
            let mut log = ending_within(|block| {
                block.end();
            });
            log.header(&resized(1, 8));
            healthy(&mut log, 0, 1000);
            log.end();
            log.finish()
        },
    },
    Case {
        name: "malformed-39-marker-between",
        what: "a second stream behind a block marker, as GHC 9.0 leaves it",
        make: || {
            let mut log = ordinary();
            log.block(Block { size: Some(24 + 2000), ..Block::GLOBAL }, |_| {});
            log.header(&types());
            healthy(&mut log, 0, 1000);
            log.end();
            log.finish()
        },
    },
    Case {
        name: "malformed-39-second-header-damaged",
        what: "a second stream whose header is damaged",
        make: || {
            let mut log = ordinary();
            log.bytes(b"hdrbhetbetb\0and then nothing that one could read");
            log.finish()
        },
    },
    Case {
        name: "malformed-39-second-header-cut",
        what: "a second stream that ends within its header",
        make: || {
            let mut log = ordinary();
            log.bytes(&self::log().finish()[..100]);
            log.finish()
        },
    },
    Case {
        name: "malformed-40-junk-behind",
        what: "zeros behind the end mark",
        make: || {
            let mut log = ordinary();
            log.bytes(&[0; 100]);
            log.finish()
        },
    },
    Case {
        name: "malformed-40-byte-behind",
        what: "one byte behind the end mark",
        make: || {
            let mut log = ordinary();
            log.bytes(b"\n");
            log.finish()
        },
    },
    Case {
        name: "malformed-41-end-mark-ends-block",
        what: "the end mark as the last thing in the last block: normal since GHC 9.2",
        make: || {
            ending_within(|block| {
                block.end();
            })
            .finish()
        },
    },
    Case {
        name: "malformed-41-end-mark-within-block",
        what: "an end mark in the middle of a block: damage",
        make: || {
            around(|block| {
                block.bytes(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
            })
        },
    },
    Case {
        name: "malformed-41-end-mark-between-records",
        what: "a bare end mark between two good records of a block",
        make: || {
            around(|block| {
                block.end();
            })
        },
    },
    Case {
        name: "malformed-46-merged",
        what: "two logs merged by `ghc-events merge`: blocks interleaved, their sizes false, every process fact twice",
        make: merged,
    },
];

/// An ordinary log whose last block ends with what `end` writes.
fn ending_within(end: impl FnOnce(&mut LogWriter)) -> LogWriter {
    let mut log = log();
    process(&mut log);
    healthy(&mut log, 0, 100);
    log.block(Block::GLOBAL, end);
    log
}

/// The events of both logs in order of time, with each marker at its time and with its old size.
fn merged() -> Vec<u8> {
    let mut log = log();
    for (capset, seconds) in [(0, 1_700_000_000), (1, 1_700_000_050)] {
        let capset = CapsetId(capset);
        log.block(Block { size: Some(24 + 400), ..Block::GLOBAL }, |block| {
            block.event(us(1), RtsIdentifier { capset, text: Text(b"GHC-9.4.7 rts_thr") });
            block.event(us(2), ProgramArgs { capset, args: TextList(b"./program\0") });
            block.event(us(3), WallClockTime { capset, seconds, nanoseconds: 0 });
        });
    }
    for round in 0..4 {
        let at = 100 + round * 100;
        for cap in [0, 1] {
            let from = at + 30 * u64::from(cap);
            let block = Block { size: Some(24 + 34 * 4), end_time: Some(us(at + 300)), ..hec(cap) };
            log.block(block, |block| run(block, u32::from(cap) + 1, from, from + 20));
        }
        // An event of the block before the last marker: nothing shows its capability any more.
        run(&mut log, 1, at + 60, at + 80);
    }
    log.end();
    log.finish()
}
