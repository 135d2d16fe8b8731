//! Stacks that the library ghc-stack-profiler writes as binary messages (FORMAT 7).

use super::*;
use ghc_eventlog::{CapNo, ThreadId, ThreadLabel, UserBinaryMsg};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "written-stack-messages",
        what: "stacks of three threads on two capabilities as binary messages of ghc-stack-profiler; some of their texts, and all \
               info tables, are defined after their uses",
        make: sampled,
    },
    Case {
        name: "written-stack-pieces",
        what: "stacks of ghc-stack-profiler in pieces, of which those of two capabilities stand between one another; one is never ended",
        make: in_pieces,
    },
    Case {
        name: "written-stack-threads-moving",
        what: "stacks of a thread that moves from one capability to another and back, each in blocks of its own",
        make: moving,
    },
    Case {
        name: "written-stack-messages-damaged",
        what: "binary messages that begin as those of ghc-stack-profiler do and are none, between good ones",
        make: damaged,
    },
];

/// A frame, as a message has it.
#[derive(Clone, Copy)]
pub(crate) enum Frame {
    Table(u64),
    String(u64),
    Placed(u64, u64),
}

/// The first two bytes of a message.
pub(crate) const LAST: u16 = 0xffca;
const MORE: u16 = 0xffcb;

/// A piece of a stack, innermost frame first.
pub(crate) fn piece(tag: u16, cap: u32, thread: u32, frames: &[Frame]) -> Vec<u8> {
    let mut bytes = [&tag.to_be_bytes()[..], &cap.to_be_bytes(), &thread.to_be_bytes()].concat();
    bytes.extend((frames.len() as u16).to_be_bytes());
    for frame in frames {
        let (kind, numbers): (u8, &[u64]) = match frame {
            Frame::Table(address) => (1, &[*address]),
            Frame::String(id) => (2, &[*id]),
            Frame::Placed(id, location) => (3, &[*id, *location]),
        };
        bytes.push(kind);
        numbers.iter().for_each(|number| bytes.extend(number.to_be_bytes()));
    }
    bytes
}

pub(crate) fn string(id: u64, text: &str) -> Vec<u8> {
    let length = text.chars().count() as u16;
    [&[0xff, 0xcc][..], &id.to_be_bytes(), &length.to_be_bytes(), text.as_bytes()].concat()
}

pub(crate) fn location(id: u64, row: u32, column: u32, file: u64) -> Vec<u8> {
    [&[0xff, 0xcd][..], &id.to_be_bytes(), &row.to_be_bytes(), &column.to_be_bytes(), &file.to_be_bytes()].concat()
}

fn write(log: &mut LogWriter, at: Nanos, bytes: &[u8]) {
    log.event(at, UserBinaryMsg { bytes });
}

/// The info tables of the stacks; those that are named here are all but one.
const MAIN: Frame = Frame::Table(0x40_1000);
const LOOP: Frame = Frame::Table(0x40_2000);
const UNKNOWN: Frame = Frame::Table(0x7f_0020);

fn tables(log: &mut LogWriter, at: Nanos) {
    log.block(Block::GLOBAL, |log| {
        let tables = [
            (0x40_1000, "main_info", "IO ()", "main", "app/Main.hs:30:1-12"),
            (0x40_2000, "loop_s3_info", "IO ()", "loop", "app/Main.hs:(40,5)-(44,20)"),
        ];
        define_tables(log, at, &tables);
    });
}

fn sampled() -> Vec<u8> {
    log_with(|log| {
        log.block(Block::of(CapNo(0)), |log| {
            log.event(us(300), ThreadLabel { thread: ThreadId(5), label: Text(b"worker") });
            write(log, us(310), &string(1, "parsing"));
            for tick in 1..=40u64 {
                let at = ms(10 * tick);
                // All threads, one right after the other.
                let top = [LOOP, UNKNOWN, Frame::Placed(2, 1), Frame::String(9)][tick as usize % 4];
                write(log, at, &piece(LAST, 0, 4, &[top, LOOP, Frame::String(1), MAIN]));
                write(log, Nanos(at.0 + 40_000), &piece(LAST, 1, 5, &[Frame::Placed(2, 1), LOOP, LOOP, MAIN]));
                if tick > 30 {
                    write(log, Nanos(at.0 + 90_000), &piece(LAST, 1, 6, &[]));
                }
            }
            write(log, ms(401), &string(2, "Prüfung"));
            write(log, ms(401), &location(1, 17, 9, 3));
            write(log, ms(401), &string(3, "app/Check.hs"));
            // A message of another library.
            write(log, ms(402), b"OT\x03\x01something else");
        });
        tables(log, ms(403));
    })
}

fn in_pieces() -> Vec<u8> {
    log_with(|log| {
        log.block(Block::of(CapNo(0)), |log| {
            write(log, us(310), &string(1, "parsing"));
            for tick in 1..=10u64 {
                let at = ms(10 * tick);
                write(log, at, &piece(MORE, 0, 4, &[UNKNOWN, LOOP]));
                write(log, at, &piece(MORE, 1, 5, &[LOOP; 30]));
                write(log, at, &piece(LAST, 0, 7, &[MAIN]));
                write(log, at, &piece(MORE, 0, 4, &[LOOP, LOOP]));
                write(log, at, &piece(LAST, 1, 5, &[MAIN]));
                write(log, at, &piece(LAST, 0, 4, &[Frame::String(1), MAIN]));
            }
            write(log, ms(101), &piece(MORE, 0, 4, &[LOOP]));
        });
        tables(log, ms(102));
    })
}

/// As the runtime writes blocks when they are full: those of one capability come before those of the other, whatever
/// their times.
fn moving() -> Vec<u8> {
    log_with(|log| {
        for cap in [0u32, 1] {
            log.block(Block::of(CapNo(cap as u16)), |log| {
                for turn in 0..20u64 {
                    let at = ms(10 + 20 * turn + 10 * u64::from(cap));
                    write(log, at, &piece(LAST, cap, 7, &[if cap == 0 { LOOP } else { UNKNOWN }, MAIN]));
                }
            });
        }
        tables(log, ms(500));
    })
}

fn damaged() -> Vec<u8> {
    log_with(|log| {
        let good = piece(LAST, 0, 4, &[LOOP, Frame::Placed(1, 1), MAIN]);
        let (text, place) = (string(1, "parsing"), location(1, 2, 3, 1));
        let with = |bytes: &[u8], at: usize, byte: u8| {
            let mut bytes = bytes.to_vec();
            bytes[at] = byte;
            bytes
        };
        log.block(Block::of(CapNo(0)), |log| {
            let damaged = [
                vec![],
                vec![0xff],
                vec![0xff, 0xca],
                good[..11].to_vec(),
                good[..good.len() - 1].to_vec(),
                // More frames than there are, an unknown kind, another message.
                with(&good, 10, 0xff),
                with(&good, 12, 7),
                with(&good, 1, 0xc9),
                text[..text.len() - 1].to_vec(),
                text[..9].to_vec(),
                place[..place.len() - 1].to_vec(),
            ];
            for (tick, bytes) in (1..).zip(&damaged) {
                write(log, ms(10 * tick), &good);
                write(log, ms(10 * tick + 5), bytes);
            }
            // Texts that are not UTF-8, and unknown bytes after the known ones.
            write(log, ms(120), &[&[0xff, 0xcc][..], &1u64.to_be_bytes(), &[0, 2, 0xc3, 0x28]].concat());
            write(log, ms(120), &[&place[..], &[0, 0]].concat());
        });
        tables(log, ms(130));
    })
}
