//! Logs in which the runtime itself writes false lengths (FORMAT 1.6).

use super::*;
use ghc_eventlog::CapsetType;
use ghc_eventlog::{CStr, CapsetCreate, Event, GcEnd, GcStart, InfoTable, Ipe, MigrateThread, Startup, ThreadWakeup};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "false-length-ipe",
        what: "IPE one byte shorter than its length says: GHC 9.6 to 9.10",
        make: || provenances(1),
    },
    Case {
        name: "false-length-ipe-cut",
        what: "the same, and the log ends right behind such a record, without an end mark",
        make: || {
            let mut log = log();
            healthy(&mut log, 0, 100);
            let at = log.offset();
            log.block(Block::GLOBAL, |block| {
                for table in 0..3 {
                    provenance(block, table);
                }
            });
            let mut bytes = log.finish();
            let head = at + 24;
            let record = (bytes.len() - head) / 3;
            for table in 0..3 {
                lengthen(&mut bytes, head + table * record + 10, 1);
            }
            bytes
        },
    },
    Case {
        name: "false-length-9.3-right",
        what: "sizes as GHC 9.3 in development declares them, and records that really have them",
        make: ghc_9_3_as_declared,
    },
    Case { name: "false-length-ipe-right", what: "IPE as long as it says: before GHC 9.2", make: || provenances(0) },
    Case {
        name: "false-length-6.12",
        what: "thread numbers declared with 8 bytes and written with 4, STARTUP the other way round: GHC 6.12",
        make: ghc_6_12,
    },
    Case {
        name: "false-length-9.3",
        what: "TASK_CREATE and CONC_MARK_END declared too short, TICKY_COUNTER_BEGIN_SAMPLE too long: GHC 9.3 in \
               development",
        make: ghc_9_3,
    },
    Case {
        name: "false-length-wrapped",
        what: "70000 bytes of arguments, of whose length the record has what 16 bits hold",
        make: || {
            let args = [b"./program\0".to_vec(), b"argument-123456\0".repeat(70_000 / 16)].concat();
            let mut log = log();
            healthy(&mut log, 0, 100);
            log.block(Block::GLOBAL, |block| {
                let capset = CapsetId(0);
                block.event(us(1), RtsIdentifier { capset, text: Text(b"GHC-8.10.7 rts_thr") });
                block.event(us(2), ProgramArgs { capset, args: TextList(&args) });
                for cap in 0..3 {
                    block.event(us(3), CapCreate { cap: CapNo(cap) });
                }
            });
            healthy(&mut log, 1, 200);
            log.end();
            log.finish()
        },
    },
    Case {
        name: "false-length-race",
        what: "a sample of the time profile written into the middle of another record's time: the runtime without \
               threads, profiling",
        make: race,
    },
];

fn provenances(more: u16) -> Vec<u8> {
    let mut at = Vec::new();
    let mut log = around(|block| {
        for table in 0..3 {
            at.push(block.offset() + 10);
            provenance(block, table);
        }
    });
    for at in at {
        lengthen(&mut log, at, more);
    }
    log
}

fn provenance(block: &mut LogWriter, table: u64) {
    let text = |text: &'static str| CStr(Text(text.as_bytes()));
    let ipe = Ipe {
        info_table: InfoTable(0x43_1438 + table),
        table_name: text("Main_main1_info"),
        closure_type: text("21"),
        type_name: text("IO ()"),
        label: text("main"),
        module: text("Main"),
        location: text("Main.hs:15:9-18"),
    };
    block.event(us(200 + table), ipe);
}

/// Increases the length field at `at` by `more`.
fn lengthen(log: &mut [u8], at: usize, more: u16) {
    let length = u16::from_be_bytes([log[at], log[at + 1]]) + more;
    log[at..at + 2].copy_from_slice(&length.to_be_bytes());
}

fn ghc_9_3_as_declared() -> Vec<u8> {
    let sizes = [(55, 14), (201, 0), (212, 32)];
    let mut types = types();
    for declared in &mut types {
        let size = sizes.iter().find(|(tag, _)| *tag == declared.tag);
        declared.size = size.map_or(declared.size, |(_, size)| *size);
    }
    let mut log = log_of(&types);
    process(&mut log);
    log.block(Block::GLOBAL, |block| {
        for at in [500, 600, 700] {
            block.event(us(at), CapsetCreate { capset: CapsetId(1), kind: CapsetType(3) });
            for (tag, size) in sizes {
                block.record(us(at + 10), tag, Event::Unknown(&vec![0x5a; usize::from(size)]));
            }
        }
    });
    healthy(&mut log, 0, 800);
    log.end();
    log.finish()
}

fn ghc_6_12() -> Vec<u8> {
    let declared = |tag| match tag {
        0 | 1 | 3 | 5 | 15 => Some(8),
        2 | 4 | 6 | 8 => Some(10),
        7 | 9..=12 | 17 => Some(0),
        16 | 19 => Some(0xffff),
        18 => Some(14),
        _ => None,
    };
    let types = EVENTS.iter().filter_map(|info| {
        declared(info.tag).map(|size| EventType { size, description: info.name.into(), ..info.into() })
    });
    let types: Vec<_> = types.collect();
    let mut log = log_of(&types);
    for (tag, size) in [(0, 4), (1, 4), (2, 6), (4, 6), (8, 6), (17, 2)] {
        log.write_as(tag, size);
    }
    log.event(us(1), Startup { caps: 2 });
    log.block(hec(0), |block| {
        block.event(us(2), create(1)).event(us(3), ThreadWakeup { thread: ThreadId(1), cap: CapNo(1) });
        work(block, 100);
        block.event(us(170), MigrateThread { thread: ThreadId(1), cap: CapNo(1) });
        block.event(us(180), GcStart {}).event(us(190), GcEnd {});
    });
    healthy(&mut log, 1, 200);
    log.end();
    log.finish()
}

fn ghc_9_3() -> Vec<u8> {
    // Later than the first few milliseconds, in which the time of a record of zeros would be possible.
    const START: u64 = 5_000_000;
    let mut types = types();
    for (tag, size) in [(55, 14), (201, 0), (212, 32)] {
        types.retain(|declared| declared.tag != tag);
        types.push(EventType { tag, size, description: "Of another size".into() });
    }
    let mut log = log_of(&types);
    log.write_as(55, 18).write_as(201, 4).write_as(212, 0);
    process(&mut log);
    log.block(Block::GLOBAL, |block| {
        for task in 0..3 {
            block
                .named(us(START + task), "TASK_CREATE", &[("task", task.into()), ("kernel_thread", 4711.into())])
                .unwrap();
            block.named(us(START + task), "CONC_MARK_END", &[("marked", 4_000_000_000.into())]).unwrap();
        }
        for sample in 1..4 {
            block.named(us(START + 100 * sample), "TICKY_COUNTER_BEGIN_SAMPLE", &[]).unwrap();
            for counter in 0..4 {
                block.named(us(START + 100 * sample), "TICKY_COUNTER_SAMPLE", &[("id", counter.into())]).unwrap();
            }
        }
    });
    healthy(&mut log, 0, START);
    log.end();
    log.finish()
}

fn race() -> Vec<u8> {
    let sample = |at| {
        let mut sample = LogWriter::empty();
        sample.named(us(at), "PROF_SAMPLE_COST_CENTRE", &[("tick", at.into())]).unwrap();
        sample.finish()
    };
    let mut band = LogWriter::empty();
    band.record(us(205), 164, Event::Unknown(b"\0\0\0\0\0\0\0\0\x40IO\0"));
    let band = band.finish();
    let (head, tail) = band.split_at(5);
    around(|block| {
        block.bytes(&sample(200)).bytes(head).bytes(&sample(206)).bytes(tail).bytes(&sample(207));
    })
}
