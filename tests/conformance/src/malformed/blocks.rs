//! Rows 26 to 32: blocks whose markers are false.

use super::*;
use ghc_eventlog::HeapAllocated;

pub(super) const CASES: &[Case] = &[
    Case { name: "malformed-26-size-0", what: "a block that claims 0 bytes", make: || sized(Some(0), None) },
    Case {
        name: "malformed-26-size-10",
        what: "a block that claims 10 bytes, fewer than its marker",
        make: || sized(Some(10), None),
    },
    Case {
        name: "malformed-26-beyond-end",
        what: "the last block claims 1000 bytes more than the file has, and there is no end mark",
        make: || {
            let mut log = log();
            process(&mut log);
            log.block(Block { size: Some(24 + FULL + 1000), ..hec(0) }, |block| work(block, 100));
            log.finish()
        },
    },
    Case {
        name: "malformed-26-beyond-end-mark",
        what: "the last block claims 1000 bytes more than the file has, and there is an end mark",
        make: || {
            let mut log = log();
            process(&mut log);
            log.block(Block { size: Some(24 + FULL + 1000), ..hec(0) }, |block| work(block, 100));
            log.end();
            log.finish()
        },
    },
    Case {
        name: "malformed-27-too-small",
        what: "a block that ends two events earlier than it says",
        make: || sized(Some(24 + FULL - 34), None),
    },
    Case {
        name: "malformed-27-too-large",
        what: "a block that claims to go on into the next one",
        make: || sized(Some(24 + FULL + 100), None),
    },
    Case {
        name: "malformed-28-end-within-record",
        what: "a block that ends within a good record: its size is false",
        make: || sized(Some(24 + FULL - 3), None),
    },
    Case {
        name: "malformed-28-record-beyond-end",
        what: "a record that goes on beyond a good block's end: bytes of it are missing",
        make: || {
            let mut log = log();
            process(&mut log);
            log.block(hec(0), |block| {
                work(block, 100);
                // RUN_THREAD without the last two bytes of its payload.
                block.bytes(&[0, 1]).bytes(&us(200).0.to_be_bytes()).bytes(&[0, 0]);
            });
            healthy(&mut log, 1, 300);
            log.end();
            log.finish()
        },
    },
    Case {
        name: "malformed-29-nested",
        what: "a block within another",
        make: || {
            around(|block| {
                healthy(block, 2, 200);
            })
        },
    },
    Case {
        name: "malformed-30-to-end-of-file",
        what: "one block to the end of the file, closed at time 0: normal for some writers",
        make: || {
            let mut log = log();
            process(&mut log);
            log.block(Block { end_time: Some(Nanos(0)), ..hec(0) }, |block| {
                work(block, 100);
                block.end();
            });
            log.finish()
        },
    },
    Case {
        name: "malformed-31-capability-65534",
        what: "blocks of capabilities 65534 and 65535, of which the second is the global buffer",
        make: || {
            let mut log = log();
            process(&mut log);
            healthy(&mut log, 65534, 100);
            healthy(&mut log, 65535, 200);
            log.end();
            log.finish()
        },
    },
    Case {
        name: "malformed-31-too-many-capabilities",
        what: "1100 capabilities, two blocks each",
        make: || {
            let mut log = log();
            process(&mut log);
            for round in 0..2 {
                for cap in 0..1100 {
                    log.block(hec(cap), |block| run(block, 1, 100 + round * 100, 150 + round * 100));
                }
            }
            log.end();
            log.finish()
        },
    },
    Case {
        name: "malformed-32-no-capabilities",
        what: "global events only: normal without the class of scheduler events",
        make: || {
            let mut log = log();
            process(&mut log);
            log.block(Block::GLOBAL, |block| {
                for at in 0..3 {
                    block.named(us(100 + at), "HEAP_PROF_SAMPLE_BEGIN", &[]).unwrap();
                    block.named(us(100 + at), "HEAP_PROF_SAMPLE_STRING", &[("label", "IO".into())]).unwrap();
                }
                block.end();
            });
            log.finish()
        },
    },
];

/// The size of the contents of [`sized`]'s block, in bytes.
const FULL: u32 = 3 * (14 + 20);

/// A block of capability 0 with another size, end or both; then a block of capability 1, and one of capability 0.
fn sized(size: Option<u32>, end_time: Option<Nanos>) -> Vec<u8> {
    let mut log = log();
    process(&mut log);
    log.block(Block { size, end_time, ..hec(0) }, |block| work(block, 100));
    healthy(&mut log, 1, 120);
    log.block(hec(0), |block| {
        work(block, 200);
        block.event(us(270), HeapAllocated { capset: CapsetId(0), bytes: 1 << 20 });
    });
    log.end();
    log.finish()
}
