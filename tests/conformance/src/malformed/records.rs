//! Rows 15 to 25: records that are cut, unknown, or of another length than they should be.

use super::*;
use ghc_eventlog::{Event, UserMsg};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "malformed-15-cut-in-head",
        what: "the file ends within a record's time",
        make: || cut_after(|block| run(block, 2, 200, 210), 6),
    },
    Case {
        name: "malformed-15-cut-in-payload",
        what: "the file ends within a record of fixed size",
        make: || cut_after(|block| run(block, 2, 200, 210), 12),
    },
    Case {
        name: "malformed-15-cut-in-length",
        what: "the file ends within the length of a variable record",
        make: || cut_after(message, 11),
    },
    Case {
        name: "malformed-15-cut-in-text",
        what: "the file ends within a variable record's text",
        make: || cut_after(message, 15),
    },
    Case {
        name: "malformed-16-no-end-mark",
        what: "the file ends between two blocks",
        make: || ordinary().finish().strip_suffix(&[0xff, 0xff]).unwrap().to_vec(),
    },
    Case {
        name: "malformed-17-stray-byte",
        what: "one byte too many, and no end mark",
        make: || {
            let mut log = ordinary().finish();
            log.pop();
            log
        },
    },
    Case {
        name: "malformed-18-undeclared",
        what: "a record of a number that the header lacks, between good ones",
        make: || {
            around(|block| {
                block.record(us(200), 250, Event::Unknown(&[1; 9]));
            })
        },
    },
    Case {
        name: "malformed-18-undeclared-to-end",
        what: "the same as the last thing in the file",
        make: || {
            let mut log = log();
            process(&mut log);
            log.block(hec(0), |block| {
                work(block, 100);
                block.record(us(200), 250, Event::Unknown(&[1; 9]));
            });
            log.finish()
        },
    },
    Case {
        name: "malformed-18-zeros-between-blocks",
        what: "zeros between two blocks, as a hole in the file reads: no events",
        make: || {
            let mut log = log();
            process(&mut log);
            healthy(&mut log, 0, 100);
            log.bytes(&[0; 1000]);
            healthy(&mut log, 0, 300);
            log.end();
            log.finish()
        },
    },
    Case {
        name: "malformed-18-zeros-to-end",
        what: "zeros after the last block, as a crash leaves them, and no end mark",
        make: || {
            let mut log = log();
            process(&mut log);
            healthy(&mut log, 0, 100);
            log.bytes(&[0; 1000]);
            log.finish()
        },
    },
    Case {
        name: "malformed-19-unknown-types",
        what: "numbers that are declared but in no table: 300 of fixed size, 301 variable, 302 empty",
        make: || {
            let mut types = types();
            types.extend([(300, 6), (301, 0xffff), (302, 0)].map(|(tag, size)| EventType {
                tag,
                size,
                description: format!("Of the future, {tag}").into(),
            }));
            around_in(&types, |block| {
                block.record(us(200), 300, Event::Unknown(b"\0\0\0\0\0\x07"));
                block.record(us(201), 301, Event::Unknown(b"text"));
                block.record(us(202), 302, Event::Unknown(b""));
            })
        },
    },
    Case {
        name: "malformed-20-larger",
        what: "RUN_THREAD declared with 12 bytes: it has grown",
        make: || around_in(&resized(1, 12), |_| ()),
    },
    Case {
        name: "malformed-20-surplus",
        what: "variable events have grown: two more fields behind those that are known, in each record",
        make: || {
            around(|block| {
                for at in [200, 210, 220] {
                    for (tag, known) in grown() {
                        let payload = [known, b"\0\0\x12\x34more\0"].concat();
                        block.record(us(at), tag, Event::Unknown(&payload));
                    }
                }
            })
        },
    },
    Case {
        name: "malformed-20-shorter-form",
        what: "STOP_THREAD declared with 6 bytes: as GHC 7.0 has it",
        make: || around_in(&resized(2, 6), |_| ()),
    },
    Case {
        name: "malformed-20-too-small",
        what: "RUN_THREAD declared with 2 bytes: no known form",
        make: || around_in(&resized(1, 2), |_| ()),
    },
    Case {
        name: "malformed-20-march-2009",
        what: "sizes as declared, which are not GHC's: each event begins with its capability, and thread numbers have 8 \
               bytes; 9 to 12 are other events; no blocks",
        make: march_2009,
    },
    Case {
        name: "malformed-20-other-fields",
        what: "CREATE_THREAD declared with 10 bytes: it has not grown, its first field is a capability",
        make: || {
            around_in(&resized(0, 10), |block| {
                block.record(us(200), 0, Event::Unknown(b"\0\0\0\0\0\0\0\0\0\x07"));
                block.record(us(210), 0, Event::Unknown(b"\0\x01\0\0\0\0\0\0\0\x08"));
            })
        },
    },
    Case {
        name: "malformed-20-fixed-for-variable",
        what: "USER_MSG declared with 8 bytes, STOP_THREAD as variable",
        make: || {
            let mut types = resized(19, 8);
            types[2].size = 0xffff;
            around_in(&types, message)
        },
    },
    Case {
        name: "malformed-21-beyond-file",
        what: "a variable record longer than the rest of the file, outside of blocks",
        make: || {
            let mut log = log();
            work(&mut log, 100);
            let at = log.offset();
            message(&mut log);
            patched(log.finish(), at + 10, &60_000u16.to_be_bytes())
        },
    },
    Case {
        name: "malformed-21-beyond-block",
        what: "a variable record longer than its block, not than the file",
        make: || long_message(200),
    },
    Case {
        name: "malformed-21-beyond-both",
        what: "a variable record longer than its block and than the file, in the middle of it",
        make: || long_message(60_000),
    },
    Case {
        name: "malformed-22-too-short",
        what: "THREAD_LABEL with 2 bytes, which do not even hold its thread",
        make: || {
            around(|block| {
                block.record(us(200), 44, Event::Unknown(&[0, 9]));
            })
        },
    },
    Case {
        name: "malformed-22-too-short-delimited",
        what: "HEAP_PROF_SAMPLE_STRING with 5 bytes, which do not hold its numbers",
        make: || {
            around(|block| {
                block.record(us(200), 164, Event::Unknown(&[0; 5]));
            })
        },
    },
    Case {
        name: "malformed-23-no-nul",
        what: "a string without its NUL",
        make: || {
            around(|block| {
                let payload = [&[0, 0, 0, 0, 0, 0, 0, 0, 64][..], b"ARR_WORDS"].concat();
                block.record(us(200), 164, Event::Unknown(&payload));
            })
        },
    },
    Case {
        name: "malformed-24-stack-too-deep",
        what: "a stack that claims 200 cost centres and holds 2",
        make: || {
            around(|block| {
                let payload = [&[0, 0, 0, 0, 0, 0, 0, 0, 64, 200][..], &[0, 0, 0, 7, 0, 0, 0, 8]].concat();
                block.record(us(200), 163, Event::Unknown(&payload));
            })
        },
    },
    Case {
        name: "malformed-25-out-of-range",
        what: "a status, a kind of capability set and a breakdown that no runtime knows",
        make: || {
            around(|block| {
                run(block, 2, 200, 205);
                block.named(us(210), "RUN_THREAD", &[("thread", 2.into())]).unwrap();
                block.named(us(215), "STOP_THREAD", &[("thread", 2.into()), ("status", 999.into())]).unwrap();
                block.named(us(220), "CAPSET_CREATE", &[("capset", 9.into()), ("kind", 77.into())]).unwrap();
                block.named(us(221), "HEAP_PROF_BEGIN", &[("breakdown", 4_000_000_000.into())]).unwrap();
            })
        },
    },
];

fn message(block: &mut LogWriter) {
    block.event(us(200), UserMsg { text: Text(b"a message") });
}

/// A log that is cut off `bytes` bytes after the beginning of a record that is not the last.
fn cut_after(record: impl FnOnce(&mut LogWriter), bytes: usize) -> Vec<u8> {
    let mut log = log();
    let mut cut = 0;
    process(&mut log);
    log.block(hec(0), |block| {
        work(block, 100);
        cut = block.offset() + bytes;
        record(block);
        work(block, 300);
    });
    let mut log = log.finish();
    log.truncate(cut);
    log
}

/// A message that claims `length` bytes; three runs and another block follow.
fn long_message(length: u16) -> Vec<u8> {
    let mut at = 0;
    let log = around(|block| {
        at = block.offset();
        message(block);
    });
    patched(log, at + 10, &length.to_be_bytes())
}

/// Payloads of events whose fields show where they end.
fn grown() -> [(u16, &'static [u8]); 5] {
    [
        (161, b"\0\0\0\x07cc\0Main\0Main.hs:1:1\0\0"),
        (163, b"\0\0\0\0\0\0\0\0\x40\x02\0\0\0\x07\0\0\0\x08"),
        (164, b"\0\0\0\0\0\0\0\0\x40IO\0"),
        (167, b"\0\0\0\0\0\0\0\0\0\0\0\x01\x01\0\0\0\x07"),
        (210, b"\0\0\0\0\0\0\0\x09\0\x02\0main\0\0\0\0\0\0\x43\x14\x38{}\0"),
    ]
}

/// A log as GHC wrote it in March 2009, before there were blocks. Its sizes and some of its numbers are not those of any
/// release.
fn march_2009() -> Vec<u8> {
    let types = [
        (0, 10, "Create thread"),
        (1, 10, "Run thread"),
        (2, 12, "Stop thread"),
        (3, 10, "Thread runnable"),
        (4, 12, "Migrate thread"),
        (5, 10, "Run spark"),
        (6, 12, "Steal spark"),
        (7, 2, "Shutdown"),
        (8, 12, "Wakeup thread"),
        (9, 2, "Request sequential GC"),
        (10, 2, "Request parallel GC"),
        (11, 2, "Starting GC"),
        (12, 2, "Finished GC"),
    ];
    let sizes = types.map(|(_, size, _)| size);
    let mut log = log_of(&types.map(|(tag, size, text)| EventType { tag, size, description: text.into() }));
    let mut event = |at: u64, tag: u16, cap: u16, thread: u64, more: u16| {
        let fields = [&cap.to_be_bytes()[..], &thread.to_be_bytes(), &more.to_be_bytes()].concat();
        log.record(us(at), tag, Event::Unknown(&fields[..usize::from(sizes[usize::from(tag)])]));
    };
    for (at, thread) in (0..60).map(|round| (100 + 100 * round, round + 1)) {
        let cap = (thread % 2) as u16;
        event(at, 0, cap, thread, 0);
        event(at + 1, 3, cap, thread, 0);
        event(at + 2, 1, cap, thread, 0);
        event(at + 30, 8, cap, thread.saturating_sub(1), 1 - cap);
        event(at + 40, 2, cap, thread, if thread % 3 == 0 { 5 } else { 3 });
        if thread % 10 == 0 {
            event(at + 50, 9 + cap, cap, 0, 0);
            event(at + 51, 11, cap, 0, 0);
            event(at + 60, 12, cap, 0, 0);
        }
    }
    event(6200, 7, 0, 0, 0);
    event(6201, 7, 1, 0, 0);
    log.end();
    log.finish()
}
