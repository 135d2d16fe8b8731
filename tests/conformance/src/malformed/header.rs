//! Rows 1 to 14: before the first event.

use super::*;

pub(super) const CASES: &[Case] = &[
    Case { name: "malformed-01-empty", what: "no bytes at all", make: Vec::new },
    Case {
        name: "malformed-02-gzip",
        what: "a log compressed by gzip",
        make: || b"\x1f\x8b\x08\0\0\0\0\0\0\x03hdrbhetb".to_vec(),
    },
    Case { name: "malformed-02-zstd", what: "a log compressed by zstd", make: || b"\x28\xb5\x2f\xfd\x04\x58".to_vec() },
    Case {
        name: "malformed-02-html",
        what: "the page that a download link led to",
        make: || b"\n<!DOCTYPE html>\n<html><body>404</body></html>\n".to_vec(),
    },
    Case {
        name: "malformed-02-heap-profile",
        what: "the .hp file beside the log",
        make: || b"JOB \"./program +RTS -hT\"\nDATE \"Fri Nov 20 11:15 2026\"\n".to_vec(),
    },
    Case {
        name: "malformed-02-time-profile",
        what: "the .prof file beside the log",
        make: || {
            b"\tFri Nov 20 11:15 2026 Time and Allocation Profiling Report  (Final)\n\n\t   program +RTS -p\n".to_vec()
        },
    },
    Case {
        name: "malformed-02-lfs-pointer",
        what: "what Git leaves in place of a large file",
        make: || b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n".to_vec(),
    },
    Case { name: "malformed-02-text", what: "some text", make: || b"1, 2, 3\n".to_vec() },
    Case { name: "malformed-02-zeros", what: "zeros, as a full disk leaves them", make: || vec![0; 300] },
    Case {
        name: "malformed-03-junk-before",
        what: "junk before the header",
        make: || [b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), ordinary().finish()].concat(),
    },
    Case {
        name: "malformed-03-marker-before",
        what: "a block marker before the header",
        make: || {
            let mut log = LogWriter::empty();
            log.block(Block::GLOBAL, |_| {});
            log.bytes(&ordinary().finish());
            log.finish()
        },
    },
    Case {
        name: "malformed-04-windows-line-ends",
        what: "sent as text: each newline became carriage return and newline",
        make: || replaced(&ordinary().finish(), b'\n', b"\r\n"),
    },
    Case {
        name: "malformed-04-mac-line-ends",
        what: "sent as text: a newline before each carriage return",
        make: || replaced(&with_return_in_length(), b'\r', b"\n\r"),
    },
    Case {
        name: "malformed-04-line-ends-in-descriptions",
        what: "a carriage return in a description, a newline first in another: nothing is damaged",
        make: || {
            let mut types = types();
            types[0].description = "a\rb".into();
            types[1].description = "\nab".into();
            types[2].description = "\r\n".into();
            let mut log = log_of(&types);
            healthy(&mut log, 0, 100);
            log.end();
            log.finish()
        },
    },
    Case { name: "malformed-05-cut-in-mark", what: "ends within the very first mark", make: || b"hdr".to_vec() },
    Case {
        name: "malformed-05-cut-in-types",
        what: "ends within the third event type",
        make: || ordinary().finish()[..88].to_vec(),
    },
    Case {
        name: "malformed-05-cut-before-data",
        what: "ends between the event types and the data",
        make: || log().finish().strip_suffix(b"datb").unwrap().to_vec(),
    },
    Case {
        name: "malformed-06-description-length",
        what: "a description of 4294967295 bytes",
        make: || patched(ordinary().finish(), LENGTH, &u32::MAX.to_be_bytes()),
    },
    Case {
        name: "malformed-06-description-beyond-end",
        what: "a description of 60000 bytes, in a shorter file",
        make: || patched(ordinary().finish(), LENGTH, &60_000u32.to_be_bytes()),
    },
    Case {
        name: "malformed-06-extra-length",
        what: "extra information of 4294967295 bytes",
        make: || {
            let log = ordinary().finish();
            let extra = find(&log, b"ete\0") - 4;
            patched(log, extra, &u32::MAX.to_be_bytes())
        },
    },
    Case {
        name: "malformed-07-no-end-of-type",
        what: "the mark at the end of an event type is missing",
        make: || {
            let log = ordinary().finish();
            let end = find(&log, b"ete\0");
            patched(log, end, b"xxxx")
        },
    },
    Case {
        name: "malformed-08-unknown-mark",
        what: "another mark where an event type is due",
        make: || patched(ordinary().finish(), 8, b"abc\0"),
    },
    Case {
        name: "malformed-09-no-end-of-header",
        what: "the mark at the header's end is missing",
        make: || {
            let log = ordinary().finish();
            let end = find(&log, b"hdre");
            patched(log, end, b"HDRE")
        },
    },
    Case {
        name: "malformed-09-no-data-mark",
        what: "the mark of the data is missing",
        make: || {
            let log = ordinary().finish();
            let end = find(&log, b"datb");
            patched(log, end, &[0, 18, 0, 0])
        },
    },
    Case {
        name: "malformed-10-no-types",
        what: "no event types, but events",
        make: || {
            let mut log = log_of(&[]);
            process(&mut log);
            log.end();
            log.finish()
        },
    },
    Case {
        name: "malformed-10-no-block-marker-type",
        what: "block markers are not declared, and there are none",
        make: || {
            let types: Vec<_> = types().into_iter().filter(|declared| declared.tag != 18).collect();
            let mut log = log_of(&types);
            log.event(us(90), create(1));
            work(&mut log, 100);
            log.end();
            log.finish()
        },
    },
    Case { name: "malformed-11-type-twice", what: "RUN_THREAD is declared twice, with one size", make: || twice(4) },
    Case {
        name: "malformed-12-type-twice-resized",
        what: "RUN_THREAD is declared twice, with two sizes; the last one is right",
        make: || twice(12),
    },
    Case {
        name: "malformed-12-type-twice-first-right",
        what: "the same, and the last one is wrong",
        make: || {
            let mut types = types();
            types.push(EventType { size: 12, ..types[1].clone() });
            let mut log = log_of(&types);
            log.write_as(1, 4);
            process(&mut log);
            healthy(&mut log, 0, 100);
            log.end();
            log.finish()
        },
    },
    Case {
        name: "malformed-13-end-mark-declared",
        what: "the end mark's number is declared as an event type",
        make: || {
            let mut types = types();
            types.push(EventType { tag: 0xffff, size: 4, description: "End".into() });
            let mut log = log_of(&types);
            healthy(&mut log, 0, 100);
            log.end();
            log.finish()
        },
    },
    Case {
        name: "malformed-09-first-mark-damaged",
        what: "a bit of the log's first byte is wrong",
        make: || patched(ordinary().finish(), 0, b"H"),
    },
    Case {
        name: "malformed-12-size-damaged",
        what: "RUN_THREAD's size is damaged: larger by 16, as much as a small record",
        make: || misdeclared(1, 20, 4),
    },
    Case {
        name: "malformed-12-variable-size-damaged",
        what: "a bit is wrong in what says that RTS_IDENTIFIER has a variable size",
        make: || misdeclared(29, 0xfffe, 0xffff),
    },
    Case {
        name: "malformed-12-number-damaged",
        what: "STOP_THREAD's number is damaged, which its description shows",
        make: || {
            let described = |declared: EventType| {
                let description = if declared.tag == 2 { "Stop thread".into() } else { declared.description };
                EventType { tag: if declared.tag == 2 { 3 } else { declared.tag }, description, ..declared }
            };
            let mut log = log_of(&types().into_iter().map(described).collect::<Vec<_>>());
            process(&mut log);
            healthy(&mut log, 0, 100);
            log.end();
            log.finish()
        },
    },
    Case { name: "malformed-14-header-only", what: "a header, and nothing behind it", make: || log().finish() },
];

/// The offset of the length of the first event type's description.
const LENGTH: usize = 8 + 4 + 4;

fn find(log: &[u8], mark: &[u8]) -> usize {
    log.windows(mark.len()).position(|bytes| bytes == mark).unwrap()
}

fn replaced(log: &[u8], byte: u8, by: &[u8]) -> Vec<u8> {
    log.iter().flat_map(|at| if *at == byte { by.to_vec() } else { vec![*at] }).collect()
}

/// GHC's own "Create thread" is 13 bytes long: a carriage return in the header.
fn with_return_in_length() -> Vec<u8> {
    let mut types = types();
    types[0].description = "Create thread".into();
    let mut log = log_of(&types);
    healthy(&mut log, 0, 100);
    log.end();
    log.finish()
}

/// A log whose header gives a number another size than its records have.
fn misdeclared(tag: u16, declared: u16, written: u16) -> Vec<u8> {
    let mut log = log_of(&resized(tag, declared));
    log.write_as(tag, written);
    process(&mut log);
    healthy(&mut log, 0, 100);
    log.end();
    log.finish()
}

/// RUN_THREAD declared first with this size, then with its own.
fn twice(size: u16) -> Vec<u8> {
    let mut types = types();
    types.insert(0, EventType { size, ..types[1].clone() });
    let mut log = log_of(&types);
    process(&mut log);
    healthy(&mut log, 0, 100);
    log.end();
    log.finish()
}
